"""fairstep audit --weight: rates of a weighted sample, and what is said of weights elsewhere."""

import numpy as np
import pytest
from log_reference import dirty_log, write_csv

COLUMNS = ["person", "step", "group", "x", "y", "a", "w"]


@pytest.fixture
def log(fairstep):
    """Clean rows in log.csv, whose weights are 0.5, 1 and 4."""
    rows = [row | {"w": ("0.5", "1", "4")[i % 3]} for i, row in enumerate(dirty_log(11, people=150, tidy=True))]
    write_csv(fairstep.folder / "log.csv", rows, COLUMNS)
    fairstep.rows = rows
    return fairstep


def test_rates_are_weighted_means_and_the_report_says_so_first(log):
    answer = log("audit", "log.csv", "--weight", "w", "--largest-weight", "4", "--json", code=0).json
    for name, wanted in (("accept", "01"), ("tpr", "1"), ("fpr", "0")):
        for g, group in enumerate("ab"):
            for h in range(5):
                mine = [
                    row for row in log.rows if row["group"] == group and row["step"] == str(h) and row["y"] in wanted
                ]
                told = answer["rates"][name]["steps"][g][h]
                assert told["decisions"] == len(mine)
                weights = [float(row["w"]) for row in mine]
                assert told["rate"] == pytest.approx(np.average([int(row["a"]) for row in mine], weights=weights))
    weights = np.array([float(row["w"]) for row in log.rows])
    said = answer["weights"]
    assert (said["column"], said["largest"], sum(said["total"])) == ("w", 4, weights.sum())
    assert said["effective_decisions_of_all"] == pytest.approx(weights.sum() ** 2 / (weights**2).sum())
    assert answer["diagnosis"] is None and any(text.startswith("Weights: ") for text in answer["assumptions"])
    head = log("audit", "log.csv", "--weight", "w", "--largest-weight", "4", code=0).out.split("\n\n")[1]
    assert 'Rates are weighted: a decision counts by its "w", which is at least 0 and at most 4' in head
    assert f"{said['effective_decisions_of_all']:.1f}: that describes the sample, and no band rests on it" in head


def test_without_the_option_nothing_is_said_of_weights(log):
    answer = log("audit", "log.csv", "--json", code=0).json
    assert "weights" not in answer and answer["diagnosis"] is not None


@pytest.mark.parametrize("verb", ["count", "fit", "certify", "diagnose", "merge"])
def test_all_that_is_about_people_who_each_count_once_says_why_it_takes_no_weights(log, verb):
    said = log(verb, "log.csv", "--weight", "w", code=2).err
    assert f"fairstep {verb} has no option --weight" in said
    assert "a certificate, and the counts that it is made of, need people who were drawn from the population" in said


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--weight", "w"], "--weight and --largest-weight are given together or not at all"),
        (["--largest-weight", "4"], "--weight and --largest-weight are given together or not at all"),
        (["--weight", "w", "--largest-weight", "4", "--policy", "none.json"], "--weight and --policy"),
        (["--weight", "w", "--largest-weight", "4", "--labels", "follow-features"], "--weight and --labels"),
        (["--weight", "w", "--largest-weight", "0"], "--largest-weight is 0, expected more than 0"),
        (["--weight", "w", "--largest-weight", "3"], 'row 3 has the weight "4", expected a number from 0 to 3'),
        (["--weight", "none", "--largest-weight", "4"], 'there is no column "none" for weight'),
        (["--map", "weight=w"], "weights are taken by fairstep audit alone"),
    ],
)
def test_questions_that_make_no_sense(log, given, said):
    assert said in log("audit", "log.csv", *given, code=2).err


def test_of_several_files_the_one_with_the_bad_weight_is_named(log):
    write_csv(log.folder / "more.csv", [row | {"person": "z" + row["person"], "w": "x"} for row in log.rows], COLUMNS)
    for threads in ("1", "2"):
        given = ("--weight", "w", "--largest-weight", "4", "--threads", threads)
        said = log("audit", "log.csv", "more.csv", *given, code=2).err
        assert 'row 1 has the weight "x"' in said and "in more.csv" in said


def test_counts_have_no_weights(log):
    log("count", "log.csv", "-o", "counts.json", code=0)
    said = log("audit", "counts.json", "--weight", "w", "--largest-weight", "4", code=2).err
    assert "--weight is about rows of a log, but counts.json are counts" in said
