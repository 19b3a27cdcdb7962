"""A corpus of commands from model to report: what they print and write is what tests/corpus/expected has."""

import sys

from conftest import ROOT

sys.path.insert(0, str(ROOT / "scripts"))
import corpus


def test_what_every_command_prints_and_writes_is_as_expected():
    found = corpus.differences_to_expected()
    assert not found, "\n".join([*found, "read these; if they are meant: scripts/corpus.py --update"])


def test_a_changed_digit_a_missing_file_and_a_new_one_are_differences():
    before = {"a.json": b'{"value": 0.25}', "b.json": b"{}"}
    after = {"a.json": b'{"value": 0.2500001}', "c.json": b"{}"}
    found = corpus.differences(before, after, corpus.alike)
    assert [line.split(":")[0] for line in found] == ["b.json", "c.json", "a.json"]


def test_only_last_digits_may_differ_on_another_machine():
    assert corpus.alike(b"gap 0.30000000000000004 of 2", b"gap 0.3 of 2")
    assert not corpus.alike(b"gap 0.3 of 2", b"gap 0.3 of 3")
    assert not corpus.alike(b"gap 0.3 of 2", b"gap 0.3000001 of 2")
