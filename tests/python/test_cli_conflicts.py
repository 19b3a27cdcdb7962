"""An adversary who contradicts: rows that would show a gap get a second row of the same person and step.

Which rows are contradicted is chosen by all that they say. Neither of the two can be used, and a certificate holds
whatever the true one would have said. docs/guarantees.md has the figures of a longer run.
"""

import random

import pytest
from log_reference import write_csv
from small import hand_policy


@pytest.fixture
def fairstep(lossy):
    return lossy


COLUMNS = ["person", "group", "step", "x", "y", "a", "reward"]
CLOSED = ("--groups", "a,b", "--features", "0,1", "--first-step", 0, "--horizon", 3)
HIGH = {"a": 0.6, "b": 0.35}  # P(x' = 1), whatever was before; accepted are those with 1: the true gap is 0.25
TRUE_GAP = 0.25


def contradicted(row, draw):
    """Two in three of the rows of a with 1 get a second row: as many are left as of b."""
    return row["group"] == "a" and row["x"] == 1 and draw.random() < 0.64


def log_of(seed, people):
    draw = random.Random(seed)
    rows = []
    for person in range(2 * people):
        group = "ab"[person % 2]
        for step in range(3):
            x, y = int(draw.random() < HIGH[group]), draw.randint(0, 1)
            row = {"person": person, "group": group, "step": step, "x": x, "y": y, "a": x, "reward": 0}
            rows.append(row)
            if contradicted(row, draw):
                role = draw.choice(["x", "y", "a", "reward"])
                other = row | {role: 1 - row[role]}
                rows[-1:] = draw.sample([row, other], 2)
    return rows


def certified(fairstep, seed, people, *words):
    """(certified gap, what it would be had nothing been lost)"""
    write_csv(fairstep.folder / "log.csv", log_of(seed, people), COLUMNS)
    fairstep("count", "log.csv", *CLOSED, "-o", "counts.json", code=0)
    found = fairstep.read("counts.json")["log"]["findings"]
    assert [finding["kind"] for finding in found if finding["kind"] != "gap"] == ["conflict"]
    fairstep.write("policy.json", hand_policy([[[0.0, 1.0]] * 3] * 2))
    options = ("--fairness", "dp", "--delta", 0.2, *words, "-o", "certificate.json")
    fairstep("certify", "counts.json", "policy.json", *options, code=0)
    certificate = fairstep.read("certificate.json")
    fairstep("check", "certificate.json", code=0)
    return tuple(min(bounds["certified_gap"]["dp"]) for bounds in (certificate, certificate["if_nothing_lost"]))


# Cause: conflicting rows were left out as if at random, and no simulation had an adversary who makes them.
@pytest.mark.parametrize("words", [(), ("--followed",)])
def test_a_certificate_holds_whichever_rows_are_contradicted(fairstep, words):
    found = [certified(fairstep, seed, 1000, *words) for seed in range(4)]
    assert all(gap >= TRUE_GAP for gap, _ in found)
    assert any(gap < TRUE_GAP for _, gap in found)  # the adversary is a real one
