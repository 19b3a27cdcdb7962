"""Long work: it can be watched, Ctrl-C stops it, and other threads go on meanwhile."""

import signal
import subprocess
import sys
import threading

import numpy as np
import pyarrow as pa
import pytest
from conftest import MODULE, PATIENCE, ROOT

import fairstep as fs

BEGIN = """
import sys, fairstep as fs
def hear(news):
    print("at work", flush=True)
large = fs.env("random", groups=3, features=8, horizon=10, seed=2)
"""
# Each would take minutes.
LONG = {
    "solve": 'fs.solve(large, fairness="eqopt", limit=0.001, gap=0, time_limit=600, progress=hear)',
    "pareto": 'fs.pareto(large, fairness="eqodds", gap=0, time_limit=600, progress=hear)',
    "learn": 'fs.learn(fs.env("fico"), no_proof=True, evaluation_episodes=0, schedule=range(8, 10**6), progress=hear)',
    "certify": """
m = fs.env("random", groups=4, features=80, horizon=60)
p = fs.policy(m, random=True)
fs.certify(fs.simulate(m, p, people=1e9), p, progress=hear)""",
    "experiment": """
open("grid.toml", "w").write('schema = "fairstep/experiment/1"\\nenvironments = ["fico"]\\nfairness = "eqopt"\\n'
    'repeats = 50\\nschedule = "2^3..2^18"\\n[[method]]\\nmethod = "constrained"\\n')
fs.experiment("grid.toml", output="runs", threads=2, progress=hear)""",
}


def started(program, folder):
    environment = {"PYTHONPATH": str(MODULE), "PATH": "/usr/bin:/bin"}
    pipe = subprocess.PIPE
    words = [sys.executable, "-c", BEGIN + program]
    work = subprocess.Popen(words, cwd=folder, env=environment, stdout=pipe, stderr=pipe, text=True)
    last_resort = threading.Timer(PATIENCE, work.kill)
    last_resort.daemon = True
    last_resort.start()
    return work


@pytest.mark.parametrize("verb", LONG)
def test_ctrl_c_stops_it(verb, tmp_path):
    work = started(LONG[verb], tmp_path)
    try:
        assert work.stdout.readline() == "at work\n", work.communicate(timeout=PATIENCE)
        work.send_signal(signal.SIGINT)
        # Not a measurement: without being stopped it would be at work for minutes.
        _, said = work.communicate(timeout=PATIENCE)
    finally:
        work.kill()
    assert work.returncode == -signal.SIGINT and said.rstrip().endswith("KeyboardInterrupt"), said


def test_a_stopped_run_goes_on_from_where_it_was(tmp_path):
    call = 'fs.learn(fs.env("fico"), fairness="dp", schedule="2^3..2^13", no_proof=True, output="run", progress=hear)'
    work = started(call, tmp_path)
    assert work.stdout.readline() == "at work\n"
    work.send_signal(signal.SIGINT)
    work.communicate(timeout=PATIENCE)
    again = fs.learn(fs.env("fico"), fairness="dp", schedule="2^3..2^13", no_proof=True, output=tmp_path / "run")
    straight = fs.learn(fs.env("fico"), fairness="dp", schedule="2^3..2^13", no_proof=True)
    assert again.finished and [u.value for u in again.updates] == [u.value for u in straight.updates]
    assert again.policy == straight.policy


def test_what_the_listener_raises_stops_the_work():
    class Enough(Exception):
        pass

    def enough(news):
        raise Enough(news.phase)

    model = fs.env("random", groups=3, features=8, horizon=10, seed=2)
    with pytest.raises(Enough):
        fs.solve(model, fairness="eqopt", limit=0.001, gap=0, time_limit=600, progress=enough)


def test_a_count_is_given_up_when_its_time_is_over():
    people = 4_000_000
    persons = np.random.default_rng(3).permutation(people)
    ones = np.ones(people, dtype=np.int8)
    frame = pa.table(
        {"person": persons, "step": ones - 1, "group": ["a", "b"] * (people // 2), "x": ones, "y": ones, "a": ones}
    )
    with pytest.raises(TimeoutError, match="stopped"):
        fs.count(frame, time_limit=1e-3, threads=1)
    with pytest.raises(ValueError, match="time_limit is 0, expected more than 0 seconds"):
        fs.count(frame, time_limit=0)


def test_a_certificate_that_is_not_ready_in_time_is_none():
    model = fs.env("random", groups=4, features=60, horizon=40, seed=5)
    policy = fs.policy(model, uniform=0.5)
    counts = fs.simulate(model, policy, people_per_group=1000)
    with pytest.raises(TimeoutError, match="stopped"):
        fs.certify(counts, policy, time_limit=1e-3)
    with pytest.raises(ValueError, match="time_limit is -1, expected more than 0 seconds"):
        fs.certify(counts, policy, time_limit=-1)


OTHERS = """
import os, threading, time
worker = threading.Thread(
    target=lambda: fs.solve(large, fairness="eqopt", limit=0.001, gap=0, time_limit=1e6, progress=False), daemon=True)
worker.start()
while time.process_time() - time.thread_time() < 1:  # by then others are deep in the solve, which never gives way
    time.sleep(0.001)
for _ in range(100):
    time.sleep(0.001)
print("still here" if worker.is_alive() else "too late", flush=True)
os._exit(0)
"""


def test_other_threads_run_while_it_solves(tmp_path):
    """A solve that kept the lock to itself would let nobody say so before its end, which is days away."""
    work = started(OTHERS, tmp_path)
    out, said = work.communicate(timeout=PATIENCE)
    assert out == "still here\n", said


def test_two_threads_solve_at_once():
    model = fs.env("fico")
    found = []
    limits = [0.01, 0.02, 0.05, 0.1]
    threads = [
        threading.Thread(target=lambda c=c: found.append((c, fs.solve(model, fairness="dp", limit=c).value)))
        for c in limits
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    values = [value for _, value in sorted(found)]
    assert len(values) == 4 and values == sorted(values)


def test_a_bar_is_shown_if_one_insists(capfd, monkeypatch):
    model = fs.env("fico", horizon=3)
    fs.learn(model, schedule="2^3..2^5", no_proof=True, evaluation_episodes=0, progress=True)
    fs.solve(model, fairness="dp", progress=None)  # nobody looks: no terminal
    assert "solve" not in capfd.readouterr().err
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    monkeypatch.setitem(sys.modules, "tqdm", None)
    with pytest.raises(ImportError, match="pip install tqdm"):
        fs.solve(model, fairness="dp", progress=True)
    assert fs.solve(model, fairness="dp", progress=None).found


def test_spark_needs_nothing_compiled(tmp_path):
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "import fairstep.spark, fairstep\ntry: fairstep.solve\nexcept ImportError as e: print(e)",
        ],
        env={"PYTHONPATH": str(ROOT / "python")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith("the compiled part of fairstep is not here")
