"""What the documents show of the command is what it does: every `console` block is run and compared."""

import re

import pytest
from conftest import ROOT

DOCUMENTS = [
    "README.md",
    "docs/cli.md",
    "docs/learn.md",
    "docs/certify.md",
    "docs/experiments.md",
    "docs/logs.md",
    "docs/audit.md",
]


def console_blocks(document):
    """[(command, expected output)] of a document, in order. Lines after `> ` belong to the command above."""
    steps = []
    for block in re.findall(r"^```console\n(.*?)^```", (ROOT / document).read_text(), re.MULTILINE | re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, more, expected = re.fullmatch(r"(.*)\n((?:>.*\n)*)((?:.*\n)*)", part).groups()
            steps.append(("\n".join([command, *re.findall(r"^> ?(.*)$", more, re.MULTILINE)]), expected))
    return steps


@pytest.mark.parametrize("document", DOCUMENTS)
def test_console_blocks_show_what_happens(fairstep, document):
    steps = console_blocks(document)
    assert steps
    for command, expected in steps:
        run = fairstep.line(f"{{ {command}\n}} 2>&1")
        # A line of three dots stands for anything.
        pattern = re.escape(expected).replace(re.escape("...\n"), "(?:.*\n)*")
        pattern = re.sub(r"\d\\\.\d\d\\ s\b", r"\\d+\\.\\d\\d s", pattern)  # how long it took
        assert re.fullmatch(pattern, run.out), f"{document}: $ {command}\n{run.out}"
