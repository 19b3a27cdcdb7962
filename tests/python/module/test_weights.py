"""fairstep.audit with weights: rates of numpy.average, and rows that count as they do without weights."""

import numpy as np
import pandas as pd
import pytest
from log_reference import dirty_log, write_csv

import fairstep as fs

LARGEST = 3.5


def weighed(seed=5, people=400):
    """A frame without a fault, and a weight for each decision."""
    draw = np.random.default_rng(seed)
    rows = pd.DataFrame(
        {
            "person": np.repeat(np.arange(people), 3),
            "step": np.tile(np.arange(3), people),
            "group": np.repeat(draw.choice(["a", "b"], people), 3),
            "x": draw.integers(0, 4, 3 * people),
            "y": draw.integers(0, 2, 3 * people),
            "a": draw.integers(0, 2, 3 * people),
        }
    )
    return rows.assign(w=draw.choice([0, 0.1, 1, 2.25, LARGEST], 3 * people))


def averages(rows, label=None):
    """[g,h] by numpy.average."""
    if label is not None:
        rows = rows[rows["y"] == label]
    mine = [[rows[(rows["group"] == g) & (rows["step"] == h)] for h in range(3)] for g in "ab"]
    return [[np.average(part["a"], weights=part["w"]) for part in steps] for steps in mine]


def test_rates_are_those_of_numpy(tmp_path):
    rows = weighed()
    rows.to_parquet(tmp_path / "log.parquet", row_group_size=100)
    rows.sample(frac=1, random_state=1).to_csv(tmp_path / "mixed.csv", index=False)
    of_frame = fs.audit(rows, weight="w", largest_weight=LARGEST)
    for rate, label in (("accept", None), ("tpr", 1), ("fpr", 0)):
        found, low, high = of_frame.rate_bands(rate)
        np.testing.assert_allclose(found, averages(rows, label), rtol=1e-12)
        assert np.all((low < found) & (found < high))
    # Exact sums: neither the order of rows nor the number of threads changes a digit.
    for file, threads in (("log.parquet", 1), ("log.parquet", 2), ("mixed.csv", 2)):
        of_file = fs.audit(tmp_path / file, weight="w", largest_weight=LARGEST, threads=threads)
        for rate in ("accept", "tpr", "fpr"):
            np.testing.assert_array_equal(of_file.rate_bands(rate), of_frame.rate_bands(rate))
        assert of_file.effective_decisions == of_frame.effective_decisions
    kish = [sum(part) ** 2 / sum(part**2) for part in (rows["w"][rows["group"] == g] for g in "ab")]
    np.testing.assert_allclose(of_frame.effective_decisions, kish, rtol=1e-12)
    assert (of_frame.weight, of_frame.largest_weight) == ("w", LARGEST)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("censored", [None, "drop"])
def test_of_a_damaged_log_the_same_rows_count_as_without_weights(tmp_path, seed, censored):
    rows = dirty_log(seed, censor=0.3 if censored else 0.0)
    columns = [*rows[0], "w"] if "w" not in rows[0] else list(rows[0])
    write_csv(tmp_path / "log.csv", [row | {"w": "2"} for row in rows], columns)
    reading = {"allow_loss": True, "censored": "drop", "groups": ["a", "b"]}
    plain = fs.audit(tmp_path / "log.csv", **reading)
    found = fs.audit(tmp_path / "log.csv", weight="w", largest_weight=2, **reading)
    assert found.decisions.tolist() == plain.decisions.tolist()
    assert [repr(it) for it in found.findings] == [repr(it) for it in plain.findings]
    for rate in ("accept", "tpr", "fpr"):
        if plain.rate_bands(rate) is None:
            assert found.rate_bands(rate) is None
            continue
        (observed, low, high), (as_counted, *_) = found.rate_bands(rate), plain.rate_bands(rate)
        np.testing.assert_array_equal(observed, as_counted)
        # Half the weight is less known: the band is wider at both ends.
        _, lower, higher = fs.audit(tmp_path / "log.csv", weight="w", largest_weight=4, **reading).rate_bands(rate)
        assert np.all(lower <= low) and np.all(high <= higher)


def test_a_copy_with_another_weight_is_a_contradiction():
    rows = weighed(people=30)
    copy = rows.iloc[:1]
    same = fs.audit(pd.concat([copy, rows]), weight="w", largest_weight=LARGEST)
    assert [(it.anomaly, it.rows) for it in same.findings] == [("duplicate", 1)]
    np.testing.assert_array_equal(
        same.rate_bands("accept")[0], fs.audit(rows, weight="w", largest_weight=LARGEST).rate_bands("accept")[0]
    )
    other = fs.audit(pd.concat([copy.assign(w=1.5), rows]), weight="w", largest_weight=LARGEST)
    assert [(it.anomaly, it.rows) for it in other.findings] == [("conflict", 2)]


@pytest.mark.parametrize(
    ("weight", "said"),
    [
        (4.0, 'row 8 has the weight "4"'),
        (-1.0, 'row 8 has the weight "-1"'),
        (np.nan, "row 8 has no weight"),
        (np.inf, 'row 8 has the weight "inf"'),
    ],
)
def test_a_weight_that_cannot_be_is_an_error(weight, said):
    rows = weighed(people=30)
    rows.loc[7, "w"] = weight
    with pytest.raises(ValueError, match=said + ", expected a number from 0 to 3.5"):
        fs.audit(rows, weight="w", largest_weight=LARGEST)


def test_questions_that_make_no_sense():
    rows = weighed(people=30)
    with pytest.raises(ValueError, match="weight and largest_weight are given together or not at all"):
        fs.audit(rows, weight="w")
    with pytest.raises(ValueError, match="counts have no weights"):
        fs.audit(fs.count(rows), weight="w", largest_weight=LARGEST)
    with pytest.raises(ValueError, match="weight and split do not go together"):
        fs.audit(rows, weight="w", largest_weight=LARGEST, split=0.5, seed=1)
    with pytest.raises(ValueError, match="weight: where labels follow features"):
        fs.audit(rows, weight="w", largest_weight=LARGEST, labels="follow-features")
    with pytest.raises(ValueError, match="largest_weight is 0, expected more than 0"):
        fs.audit(rows, weight="w", largest_weight=0)
    with pytest.raises(ValueError, match="counts have none: a certificate needs people who were drawn"):
        fs.count(rows, map={"weight": "w"})
    with pytest.raises(TypeError, match="weight"):
        fs.count(rows, weight="w")


def test_without_being_asked_for_a_column_of_weights_is_a_column_like_any_other():
    rows = weighed(people=30).rename(columns={"w": "weight"})
    found = fs.audit(rows)
    assert found.weight is None and found.effective_decisions is None
    assert "weight" not in dict(fs.count(rows).log.columns)
