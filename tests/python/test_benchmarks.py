"""The tables in docs/performance.md are those of benchmarks/results, and the guard knows slow from fast."""

import importlib
import json

import pytest
from conftest import ROOT

BENCHMARKS = ROOT / "benchmarks"
RESULTS = sorted((BENCHMARKS / "results").glob("*.json"))


@pytest.fixture(autouse=True)
def on_path(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))


@pytest.mark.parametrize("file", RESULTS, ids=lambda file: file.stem)
def test_every_table_in_the_page_is_made_from_its_results(file):
    result = json.loads(file.read_text())
    page = (ROOT / "docs" / "performance.md").read_text()
    ours = page.split(f"<!-- {file.stem} -->\n", 1)[1].split("<!-- end -->", 1)[0]
    for table in importlib.import_module(f"suites.{file.stem}").tables(result["rows"]):
        assert table.markdown() in ours
    assert f"commit {result['commit']}" in ours


def test_there_are_results_of_every_suite():
    suites = {path.stem for path in (BENCHMARKS / "suites").glob("*.py")}
    assert {file.stem for file in RESULTS} == suites


def test_results_are_the_same_on_one_and_two_threads():
    rows = json.loads((BENCHMARKS / "results" / "threads.json").read_text())["rows"]
    assert rows[1]["same_bytes"]


@pytest.mark.parametrize(("ratio", "code"), [(2.0, 0), (2.6, 1)])
def test_the_guard_stops_what_has_become_slow(monkeypatch, tmp_path, capsys, ratio, code):
    guard = importlib.import_module("guard")
    monkeypatch.setattr(guard, "STANDARD", tmp_path / "guard.json")
    (tmp_path / "guard.json").write_text('{"a": 0.5, "b": 10}')
    monkeypatch.setattr(guard, "measure", lambda: {"a": 0.5 * ratio, "b": 10})
    assert guard.main(accept=False) == code
    assert ("SLOW" in capsys.readouterr().out) == (code == 1)


def test_what_the_guard_measures_has_a_standard():
    guard = importlib.import_module("guard")
    measured = {name for of_room in guard.GUARDED.values() for name in of_room}
    assert measured == set(json.loads(guard.STANDARD.read_text()))


def test_growth_is_fitted_on_logarithms():
    power = importlib.import_module("measure").power
    assert power([1, 2, 4, 8], [3, 12, 48, 192]) == pytest.approx(2)
