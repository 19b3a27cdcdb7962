"""Policies that rise, have one cut a step, or stay the same: what is asked for, answered, exported and evaluated."""

import itertools

import pytest
from test_cli_solve import KEYS

RULES = [
    ["--monotone"],
    ["--threshold"],
    ["--stationary"],
    ["--threshold", "--stationary"],
    ["--monotone", "--group-independent"],
]


@pytest.fixture
def fico(fairstep):
    fairstep("env", "fico", "--horizon", 2, "-o", "fico.json", "--quiet", code=0)
    return fairstep


def tables(policy):
    """[h][x] of each group."""
    return [policy["accept"]] if policy.get("group_independent") else policy["accept"]


def rises(policy):
    rows = itertools.chain.from_iterable(tables(policy))
    return all(low <= high + 1e-12 for row in rows for low, high in itertools.pairwise(row))


@pytest.mark.parametrize("rules", RULES)
def test_the_answer_keeps_the_rules_and_says_what_they_cost(fico, rules):
    asked = ["--fairness", "dp", "--limit", "0.05", "--effort", 3000, "--json"]
    document = fico("solve", "fico.json", *asked, *rules, "-o", "policy.json").json
    free = fico("solve", "fico.json", *asked, *[word for word in rules if word == "--group-independent"]).json
    assert set(document) == KEYS | {"rules"} and set(free) == KEYS
    policy = document["policy"]
    assert policy == fico.read("policy.json")
    if rules != ["--stationary"]:
        assert rises(policy)
    if "--stationary" in rules:
        assert all(step == table[0] for table in tables(policy) for step in table)
    if "--threshold" in rules:
        assert all(sum(0 < p < 1 for p in step) <= 1 for table in tables(policy) for step in table)
    price = document["rules"]
    assert price["asked_for"] == " and ".join(word[2:] for word in rules if word != "--group-independent")
    assert price["order"] == (None if rules == ["--stationary"] else [["0", "25", "50", "75", "100"]])
    # What is reported of the free optimum is about the one that is found when it is asked for alone.
    assert price["without"]["lower"] <= free["bounds"]["upper"] + 1e-9
    assert price["without"]["upper"] >= free["bounds"]["lower"] - 1e-9
    assert price["cost"]["at_most"] == pytest.approx(price["without"]["upper"] - document["bounds"]["lower"])
    assert 0 <= price["cost"]["at_least"] <= price["cost"]["at_most"]
    assert document["bounds"]["upper"] <= price["without"]["upper"] + 1e-12
    found = fico("evaluate", "fico.json", "policy.json", "--json", code=0).json["monotone"]
    assert (found["falls"] == 0) == rises(policy)


def test_text_says_what_a_rule_costs_and_evaluate_where_acceptance_falls(fico):
    text = fico("solve", "fico.json", "--fairness", "dp", "--limit", "0.05", "--monotone", code=0).out
    assert "price of monotone: " in text
    fico.write("up.json", {"schema": "fairstep/policy/1", "group_independent": True, "accept": [[0, 0, 0.5, 1, 1]] * 2})
    out = fico("evaluate", "fico.json", "up.json", code=0).out
    assert out.splitlines()[1] == "monotone: acceptance never falls as the feature rises"
    down = [[1, 0.25, 0.5, 1, 1], [0, 0, 0.5, 1, 0.25]]
    fico.write("down.json", {"schema": "fairstep/policy/1", "group_independent": True, "accept": down})
    out = " ".join(fico("evaluate", "fico.json", "down.json", code=0).out.split())
    # Two falls of 0.75 each, of four pairs of neighbours at two steps: the first is named.
    assert "not monotone: acceptance falls as the feature rises 2 of 8 times" in out
    assert "most for any group at step 0, from 1.0000 at 0 to 0.2500 at 25" in out
    document = fico("evaluate", "fico.json", "down.json", "--json", code=0).json["monotone"]
    worst = {"group": None, "step": 0, "lower": "0", "higher": "25", "accept": [1, 0.25]}
    assert document == {"falls": 2, "of": 8, "worst": worst}
    turned = ["--order", "100,75,50,25,0"]
    assert fico("evaluate", "fico.json", "up.json", *turned, "--json", code=0).json["monotone"]["falls"] == 4


def test_features_of_several_columns_rise_in_one_of_them(fairstep):
    fairstep("env", "random", "--features", 4, "--horizon", 2, "--seed", 3, "-o", "plain.json", "--quiet", code=0)
    model = fairstep.read("plain.json")
    fairstep.write("m.json", model | {"features": ["old/low", "old/high", "young/low", "young/high"]})
    asked = ["--fairness", "dp", "--limit", "0.05", "--effort", 3000, "--monotone", "--json"]
    document = fairstep("solve", "m.json", *asked, "--monotone-in", 2).json
    assert document["rules"]["order"] == [["old/low", "old/high"], ["young/low", "young/high"]]
    for step in itertools.chain.from_iterable(document["policy"]["accept"]):
        assert step[0] <= step[1] + 1e-12 and step[2] <= step[3] + 1e-12
    document = fairstep("solve", "m.json", *asked, "--monotone-in", 1, "--order", "young,old").json
    assert document["rules"]["order"] == [["young/low", "old/low"], ["young/high", "old/high"]]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--order", "a,b"], "--order is given, but no policy that would rise with the features"),
        (["--monotone-in", 1], "--monotone-in is given, but no policy that would rise with the features"),
        (["--monotone", "--order", "0,25"], '--order names "50" nowhere, expected each of the 5 once'),
        (["--monotone", "--monotone-in", 2], '--monotone-in is 2, but the feature "0" has no slash in it'),
        (["--stationary", "--method", "myopic"], "a policy that is the same at every step cannot be found one step"),
        (["--threshold", "--method", "myopic"], "a threshold policy cannot be found myopically"),
    ],
)
def test_what_makes_no_sense_is_refused(fico, words, said):
    assert said in fico("solve", "fico.json", "--fairness", "dp", *words, code=2).err


def test_a_threshold_is_not_exported_and_a_monotone_policy_is(fico):
    run = fico("export", "fico.json", "--fairness", "dp", "--threshold", "-o", "p.lp", code=2)
    assert "a threshold policy cannot be exported" in run.err and "--monotone" in run.err
    fico("export", "fico.json", "--fairness", "dp", "--monotone", "--stationary", "-o", "p.lp", code=0)
    text = (fico.folder / "p.lp").read_text()
    # Four neighbours of two groups at the first step; five features that are alike at the second.
    assert text.count(" rises_") == 2 * 4 and text.count(" same_") == 2 * 5
