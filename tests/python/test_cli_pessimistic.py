"""`fit --pessimistic`: rewards are lowered by what the radii say, and what a policy is worth then is a lower bound."""

import numpy as np
import pytest


@pytest.fixture
def fico(fairstep):
    fairstep("env", "fico", "--horizon", "3", "-o", "fico.json", code=0)
    fairstep("policy", "fico.json", "--uniform", "0.5", "-o", "half.json", code=0)
    fairstep("simulate", "fico.json", "half.json", "--people-per-group", "2^20", "-o", "counts.json", code=0)
    return fairstep


def test_rewards_are_lowered_by_reward_rows_and_first_state(fico):
    words = ("fit", "counts.json", "--reward-range", "-1,1", "--discount", "0.9", "--radii", "radii.json")
    fico(*words, "-o", "plain.json", code=0)
    run = fico(*words, "--pessimistic", "-o", "low.json", code=0)
    assert "pessimistic: with probability 0.9" in run.err.replace("\n", " ")
    plain, low, radii = (fico.read(f"{name}.json") for name in ("plain", "low", "radii"))
    later = 0.9 + 0.81  # of three steps, what comes after one
    width = 2
    first = np.array(radii["initial"])[:, None, None, None]
    less = np.array(radii["reward"]) + width * (later * np.array(radii["row"]) + first)
    assert np.array(plain["reward"]) - np.array(low["reward"]) == pytest.approx(less)
    assert low["rests_on"]["rewards_are"] == "given" and "pessimistic" in low["description"]
    assert low["transition"] == plain["transition"]


def test_the_best_guarantee_holds_in_truth(fico):
    shares = [
        f"{name}={share}" for name, share in zip(*map(fico.read("fico.json").get, ("groups", "share")), strict=True)
    ]
    given = [word for share in shares for word in ("--share", share)]
    fico("fit", "counts.json", "--pessimistic", "--reward-range", "-1,1", *given, "-o", "low.json", code=0)
    answer = fico("solve", "low.json", "--fairness", "dp", "--limit", "0.05", "-o", "safe.json", "--json", code=0).json
    assert any("rewards were given" in warning for warning in answer["warnings"])
    truth = fico("evaluate", "fico.json", "safe.json", "--json", code=0).json["value"]
    assert answer["bounds"]["lower"] <= truth
    assert truth - answer["bounds"]["lower"] < 1  # it says something: the range is 6 wide


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "--pessimistic needs --reward-range"),
        (("--labels", "follow-features", "--reward-range", "-1,1"), "--pessimistic and --labels follow-features"),
    ],
)
def test_what_it_needs_is_said(fico, words, message):
    assert message in fico("fit", "counts.json", "--pessimistic", *words, code=2).err
