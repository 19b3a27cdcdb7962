"""fairstep export: a whole problem in LP or MPS format."""

import re

import pytest


@pytest.fixture
def fico(fairstep):
    fairstep("env", "fico", "--horizon", 2, "-o", "fico.json", "--quiet", code=0)
    return fairstep


def test_the_lp_file_has_all_its_parts(fico):
    run = fico("export", "fico.json", "--fairness", "eqopt", "--limit", "0.05", "-o", "problem.lp", "--json", code=0)
    assert run.json["kind"] == "program"
    assert run.json["format"] == "lp"
    text = (fico.folder / "problem.lp").read_text()
    parts = [re.search(rf"^{part}\b", text, re.MULTILINE | re.IGNORECASE) for part in ("maximize", "subject to", "end")]
    assert all(parts)
    positions = [part.start() for part in parts]
    assert positions == sorted(positions)
    assert "nan" not in text.lower().split()
    assert re.search(r"\[.*\*.*\]", text, re.DOTALL)  # the policy cannot see y: products


def test_the_mps_file_has_all_its_parts(fico):
    run = fico("export", "fico.json", "--fairness", "dp", "-o", "problem.mps", code=0)
    assert run.err.startswith("wrote problem.mps: the problem in MPS format, ")
    lines = (fico.folder / "problem.mps").read_text().splitlines()
    for part in ("ROWS", "COLUMNS", "RHS", "ENDATA"):
        assert part in lines
    assert any(line.startswith("QCMATRIX") for line in lines)


def test_without_fairness_there_are_fewer_rows(fico):
    fico("export", "fico.json", "--fairness", "dp", "-o", "fair.lp", "--quiet", code=0)
    fico("export", "fico.json", "--fairness", "none", "-o", "free.lp", "--quiet", code=0)
    assert len((fico.folder / "free.lp").read_text()) < len((fico.folder / "fair.lp").read_text())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--fairness", "dp"], "fairstep export needs --output"),
        (["--fairness", "dp", "-o", "p.txt"], '--output is "p.txt", expected a name that ends in .lp or .mps'),
        (["-o", "p.lp"], "fairstep export needs --fairness"),
        (["--fairness", "dp", "--floor", "2", "-o", "p.lp"], "--floor is 2, expected a probability"),
        (["--fairness", "dp-ratio", "--penalty", "1", "-o", "p.lp"], "a penalty is on gaps, and does not know ratios"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_wrong_question_is_refused(fico, words, message):
    assert fico("export", "fico.json", *words, code=2).err.startswith(f"error: {message}")
    assert fico.files() == ["fico.json"]
