"""Labels that were seen for the accepted only: counted by features, and what fit, solve and audit make of them."""

import math
import random
import subprocess
import sys

import pytest
from conftest import ROOT
from log_reference import write_csv
from test_cli_audit import interval


@pytest.fixture
def fairstep(lossy):
    return lossy


GROUPS, FEATURES, HORIZON = ["a", "b"], ["0", "1", "2"], 3
NAMES = ["--groups", "a,b", "--features", "0,1,2"]
START = {"a": [0.5, 0.3, 0.2], "b": [0.3, 0.3, 0.4]}
QUALIFIED = {"a": [0.2, 0.5, 0.9], "b": [0.3, 0.6, 0.8]}


def drawn(draw, shares):
    return draw.choices(range(len(shares)), shares)[0]


def world(seed, people, knows=0.0, hide=True):
    """Labels follow features. Decisions look at the feature and, with the weight `knows`, at the label; the refused
    have none. Scores move by the decision, whatever the label."""
    draw = random.Random(seed)
    rows, whole = [], []
    for person in range(people):
        group = "ab"[person % 2]
        x = drawn(draw, START[group])
        for step in range(HORIZON):
            y = int(draw.random() < QUALIFIED[group][x])
            chance = (0.15, 0.5, 0.85)[x]
            a = int(draw.random() < (1 - knows) * chance + knows * y)
            row = {"person": person, "group": group, "step": step, "x": x, "y": y, "a": a, "reward": a * (2 * y - 1)}
            whole.append(row)
            rows.append(row | ({"y": ""} if hide and not a else {}))
            x = min(2, max(0, x + draw.choice((0, 1)) if a else x + draw.choice((-1, 0, 0))))
    return [{key: str(value) for key, value in row.items()} for row in rows], whole


def count(fairstep, rows, name="counts.json", *more):
    write_csv(fairstep.folder / "log.csv", rows)
    fairstep("count", "log.csv", *NAMES, "--censored", "drop", *more, "-o", name, code=0)
    return fairstep.read(name)


def features_of(whole):
    """First features, moves and labels by the log as it was before labels were hidden."""
    first = [[0] * 3 for _ in range(2)]
    moves = [[[[0] * 3 for _ in range(2)] for _ in range(3)] for _ in range(2)]
    before = {}
    for row in whole:
        g = "ab".index(row["group"])
        if row["step"] == 0:
            first[g][row["x"]] += 1
        else:
            moves[g][before[row["person"]]["x"]][before[row["person"]]["a"]][row["x"]] += 1
        before[row["person"]] = row
    return first, moves


def shares_of_labels(rows):
    seen = [[[0, 0] for _ in range(3)] for _ in range(2)]
    for row in rows:
        if row["y"]:
            seen["ab".index(row["group"])][int(row["x"])][int(row["y"])] += 1
    return [[one / (zero + one) for zero, one in group] for group in seen]


def test_rows_with_and_without_a_label_are_those_of_the_whole_log(fairstep):
    rows, whole = world(1, 300)
    counts = count(fairstep, rows)
    first, moves = features_of(whole)
    log = counts["log"]
    for g in range(2):
        for x in range(3):
            assert sum(counts["first"][g][x]) + log["unlabelled_rows"]["first"][g][x] == first[g][x]
            for a in range(2):
                labelled = [
                    sum(counts["transitions"][g][x][y][a][x1][y1] for y in range(2) for y1 in range(2))
                    for x1 in range(3)
                ]
                unlabelled = log["unlabelled_rows"]["transitions"][g][x][a]
                assert [one + other for one, other in zip(labelled, unlabelled, strict=True)] == moves[g][x][a]
    lost = log["unlabelled_rows"]["lost"]
    assert not any(flat(lost)) and any(flat(log["lost"]))


def flat(nested):
    if isinstance(nested, dict):
        nested = list(nested.values())
    return [entry for part in nested for entry in flat(part)] if isinstance(nested, list) else [nested]


def test_threads_and_order_of_rows_change_nothing_and_parts_add_up(fairstep):
    rows, _ = world(2, 400)
    counts = count(fairstep, rows)
    shuffled = random.Random(3).sample(rows, len(rows))
    assert (
        count(fairstep, shuffled, "s.json", "--threads", 2)["log"]["unlabelled_rows"]
        == (counts["log"]["unlabelled_rows"])
    )
    half = len(rows) // 2 // HORIZON * HORIZON
    for name, part in (("p.json", rows[:half]), ("q.json", rows[half:])):
        count(fairstep, part, name)
    fairstep("merge", "p.json", "q.json", "--different-people", "-o", "both.json", code=0)
    assert fairstep.read("both.json")["log"]["unlabelled_rows"] == counts["log"]["unlabelled_rows"]
    write_csv(fairstep.folder / "log.csv", rows)
    fairstep("count", "log.csv", *NAMES, "--censored", "drop", "--split", 0.4, "--seed", 1, "-o", "d.json", "--audit",
             "a.json", code=0)  # fmt: skip
    parts = [fairstep.read(name)["log"]["unlabelled_rows"]["transitions"] for name in ("d.json", "a.json")]
    whole = counts["log"]["unlabelled_rows"]["transitions"]
    assert [one + other for one, other in zip(*map(flat, parts), strict=True)] == flat(whole)


def test_a_log_without_a_column_of_labels_can_be_counted(fairstep):
    rows, _ = world(4, 200)
    columns = ["person", "group", "step", "x", "a", "reward"]
    write_csv(fairstep.folder / "log.csv", rows, columns)
    refused = fairstep("count", "log.csv", *NAMES, code=2)
    assert 'there is no column "y" for y' in refused.err and "--censored drop" in refused.err
    fairstep("count", "log.csv", *NAMES, "--censored", "drop", "-o", "c.json", code=0)
    counts = fairstep.read("c.json")
    assert not any(flat(counts["visits"])) and "y" not in counts["log"]["columns"]
    assert sum(flat(counts["log"]["unlabelled"])) == len(rows)
    audited = fairstep("audit", "c.json", "--fairness", "dp", "--json", code=0).json
    labelled = world(4, 200, hide=False)[0]
    write_csv(fairstep.folder / "full.csv", labelled)
    full = fairstep("audit", "full.csv", *NAMES, "--fairness", "dp", "--json", code=0).json
    assert audited["rates"]["accept"] == full["rates"]["accept"]
    assert audited["gap"] == full["gap"]


def test_a_model_by_features_is_the_product_of_moves_and_labels(fairstep):
    rows, whole = world(5, 600)
    count(fairstep, rows)
    done = fairstep("fit", "counts.json", "--labels", "follow-features", "-o", "m.json", "--json", code=0)
    model = fairstep.read("m.json")
    first, moves = features_of(whole)
    q = shares_of_labels(rows)
    for g in range(2):
        for x in range(3):
            for y, share in enumerate((1 - q[g][x], q[g][x])):
                assert model["initial"][g][x][y] == pytest.approx(first[g][x] / sum(first[g]) * share, abs=1e-12)
            for a in range(2):
                for y in range(2):
                    row = model["transition"][g][x][y][a]
                    for x1 in range(3):
                        expected = moves[g][x][a][x1] / sum(moves[g][x][a])
                        assert row[x1][1] == pytest.approx(expected * q[g][x1], abs=1e-12)
                        assert row[x1][0] == pytest.approx(expected * (1 - q[g][x1]), abs=1e-12)
    rests = model["rests_on"]["labels"]
    assert (rests["are"], rests["refused"], rests["point"]) == ("follow-features", "like-accepted", "like-accepted")
    assert sum(flat(rests["unseen"])) == sum(row["y"] == "" for row in rows)
    assert any("labels follow features" in warning for warning in done.json["warnings"])
    assert done.json["labels_follow_features"] in ("not refuted", "cannot be tested")
    shown = fairstep("validate", "m.json", code=0)
    assert "labels follow features" in shown.out + shown.err


def test_a_model_where_anything_may_be_has_to_be_at_a_point(fairstep):
    rows, _ = world(6, 200)
    count(fairstep, rows)
    fit = ["fit", "counts.json", "--labels", "follow-features", "-o", "m.json"]
    refused = fairstep(*fit, "--refused", "anything", code=2)
    assert "--refused is anything" in refused.err and "--point low" in refused.err
    found = {}
    for rule, point in (("anything", "low"), ("odds=2", "low"), ("like-accepted", "like-accepted"), ("odds=2", "high"),
                        ("anything", "high")):  # fmt: skip
        fairstep(*fit, "--refused", rule, "--point", point, code=0)
        found[rule, point] = fairstep.read("m.json")["initial"][0][0][1]
    assert list(found.values()) == sorted(found.values()) and len(set(found.values())) == 5
    for words, said in (
        (["--refused", "odds=0.5"], "--refused has odds of 0.5, expected 1 to 1000000"),
        (["--refused", "like"], '--refused is "like", expected like-accepted, odds=NUMBER or anything'),
    ):
        assert said in fairstep(*fit, *words, code=2).err
    assert "--refused is given without --labels" in fairstep("fit", "counts.json", "--refused", "anything", code=2).err


def test_labels_that_were_drawn_are_refused(fairstep):
    rows, _ = world(7, 200)
    write_csv(fairstep.folder / "log.csv", rows)
    fairstep("count", "log.csv", *NAMES, "--censored", "assume-ignorable", "-o", "i.json", code=0)
    for verb in ("fit", "audit"):
        refused = fairstep(verb, "i.json", "--labels", "follow-features", code=2)
        assert "labels were drawn (assume-ignorable)" in refused.err and "--censored drop" in refused.err


# Memory is worth nothing where labels follow features, so that nothing has to be branched on.
def test_the_optimum_of_a_model_by_features_is_proven_at_the_root(fairstep):
    rows, _ = world(8, 3000)
    count(fairstep, rows)
    fairstep("fit", "counts.json", "--labels", "follow-features", "-o", "m.json", code=0)
    solved = fairstep("solve", "m.json", "--fairness", "dp", "--limit", 0.02, "--json", code=0).json
    assert solved["outcome"] == "optimal"
    bounds = solved["bounds"]
    assert bounds["upper"] - bounds["lower"] < 1e-6 * abs(solved["value"])


def true_rate(whole, group, step):
    qualified = [row for row in whole if row["group"] == group and row["step"] == step and row["y"]]
    return sum(row["a"] for row in qualified) / len(qualified)


def test_an_audit_by_features_where_decisions_looked_at_the_feature_alone(fairstep):
    rows, whole = world(9, 6000)
    count(fairstep, rows)
    done = fairstep("audit", "counts.json", "--labels", "follow-features", "--fairness", "dp,eqopt", "--json", code=0)
    assert any(warning.startswith("assumed: labels follow features") for warning in done.json["warnings"])
    labels = done.json["labels"]
    assert (labels["refused"], labels["verdict"]) == ("like-accepted", "not refuted")
    assert [rule["refused"] for rule in labels["rules"]] == ["like-accepted", "anything"]
    assert any("labels follow features" in line for line in done.json["assumptions"])
    q = shares_of_labels(rows)
    for g, group in enumerate(GROUPS):
        for h in range(HORIZON):
            told = done.json["rates"]["tpr"]["steps"][g][h]
            mine = [row for row in whole if row["group"] == group and row["step"] == h]
            weights = [q[g][row["x"]] for row in mine]
            accepted = math.fsum(weight for weight, row in zip(weights, mine, strict=True) if row["a"])
            assert told["rate"] == pytest.approx(accepted / math.fsum(weights), abs=1e-12)
            assert told["band"][0] < true_rate(whole, group, h) < told["band"][1]
    fairstep("audit", "counts.json", "--labels", "follow-features", "--refused", "odds=2", "-o", "audit.md", code=0)
    page = (fairstep.folder / "audit.md").read_text()
    assert "## Labels follow features" in page and "between 1/2 and 2 times the odds" in page
    assert "Labels: labels follow features" in page


def test_anything_is_the_interval_of_all_that_the_labels_may_be(fairstep):
    rows, _ = world(10, 500)
    count(fairstep, rows)
    answer = fairstep("audit", "counts.json", "--labels", "follow-features", "--refused", "anything", "--fairness",
                      "eqopt", "--json", code=0).json  # fmt: skip
    each = 0.05 / 4 / (2 * HORIZON)  # a quarter of delta: one at each step of each group
    for g, group in enumerate(GROUPS):
        for h in range(HORIZON):
            mine = [row for row in rows if row["group"] == group and row["step"] == str(h)]
            seen = sum(row["y"] == "1" for row in mine)  # all of them accepted
            refused = sum(row["y"] == "" for row in mine)
            low, high = answer["rates"]["tpr"]["steps"][g][h]["band"]
            assert low == pytest.approx(interval(seen, seen + refused, each)[0], abs=1e-9)
            assert high == 1


# The decision looked at more than the feature: labels that are drawn say 0.63, with a band, where the truth is 0.83.
def test_where_the_refused_differ_only_odds_and_anything_hold(fairstep):
    rows, whole = world(11, 20000, knows=0.6)
    count(fairstep, rows)
    truth = true_rate(whole, "a", 0)
    by = {}
    for rule in ("like-accepted", "odds=60", "anything"):
        answer = fairstep("audit", "counts.json", "--labels", "follow-features", "--refused", rule, "--fairness",
                          "eqopt", "--json", code=0).json  # fmt: skip
        by[rule] = answer["rates"]["tpr"]["steps"][0][0]
    write_csv(fairstep.folder / "log.csv", rows)
    drawn = fairstep("audit", "log.csv", *NAMES, "--censored", "assume-ignorable", "--fairness", "eqopt", "--json",
                     code=0).json["rates"]["tpr"]["steps"][0][0]  # fmt: skip
    assert abs(drawn["rate"] - truth) > 0.1
    assert by["like-accepted"]["band"][1] < truth  # not by design, and it does not hold
    for rule in ("odds=60", "anything"):
        low, high = by[rule]["band"]
        assert low < truth < high, rule


def test_where_labels_are_seen_and_do_not_follow_the_feature_it_is_said_loudly(fairstep):
    draw = random.Random(12)
    rows = []
    for person in range(4000):
        y = draw.randint(0, 1)
        for step in range(HORIZON):
            rows.append({"person": person, "group": "ab"[person % 2], "step": step, "x": draw.randrange(3), "y": y,
                         "a": draw.randint(0, 1), "reward": 0})  # fmt: skip
    write_csv(fairstep.folder / "log.csv", [{key: str(value) for key, value in row.items()} for row in rows])
    fairstep("count", "log.csv", *NAMES, "-o", "counts.json", code=0)
    for verb in ("fit", "audit"):
        done = fairstep(verb, "counts.json", "--labels", "follow-features", "--json", code=0)
        loud = [w for w in done.json["warnings"] if w.startswith("labels are assumed to follow features, and the log")]
        assert len(loud) == 2, done.json["warnings"]
    assert done.json["labels"]["verdict"] == "refuted"


SAID = ("labels follow features: given all that happened", "had no label: within a group and feature, the odds")


def test_all_that_is_made_from_a_model_by_features_repeats_what_it_assumes(fairstep):
    rows, _ = world(13, 600)
    count(fairstep, rows)
    by_odds = ("--labels", "follow-features", "--refused", "odds=2")
    fairstep("fit", "counts.json", *by_odds, "-o", "m.json", code=0)
    fairstep("policy", "m.json", "--uniform", "0.5", "-o", "half.json", code=0)
    dp = ("--fairness", "dp", "--limit", "0.1", "--no-proof")
    learned = ("--schedule", "8", "--evaluation-episodes", "0", "--no-proof")
    for words in (
        ("evaluate", "m.json", "half.json"),
        ("solve", "m.json", *dp),
        ("pareto", "m.json", "--fairness", "dp", "--no-proof"),
        ("simulate", "m.json", "half.json", "--people", 50, "-o", "s.csv"),
        ("export", "m.json", "--fairness", "dp", "-o", "m.lp"),
        ("export", "m.json", "--fairness", "dp", "-o", "m.mps"),
        ("learn", "m.json", "--fairness", "dp", *learned),
    ):
        warnings = fairstep(*words, "--json", code=0).json["warnings"]
        assert all(any(part in warning for warning in warnings) for part in SAID), words
    for name, mark in (("m.lp", "\\ "), ("m.mps", "* ")):
        lines = (fairstep.folder / name).read_text().splitlines()
        comments = " ".join(line.removeprefix(mark) for line in lines if line.startswith(mark))
        assert all(part in comments for part in SAID) and max(map(len, lines)) <= 255
    (fairstep.folder / "e.toml").write_text(
        'schema = "fairstep/experiment/1"\nenvironments = [{name = "loans", model = "m.json"}]\nfairness = "dp"\n'
        'repeats = 1\nschedule = "2^3..2^4"\ncertificate = "off"\n[[method]]\nmethod = "constrained"\n'
    )
    warnings = fairstep("experiment", "e.toml", "-o", "e", "--json", code=0).json["warnings"]
    assert all(any(warning.startswith("loans: ") and part in warning for warning in warnings) for part in SAID)
    for page in ("e.html", "e.md"):
        fairstep("report", "e", "-o", page, code=0)
        assert all(part in (fairstep.folder / page).read_text() for part in SAID), page
    run = fairstep("certify", "counts.json", "half.json", *by_odds, "--fairness", "eqopt", "--json", code=0).json
    assert run["labels_follow_features"] in ("not refuted", "cannot be tested")
    fairstep("audit", "counts.json", *by_odds, "-o", "audit.md", code=0)
    first = (fairstep.folder / "audit.md").read_text().split("## The data")[0]
    assert (
        "What needs labels is so if these follow features and, for the " in first and "between 1/2 and 2 times" in first
    )


# All labels are seen. They follow features, and decisions know them: that refutes nothing, but it is told what is left
# of the assumption then.
def test_decisions_that_tell_of_labels_do_not_refute_that_labels_follow_features(fairstep):
    rows, _ = world(14, 4000, knows=0.6, hide=False)
    write_csv(fairstep.folder / "log.csv", rows)
    fairstep("count", "log.csv", *NAMES, "-o", "counts.json", code=0)
    fairstep("fit", "counts.json", "-o", "m.json", code=0)
    fairstep("policy", "m.json", "--uniform", "0.5", "-o", "half.json", code=0)
    follow = ("--labels", "follow-features", "--json")
    for words in (("fit", "counts.json"), ("audit", "counts.json"), ("certify", "counts.json", "half.json"),
                  ("certify", "counts.json", "half.json", "--fairness", "dp")):  # fmt: skip
        done = fairstep(*words, *follow, code=0).json
        told = [w for w in done["warnings"] if "only if the label does not move the next feature" in w]
        assert len(told) == 1, done["warnings"]
        assert not any("the log refutes it" in warning for warning in done["warnings"])
        verdict = done["labels"]["verdict"] if words[0] == "audit" else done.get("labels_follow_features")
        assert verdict == (None if "dp" in words else "not refuted")


TAIWAN = ROOT / "data" / "taiwan" / "long_log.py"


# The label is default in October, the same at all steps: with one status the past tells more of it.
def test_the_card_holders_of_taiwan_refute_it(fairstep):
    log = subprocess.run([sys.executable, TAIWAN], capture_output=True, text=True, check=True).stdout
    (fairstep.folder / "taiwan.csv").write_text(log)
    lines = log.splitlines()
    hidden = [",".join((*row[:4], row[4] if row[5] == "1" else "", row[5])) for row in map(split_row, lines[1:])]
    (fairstep.folder / "hidden.csv").write_text("\n".join([lines[0], *hidden]) + "\n")
    for name, more in (("taiwan", ()), ("hidden", ("--censored", "drop"))):
        fairstep("count", f"{name}.csv", *more, "-o", f"{name}.json", code=0)
        follow = ("--labels", "follow-features", "--json")
        fit = fairstep("fit", f"{name}.json", *follow, "-o", "m.json", code=0).json
        fairstep("policy", "m.json", "--threshold", "x=2", "-o", "p.json", code=0)
        certified = fairstep("certify", f"{name}.json", "p.json", "--fairness", "eqopt", *follow, code=0).json
        audited = fairstep("audit", f"{name}.json", "--fairness", "eqopt", *follow, code=0).json
        assert fit["labels_follow_features"] == certified["labels_follow_features"] == "refuted"
        assert audited["labels"]["verdict"] == "refuted"
        for done in (fit, certified, audited):
            assert sum("follow features, and the log refutes it: " in warning for warning in done["warnings"]) == 2


def split_row(line):
    return line.split(",")
