"""Results in notebooks: small tables in which nothing from a file is markup, and honest pictures."""

import re
from html.parser import HTMLParser

import matplotlib as mpl
import numpy as np
import pytest

mpl.use("Agg")
import matplotlib.pyplot as plt

import fairstep as fs

EVIL = '<script>alert("x")</script>'


@pytest.fixture(scope="module")
def evil():
    """A population whose names are markup."""
    fico = fs.env("fico", horizon=3)
    return fs.Model(
        horizon=3,
        groups=[EVIL, "b&b"],
        features=[f"<b>{x}</b>" for x in range(5)],
        share=[0.5, 0.5],
        initial=fico.initial,
        transition=fico.transition,
        reward=fico.reward,
        description=f"about {EVIL}",
        labels=["<i>no</i>", "<i>yes</i>"],
    )


def everything(model):
    result = fs.solve(model, fairness="dp", limit=0.05)
    counts = fs.simulate(model, fs.policy(model, uniform=0.5), people=2000)
    log = fs.simulate_log(model, fs.policy(model, uniform=0.5), people=50).to_frame()
    log.loc[3, "reward"] = None
    yield from (model, result, result.policy, result.rates, result.evaluation, counts, fs.count(log))
    yield fs.estimate(counts)
    yield fs.certify(counts, result.policy, model=model)
    yield fs.audit(counts)
    yield fs.audit(log)
    yield fs.learn(model, schedule="2^3..2^5", no_proof=True, evaluation_episodes=0)
    yield fs.pareto(model, fairness="dp", limits=[0.0, 0.1], no_proof=True)
    yield fs.solve(model, fairness="eqopt", limit=0, deterministic=True, floor=0.4, capacity=0.1)


class Balanced(HTMLParser):
    """Tags that are ours, each closed; `br` has no end."""

    ALLOWED = frozenset({"div", "p", "b", "br", "ul", "li", "table", "thead", "tbody", "tr", "th", "td"})

    def __init__(self):
        super().__init__()
        self.open, self.text = [], ""

    def handle_starttag(self, tag, attributes):
        assert tag in self.ALLOWED, tag
        assert all(name == "style" for name, _ in attributes)
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def test_names_from_files_are_never_markup(evil):
    seen = ""
    for thing in everything(evil):
        page = thing._repr_html_()
        parser = Balanced()
        parser.feed(page)
        assert not parser.open and len(page) < 20_000, thing
        seen += parser.text
    assert EVIL in seen and "b&b" in seen  # as text


def test_every_result_shows_itself_in_a_line(evil):
    for thing in everything(evil):
        assert "\n" not in repr(thing) and re.fullmatch(r"\w+\(.*\)", repr(thing)), repr(thing)


def test_large_tables_are_cut_and_say_so():
    model = fs.env("random", groups=4, features=40, horizon=30)
    page = fs.policy(model, random=True)._repr_html_()
    assert "and 96 more rows" in page and "and 24 more features" in page and len(page) < 30_000


def lines_of(ax):
    return {line.get_label(): line.get_ydata() for line in ax.get_lines()}


def test_a_picture_has_the_rates_and_the_band_of_the_limit():
    result = fs.solve(fs.env("fico"), fairness="dp", limit=0.05)
    ax = result.plot()
    drawn = lines_of(ax)
    assert np.array_equal(drawn["white"], result.rates.accept[0])
    assert np.array_equal(drawn["black"], result.rates.accept[1])
    assert ax.get_ylim() == (0, 1)
    # The band is as high as the limit and centred between the groups, so that both lie on its edges or inside.
    [band] = ax.collections
    low, high = band.get_paths()[0].get_extents().intervaly
    assert high - low >= 0.05
    corners = band.get_paths()[0].vertices
    for step in range(8):
        at = corners[np.isclose(corners[:, 0], step), 1]
        assert at.max() - at.min() == pytest.approx(0.05)
        for group in ("white", "black"):
            assert at.min() - 1e-6 <= drawn[group][step] <= at.max() + 1e-6
    gaps = ax.figure.axes[1]
    assert np.allclose(gaps.get_lines()[0].get_ydata(), result.parity_gap, atol=1e-9)
    assert ax.get_title(loc="left") == "Limit kept at every step: widest gap 0.05 of 0.05"
    plt.close(ax.figure)


def test_a_limit_that_is_not_kept_is_said_to_be_exceeded():
    model = fs.env("fico")
    ax = fs.evaluate(model, fs.policy(model, threshold=2)).plot(limit=0.1)
    assert ax.get_title(loc="left") == "Limit exceeded: widest gap 0.436 of 0.1 at step 0"
    plt.close(ax.figure)


def test_equalized_odds_takes_two_panels_and_an_own_axes_takes_one():
    result = fs.solve(fs.env("fico", horizon=3), fairness="eqodds", limit=0.2, no_proof=True)
    ax = result.plot()
    labels = [panel.get_ylabel() for panel in ax.figure.axes]
    assert labels == ["share of the qualified accepted", "share of the unqualified accepted", "widest gap"]
    plt.close(ax.figure)
    figure, own = plt.subplots()
    assert result.plot("qualified", ax=own) is own and len(figure.axes) == 1
    assert not own.collections  # the limit is not about this rate
    plt.close(figure)
    with pytest.raises(ValueError, match='rate is "tnr", expected one of accept'):
        result.plot("tnr")


def test_audits_and_sweeps_have_pictures():
    model = fs.env("fico", horizon=3)
    found = fs.audit(fs.simulate(model, fs.policy(model, threshold=2), people=2000), fairness="dp")
    ax = found.plot()
    assert len(ax.collections) == 2  # a band for each group
    plt.close(ax.figure)
    with pytest.raises(ValueError, match="the audit has no tpr"):
        found.plot("tpr")
    ax = fs.pareto(model, fairness="dp", limits=[0.0, 0.1, 0.2], no_proof=True).plot()
    assert lines_of(ax)["best policy found"].size == 3
    plt.close(ax.figure)
