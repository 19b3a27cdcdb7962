"""What a policy does to a population: exactly, or to people drawn from it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import overload

from fairstep import _core
from fairstep._core import Counts, Evaluation, Log, Model, Policy
from fairstep._counting import Parts
from fairstep._plainly import plainly
from fairstep._words import Kernel, kernel_wanted


@plainly
def evaluate(model: Model, policy: Policy) -> Evaluation:
    """What a policy is worth, and how it treats each group at each step. Exact, not simulated.

    Example:
        >>> e = fairstep.evaluate(m, fairstep.policy(m, threshold=2))
        >>> e.value, e.gap.dp, e.rates.to_frame()
    """
    return _core.evaluate(model, policy)


@dataclass(frozen=True)
class Fall:
    """Where a higher feature is accepted less often than the one below it."""

    group: str | None
    """None for a policy that does not look at the group."""
    step: int
    lower: str
    higher: str
    by: float


@plainly
def falls(model: Model, policy: Policy, *, order: str | Sequence[str] = (), monotone_in: int = 0) -> list[Fall]:
    """Where acceptance falls as the feature rises; nowhere, if the policy is monotone.

    Args:
        model: the population.
        policy: one that fits it.
        order: how the features rise, the lowest first; left out: as the model has them.
        monotone_in: features made of several columns: those are compared that differ in this one alone, counted from 1.

    Example:
        >>> fairstep.falls(m, fairstep.policy(m, threshold=2))
        []
    """
    names = model.features
    return [
        Fall(None if policy.group_independent else model.groups[g], step, names[lower], names[higher], by)
        for g, step, lower, higher, by in _core.falls(
            model, policy, [order] if isinstance(order, str) else list(order), monotone_in
        )
    ]


def _crowd(people: float | None, people_per_group: float | None) -> tuple[int, bool]:
    if (people is None) == (people_per_group is None):
        raise ValueError("expected one of people and people_per_group")
    number = people if people is not None else people_per_group
    assert number is not None
    if number != int(number) or number < 0:
        name = "people" if people is not None else "people_per_group"
        raise ValueError(f"{name} is {number}, expected a whole number of 0 or more")
    return int(number), people is None


@overload
def simulate(
    model: Model,
    policy: Policy,
    *,
    people: float | None = None,
    people_per_group: float | None = None,
    by: str = "counts",
    seed: int = 1,
    threads: int | None = None,
    split: None = None,
    kernel: Kernel | None = None,
) -> Counts: ...


@overload
def simulate(
    model: Model,
    policy: Policy,
    *,
    people: float | None = None,
    people_per_group: float | None = None,
    by: str = "counts",
    seed: int = 1,
    threads: int | None = None,
    split: float,
    kernel: Kernel | None = None,
) -> Parts: ...


@plainly
def simulate(
    model: Model,
    policy: Policy,
    *,
    people: float | None = None,
    people_per_group: float | None = None,
    by: str = "counts",
    seed: int = 1,
    threads: int | None = None,
    split: float | None = None,
    kernel: Kernel | None = None,
) -> Counts | Parts:
    """Draws people who live under the policy, and counts what happens to them.

    Args:
        model: the population.
        policy: who is accepted.
        people: people in all, drawn by the groups' shares; `1e6` is fine.
        people_per_group: or so many of each group.
        by: `"counts"` draws whole crowds at once, so that 10^12 people take no longer than 1000; `"person"` walks each
            of them. Both have the same distribution.
        seed: same seed, same counts, on every machine.
        threads: of `by="person"`; they change nothing but the time. None: one per core.
        split: draw two parts of the people: this share of them is the design part, all others are the audit part. With
            `by="person"` they are split by their numbers, as those of a log are; with `by="counts"` as if everybody had
            tossed a coin. Both parts, `design` first.
        kernel: what next states are counted by: `"pooled"`, over all steps, `"per-step"`, or names and first steps of
            periods, `{"before": 0, "after": 3}`. Left out: by those of the model. The people are the same.

    See Also:
        simulate_log: a row for each decision.
    """
    number, per_group = _crowd(people, people_per_group)
    if by not in ("counts", "person"):
        raise ValueError(f'by is "{by}", expected person or counts')
    threads = threads or os.cpu_count() or 1
    wanted = None if kernel is None else kernel_wanted(kernel)
    if split is not None and by == "counts":
        return Parts(*_core.simulate_split_counts(model, policy, number, per_group, seed, split, wanted))
    if split is not None:
        return Parts(*_core.simulate_split_people(model, policy, number, per_group, seed, threads, split, wanted))
    if by == "counts":
        return _core.simulate_counts(model, policy, number, per_group, seed, wanted)
    return _core.simulate_people(model, policy, number, per_group, seed, threads, wanted)


@plainly
def simulate_log(
    model: Model,
    policy: Policy,
    *,
    people: float | None = None,
    people_per_group: float | None = None,
    seed: int = 1,
) -> Log:
    """Draws people who live under the policy: a row for each decision, as `fairstep simulate -o log.csv` writes them.

    These are the very people of `simulate(..., by="person")` with the same seed.

    Args:
        model: the population.
        policy: who is accepted.
        people: people in all, drawn by the groups' shares.
        people_per_group: or so many of each group.
        seed: same seed, same rows, on every machine.
    """
    number, per_group = _crowd(people, people_per_group)
    return _core.simulate_log(model, policy, number, per_group, seed)
