"""The best policy under stepwise fairness limits, and what fairness costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, overload

from fairstep import _core
from fairstep._core import Model, Policy, SolveResult
from fairstep._plainly import plainly
from fairstep._progress import Progress, SolveProgress, shown
from fairstep._words import RATIOS, Fairness, limits_of, notions_and_files

if TYPE_CHECKING:
    import matplotlib.axes
    import pandas

DEFAULT_LIMIT = 0.01
FOUR_FIFTHS = 0.8


def shares(capacity: float | Sequence[float] | None) -> list[float] | None:
    if capacity is None:
        return None
    return [float(capacity)] if isinstance(capacity, int | float) else [float(share) for share in capacity]


def budget(no_proof: bool, gap: float, time_limit: float, effort: float | None) -> _core.ProofBudget:
    """What a proof may cost."""
    if effort is not None and (effort != int(effort) or effort < 1):
        raise ValueError(f"effort is {effort}, expected a whole number of 1 or more")
    return _core.ProofBudget(wanted=not no_proof, gap=gap, time_limit=time_limit, effort=int(effort or 0))


@plainly
def solve(
    model: Model,
    *,
    fairness: Fairness = None,
    limit: float | None = None,
    limit_per_step: Sequence[float] | None = None,
    reference: str | None = None,
    capacity: float | Sequence[float] | None = None,
    aggregate_dp: float | None = None,
    aggregate_eqopt: float | None = None,
    floor: float = 0.0,
    floor_kind: str = "two_sided",
    group_independent: bool = False,
    min_seen: int = 0,
    deterministic: bool = False,
    monotone: bool = False,
    threshold: bool = False,
    stationary: bool = False,
    order: str | Sequence[str] = (),
    monotone_in: int = 0,
    penalty: float | None = None,
    penalty_form: str | None = None,
    method: str | None = None,
    gap: float = 1e-3,
    no_proof: bool = False,
    time_limit: float = 60.0,
    effort: float | None = None,
    infinite: bool = False,
    tail: float | None = None,
    start: Policy | None = None,
    progress: Progress[SolveProgress] = None,
) -> SolveResult:
    """The best policy that is fair at every step, with a proven bound.

    Finds the policy of the greatest value that keeps the groups within the limit of each other at every step, and
    proves how far it can be from the best. "Infeasible" is an answer, not an error: the result says at which step and
    for whom, and which limit would do. Ctrl-C stops it.

    Args:
        model: the population.
        fairness: `"dp"` (demographic parity), `"eqopt"` (equal opportunity), `"eqodds"` (equalized odds), for limits on
            gaps; `"dp-ratio"` (the adverse impact ratio) or `"eqopt-ratio"`, for limits on ratios; `"none"`, a
            fairness file, or several of them (`"dp,eqopt"` or a list).
        limit: how far apart two groups may be at any step; for a ratio, the least that any group's rate may be beside
            the greatest. Left out: 0.01, and 0.8.
        limit_per_step: the same with a limit for each step.
        reference: for a ratio: the group that others are measured by; left out: whichever is treated best.
        capacity: at most this share of all people is accepted at each step; one number, or one for each step.
        aggregate_dp: limit on the gap between the groups' accepted shares, over the whole episode.
        aggregate_eqopt: the same of accepted shares of the qualified.
        floor: least probability of an action, whoever the person is.
        floor_kind: `"two_sided"`, of both actions, or `"accept_only"`.
        group_independent: the policy may not look at the group.
        min_seen: of an estimated model: decisions that the log has less often, of people of the group with the feature,
            are not taken. Where both are, one has to be; `scarce_visits` tells.
        deterministic: no coins: every probability at its floor or its ceiling.
        monotone: who has a higher feature is never accepted less often.
        threshold: monotone, and at each step tossing coins at one feature at most: a cut for each group.
        stationary: the same rule at every step.
        order: how the features rise, the lowest first; left out: as the model has them.
        monotone_in: features made of several columns: those are compared that differ in this one alone, counted from 1.
        penalty: subtract so many times the squared gaps instead of keeping limits.
        penalty_form: gaps of rates (`"rate"`), or of rates multiplied out (`"cross"`).
        method: `"constrained"`, `"unconstrained"`, `"penalty"` or `"myopic"` (one step at a time).
        gap: stop once the value is proven to be within this share of the best.
        no_proof: a good policy, quickly, and no upper bound.
        time_limit: seconds after which the best so far is the answer.
        effort: work on the proof, in steps of some 10 microseconds: a limit that is the same on every machine.
        infinite: no last step: the discounted model is cut where the rest is worth at most `tail`.
        tail: with `infinite`; left out: 1e-6.
        start: where to look first.
        progress: None shows a bar on a terminal and in a notebook if tqdm is installed, True insists on it, False shows
            none; a function gets `SolveProgress`.

    Returns:
        The result: `value`, `bounds`, `policy`, `rates`, `outcome` and more.

    Example:
        >>> r = fairstep.solve(fairstep.env("fico"), fairness="dp", limit=0.01)
        >>> r
        SolveResult(optimal, value=0.553015, bounds=[0.553014, 0.553015])
    """
    if penalty is not None and method not in (None, "penalty"):
        raise ValueError(f"penalty is given, but the method is {method}")
    if penalty is None and method == "penalty":
        raise ValueError("the method penalty needs penalty, such as penalty=10")
    if penalty_form is not None and penalty is None:
        raise ValueError("penalty_form is given without penalty")
    if tail is not None and not infinite:
        raise ValueError("tail is given without infinite")
    chosen = method or ("penalty" if penalty is not None else "constrained")
    if fairness is None and chosen != "unconstrained":
        raise ValueError("solve needs fairness: dp, eqopt, eqodds, none, or a fairness file")
    notions, files = notions_and_files(fairness)
    if not notions and (limit is not None or limit_per_step is not None):
        raise ValueError("a limit is given, but no notion that it would limit: fairness dp, eqopt or eqodds")
    ratios = [notion for notion in notions if notion in RATIOS]
    if ratios and len(ratios) < len(notions) and (limit is not None or limit_per_step is not None):
        raise ValueError(
            "a limit is given for gaps and for ratios, which it cannot both be meant for: name one of them"
        )
    if reference is not None and not ratios:
        raise ValueError("reference is given, but no ratio that it would be for: fairness dp-ratio or eqopt-ratio")
    policies = _core.PolicyClass(
        floor=floor,
        floor_kind=floor_kind,
        group_independent=group_independent,
        deterministic=deterministic,
        min_seen=min_seen,
        monotone=monotone,
        threshold=threshold,
        stationary=stationary,
        order=[order] if isinstance(order, str) else list(order),
        monotone_in=monotone_in,
    )
    with shown(progress, "solve", None, "") as tell:
        return _core.solve(
            model,
            _core.Question(
                notions=notions,
                files=files,
                limit=limits_of(limit, limit_per_step, DEFAULT_LIMIT),
                ratio_limit=limits_of(limit, limit_per_step, FOUR_FIFTHS),
                reference=reference,
                capacity=shares(capacity),
                aggregate_dp=aggregate_dp,
                aggregate_eqopt=aggregate_eqopt,
            ),
            _core.SolveOptions(
                method=chosen,
                policies=policies,
                penalty=penalty or 0.0,
                penalty_form=penalty_form or "rate",
                proof=budget(no_proof, gap, time_limit, effort),
                start=start,
            ),
            (1e-6 if tail is None else tail) if infinite else None,
            tell and (lambda lower, upper, seconds, phase: tell(SolveProgress(lower, upper, seconds, phase))),
        )


@dataclass(frozen=True)
class ParetoPoint:
    """The best under one limit."""

    limit: float
    result: SolveResult


@dataclass(frozen=True)
class Frontier(Sequence[ParetoPoint]):
    """What fairness costs: the best value over a range of limits, a point for each."""

    points: tuple[ParetoPoint, ...]

    def __len__(self) -> int:
        return len(self.points)

    @overload
    def __getitem__(self, index: int) -> ParetoPoint: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[ParetoPoint]: ...
    def __getitem__(self, index: int | slice) -> ParetoPoint | Sequence[ParetoPoint]:
        return self.points[index]

    def __iter__(self) -> Iterator[ParetoPoint]:
        return iter(self.points)

    def __repr__(self) -> str:
        limits = [point.limit for point in self.points]
        return f"Frontier({len(limits)} limits from {min(limits):g} to {max(limits):g})" if limits else "Frontier()"

    def to_frame(self) -> pandas.DataFrame:
        """A table with columns limit, outcome, value, lower, upper, gap, worst_parity_gap (of ratios: least_ratio),
        shadow_price, unseen_visits and seconds."""
        from fairstep import _frames

        return _frames.frontier(self)

    def plot(self, *, ax: matplotlib.axes.Axes | None = None) -> matplotlib.axes.Axes:
        """Draws value over limit, with the proven bound above it, by matplotlib."""
        from fairstep import _plots

        return _plots.frontier(self, ax=ax)

    def _repr_html_(self) -> str:
        from fairstep import _html

        return _html.frontier(self)


def _spaced(limits: str | Sequence[float]) -> list[float]:
    """`"0:0.2:21"` (from, to, how many), `"0,0.01,0.05"`, or numbers."""
    if not isinstance(limits, str):
        return [float(limit) for limit in limits]
    found = _core.parse_range(limits.replace(" ", ""))
    if found is None:
        raise ValueError(f'limits is "{limits}", expected from:to:count such as 0:0.2:21, or a list such as 0,0.01,0.1')
    return found


class _Sweep:
    """Counts the limits that are done: the clock starts anew with each."""

    def __init__(self) -> None:
        self._begun, self._before = 0, 0.0

    def done(self, seconds: float) -> int:
        if self._begun == 0 or seconds < self._before:
            self._begun += 1
        self._before = seconds
        return self._begun - 1


@plainly
def pareto(
    model: Model,
    *,
    fairness: Fairness,
    limits: str | Sequence[float] | None = None,
    reference: str | None = None,
    capacity: float | Sequence[float] | None = None,
    aggregate_dp: float | None = None,
    aggregate_eqopt: float | None = None,
    floor: float = 0.0,
    floor_kind: str = "two_sided",
    group_independent: bool = False,
    min_seen: int = 0,
    deterministic: bool = False,
    monotone: bool = False,
    threshold: bool = False,
    stationary: bool = False,
    order: str | Sequence[str] = (),
    monotone_in: int = 0,
    method: str = "constrained",
    gap: float = 1e-3,
    no_proof: bool = False,
    time_limit: float = 60.0,
    effort: float | None = None,
    progress: Progress[SolveProgress] = None,
) -> Frontier:
    """What fairness costs: the best value over a range of limits, with bounds and shadow prices.

    Args:
        model: the population.
        fairness: as in `solve`; at least one notion.
        limits: numbers, or `"from:to:count"`; without them 0:0.2:11, of ratios 0.5:1:11.
        reference: for ratios, as in `solve`.
        capacity: as in `solve`, like all that follow.
        aggregate_dp: limit on the demographic-parity gap over the whole episode.
        aggregate_eqopt: limit on the equal-opportunity gap over the whole episode.
        floor: least probability of an action.
        floor_kind: `"two_sided"` or `"accept_only"`.
        group_independent: the policy may not look at the group.
        min_seen: as in `solve`.
        deterministic: no coins.
        monotone: as in `solve`, like the four that follow.
        threshold: one cut for each group and step.
        stationary: the same rule at every step.
        order: how the features rise.
        monotone_in: the column in which they do.
        method: `"constrained"` or `"myopic"`.
        gap: proven share of the best at which a solve stops.
        no_proof: no upper bounds.
        time_limit: seconds for each limit.
        effort: work on each proof.
        progress: as in `solve`.

    Example:
        >>> f = fairstep.pareto(m, fairness="dp", limits=[0, 0.05, 0.2])
        >>> f.to_frame()
    """
    notions, files = notions_and_files(fairness)
    if not notions and not files:
        raise ValueError(
            "fairness names no notion whose limit could be varied: dp, eqopt, eqodds, dp-ratio or eqopt-ratio"
        )
    if method not in ("constrained", "myopic"):
        raise ValueError(f'method is "{method}", expected constrained or myopic')
    question = _core.Question(
        notions=notions,
        files=files,
        limit=[0],
        ratio_limit=[1],
        reference=reference,
        capacity=shares(capacity),
        aggregate_dp=aggregate_dp,
        aggregate_eqopt=aggregate_eqopt,
    )
    wanted = _spaced(_core.usual_limits(model, question) if limits is None else limits)
    for limit in wanted:
        if not 0 <= limit <= 1:
            raise ValueError(f"limits has {limit}, expected between 0 and 1")
    policies = _core.PolicyClass(
        floor=floor,
        floor_kind=floor_kind,
        group_independent=group_independent,
        deterministic=deterministic,
        min_seen=min_seen,
        monotone=monotone,
        threshold=threshold,
        stationary=stationary,
        order=[order] if isinstance(order, str) else list(order),
        monotone_in=monotone_in,
    )
    sweep = _Sweep()
    with shown(progress, "pareto", len(wanted), "limits") as tell:
        points = _core.pareto(
            model,
            question,
            wanted,
            _core.SolveOptions(method=method, policies=policies, proof=budget(no_proof, gap, time_limit, effort)),
            tell
            and (
                lambda lower, upper, seconds, phase: tell(
                    SolveProgress(lower, upper, seconds, phase, sweep.done(seconds))
                )
            ),
        )
    return Frontier(tuple(ParetoPoint(limit, result) for limit, result in points))
