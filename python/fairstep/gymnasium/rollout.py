"""From an agent to what fairstep works with: a log of its decisions, or its policy as a table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fairstep.gymnasium.vector import PopulationVectorEnv

if TYPE_CHECKING:
    import pandas

    from fairstep import Model, Policy

Decide = Callable[[np.ndarray], Any]


@dataclass(frozen=True)
class Rollout:
    """People whom an agent decided about, a row for each decision: columns of equal length, groups and features by
    number, person after person and step after step. The same as a `fairstep.Log`."""

    groups: list[str]
    features: list[str]
    person: np.ndarray
    group: np.ndarray
    step: np.ndarray
    x: np.ndarray
    y: np.ndarray
    a: np.ndarray
    reward: np.ndarray

    def __len__(self) -> int:
        return len(self.person)

    def __repr__(self) -> str:
        return f"Rollout(decisions={len(self)})"

    def to_frame(self) -> pandas.DataFrame:
        """A table with columns person, group, step, x, y, a and reward; groups and features by name."""
        from fairstep import _frames

        return _frames.log(self)


def rollout(envs: Any, decide: Policy | Decide, *, people: int | None = None, seed: int | None = None) -> Rollout:
    """Lets an agent decide about people, and keeps every decision.

    Args:
        envs: a vector environment of ours, wrapped or not.
        decide: gets observations [n,3] and gives actions [n]; or a Policy.
        people: how many, drawn in rounds of `envs.num_envs`; left out: one round.
        seed: of the people, and of a policy's coins.
    """
    inner = envs.unwrapped
    if not isinstance(inner, PopulationVectorEnv):
        raise TypeError("rollout needs a vector environment: gymnasium.make_vec(..., num_envs=1000)")
    n, model = inner.num_envs, inner.model
    people = n if people is None else people
    act = _acting(decide, seed)
    rounds = []
    for number in range(-(-people // n)):
        observed, info = envs.reset(seed=seed if number == 0 else None)
        steps = []
        for _ in range(model.horizon):
            actions = np.asarray(act(observed)).astype(np.int64)
            seen = (*observed.T, info["label"], actions)
            observed, reward, _, _, info = envs.step(actions)
            steps.append((*seen, reward))
        # Columns of [n,h], a person's steps side by side.
        rounds.append([np.stack(column, axis=1).ravel() for column in zip(*steps, strict=True)])
    columns = [np.concatenate(column)[: people * model.horizon] for column in zip(*rounds, strict=True)]
    person = np.repeat(np.arange(people), model.horizon)
    return Rollout(list(model.groups), list(model.features), person, *columns)


def policy_of(model: Model, accept: Decide) -> Policy:
    """Any agent as a Policy, which can be evaluated exactly and certified.

    Args:
        model: the population.
        accept: gets all observations that there are, [n,3], and gives the probability of accepting each, [n]; 0 and 1
            if the agent tosses no coins.
    """
    import fairstep

    shape = (len(model.groups), model.horizon, len(model.features))
    every = np.stack(np.meshgrid(*map(np.arange, shape), indexing="ij"), axis=-1).reshape(-1, 3)
    table = np.asarray(accept(every), dtype=float).reshape(shape)
    return fairstep.Policy(table, groups=list(model.groups))


def _acting(decide: Policy | Decide, seed: int | None) -> Decide:
    """A policy as a function that tosses its coins; from a stream of its own, so that it leaves the people's alone."""
    if not hasattr(decide, "accept"):
        return decide
    rng = np.random.default_rng(None if seed is None else [seed, 1])
    table = np.asarray(decide.accept)

    def act(observed: np.ndarray) -> np.ndarray:
        group = observed[:, 0] if len(table) > 1 else np.zeros(len(observed), dtype=np.int64)
        accepted = rng.random(len(observed)) < table[group, observed[:, 1], observed[:, 2]]
        return np.asarray(accepted, dtype=np.int64)

    return act
