"""What the documents show of the command is what it does: every `console` block is run and compared."""

import re

import pytest
from conftest import ROOT

DOCUMENTS = ["README.md", "docs/cli.md", "docs/learn.md"]


def console_blocks(document):
    """[(command, expected output)] of a document, in order."""
    steps = []
    for block in re.findall(r"^```console\n(.*?)^```", (ROOT / document).read_text(), re.MULTILINE | re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, expected = part.partition("\n")
            steps.append((command, expected))
    return steps


@pytest.mark.parametrize("document", DOCUMENTS)
def test_console_blocks_show_what_happens(fairstep, document):
    steps = console_blocks(document)
    assert steps
    for command, expected in steps:
        run = fairstep.line(f"{{ {command} ; }} 2>&1")
        # A line of three dots stands for anything.
        pattern = re.escape(expected).replace(re.escape("...\n"), "(?:.*\n)*")
        pattern = re.sub(r"\d\\\.\d\d\\ s\b", r"\\d+\\.\\d\\d s", pattern)  # how long it took
        assert re.fullmatch(pattern, run.out), f"{document}: $ {command}\n{run.out}"
