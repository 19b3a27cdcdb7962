"""The engine of `make test` and `make verify`: it goes on after a failure, counts what was counted, and claims no pass
that is not there; `make check` finds what is downstream of a change."""

import importlib.machinery
import importlib.util
import re
import subprocess
import sys

import pytest
from conftest import ROOT

sys.path.insert(0, str(ROOT / "scripts"))
import rooms
import stages
from stages import Stage


def script(name):
    """A file of scripts/ as a module."""
    loader = importlib.machinery.SourceFileLoader(f"script_{name}", str(ROOT / "scripts" / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    sys.modules[loader.name] = module
    loader.exec_module(module)
    return module


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Runs stages with logs of their own; returns the exit code and all that was printed."""
    monkeypatch.setattr(stages, "LOGS", tmp_path / "logs")
    monkeypatch.setattr(stages, "ROOT", tmp_path)

    def run(*members, **options):
        code = stages.run(list(members), **options)
        return code, capsys.readouterr().out

    return run


def says(name, text, code=0, **more):
    return Stage(name, ["bash", "-c", f"echo '{text}'; exit {code}"], **more)


def test_tests_are_counted_by_what_summaries_say(run):
    code, out = run(says("a", "12 passed in 3.1s"), says("b", "clang-tidy: 3 files looked at, 0 with findings"))
    assert code == 0
    assert re.fullmatch(r"13 passed, 0 failed in 0 min \d s", out.splitlines()[-1])


def test_a_failure_stops_only_what_needs_it(run):
    code, out = run(
        says("build", "error: no", code=1),
        says("tests", "5 passed", needs=("build",)),
        says("more tests", "5 passed", needs=("tests",)),
        says("others", "2 failed, 7 passed, 1 error in 3 s", code=1),
        says("last", "4 passed"),
    )
    assert code == 1
    assert out.splitlines()[-1].startswith("11 passed, 6 failed in ")
    assert "error: no" in out and "NOT RUN, for want of build" in out and "NOT RUN, for want of tests" in out


def test_a_stage_that_fails_without_a_word_is_a_failure(run):
    code, out = run(Stage("silent", ["bash", "-c", "kill -SEGV $$"]), says("lies", "9 passed", code=1))
    assert code == 1
    assert out.splitlines()[-1].startswith("9 passed, 2 failed in ")


def test_stages_that_take_one_processor_run_side_by_side(run, tmp_path, monkeypatch):
    """Each waits for a sign of the other: one after the other they would never end."""
    monkeypatch.setattr(stages, "PROCESSORS", 2)

    def meets(mine, other):
        text = f"echo >{tmp_path}/{mine}; read -t 600 -r _ <>{tmp_path}/{mine}.pipe; echo 1 passed"
        subprocess.run(["mkfifo", tmp_path / f"{mine}.pipe"], check=True)
        return Stage(mine, ["bash", "-c", f"echo go >{tmp_path}/{other}.pipe & {text}; wait"], alone=False)

    code, out = run(meets("a", "b"), meets("b", "a"))
    assert code == 0 and out.splitlines()[-1].startswith("2 passed")


def test_what_passed_is_not_run_again_until_something_changes(run, tmp_path):
    counter = tmp_path / "counter"
    stage = Stage("counts", ["bash", "-c", f"echo >>{counter}; echo 3 passed"], remembered=True)
    for key, runs in (("before", 1), ("before", 1), ("after", 2), ("before", 3)):
        code, out = run(stage, key=lambda key=key: key)
        assert code == 0 and out.splitlines()[-1].startswith("3 passed, 0 failed")
        assert len(counter.read_text().splitlines()) == runs


def test_what_failed_or_saw_a_change_underway_is_not_remembered(run):
    fails = says("fails", "1 failed", code=1, remembered=True)
    assert [run(fails, key=lambda: "same")[0] for _ in range(2)] == [1, 1]
    keys = iter(["before", "changed meanwhile"])
    passes = says("passes", "1 passed", remembered=True)
    run(passes, key=lambda: next(keys))
    assert not passes.passed.exists()


def test_the_key_knows_files_that_git_has_never_seen(tmp_path, monkeypatch):
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    monkeypatch.setattr(stages, "ROOT", tmp_path)
    keys = [stages.everything_that_matters()]
    for name in ("new.txt", "build/bin/fairstep", "build/python/fairstep/_core.so", "build/venv/.stamp-python"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        for text in ("a", "b"):
            path.write_text(text)
            keys.append(stages.everything_that_matters())
    (tmp_path / "new.txt").chmod(0o755)
    keys.append(stages.everything_that_matters())
    monkeypatch.setenv("FAIRSTEP_BINARY", "another")
    keys.append(stages.everything_that_matters())
    assert len(set(keys)) == len(keys)
    assert stages.everything_that_matters() == keys[-1]


LOG = """\
1/3 Testing: core.part0
1/3 Test: core.part0
[==========] 20 tests ran.
[  PASSED  ] 20 tests.
<end of output>
Test Passed.
2/3 Testing: core.part1
2/3 Test: core.part1
[  FAILED  ] Core.Adds (0 ms)
[  PASSED  ] 17 tests.
[  FAILED  ] 2 tests, listed below:
[  FAILED  ] Core.Adds
<end of output>
Test Failed.
3/3 Testing: rooms.TheArrowsHoldFrom_core
3/3 Test: rooms.TheArrowsHoldFrom_core
<end of output>
Test Passed.
4/3 Testing: io.part0
4/3 Test: io.part0
Segmentation fault
Test Failed.
"""


def test_ctest_s_programs_are_counted_by_their_tests():
    assert script("ctests").count(LOG) == (38, 3)


def test_every_stage_is_in_one_of_the_two_commands_and_needs_what_exists():
    table = script("test")
    for gate in (table.TEST, table.VERIFY):
        names = [stage.name for stage in gate]
        assert len(set(names)) == len(names)
        assert all(set(stage.needs) <= set(names) for stage in gate)
    assert not {stage.name for stage in table.TEST} & {stage.name for stage in table.VERIFY}


def test_downstream_of_a_room_is_all_that_depends_on_it():
    assert rooms.downstream(["core"]) == set(rooms.rooms())
    assert rooms.downstream(["report"]) == {"report"}
    assert {"learn", "experiment", "report"} <= rooms.downstream(["optimise"])
    assert "ingest" not in rooms.downstream(["optimise"])


@pytest.mark.parametrize(
    ("changed", "programs", "python"),
    [
        ("src/fairstep/report/html.cpp", {"report", "cli", "adversaries"}, set()),
        ("tests/optimise/local/climb_test.cpp", {"optimise"}, set()),
        ("tests/python/test_docs.py", set(), {"tests/python/test_docs.py"}),
        ("tests/python/conftest.py", set(), {"tests/python"}),
        ("python/fairstep/__init__.py", set(), {"tests/python/module"}),
        ("cli/shell/run.cpp", {"cli"}, {"tests/python/test_cli_*.py"}),
    ],
)
def test_a_change_is_checked_by_what_is_downstream_of_it(changed, programs, python):
    plan = script("check").tests_of([changed])
    assert (plan.programs, plan.python, plan.beyond) == (programs, python, [])


def test_what_is_not_checked_is_said():
    assert script("check").tests_of(["README.md"]).beyond == ["README.md"]
