"""Policies side by side, and where they differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fairstep import _core
from fairstep._core import Evaluation, Model, Policy
from fairstep._plainly import plainly

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class Difference:
    """A group at a step with a feature that two policies accept in different shares."""

    group: str
    step: int
    feature: str
    accept: tuple[float, float]
    """Share accepted by the first policy and by the other."""
    people: tuple[float, float]
    """Who is there under either, as a share of all people."""
    changed: float
    """Share of all people whom the other would decide about otherwise, of those there under the first."""


@dataclass(frozen=True)
class ComparedPolicy:
    """What a policy does, and where it differs from the first."""

    policy: Policy
    evaluation: Evaluation
    differs: Sequence[Difference]
    """Those that change most people first."""
    changed: Sequence[float]
    """Share of all people decided otherwise than by the first, at each step."""
    changed_share: float
    """Of all decisions under the first policy: the mean of `changed`."""


@dataclass(frozen=True)
class Comparison:
    """Policies for one model; the others are held against the first."""

    policies: Sequence[ComparedPolicy]

    def to_frame(self) -> pandas.DataFrame:
        """A table with columns policy (its number), value, dp, eqopt and eqodds (the widest gap), and changed_share."""
        from fairstep import _frames

        return _frames.comparison(self)


def _differences(
    model: Model, first: Policy, of_first: Evaluation, other: Policy, of_other: Evaluation
) -> ComparedPolicy:
    cells, changed, share = _core.differences(model, first, of_first, other, of_other)
    differs = [
        Difference(model.groups[g], h, model.features[x], (here, there), (before, after), moved)
        for g, h, x, here, there, before, after, moved in cells
    ]
    return ComparedPolicy(other, of_other, tuple(differs), tuple(changed), share)


@plainly
def compare(model: Model, policies: Sequence[Policy]) -> Comparison:
    """Evaluates each policy exactly, and says where the others differ from the first.

    Args:
        model: the population.
        policies: two or more for this model.

    Example:
        >>> c = fairstep.compare(m, [fairstep.policy(m, threshold=2), fairstep.policy(m, threshold=3)])
        >>> c.to_frame(), c.policies[1].differs[0]
    """
    given = list(policies)
    if len(given) < 2:
        raise ValueError(f"policies are {len(given)}, expected two or more: evaluate says what one does")
    evaluations = [_core.evaluate(model, policy) for policy in given]
    return Comparison(
        tuple(
            _differences(model, given[0], evaluations[0], policy, evaluation)
            for policy, evaluation in zip(given, evaluations, strict=True)
        )
    )
