"""Runs what the documentation shows: every fenced block of a page, in order, in one folder.

    scripts/docs_blocks.py [--update] PAGE...     tests/python/test_docs.py does this for every page

What a block is for is said by its language:

    console    commands after `$ `, continued after `> `, and what they print, both streams: run and compared. A line of
               three dots stands for anything, and seconds such as `0.08 s` for any number of them
    sh         commands without their output: run, and each must succeed
    python     run by the page's own Python, which remembers what earlier blocks have set
    pycon      the same with `>>>` and what is printed, compared as doctest does
    json toml  must be sound; with title="NAME" (any language) the block becomes the file NAME for the blocks below
    cmake cpp  must stand in a file of tests/consumer/project, which is built and run by tests
    text       for people: formulas, drawings, output without its command. Commands may not hide here

A block that cannot be run says so where readers see it: title="Not run by tests: REASON".

A file that a page makes and that has the name of one in docs/pictures is that picture, and must be like it. `--update`
writes what commands print now into console blocks, and pictures into docs/pictures.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "docs" / "pictures"
BINARY = Path(os.environ.get("FAIRSTEP_BINARY", ROOT / "build" / "bin" / "fairstep")).resolve()
NOT_RUN = "Not run by tests: "
SECONDS_PER_BLOCK = 120
COMMAND = re.compile(
    r"^\s*(?:\$ |(?:fairstep|make|cmake|pip|python3?|scripts/\w+|build/\S+|[A-Z_]+=\S+) \S)", re.MULTILINE
)


@dataclass
class Block:
    """A fenced block: its first line in the page, what it is, and its text without indentation."""

    line: int
    language: str
    title: str
    text: str
    indent: str

    @property
    def not_run(self) -> str | None:
        return self.title.removeprefix(NOT_RUN) if self.title.startswith(NOT_RUN) else None


class BlockError(AssertionError):
    """A block does not do what the page says."""


def pages() -> list[Path]:
    """Every page with something to run: the README, how to contribute, and the documentation."""
    found = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "examples/README.md", *ROOT.glob("docs/**/*.md")]
    return sorted(found)


def blocks_of(text: str) -> list[Block]:
    found = []
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        fence = re.fullmatch(r"( *)(`{3,})([\w-]*) *(.*)", lines[at])
        at += 1
        if not fence:
            continue
        indent, ticks, language, rest = fence.groups()
        title = re.search(r'title="([^"]*)"', rest)
        body = []
        start = at
        while at < len(lines) and lines[at].strip() != ticks:
            body.append(lines[at].removeprefix(indent))
            at += 1
        at += 1
        text_of = "".join(f"{line}\n" for line in body)
        found.append(Block(start, language, title[1] if title else "", text_of, indent))
    return found


def console_steps(text: str) -> list[tuple[str, str]]:
    """[(command, what it prints)]; lines after `> ` belong to the command above."""
    steps = []
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, more, expected = re.fullmatch(r"(.*)\n((?:> ?.*\n)*)((?:.*\n)*)", part).groups()
        steps.append(("\n".join([command, *re.findall(r"^> ?(.*)$", more, re.MULTILINE)]), expected))
    return steps


def console_text(steps: list[tuple[str, str]]) -> str:
    def typed(command: str) -> str:
        first, *more = command.split("\n")
        return "".join([f"$ {first}\n", *((f"> {line}".rstrip() + "\n") for line in more)])

    return "".join(typed(command) + printed for command, printed in steps)


def printed_as_shown(shown: str, printed: str) -> bool:
    pattern = re.escape(shown).replace(re.escape("...\n"), "(?:.*\n)*")
    pattern = re.sub(r"\d+\\\.\d+\\ s\b", r"\\d+\\.\\d+ s", pattern)
    return re.fullmatch(pattern, printed) is not None


def like(picture: str, other: str) -> bool:
    """Whether two SVG files show the same: the last digits of numbers may differ."""
    number = re.compile(r"-?\d+\.\d+")
    if number.sub("#", picture) != number.sub("#", other):
        return False
    pairs = zip(number.findall(picture), number.findall(other), strict=True)
    return all(abs(float(a) - float(b)) <= 0.05 for a, b in pairs)


# The page's own Python: blocks come as lines of JSON, answers go back the same way.
PYTHON = r"""
import contextlib, doctest, io, json, sys, traceback
names = {"__name__": "__main__"}
answers = sys.stdout
for line in sys.stdin:
    block = json.loads(line)
    told = io.StringIO()
    good = True
    with contextlib.redirect_stdout(told), contextlib.redirect_stderr(told):
        try:
            if block["language"] == "pycon":
                test = doctest.DocTestParser().get_doctest(block["text"], names, block["name"], block["name"], 0)
                test.globs = names
                flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
                failed = doctest.DocTestRunner(optionflags=flags).run(test, out=told.write, clear_globs=False).failed
                good = failed == 0
            else:
                exec(compile(block["text"], block["name"], "exec"), names)
        except BaseException:
            good = False
            traceback.print_exc()
    answers.write(json.dumps({"good": good, "told": told.getvalue()}) + "\n")
    answers.flush()
"""


class PageRun:
    """The blocks of one page, run in one folder."""

    def __init__(self, page: Path, folder: Path) -> None:
        self.page = page
        self.text = page.read_text()
        self.folder = folder
        self.python: subprocess.Popen | None = None
        self.ran: list[Block] = []
        self.not_run: list[Block] = []
        # What a page names of the checkout is there; nothing else is.
        for part in (
            "benchmarks",
            "build",
            "configs",
            "data",
            "examples",
            "python",
            "report",
            "scripts",
            "tests",
            "tools",
        ):
            if any(re.search(rf"(?<![\w./-]){part}/", block.text) for block in blocks_of(self.text)):
                (folder / part).symlink_to(ROOT / part)
        self.environment = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "NO_COLOR")}
        self.environment |= {
            "PATH": os.pathsep.join([str(BINARY.parent), str(ROOT / "build/venv/bin"), os.environ["PATH"]]),
            "PYTHONPATH": str(ROOT / "build/python"),
            "PYTHONDONTWRITEBYTECODE": "1",
            "MPLBACKEND": "Agg",
            "MPLCONFIGDIR": str(ROOT / "build/matplotlib"),
        }

    def shell(self, commands: str) -> subprocess.CompletedProcess:
        return subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", commands],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=SECONDS_PER_BLOCK,
        )

    def fail(self, block: Block, why: str) -> None:
        where = self.page.relative_to(ROOT) if self.page.is_relative_to(ROOT) else self.page
        raise BlockError(f"{where}:{block.line}: {why}")

    def run_console(self, block: Block, update: bool) -> str:
        steps = console_steps(block.text)
        if not steps:
            self.fail(block, "a console block without a command; commands stand after `$ `")
        now = []
        for command, shown in steps:
            done = self.shell(f"{{ {command}\n}} 2>&1")
            if printed_as_shown(shown, done.stdout):
                now.append((command, shown))
            elif update:
                now.append((command, done.stdout))
            else:
                self.fail(block, f"$ {command}\n{done.stdout}(the page shows)\n{shown}")
        return console_text(now)

    def run_python(self, block: Block) -> None:
        if self.python is None:
            self.python = subprocess.Popen(
                [sys.executable, "-c", PYTHON],
                cwd=self.folder,
                env=self.environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        name = f"{self.page.name}, the block at line {block.line}"
        self.python.stdin.write(json.dumps({"language": block.language, "name": name, "text": block.text}) + "\n")
        self.python.stdin.flush()
        answer = json.loads(self.python.stdout.readline() or '{"good": false, "told": "Python ended"}')
        if not answer["good"]:
            self.fail(block, answer["told"])

    def check_text(self, block: Block) -> None:
        if block.language == "json":
            json.loads(block.text)
        elif block.language == "toml":
            tomllib.loads(block.text)
        elif block.language in ("cmake", "cpp"):
            built = [path.read_text() for path in (ROOT / "tests/consumer/project").iterdir()]
            wanted = [line.strip() for line in block.text.splitlines() if line.strip()]
            if not any(all(line in text for line in wanted) for text in built):
                self.fail(block, "no file of tests/consumer/project has all of these lines")
        elif block.language in ("text", "csv"):
            if COMMAND.search(block.text) and not re.search("[│┌└]", block.text):
                self.fail(block, f"commands in a block of {block.language}: nobody runs them")
        else:
            self.fail(block, f'a block of "{block.language}": scripts/docs_blocks.py has the languages there are')

    def run(self, update: bool = False) -> str:
        """The page's text, console blocks as they print now if they are to be updated."""
        replaced = []
        try:
            for block in blocks_of(self.text):
                if block.not_run:
                    self.not_run.append(block)
                    continue
                if block.title:
                    path = self.folder / block.title
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_text(block.text)
                if block.language == "console":
                    replaced.append((block, self.run_console(block, update)))
                elif block.language == "sh" and not block.title:
                    done = self.shell(block.text)
                    if done.returncode != 0:
                        self.fail(block, f"exit code {done.returncode}\n{done.stdout}")
                elif block.language in ("python", "pycon") and not block.title:
                    self.run_python(block)
                elif not block.title or block.language in ("json", "toml"):
                    self.check_text(block)
                self.ran.append(block)
        finally:
            if self.python is not None:
                self.python.stdin.close()
                self.python.wait(timeout=10)
        for path in self.folder.iterdir():
            shown = PICTURES / path.name
            if path.suffix != ".svg" or (not shown.exists() and not update) or not self.shows(path.name):
                continue
            if update and not (shown.exists() and like(shown.read_text(), path.read_text())):
                PICTURES.mkdir(exist_ok=True)
                shown.write_text(path.read_text())
            elif not like(shown.read_text(), path.read_text()):
                raise BlockError(f"{self.page.name} makes another {path.name} than docs/pictures has")
        return self.with_blocks(replaced)

    def shows(self, picture: str) -> bool:
        return f"pictures/{picture}" in self.text

    def with_blocks(self, replaced: list[tuple[Block, str]]) -> str:
        lines = self.text.split("\n")
        for block, text in reversed(replaced):
            body = [f"{block.indent}{line}".rstrip() if line else "" for line in text.split("\n")[:-1]]
            lines[block.line : block.line + block.text.count("\n")] = body
        return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("pages", nargs="+", type=Path, metavar="PAGE")
    asked = parser.parse_args()
    for page in asked.pages:
        with tempfile.TemporaryDirectory() as folder:
            run = PageRun(page.resolve(), Path(folder))
            try:
                text = run.run(update=asked.update)
            except (BlockError, subprocess.TimeoutExpired) as error:
                print(error, file=sys.stderr)
                return 1
            if text != run.text:
                page.write_text(text)
            print(f"{page}: {len(run.ran)} blocks, {len(run.not_run)} not run")
    return 0


if __name__ == "__main__":
    sys.exit(main())
