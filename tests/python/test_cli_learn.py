"""fairstep learn: what it answers, and that a run in a folder survives whatever happens to its process."""

import json
import os
import random
import re
import shutil
import signal
import subprocess
import termios

import pytest
from conftest import BINARY, PATIENCE
from faults import compiled, faults, interrupt, stopped
from small import hand

UPDATE_KEYS = {
    "k",
    "policy",
    "value",
    "gap",
    "relaxation",
    "vacuous",
    "bonus_max",
    "floor",
    "epsilon",
    "unvisited",
    "bounds",
    "gap_to_bound",
    "outcome",
    "stopped_by",
    "limit",
    "estimated_gap",
    "reward_regret",
    "reward_regret_bound",
    "violation",
    "evaluation",
    "reference",
}


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    return compiled("fault_at", tmp_path_factory.mktemp("faults"))


@pytest.fixture
def people(fairstep):
    """A folder with m.json, a population small enough for quick runs."""
    fairstep.write("m.json", hand())
    return fairstep


def learn(where, *words, model="m.json", schedule="8,16,64", code=0):
    return where("learn", model, "--schedule", schedule, "--json", *words, code=code).json


def tree(folder):
    """Every file below a folder with its bytes; the lock names the last process and is left out."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != ".lock"
    }


def start(where, library, touches, *words):
    """In the background, where it stands still just before so many touches of the disk; an update takes a dozen."""
    pipe = subprocess.PIPE
    return stopped(library, touches, [BINARY, "learn", *words], cwd=where.folder, stdout=pipe, stderr=pipe)


def test_the_answer_in_json(people):
    document = learn(people, "--fairness", "dp", "--seed", "4")
    assert document["schema"] == "fairstep/learning/1"
    assert document["warnings"] == []
    assert document["folder"] is None
    assert document["seed"] == 4
    assert document["fairness"] == "dp"
    assert document["method"] == "constrained"
    assert document["relaxation_mode"] == "scaled-width"
    assert document["finished"] is True
    assert document["resumed"] == 0
    assert document["safe"] is False
    assert document["groups"] == ["a", "b"]
    assert document["oracle"]["outcome"] == "optimal"
    assert document["oracle"]["bounds"]["lower"] <= document["oracle"]["bounds"]["upper"]
    for fit in document["fit"].values():
        assert set(fit) == {"slope", "intercept", "points", "omitted"}
        assert fit["points"] + len(fit["omitted"]) == 3
    assert document["time_s"] > 0

    assert [update["k"] for update in document["updates"]] == [8, 16, 64]
    for update in document["updates"]:
        assert set(update) == UPDATE_KEYS
        assert set(update["gap"]) == {"dp", "eqopt", "eqodds"}
        for key in ("relaxation", "limit", "estimated_gap"):
            assert len(update[key]) == 2
        assert update["bounds"]["lower"] <= update["bounds"]["upper"]
        assert update["gap_to_bound"] <= 1e-3
        assert update["outcome"] == "optimal"
        assert update["floor"] == pytest.approx(min(0.5, update["k"] ** (-1 / 3)))
        assert update["epsilon"] == pytest.approx(1 / (update["k"] * 2 * 4))
        assert update["violation"] == pytest.approx(sum(update["gap"]["dp"]) / 2)
        best = document["oracle"]["bounds"]
        assert update["reward_regret"] == pytest.approx((best["lower"] - update["value"]) / 2)
        assert update["reward_regret_bound"] == pytest.approx((best["upper"] - update["value"]) / 2)
        assert update["evaluation"]["people_per_group"] == 8000
        assert update["evaluation"]["level"] == 0.95
        for key in ("value", "violation"):
            interval = update["evaluation"][key]
            assert interval["low"] <= interval["mean"] <= interval["high"]
        assert set(update["reference"]) == {"reward_regret", "violation"}
    assert document["worst_gap"] == max(document["updates"][-1]["gap"]["dp"])


def test_the_numbers_are_the_referees(people):
    for update in learn(people, "--fairness", "dp")["updates"]:
        people.write("p.json", update["policy"])
        exact = people("evaluate", "m.json", "p.json", "--json", code=0).json
        assert update["value"] == exact["value"]
        for notion in ("dp", "eqopt"):
            assert update["gap"][notion] == exact["gap"][notion]


def test_the_oracle_is_what_solve_finds(people):
    document = learn(people, "--fairness", "dp", "--limit", "0.1", schedule="8")
    best = people("solve", "m.json", "--fairness", "dp", "--limit", "0.1", "--json", code=0).json
    assert document["oracle"]["bounds"] == best["bounds"]


def test_the_same_seed_gives_the_same_answer(people):
    first, second = (learn(people, "--fairness", "dp", "--seed", "9") for _ in range(2))
    for document in (first, second):
        document.pop("time_s")
    assert first == second
    other = learn(people, "--fairness", "dp", "--seed", "10")
    assert other["updates"] != first["updates"]


def test_doublings_and_lists_are_schedules(people):
    for written, episodes in (("2^3..2^6", [8, 16, 32, 64]), ("5..20", [5, 10, 20]), ("1,7,1e3", [1, 7, 1000])):
        document = learn(people, "--no-proof", schedule=written)
        assert [update["k"] for update in document["updates"]] == episodes


def test_two_to_the_forty_episodes_are_no_trouble(people):
    document = learn(people, "--no-proof", "--relaxation", "tight", schedule="8,2^40")
    # Sure of the limit, and of the population: b has nobody in the high feature at first.
    assert document["updates"][1]["violation"] < 1e-3
    assert document["updates"][1]["vacuous"] == []


def test_without_a_proof_there_is_no_bound(people):
    for update in learn(people, "--no-proof")["updates"]:
        assert update["bounds"]["upper"] is None
        assert update["gap_to_bound"] is None


def test_safe_mode_keeps_its_limit_from_the_first_update_on(people):
    document = learn(people, "--fairness", "dp", "--safe", "--limit", "0.1", "--no-proof", schedule="1,8,2^10,2^20")
    assert document["safe"] is True
    for update in document["updates"]:
        assert set(update) == UPDATE_KEYS | {"safe"}
        assert max(update["gap"]["dp"]) <= 0.1
        assert all(worst <= 0.1 for worst in update["safe"]["worst_gap"])
    assert document["updates"][0]["safe"]["fallback"] is True
    assert document["updates"][-1]["value"] > document["updates"][0]["value"]


def test_other_methods_are_there_to_compare(loans):
    def last(*words):
        return learn(loans, "--no-proof", *words, model="fico.json", schedule="2^16")["updates"][0]

    free, paid, fair = last("--method", "unconstrained"), last("--method", "penalty", "--lambda", "10"), last()
    assert free["value"] > fair["value"] > paid["value"]
    assert free["violation"] > fair["violation"] > paid["violation"]
    assert free["relaxation"] == paid["relaxation"] == [0] * 8


def test_text_for_people(people):
    run = people("learn", "m.json", "--schedule", "8,2000,2^12", "--no-proof", code=0)
    lines = run.out.splitlines()
    assert run.out.startswith("learn: 3 updates, relaxation scaled-width. Last one: return ")
    assert "The best" in run.out
    assert [line.split()[0] for line in lines[-4:]] == ["k", "2^3", "2,000", "2^12"]
    assert lines[-4].split()[:4] == ["k", "return", "violation", "regret"]
    assert run.err == ""
    assert people.files() == ["m.json"]


def test_proven_updates_say_within_what(people):
    run = people("learn", "m.json", "--schedule", "8", code=0)
    assert run.out.splitlines()[-2].split()[-1] == "within"
    assert run.out.splitlines()[-1].endswith(" %")


def test_a_vacuous_relaxation_is_said_to_be_so(people):
    run = people("learn", "m.json", "--schedule", "8", "--relaxation", "literal", "--no-proof", code=0)
    assert "vacuous" in run.out
    assert "warning: the relaxation is 1 or more, so that no limit binds, at 1 of 1 updates" in run.err
    document = learn(people, "--relaxation", "literal", "--no-proof", schedule="8")
    assert document["updates"][0]["vacuous"] == [0, 1]
    assert len(document["warnings"]) == 1


def test_a_solve_that_ran_out_of_time_is_warned_of(loans):
    words = ["--time-limit", "0.001", "--gap", "0", "--evaluation-episodes", "0"]
    document = learn(loans, *words, model="fico.json", schedule="1000")
    assert document["updates"][0]["stopped_by"] == "time"
    assert "evaluation" not in document["updates"][0]
    assert any("ran out of time at 1 of 1 updates" in warning for warning in document["warnings"])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--schedule", "5..3"], '--schedule is "5..3", expected doublings such as 2^3..2^18, or rising episode'),
        (["--schedule", "8,8"], '--schedule is "8,8", expected doublings'),
        (["--schedule", "0"], '--schedule is "0", expected doublings'),
        (["--schedule", "8,"], '--schedule is "8,", expected doublings'),
        (["--fairness", "parity"], '--fairness is "parity", expected dp or eqopt or eqodds'),
        (["--fairness", "eqodds"], "the paper's lemmas have no relaxation for equalized odds"),
        (["--limit", "2"], "--limit is 2, expected between 0 and 1"),
        (["--limit", "0.1", "--limit-per-step", "0.1,0.2"], "--limit and --limit-per-step are both given"),
        (["--limit-per-step", "0.1,0.2,0.3"], "--limit-per-step has 3 entries, expected 1 or 2 (one per step)"),
        (["--method", "penalty"], "--method penalty needs --lambda"),
        (["--lambda", "1"], "--lambda and --penalty-form are for --method penalty"),
        (["--safe"], "--safe needs --limit"),
        (
            ["--safe", "--limit", "0.1", "--method", "unconstrained"],
            "safe learning is for the constrained method",
        ),
        (["--relaxation", "literal", "--bonus-scale", "0.1"], "--bonus-scale and --relaxation-scale leave nothing"),
        (["--bonus-scale", "-1"], "--bonus-scale is -1, expected a finite number of 0 or more"),
        (["--delta", "1"], "--delta is 1, expected between 0 and 1"),
        (["--floor", "0.6"], "--floor is 0.6, expected between 0 and 0.5"),
        (["--epsilon", "0"], "--epsilon is 0, expected more than 0 and at most 1"),
        (["--gap", "-1"], "--gap is -1, expected 0 or more"),
        (["--time-limit", "0"], "--time-limit is 0, expected more than 0 seconds"),
        (["--people-per-episode", "0"], '--people-per-episode is "0", expected a whole number of at least 1'),
        (["--people", "0"], '--people is "0", expected a whole number of at least 1'),
        (["--people", "5", "--people-per-episode", "5"], "--people and --people-per-episode are both given"),
        (["--schedule", "8,2^63", "--people-per-episode", "4"], "9223372036854775800 episodes of 4 people are more"),
        (["--restart"], "--restart needs the run's folder"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_cannot_be_learned_is_explained(people, words, message):
    run = people("learn", "m.json", "--no-proof", *words, code=2)
    assert run.err.startswith(f"error: {message}")
    assert " at /" not in run.err
    assert run.out == ""
    assert people.files() == ["m.json"]


def test_a_cell_without_a_successor_is_an_error_if_wanted(people):
    run = people("learn", "m.json", "--schedule", "2", "--unvisited", "error", code=2)
    assert run.err.startswith("error: transitions[g=a,")
    assert "has no successor" in run.err


def test_a_folder_holds_the_whole_run(people):
    run = people("learn", "m.json", "--schedule", "8,16,64", "--seed", "2", "-o", "run", code=0)
    assert run.err == "wrote run/result.json\n"
    model = people.read("m.json")
    kept = people.read("run/model.json")
    assert {key: kept[key] for key in model} == model
    config = people.read("run/run.json")
    assert config["schema"] == "fairstep/run-config/2"
    assert (config["seed"], config["schedule"], config["fairness"]) == (2, [8, 16, 64], "dp")
    assert people("--version", code=0).out == f"fairstep {config['version']}\n"
    result = people.read("run/result.json")
    assert result["schema"] == "fairstep/run/1"
    for i, update in enumerate(result["updates"]):
        assert update["policy"] == f"updates/{i:04}.policy.json"
        assert update == people.read(f"run/updates/{i:04}.json")
        for kind in ("policy", "counts"):
            people("validate", f"run/updates/{i:04}.{kind}.json", code=0)
        exact = people("evaluate", "m.json", f"run/{update['policy']}", "--json", code=0).json
        assert exact["value"] == update["value"]
    # 63 episodes of one person of each group, two steps each.
    assert sum(sum(row) for row in people.read("run/updates/0002.counts.json")["first"][0]) == 63


def test_the_same_command_again_changes_nothing(people):
    words = ["learn", "m.json", "--schedule", "8,16", "-o", "run"]
    first = people(*words, "--json", code=0).json
    before = tree(people.folder / "run")
    run = people(*words, code=0)
    assert "2 updates were in run already" in run.err
    again = people(*words, "--json", code=0).json
    assert tree(people.folder / "run") == before
    assert (first["resumed"], again["resumed"]) == (0, 2)
    for document in (first, again):
        document.pop("time_s")
        document.pop("resumed")
    assert first == again


@pytest.mark.parametrize(
    ("words", "difference"),
    [
        (["--seed", "2"], 'it has "seed": 1, this one "seed": 2'),
        (["--limit", "0.1"], 'it has "limit": [0], this one "limit": [0.1]'),
        (["--by", "person"], 'it has "by": "counts", this one "by": "person"'),
        (["--relaxation", "tight"], 'it has "relaxation": "scaled-width", this one "relaxation": "tight"'),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_folder_with_another_run_is_refused_unless_restarted(people, words, difference):
    command = ["learn", "m.json", "--schedule", "8,16", "--no-proof", "-o", "run"]
    people(*command, code=0)
    before = tree(people.folder / "run")
    run = people(*command, *words, code=2)
    lines = run.err.splitlines()
    assert lines[0] == f"error: the folder holds another run: {difference}"
    assert lines[1] == "  in run/run.json"
    assert lines[2] == "hint: use another folder, or start over with --restart"
    assert tree(people.folder / "run") == before
    assert people(*command, *words, "--json", code=2).json["error"]["kind"] == "input"
    people(*command, *words, "--restart", code=0)
    people(*command[:-1], "fresh", *words, code=0)
    assert tree(people.folder / "run") == tree(people.folder / "fresh")


def test_another_model_is_refused(people):
    command = ["learn", "m.json", "--schedule", "8", "--no-proof", "-o", "run"]
    people(*command, code=0)
    people.write("m.json", hand() | {"share": [0.5, 0.5]})
    run = people(*command, code=2)
    assert "[0.75, 0.25]" in run.err
    assert "[0.5, 0.5]" in run.err
    assert "  in run/model.json" in run.err


def test_a_folder_that_cannot_be_written_is_a_failure_of_its_own(people):
    people.write("file", "")
    for folder in ("file", "file/run", "/proc/run"):
        run = people("learn", "m.json", "--schedule", "8", "--no-proof", "-o", folder, code=4)
        assert f"  in {folder}" in run.err
        assert run.out == ""


def test_a_damaged_update_is_named(people):
    command = ["learn", "m.json", "--schedule", "8,16", "--no-proof", "-o", "run"]
    people(*command, code=0)
    (people.folder / "run/updates/0000.json").write_text('{"k": ')
    run = people(*command, code=2)
    assert "  in run/updates/0000.json" in run.err
    assert "--restart" in run.err


@pytest.mark.parametrize(
    "which", ["0000.json", "0001.json", "0000.policy.json", "0000.counts.json", "0001.counts.json"]
)
def test_an_edited_update_is_found_when_the_run_is_taken_up(people, which):
    """What was changed by hand reached the result, as long as it was sound."""
    command = ["learn", "m.json", "--schedule", "8,16", "--no-proof", "-o", "run"]
    people(*command, code=0)
    file = people.folder / "run/updates" / which
    text = file.read_text()
    edited = re.sub(r"(?<=[ \[])(0\.\d+|\d+)(?=[,\]\n])", "0", text, count=1)
    assert edited != text or "counts" in which
    file.write_text(edited if edited != text else text.replace("\n", " \n", 1))
    run = people(*command, code=2)
    assert f"  in run/updates/{which}" in run.err and "--restart" in run.err
    people(*command, "--restart", code=0)


def test_an_update_of_another_run_is_found(people):
    """Each record is sound by itself, but does not follow the one before it."""
    command = ["learn", "m.json", "--schedule", "8,16", "--no-proof"]
    people(*command, "--seed", "1", "-o", "run", code=0)
    people(*command, "--seed", "2", "-o", "other", code=0)
    for ending in (".json", ".policy.json", ".counts.json"):
        shutil.copy(people.folder / f"other/updates/0001{ending}", people.folder / f"run/updates/0001{ending}")
    run = people(*command, "--seed", "1", "-o", "run", code=2)
    assert "does not follow the update before it" in run.err and "  in run/updates/0001.json" in run.err


LONG = ",".join(str(k) for k in range(8, 10008))  # ten thousand updates: nobody sees the last of them


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_says_how_to_go_on(people, library, sent):
    words = ["m.json", "--schedule", LONG, "--no-proof", "--evaluation-episodes", "10", "-o", "run"]
    running = start(people, library, 80, *words)
    interrupt(running, sent)
    out, err = running.communicate(timeout=PATIENCE)
    assert running.returncode == 128 + sent
    assert out.startswith("learn: ")
    assert err == "stopped; the same command goes on from here\n"
    assert not (people.folder / "run/result.json").exists()

    kept = len(list((people.folder / "run/updates").glob("*.counts.json")))
    assert kept >= 3
    running = start(people, library, 80, *words, "--json")
    interrupt(running, sent)
    out, err = running.communicate(timeout=PATIENCE)
    document = json.loads(out)
    assert running.returncode == 128 + sent
    assert document["resumed"] == kept
    assert document["finished"] is False
    assert len(document["updates"]) > kept


def test_two_processes_do_not_share_a_folder(people, library):
    words = ["m.json", "--schedule", LONG, "--no-proof", "-o", "run"]
    running = start(people, library, 20, *words)
    run = people("learn", *words, code=4)
    assert run.err == f"error: the folder is in use by process {running.pid}\n  in run\n"
    running.kill()
    running.communicate()


@pytest.mark.parametrize(
    "words",
    [
        ["--fairness", "dp", "--no-proof"],
        ["--fairness", "eqopt", "--relaxation", "tight", "--no-proof"],
        ["--fairness", "dp", "--safe", "--limit", "0.2", "--no-proof"],
        ["--fairness", "dp", "--by", "person"],
    ],
    ids=" ".join,
)
def test_killed_at_any_moment_the_same_command_ends_with_the_same_bytes(people, library, words):
    words = ["m.json", "--schedule", "1..2^7", "--seed", "6", "--evaluation-episodes", "500", *words]
    counted = people.folder / "touches"
    people("learn", *words, "-o", "whole", env=faults(library, FAULT_COUNT=counted), code=0)
    touches = int(counted.read_text())  # of the disk, which are all that a kill can come between
    whole = tree(people.folder / "whole")
    assert len(whole) == 3 + 3 * 8

    moments = random.Random(" ".join(words))
    for number in range(3):
        folder = people.folder / f"run{number}"
        for _ in range(3):
            at = moments.randint(1, touches // 4)  # each time from where it was
            killed = people("learn", *words, "-o", folder.name, env=faults(library, FAULT="kill", FAULT_AT=at))
            assert killed.code == -signal.SIGKILL
        people("learn", *words, "-o", folder.name, code=0)
        assert tree(folder) == whole
        assert sorted(path.name for path in folder.iterdir()) == [
            ".lock",
            "model.json",
            "result.json",
            "run.json",
            "updates",
        ]


def test_progress_is_for_terminals(people):
    words = ["learn", "m.json", "--schedule", "8,16", "--no-proof"]
    assert people(*words, code=0).err == ""
    assert people(*words, "-o", "run", "--quiet", code=0).err == ""

    reader, terminal = os.openpty()
    termios.tcsetwinsize(terminal, (24, 200))  # a bar is cut to the line that it stands on
    running = subprocess.Popen(
        [BINARY, "learn", "m.json", "--schedule", LONG, "--no-proof", "--evaluation-episodes", "10"],
        cwd=people.folder,
        env={key: value for key, value in os.environ.items() if key != "COLUMNS"},
        stdout=subprocess.PIPE,
        stderr=terminal,
    )
    os.close(terminal)
    seen = b""
    while b"violation" not in seen:
        seen += os.read(reader, 4096)
    running.kill()
    running.communicate()
    os.close(reader)
    line = seen.decode().split("\r\x1b[K")[1]
    assert line.startswith("learn  ")
    for part in (" of 10,000 updates", "left", "k = ", " of 10,007, return ", "violation "):
        assert part in line


def test_a_gap_of_nobody_is_null_and_not_0(fairstep):
    # Nobody in b is ever qualified: there is no rate to compare with, under the estimate as in truth.
    model = hand()
    model["initial"][1] = [[1.0, 0.0], [0.0, 0.0]]
    fairstep.write("model.json", model)
    words = ("learn", "model.json", "--fairness", "eqopt", "--schedule", "1024", "--no-proof", "--json")
    update = fairstep(*words, code=0).json["updates"][0]
    assert update["estimated_gap"] == update["gap"]["eqopt"] == [None, None]
    assert update["violation"] == 0
