"""fairstep alternative: exit codes, what is written, and what it refuses."""

import json

import pytest


@pytest.fixture
def fico(fairstep):
    fairstep("env", "fico", "--horizon", "4", "-o", "fico.json", code=0)
    fairstep("policy", "fico.json", "--threshold", "x=2", "-o", "in-force.json", code=0)
    return fairstep


def worst(fairstep, policy, notion="dp"):
    return fairstep("evaluate", "fico.json", policy, "--json", code=0).json["worst"][notion]["gap"]


def test_what_is_written_is_worth_as_much_and_is_the_upper_bound(fico):
    answer = fico(
        "alternative",
        "fico.json",
        "in-force.json",
        "--class",
        "group-independent",
        "-o",
        "better.json",
        "--json",
        code=0,
    ).json
    assert answer["outcome"] == "found" and answer["class"] == ["group-independent"]
    least = answer["least"]
    assert 0 <= least["lower"] <= least["upper"] <= answer["given"]["disparity"] - 1e-3 + 1e-7
    assert least["upper"] - least["lower"] <= 1e-3
    assert worst(fico, "better.json") == least["upper"]
    value = fico("evaluate", "fico.json", "better.json", "--json", code=0).json["value"]
    assert value == answer["value"] >= answer["at_least"] == answer["given"]["value"]
    assert json.loads((fico.folder / "better.json").read_text()) == answer["policy"]
    # Solving under a limit below the lower bound agrees that nothing there is worth as much.
    asked = ["--fairness", "dp", "--limit", str(least["lower"]), "--group-independent", "--gap", "1e-5"]
    assert fico("solve", "fico.json", *asked, "--json", code=0).json["bounds"]["upper"] < answer["at_least"]


def test_none_is_an_answer_with_a_code_of_its_own(fico):
    fico("solve", "fico.json", "--fairness", "dp", "--limit", "0.05", "-o", "good.json", code=0)
    answer = fico("alternative", "fico.json", "good.json", "--json", code=1).json
    assert answer["outcome"] == "none" and not answer["none_worth"]
    assert 0.05 - 1e-3 - 1e-7 <= answer["least"]["lower"] <= 0.05
    assert "alternative: none." in fico("alternative", "fico.json", "good.json", code=1).out
    too_much = fico(
        "alternative", "fico.json", "good.json", "--at-least", "9", "-o", "none.json", "--json", code=1
    ).json
    assert too_much["none_worth"] and too_much["policy"] is None and too_much["least"]["upper"] is None
    assert not (fico.folder / "none.json").exists()


def test_no_time_is_undecided(fico):
    words = ["--class", "group-independent", "--time-limit", "1e-9", "--json"]
    answer = fico("alternative", "fico.json", "in-force.json", *words, code=3).json
    assert answer["outcome"] == "undecided" and answer["stopped_by"] == "time"
    assert answer["least"]["lower"] == 0 and answer["least"]["upper"] == answer["given"]["disparity"]


def test_by_ratio_the_disparity_is_what_the_ratio_lacks(fico):
    words = ["--fairness", "dp-ratio", "--class", "group-independent", "-o", "better.json"]
    answer = fico("alternative", "fico.json", "in-force.json", *words, "--json", code=0).json
    evaluation = fico("evaluate", "fico.json", "better.json", "--json", code=0).json
    assert min(evaluation["ratio"]["dp-ratio"]["least"]) == pytest.approx(1 - answer["least"]["upper"], abs=1e-12)


def test_a_share_is_of_what_the_policy_is_worth(fico):
    half = fico("alternative", "fico.json", "in-force.json", "--at-least", "50%", "--json", code=0).json
    assert half["at_least"] == pytest.approx(half["given"]["value"] / 2)
    for wrong in ("x", "-5%", "%", "inf"):
        refused = fico("alternative", "fico.json", "in-force.json", f"--at-least={wrong}", code=2)
        assert f'--at-least is "{wrong}", expected a value such as 0.55, or a share such as 95%' in refused.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["--class", "x"],
            '--class has "x", expected "group-independent", "deterministic", "monotone", "threshold" or "stationary"',
        ),
        (["--precision", "0"], "--precision is 0, expected between 0 and 1"),
        (["--fairness", "none"], "--fairness"),
        (["--capacity", "2"], "--capacity is 2, expected between 0 and 1"),
    ],
)
def test_what_makes_no_sense_is_refused(fico, words, message):
    assert message in fico("alternative", "fico.json", "in-force.json", *words, code=2).err
