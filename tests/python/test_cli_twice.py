"""People who would be counted twice: a file that is merged with itself, counts that are the same, a log in both."""

import shutil

import pytest
from log_reference import dirty_log, write_csv


@pytest.fixture
def fairstep(lossy):
    return lossy


@pytest.fixture
def parts(fairstep):
    """a.json, b.json and log.json: two halves of a log, and all of it."""
    rows = dirty_log(7, people=80, tidy=True)
    half = next(i for i, row in enumerate(rows) if row["person"] == "40")
    names = {key: sorted({row[key] for row in rows}) for key in ("group", "x")}
    words = ("--groups", ",".join(names["group"]), "--features", ",".join(names["x"]))
    for name, part in (("a", rows[:half]), ("b", rows[half:]), ("log", rows)):
        write_csv(fairstep.folder / f"{name}.csv", part)
        fairstep("count", f"{name}.csv", *words, "-o", f"{name}.json", code=0)
    return fairstep


# Cause: nobody looked. A file merged with itself had twice the people, and certificates narrow for it.
def test_a_file_that_is_given_twice_is_refused_whatever_is_said(parts):
    (parts.folder / "link.json").symlink_to("a.json")
    (parts.folder / "hard.json").hardlink_to(parts.folder / "a.json")
    for again in ("a.json", "./a.json", "link.json", "hard.json"):
        for words in ((), ("--different-people",)):
            done = parts("merge", "a.json", "b.json", again, *words, "-o", "sum.json", code=2)
            assert "the file is given twice, before as a.json: its people would be counted twice" in done.err
    assert not (parts.folder / "sum.json").exists()


def test_counts_that_are_the_same_to_the_last_number_are_refused_unless_they_are_said_to_be_of_others(parts):
    shutil.copy(parts.folder / "a.json", parts.folder / "copy.json")
    parts("simulate", *simulated(parts), "-o", "one.json", code=0)  # no record of a log
    parts("simulate", *simulated(parts), "-o", "two.json", code=0)
    for words, again in ((("a.json", "b.json", "copy.json"), "a.json"), (("one.json", "two.json"), "one.json")):
        done = parts("merge", *words, "-o", "sum.json", code=2)
        said = " ".join(done.err.split())
        assert f"the same to the last number as those of {again}: these people would be counted twice" in said
        assert f"in {words[-1]}" in said and "--different-people" in said
        parts("merge", *words, "--different-people", "-o", "sum.json", code=0)


def simulated(fairstep):
    fairstep("env", "fico", "-o", "fico.json", code=0)
    fairstep("policy", "fico.json", "--uniform", "0.5", "-o", "half.json", code=0)
    return "fico.json", "half.json", "--people", "100"


def test_a_log_that_is_in_the_sum_already_is_refused(parts):
    parts("merge", "a.json", "b.json", "-o", "sum.json", code=0)
    for words in (("sum.json", "a.json"), ("b.json", "sum.json")):
        done = parts("merge", *words, "-o", "more.json", code=2)
        log = "a.csv" if "a.json" in words else "b.csv"
        said = " ".join(done.err.split())
        assert f"the log {log} is in the counts added to as well: its people would be counted twice" in said
        assert "/log/files/" in said and "--different-people" in said
    parts("merge", "sum.json", "a.json", "--different-people", "-o", "more.json", code=0)


def test_counts_of_nobody_may_be_added_as_often_as_one_likes(parts):
    counts = parts.read("a.json")
    nobody = {key: value for key, value in counts.items() if key not in ("log", "history")}
    for table in ("first", "visits", "transitions", "reward_sum", "reward_squares"):
        nobody[table] = zeros(nobody[table])
    parts.write("one.json", nobody)
    parts.write("two.json", nobody)
    parts("merge", "one.json", "two.json", "-o", "none.json", code=0)


def zeros(nested):
    return [zeros(part) for part in nested] if isinstance(nested, list) else 0


# Cause: `check` refused such a certificate, and everything else took the counts.
@pytest.mark.parametrize("verb", ["validate", "fit", "merge"])
def test_rewards_that_their_squares_forbid_are_no_counts(parts, verb):
    counts = parts.read("a.json")
    g, x, y, a = next(
        (g, x, y, a)
        for g, group in enumerate(counts["reward_squares"])
        for x, of_x in enumerate(group)
        for y, of_y in enumerate(of_x)
        for a, square in enumerate(of_y)
        if square > 0
    )
    counts["reward_sum"][g][x][y][a] = 1e6
    parts.write("wrong.json", counts)
    words = {"validate": ["wrong.json"], "fit": ["wrong.json"], "merge": ["b.json", "wrong.json"]}[verb]
    done = parts(verb, *words, code=2)
    said = " ".join(done.err.split())
    assert "is 1000000, more than" in said and "can add up to" in said
    assert f"/reward_sum/{g}/{x}/{y}/{a}" in said and "wrong.json" in said
