"""The paper's algorithm: learning a fair policy from the people it decides about."""

from __future__ import annotations

import os
from collections.abc import Sequence

from fairstep import _core
from fairstep._core import Model, Run
from fairstep._plainly import plainly
from fairstep._progress import LearnProgress, Progress, shown
from fairstep._solving import budget
from fairstep._words import NOTIONS, RATIOS, did_you_mean, limits_of


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


@plainly
def learn(
    model: Model,
    *,
    fairness: str = "dp",
    limit: float | None = None,
    limit_per_step: Sequence[float] | None = None,
    reference: str | None = None,
    method: str = "constrained",
    penalty: float | None = None,
    penalty_form: str | None = None,
    schedule: str | Sequence[int] = "2^3..2^18",
    people: int | None = None,
    people_per_episode: int | None = None,
    by: str = "counts",
    relaxation: str = "scaled-width",
    bonus_scale: float | None = None,
    relaxation_scale: float | None = None,
    discounted_limits: bool = False,
    delta: float = 0.1,
    safe: bool = False,
    floor: float | None = None,
    floor_kind: str = "two_sided",
    group_independent: bool = False,
    monotone: bool = False,
    threshold: bool = False,
    stationary: bool = False,
    order: Sequence[str] | None = None,
    monotone_in: int = 0,
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
        fairness: `"dp"`, `"eqopt"` or `"eqodds"`, for limits on gaps; `"dp-ratio"` or `"eqopt-ratio"`, for limits on
            ratios, which the relaxation `"tight"` and safe mode do not know.
        limit: how far apart groups may be at every step; for a ratio, the least that any group's rate may be beside the
            greatest. Left out: 0, and 0.8.
        limit_per_step: the same, one for each step.
        reference: for a ratio: the group that others are measured by; left out: whichever is treated best.
        method: `"constrained"`, `"unconstrained"` or `"penalty"`.
        penalty: weight of the squared gaps, for the method penalty (`--lambda` of the command).
        penalty_form: `"rate"` or `"cross"`.
        schedule: when the policy is updated: `"2^3..2^18"` doubles; or a list of episodes.
        people: of an episode in all, drawn by the groups' shares.
        people_per_episode: of each group; left out: 1.
        by: `"counts"` draws whole crowds at once, `"person"` one by one.
        relaxation: how limits allow for what is not known yet: `"literal"`, `"scaled"`,
            `"scaled-width"` or `"tight"`.
        bonus_scale: factor of the bonus; left out: 0.001 if scaled, else 1.
        relaxation_scale: factor of the relaxation; left out: 0.001 (eqopt: 0.0001) if scaled, else 1.
        discounted_limits: limits on gamma^(h+1) times the gap at step h = 0, 1, ..., gamma the model's discount.
        delta: what is guaranteed may fail with this probability.
        safe: deploy only what keeps the limits, to confidence 1 - delta.
        floor: least probability of an action; left out: k^(-1/3).
        floor_kind: `"two_sided"` or `"accept_only"`.
        group_independent: policies that do not look at the group.
        monotone: who has a higher feature is never accepted less often, under any policy that is learned or compared
            with.
        threshold: monotone, and at each step tossing coins at one feature at most.
        stationary: the same rule at every step.
        order: how the features rise, the lowest first; left out: as the model has them.
        monotone_in: features made of several columns: those are compared that differ in this one alone, counted from 1.
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
    if people is not None and people_per_episode is not None:
        raise ValueError("people and people_per_episode are both given, expected one of them")
    if relaxation == "literal" and (bonus_scale is not None or relaxation_scale is not None):
        raise ValueError('bonus_scale and relaxation_scale leave nothing literal: use relaxation="scaled"')
    if safe and limit is None and limit_per_step is None:
        raise ValueError("safe needs a limit: no finite log shows that a gap is exactly 0")
    if restart and output is None:
        raise ValueError("restart is given without output")
    if fairness not in (*NOTIONS, *RATIOS):
        known = (*NOTIONS, *RATIOS)
        raise ValueError(f'fairness is "{fairness}", expected {", ".join(known)}{did_you_mean(fairness, known)}')
    if reference is not None and fairness not in RATIOS:
        raise ValueError("reference is given, but no ratio that it would be for")
    if reference is not None and reference not in model.groups:
        raise ValueError(f'reference is "{reference}", expected {" or ".join(model.groups)}')
    limits = limits_of(limit, limit_per_step, 0.8 if fairness in RATIOS else 0.0)
    ratio = None
    if fairness in RATIOS:
        beside = None if reference is None else model.groups.index(reference)
        ratio = _core.StepwiseRatio(fairness=fairness, limit=limits, reference=beside)
    how_many = people if people is not None else people_per_episode if people_per_episode is not None else 1
    episodes = _episodes(schedule)
    with shown(progress, "learn", len(episodes), "updates") as tell:
        return _core.learn(
            model,
            _core.LearnOptions(
                fairness=_core.StepwiseParity(fairness="dp" if ratio else fairness, limit=[0.0] if ratio else limits),
                ratio=ratio,
                rules=_core.PolicyClass(
                    monotone=monotone,
                    threshold=threshold,
                    stationary=stationary,
                    order=list(order or ()),
                    monotone_in=monotone_in,
                ),
                method=method,
                penalty=penalty or 0.0,
                penalty_form=penalty_form or "rate",
                schedule=episodes,
                people_per_episode=how_many,
                people_by_share=people is not None,
                relaxation=relaxation,
                bonus_scale=bonus_scale,
                relaxation_scale=relaxation_scale,
                discounted_limits=discounted_limits,
                delta=delta,
                safe=safe,
                floor=floor,
                floor_kind=floor_kind,
                group_independent=group_independent,
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
