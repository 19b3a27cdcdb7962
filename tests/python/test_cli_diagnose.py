"""fairstep diagnose: does the log refute the model?"""

import random

import pytest
from log_reference import write_csv


@pytest.fixture
def fairstep(lossy):
    return lossy


ASSUMPTIONS = {"kernel-by-step", "kernel-by-window", "decision-by-label", "leaving", "step-before"}


def log_of(seed, people=400, horizon=5, *, peek=0.0, memory=0.0, shift=0.0, grudge=0.0):
    """People between two features; each of the numbers breaks one assumption that often."""
    draw = random.Random(seed)
    rows = []
    for person in range(people):
        x, y, before = draw.randint(0, 1), draw.randint(0, 1), None
        for step in range(horizon):
            a = y if draw.random() < peek else draw.randint(0, 1)
            rows.append({"person": person, "group": "ab"[person % 2], "step": step, "x": x, "y": y, "a": a})
            rows[-1]["reward"] = 0
            rows[-1]["day"] = f"2024-{1 + step:02}-01"
            if before == 0 and draw.random() < grudge:
                break
            x = int(draw.random() < (0.7 if a else 0.3))
            if (before == 1 and draw.random() < memory) or (step >= horizon // 2 and draw.random() < shift):
                x = 1
            y, before = draw.randint(0, 1), a
    return rows


COLUMNS = ["person", "group", "step", "x", "y", "a", "reward", "day"]


def refuted(answer):
    return {test["test"] for test in answer["tests"] if test["verdict"] == "refuted"} & ASSUMPTIONS


def test_a_log_that_obeys_is_not_refuted(fairstep):
    write_csv(fairstep.folder / "log.csv", log_of(1), COLUMNS)
    answer = fairstep("diagnose", "log.csv", "--json", code=0).json
    assert answer["schema"] == "fairstep/diagnosis/1"
    assert answer["verdict"] == "not refuted"
    assert refuted(answer) == set()


def test_every_breach_is_found_by_the_test_that_asks_for_it(fairstep):
    for breach, test in (
        ({"peek": 0.5}, "decision-by-label"),
        ({"memory": 0.5}, "step-before"),
        ({"shift": 0.5}, "kernel-by-step"),
        ({"grudge": 0.4}, "leaving"),
    ):
        write_csv(fairstep.folder / "log.csv", log_of(2, **breach), COLUMNS)
        answer = fairstep("diagnose", "log.csv", "--json", code=1).json
        assert answer["verdict"] == "refuted"
        assert test in refuted(answer), breach
        for entry in answer["tests"]:
            assert (entry["p_value"] is None) == (entry["verdict"] == "cannot be tested")
            assert entry["adjusted"] is None or entry["adjusted"] >= entry["p_value"]


def test_windows_are_asked_if_the_log_was_cut_into_them(fairstep):
    write_csv(fairstep.folder / "log.csv", log_of(3, shift=0.5), COLUMNS)
    answer = fairstep("diagnose", "log.csv", "--map", "time=day", "--window", "month", "--json", code=1).json
    assert "kernel-by-window" in refuted(answer)
    assert any("in the window from 2024-0" in test["sentence"] for test in answer["tests"])


def test_counts_and_their_log_get_the_same_answer(fairstep):
    write_csv(fairstep.folder / "log.csv", log_of(4, memory=0.2), COLUMNS)
    fairstep("count", "log.csv", "-o", "counts.json", code=0)
    from_log = fairstep("diagnose", "log.csv", "--json", code=None).json
    from_counts = fairstep("diagnose", "counts.json", "--json", code=None).json
    assert from_log["tests"] == from_counts["tests"]


def test_merged_counts_are_asked_as_one_log_and_a_part_without_history_says_what_cannot_be(fairstep):
    rows = log_of(5, memory=0.5)
    middle = 200 * 5
    for name, part in (("one", rows[:middle]), ("two", rows[middle:]), ("all", rows)):
        write_csv(fairstep.folder / f"{name}.csv", part, COLUMNS)
        fairstep("count", f"{name}.csv", "-o", f"{name}.json", code=0)
    fairstep("merge", "one.json", "two.json", "-o", "both.json", code=0)
    assert fairstep.read("both.json")["history"] == fairstep.read("all.json")["history"]
    counts = fairstep.read("two.json")
    del counts["history"]
    fairstep.write("two.json", counts)
    fairstep("merge", "one.json", "two.json", "-o", "part.json", code=0)
    answer = fairstep("diagnose", "part.json", "--json", code=0).json
    untested = {test["test"] for test in answer["tests"] if test["verdict"] == "cannot be tested"}
    assert untested == {"kernel-by-step", "leaving", "step-before"}
    assert "do not say at which step" in answer["tests"][0]["sentence"]


def test_a_history_that_does_not_go_with_its_counts_is_refused(fairstep):
    write_csv(fairstep.folder / "log.csv", log_of(6, people=20), COLUMNS)
    fairstep("count", "log.csv", "-o", "counts.json", code=0)
    counts = fairstep.read("counts.json")
    counts["history"]["arrivals"][0][1][0][0] += 1
    fairstep.write("counts.json", counts)
    assert "history.departures adds up to" in fairstep("diagnose", "counts.json", code=2).err


def test_nothing_to_test_is_undecided(fairstep):
    rows = [row for row in log_of(7, people=20) if row["step"] == 0]
    for row in rows:
        row["a"] = 1
    write_csv(fairstep.folder / "log.csv", rows, COLUMNS)
    assert fairstep("diagnose", "log.csv", "--json", code=3).json["verdict"] == "cannot be tested"


def test_fit_audit_and_certify_repeat_the_verdict(fairstep):
    write_csv(fairstep.folder / "log.csv", log_of(8, memory=0.5), COLUMNS)
    fairstep("count", "log.csv", "-o", "counts.json", code=0)
    fairstep("fit", "counts.json", "-o", "model.json", code=0)
    fairstep("policy", "model.json", "--uniform", 0.5, "-o", "half.json", code=0)
    sentence = "these data refute assumption 1 for group a: given the cell"
    for command in (["fit", "counts.json"], ["audit", "counts.json"], ["certify", "counts.json", "half.json"]):
        answer = fairstep(*command, "--json", code=0).json
        assert answer["diagnosis"]["verdict"] == "refuted", command
        assert any(sentence in warning for warning in answer["warnings"]), command
    assert sentence in fairstep("audit", "counts.json", code=0).out
    fairstep("certify", "counts.json", "half.json", "-o", "certificate.json", code=0)
    diagnosis = fairstep.read("certificate.json")["diagnosis"]
    assert any(sentence in entry["sentence"] for entry in diagnosis)
    assert set(diagnosis[0]) == {"test", "p_value", "effect", "sentence"}
    fairstep("check", "certificate.json", code=0)


def test_a_level_that_is_none_is_refused(fairstep):
    write_csv(fairstep.folder / "log.csv", log_of(9, people=4), COLUMNS)
    for level in ("0", "1", "-0.5", "nan"):
        assert "--level is" in fairstep("diagnose", "log.csv", "--level", level, code=2).err
