"""Time limits and Ctrl-C outside of the optimiser: what was settled is kept, and nothing half done is left."""

import json
import signal
import subprocess
import time

import pytest
from conftest import BINARY, PATIENCE


@pytest.fixture
def crowd(fairstep):
    """A log that takes a while: its persons are not in order, so that the engine sorts."""
    fairstep("env", "fico", "--horizon", 8, "-o", "fico.json", code=0)
    fairstep("policy", "fico.json", "--uniform", 0.5, "-o", "half.json", code=0)
    fairstep("simulate", "fico.json", "half.json", "--people", 30_000, "-o", "log.csv", code=0)
    head, *rows = (fairstep.folder / "log.csv").read_text().splitlines(keepends=True)
    (fairstep.folder / "log.csv").write_text("".join([head, *rows[::-1]]))
    return fairstep


@pytest.fixture
def large(fairstep):
    """Counts of so many cells that one certificate takes a second or so, and a plan two dozen of them."""
    fairstep("env", "random", "--features", 90, "--horizon", 6, "-o", "model.json", code=0)
    fairstep("policy", "model.json", "--threshold", "x=45", "-o", "policy.json", code=0)
    words = ("simulate", "model.json", "policy.json", "--people-per-group", "2^16", "-o", "counts.json")
    fairstep(*words, code=0)
    return fairstep


def planning(large):
    """A plan for a gap that more people reach, once its certificate is written."""
    found = large("certify", "counts.json", "policy.json", "--fairness", "dp", "--json", code=0).json
    target = (max(found["certified_gap"]["dp"]) + 2 * max(found["estimated_gap"]["dp"])) / 3
    words = ["certify", "counts.json", "policy.json", "--fairness", "dp", "--plan", f"{target:.6f}", "-o", "c.json"]
    process = subprocess.Popen(
        [BINARY, *words, "--json"], cwd=large.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    while not (large.folder / "c.json").exists():
        assert process.poll() is None
        time.sleep(0.01)
    return process


def test_a_count_that_takes_too_long_writes_nothing(crowd):
    before = crowd.files()
    stopped = crowd("count", "log.csv", "-o", "counts.json", "--time-limit", "1e-6", code=3)
    assert stopped.err.startswith("error: stopped ")
    assert "nothing was written" in stopped.err
    assert crowd.files() == before
    document = crowd("count", "log.csv", "-o", "counts.json", "--time-limit", "1e-6", "--json", code=3).json
    assert (document["error"]["kind"], document["error"]["code"]) == ("undecided", 3)


def test_a_count_with_time_enough_is_the_same(crowd):
    crowd("count", "log.csv", "-o", "plain.json", code=0)
    crowd("count", "log.csv", "-o", "limited.json", "--time-limit", 600, code=0)
    assert crowd.read("plain.json") == crowd.read("limited.json")


@pytest.mark.parametrize("verb", [("count", "log.csv"), ("certify", "counts.json", "policy.json")])
@pytest.mark.parametrize("limit", ["0", "-1", "nan"])
def test_a_time_limit_is_a_time(fairstep, verb, limit):
    refused = fairstep(*verb, f"--time-limit={limit}", code=2)
    assert "--time-limit is" in refused.err


def test_a_certificate_that_takes_too_long_is_none(large):
    before = large.files()
    stopped = large("certify", "counts.json", "policy.json", "-o", "c.json", "--time-limit", "1e-6", code=3)
    assert stopped.err == "error: stopped before there was a certificate; nothing was written\n"
    assert large.files() == before


@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_plan_leaves_the_certificate_and_says_what_it_settled(large, sent, code):
    # The plan was lost, and with it the certificate, which had been made long before.
    process = planning(large)
    process.send_signal(sent)
    out, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == code
    document = json.loads(out)
    assert document["plan"]["outcome"] == "unfinished"
    assert document["plan"]["not_enough"] >= 1  # these people, at least
    assert document["plan"]["scale"] is None and document["plan"]["more_people"] is None
    large("check", "c.json", code=0)


def test_an_interrupt_after_a_file_was_written_does_not_say_that_nothing_was(large):
    process = planning(large)
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGTERM)  # the second one ends it at once
    out, said = process.communicate(timeout=PATIENCE)
    assert process.returncode in (130, 143)
    assert b"nothing was written" not in out + said


def test_windows_times_groups_have_a_limit(fairstep):
    rows = ["person,group,step,x,y,a,date"]
    rows += [f"{i},g{i},0,low,0,1,2000-01-01" for i in range(3000)]
    rows += [f"{3000 + i},g0,0,low,0,1,{1500 + i}-01-01" for i in range(480)]
    (fairstep.folder / "log.csv").write_text("\n".join(rows) + "\n")
    refused = fairstep("count", "log.csv", "--map", "time=date", "--window", "year", "-o", "c.json", code=2)
    assert "time has too many calendar windows for a table" in refused.err and "with 3000 groups" in refused.err
    assert not (fairstep.folder / "c.json").exists()
    fairstep("count", "log.csv", "-o", "c.json", code=0)
