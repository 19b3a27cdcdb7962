"""Claims from counts in Python go through the same gate as those of the command."""

import numpy as np
import pandas as pd
import pytest

import fairstep as fs


@pytest.fixture(scope="module")
def model():
    return fs.env("fico", horizon=3)


@pytest.fixture(scope="module")
def asked(model):
    return fs.policy(model, threshold=2)


@pytest.fixture(scope="module")
def log(model):
    """People who were accepted with probability 1/2, a row for each decision."""
    rng = np.random.default_rng(1)
    rows = []
    for person in range(3000):
        g = person % 2
        state = rng.choice(model.initial[g].size, p=model.initial[g].ravel())
        for h in range(model.horizon):
            x, y = divmod(int(state), 2)
            a = int(rng.random() < 0.5)
            rows.append((person, model.groups[g], h, model.features[x], float(y), a))
            state = rng.choice(model.initial[g].size, p=model.transition[g, x, y, a].ravel())
    return pd.DataFrame(rows, columns=["person", "group", "step", "x", "y", "a"])


@pytest.fixture(scope="module")
def hidden(log):
    """Every third label of those refused is missing."""
    frame = log.copy()
    frame.loc[(frame.a == 0) & (frame.person % 3 == 0), "y"] = np.nan
    return frame


def test_a_certificate_says_what_rows_left_out_cost(model, asked, log, hidden):
    complete = fs.certify(fs.count(log, like=model), asked)
    assert complete.gap_if_nothing_lost is None and complete.value_if_nothing_lost is None
    lossy = fs.certify(fs.count(hidden, like=model, censored="drop"), asked, model=model)
    assert lossy.gap.worst > lossy.gap_if_nothing_lost.worst
    assert lossy.value < lossy.value_if_nothing_lost
    heads = [sentence.split(":")[0] for sentence in lossy.assumptions]
    assert "Left out" in heads and "Unlabelled" in heads
    assert "rows that were left out cost" in lossy._repr_html_()


def test_an_audit_says_what_it_rests_on(model, asked, hidden):
    audited = fs.audit(hidden, like=model, censored="drop", policy=asked)
    assert any(sentence.startswith("Left out:") for sentence in audited.assumptions)
    assert "all of them together with 0.8." in audited.assumptions[-1]
    assert "all of them together with 0.8." in audited._repr_html_()
    _, low, high = audited.rate_bands("tpr")
    assert (low <= 0.5).all() and (high >= 0.5).all()


def test_drawn_labels_prove_nothing(model, asked, hidden):
    counts = fs.count(hidden, like=model, censored="assume-ignorable")
    for claim in (
        lambda: fs.certify(counts, asked),
        lambda: fs.certify(counts, asked, plan=0.1),
        lambda: fs.audit(counts, policy=asked),
        lambda: fs.estimate(counts).radii(),
    ):
        with pytest.raises(ValueError, match="labels were drawn"):
            claim()
    assert fs.audit(counts).rate_bands("tpr")[1].max() == 0


def test_rewards_that_the_data_refute_are_refused(model, asked, log):
    simulated = fs.simulate(model, asked, people=2000)
    with pytest.raises(ValueError, match="expected one within the reward range of 5 to 6"):
        fs.certify(simulated, asked, reward_range=(5, 6))
    with pytest.raises(ValueError, match="expected one within the reward range of 5 to 6"):
        fs.estimate(simulated).radii(reward_range=(5, 6))
    with pytest.raises(ValueError, match="a log without rewards"):
        fs.certify(fs.count(log, like=model), asked, reward_range=(-1, 1))


def test_those_who_followed_must_not_have_been_chosen_by(model, asked):
    counts = fs.simulate(model, asked, people=2000)
    sentences = "\n".join(fs.certify(counts, asked, followed=True).assumptions)
    assert "this certificate does not hold" in sentences and "these very data" not in sentences
