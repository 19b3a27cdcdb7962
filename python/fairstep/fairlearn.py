"""Logs and counts as fairlearn sees them, one step at a time.

    from fairstep.fairlearn import by_step, metric_frame

    frame = metric_frame(log, step=3)       # a fairlearn.metrics.MetricFrame
    frame.difference()                      # gaps between groups at step 3
    by_step(log)                            # the same for every step, as a pandas frame

A log is one of ours (`simulate_log`, `rollout`), a pandas frame, an Arrow table or whatever else `pandas.DataFrame`
takes, with a row for each decision and the columns group, step, y (the label) and a (the decision); `columns` says what
they are called if not that. Counts will do as well: each cell is then a row with its number of decisions as weight.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pandas
    from fairlearn.metrics import MetricFrame  # type: ignore[import-untyped]

    from fairstep import Counts

__all__ = ["by_step", "metric_frame"]

Log = Any
Metric = Callable[..., Any]


def metric_frame(
    log: Log | Counts,
    *,
    step: int | None = None,
    metrics: Mapping[str, Metric] | None = None,
    columns: Mapping[str, str] | None = None,
) -> MetricFrame:
    """A MetricFrame of the decisions at a step.

    Args:
        log: rows, or counts.
        step: left out: all steps together.
        metrics: left out: fairlearn's selection_rate, true_positive_rate and false_positive_rate, and count; without
            labels the first and the last.
        columns: what the log calls group, step, y and a, if it is not that.
    """
    fairlearn = _needed("fairlearn.metrics", "fairlearn")
    rows = _rows(log, columns or {})
    if step is not None:
        rows = rows[rows["step"] == step]
        if rows.empty:
            raise ValueError(f"there is no decision at step {step}")
    labelled = "y" in rows
    if metrics is None:
        names = ("selection_rate", "true_positive_rate", "false_positive_rate")[: 3 if labelled else 1]
        metrics = {name: getattr(fairlearn, name) for name in names} | {"count": _count}
    weights = {"sample_weight": rows["weight"]} if "weight" in rows else {}
    return fairlearn.MetricFrame(
        metrics=dict(metrics),
        y_true=rows["y"] if labelled else rows["a"],
        y_pred=rows["a"],
        sensitive_features=rows["group"],
        sample_params={name: weights for name in metrics} if weights else None,
    )


def by_step(
    log: Log | Counts, *, metrics: Mapping[str, Metric] | None = None, columns: Mapping[str, str] | None = None
) -> pandas.DataFrame:
    """The widest difference between two groups at each step: a row for each step, a column for each metric.

    With the usual metrics selection_rate is our dp and true_positive_rate our eqopt; eqodds is the larger one of
    true_positive_rate and false_positive_rate.
    """
    pd = _needed("pandas", "pandas")
    rows = _rows(log, columns or {})
    steps = sorted(int(step) for step in rows["step"].unique())
    gaps = [metric_frame(rows, step=step, metrics=metrics).difference(method="between_groups") for step in steps]
    table: pandas.DataFrame = pd.DataFrame(gaps, index=pd.Index(steps, name="step"))
    return table.drop(columns="count", errors="ignore")


def _count(y_true: Any, y_pred: Any, sample_weight: Any = None) -> int:
    return len(y_true) if sample_weight is None else int(np.sum(sample_weight))


def _needed(module: str, package: str) -> Any:
    """An optional package, when it is needed."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        missing = (error.name or package).partition(".")[0]
        raise ImportError(f"fairstep.fairlearn needs the package {missing}: pip install {missing}") from error


def _rows(log: Log | Counts, columns: Mapping[str, str]) -> pandas.DataFrame:
    """Columns group, step, a, and y and weight if there are any."""
    pd = _needed("pandas", "pandas")
    if hasattr(log, "visits"):
        return _cells(log, pd)
    for as_pandas in ("to_frame", "to_pandas"):  # ours; Arrow, Polars
        if not isinstance(log, pd.DataFrame) and hasattr(log, as_pandas):
            log = getattr(log, as_pandas)()
    table = log if isinstance(log, pd.DataFrame) else pd.DataFrame(log)
    called = {name: columns.get(name, name) for name in ("group", "step", "a", "y", "weight")}
    for name in ("group", "step", "a"):
        if called[name] not in table:
            raise ValueError(
                f"the log has no column {called[name]!r}; columns={{{name!r}: ...}} says what it is called"
            )
    rows: pandas.DataFrame = pd.DataFrame({name: table[column] for name, column in called.items() if column in table})
    for name in ("a", "y"):
        unknown = ~rows[name].isin([0, 1]) if name in rows else pd.Series(dtype=bool)
        if unknown.any():
            raise ValueError(
                f"{unknown.sum():,} rows have a {called[name]} that is neither 0 nor 1; leave them out first"
            )
    rows["group"] = rows["group"].astype(object)  # groups that are not there at a step are no groups of it
    return rows


def _cells(counts: Counts, pd: Any) -> pandas.DataFrame:
    visits = np.asarray(counts.visits).sum(axis=2)  # [g,h,y,a]
    group, step, label, action = np.nonzero(visits)
    names = np.asarray(list(counts.groups), dtype=object)
    weight = visits[group, step, label, action]
    cells = {"group": names[group], "step": step, "y": label, "a": action, "weight": weight}
    table: pandas.DataFrame = pd.DataFrame(cells)
    return table
