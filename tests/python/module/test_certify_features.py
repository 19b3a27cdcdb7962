"""Certificates where labels follow features, from Python."""

import numpy as np
import pytest

import fairstep as fs


@pytest.fixture(scope="module")
def fico():
    return fs.env("fico", horizon=3)


@pytest.fixture(scope="module")
def hidden(fico):
    log = fs.simulate_log(fico, fs.policy(fico, uniform=0.5), people=4000, seed=5).to_frame()
    log["y"] = log["y"].where(log["a"] == 1)
    return fs.count(log, like=fico, censored="drop")


def sloped(fico):
    """The higher the score, the more are accepted: uniform policies have no gap."""
    shape = (len(fico.groups), 3, len(fico.features))
    return fs.Policy(np.broadcast_to(np.linspace(0.2, 0.9, shape[2]), shape).copy(), groups=fico.groups)


def test_each_rule_has_its_gaps_and_the_limit_its_break_even(fico, hidden):
    c = fs.certify(hidden, sloped(fico), fairness="eqopt", labels="follow-features", refused="odds=1.5", limit=1)
    assert c.refused == "odds=1.5" and c.break_even == "anything"
    assert set(c.gap_if_refused) == {"like-accepted", "anything"}
    like, anything = (c.gap_if_refused[rule].eqopt for rule in ("like-accepted", "anything"))
    assert np.all(like <= c.gap.eqopt) and np.all(c.gap.eqopt <= anything)
    assert c.check()
    assert any("Labels follow features" in sentence for sentence in c.assumptions)


def test_demographic_parity_needs_no_label(fico, hidden):
    c = fs.certify(hidden, fs.policy(fico, uniform=0.5), fairness="dp", labels="follow-features")
    assert c.refused == "like-accepted" and c.gap_if_refused == {} and c.break_even is None
    assert c.check()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"refused": "anything"}, "follow-features"),
        ({"limit": 0.1}, "limit is given without"),
        ({"labels": "follow-features", "limit": 2}, "expected 0 to 1"),
        ({"labels": "follow-features", "plan": 0.1}, "expected one of them"),
        ({"labels": "follow-features", "followed": True}, "follow-features together with followed"),
        ({"labels": "follow-features", "refused": "odds=0.1"}, "expected 1 to"),
        ({"labels": "features"}, "expected as-seen or follow-features"),
    ],
)
def test_what_does_not_go_together_is_refused(fico, hidden, words, said):
    with pytest.raises(ValueError, match=said):
        fs.certify(hidden, fs.policy(fico, uniform=0.5), **words)
