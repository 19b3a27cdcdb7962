"""Without enough memory: a message and an exit code, never a crash, and nothing half-written.

A small library (tests/faults/no_memory.c) refuses one request for memory, or all large ones from there on; or the
system gives the process less than it needs.
"""

import os
import re
import resource
import subprocess

import pytest
from conftest import BINARY, PATIENCE
from faults import compiled
from small import hand
from test_cli_experiment import tree

# Whatever is written goes to out/.
COMMANDS = {
    "evaluate": ["evaluate", "m.json", "p.json"],
    "solve": ["solve", "m.json", "--fairness", "dp", "--limit", "0.1", "-o", "out/solved.json"],
    "penalty": ["solve", "m.json", "--fairness", "eqopt", "--penalty", "1", "--no-proof", "-o", "out/solved.json"],
    "simulate": ["simulate", "m.json", "p.json", "--people", "500", "-o", "out/log.csv"],
    "learn": ["learn", "m.json", "--schedule", "8,16", "--evaluation-episodes", "10", "-o", "out/run"],
    "certify": ["certify", "c.json", "p.json", "-o", "out/certificate.json"],
    "check": ["check", "certificate.json"],
    "experiment": ["experiment", "e.toml", "-o", "out/run", "--threads", "2"],
    "count": ["count", "log.csv", "-o", "out/counts.json"],
}
# Solvers (HiGHS, Ipopt with MUMPS) and DuckDB have code that we cannot make careful, and threads of their own. They may
# end the process by themselves; what is on the disk must be as it was all the same.
THIRD_PARTIES = ("solve", "penalty", "learn", "experiment", "count")
EXPERIMENT = """\
schema = "fairstep/experiment/1"
environments = [{name = "m", model = "m.json"}]
fairness = "dp"
schedule = "2^3..2^4"
repeats = 2
evaluation_episodes = 10
certificate = "off"

[[method]]
method = "constrained"
"""


@pytest.fixture(scope="session")
def library(tmp_path_factory):
    return compiled("no_memory", tmp_path_factory.mktemp("faults"))


@pytest.fixture
def place(fairstep):
    fairstep.write("m.json", hand())
    fairstep.write("e.toml", EXPERIMENT)
    fairstep("policy", "m.json", "--uniform", 0.5, "-o", "p.json", "-q", code=0)
    for file in ("c.json", "log.csv"):
        fairstep("simulate", "m.json", "p.json", "--people", 50, "-o", file, "-q", code=0)
    fairstep("certify", "c.json", "p.json", "-o", "certificate.json", "-q", code=0)
    (fairstep.folder / "out").mkdir()
    return fairstep


def run(place, words, library, **settings):
    environment = os.environ | {"LD_PRELOAD": str(library)} | {name: str(value) for name, value in settings.items()}
    return subprocess.run(
        [BINARY, *words, "--quiet"], cwd=place.folder, env=environment, capture_output=True, text=True, timeout=PATIENCE
    )


@pytest.mark.parametrize("kind", ["once", "since"])
@pytest.mark.parametrize("command", COMMANDS)
def test_memory_that_is_refused_is_an_error_and_leaves_nothing_half_written(place, library, command, kind):
    words = COMMANDS[command]
    count = place.folder.parent / "requests"
    assert run(place, words, library, NO_MEMORY_COUNT=count).returncode == 0
    requests = int(count.read_text())
    whole = tree(place.folder / "out")
    told = 0
    few = {round(requests ** (step / 8)) for step in range(9)}
    places = sorted(few | {requests * step // 7 for step in range(1, 7)})
    for at in places:
        for old in sorted((place.folder / "out").rglob("*"), reverse=True):
            old.rmdir() if old.is_dir() else old.unlink()
        refused = run(place, words, library, NO_MEMORY=kind, NO_MEMORY_AT=at)
        # Some requests are for what can be done without, and the answer is then the usual one.
        ended = refused.returncode in (0, 1, 2, 3, 4)
        assert ended or command in THIRD_PARTIES, (at, refused.returncode, refused.stderr)
        if refused.returncode == 4:
            assert refused.stderr.startswith("error: "), (at, refused.stderr)
            told += "out of memory" in refused.stderr
        # What has its name is what it would have been; a search that went on without may end at another policy.
        for name, text in tree(place.folder / "out").items():
            if re.search(r"\.fairstep-.*\.tmp$", name):
                continue
            if command in ("solve", "penalty"):
                place("validate", f"out/{name}", code=0)
            else:
                assert text == whole[name], (at, name)
    assert told > 0, places


def limited(megabytes):
    """What a process does to itself before it becomes the command."""
    return lambda: resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))


# OpenBLAS starts a thread for each core before main, and each asks for 128 MB until it gets them.
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1"}


def needed(fairstep, *words):
    """The least memory in MB, to 4 MB, with which a command ends well: it differs from machine to machine."""
    too_little, enough = 0, 4096
    while enough - too_little > 4:
        half = (too_little + enough) // 2
        ended_well = fairstep(*words, env=ONE_THREAD, preexec_fn=limited(half)).code == 0
        too_little, enough = (too_little, half) if ended_well else (half, enough)
    return enough


def test_a_model_too_large_for_the_memory_that_there_is_is_an_error(fairstep):
    fairstep("env", "random", "--features", 150, "--horizon", 2, "-o", "large.json", "-q", code=0)
    fairstep.write("small.json", hand())
    # The large model's text alone is larger than what this leaves free.
    megabytes = needed(fairstep, "validate", "small.json") + 2
    assert (fairstep.folder / "large.json").stat().st_size > 6 << 20
    for words in (["validate", "large.json"], ["policy", "large.json", "--uniform", 0.5, "-o", "half.json"]):
        short = fairstep(*words, "-q", env=ONE_THREAD, preexec_fn=limited(megabytes))
        assert short.code == 4, short.err
        assert "out of memory" in short.err
    assert "half.json" not in fairstep.files()
