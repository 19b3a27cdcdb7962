"""How groups were treated."""

from __future__ import annotations

from collections.abc import Sequence

from fairstep import _core
from fairstep._core import Audit, Counts, Policy
from fairstep._words import notions_in


def audit(
    counts: Counts,
    *,
    fairness: str | Sequence[str] = ("dp", "eqopt", "eqodds"),
    delta: float = 0.05,
    thin: int = 30,
    policy: Policy | None = None,
) -> Audit:
    """How groups were treated at every step, with bands that hold for all steps, groups and pairs at once.

    Args:
        counts: what was decided.
        fairness: the notions to look at.
        delta: all bands hold together with probability 1 - delta.
        thin: cells with fewer decisions than this are listed.
        policy: also what this policy would have done, by the estimated model and by every model that the data allow.

    Example:
        >>> a = fairstep.audit(counts, fairness="dp")
        >>> gap, low, high = a.gap_bands("dp")
    """
    return _core.audit(counts, notions_in(fairness), delta, thin, policy)
