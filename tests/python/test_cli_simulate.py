"""fairstep simulate: log and counts are the same people, whatever the threads, and no file is ever half there."""

import csv
import io
import json
import os
import signal
import subprocess
import time
from collections import Counter
from pathlib import Path

import pytest
from conftest import BINARY, PATIENCE
from small import hand

COLUMNS = ["person", "group", "step", "x", "y", "a", "reward"]


def log_rows(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def recount(rows, counts):
    """The counts document that the rows of a log make, by plain counting; horizon and names are taken from `counts`."""
    group = {name: g for g, name in enumerate(counts["groups"])}
    feature = {name: x for x, name in enumerate(counts["features"])}
    first, visits, transitions, reward = Counter(), Counter(), Counter(), Counter()
    last = {}
    for row in rows:
        g, h, x, y, a = group[row["group"]], int(row["step"]), feature[row["x"]], int(row["y"]), int(row["a"])
        if row["person"] in last:
            transitions[(*last[row["person"]], x, y)] += 1
        else:
            first[g, x, y] += 1
        visits[g, h, x, y, a] += 1
        reward[g, x, y, a] += float(row["reward"])
        last[row["person"]] = (g, x, y, a)
    return {"first": first, "visits": visits, "transitions": transitions, "reward_sum": reward}


def flatten(nested, index=()):
    """{index: entry} of the entries that are not zero."""
    if not isinstance(nested, list):
        return {index: nested} if nested else {}
    return {key: entry for i, part in enumerate(nested) for key, entry in flatten(part, (*index, i)).items()}


@pytest.mark.parametrize("crowd", [["--people", "3000"], ["--people-per-group", "1500"]])
def test_the_log_recounted_is_the_counts_of_the_same_people(loans, crowd):
    words = ["simulate", "fico.json", "from50.json", *crowd, "--seed", "11"]
    loans(*words, "-o", "log.csv", code=0)
    loans(*words, "--by", "person", "-o", "counts.json", code=0)
    counts = loans.read("counts.json")
    mine = recount(log_rows(loans.folder / "log.csv"), counts)
    for key in ("first", "visits", "transitions"):
        assert dict(mine[key]) == flatten(counts[key])
    sums = flatten(counts["reward_sum"])
    for cell, total in mine["reward_sum"].items():
        assert total == pytest.approx(sums.get(cell, 0.0), abs=1e-9)


def test_the_same_with_people_who_join_late_and_leave_early(fairstep):
    fairstep("env", "random", "--participation", "--reward-noise", "0.3", "--horizon", "6", "-o", "m.json", code=0)
    fairstep("policy", "m.json", "--random", "-o", "p.json", code=0)
    words = ["simulate", "m.json", "p.json", "--people", "2000", "--seed", "3"]
    fairstep(*words, "-o", "log.csv", code=0)
    fairstep(*words, "--by", "person", "-o", "counts.json", code=0)
    counts = fairstep.read("counts.json")
    rows = log_rows(fairstep.folder / "log.csv")
    mine = recount(rows, counts)
    for key in ("first", "visits", "transitions"):
        assert dict(mine[key]) == flatten(counts[key])
    assert len({row["person"] for row in rows}) == 2000
    assert len(rows) < 2000 * 6


def test_the_log_has_names_and_zero_based_steps(loans):
    loans("simulate", "fico.json", "from50.json", "--people", "50", "-o", "log.csv", code=0)
    text = (loans.folder / "log.csv").read_text()
    assert text.splitlines()[0] == ",".join(COLUMNS)
    rows = log_rows(loans.folder / "log.csv")
    assert len(rows) == 50 * 8
    assert [int(row["person"]) for row in rows] == [p for p in range(50) for _ in range(8)]
    assert [int(row["step"]) for row in rows] == list(range(8)) * 50
    assert {row["group"] for row in rows} <= {"white", "black"}
    assert {row["x"] for row in rows} <= {"0", "25", "50", "75", "100"}
    # The policy accepts from score 50 on.
    assert all((row["a"] == "1") == (int(row["x"]) >= 50) for row in rows)


def test_rewards_in_the_log_read_back_to_the_last_bit(loans):
    loans("simulate", "fico.json", "from50.json", "--people", "200", "-o", "log.csv", code=0)
    model = loans.read("fico.json")
    for row in log_rows(loans.folder / "log.csv"):
        g, x = model["groups"].index(row["group"]), model["features"].index(row["x"])
        assert float(row["reward"]) == model["reward"][g][x][int(row["y"])][int(row["a"])]


def test_names_that_need_quotes_get_them(fairstep):
    model = hand()
    model["groups"] = ["a, or so", 'the "b"']
    model["features"] = ["low", "höher"]
    fairstep.write("m.json", model)
    fairstep("policy", "m.json", "--uniform", "0.5", "-o", "p.json", code=0)
    fairstep("simulate", "m.json", "p.json", "--people-per-group", "20", "-o", "log.csv", code=0)
    rows = log_rows(fairstep.folder / "log.csv")
    assert {row["group"] for row in rows} == set(model["groups"])
    assert {row["x"] for row in rows} == set(model["features"])
    assert list(rows[0]) == COLUMNS


@pytest.mark.parametrize(
    "words",
    [
        ["--people", "20000", "-o", "log.csv"],
        ["--people", "20000", "--by", "person", "-o", "counts.json"],
        ["--people-per-group", "1e9", "-o", "counts.json"],
    ],
    ids=" ".join,
)
def test_same_seed_same_bytes_whatever_the_threads(loans, words):
    results = set()
    for threads in ("1", "2", "3", "8"):
        run = loans(
            "simulate", "fico.json", "from50.json", *words, "--seed", "5", "--threads", threads, "--json", code=0
        )
        results.add((run.out, (loans.folder / words[-1]).read_bytes()))
    assert len(results) == 1
    loans("simulate", "fico.json", "from50.json", *words, "--seed", "6", code=0)
    assert (loans.folder / words[-1]).read_bytes() not in {content for _, content in results}


@pytest.mark.parametrize(
    ("written", "people"), [("1000", 1000), ("1e3", 1000), ("2^10", 1024), ("1.5e3", 1500), ("1e12", 10**12)]
)
def test_numbers_of_people_as_people_write_them(loans, written, people):
    document = loans("simulate", "fico.json", "from50.json", "--people", written, "--json", code=0).json
    assert sum(document["people"]) == people


def test_the_answer_in_json(loans):
    words = ["simulate", "fico.json", "from50.json", "--people-per-group", "1e6", "--seed", "9"]
    document = loans(*words, "--json", "-o", "counts.json", code=0).json
    assert document["schema"] == "fairstep/simulation/1"
    assert document["file"] == "counts.json"
    assert document["by"] == "counts"
    assert document["seed"] == 9
    assert document["groups"] == ["white", "black"]
    assert document["people"] == [10**6, 10**6]
    assert document["decisions"] == [8 * 10**6, 8 * 10**6]
    # A million people: a rate is off by more than 0.0035 with probability below 3e-12 (Hoeffding; fewer than a million
    # are qualified or not, so those get 0.01: at least 1e5 people, below 5e-9), and 64 rates are looked at.
    exact = loans("evaluate", "fico.json", "from50.json", "--json", code=0).json["rates"]
    for key, tolerance in (("accept", 0.0035), ("qualified", 0.0035), ("tpr", 0.01), ("fpr", 0.01)):
        for g in range(2):
            assert document["rates"][key][g] == pytest.approx(exact[key][g], abs=tolerance)


def test_log_and_counts_give_the_same_answer(loans):
    words = ["simulate", "fico.json", "from50.json", "--people", "2000", "--seed", "4", "--json"]
    log = loans(*words, "-o", "log.csv", code=0).json
    counts = loans(*words, "--by", "person", "-o", "counts.json", code=0).json
    summary = loans(*words, "--by", "person", code=0).json
    for key in ("people", "decisions", "rates", "by", "seed", "warnings"):
        assert log[key] == counts[key] == summary[key]
    assert summary["file"] is None


def test_without_a_file_there_is_a_summary_for_people(loans):
    run = loans("simulate", "fico.json", "from50.json", "--people-per-group", "1000", code=0)
    lines = run.out.splitlines()
    assert lines[0] == "fico.json under from50.json, seed 1: 2,000 people, 16,000 decisions"
    assert lines[-2].split()[:2] == ["white", "1,000"]
    assert lines[-1].split()[:2] == ["black", "1,000"]
    assert run.err == ""
    assert loans.files() == ["fico.json", "from50.json"]


def test_rates_of_nobody_are_null_with_a_reason(loans):
    document = loans("simulate", "fico.json", "from50.json", "--people", "1", "--json", code=0).json
    assert None in document["rates"]["accept"][0] + document["rates"]["accept"][1]
    assert any("is undefined" in warning for warning in document["warnings"])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "fairstep simulate needs --people or --people-per-group, neither is given"),
        (
            ["--people", "5", "--people-per-group", "5"],
            "fairstep simulate needs --people or --people-per-group, both are given",
        ),
        (
            ["--people", "5", "-o", "log.txt"],
            '--output is "log.txt", expected a name that ends in .csv (a log) or .json',
        ),
        (["--people", "5", "-o", "log.csv", "--by", "counts"], "--by counts draws no single persons"),
        (["--people", "2^63"], "--people is 9223372036854775808, expected at most"),
        (["--people-per-group", "2^62"], "--people-per-group is 4611686018427387904, expected at most"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_cannot_be_simulated_is_explained(loans, words, message):
    run = loans("simulate", "fico.json", "from50.json", *words, code=2)
    assert run.err.startswith(f"error: {message}")
    assert run.out == ""


def start(loans, *words):
    return subprocess.Popen(
        [BINARY, "simulate", "fico.json", "from50.json", "--people", "1e10", *words],
        cwd=loans.folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for_temporary(loans):
    """Until the file is being written under its temporary name."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if any(name.endswith(".tmp") for name in loans.files()):
            return
        time.sleep(0.01)
    raise AssertionError("no temporary file appeared")


def wait_until_watching(process):
    """Until the program has taken SIGINT into its own hands: caught, and blocked in the main thread.

    Blocked alone is not enough: a library that starts a thread while it is loaded blocks all signals for that moment.
    """
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        status = Path(f"/proc/{process.pid}/status").read_text()
        if all(int(status.split(key)[1].split()[0], 16) & 1 << (signal.SIGINT - 1) for key in ("SigBlk:", "SigCgt:")):
            return
        time.sleep(0.01)
    raise AssertionError("SIGINT is not blocked")


@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupt_removes_the_unfinished_log(loans, sent, code):
    before = loans.files()
    process = start(loans, "-o", "log.csv")
    wait_for_temporary(loans)
    process.send_signal(sent)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == code
    assert out == ""
    assert err == "error: interrupted; nothing was written\n"
    assert loans.files() == before


def test_an_interrupt_with_json_is_one_document(loans):
    process = start(loans, "-o", "log.csv", "--json")
    wait_for_temporary(loans)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert err == ""
    error = json.load(io.StringIO(out))["error"]
    assert error["code"] == 130
    assert error["kind"] == "interrupted"


def test_an_interrupt_while_waiting_for_the_reader_of_a_pipe_ends_the_program(loans):
    os.mkfifo(loans.folder / "pipe.csv")
    process = start(loans, "-o", "pipe.csv")
    wait_until_watching(process)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=PATIENCE)
    assert process.returncode == 130


def test_counting_people_one_by_one_can_be_interrupted_too(loans):
    process = start(loans, "--by", "person")
    wait_until_watching(process)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=PATIENCE)
    assert process.returncode == 130


def test_a_log_can_go_into_a_pipe(loans):
    os.mkfifo(loans.folder / "pipe.csv")
    done = loans.line(
        "cat pipe.csv & fairstep simulate fico.json from50.json --people 100 --json -q -o pipe.csv >a.json; wait"
    )
    assert done.code == 0
    assert len(done.out.splitlines()) == 1 + 100 * 8
    assert (loans.folder / "pipe.csv").is_fifo()
