"""Results as tables of pandas, which is imported when the first is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fairstep import _optional
from fairstep._missing import greatest, least

if TYPE_CHECKING:
    import pandas

    from fairstep._comparing import Comparison
    from fairstep._core import (
        Audit,
        Certificate,
        Counts,
        ExperimentSummary,
        Gaps,
        Grounds,
        Log,
        Model,
        Policy,
        Rates,
        Report,
        Run,
        SolveResult,
    )
    from fairstep._solving import Frontier
    from fairstep.gymnasium.rollout import Rollout


def _pandas() -> Any:
    return _optional.load("pandas", "to_frame() makes a table of")


def _grid(**axes: Any) -> dict[str, Any]:
    """A column for each axis, one row for each combination, the last axis running fastest."""
    values = [np.asarray(list(axis)) for axis in axes.values()]
    places = np.meshgrid(*(np.arange(len(axis)) for axis in values), indexing="ij")
    return {name: axis[place.ravel()] for name, axis, place in zip(axes, values, places, strict=True)}


def rates(self: Rates) -> pandas.DataFrame:
    columns = _grid(group=self.groups, step=range(self.accept.shape[1]))
    for name in ("accept", "tpr", "fpr", "qualified"):
        columns[name] = getattr(self, name).ravel()
    return _pandas().DataFrame(columns)


def comparison(self: Comparison) -> pandas.DataFrame:
    rows = []
    for i, one in enumerate(self.policies):
        gaps = {notion: greatest(getattr(one.evaluation.gap, notion)) for notion in ("dp", "eqopt", "eqodds")}
        rows.append({"policy": i, "value": one.evaluation.value, **gaps, "changed_share": one.changed_share})
    return _pandas().DataFrame(rows)


def gaps(self: Gaps) -> pandas.DataFrame:
    columns = {"step": np.arange(len(self.dp)), "dp": self.dp, "eqopt": self.eqopt, "eqodds": self.eqodds}
    return _pandas().DataFrame(columns)


def policy(self: Policy, model: Model | None = None) -> pandas.DataFrame:
    groups, steps, features = self.accept.shape
    names: Any = ["any"] if self.group_independent else self.groups or range(groups)
    if model is not None and len(model.features) != features:
        raise ValueError(f"the policy has {features} features, the model has {len(model.features)}")
    columns = _grid(group=names, step=range(steps), x=range(features) if model is None else model.features)
    return _pandas().DataFrame(columns | {"accept": self.accept.ravel()})


def counts(self: Counts) -> pandas.DataFrame:
    columns = _grid(group=self.groups, step=range(self.horizon), x=self.features, y=range(2), a=range(2))
    return _pandas().DataFrame(columns | {"decisions": self.visits.ravel()})


def grounds(self: Grounds) -> pandas.DataFrame:
    successors = self.successors
    periods = successors.shape[1] if successors.ndim == 5 else 1
    if successors.ndim == 5:
        columns = _grid(group=self.groups, period=range(periods), x=self.features, y=range(2), a=range(2))
    else:
        columns = _grid(group=self.groups, x=self.features, y=range(2), a=range(2))
    seen = successors.ravel()
    rewards = self.rewards.reshape(len(self.groups), 1, -1).repeat(periods, axis=1)
    columns |= {"successors": seen, "rewards": rewards.ravel()}
    return _pandas().DataFrame(columns | {"row": np.where(seen > 0, "seen", self.unvisited)})


def log(self: Log | Rollout) -> pandas.DataFrame:
    pandas = _pandas()
    return pandas.DataFrame(
        {
            "person": self.person,
            "group": pandas.Categorical.from_codes(self.group.astype(np.int32), self.groups),
            "step": self.step,
            "x": pandas.Categorical.from_codes(self.x.astype(np.int32), self.features),
            "y": self.y,
            "a": self.a,
            "reward": self.reward,
        }
    )


def certificate(self: Certificate) -> pandas.DataFrame:
    tables = []
    for notion in self.fairness:
        at_most, estimated = getattr(self.gap, notion), getattr(self.estimated_gap, notion)
        tables.append({"step": np.arange(len(at_most)), "fairness": notion, "gap": at_most, "estimated_gap": estimated})
    return _pandas().concat([_pandas().DataFrame(table) for table in tables], ignore_index=True)


def audit(self: Audit) -> pandas.DataFrame:
    tables = []
    for notion in ("dp", "eqopt", "eqodds"):
        bands = self.gap_bands(notion)
        if bands is not None:
            steps = {"step": np.arange(self.horizon), "fairness": notion}
            tables.append(_pandas().DataFrame(steps | dict(zip(("gap", "low", "high"), bands, strict=True))))
    return _pandas().concat(tables, ignore_index=True)


def _furthest(result: SolveResult) -> dict[str, float]:
    """How far apart groups are at the worst step: the widest gap, or of ratios the least."""
    if len(result.least_ratio):
        return {"least_ratio": least(result.least_ratio)}
    return {"worst_parity_gap": greatest(result.parity_gap) if result.found else np.nan}


def frontier(self: Frontier) -> pandas.DataFrame:
    rows = []
    for point in self.points:
        result = point.result
        rows.append(
            {
                "limit": point.limit,
                "outcome": result.outcome,
                "value": result.value if result.found else np.nan,
                "lower": result.bounds.lower,
                "upper": result.bounds.upper,
                "gap": result.gap,
                **_furthest(result),
                "shadow_price": sum(result.shadow_price) if result.found else np.nan,
                "unseen_visits": np.nan if result.unseen_visits is None else result.unseen_visits,
                "seconds": result.seconds,
            }
        )
    return _pandas().DataFrame(rows)


def run(self: Run) -> pandas.DataFrame:
    rows = []
    for update in self.updates:
        rows.append(
            {
                "k": update.k,
                "value": update.value,
                "violation": update.violation,
                "worst_gap": greatest(update.gap[self.fairness]) if update.gap else np.nan,
                "reward_regret": update.reward_regret,
                "reward_regret_bound": update.reward_regret_bound,
                "relaxation": update.relaxation.max(),
                "vacuous_steps": len(update.vacuous),
                "bonus_max": update.bonus_max,
                "floor": update.floor,
                "unvisited": update.unvisited,
                "gap_to_bound": update.gap_to_bound,
                "outcome": update.outcome,
            }
        )
    return _pandas().DataFrame(rows)


def experiment(self: ExperimentSummary) -> pandas.DataFrame:
    rows = []
    for cell in self.cells:
        for repeat, (value, violation) in enumerate(zip(cell.value, cell.violation, strict=True)):
            where = {"environment": cell.environment, "fairness": cell.fairness, "method": cell.method}
            rows.append(where | {"repeat": repeat, "value": value, "violation": violation})
    return _pandas().DataFrame(rows)


def report(self: Report) -> pandas.DataFrame:
    rows = []
    for verdict in self.verdicts:
        for finding in verdict.findings:
            judged = {"setting": finding.setting, "ruling": finding.ruling, "evidence": finding.evidence}
            rows.append({"id": verdict.id, "claim": verdict.claim} | judged)
    return _pandas().DataFrame(rows)
