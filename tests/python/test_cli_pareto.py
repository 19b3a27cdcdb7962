"""fairstep pareto: wider limits are worth no less, as a table, as CSV and as JSON."""

import csv
import itertools

import pytest


@pytest.fixture
def fico(fairstep):
    fairstep("env", "fico", "--horizon", 3, "-o", "fico.json", "--quiet", code=0)
    return fairstep


def test_values_grow_with_the_limit(fico):
    words = ["--fairness", "dp", "--limits", "0:0.2:5", "--gap", "1e-4", "-o", "table.json", "--json"]
    document = fico("pareto", "fico.json", *words, code=0).json
    assert document["schema"] == "fairstep/pareto/1"
    points = document["points"]
    assert [point["limit"] for point in points] == [0, 0.05, 0.1, 0.15, 0.2]
    for point in points:
        assert point["outcome"] == "optimal"
        assert max(point["parity_gap"]) <= point["limit"] + 1e-8
        assert min(point["shadow_price"]) >= -1e-6
    for narrow, wide in itertools.pairwise(points):
        assert narrow["value"] <= wide["value"] * (1 + 1e-4)
        assert narrow["bounds"]["upper"] <= wide["bounds"]["upper"]
    assert points[0]["value"] < points[-1]["value"]
    assert fico.read("table.json") == document


def test_a_shadow_price_is_what_a_little_more_limit_is_worth(fico):
    words = ["--fairness", "dp", "--limits", "0.1,0.101", "--no-proof", "--json"]
    narrow, wide = fico("pareto", "fico.json", *words, code=0).json["points"]
    slope = (wide["value"] - narrow["value"]) / 0.001
    assert sum(narrow["shadow_price"]) == pytest.approx(slope, rel=0.05, abs=1e-3)


def test_the_csv_has_a_row_for_each_limit(fico):
    run = fico(
        "pareto", "fico.json", "--fairness", "eqopt", "--limits", "0.05,0.2", "--no-proof", "-o", "table.csv", code=0
    )
    rows = list(csv.DictReader((fico.folder / "table.csv").open()))
    assert [float(row["limit"]) for row in rows] == [0.05, 0.2]
    assert [row["outcome"] for row in rows] == ["feasible", "feasible"]
    assert [row["upper"] for row in rows] == ["", ""]
    assert float(rows[0]["worst_parity_gap"]) <= 0.05 + 1e-8
    assert run.out.splitlines()[0].split() == [
        "limit", "value", "upper", "bound", "worst", "gap", "shadow", "price", "outcome",
    ]  # fmt: skip
    assert run.err == "wrote table.csv: 2 limits\n"


def test_limits_of_ratios_that_nobody_named_go_from_a_half_to_parity(fico):
    words = ["--fairness", "dp-ratio", "--no-proof", "--json"]
    document = fico("pareto", "fico.json", *words, code=0).json
    limits = [point["limit"] for point in document["points"]]
    assert limits == pytest.approx([0.5 + 0.05 * i for i in range(11)])


def test_limits_that_nothing_keeps_are_an_answer(fico):
    words = ["--fairness", "dp", "--limits", "0,0.1", "--capacity", "0.01", "--floor", "0.1", "--json"]
    document = fico("pareto", "fico.json", *words, code=1).json
    assert [point["outcome"] for point in document["points"]] == ["infeasible", "infeasible"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--fairness", "dp", "--limits", "0:1"], '--limits is "0:1", expected from:to:count'),
        (["--fairness", "dp", "--limits", "0:1:1"], '--limits is "0:1:1", expected from:to:count'),
        (["--fairness", "dp", "--limits", "0,x"], '--limits is "0,x", expected from:to:count'),
        (["--fairness", "dp", "--limits", "0,2"], "--limits has 2, expected between 0 and 1"),
        (["--fairness", "none"], "--fairness names no notion whose limit could be varied"),
        (["--fairness", "dp", "-o", "table.txt"], '--output is "table.txt", expected a name that ends in .csv'),
        ([], "fairstep pareto needs --fairness"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_wrong_question_is_refused(fico, words, message):
    assert fico("pareto", "fico.json", *words, code=2).err.startswith(f"error: {message}")
