"""Whatever happens to the disk or the process, nothing is lost, half-written or wrong.

A small library (tests/faults/fault_at.c) is loaded into the command and makes any one of its touches of the disk the
last, tears it in the middle, or lets the disk be full from there on. Every touch of a run is tried in turn.
"""

import os
import re
import shutil
import signal
import stat
import subprocess

import pytest
from conftest import BINARY, PATIENCE
from faults import compiled, faults
from small import hand
from test_cli_experiment import tree

EXPERIMENT = """\
schema = "fairstep/experiment/1"
environments = [{name = "loans", model = "loans.json"}]
fairness = "dp"
schedule = "2^3..2^4"
repeats = 1
evaluation_episodes = 10
certificate = "off"

[frontier]
limits = [0.2]

[[method]]
method = "constrained"
"""
COMMANDS = {
    "learn": ["learn", "loans.json", "--schedule", "8,16", "--no-proof", "-o", "out"],
    "experiment": ["experiment", "small.toml", "-o", "out", "--threads", "1"],
    "policy": ["policy", "loans.json", "--uniform", "0.5", "-o", "out/policy.json"],
    "certify": ["certify", "counts.json", "half.json", "-o", "out/certificate.json"],
}


@pytest.fixture(scope="session")
def library(tmp_path_factory):
    return compiled("fault_at", tmp_path_factory.mktemp("faults"))


@pytest.fixture
def place(fairstep):
    fairstep.write("loans.json", hand())
    fairstep.write("small.toml", EXPERIMENT)
    fairstep("policy", "loans.json", "--uniform", "0.5", "-o", "half.json", "--quiet", code=0)
    fairstep("simulate", "loans.json", "half.json", "--people", "50", "-o", "counts.json", "--quiet", code=0)
    (fairstep.folder / "out").mkdir()
    return fairstep


def run(place, words, library=None, **chosen):
    environment = faults(library, **chosen) if library else None
    return subprocess.run(
        [BINARY, *words, "--quiet"], cwd=place.folder, env=environment, capture_output=True, text=True, timeout=PATIENCE
    )


def touches(place, words, library):
    """How often the command touches the disk, and what it leaves."""
    count = place.folder.parent / "touches"
    assert run(place, words, library, FAULT_COUNT=count).returncode == 0
    left = tree(place.folder / "out")
    start_over(place)
    return int(count.read_text()), left


def results(place):
    """A single file that was being written stays behind under a name of its own: its folder is not ours to tidy up."""
    unfinished = re.compile(r"\.fairstep-\d+-\d+\.tmp")
    return {name: text for name, text in tree(place.folder / "out").items() if not unfinished.fullmatch(name)}


def start_over(place):
    shutil.rmtree(place.folder / "out")
    (place.folder / "out").mkdir()


@pytest.mark.parametrize("fault", ["kill", "torn"])
@pytest.mark.parametrize("command", COMMANDS)
def test_killed_at_any_write_the_same_command_ends_with_the_same_bytes(place, library, command, fault):
    words = COMMANDS[command]
    writes, whole = touches(place, words, library)
    assert writes >= 3
    for at in range(1, writes + 1):
        died = run(place, words, library, FAULT=fault, FAULT_AT=at)
        assert died.returncode == -signal.SIGKILL, at
        # What has its name is whole: whoever reads it in the meantime reads what will stay.
        left = results(place)
        assert all(text == whole[name] for name, text in left.items() if name in whole), at
        again = run(place, words)
        assert again.returncode == 0, (at, again.stderr)
        assert results(place) == whole, at
        start_over(place)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_disk_that_fills_up_is_an_error_and_the_run_goes_on_once_there_is_room(place, library, command):
    words = COMMANDS[command]
    writes, whole = touches(place, words, library)
    refused = 0
    for at in range(1, writes + 1):
        full = run(place, words, library, FAULT="full", FAULT_AT=at)
        # The last touches may be ones that a full disk does not refuse.
        assert full.returncode in (0, 2, 4), (at, full.stderr)
        if full.returncode != 0:
            refused += 1
            assert "No space left on device" in full.stderr, (at, full.stderr)
        again = run(place, words)
        assert again.returncode == 0, (at, again.stderr)
        assert tree(place.folder / "out") == whole, at
        start_over(place)
    assert refused > 0


def test_a_folder_that_may_not_be_written_is_named(place):
    if os.geteuid() == 0:
        target = "/proc/fairstep-no-such-place"  # root may write anywhere but where there is nothing to write to
    else:
        closed = place.folder / "closed"
        closed.mkdir()
        closed.chmod(stat.S_IRUSR | stat.S_IXUSR)
        target = str(closed / "out")
    for words in (COMMANDS["learn"], COMMANDS["experiment"]):
        answer = run(place, [target if word == "out" else word for word in words])
        assert answer.returncode in (2, 4)
        assert target in answer.stderr


def test_a_file_that_is_replaced_while_it_is_read_is_read_as_one_or_the_other(place):
    """Files are read whole before they are understood: another writer's file is never mixed with the old one."""
    from threading import Event, Thread

    one, other = hand(), hand() | {"horizon": 5}
    place.write("one.json", one)
    place.write("other.json", other)
    texts = {name: (place.folder / f"{name}.json").read_bytes() for name in ("one", "other")}
    done = Event()

    def replace():
        turn = 0
        while not done.is_set():
            name = ("one", "other")[turn % 2]
            (place.folder / "next.json").write_bytes(texts[name])
            os.replace(place.folder / "next.json", place.folder / "changing.json")
            turn += 1

    place.write("changing.json", one)
    writer = Thread(target=replace)
    writer.start()
    try:
        for _ in range(60):
            answer = run(place, ["validate", "changing.json"])
            assert answer.returncode == 0, answer.stderr
    finally:
        done.set()
        writer.join()
