"""The paper's algorithm: learning a fair policy from the people it decides about."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fairstep import _core
from fairstep._core import Grounds, Model, Policy
from fairstep._progress import LearnProgress, Progress, shown
from fairstep._rounding import round_down_short
from fairstep._solving import budget
from fairstep._words import limits_of

if TYPE_CHECKING:
    import pandas


def _number(value: float | None) -> float:
    return float("nan") if value is None else float(value)


def _numbers(values: Sequence[float | None]) -> NDArray[np.float64]:
    made = np.array([_number(value) for value in values])
    made.flags.writeable = False
    return made


@dataclass(frozen=True)
class Measured:
    """An estimate by simulation and its 95 % interval."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class Fit:
    """value ~ exp(intercept) k^slope, by least squares on a log-log scale."""

    slope: float
    intercept: float
    points: int
    omitted: tuple[int, ...]
    """Episodes of those without a logarithm."""


@dataclass(frozen=True)
class Update:
    """One update of the policy in a learning run, judged exactly under the true model."""

    k: int
    """The episode."""
    value: float
    """Expected total reward under the true model."""
    violation: float
    """Step-average gap of the notion in force, under the true model."""
    reward_regret: float
    """(value of the best fair policy - value) / H."""
    reward_regret_bound: float
    """The same against what was proven of the best: the regret is at most this."""
    gap: dict[str, NDArray[np.float64]]
    """By notion, [h], under the true model."""
    limit: NDArray[np.float64]
    """The limit asked for, [h]."""
    relaxation: NDArray[np.float64]
    """What was allowed on top, [h]."""
    vacuous: tuple[int, ...]
    """Steps at which that is 1 or more."""
    estimated_gap: NDArray[np.float64]
    """Under the estimate, [h]."""
    bonus_max: float
    floor: float
    epsilon: float
    unvisited: int
    """Cells whose row is the rule's."""
    lower: float
    """Bounds on the program's optimum: estimated rewards and bonus."""
    upper: float
    gap_to_bound: float
    outcome: str
    stopped_by: str
    measured_value: Measured | None
    """By simulated people."""
    measured_violation: Measured | None
    safe: dict[str, Any] | None
    """With `safe`: fallback, mixed, doubt_scale and worst_gap [h]."""
    _policy: str | Path = field(repr=False)

    @property
    def policy(self) -> Policy:
        """What was decided."""
        return Policy.load(self._policy) if isinstance(self._policy, Path) else Policy.from_json(self._policy)

    @classmethod
    def _of(cls, record: dict[str, Any], folder: Path | None) -> Update:
        policy = record["policy"]
        tried = record.get("evaluation") or {}
        return cls(
            k=record["k"],
            value=_number(record.get("value")),
            violation=_number(record.get("violation")),
            reward_regret=_number(record.get("reward_regret")),
            reward_regret_bound=_number(record.get("reward_regret_bound")),
            gap={notion: _numbers(steps) for notion, steps in record.get("gap", {}).items()},
            limit=_numbers(record["limit"]),
            relaxation=_numbers(record["relaxation"]),
            vacuous=tuple(record["vacuous"]),
            estimated_gap=_numbers(record["estimated_gap"]),
            bonus_max=record["bonus_max"],
            floor=record["floor"],
            epsilon=record["epsilon"],
            unvisited=record["unvisited"],
            lower=_number(record["bounds"]["lower"]),
            upper=_number(record["bounds"]["upper"]),
            gap_to_bound=_number(record["gap_to_bound"]),
            outcome=record["outcome"],
            stopped_by=record["stopped_by"],
            measured_value=Measured(**tried["value"]) if tried else None,
            measured_violation=Measured(**tried["violation"]) if tried else None,
            safe=record.get("safe"),
            _policy=(folder or Path()) / policy if isinstance(policy, str) else json.dumps(policy),
        )


@dataclass(frozen=True)
class Run:
    """A learning run: its updates, and the best fair policy that it is measured against."""

    updates: tuple[Update, ...]
    finished: bool
    groups: tuple[str, ...]
    fairness: str
    relaxation: str
    oracle_outcome: str
    """How the search for the best fair policy on the true model ended."""
    oracle_lower: float
    """Its value."""
    oracle_upper: float
    """No fair policy is worth more than this."""
    regret_fit: Fit
    violation_fit: Fit
    rests_on: Grounds | None = None
    """What the model rests on, if it is an estimate: then the people were drawn from it, and nobody was seen."""

    def __repr__(self) -> str:
        if not self.updates:
            return "Run(no updates)"
        last = self.updates[-1]
        return (
            f"Run({len(self.updates)} updates to k={last.k}, value={last.value:.4g}, violation={last.violation:.4g}, "
            f"best fair value>={round_down_short(self.oracle_lower, 4)})"
        )

    @property
    def policy(self) -> Policy:
        """That of the last update."""
        if not self.updates:
            raise ValueError("there is no policy: no update was made")
        return self.updates[-1].policy

    def to_frame(self) -> pandas.DataFrame:
        """A table with a row for each update: k, value, violation, reward_regret and more."""
        from fairstep import _frames

        return _frames.run(self)

    def _repr_html_(self) -> str:
        from fairstep import _html

        return _html.run(self)


def _run_of(text: str, fairness: str, folder: Path | None, rests_on: Grounds | None) -> Run:
    document = json.loads(text)
    fits = {
        key: Fit(_number(fit["slope"]), _number(fit["intercept"]), fit["points"], tuple(fit["omitted"]))
        for key, fit in document["fit"].items()
    }
    return Run(
        updates=tuple(Update._of(record, folder) for record in document["updates"]),
        finished=document["finished"],
        groups=tuple(document["groups"]),
        fairness=fairness,
        relaxation=document["relaxation_mode"],
        oracle_outcome=document["oracle"]["outcome"],
        oracle_lower=_number(document["oracle"]["bounds"]["lower"]),
        oracle_upper=_number(document["oracle"]["bounds"]["upper"]),
        regret_fit=fits["reward_regret"],
        violation_fit=fits["violation"],
        rests_on=rests_on,
    )


def _episodes(schedule: str | Sequence[int]) -> list[int]:
    if not isinstance(schedule, str):
        return [int(k) for k in schedule]
    episodes = _core.parse_schedule(schedule)
    if episodes is None:
        raise ValueError(
            f'schedule is "{schedule}", expected doublings such as 2^3..2^18, or rising episode numbers such as '
            "8,100,1000"
        )
    return episodes


def learn(
    model: Model,
    *,
    fairness: str = "dp",
    limit: float | None = None,
    limit_per_step: Sequence[float] | None = None,
    method: str = "constrained",
    penalty: float | None = None,
    penalty_form: str | None = None,
    schedule: str | Sequence[int] = "2^3..2^18",
    people_per_episode: int = 1,
    by: str = "counts",
    relaxation: str = "scaled",
    bonus_scale: float | None = None,
    relaxation_scale: float | None = None,
    delta: float = 0.1,
    safe: bool = False,
    floor: float | None = None,
    floor_kind: str = "two_sided",
    epsilon: float | None = None,
    unvisited: str = "uniform",
    evaluation_episodes: int = 8000,
    no_proof: bool = False,
    gap: float = 1e-3,
    time_limit: float = 60.0,
    effort: float | None = None,
    seed: int = 1,
    output: str | os.PathLike[str] | None = None,
    restart: bool = False,
    progress: Progress[LearnProgress] = None,
) -> Run:
    """Learns a fair policy from the people it decides about, episode by episode.

    Runs the paper's algorithm on people drawn from the model, which the learner does not see: count, add a bonus, relax
    the limits, solve, act until the next update. Every update is judged exactly under the model and against the best
    fair policy. Ctrl-C stops it; with `output` the same call goes on from there.

    Args:
        model: the population that is learned about.
        fairness: `"dp"`, `"eqopt"` or `"eqodds"`.
        limit: how far apart groups may be at every step; left out: 0.
        limit_per_step: the same, one for each step.
        method: `"constrained"`, `"unconstrained"` or `"penalty"`.
        penalty: weight of the squared gaps, for the method penalty (`--lambda` of the command).
        penalty_form: `"rate"` or `"cross"`.
        schedule: when the policy is updated: `"2^3..2^18"` doubles; or a list of episodes.
        people_per_episode: of each group.
        by: `"counts"` draws whole crowds at once, `"person"` one by one.
        relaxation: how limits allow for what is not known yet: `"literal"`, `"scaled"` or `"tight"`.
        bonus_scale: factor of the bonus; left out: 0.001 for scaled, else 1.
        relaxation_scale: factor of the relaxation; left out: 0.001 (eqopt: 0.0001) for scaled, else 1.
        delta: what is guaranteed may fail with this probability.
        safe: deploy only what keeps the limits, to confidence 1 - delta.
        floor: least probability of an action; left out: k^(-1/3).
        floor_kind: `"two_sided"` or `"accept_only"`.
        epsilon: the lemmas' eps_k; left out: 1/(kHS).
        unvisited: where a cell leads of which no successor was seen: `"uniform"`, `"stay"` or `"error"`.
        evaluation_episodes: simulated after every update to measure it; 0: none.
        no_proof: no upper bounds on the solves.
        gap: proven share of the best at which a solve stops.
        time_limit: seconds for each solve.
        effort: work on each proof: a limit that is the same on every machine.
        seed: of the people drawn.
        output: keep the run in this folder, and take it up from there.
        restart: drop the run that is in the folder and start over.
        progress: as in `solve`; a function gets `LearnProgress`.

    Example:
        >>> run = fairstep.learn(fairstep.env("fico"), fairness="dp", schedule="2^3..2^14", no_proof=True)
        >>> run.to_frame()[["k", "value", "violation"]]
    """
    if method not in ("constrained", "unconstrained", "penalty"):
        raise ValueError(f'method is "{method}", expected constrained, unconstrained or penalty')
    if method == "penalty" and penalty is None:
        raise ValueError("the method penalty needs penalty, such as penalty=1")
    if method != "penalty" and (penalty is not None or penalty_form is not None):
        raise ValueError("penalty and penalty_form are for the method penalty")
    if by not in ("person", "counts"):
        raise ValueError(f'by is "{by}", expected person or counts')
    if relaxation == "literal" and (bonus_scale is not None or relaxation_scale is not None):
        raise ValueError('bonus_scale and relaxation_scale leave nothing literal: use relaxation="scaled"')
    if safe and limit is None and limit_per_step is None:
        raise ValueError("safe needs a limit: no finite log shows that a gap is exactly 0")
    if restart and output is None:
        raise ValueError("restart is given without output")
    episodes = _episodes(schedule)
    with shown(progress, "learn", len(episodes), "updates") as tell:
        text = _core.learn(
            model,
            _core.LearnOptions(
                fairness=_core.StepwiseParity(fairness=fairness, limit=limits_of(limit, limit_per_step, 0.0)),
                method=method,
                penalty=penalty or 0.0,
                penalty_form=penalty_form or "rate",
                schedule=episodes,
                people_per_episode=people_per_episode,
                relaxation=relaxation,
                bonus_scale=bonus_scale,
                relaxation_scale=relaxation_scale,
                delta=delta,
                safe=safe,
                floor=floor,
                floor_kind=floor_kind,
                epsilon=epsilon,
                unvisited=unvisited,
                evaluation_episodes=evaluation_episodes,
                proof=budget(no_proof, gap, time_limit, effort),
                seed=seed,
            ),
            by == "person",
            output,
            restart,
            tell and (lambda done, k, value, violation: tell(LearnProgress(done, k, value, violation))),
        )
    return _run_of(text, fairness, None if output is None else Path(output), model.rests_on)
