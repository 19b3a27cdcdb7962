"""fairstep experiment: a grid of runs from one file, the same bytes however it is run, files that others can read."""

import json
import os
import re
import signal
import subprocess
import tomllib

import pytest
from conftest import BINARY, PATIENCE, ROOT
from faults import compiled, faults, interrupt, stopped
from jsonschema import Draft202012Validator
from small import hand

SMALL = """\
schema = "fairstep/experiment/1"
name = "small"
environments = ["fico", {name = "loans", label = "Our loans", model = "data/loans.json"}]
fairness = ["dp", "eqopt"]
horizon = 3
schedule = "2^4..2^7"
repeats = 2
evaluation_episodes = 50
certificate = "off"

[frontier]
limits = [0, 0.2]

[[method]]
method = "constrained"

[[method]]
method = "penalty"
lambda = [0.1, 10]
"""
CELLS = 2 * 2 * 3
RUNS = CELLS * 2
SOLVES = RUNS * 4
CONFIGS = sorted((ROOT / "configs").glob("*.toml"))
BAD = ROOT / "tests/experiment/bad"


@pytest.fixture
def small(fairstep):
    (fairstep.folder / "data").mkdir()
    fairstep.write("data/loans.json", hand())
    fairstep.write("small.toml", SMALL)
    return fairstep


def tree(folder):
    """Every file but the locks, which name the last process, and the one that is about time."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in (".lock", "timing.json")
    }


def schema(name):
    return Draft202012Validator(json.loads((ROOT / "schemas" / f"{name}.schema.json").read_text("utf-8")))


def test_the_answer_counts_what_was_done(small):
    document = small("experiment", "small.toml", "-o", "out", "--threads", 2, "--json", code=0).json
    assert document["schema"] == "fairstep/experiment-summary/1"
    assert document["folder"] == "out"
    assert document["name"] == "small"
    assert document["finished"] is True
    assert (document["runs"], document["runs_finished"], document["runs_resumed"]) == (RUNS, RUNS, 0)
    assert (document["solves"], document["solves_made"]) == (SOLVES, SOLVES)
    assert document["gap"] is document["certified"] is document["certified_share"] is document["worst_gap"] is None
    assert document["threads"] == 2
    assert document["solves_per_second"] == pytest.approx(SOLVES / document["time_s"])
    assert len(document["cells"]) == CELLS
    for cell in document["cells"]:
        for r in range(2):
            run = f"out/runs/{cell['environment']}/{cell['fairness']}/{cell['method']}/{r}"
            last = small.read(f"{run}/result.json")["updates"][-1]
            assert (last["value"], last["violation"]) == (cell["value"][r], cell["violation"][r])


def test_people_get_a_table(small):
    run = small("experiment", "small.toml", "-o", "out", code=0)
    lines = run.out.splitlines()
    assert lines[0].startswith(f"experiment: {RUNS} of {RUNS} runs, {SOLVES} solves.")
    assert sum(line.startswith(("fico ", "loans ")) for line in lines) == CELLS
    assert re.search(rf"^{SOLVES} solves in [0-9.]+ s on \d+ threads", run.err, re.MULTILINE)
    assert small("experiment", "small.toml", "-o", "out", "--quiet", code=0).err == ""


def test_a_run_is_what_learn_would_have_made(small):
    small("experiment", "small.toml", "-o", "out", "--quiet", code=0)
    config = small.read("out/runs/fico/eqopt/penalty-0.1/1/run.json")
    small("env", "fico", "--horizon", 3, "-o", "fico.json", "--quiet", code=0)
    words = ["--fairness", "eqopt", "--method", "penalty", "--lambda", "0.1", "--schedule", "2^4..2^7", "--no-proof"]
    more = ["--evaluation-episodes", 50, "--seed", config["seed"], "-o", "alone", "--quiet"]
    small("learn", "fico.json", *words, *more, code=0)
    ours, alone = tree(small.folder / "out/runs/fico/eqopt/penalty-0.1/1"), tree(small.folder / "alone")
    assert small.read("alone/run.json") | {"oracle": config["oracle"]} == config
    assert set(ours) == set(alone)
    for name in set(ours) - {"run.json"}:
        assert ours[name] == alone[name], name


def test_threads_change_nothing(small):
    for threads in (1, 2, 3):
        small("experiment", "small.toml", "-o", f"out{threads}", "--threads", threads, "--quiet", code=0)
    one = tree(small.folder / "out1")
    assert len(one) > RUNS * 14
    assert tree(small.folder / "out2") == one
    assert tree(small.folder / "out3") == one


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    return compiled("fault_at", tmp_path_factory.mktemp("faults"))


@pytest.fixture
def slow(small):
    """The same with enough episodes of evaluation that it goes on for some seconds."""
    small.write("small.toml", SMALL.replace("episodes = 50", "episodes = 100000").replace("2^7", "2^10"))
    return small


def test_killed_and_taken_up_it_ends_with_the_same_bytes(small, library):
    small("experiment", "small.toml", "-o", "whole", "--threads", 1, "--quiet", code=0)
    for touches in (400, 300, 200):  # of the disk, each time from where it was; it takes more than a thousand
        killed = small(
            *("experiment", "small.toml", "-o", "killed", "--threads", 2),
            env=faults(library, FAULT="kill", FAULT_AT=touches),
        )
        assert killed.code == -signal.SIGKILL
    document = small("experiment", "small.toml", "-o", "killed", "--threads", 2, "--json", code=0).json
    assert document["finished"]
    assert tree(small.folder / "killed") == tree(small.folder / "whole")


def test_an_interrupt_keeps_what_is_done_and_the_same_command_goes_on(slow, library):
    words = [BINARY, "experiment", "small.toml", "-o", "out", "--threads", "2", "--json"]
    process = stopped(library, 500, words, cwd=slow.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert list(slow.folder.glob("out/runs/*/*/*/*/updates/0001.json"))
    interrupt(process)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130, err
    document = json.loads(out)
    assert document["finished"] is False
    assert document["runs_finished"] < RUNS
    assert "stopped; the same command goes on from here" in err
    assert not (slow.folder / "out/timing.json").exists()
    again = slow("experiment", "small.toml", "-o", "out", "--json", code=0)
    assert again.json["finished"] is True
    assert again.json["solves_made"] < again.json["solves"] == RUNS * 7
    slow("experiment", "small.toml", "-o", "whole", "--quiet", code=0)
    assert tree(slow.folder / "out") == tree(slow.folder / "whole")


@pytest.mark.parametrize("repeats", [10**6, 2**64 - 1])
def test_restarting_a_folder_that_claims_countless_repeats_is_refused_at_once(small, repeats):
    """Each of them was looked for on the disk."""
    small("experiment", "small.toml", "-o", "out", "--quiet", code=0)
    file = small.folder / "out" / "experiment.json"
    file.write_text(file.read_text().replace('"repeats": 2', f'"repeats": {repeats}'))
    run = small("experiment", "small.toml", "-o", "out", "--restart")
    assert run.code in (2, 4)
    assert f"repeats is {repeats}, expected at most 100000" in run.err and "in out/experiment.json" in run.err


def test_an_edited_sweep_is_found(small):
    small("experiment", "small.toml", "-o", "out", "--quiet", code=0)
    for file in (small.folder / "out" / "frontier").rglob("*.json"):
        file.write_text(file.read_text().replace("0.", "1.", 1))
        run = small("report", "out", "-o", "r.html", code=2)
        assert "its fingerprint is another" in run.err and file.name in run.err
        break


def test_a_changed_file_is_refused_with_what_differs(small):
    small("experiment", "small.toml", "-o", "out", "--quiet", code=0)
    before = tree(small.folder / "out")
    small.write("small.toml", SMALL.replace("repeats = 2", "repeats = 1"))
    run = small("experiment", "small.toml", "-o", "out", code=2)
    assert run.err == (
        'error: the folder holds another experiment: it has "repeats": 2, this one "repeats": 1\n'
        "  in out/experiment.json\n"
        "hint: use another folder, or start over with --restart\n"
    )
    assert tree(small.folder / "out") == before
    small("experiment", "small.toml", "-o", "out", "--restart", "--quiet", code=0)
    small("experiment", "small.toml", "-o", "fresh", "--quiet", code=0)
    assert tree(small.folder / "out") == tree(small.folder / "fresh")


def test_a_changed_model_is_refused_as_well(small):
    small("experiment", "small.toml", "-o", "out", "--quiet", code=0)
    model = hand()
    model["share"] = [0.5, 0.5]
    small.write("data/loans.json", model)
    run = small("experiment", "small.toml", "-o", "out", code=2)
    assert run.err.startswith("error: the folder holds another experiment: it has")
    assert "  in out/models/loans.json\n" in run.err


def test_only_one_process_uses_a_folder(small, library):
    process = stopped(library, 50, [BINARY, "experiment", "small.toml", "-o", "out"], cwd=small.folder)
    run = small("experiment", "small.toml", "-o", "out", code=4)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert run.err.startswith(f"error: the folder is in use by process {process.pid}\n")


def test_the_experiment_stands_in_a_file_that_its_schema_knows(small):
    small("experiment", "small.toml", "-o", "out", "--quiet", code=0)
    document = small.read("out/experiment.json")
    schema("experiment-run").validate(document)
    assert [environment["source"] for environment in document["environments"]] == ["fico", "file data/loans.json"]
    assert document["environments"][1]["label"] == "Our loans"
    assert document["environments"][1]["horizon"] == 2
    assert [method["id"] for method in document["methods"]] == ["ours", "penalty-0.1", "penalty-10"]
    for environment in document["environments"]:
        small("validate", f"out/{environment['model']}", code=0)


def test_proofs_are_counted(small):
    text = SMALL.replace('certificate = "off"', "certificate = {gap = 0.01, time_limit = 600}")
    small.write("small.toml", text.replace("repeats = 2", "repeats = 1").replace("2^7", "2^5"))
    document = small("experiment", "small.toml", "-o", "out", "--json", code=0).json
    assert document["certified"] == document["solves"] == CELLS * 2
    assert document["certified_share"] == 1
    assert document["gap"] == 0.01
    assert document["worst_gap"] <= 0.01
    assert document["cut_by_time"] == 0


def test_a_dry_run_only_reads(small):
    document = small("experiment", "small.toml", "--dry-run", "--json", code=0).json
    assert document["schema"] == "fairstep/experiment-plan/1"
    assert (document["runs"], document["solves"], document["updates"]) == (RUNS, SOLVES, 4)
    assert document["methods"] == ["ours", "penalty-0.1", "penalty-10"]
    assert small.files() == ["data", "small.toml"]


def test_without_a_folder_it_says_so(small):
    assert small("experiment", "small.toml", code=2).err.startswith("error: fairstep experiment needs -o FOLDER\n")


def test_a_folder_that_cannot_be_made_is_a_failure_of_its_own(small):
    run = small("experiment", "small.toml", "-o", "small.toml/out", code=4)
    assert run.err.startswith("error: cannot be written")


@pytest.mark.parametrize("name", ["key-misspelt", "method-key-misspelt", "environment-model-outside"])
def test_a_wrong_file_is_told_with_line_key_and_hint(fairstep, name):
    expected = json.loads((BAD / "manifest.json").read_text())[f"{name}.toml"]
    run = fairstep("experiment", BAD / f"{name}.toml", "--dry-run", code=2)
    place = f"  in {BAD / name}.toml at {expected['pointer']}"
    assert run.err.splitlines() == [f"error: {expected['message']}", place, f"hint: {expected['hint']}"]
    error = fairstep("experiment", BAD / f"{name}.toml", "--dry-run", "--json", code=2).json["error"]
    assert (error["kind"], error["pointer"]) == ("input", expected["pointer"])


def test_on_a_terminal_it_shows_runs_method_and_time_left(slow):
    reader, terminal = os.openpty()
    process = subprocess.Popen(
        [str(BINARY), "experiment", "small.toml", "-o", "out", "--threads", "1"],
        cwd=slow.folder,
        stdout=subprocess.DEVNULL,
        stderr=terminal,
        env=os.environ | {"TERM": "xterm"},
    )
    os.close(terminal)
    shown = b""
    while True:
        try:
            part = os.read(reader, 4096)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        shown += part
    os.close(reader)
    assert process.wait() == 0
    line = rf"experiment  \[[#-]{{10}}\]  \d+ %  \d+ of {RUNS} runs  \d+ s left  (?:fico|loans), (?:dp|eqopt)"
    assert re.search(line, shown.decode())
    # A line that wrapped would stay on the screen.
    assert all(len(line) < 80 for line in re.split("\r\x1b\\[K|\r\n", shown.decode()))


def test_progress_as_lines_is_silent_for_half_a_minute(small):
    tiny = SMALL.replace("2^4..2^7", "16").replace("repeats = 2", "repeats = 1").replace('"dp", "eqopt"', '"dp"')
    small.write("small.toml", tiny.partition('[[method]]\nmethod = "penalty"')[0])  # milliseconds
    run = small("experiment", "small.toml", "-o", "out", "--progress", "plain", code=0)
    assert " left" not in run.err


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_shipped_experiments_pass_their_schema_and_are_what_they_say(fairstep, path):
    schema("experiment").validate(tomllib.loads(path.read_text()))
    document = fairstep("experiment", path, "--dry-run", "--json", code=0).json
    assert document["name"] == path.stem
    assert document["environments"] == ["fico", "synthetic"]
    assert document["fairness"] == ["dp", "eqopt"]
    if path.stem != "quick":
        assert document["repeats"] == 5
        assert document["updates"] == 16
        assert {"ours", "unconstrained"} <= set(document["methods"])
        assert sum(method.startswith("penalty-") for method in document["methods"]) >= 6


def test_the_two_versions_of_the_paper_differ_in_their_proofs_alone():
    paper, certified = (
        tomllib.loads((ROOT / f"configs/{name}.toml").read_text()) for name in ("paper", "paper-certified")
    )
    assert {key for key in paper if paper[key] != certified[key]} == {"name", "certificate", "frontier"}
    assert paper.keys() == certified.keys()
    assert paper["frontier"]["limits"] == certified["frontier"]["limits"]


@pytest.mark.parametrize("path", sorted(BAD.glob("*.toml")), ids=lambda path: path.stem)
def test_the_schema_refuses_what_it_can_see(path):
    caught_by = json.loads((BAD / "manifest.json").read_text())[path.name]["caught_by"]
    try:
        document = tomllib.loads(path.read_bytes().decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError):
        assert caught_by == "parser"
        return
    assert caught_by == ("reader" if schema("experiment").is_valid(document) else "schema")


def test_examples_in_the_documentation_pass_the_schema():
    page = (ROOT / "docs/experiments.md").read_text("utf-8")
    examples = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    assert examples
    for example in examples:
        schema("experiment").validate(tomllib.loads(example))


def test_every_key_of_the_schema_is_in_the_documentation():
    page = (ROOT / "docs/experiments.md").read_text("utf-8")
    document = json.loads((ROOT / "schemas/experiment.schema.json").read_text("utf-8"))
    keys = set(document["properties"]) | set(document["$defs"]["method"]["properties"])
    for kind in document["$defs"]["environment"]["oneOf"]:
        keys |= set(kind["properties"])
    for table in ("certificate", "frontier"):
        keys |= {f"{table}.{key}" for key in document["properties"][table]["anyOf"][1]["properties"]}
    assert [key for key in sorted(keys) if f"`{key}`" not in page] == []
