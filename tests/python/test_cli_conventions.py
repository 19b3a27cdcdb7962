"""What holds for every verb: exit codes, one JSON document, where words go, help whose examples work."""

import os
import shutil
import subprocess

import pytest
from conftest import BINARY, PATIENCE, ROOT

VERBS = ["env", "policy", "validate", "evaluate", "simulate", "fit", "solve", "pareto", "learn", "export", "experiment"]
VERBS += [
    "show",
    "compare",
    "alternative",
    "count",
    "merge",
    "audit",
    "monitor",
    "certify",
    "check",
    "certificate",
    "report",
    "plot",
    "completion",
    "explore",
    "manual",
]
PAGES = [[verb] for verb in VERBS] + [["env", name] for name in ("fico", "synthetic", "lending", "random")]
PAGES += [["completion", shell] for shell in ("bash", "zsh", "fish")]


def project_version():
    text = (ROOT / "CMakeLists.txt").read_text()
    return text.split("project(fairstep VERSION ")[1].split()[0]


def test_version_is_the_projects(fairstep):
    assert fairstep("--version", code=0).out == f"fairstep {project_version()}\n"


def test_help_lists_every_verb(fairstep):
    page = fairstep("--help", code=0).out
    for verb in VERBS:
        assert f"\n  {verb} " in page


def test_no_words_at_all_shows_the_help_on_stderr(fairstep):
    run = fairstep(code=2)
    assert run.out == ""
    assert "usage: fairstep VERB" in run.err


@pytest.mark.parametrize("words", [["help", "env", "fico"], ["env", "fico", "-h"], ["env", "fico", "--help"]])
def test_help_can_be_asked_for_in_three_ways(fairstep, words):
    assert fairstep(*words, code=0).out.startswith("fairstep env fico - ")


@pytest.mark.parametrize("page", PAGES, ids=" ".join)
@pytest.mark.parametrize("columns", ["60", "80", "120"])
def test_help_fits_the_width(fairstep, page, columns):
    before_examples = fairstep(*page, "--help", code=0, env={"COLUMNS": columns}).out.split("\nexample")[0]
    prose = [line for line in before_examples.splitlines() if not line.startswith(("usage:", "  --", "  -o"))]
    assert max(map(len, prose[1:])) <= int(columns)


def examples(page):
    """The command lines under `example:` or `examples:`, the last part of a page."""
    lines = page.splitlines()
    start = max(i for i, line in enumerate(lines) if line in ("example:", "examples:"))
    return [line.strip() for line in lines[start + 1 :]]


@pytest.mark.parametrize("page", [[], *PAGES], ids=lambda page: " ".join(page) or "fairstep")
def test_every_example_in_help_works(fairstep, page):
    lines = examples(fairstep(*page, "--help", code=0).out)
    assert lines
    shutil.copytree(ROOT / "configs", fairstep.folder / "configs")
    for line in lines:
        run = fairstep.line(line)
        assert run.code == 0, f"{line}\n{run.err}"


@pytest.mark.parametrize("page", PAGES, ids=" ".join)
def test_every_verb_knows_json_and_quiet(fairstep, page):
    text = fairstep(*page, "--help", code=0).out
    assert "--json" in text
    assert "--quiet" in text


@pytest.mark.parametrize(
    ("words", "message", "hint"),
    [
        (["evalute", "m", "p"], '"evalute" is not a verb of fairstep', "did you mean fairstep evaluate?"),
        (
            ["zzz"],
            '"zzz" is not a verb of fairstep',
            "one of env, policy, validate, show, evaluate, compare, simulate, count, merge, ",
        ),
        (["env", "fcio"], '"fcio" is not a name that fairstep env knows', "did you mean fairstep env fico?"),
        (["env"], "fairstep env needs a name: one of fico, synthetic, lending, random", "see fairstep env --help"),
        (["env", "fico", "--hozirn"], "fairstep env fico has no option --hozirn", "did you mean --horizon?"),
        (["simulate", "m", "p", "--peple", "9"], "fairstep simulate has no option --peple", "did you mean --people?"),
        (["simulate", "m", "p", "--peple=9"], "fairstep simulate has no option --peple", "did you mean --people?"),
        (
            ["evaluate", "m", "p", "--people", "9"],
            "fairstep evaluate has no option --people",
            "option of fairstep simulate",
        ),
        (
            ["--quiet", "evaluate"],
            "fairstep has no option --quiet",
            "options come after the verb, as in fairstep env --quiet",
        ),
        (["env", "fico", "--list"], "fairstep env fico has no option --list", "it is an option of fairstep env;"),
        (["evaluate"], "fairstep evaluate needs MODEL and POLICY", "see fairstep evaluate --help"),
        (["evaluate", "m"], "fairstep evaluate needs POLICY", "see fairstep evaluate --help"),
        (["evaluate", "m", "p", "q"], 'fairstep evaluate has no use for "q"', "see fairstep evaluate --help"),
        (["simulate", "m", "p", "--people"], "--people needs a value: --people N", "see fairstep simulate --help"),
        (["simulate", "m", "p", "--people", "x"], '--people is "x", expected a whole number of at least 1', "see"),
        (["simulate", "m", "p", "--people", "0"], '--people is "0", expected a whole number of at least 1', "see"),
        (["simulate", "m", "p", "--people", "-5"], '--people is "-5", expected a whole number', "see"),
        (["simulate", "m", "p", "--people", "1.5"], '--people is "1.5", expected a whole number', "see"),
        (["simulate", "m", "p", "--people", "2^64"], '--people is "2^64", expected a whole number', "see"),
        (["simulate", "m", "p", "--seed", "1", "--seed", "2"], "--seed is given 2 times, expected once", "see"),
        (["simulate", "m", "p", "--by", "crowd"], '--by is "crowd", expected person or counts', "see"),
        (["env", "fico", "--gain", "0.1,"], '--gain is "0.1,", expected numbers separated by commas', "see"),
        (["env", "lending", "--move", "nan"], '--move is "nan", expected a number', "see"),
        (["validate"], "fairstep validate needs FILE", "see fairstep validate --help"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_wrong_command_line_is_told_in_two_lines(fairstep, words, message, hint):
    run = fairstep(*words, code=2)
    assert run.out == ""
    lines = run.err.splitlines()
    assert len(lines) == 2
    assert lines[0].startswith(f"error: {message}")
    assert lines[1].startswith("hint: ")
    assert hint in lines[1]

    document = fairstep(*words, "--json", code=2) if words[-1] != "--people" else fairstep("--json", *words, code=2)
    assert document.err == ""
    assert document.json["schema"] == "fairstep/error/1"


def test_a_failure_with_json_is_one_document_with_everything_known(loans):
    document = loans("evaluate", "nowhere.json", "from50.json", "--json", code=2).json
    assert document["schema"] == "fairstep/error/1"
    assert document["warnings"] == []
    error = document["error"]
    assert set(error) == {"code", "kind", "message", "file", "pointer", "hint"}
    assert error["code"] == 2
    assert error["kind"] == "input"
    assert error["file"] == "nowhere.json"
    assert error["pointer"] is None


def test_a_failing_file_is_told_with_its_place(loans):
    model = loans.read("fico.json")
    model["transition"][1][2][0][1][0][0] += 0.05
    loans.write("bent.json", model)
    run = loans("evaluate", "bent.json", "from50.json", code=2)
    lines = run.err.splitlines()
    assert lines[0].startswith("error: transition[g=black,x=2,y=0,a=1] sums to 1.05, expected 1")
    assert lines[1] == "  in bent.json at /transition/1/2/0/1"
    assert run.out == ""


@pytest.mark.parametrize(
    "words",
    [
        ["env", "fico", "--json"],
        ["env", "--list", "--json"],
        ["env", "fico", "--json", "-o", "again.json"],
        ["policy", "fico.json", "--accept-all", "--json"],
        ["policy", "fico.json", "--accept-all", "--json", "-o", "all.json"],
        ["validate", "fico.json", "--json"],
        ["evaluate", "fico.json", "from50.json", "--json"],
        ["simulate", "fico.json", "from50.json", "--people", "100", "--json"],
        ["simulate", "fico.json", "from50.json", "--people", "100", "--json", "-o", "log.csv"],
        ["fit", "seen.json", "--json"],
        ["fit", "seen.json", "--json", "-o", "again.json", "--radii", "radii.json"],
    ],
    ids=" ".join,
)
def test_with_json_stdout_is_one_document_and_quiet_empties_stderr(loans, words):
    loans("simulate", "fico.json", "from50.json", "--people", "100", "-o", "seen.json", code=0)
    run = loans(*words, "--quiet", code=0)
    assert run.json["schema"].startswith("fairstep/")
    assert run.err == ""


@pytest.mark.parametrize(
    "words",
    [
        ["env", "fico"],
        ["env", "fico", "--json"],
        ["env", "--list"],
        ["evaluate", "fico.json", "from50.json"],
        ["evaluate", "fico.json", "from50.json", "--json"],
        ["simulate", "fico.json", "from50.json", "--people", "10"],
        ["validate", "fico.json"],
        ["--help"],
        ["--version"],
        ["env", "--help"],
        ["validate", "nowhere.json", "--json"],
    ],
    ids=" ".join,
)
def test_a_full_disk_under_stdout_is_a_failure(loans, words):
    with open("/dev/full", "w") as full:
        run = loans(*words, stdout=full, stderr=subprocess.PIPE, capture_output=False)
    assert run.code == 4 or (words[0] == "validate" and run.code in (2, 4))
    assert "No space left on device" in run.err or words[-1] == "--json"


def test_a_closed_stdout_is_a_failure_and_no_file_takes_its_place(loans):
    run = loans.line("fairstep simulate fico.json from50.json --people 10 -o log.csv >&- || echo $? >code")
    assert (loans.folder / "code").read_text() == "4\n"
    assert "cannot write to stdout" in run.err
    assert len((loans.folder / "log.csv").read_text().splitlines()) == 1 + 10 * 8


def test_a_closed_pipe_ends_the_program_quietly(loans):
    script = f'"{BINARY}" env random --features 100 | head -c 10 >/dev/null; echo "${{PIPESTATUS[0]}}"'
    done = subprocess.run(["bash", "-c", script], cwd=loans.folder, capture_output=True, text=True, timeout=PATIENCE)
    assert done.stderr == ""
    assert done.stdout.strip() in ("0", "141")  # 128 + SIGPIPE; 0 if everything fitted the pipe


@pytest.mark.parametrize(
    "words",
    [
        ["env", "fico", "-o", "missing/model.json"],
        ["env", "fico", "-o", "."],
        ["env", "fico", "-o", "fico.json/model.json"],
        ["policy", "fico.json", "--accept-all", "-o", "missing/policy.json"],
        ["simulate", "fico.json", "from50.json", "--people", "10", "-o", "missing/log.csv"],
        ["simulate", "fico.json", "from50.json", "--people", "10", "-o", "missing/counts.json"],
    ],
    ids=" ".join,
)
def test_a_file_that_cannot_be_written_is_a_failure_of_its_own(loans, words):
    run = loans(*words, code=4)
    assert run.out == ""
    assert run.err.startswith("error: cannot be written")
    assert f"  in {words[-1]}\n" in run.err
    assert loans(*words, "--json", code=4).json["error"]["kind"] == "io"


def test_a_failed_verb_leaves_the_old_file_and_nothing_else(loans):
    loans.write("log.csv", "old")
    loans.write("other.json", '{"schema": "fairstep/policy/1", "accept": [[[0.5]]]}')
    before = loans.files()
    loans("simulate", "fico.json", "other.json", "--people", "10", "-o", "log.csv", code=2)
    assert loans.files() == before
    assert (loans.folder / "log.csv").read_text() == "old"


def test_messages_go_to_stderr_and_quiet_silences_them(fairstep):
    run = fairstep("env", "fico", "-o", "fico.json", code=0)
    assert run.out == ""
    assert run.err.startswith("wrote fico.json: model, 2 groups (white, black), 5 features, 8 steps\n")
    run = fairstep("env", "fico", "-o", "fico.json", "--quiet", code=0)
    assert run.out + run.err == ""


def test_colour_is_for_terminals_only(fairstep):
    assert "\x1b" not in fairstep("zzz", code=2).err


@pytest.mark.parametrize(("no_color", "coloured"), [("", True), ("1", False)])
def test_no_color_is_respected_on_a_terminal(fairstep, no_color, coloured):
    reader, terminal = os.openpty()
    fairstep(
        "zzz",
        code=2,
        env={"NO_COLOR": no_color, "TERM": "xterm"},
        stderr=terminal,
        stdout=subprocess.PIPE,
        capture_output=False,
    )
    os.close(terminal)
    text = os.read(reader, 4096).decode()
    os.close(reader)
    assert "error:" in text
    assert ("\x1b[" in text) == coloured


def test_a_file_named_like_a_verb_is_a_file(fairstep):
    fairstep("env", "fico", "-o", "evaluate", code=0)
    assert fairstep("validate", "evaluate", code=0).out.startswith("evaluate: a sound model file")
