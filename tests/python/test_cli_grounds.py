"""Proven, but on what? A model that was estimated says what it rests on, and so does whatever is made from it."""

import csv
import json
import random
import re

import pytest
from conftest import ROOT
from jsonschema import Draft202012Validator


@pytest.fixture
def fairstep(lossy):
    return lossy


MODEL_SCHEMA = json.loads((ROOT / "schemas/model.schema.json").read_text("utf-8"))


@pytest.fixture
def small(fairstep):
    """A folder with counts.json, the example of docs/formats.md: 3 people of a, 2 of b, one feature, two steps."""
    page = (ROOT / "docs/formats.md").read_text("utf-8")
    examples = re.findall(r"```json\n(.*?)```", page, re.DOTALL)
    fairstep.write("counts.json", next(text for text in examples if "fairstep/counts/1" in text))
    return fairstep


@pytest.fixture
def usual(loans):
    """model.json is fitted from 2,000 people who met a threshold: half of its rows were never seen. Rows stay."""
    loans("simulate", "fico.json", "from50.json", "--people", "2000", "-o", "counts.json", code=0)
    loans("fit", "counts.json", "--unvisited", "stay", "-o", "model.json", code=0)
    loans("policy", "model.json", "--uniform", "0.5", "-o", "half.json", code=0)
    return loans


def shares_unseen(model, accept):
    """Visits in cells that nobody saw, step by step: of rows (before the last step) and of rewards."""
    rests_on, horizon = model["rests_on"], model["horizon"]
    rows = rewards = 0.0
    for g, share in enumerate(model["share"]):
        mass = {(x, y): p for x, by in enumerate(model["initial"][g]) for y, p in enumerate(by)}
        for h in range(horizon):
            after = {}
            for (x, y), here in mass.items():
                p = accept[g][h][x]
                for a, part in ((0, here * (1 - p)), (1, here * p)):
                    if rests_on["rewards"][g][x][y][a] == 0:
                        rewards += share * part
                    if h + 1 < horizon and rests_on["successors"][g][x][y][a] == 0:
                        rows += share * part
                    for x1, by in enumerate(model["transition"][g][x][y][a]):
                        for y1, q in enumerate(by):
                            after[x1, y1] = after.get((x1, y1), 0) + part * q
            mass = after
    return rows / (horizon - 1), rewards / horizon


def test_a_fitted_model_says_row_by_row_what_it_rests_on(small):
    document = small("fit", "counts.json", "-o", "model.json", "--json", code=0).json
    model, counts = small.read("model.json"), small.read("counts.json")
    Draft202012Validator(MODEL_SCHEMA).validate(model)
    assert model["rests_on"] == {
        "people": [3, 2],
        "shares": "counted",
        "first": [3, 2],
        "successors": [[[[1, 0], [0, 2]]], [[[0, 1], [0, 0]]]],
        "rewards": [[[[1, 1], [1, 3]]], [[[1, 2], [0, 0]]]],
        "unvisited": "stay",
    }
    assert sum(sum(map(sum, group[0])) for group in model["rests_on"]["rewards"]) == 9
    assert counts["horizon"] == 2
    assert document["rests_on"]["guessed_rows"] == document["unvisited"] == 5
    facts = small("validate", "model.json", "--json", code=0).json["files"][0]
    assert facts["rests_on"]["guessed_rows"] == 5 and facts["rests_on"]["log"] is None
    assert "5 of 8 rows are guesses (stay)" in small("validate", "model.json", code=0).out
    small("fit", "counts.json", "--share", "a=0.5", "--share", "b=0.5", "-o", "given.json", code=0)
    assert small.read("given.json")["rests_on"]["shares"] == "given"


def test_a_model_that_is_no_estimate_rests_on_nothing(loans):
    assert "rests_on" not in loans.read("fico.json")
    document = loans("evaluate", "fico.json", "from50.json", "--json", code=0).json
    assert document["rests_on"] is None and document["warnings"] == []
    assert "nobody saw" not in loans("evaluate", "fico.json", "from50.json", code=0).out


def test_every_verb_says_how_much_of_the_policy_nobody_saw(usual):
    model, half = usual.read("model.json"), usual.read("half.json")
    rows, rewards = shares_unseen(model, half["accept"])
    assert 0.3 < rows < 0.7
    document = usual("evaluate", "model.json", "half.json", "--json", code=0).json
    assert document["rests_on"]["unseen_visits"] == pytest.approx(rows, abs=1e-12)
    assert document["rests_on"]["unseen_rewards"] == pytest.approx(rewards, abs=1e-12)
    sentence = re.compile(r"([\d.]+) % of this policy's visits rest on rows that nobody saw \(guessed: stay\)")
    for verb in (
        ["evaluate", "model.json", "half.json"],
        ["simulate", "model.json", "half.json", "--people", "10"],
    ):
        said = float(sentence.search(" ".join(usual(*verb, code=0).out.split())).group(1))
        assert 0 <= said - 100 * rows <= 0.1  # rounded up
    assert (
        usual("simulate", "model.json", "half.json", "--people", "10", "--json", code=0).json["rests_on"]
        == (document["rests_on"])
    )


def test_proven_stands_next_to_what_it_rests_on(usual):
    words = ["--fairness", "dp", "--limit", "0.1", "--no-proof"]
    document = usual("solve", "model.json", *words, "-o", "fair.json", "--json", code=0).json
    rows, rewards = shares_unseen(usual.read("model.json"), usual.read("fair.json")["accept"])
    assert document["rests_on"]["unseen_visits"] == pytest.approx(rows, abs=1e-9)
    assert document["rests_on"]["unseen_rewards"] == pytest.approx(rewards, abs=1e-9)
    assert document["rests_on"]["people"] == usual.read("model.json")["rests_on"]["people"]
    run = usual("solve", "model.json", *words, code=0)
    assert "visits rest on rows that nobody saw" in " ".join(run.out.split("\n\n")[0].split())
    frontier = usual(
        "pareto", "model.json", "--fairness", "dp", "--limits", "0.1", "--no-proof", "-o", "t.csv", "--json", code=0
    )
    point = frontier.json["points"][0]
    assert point["rests_on"]["unseen_visits"] == pytest.approx(rows, abs=0.05)
    with (usual.folder / "t.csv").open() as file:
        assert float(next(csv.DictReader(file))["unseen_visits"]) == point["rests_on"]["unseen_visits"]
    assert "unseen" in usual("pareto", "model.json", "--fairness", "dp", "--limits", "0.1", "--no-proof", code=0).out


def test_what_is_made_from_an_estimate_but_cannot_carry_it_says_so(usual):
    run = usual("export", "model.json", "--fairness", "dp", "-o", "problem.lp", "--json", code=0)
    assert any("says in comments only: 2,000 people" in warning for warning in run.json["warnings"])
    assert "\\ The model is an estimate." in (usual.folder / "problem.lp").read_text().splitlines()
    words = ["--fairness", "dp", "--schedule", "8", "--evaluation-episodes", "0", "--no-proof", "--json"]
    run = usual("learn", "model.json", *words, code=0)
    assert run.json["rests_on"]["guessed_rows"] > 0
    assert any("drawn from an estimate" in warning for warning in run.json["warnings"])


def test_rewards_of_an_estimate_are_not_known_to_a_certificate(usual):
    # count, fit, certify --model: the value was "at least" what means of a few rewards made of it.
    run = usual("certify", "counts.json", "from50.json", "--model", "model.json", code=2)
    assert run.err.splitlines()[:2] == [
        "error: the model is an estimate, expected one whose rewards and shares are known",
        "  in model.json at /rests_on",
    ]
    usual("certify", "counts.json", "from50.json", "--model", "fico.json", code=0)


def log_of(people, unlabelled=lambda a: False, reward=1):
    """person,group,step,x,y,a,reward over three steps; who is refused may have no label."""
    chance = random.Random(7)
    lines = ["person,group,step,x,y,a,reward"]
    for person, group in people:
        for step in range(3):
            x, y, a = chance.choice("lmh"), chance.randint(0, 1), chance.randint(0, 1)
            lines.append(f"{person},{group},{step},{x},{'' if unlabelled(a) else y},{a},{reward * (y if a else 0)}")
    return "\n".join(lines) + "\n"


def test_what_was_assumed_and_lost_is_repeated_by_whatever_is_made_of_it(fairstep):
    people = [(i, "a" if i % 4 else "b") for i in range(200)]
    text = log_of(people, unlabelled=lambda a: a == 0) + "900,a,0,?,1,1,1\n901,a,0,l,1,maybe,1\n"
    fairstep.write("log.csv", text)
    fairstep("count", "log.csv", "--features", "l,m,h", "--censored", "drop", "-o", "counts.json", code=0)
    counts = fairstep.read("counts.json")
    unlabelled = sum(n for g in counts["log"]["unlabelled"] for h in g for x in h for n in x)
    assert unlabelled > 200
    warnings = fairstep("fit", "counts.json", "-o", "model.json", "--json", code=0).json["warnings"]
    dropped = next(w for w in warnings if "had no label and are left out" in w)
    assert dropped.startswith(f"{unlabelled} decisions of the log")
    lost = next(w for w in warnings if "could not be used" in w)
    assert lost == "2 of the log's 602 rows could not be used (0.4 %)"
    assert fairstep.read("model.json")["rests_on"]["log"] == {
        "rows": 602,
        "lost": 2,
        "censored": "drop",
        "imputed": 0,
        "unlabelled": unlabelled,
        "excluded": 0,
        "unrecorded_people": 0,
    }
    fairstep("policy", "model.json", "--uniform", "0.5", "-o", "half.json", code=0)
    for words in (
        ["evaluate", "model.json", "half.json"],
        ["solve", "model.json", "--fairness", "dp", "--no-proof"],
        ["pareto", "model.json", "--fairness", "dp", "--limits", "0.1", "--no-proof"],
        ["simulate", "model.json", "half.json", "--people", "5"],
        ["export", "model.json", "--fairness", "dp", "-o", "problem.lp"],
    ):
        said = fairstep(*words, "--json", code=0).json["warnings"]
        assert dropped in said and lost in said, words
    fairstep("count", "log.csv", "--features", "l,m,h", "--censored", "assume-ignorable", "-o", "drawn.json", code=0)
    fairstep("fit", "drawn.json", "-o", "drawn-model.json", code=0)
    run = fairstep("evaluate", "drawn-model.json", "half.json", code=0)
    assert f"{unlabelled} labels were drawn" in " ".join(run.err.split())


def test_a_log_in_which_nobody_is_seen_twice_is_not_followed_by_solve(fairstep):
    fairstep.write("log.csv", log_of([(i, "ab"[i % 2]) for i in range(60)]))
    # Every row has a person of its own, as in an export whose key is the application.
    rows = [line.split(",") for line in (fairstep.folder / "log.csv").read_text().splitlines()]
    fairstep.write(
        "log.csv", "\n".join(",".join([str(i), *row[1:]] if i else row) for i, row in enumerate(rows)) + "\n"
    )
    fairstep("count", "log.csv", "-o", "counts.json", code=0)
    refused = fairstep("fit", "counts.json", "-o", "model.json", code=2)
    said = " ".join(refused.err.split())
    assert said.startswith("error: nobody was seen at two steps in a row: 24 of 24 rows are guesses")
    assert "hint: a transition takes the same person at two steps in a row" in said
    assert said.endswith("--unvisited stay makes a model of guesses all the same")
    assert "model.json" not in fairstep.files()
    # Whoever names the rule of guesses has them.
    run = fairstep("fit", "counts.json", "--unvisited", "stay", "-o", "model.json", code=0)
    assert "next:" not in run.err
    said = " ".join(run.err.split())
    assert "nobody was seen at two steps in a row: 24 of 24 rows are guesses" in said
    assert "before solving: a transition takes the same person at two steps in a row" in said
    words = ["fit", "counts.json", "--unvisited", "stay", "-o", "model.json", "--json"]
    document = fairstep(*words, code=0).json
    assert any(warning.startswith("nobody was seen at two steps in a row") for warning in document["warnings"])
    # Whoever solves it all the same is told again.
    warnings = fairstep("solve", "model.json", "--fairness", "dp", "--no-proof", "--json", code=0).json["warnings"]
    assert any(warning.startswith("nobody was seen at two steps in a row") for warning in warnings)


def test_a_group_of_which_nobody_is_seen_twice_is_named(fairstep):
    text = log_of([(i, "a") for i in range(60)])
    text += "".join(f"{1000 + i},b,{i % 3},m,1,{i % 2},1\n" for i in range(30))
    fairstep.write("log.csv", text)
    fairstep("count", "log.csv", "-o", "counts.json", code=0)
    run = fairstep("fit", "counts.json", "-o", "model.json", code=0)
    assert "nobody of b was seen at two steps in a row: all of its rows are guesses" in " ".join(run.err.split())
    assert "next:" not in run.err


def test_rewards_that_are_all_zero_are_not_followed_by_solve(fairstep):
    fairstep.write("log.csv", log_of([(i, "ab"[i % 2]) for i in range(60)], reward=0))
    fairstep("count", "log.csv", "-o", "counts.json", code=0)
    run = fairstep("fit", "counts.json", "-o", "model.json", code=0)
    assert "all rewards are 0: no policy is worth more than another" in " ".join(run.err.split())
    assert "next:" not in run.err


def test_a_label_that_nobody_has_is_said(fairstep):
    header, *rows = log_of([(i, "ab"[i % 2]) for i in range(60)]).splitlines()
    y = header.split(",").index("y")
    lines = [line.split(",") for line in rows]
    fairstep.write("log.csv", "\n".join([header, *(",".join([*r[:y], "0", *r[y + 1 :]]) for r in lines)]) + "\n")
    fairstep("count", "log.csv", "-o", "counts.json", code=0)
    run = fairstep("fit", "counts.json", "-o", "model.json", code=0)
    said = " ".join(run.err.split())
    assert "nobody was ever seen qualified (label 1 never occurs): no rate of theirs can be compared" in said
    assert "before solving: labels are 0 and 1: see which column is the label, and how it is coded" in said
    assert "next:" not in run.err


def test_a_log_without_any_label_is_refused_unless_labels_follow_features(fairstep):
    header, *rows = log_of([(i, "ab"[i % 2]) for i in range(60)]).splitlines()
    y = header.split(",").index("y")
    lines = [line.split(",") for line in rows]
    fairstep.write("log.csv", "\n".join([header, *(",".join([*r[:y], "", *r[y + 1 :]]) for r in lines)]) + "\n")
    fairstep("count", "log.csv", "--censored", "drop", "-o", "counts.json", code=0)
    for shares in ([], ["--share", "a=0.5", "--share", "b=0.5"]):
        refused = fairstep("fit", "counts.json", *shares, "-o", "model.json", code=2)
        said = " ".join(refused.err.split())
        assert said.startswith("error: none of the log's 180 decisions has a label: nothing of the model was seen"), (
            said
        )
        assert "labels that are assumed to follow features make use of decisions without one" in said
    run = fairstep("fit", "counts.json", "--labels", "follow-features", "-o", "model.json", code=0)
    said = " ".join(run.err.split())
    assert "no label was seen: who is qualified is a guess everywhere" in said
    assert "demographic parity needs no label" in said


def test_one_step_needs_nobody_twice(fairstep):
    lines = [line for line in log_of([(i, "ab"[i % 2]) for i in range(60)]).splitlines()]
    fairstep.write("log.csv", "\n".join([lines[0], *lines[1::3]]) + "\n")
    fairstep("count", "log.csv", "-o", "counts.json", code=0)
    run = fairstep("fit", "counts.json", "-o", "model.json", code=0)
    assert "next: fairstep solve" in run.err and "guesses" not in run.err
    fairstep("policy", "model.json", "--uniform", "0.5", "-o", "half.json", code=0)
    document = fairstep("evaluate", "model.json", "half.json", "--json", code=0).json
    assert document["rests_on"]["unseen_visits"] == 0


def test_people_whose_group_is_in_doubt_are_said_to_be_in_each(fairstep):
    # 20 people whose rows name two groups were 20 of each, and nothing said so.
    text = log_of([(i, "a" if i % 4 else "b") for i in range(100)])
    text += "".join(f"{1000 + i},{group},{step},m,1,1,1\n" for i in range(20) for step, group in enumerate("ab"))
    fairstep.write("log.csv", text)
    fairstep("count", "log.csv", "-o", "counts.json", code=0)
    audited = fairstep("audit", "counts.json", code=0).out
    assert "| a | 95 |" in audited and "| b | 45 |" in audited and "People at most:" in audited
    warnings = fairstep("fit", "counts.json", "--json", code=0).json["warnings"]
    assert any("they are in each group that they may be of" in warning for warning in warnings)


def test_people_of_a_censored_log_are_counted(fairstep):
    # Whoever was refused at first had no first state: 4,664 decisions of 218 people over 8 steps, said the audit.
    people = [(i, "a" if i % 4 else "b") for i in range(600)]
    fairstep.write("log.csv", log_of(people, unlabelled=lambda a: a == 0))
    fairstep("count", "log.csv", "--censored", "drop", "-o", "counts.json", code=0)
    counts = fairstep.read("counts.json")
    assert sum(n for g in counts["first"] for x in g for n in x) < 400
    audited = fairstep("audit", "counts.json", "--json", code=0).json
    assert audited["people"] == [450, 150] and audited["decisions"] == [1350, 450]
    assert "| a | 450 | 1,350 |" in fairstep("audit", "counts.json", code=0).out
    fitted = fairstep("fit", "counts.json", "-o", "model.json", "--json", code=0).json
    assert fitted["people"] == [450, 150] and fitted["share"] == [0.75, 0.25]
    assert fairstep.read("model.json")["rests_on"]["people"] == [450, 150]
    assert fairstep.read("model.json")["rests_on"]["first"] == fitted["first_states"]
    assert fairstep("validate", "counts.json", "--json", code=0).json["files"][0]["people"] == [450, 150]
