"""fairstep solve: the written policy has the value and the gaps that are claimed; every ending has its exit code."""

import json
import os
import re
import signal
import subprocess

import pytest
from conftest import BINARY, PATIENCE, ROOT
from small import hand

KEYS = {
    "schema", "warnings", "model", "file", "method", "outcome", "stopped_by", "value", "penalty", "bounds", "gap",
    "parity_gap", "shadow_price", "vacuous_steps", "binding", "degenerate", "infeasible", "randomised_value", "tail",
    "nodes", "time_s", "policy", "rests_on",
}  # fmt: skip
TOLERANCE = 1e-8  # limits are kept within this


@pytest.fixture
def fico(fairstep):
    """fico.json with 3 steps, so that everything is proven in no time."""
    fairstep("env", "fico", "--horizon", 3, "-o", "fico.json", "--quiet", code=0)
    return fairstep


def solve(folder, *words, code=0, model="fico.json"):
    return folder("solve", model, *words, "--json", code=code).json


def evaluate(folder, policy="policy.json", model="fico.json"):
    return folder("evaluate", model, policy, "--json", code=0).json


@pytest.mark.parametrize("limit", [0, 0.01, 0.2])
@pytest.mark.parametrize("notion", ["dp", "eqopt", "eqodds"])
def test_value_and_gaps_are_those_of_the_written_policy(fico, notion, limit):
    words = ["--fairness", notion, "--limit", limit, "-o", "policy.json"]
    run = fico("solve", "fico.json", *words, "--time-limit", 600, "--json")
    document = run.json
    assert run.code == (0 if document["outcome"] == "optimal" else 3)
    assert set(document) == KEYS
    assert document["schema"] == "fairstep/solution/1"
    referee = evaluate(fico)
    assert document["value"] == pytest.approx(referee["value"], rel=1e-12, abs=1e-12)
    assert document["parity_gap"] == pytest.approx(referee["gap"][notion], abs=1e-12)
    assert max(document["parity_gap"]) <= limit + TOLERANCE
    assert document["bounds"]["lower"] == document["value"] <= document["bounds"]["upper"]
    assert document["policy"] == fico.read("policy.json")
    if document["outcome"] == "optimal":
        assert document["gap"] <= 1e-3
    assert len(document["shadow_price"]) == 3


def test_the_papers_size_is_proven(fairstep):
    fairstep("env", "fico", "-o", "fico.json", "--quiet", code=0)
    document = solve(fairstep, "--fairness", "dp", "--limit", "0.01", "-o", "policy.json")
    assert document["outcome"] == "optimal"
    assert document["gap"] <= 1e-3
    assert max(evaluate(fairstep)["gap"]["dp"]) <= 0.01 + TOLERANCE


def test_the_line_for_people_says_what_is_known(fico):
    run = fico("solve", "fico.json", "--fairness", "dp", "--limit", "0.05", "-o", "policy.json", code=0)
    line = " ".join(run.out.split("\n\n")[0].split())
    assert re.fullmatch(
        r"solve: optimal\. value [\d.]+, proven within [\d.e-]+ % \(upper bound [\d.]+\), "
        r"worst dp gap 0\.0500 of 0\.0500 \(step \d\), [\d.]+ s",
        line,
    )
    assert "accepted" in run.out
    assert run.err == (
        "wrote policy.json: policy, 2 groups, 5 features, 3 steps\nnext: fairstep evaluate fico.json policy.json\n"
    )


def test_limits_per_step(fico):
    document = solve(fico, "--fairness", "dp", "--limit-per-step", "0.2,0,1", "-o", "policy.json")
    gaps = evaluate(fico)["gap"]["dp"]
    assert gaps[0] <= 0.2 + TOLERANCE
    assert gaps[1] <= TOLERANCE
    assert document["vacuous_steps"] == [2]
    assert document["warnings"] == ["the limit is 1 at step 2: no gap can ever exceed it"]
    for binding in document["binding"]:
        assert binding["step"] in (0, 1)
        assert binding["constraint"] == "dp"
        assert binding["pair"] == "white-black"


def test_a_wider_limit_is_worth_at_least_as_much(fico):
    narrow = solve(fico, "--fairness", "dp", "--limit", 0)
    wide = solve(fico, "--fairness", "dp", "--limit", 0.2)
    free = solve(fico, "--fairness", "none")
    assert narrow["bounds"]["lower"] <= wide["bounds"]["upper"]
    assert wide["bounds"]["lower"] <= free["bounds"]["upper"]
    assert narrow["value"] < free["value"]
    assert free["outcome"] == "optimal"
    assert free["binding"] == []
    assert solve(fico, "--method", "unconstrained")["value"] == pytest.approx(free["value"], rel=1e-6)


@pytest.mark.parametrize("words", [["--fairness", "dp,eqopt"], ["--fairness", "dp", "--fairness", "eqopt"]])
def test_several_notions_at_once(fico, words):
    document = solve(fico, *words, "--limit", "0.05", "--no-proof", "-o", "policy.json")
    gaps = evaluate(fico)["gap"]
    assert max(gaps["dp"]) <= 0.05 + TOLERANCE
    assert max(gaps["eqopt"]) <= 0.05 + TOLERANCE
    assert document["bounds"]["upper"] is None
    assert document["gap"] is None
    assert document["outcome"] == "feasible"


def test_the_fairness_file_of_the_documentation_is_dp_and_eqopt(fico):
    page = (ROOT / "docs/formats.md").read_text()
    example = next(text for text in re.findall(r"```json\n(.*?)```", page, re.DOTALL) if "fairness/1" in text)
    fico.write("rows.json", example)
    fico.write(
        "notions.json",
        {
            "schema": "fairstep/fairness/1",
            "parity": [{"notion": "dp", "limit": 0.05}, {"notion": "eqopt", "limit": 0.1}],
        },
    )
    rows = solve(fico, "--fairness", "rows.json", "--no-proof", "-o", "policy.json")
    notions = solve(fico, "--fairness", "notions.json", "--no-proof")
    assert rows["value"] == pytest.approx(notions["value"], rel=1e-5)
    gaps = evaluate(fico)["gap"]
    assert max(gaps["dp"]) <= 0.05 + TOLERANCE
    assert max(gaps["eqopt"]) <= 0.1 + TOLERANCE


@pytest.mark.parametrize(("index", "notion", "limit"), [(0, "dp", 0.05), (1, "eqopt", 0.1)])
def test_a_notion_written_as_rows_solves_to_the_same_value(fico, index, notion, limit):
    page = (ROOT / "docs/formats.md").read_text()
    example = next(text for text in re.findall(r"```json\n(.*?)```", page, re.DOTALL) if "fairness/1" in text)
    document = json.loads(example)
    document["moments"] = [document["moments"][index]]
    fico.write("rows.json", document)
    rows = solve(fico, "--fairness", "rows.json", "--no-proof")
    named = solve(fico, "--fairness", notion, "--limit", limit, "--no-proof")
    assert rows["value"] == pytest.approx(named["value"], rel=1e-5)


def test_a_wrong_name_in_a_fairness_file_is_pointed_at(fico):
    event = {"groups": ["blakc"]}
    mean = {"name": "m", "payoff": "accept", "event": event}
    moment = {"means": [mean], "rows": [{"coefficients": [1], "at_most": 0.5}]}
    fico.write("rows.json", {"schema": "fairstep/fairness/1", "moments": [moment]})
    lines = fico("solve", "fico.json", "--fairness", "rows.json", code=2).err.splitlines()
    assert lines == [
        'error: moments[0].means[0].event.groups[0] is "blakc", which the model does not have',
        "  in rows.json at /moments/0/means/0/event/groups/0",
        'hint: did you mean "black"?',
    ]


def test_a_policy_that_does_not_look_at_the_group(fico):
    document = solve(fico, "--fairness", "dp", "--limit", "0.2", "--group-independent", "--no-proof", "-o", "p.json")
    assert document["policy"]["group_independent"] is True
    assert max(evaluate(fico, "p.json")["gap"]["dp"]) <= 0.2 + TOLERANCE
    free = solve(fico, "--fairness", "dp", "--limit", "0.2")
    assert document["value"] <= free["bounds"]["upper"] + 1e-9


def test_a_deterministic_policy_tosses_no_coins(fairstep):
    fairstep("env", "fico", "--horizon", 1, "-o", "fico.json", "--quiet", code=0)
    document = solve(fairstep, "--fairness", "dp", "--limit", "0.2", "--deterministic", "-o", "policy.json")
    entries = {p for group in document["policy"]["accept"] for step in group for p in step}
    assert entries <= {0, 1}
    assert document["randomised_value"] >= document["value"] - 1e-6  # within what a local solver can reach
    assert max(evaluate(fairstep)["gap"]["dp"]) <= 0.2 + TOLERANCE


@pytest.mark.parametrize(("kind", "most"), [("two_sided", 0.98), ("accept_only", 1)])
def test_floors_are_kept(fico, kind, most):
    words = ["--floor", "0.02", "--floor-kind", kind, "--no-proof"]
    document = solve(fico, "--fairness", "dp", "--limit", "0.05", *words)
    entries = [p for group in document["policy"]["accept"] for step in group for p in step]
    assert min(entries) >= 0.02 - 1e-12
    assert max(entries) <= most + 1e-12


@pytest.mark.parametrize("form", ["rate", "cross"])
def test_the_penalty_is_subtracted(fico, form):
    words = ["--fairness", "eqopt", "--penalty", 1, "--penalty-form", form, "--no-proof", "-o", "policy.json"]
    document = solve(fico, *words)
    assert document["method"] == "penalty"
    assert document["penalty"] > 0
    assert document["bounds"]["lower"] == pytest.approx(document["value"] - document["penalty"], abs=1e-12)
    assert document["value"] == pytest.approx(evaluate(fico)["value"], abs=1e-12)
    if form == "rate":
        assert document["penalty"] == pytest.approx(sum(gap**2 for gap in document["parity_gap"]), rel=1e-6)


def test_looking_one_step_ahead_is_worth_no_more(fico):
    myopic = solve(fico, "--fairness", "dp", "--limit", "0.01", "--method", "myopic", "-o", "policy.json")
    best = solve(fico, "--fairness", "dp", "--limit", "0.01")
    assert myopic["value"] <= best["bounds"]["upper"] + 1e-9
    assert max(evaluate(fico)["gap"]["dp"]) <= 0.01 + TOLERANCE


def test_capacity_and_the_whole_episode(fico):
    words = ["--fairness", "dp", "--limit", "0.05", "--capacity", "0.3", "--aggregate-eqopt", "0.05", "--no-proof"]
    solve(fico, *words, "-o", "policy.json")
    referee = evaluate(fico)
    for h in range(3):
        accepted = sum(s * rates[h] for s, rates in zip(referee["share"], referee["rates"]["accept"], strict=True))
        assert accepted <= 0.3 + TOLERANCE
    assert referee["aggregate_eqopt_gap"] <= 0.05 + TOLERANCE


def test_parity_over_the_whole_episode(fico):
    words = ["--fairness", "none", "--aggregate-dp", "0.03"]
    whole = solve(fico, *words, "-o", "policy.json")
    referee = evaluate(fico)
    assert referee["aggregate_dp_gap"] <= 0.03 + TOLERANCE
    means = [sum(steps) / 3 for steps in referee["rates"]["accept"]]
    assert referee["aggregate_dp"] == pytest.approx(means)
    assert referee["aggregate_dp_gap"] == pytest.approx(abs(means[0] - means[1]))
    # Whoever keeps a limit at every step keeps it in the mean: the latter costs no more. And it is kept in a file.
    assert solve(fico, "--fairness", "dp", "--limit", "0.03")["value"] <= whole["bounds"]["upper"] + 1e-9
    fico.write("limits.json", {"schema": "fairstep/fairness/1", "aggregate_dp": 0.03})
    assert solve(fico, "--fairness", "limits.json")["value"] == whole["value"]
    capped = solve(fico, *words, "--floor", "0.02", "--capacity", "0.01", code=1)
    assert capped["outcome"] == "infeasible"


def test_infeasible_is_an_answer(fico):
    words = ["--fairness", "dp", "--limit", "0.5", "--floor", "0.02", "--capacity", "0.01", "-o", "policy.json"]
    document = solve(fico, *words, code=1)
    assert document["outcome"] == "infeasible"
    assert document["value"] is None
    assert document["bounds"] == {"lower": None, "upper": None}
    assert document["policy"] is None
    why = document["infeasible"]
    assert set(why) == {
        "step", "constraint", "pair", "least_excess", "attained_excess", "smallest_limit", "policy",
    }  # fmt: skip
    assert why["constraint"] == "capacity"
    assert why["pair"] is None
    # At least 2 % of everybody are accepted, 1 % may be.
    assert why["least_excess"] == pytest.approx(0.01, abs=1e-5)
    assert why["smallest_limit"] == pytest.approx(0.02, abs=1e-5)
    assert why["policy"]["schema"] == "fairstep/policy/1"
    assert fico.files() == ["fico.json"]

    run = fico("solve", "fico.json", *words, code=1)
    assert run.out.startswith("solve: infeasible. No policy of the class asked for keeps every")
    assert run.err.splitlines() == [
        "policy.json is not written: no policy was found that keeps every limit; "
        "--json has the nearest one, in infeasible.policy",
        "hint: --capacity 0.02",
    ]
    # With the limit that is named, and by the policy that is named, it can be done.
    solve(fico, *words[:-4], "--capacity", why["smallest_limit"] + 1e-6)
    fico.write("nearest.json", why["policy"])
    referee = evaluate(fico, "nearest.json")
    for h in range(3):
        accepted = sum(s * rates[h] for s, rates in zip(referee["share"], referee["rates"]["accept"], strict=True))
        assert accepted <= why["smallest_limit"] + 1e-9


def test_infeasible_names_the_pair(fico):
    # Shares of those accepted that cannot be: nobody of one group, everybody of another, within 0.1 of each other.
    rows = [
        {"name": "few whites", "coefficients": [1, 0], "at_most": 0.2},
        {"name": "many blacks", "coefficients": [0, -1], "at_most": -0.8},
    ]
    means = [
        {"name": "white", "payoff": "accept", "event": {"groups": ["white"]}},
        {"name": "black", "payoff": "accept", "event": {"groups": ["black"]}},
    ]
    document = {
        "schema": "fairstep/fairness/1",
        "parity": [{"notion": "dp", "limit": 0.1}],
        "moments": [{"means": means, "rows": rows}],
    }
    fico.write("rows.json", document)
    why = solve(fico, "--fairness", "rows.json", code=1)["infeasible"]
    # 0.2 + e and 0.8 - e are 0.6 - 2e apart and may be 0.1 + e: e = 1/6.
    assert why["least_excess"] == pytest.approx(1 / 6, abs=1e-5)
    assert why["attained_excess"] == pytest.approx(1 / 6, abs=1e-5)
    assert why["step"] in (0, 1, 2)
    assert why["constraint"] in ("dp", "few whites", "many blacks")
    assert why["pair"] == ("white-black" if why["constraint"] == "dp" else None)


def test_what_is_not_proven_in_time_is_said_to_be_so(fairstep):
    fairstep("env", "synthetic", "--qualified", "0.4,0.6", "-o", "m.json", "--quiet", code=0)
    words = ["--fairness", "eqopt", "--limit", "0.01", "--gap", "1e-9", "--time-limit", "0.3"]
    document = solve(fairstep, *words, "-o", "policy.json", code=3, model="m.json")
    assert document["outcome"] in ("feasible", "unknown")
    assert document["stopped_by"] == "time"
    if document["outcome"] == "feasible":
        assert fairstep.files() == ["m.json", "policy.json"]


# With 50 features a limit of 5 s took 85: the proof of a price never looked at the clock.
@pytest.mark.parametrize(
    "words",
    [
        ["--fairness", "dp", "--limit", "0.05"],
        ["--fairness", "eqopt", "--limit", "0.05", "--group-independent"],
        ["--fairness", "dp", "--penalty", "1"],
        ["--fairness", "dp", "--limit", "0.05", "--deterministic"],
        ["--fairness", "dp", "--limit", "0.05", "--method", "myopic"],
    ],
)
def test_many_features_leave_a_policy_and_a_bound_when_time_is_up(fairstep, words):
    fairstep("env", "random", "--features", 60, "-o", "m.json", "--quiet", code=0)
    run = fairstep("solve", "m.json", *words, "--time-limit", "0.2", "--json", "-o", "policy.json")
    document = json.loads(run.out)
    assert run.code == (0 if "myopic" in words else 3)
    assert (document["outcome"], document["stopped_by"]) == ("feasible", "time")
    assert document["bounds"]["lower"] <= document["bounds"]["upper"]
    assert document["policy"] == fairstep.read("policy.json")


@pytest.mark.parametrize("json_wanted", [True, False])
def test_an_interrupted_search_gives_the_best_so_far(fairstep, json_wanted):
    fairstep("env", "synthetic", "--qualified", "0.4,0.6", "--horizon", 10, "-o", "m.json", "--quiet", code=0)
    words = [BINARY, "solve", "m.json", "--fairness", "eqopt", "--gap", "1e-12", "-o", "policy.json"]
    words += ["--time-limit", "600", "--progress", "bar"]
    running = subprocess.Popen(
        words + (["--json"] if json_wanted else []),
        cwd=fairstep.folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    # It slept for 1.5 s instead, and a busy machine had no policy by then. A bound so tight takes minutes.
    said = ""
    while "value " not in said:
        more = os.read(running.stderr.fileno(), 4096).decode()
        assert more, said
        said += more
    running.send_signal(signal.SIGINT)
    out, _ = running.communicate(timeout=PATIENCE)
    assert running.returncode == 130
    if json_wanted:
        document = json.loads(out)
        assert document["stopped_by"] == "requested"
        assert document["policy"] == fairstep.read("policy.json")
    else:
        assert out.startswith("solve: interrupted, the best so far. value ")


def test_an_infinite_horizon_is_cut_and_the_rest_is_allowed_for(fairstep):
    fairstep("env", "fico", "--discount", "0.3", "-o", "fico.json", "--quiet", code=0)
    document = solve(fairstep, "--fairness", "dp", "--limit", "0.1", "--infinite", "--tail", "1e-3", "--no-proof")
    assert 0 < document["tail"] <= 1e-3
    assert document["bounds"]["lower"] == pytest.approx(document["value"] - document["tail"], abs=1e-12)
    assert len(document["parity_gap"]) == len(document["policy"]["accept"][0])


def test_an_infinite_horizon_is_proven_with_the_rest_allowed_for(fairstep):
    fairstep("env", "fico", "--discount", "0.3", "-o", "fico.json", "--quiet", code=0)
    words = ["--fairness", "dp", "--limit", "0.1", "--infinite", "--tail"]
    rough = solve(fairstep, *words, "0.01", code=3)  # the tail alone is wider than the gap
    fine = solve(fairstep, *words, "1e-5")
    assert (rough["outcome"], fine["outcome"]) == ("feasible", "optimal")
    assert fine["gap"] <= 1e-3 < rough["gap"]
    assert len(rough["parity_gap"]) < len(fine["parity_gap"])
    for document in (rough, fine):
        assert document["bounds"]["lower"] <= document["value"] <= document["bounds"]["upper"]
        assert document["bounds"]["upper"] - document["bounds"]["lower"] >= 2 * document["tail"]
    # Both bound the same number.
    assert rough["bounds"]["lower"] <= fine["bounds"]["upper"]
    assert fine["bounds"]["lower"] <= rough["bounds"]["upper"]


def test_a_policy_that_accepts_nobody_is_flagged(fairstep):
    model = hand()
    model["reward"] = [[[[0, -1], [0, -1]]] * 2] * 2  # whoever is accepted costs 1
    fairstep.write("m.json", model)
    document = solve(fairstep, "--fairness", "dp", "--no-proof", model="m.json")
    assert document["degenerate"] == "accepts nobody"
    assert document["warnings"][0].startswith("the policy accepts nobody")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "fairstep solve needs --fairness"),
        (
            ["--fairness", "dpp"],
            '--fairness is "dpp", expected dp, eqopt, eqodds, dp-ratio, eqopt-ratio, none or a file',
        ),
        (["--fairness", "dp,none"], "--fairness none stands alone"),
        (["--fairness", "dp,dp"], "--fairness names dp twice"),
        (["--fairness", "nowhere.json"], "there is no such file"),
        (["--fairness", "dp", "--limit", "2"], "--limit is 2, expected between 0 and 1"),
        (["--fairness", "dp", "--limit", "0", "--limit-per-step", "0,0"], "--limit and --limit-per-step are both"),
        (["--fairness", "dp", "--limit-per-step", "0,0"], "--limit-per-step has 2 entries, expected 1 or 3"),
        (["--fairness", "none", "--limit", "0"], "--limit is given, but no notion"),
        (["--fairness", "dp", "--floor", "0.6"], "--floor is 0.6, expected at most 0.5"),
        (["--fairness", "dp", "--floor", "-1"], "--floor is -1, expected a probability"),
        (["--fairness", "dp", "--capacity", "2"], "--capacity is 2, expected between 0 and 1"),
        (["--fairness", "dp", "--penalty", "-1"], "--penalty is -1, expected"),
        (["--fairness", "dp", "--method", "penalty"], "--method penalty needs --penalty"),
        (["--fairness", "dp", "--method", "myopic", "--penalty", "1"], "--penalty is given, but the method is myopic"),
        (["--fairness", "dp", "--penalty-form", "rate"], "--penalty-form is given without --penalty"),
        (["--fairness", "dp", "--time-limit", "0"], "--time-limit is 0, expected more than 0"),
        (["--fairness", "dp", "--gap", "-1"], "--gap is -1, expected 0 or more"),
        (["--fairness", "dp", "--tail", "1"], "--tail is given without --infinite"),
        (["--fairness", "dp", "--infinite"], "discount is 1, expected less than 1"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_wrong_question_is_refused(fico, words, message):
    run = fico("solve", "fico.json", *words, code=2)
    assert run.err.startswith(f"error: {message}")
    assert run.out == ""
