"""What a policy does to a population: exactly, or to people drawn from it."""

from __future__ import annotations

import os

from fairstep import _core
from fairstep._core import Counts, Evaluation, Log, Model, Policy


def evaluate(model: Model, policy: Policy) -> Evaluation:
    """What a policy is worth, and how it treats each group at each step. Exact, not simulated.

    Example:
        >>> e = fairstep.evaluate(m, fairstep.policy(m, threshold=2))
        >>> e.value, e.gap.dp, e.rates.to_frame()
    """
    return _core.evaluate(model, policy)


def _crowd(people: float | None, people_per_group: float | None) -> tuple[int, bool]:
    if (people is None) == (people_per_group is None):
        raise ValueError("expected one of people and people_per_group")
    number = people if people is not None else people_per_group
    assert number is not None
    if number != int(number) or number < 0:
        name = "people" if people is not None else "people_per_group"
        raise ValueError(f"{name} is {number}, expected a whole number of 0 or more")
    return int(number), people is None


def simulate(
    model: Model,
    policy: Policy,
    *,
    people: float | None = None,
    people_per_group: float | None = None,
    by: str = "counts",
    seed: int = 1,
    threads: int | None = None,
) -> Counts:
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

    See Also:
        simulate_log: a row for each decision.
    """
    number, per_group = _crowd(people, people_per_group)
    if by == "counts":
        return _core.simulate_counts(model, policy, number, per_group, seed)
    if by != "person":
        raise ValueError(f'by is "{by}", expected person or counts')
    return _core.simulate_people(model, policy, number, per_group, seed, threads or os.cpu_count() or 1)


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
