"""A world that changes, on the command line: a kernel for each step, or for each of some periods."""

import copy
import csv
import hashlib
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

ROOT = Path(__file__).resolve().parents[2]
HORIZON = 8


def valid(kind, document):
    Draft202012Validator(json.loads((ROOT / f"schemas/{kind}.schema.json").read_text("utf-8"))).validate(document)


@pytest.fixture
def changing(loans):
    """changing.json: the FICO population, where from step 3 on whoever is accepted and qualified is so no more."""
    model = loans.read("fico.json")
    before = model["transition"]
    after = copy.deepcopy(before)
    for group in after:
        for x in group:
            x[1][1] = [[sum(pair), 0] for pair in x[1][1]]
    model["transition"] = [[b, a] for b, a in zip(before, after, strict=True)]
    model["periods"] = [{"name": "before", "first_step": 0}, {"name": "after", "first_step": 3}]
    loans.write("changing.json", model)
    return loans


def simulated(changing, *more):
    changing("simulate", "changing.json", "from50.json", "--people", 3000, "-o", "log.csv", *more, code=0)
    return changing


def recounted(folder, period_of):
    """transitions by period from the rows, with nothing but a dictionary."""
    groups, features = ["white", "black"], folder.read("fico.json")["features"]
    seen = Counter()
    previous = None
    with (folder.folder / "log.csv").open() as file:
        for row in csv.DictReader(file):
            if previous and previous["person"] == row["person"] and int(previous["step"]) + 1 == int(row["step"]):
                here = (
                    groups.index(row["group"]),
                    period_of(int(previous["step"])),
                    features.index(previous["x"]),
                    number(previous["y"]),
                    number(previous["a"]),
                    features.index(row["x"]),
                    number(row["y"]),
                )
                seen[here] += 1
            previous = row
    return seen


def number(word):
    return {"unqualified": 0, "qualified": 1, "refuse": 0, "accept": 1}.get(word) if not word.isdigit() else int(word)


def entries(table, index=()):
    if not isinstance(table, list):
        return {index: table} if table else {}
    return {key: n for i, part in enumerate(table) for key, n in entries(part, (*index, i)).items()}


def test_a_model_whose_kernel_changes_is_sound_and_says_so(changing):
    valid("model", changing.read("changing.json"))
    said = changing("validate", "changing.json", code=0)
    assert "before (steps 0 to 2), after (steps 3 to 6)" in said.out
    assert changing("validate", "changing.json", "--json").json["files"][0]["periods"] == [
        {"name": "before", "first_step": 0},
        {"name": "after", "first_step": 3},
    ]
    before = changing("evaluate", "fico.json", "from50.json", "--json").json
    after = changing("evaluate", "changing.json", "from50.json", "--json").json
    # The kernel of step 3 leads to step 4: until then nothing is different.
    qualified = [[rates[:4] for rates in found["rates"]["qualified"]] for found in (before, after)]
    assert qualified[0] == qualified[1]
    assert after["rates"]["qualified"][0][4] < before["rates"]["qualified"][0][4]


@pytest.mark.parametrize(
    ("kernel", "period_of"),
    [
        ("per-step", lambda h: h),
        ("before=0,after=3", lambda h: int(h >= 3)),
        ("a=0,b=1,c=5", lambda h: (h >= 1) + (h >= 5)),
    ],
)
def test_a_log_is_counted_by_period_as_a_recount_has_it(changing, kernel, period_of):
    simulated(changing)
    changing("count", "log.csv", "--like", "fico.json", "--kernel", kernel, "-o", "counts.json", code=0)
    counts = changing.read("counts.json")
    valid("counts", counts)
    assert entries(counts["transitions"]) == dict(recounted(changing, period_of))
    # In any order of rows, with any number of threads.
    lines = (changing.folder / "log.csv").read_text().splitlines(keepends=True)
    (changing.folder / "log.csv").write_text(lines[0] + "".join(lines[:0:-1]))
    again = ("count", "log.csv", "--like", "fico.json", "--kernel", kernel, "--threads", 2, "-o", "again.json")
    changing(*again, code=0)
    assert changing.read("again.json")["transitions"] == counts["transitions"]


def test_steps_of_periods_are_those_of_the_counts(changing):
    simulated(changing)
    text = (changing.folder / "log.csv").read_text().splitlines()
    step = text[0].split(",").index("step")
    moved = [text[0]]
    for line in text[1:]:
        cells = line.split(",")
        cells[step] = str(int(cells[step]) + 2020)
        moved.append(",".join(cells))
    (changing.folder / "later.csv").write_text("\n".join(moved) + "\n")
    for log in ("log.csv", "later.csv"):
        changing("count", log, "--kernel", "before=0,after=3", "-o", log + ".json", code=0)
    assert changing.read("log.csv.json")["transitions"] == changing.read("later.csv.json")["transitions"]


def test_the_simulator_counts_the_people_it_writes(changing):
    simulated(changing)
    same = ("simulate", "changing.json", "from50.json", "--people", 3000, "--by", "person")
    for kernel, file in (("per-step", "steps.json"), ("pooled", "pooled.json")):
        changing(*same, "--kernel", kernel, "-o", file, code=0)
        changing("count", "log.csv", "--like", "fico.json", "--kernel", kernel, "-o", "counted.json", code=0)
        assert changing.read(file)["transitions"] == changing.read("counted.json")["transitions"]
    changing(*same, "-o", "own.json", code=0)
    assert changing.read("own.json")["periods"] == changing.read("changing.json")["periods"]


def test_fit_takes_the_periods_of_the_counts_and_adds_them_up_if_asked(changing):
    changing(
        "simulate", "changing.json", "from50.json", "--people", "1e7", "--kernel", "per-step", "-o", "c.json", code=0
    )
    changing("fit", "c.json", "-o", "steps.json", "--radii", "radii.json", code=0)
    steps = changing.read("steps.json")
    valid("model", steps)
    valid("radii", changing.read("radii.json"))
    assert len(steps["periods"]) == HORIZON - 1 == len(changing.read("radii.json")["row"][0])
    truth = changing.read("changing.json")["transition"]
    # Whoever is accepted and qualified in the best feature, at each step: close to the kernel of its period.
    for h in range(HORIZON - 1):
        found, true = steps["transition"][0][h][4][1][1], truth[0][int(h >= 3)][4][1][1]
        assert max(abs(a - b) for f, t in zip(found, true, strict=True) for a, b in zip(f, t, strict=True)) < 0.02
    changing("fit", "c.json", "--kernel", "before=0,after=3", "-o", "two.json", code=0)
    assert len(changing.read("two.json")["transition"][0]) == 2
    changing("fit", "c.json", "--kernel", "pooled", "-o", "one.json", code=0)
    assert "periods" not in changing.read("one.json")
    changing(
        "simulate", "changing.json", "from50.json", "--people", "1e7", "--kernel", "pooled", "-o", "p.json", code=0
    )
    changing("fit", "p.json", "-o", "same.json", code=0)
    assert changing.read("one.json") == changing.read("same.json")


def test_pooled_counts_cannot_be_told_apart_again(changing):
    changing("simulate", "fico.json", "from50.json", "--people", 1000, "-o", "c.json", code=0)
    refused = changing("fit", "c.json", "--kernel", "per-step", code=2)
    assert "the counts have successors over all steps, expected a period that begins at step 0" in refused.err
    assert "--kernel per-step" in refused.err


@pytest.mark.parametrize("kernel", ["per-steps", "a=1", "a=0,b=0", "a=0,b=7", "a=0,a=2", "=0", "a=0,"])
def test_a_kernel_that_is_none_is_refused(changing, kernel):
    simulated(changing)
    refused = changing("count", "log.csv", "--kernel", kernel, code=2)
    assert "--kernel" in refused.err


def test_counts_of_different_periods_do_not_add_up(changing):
    for seed, kernel in ((1, "per-step"), (2, "per-step"), (3, "pooled")):
        changing(
            *("simulate", "changing.json", "from50.json", "--people", 500, "--seed", seed, "--kernel", kernel),
            *("-o", f"{seed}.json"),
            code=0,
        )
    changing("merge", "1.json", "2.json", "-o", "both.json", code=0)
    one, two, both = (entries(changing.read(f"{name}.json")["transitions"]) for name in ("1", "2", "both"))
    assert both == dict(Counter(one) + Counter(two))
    refused = changing("merge", "1.json", "3.json", "-o", "no.json", code=2)
    assert "successors over all steps, expected successors by period" in refused.err


def test_solving_for_a_world_that_changes_beats_the_best_of_the_world_before(changing):
    limits = ("--fairness", "dp", "--limit", "0.05")
    for model in ("fico.json", "changing.json"):
        changing("solve", model, *limits, "-o", model + ".policy", code=0)
    values = {
        policy: changing("evaluate", "changing.json", policy, "--json").json["value"]
        for policy in ("fico.json.policy", "changing.json.policy")
    }
    assert values["changing.json.policy"] > values["fico.json.policy"] + 0.01


def test_diagnose_hints_at_what_to_count(changing):
    changing("simulate", "changing.json", "from50.json", "--people", 20000, "-o", "log.csv", code=0)
    pooled = changing("diagnose", "log.csv", code=1)
    assert "one kernel for all steps predicts other states" in " ".join(pooled.out.split())
    assert "--kernel per-step" in pooled.err
    by_period = changing("diagnose", "log.csv", "--kernel", "before=0,after=3", "--json").json
    steps = [test["verdict"] for test in by_period["tests"] if test["test"] == "kernel-by-step"]
    assert steps == ["not refuted", "not refuted"]


def test_what_knows_one_kernel_only_says_so(changing):
    changing("simulate", "changing.json", "from50.json", "--people", 500, "-o", "c.json", code=0)
    learning = changing("learn", "changing.json", "--fairness", "dp", "--output", "run", code=2)
    assert "a kernel for each of 2 periods" in learning.err
    features = changing("fit", "c.json", "--labels", "follow-features", code=2)
    assert "a kernel for each of 2 periods" in features.err and "--kernel pooled" in features.err


CERTIFIED = {
    "worst case": (),
    "all notions": ("--fairness", "dp,eqopt,eqodds"),
    "known rewards": ("--model", "small.json"),
    "counted rewards": ("--reward-range", "0,1"),
    "followed": ("--followed",),
    "two parts": ("--design", "design.json"),
    "two parts, known": ("--design", "design.json", "--model", "small.json"),
}


@pytest.fixture
def small(changing):
    """small.json: two features and four steps of a world that changes after step 0."""
    row = [[0.1, 0.4], [0.3, 0.2]]
    later = [[0.4, 0.2], [0.3, 0.1]]
    kernels = [[[[table] * 2] * 2] * 2 for table in (row, later)]
    changing.write(
        "small.json",
        {
            "schema": "fairstep/model/1",
            "horizon": 4,
            "groups": ["a", "b"],
            "features": ["low", "high"],
            "periods": [{"name": "before", "first_step": 0}, {"name": "after", "first_step": 1}],
            "share": [0.5, 0.5],
            "initial": [[[0.25, 0.25], [0.25, 0.25]], [[0.5, 0.25], [0.125, 0.125]]],
            "transition": [kernels, kernels],
            "reward": [[[[0, 0.5], [0, 1]]] * 2] * 2,
        },
    )
    changing("policy", "small.json", "--uniform", 0.5, "-o", "coin.json", code=0)
    people = ("simulate", "small.json", "coin.json", "--by", "person")
    changing(*people, "--people", 4000, "-o", "counts.json", code=0)
    changing(*people, "--people", 8000, "--split", 0.3, "-o", "design.json", "--audit", "audit.json", code=0)
    return changing


def checked(folder, certificate):
    by_hand = [sys.executable, str(ROOT / "tools/check_certificate.py"), str(folder.folder / certificate)]
    return folder("check", certificate).code, subprocess.run(by_hand, capture_output=True, text=True)


@pytest.mark.parametrize("kind", CERTIFIED)
def test_certificates_by_period_are_found_right_by_both_checkers(small, kind):
    options = CERTIFIED[kind]
    counts = "audit.json" if "--design" in options else "counts.json"
    small("certify", counts, "coin.json", *options, "-o", "certificate.json", code=0)
    certificate = small.read("certificate.json")
    assert any("Periods: before (step 0), after (steps 1 to 2)." in text for text in certificate["assumptions"])
    assert checked(small, "certificate.json")[0] == 0
    code, by_hand = checked(small, "certificate.json")
    assert (code, by_hand.returncode) == (0, 0), by_hand.stdout


def test_both_checkers_see_what_was_done_to_a_certificate_by_period(small):
    small("certify", "counts.json", "coin.json", "--fairness", "dp", "-o", "good.json", code=0)
    good = small.read("good.json")

    def tampered(change):
        certificate = copy.deepcopy(good)
        counts = json.loads(certificate["inputs"]["counts"]["text"])
        change(certificate, counts)
        text = json.dumps(counts)
        certificate["inputs"]["counts"] |= {"text": text, "sha256": hashlib.sha256(text.encode()).hexdigest()}
        small.write("tampered.json", certificate)
        code, by_hand = checked(small, "tampered.json")
        assert code == by_hand.returncode, by_hand.stdout
        return code

    def unchanged(certificate, counts):
        pass

    def other_steps(certificate, counts):
        counts["periods"][1]["first_step"] = 2

    def renamed(certificate, counts):
        counts["periods"][1]["name"] = "later"

    def to_the_other_period(certificate, counts):
        before, after = counts["transitions"][0]
        after[0][0][0][0][0] += 1
        before[0][0][0][0][0] -= 1

    def pooled(certificate, counts):
        del counts["periods"]

    def after_the_last_step(certificate, counts):
        counts["periods"].append({"name": "more", "first_step": 3})

    def closer(certificate, counts):
        certificate["certified_gap"]["dp"][2] -= 1e-3

    def with_delta_for_one_kernel(certificate, counts):
        certificate["delta_split"]["row"] *= 2

    assert tampered(unchanged) == 0
    assert [tampered(f) for f in (renamed, closer, with_delta_for_one_kernel)] == [1, 1, 1]
    assert [tampered(f) for f in (other_steps, to_the_other_period, pooled, after_the_last_step)] == [2, 2, 2, 2]


def test_a_plan_names_the_period_of_a_row(small):
    planned = small("certify", "counts.json", "coin.json", "--fairness", "dp", "--plan", "0.05", "--json", code=0).json
    periods = {row["cell"]["period"] for row in planned["plan"]["rows"] if row["cell"]}
    assert periods == {"before", "after"}
    assert len(planned["plan"]["splits"]) == 5
