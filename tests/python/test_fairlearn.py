"""fairlearn and fairstep measure the same: gaps on the same rows are equal."""

import os
import subprocess
import sys

import numpy as np
import pandas
import pyarrow
import pytest
from conftest import MODULE, PATIENCE
from fairlearn import metrics
from fairstep.fairlearn import by_step, metric_frame
from test_cli_taiwan import MEANING, MONTHS, TABLE, query

import fairstep as fs

pytestmark = pytest.mark.needs("fairlearn")


def drawn(groups, seed, people=3000):
    """A log of a policy that treats groups differently."""
    model = fs.env("random", groups=groups, features=3, horizon=4, seed=seed)
    return fs.simulate_log(model, fs.policy(model, random=True, seed=seed), people=people, seed=seed)


@pytest.mark.parametrize("groups", [2, 3, 4])
@pytest.mark.parametrize("seed", range(4))
def test_our_gaps_are_fairlearns(fairstep, groups, seed):
    log = drawn(groups, seed)
    table = log.to_frame()
    table.to_csv(fairstep.folder / "log.csv", index=False)
    ours = fairstep("audit", "log.csv", "--json", code=0).json["gap"]
    mine = by_step(log)
    for h in range(4):
        at = table[table["step"] == h]
        of_step = {"y_true": at["y"], "y_pred": at["a"], "sensitive_features": at["group"].astype(str)}
        dp = metrics.demographic_parity_difference(**of_step)
        tpr = metrics.true_positive_rate_difference(**of_step)
        odds = metrics.equalized_odds_difference(**of_step)
        for found, theirs in (
            (ours["dp"][h]["gap"], dp),
            (ours["eqopt"][h]["gap"], tpr),
            (ours["eqodds"][h]["gap"], odds),
            (mine["selection_rate"][h], dp),
            (mine["true_positive_rate"][h], tpr),
            (max(mine["true_positive_rate"][h], mine["false_positive_rate"][h]), odds),
        ):
            assert found == pytest.approx(theirs, rel=0, abs=1e-12)


def test_counts_say_the_same_as_their_log():
    model = fs.env("fico")
    policy = fs.policy(model, random=True, seed=1)
    log = fs.simulate_log(model, policy, people=5000, seed=3)
    counts = fs.simulate(model, policy, people=5000, seed=3, by="person")
    pandas.testing.assert_frame_equal(by_step(log), by_step(counts), check_exact=False, rtol=0, atol=1e-12)
    one, other = metric_frame(log, step=2), metric_frame(counts, step=2)
    pandas.testing.assert_frame_equal(one.by_group, other.by_group, check_exact=False, rtol=0, atol=1e-12)
    assert other.by_group["count"].sum() == 5000


def test_a_log_with_names_of_its_own():
    # Two groups of four. North: 3 of 4 accepted, of the qualified 1 of 2. South: 2 of 4, of the qualified 2 of 3.
    log = {
        "region": ["north"] * 4 + ["south"] * 4,
        "year": [2020] * 8,
        "repaid": [1, 1, 0, 0, 1, 1, 1, 0],
        "approved": [1, 0, 1, 1, 1, 1, 0, 0],
    }
    names = {"group": "region", "step": "year", "y": "repaid", "a": "approved"}
    gaps = by_step(log, columns=names)
    assert gaps.loc[2020].to_dict() == pytest.approx(
        {"selection_rate": 3 / 4 - 2 / 4, "true_positive_rate": 2 / 3 - 1 / 2, "false_positive_rate": 1.0}
    )
    frame = metric_frame(log, step=2020, columns=names)
    assert frame.by_group.loc["south", "selection_rate"] == 0.5
    # Without labels only what needs none.
    del log["repaid"]
    assert list(metric_frame(log, columns=names).by_group) == ["selection_rate", "count"]


def test_a_rate_of_nobody_is_0_to_fairlearn_and_none_to_us(fairstep):
    # Nobody in the north would repay; in the south one of two who would is approved.
    log = pandas.DataFrame(
        {"person": range(4), "group": ["n", "n", "s", "s"], "step": 0, "x": "any", "y": [0, 0, 1, 1], "a": [1, 1, 1, 0]}
    )
    assert by_step(log)["true_positive_rate"][0] == 0.5
    log.to_csv(fairstep.folder / "log.csv", index=False)
    assert fairstep("audit", "log.csv", "--json", code=0).json["gap"]["eqopt"][0]["gap"] is None


def test_arrow_tables_and_other_metrics():
    log = drawn(2, 1)
    table = pyarrow.Table.from_pandas(log.to_frame())
    assert by_step(table).equals(by_step(log))
    accuracy = {"wrong": lambda y_true, y_pred: np.mean(np.asarray(y_true) != np.asarray(y_pred))}
    assert list(by_step(log, metrics=accuracy)) == ["wrong"]


def test_what_cannot_be_measured_is_said():
    log = {"group": ["a", "b"], "step": [0, 0], "y": [1, None], "a": [1, 0]}
    with pytest.raises(ValueError, match="1 rows have a y that is neither 0 nor 1"):
        metric_frame(log, step=0)
    with pytest.raises(ValueError, match="there is no decision at step 3"):
        metric_frame(log | {"y": [1, 0]}, step=3)
    with pytest.raises(ValueError, match=r"the log has no column 'h'; columns=\{'step': \.\.\.\} says"):
        metric_frame(log, step=3, columns={"step": "h"})


@pytest.mark.parametrize("missing", ["pandas", "fairlearn"])
def test_without_a_package_its_name_is_said(missing):
    code = (
        f"import sys; sys.modules['{missing}'] = None; sys.modules['{missing}.metrics'] = None\n"
        "from fairstep.fairlearn import metric_frame\n"
        "metric_frame({'group': ['a', 'b'], 'step': [0, 0], 'a': [1, 0]})"
    )
    env = os.environ | {"PYTHONPATH": str(MODULE)}
    done = subprocess.run(
        [sys.executable, "-c", code], env=env, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert f"ImportError: fairstep.fairlearn needs the package {missing}: pip install {missing}" in done.stderr


def test_gaps_of_card_holders_are_fairlearns(fairstep):
    """A bank's own table: our rows are made by a query, fairlearn's by pandas."""
    fairstep("count", TABLE, "--query", query(), *MEANING, "-o", "cards.json", code=0)
    ours = fairstep("audit", "cards.json", "--json", code=0).json["gap"]
    table = pandas.read_csv(TABLE)
    for h, (_, bill, before) in enumerate(MONTHS):
        drew = table[f"BILL_AMT{bill}"] > table[f"BILL_AMT{before}"] - table[f"PAY_AMT{bill}"]
        rows = {
            "y_true": 1 - table["default payment next month"],
            "y_pred": drew.astype(int),
            "sensitive_features": table["SEX"],
        }
        for notion, theirs in (
            ("dp", metrics.demographic_parity_difference),
            ("eqopt", metrics.true_positive_rate_difference),
            ("eqodds", metrics.equalized_odds_difference),
        ):
            assert ours[notion][h]["gap"] == pytest.approx(theirs(**rows), rel=0, abs=1e-12)
