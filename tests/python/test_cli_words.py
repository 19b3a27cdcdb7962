"""Completions and the manual page are made from the command's own options: bash, zsh and a reader of roff are asked."""

import os
import re
import shutil
import subprocess

import pytest
from conftest import BINARY, PATIENCE, ROOT

VERBS = [
    "show",
    "compare",
    "env",
    "policy",
    "validate",
    "evaluate",
    "simulate",
    "count",
    "merge",
    "diagnose",
    "audit",
    "monitor",
    "fit",
    "certify",
    "check",
    "certificate",
    "solve",
    "pareto",
    "alternative",
    "explore",
    "export",
    "learn",
    "experiment",
    "report",
    "plot",
    "completion",
    "manual",
]
NOTIONS = ["dp", "eqopt", "eqodds"]
RATIOS = ["dp-ratio", "eqopt-ratio"]

# A line up to the cursor, and what is offered there. Files: fico.json, folder/.
CASES = [
    ("fairstep ", VERBS),
    ("fairstep so", ["solve"]),
    ("fairstep env ", ["fico", "synthetic", "lending", "random"]),
    ("fairstep env l", ["lending"]),
    ("fairstep completion ", ["bash", "zsh", "fish"]),
    ("fairstep solve --pen", ["--penalty", "--penalty-form"]),
    ("fairstep env fico --dis", ["--discount"]),
    ("fairstep env --", ["--list", "--json", "--quiet", "--help"]),
    ("fairstep simulate --by ", ["person", "counts"]),
    ("fairstep simulate --by p", ["person"]),
    ("fairstep simulate --by=p", ["person"]),
    ("fairstep learn fico.json --fairness ", [*NOTIONS, *RATIOS]),
    ("fairstep learn fico.json --relaxation t", ["tight"]),
    ("fairstep learn -o ", ["folder"]),
    ("fairstep certify a b --fairness ", [*NOTIONS, *RATIOS, "fico.json", "folder"]),
    ("fairstep certify a b --fairness eq", ["eqopt", "eqodds", "eqopt-ratio"]),
    ("fairstep solve --fairness ", [*NOTIONS, *RATIOS, "none", "fico.json", "folder"]),
    ("fairstep solve --fairness=eqo", ["eqopt", "eqodds", "eqopt-ratio"]),
    ("fairstep solve ", ["fico.json", "folder"]),
    ("fairstep solve f", ["fico.json", "folder"]),
    ("fairstep evaluate fico.json ", ["fico.json", "folder"]),
    ("fairstep validate fico.json ", ["fico.json", "folder"]),
    ("fairstep validate fico.json fico.json f", ["fico.json", "folder"]),
    ("fairstep report ", ["folder"]),
    ("fairstep simulate --seed ", []),
    ("fairstep nonsense ", []),
]


@pytest.fixture
def files(fairstep):
    fairstep("env", "fico", "-o", "fico.json", "--quiet", code=0)
    (fairstep.folder / "folder").mkdir()
    return fairstep


# --- bash -------------------------------------------------------------------------------------------------------------

BASH = r"""
source completion.bash
complete -p fairstep | grep -q -- '-F _fairstep' || exit 9
while IFS= read -r line; do
  # As readline cuts it: at blanks and at `=`.
  read -ra COMP_WORDS <<<"${line//=/ = }"
  [[ $line == *' ' || $line == *= ]] && COMP_WORDS+=('')
  [[ $line == *= ]] && unset 'COMP_WORDS[-1]'
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMP_LINE=$line COMP_POINT=${#line}
  _fairstep fairstep "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
  printf '%s\n' "${COMPREPLY[@]}" ---
done
"""


def bash_offers(fairstep, lines):
    fairstep.write("completion.bash", fairstep("completion", "bash", code=0).out)
    done = subprocess.run(
        ["bash", "--norc", "-c", BASH],
        cwd=fairstep.folder,
        input="".join(f"{line}\n" for line in lines),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    assert done.stderr == ""
    (fairstep.folder / "completion.bash").unlink()
    return [[word for word in part.split("\n") if word] for part in done.stdout.split("---\n")[:-1]]


def test_bash_offers_what_fits(files):
    offers = bash_offers(files, [line for line, _ in CASES])
    for (line, expected), offered in zip(CASES, offers, strict=True):
        offered = [word for word in offered if not word.startswith("completion.")]
        if line == "fairstep env --":
            offered = [word for word in offered if word.startswith("--")]
        assert sorted(offered) == sorted(expected), line


def test_bash_goes_on_after_a_comma_and_offers_no_word_twice(files):
    first, second, env = bash_offers(
        files,
        [
            "fairstep solve m.json --fairness dp,",
            "fairstep solve m.json --fairness=dp,eqop",
            "fairstep env fico --groups black,w",
        ],
    )
    assert first == ["dp,eqopt", "dp,eqodds", "dp,dp-ratio", "dp,eqopt-ratio"]
    assert second == ["dp,eqopt", "dp,eqopt-ratio"]
    assert env == ["black,white"]


def test_bash_completes_names_with_blanks(files):
    files.write("my model.json", "{}")
    assert bash_offers(files, ["fairstep validate my"]) == [["my model.json"]]


def test_bash_knows_help_as_a_word_before_verbs(files):
    assert bash_offers(files, ["fairstep help sol"]) == [["solve"]]


# --- zsh --------------------------------------------------------------------------------------------------------------

# An interactive zsh whose completion writes down what it would add, driven through a terminal of its own.
ZSH_RC = r"""
unset zle_bracketed_paste
PROMPT='' RPROMPT=''
fpath=($PWD/functions $fpath)
autoload -Uz compinit && compinit -u -D
zstyle ':completion:*' completer _complete
compadd() {
  local -a found
  if [[ ${@[1,(i)(-|--)]} != *-[a-zA-Z]#[ODA]\ * ]]; then
    builtin compadd -O found "$@"
    print -rl -- $found >> offered
  fi
  builtin compadd "$@"
}
settle() { print -r -- --- >> offered; zle kill-buffer }
zle -N settle
bindkey '^X' settle
bindkey '^I' complete-word
unsetopt beep
print ready > ready
"""


@pytest.mark.skipif(shutil.which("zsh") is None, reason="there is no zsh")
def test_zsh_offers_what_fits(files, tmp_path):
    functions = tmp_path / "zsh"
    (functions / "functions").mkdir(parents=True)
    files.write("zsh/functions/_fairstep", files("completion", "zsh", code=0).out)
    shutil.copy(files.folder / "fico.json", functions)
    (functions / "folder").mkdir()
    (functions / ".zshrc").write_text(ZSH_RC)
    offers = zsh_offers(functions, [line for line, _ in CASES])
    hidden = {"functions", "offered", "ready"}
    for (line, expected), offered in zip(CASES, offers, strict=True):
        offered = {word.rstrip("/=") for word in offered} - hidden
        if line == "fairstep env --":
            offered = {word for word in offered if word.startswith("--")}
        assert offered == set(expected), line


def zsh_offers(folder, lines):
    """What zsh adds as matches at the end of each line."""
    import pty
    import select
    import time

    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(folder)
        os.execvpe("zsh", ["zsh", "-i"], os.environ | {"ZDOTDIR": str(folder), "TERM": "dumb", "LC_ALL": "C.UTF-8"})

    def wait_for(done):
        deadline = time.monotonic() + PATIENCE
        while not done():
            assert time.monotonic() < deadline, "zsh does not answer"
            if select.select([terminal], [], [], 0.02)[0]:
                os.read(terminal, 65536)

    offered = folder / "offered"
    try:
        wait_for((folder / "ready").exists)
        for number, line in enumerate(lines, start=1):
            os.write(terminal, line.encode() + b"\t\x18")
            wait_for(lambda n=number: offered.exists() and offered.read_text().count("---\n") == n)
    finally:
        os.close(terminal)
        os.waitpid(pid, 0)
    return [[word for word in part.split("\n") if word] for part in offered.read_text().split("---\n")[:-1]]


# --- the manual -------------------------------------------------------------------------------------------------------


def test_the_manual_page_has_no_fault_that_a_reader_of_roff_finds(fairstep):
    fairstep.write("fairstep.1", fairstep("manual", code=0).out)
    checked = subprocess.run(
        ["mandoc", "-Tlint", "-Wstyle", "fairstep.1"],
        cwd=fairstep.folder,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    # No date: the same sources make the same page on every day.
    faults = [line for line in checked.stdout.splitlines() if "missing date" not in line]
    assert faults == []


def test_the_manual_page_reads_as_text_with_every_verb_and_option(fairstep):
    fairstep.write("fairstep.1", fairstep("manual", code=0).out)
    shown = subprocess.run(
        ["mandoc", "-Tutf8", "-Owidth=100", "fairstep.1"],
        cwd=fairstep.folder,
        capture_output=True,
        text=True,
        check=True,
    )
    text = re.sub(r".\x08", "", shown.stdout)
    for verb in fairstep("manual", "--json", code=0).json["verbs"]:
        assert f"\n   {verb['usage']}" in text
        for option in verb["options"]:
            assert f"\n       {', '.join(option['names'])}" in text
    assert "EXIT STATUS\n" in text


def every_option(fairstep):
    manual = fairstep("manual", "--json", code=0).json
    for verb in manual["verbs"]:
        for option in manual["shared_options"] + verb["options"]:
            yield verb["call"], option


def test_the_manual_has_the_options_of_every_help_page(fairstep):
    """--help is written by other code from the same pages; both know the same names."""
    known = {}
    for call, option in every_option(fairstep):
        known.setdefault(call, set()).update(option["names"])
    for call, names in known.items():
        page = fairstep(*call.split()[1:], "--help", code=0).out
        page = page[page.index("\noptions:") :].split("\nexample")[0]
        assert {
            name
            for line in re.findall(r"^  (-.*)$", page, re.M)
            for name in re.findall(r"(?<!\S)-[-\w]+", line.split("  ")[0])
        } == names


def test_the_words_that_are_offered_are_taken(loans):
    """Every word of every choice is accepted by the option, and one more is not."""
    for call, option in every_option(loans):
        value = option["value"]
        if value is None or not value["words"] or value["file"]:
            continue
        verb = call.split()[1:]
        arguments = [*verb, option["names"][-1]]
        refused = loans(*arguments, "surely-not-this", code=2).err
        if any(part.rpartition("=")[2][0].isupper() for part in value["placeholder"].split("|")):
            continue
        for word in value["words"]:
            assert word in refused
            assert f'is "{word}"' not in loans(*arguments, word).err


def test_exit_codes_are_those_of_the_documents(fairstep):
    page = (ROOT / "docs/cli.md").read_text()
    rows = re.findall(r"^\| (\d+) \| (.*) \|$", page, re.MULTILINE)
    codes = fairstep("manual", "--json", code=0).json["exit_codes"]
    assert [(int(code), meaning) for code, meaning in rows] == [(row["code"], row["meaning"]) for row in codes]


def test_completion_needs_a_shell_it_knows(fairstep):
    assert "needs a shell: bash, zsh or fish" in fairstep("completion", code=2).err
    assert "did you mean fairstep completion bash?" in fairstep("completion", "bahs", code=2).err


def test_installation_puts_them_where_shells_and_man_look():
    """What cmake --install copies is what the command writes."""
    words = BINARY.parent.parent / "cli" / "words"
    for name, call in [
        ("fairstep", ["completion", "bash"]),
        ("_fairstep", ["completion", "zsh"]),
        ("fairstep.1", ["manual"]),
    ]:
        made = subprocess.run([BINARY, *call], capture_output=True, check=True).stdout
        assert (words / name).read_bytes() == made
