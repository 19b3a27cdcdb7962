"""Less discriminatory alternatives: whether a policy that is worth as much treats the groups more alike."""

from __future__ import annotations

from collections.abc import Sequence

from fairstep import _core
from fairstep._core import Alternative, Model, Policy
from fairstep._plainly import plainly
from fairstep._progress import AlternativeProgress, Progress, shown
from fairstep._solving import shares


def _worth(at_least: float | str | None, value: float) -> float:
    """A value, or a share of what the policy is worth."""
    if at_least is None:
        return value
    if not isinstance(at_least, str):
        return float(at_least)
    try:
        share = float(at_least.removesuffix("%")) if at_least.endswith("%") else 0.0
    except ValueError:
        share = 0.0
    if not 0 < share < float("inf"):
        raise ValueError(f'at_least is "{at_least}", expected a number, or a share such as "95%"')
    if not value > 0:
        raise ValueError(f"at_least is a share, but the policy is worth {value}, which is not more than 0")
    return share / 100 * value


@plainly
def alternative(
    model: Model,
    policy: Policy,
    *,
    at_least: float | str | None = None,
    fairness: str = "dp",
    of_class: str | Sequence[str] = (),
    floor: float = 0.0,
    floor_kind: str = "two_sided",
    capacity: float | Sequence[float] | None = None,
    precision: float = 1e-3,
    time_limit: float = 60.0,
    effort: float | None = None,
    progress: Progress[AlternativeProgress] = None,
) -> Alternative:
    """The least gap between groups of any policy that is worth as much as this one, from both sides.

    Looks for the policy with the least gap at the worst step (or the greatest ratio) that is worth enough, and proves
    how small it can be. "There is none" is an answer, not an error. Ctrl-C stops it.

    Args:
        model: the population.
        policy: the one that an alternative is to be measured by.
        at_least: what an alternative has to be worth: a value, or `"95%"` of what the policy is worth; left out: as
            much.
        fairness: what is to be less disparate: `"dp"`, `"eqopt"` or `"eqodds"`, a gap; `"dp-ratio"` or
            `"eqopt-ratio"`.
        of_class: only policies of this kind: `"group_independent"`, `"deterministic"`, `"monotone"`, `"threshold"`,
            `"stationary"`; several with commas or in a list.
        floor: least probability of an action, whoever the person is.
        floor_kind: `"two_sided"`, of both actions, or `"accept_only"`.
        capacity: at most this share of all people is accepted at each step; one number, or one for each step.
        precision: how closely the least gap is to be known.
        time_limit: seconds, for all of it.
        effort: work on each proof, in steps of some 10 microseconds: a limit that is the same on every machine.
        progress: as in `solve`; a function gets `AlternativeProgress`.

    Returns:
        The result: `outcome`, `least` (the bounds), `policy`, `value` and more.

    Example:
        >>> m = fairstep.env("fico")
        >>> a = fairstep.alternative(m, fairstep.policy(m, threshold="x=2"), of_class="group_independent")
        >>> a.outcome
        'found'
    """
    words = [word.strip() for word in of_class.split(",")] if isinstance(of_class, str) else list(of_class)
    if effort is not None and (effort != int(effort) or effort < 1):
        raise ValueError(f"effort is {effort}, expected a whole number of 1 or more")
    question = _core.AlternativeQuestion(
        fairness=fairness,
        policies=_core.PolicyClass(floor=floor, floor_kind=floor_kind),
        of_class=[word for word in words if word],
        capacity=shares(capacity),
        precision=precision,
        time_limit=time_limit,
        effort=int(effort or 0),
    )
    worth = _worth(at_least, _core.evaluate(model, policy).value)
    with shown(progress, "alternative", None, "") as tell:
        return _core.alternative(
            model,
            policy,
            worth,
            question,
            tell and (lambda lower, upper, solves: tell(AlternativeProgress(lower, upper, solves))),
        )
