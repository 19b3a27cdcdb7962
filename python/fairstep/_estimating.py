"""From counts to a model, and the paper's formulas about what is not known yet."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fairstep import _core
from fairstep._core import Counts, Estimate, Model, Radii
from fairstep._plainly import plainly
from fairstep._words import refused_rule, warn_of_features

# By label and decision, a table, an array [g,x,y,a], or a file.
Rewards: TypeAlias = Mapping[str, float] | str | PathLike[str] | Any


def _shares(counts: Counts, share: Mapping[str, float] | Sequence[float] | None) -> list[float]:
    if share is None:
        return []
    if not isinstance(share, Mapping):
        return [float(entry) for entry in share]
    for group in share:
        if group not in counts.groups:
            raise ValueError(f'share has the group "{group}", expected one of {", ".join(counts.groups)}')
    for group in counts.groups:
        if group not in share:
            raise ValueError(f"share is missing for {group}")
    return [float(share[group]) for group in counts.groups]


def _records(table: Any) -> list[Mapping[str, Any]] | None:
    """The rows of a table by the names of its columns; None if it is none."""
    if hasattr(table, "to_dicts"):  # Polars
        return list(table.to_dicts())
    if hasattr(table, "to_pylist"):  # Arrow
        return list(table.to_pylist())
    if hasattr(table, "fetchall"):  # a DuckDB relation
        return [dict(zip(table.columns, row, strict=True)) for row in table.fetchall()]
    if hasattr(table, "to_dict"):  # pandas
        return list(table.to_dict("records"))
    if isinstance(table, Sequence) and table and all(isinstance(row, Mapping) for row in table):
        return list(table)
    return None


def _bit(row: Mapping[str, Any], name: str, number: int) -> int | None:
    if name not in row:
        return None
    if row[name] not in (0, 1):
        raise ValueError(f"rewards[{number}].{name} is {row[name]!r}, expected 0 or 1")
    return int(row[name])


def _entry(row: Mapping[str, Any], number: int) -> tuple[str | None, str | None, int | None, int | None, float]:
    for name in row:
        if name not in ("group", "x", "y", "a", "reward"):
            raise ValueError(f'rewards have the column "{name}", expected group, x, y, a and reward')
    if "reward" not in row:
        raise ValueError("rewards have no column reward, expected group, x, y, a and reward")
    group, x = (None if name not in row else str(row[name]) for name in ("group", "x"))
    return group, x, _bit(row, "y", number), _bit(row, "a", number), float(row["reward"])


def _rewards(counts: Counts, reward: Rewards | None) -> NDArray[np.float64] | None:
    if reward is None:
        return None
    if isinstance(reward, Mapping):
        reward = ",".join(f"{cell}={float(number)!r}" for cell, number in reward.items())
    if isinstance(reward, str) and "=" in reward and "/" not in reward:
        return _core.given_rewards(counts, reward, None, [])
    if isinstance(reward, (str, PathLike)):
        return _core.given_rewards(counts, None, reward, [])
    rows = _records(reward)
    if rows is not None:
        return _core.given_rewards(counts, None, None, [_entry(row, i) for i, row in enumerate(rows)])
    return np.asarray(reward, dtype=np.float64)


def estimated(
    counts: Counts,
    share: Mapping[str, float] | Sequence[float] | None,
    unvisited: str | None,
    discount: float,
    description: str | None,
    refused: str | None = None,
    point: str | None = None,
    reward: Rewards | None = None,
    participation: bool = True,
) -> Estimate:
    if description is None:
        decisions = counts.decisions + (counts.log.unlabelled if refused is not None and counts.log else 0)
        description = f"estimated from {int(counts.people.sum()):,} people, {decisions:,} decisions"
        if reward is not None:
            description += "; rewards were given"
    given = _rewards(counts, reward)
    return _core.estimate(
        counts, _shares(counts, share), unvisited, discount, description, refused, point, given, participation
    )


def warn_of(found: Estimate, counts: Counts) -> None:
    """What leaves nothing to solve is a warning, at the line that called `estimate` or `fit`; and so is a log that
    speaks against what is assumed of its labels."""
    for problem, remedy in found.objections:
        warnings.warn(f"{problem}; {remedy}", stacklevel=4)
    if found.not_taking_part:
        warnings.warn(found.not_taking_part, stacklevel=4)
    grounds = found.model.rests_on
    if grounds is None or grounds.labels is None:
        return
    warn_of_features(_core.diagnose(counts, 0.05).doubts_of_features, stacklevel=4)


@plainly
def estimate(
    counts: Counts,
    *,
    share: Mapping[str, float] | Sequence[float] | None = None,
    unvisited: str | None = None,
    discount: float = 1.0,
    description: str | None = None,
    labels: str = "as-seen",
    refused: str | None = None,
    point: str | None = None,
    reward: Rewards | None = None,
    no_participation: bool = False,
) -> Estimate:
    """The model whose transition rows, mean rewards and first states are the proportions and means that were counted.

    Args:
        counts: what was seen.
        share: of each group in the population, by name or in order; left out: those of the people counted.
        unvisited: the row of a cell without a seen successor: `"stay"`, no change, `"uniform"`, all states alike, or
            `"error"`. Left out: no change, and a model of nothing but guesses is refused.
        discount: of the model.
        description: of the model; left out: how many people and decisions it rests on.
        labels: `"as-seen"`, or `"follow-features"`: given group and feature, labels do not depend on the past. Then
            decisions without a label are made use of (docs/concepts/hidden-labels.md).
        refused: with `labels="follow-features"`, what is assumed of those whose label was not seen: `"like-accepted"`,
            `"odds=2"` (or another number) or `"anything"`.
        point: which of the models that `refused` allows: `"like-accepted"`, `"low"` or `"high"`.
        reward: what decisions earn, given in place of the log's rewards: `{"y1a1": 1, "y0a1": -4}` by label and
            decision (0 where not named); a table with columns group, x, y, a and reward, of which any but the last may
            be missing; an array [g,x,y,a]; or a file of rewards.
        no_participation: everybody stays for the whole episode; otherwise who joins when and who leaves after what is
            estimated, if the counts show it. No value or rate depends on it but those of people present.

    Returns:
        The estimate: `model`, and how much was behind each cell of it. `Estimate.radii` says how far off it may be.
        A model that leaves nothing to solve (a label that nobody has, all rewards 0) is also a warning.
    """
    rule = refused_rule(labels, refused, point)
    found = estimated(counts, share, unvisited, discount, description, rule, point, reward, not no_participation)
    warn_of(found, counts)
    return found


@plainly
def pessimistic(estimate: Estimate, *, delta: float = 0.1, reward_range: tuple[float, float] | None = None) -> Model:
    """The model with rewards lowered by what the data leave open.

    With probability 1 - delta every policy is worth at least in truth what it is worth in this model, so that the best
    policy in it has the best guarantee (`fit --pessimistic`). Its rates and gaps are those of the estimate.

    Args:
        estimate: what was estimated.
        delta: what may fail.
        reward_range: the least and the greatest single reward; None only if rewards were given.
    """
    return _core.pessimistic(estimate, radii(estimate, delta=delta, reward_range=reward_range), delta, reward_range)


@plainly
def radii(estimate: Estimate, *, delta: float = 0.1, reward_range: tuple[float, float] | None = None) -> Radii:
    """How far, in total variation, the rows of an estimated model may be from the truth.

    All radii hold together with probability 1 - delta, whatever policies people met, whenever one looks, and whatever
    rows that were left out of the counts would have said. Refused if nobody knows how many these are, or if labels were
    drawn.

    Args:
        estimate: what was estimated.
        delta: what may fail.
        reward_range: the least and the greatest single reward: radii of mean rewards too, for half of delta.
    """
    return _core.radii(estimate, delta, reward_range)


@plainly
def bonus(
    estimate: Estimate,
    *,
    k: int,
    delta: float = 0.1,
    reward_range: tuple[float, float] = (0.0, 1.0),
    scale: float = 1.0,
    opt_out: bool = False,
) -> NDArray[np.float64]:
    """The paper's exploration bonus at episode k, [g,x,y,a]: what is added to the estimated reward of a cell.

    Args:
        estimate: its visits are what counts.
        k: the episode.
        delta: the lemmas hold with probability 1 - delta.
        reward_range: in which single rewards lie; its length multiplies.
        scale: 1 is the lemma as printed.
        opt_out: N counts only decisions whose next state was seen, as in the paper's Appendix D.
    """
    return _core.bonus(estimate, k, delta, reward_range, scale, opt_out)


@plainly
def c_hat(
    estimate: Estimate,
    *,
    k: int,
    delta: float = 0.1,
    epsilon: float | None = None,
    scale: float = 1.0,
    opt_out: bool = False,
) -> float:
    """The paper's limit on the demographic-parity gap while learning, as its lemma states it; 1 or more never binds.

    Args:
        estimate: what was seen before episode k.
        k: the episode.
        delta: the lemma holds with probability 1 - delta.
        epsilon: width of the lemma's net; left out: 1/(kHS).
        scale: 1 is the lemma as printed.
        opt_out: N counts only decisions whose next state was seen, as in the paper's Appendix D.
    """
    return _core.c_hat(estimate, k, delta, epsilon, scale, opt_out)


@plainly
def d_hat(
    estimate: Estimate,
    *,
    k: int,
    delta: float = 0.1,
    epsilon: float | None = None,
    scale: float = 1.0,
    opt_out: bool = False,
    scale_widths: bool = False,
) -> float:
    """The paper's limit on the equal-opportunity gap while learning, as its lemma states it.

    Args:
        estimate: what was seen before episode k.
        k: the episode.
        delta: the lemma holds with probability 1 - delta.
        epsilon: width of the lemma's net; left out: 1/(kHS).
        scale: 1 is the lemma as printed; otherwise a factor of what it says, but for its 1.
        opt_out: N counts only decisions whose next state was seen, as in the paper's Appendix D.
        scale_widths: the scale is a factor of every width instead, also of that which decides whether d_hat is 1.
    """
    return _core.d_hat(estimate, k, delta, epsilon, scale, opt_out, scale_widths)
