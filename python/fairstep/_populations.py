"""Ready-made populations and policies, and files."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, overload

from fairstep import _core
from fairstep._core import Counts, Model, Policy
from fairstep._plainly import plainly
from fairstep._words import did_you_mean

_ENVIRONMENTS: dict[str, tuple[Callable[..., Model], str]] = {
    "fico": (_core.make_fico, "groups bands horizon discount gain loss share score"),
    "synthetic": (_core.make_synthetic, "groups horizon discount qualified gain loss share score"),
    "lending": (_core.make_lending, "groups horizon discount interest move share repay scores"),
    "random": (_core.make_random, "groups features horizon discount successors reward_noise participation seed"),
}


@overload
def env(
    name: Literal["fico"],
    *,
    groups: Sequence[str] = ...,
    bands: int = ...,
    horizon: int = ...,
    discount: float = ...,
    gain: Sequence[float] = ...,
    loss: Sequence[float] = ...,
    share: Sequence[float] = ...,
    score: Sequence[float] = ...,
) -> Model: ...
@overload
def env(
    name: Literal["synthetic"],
    *,
    groups: Sequence[str] = ...,
    horizon: int = ...,
    discount: float = ...,
    qualified: Sequence[float] = ...,
    gain: Sequence[float] = ...,
    loss: Sequence[float] = ...,
    share: Sequence[float] = ...,
    score: Sequence[float] = ...,
) -> Model: ...
@overload
def env(
    name: Literal["lending"],
    *,
    groups: Sequence[str] = ...,
    horizon: int = ...,
    discount: float = ...,
    interest: float = ...,
    move: float = ...,
    share: Sequence[float] = ...,
    repay: Sequence[float] = ...,
    scores: Sequence[Sequence[float]] = ...,
) -> Model: ...
@overload
def env(
    name: Literal["random"],
    *,
    groups: int = ...,
    features: int = ...,
    horizon: int = ...,
    discount: float = ...,
    successors: int = ...,
    reward_noise: float = ...,
    participation: bool = ...,
    seed: int = ...,
) -> Model: ...
@overload
def env(name: str, **options: Any) -> Model: ...
@plainly
def env(name: str, **options: Any) -> Model:
    """A ready-made population.

    Args:
        name: `"fico"`, the paper's credit scores: real scores and default rates by group;
            `"synthetic"`, the paper's synthetic population: decisions move the label;
            `"lending"`, credit lending with seven scores, as known from ml-fairness-gym;
            `"random"`, drawn at random, of any size.
        **options: those of `fairstep env NAME`, each left out or None as there:
            `groups` (names; for random their number), `horizon` (steps of an episode), `discount`;
            of fico `bands` (score levels, instead of the paper's five);
            of fico and synthetic `gain`, `loss`, `share` (per group) and `score` (per feature), of synthetic also
            `qualified` (per group);
            of lending `interest`, `move`, `share`, `repay` (per score) and `scores` (per group and score);
            of random `features`, `successors`, `reward_noise`, `participation` and `seed`.

    Returns:
        The model. docs/environments.md has the source of every number in it.

    Example:
        >>> fairstep.env("fico", groups=["white", "black", "asian"], horizon=4)
        Model(groups=['white', 'black', 'asian'], features=5, horizon=4)
    """
    if name not in _ENVIRONMENTS:
        raise ValueError(
            f'there is no environment "{name}", expected one of {", ".join(_ENVIRONMENTS)}'
            + did_you_mean(name, _ENVIRONMENTS)
        )
    make, known = _ENVIRONMENTS[name]
    for option in options:
        if option not in known.split():
            raise ValueError(
                f"{name} has no option {option}, expected one of {', '.join(known.split())}"
                + did_you_mean(option, known.split())
            )
    return make(**{option: value for option, value in options.items() if value is not None})


def _feature(model: Model, feature: int | str) -> int:
    """A feature by its number or by its name."""
    if isinstance(feature, str):
        if feature in model.features:
            return model.features.index(feature)
        if not (feature.startswith("x=") and feature[2:].isdigit()):
            raise ValueError(
                f'threshold has "{feature}", expected a feature: its number, or one of {", ".join(model.features)}'
                + did_you_mean(feature, model.features)
            )
        feature = int(feature[2:])
    elif not 0 <= feature <= len(model.features) and str(feature) in model.features:
        return model.features.index(str(feature))  # a score, which no number of a feature is
    if not 0 <= feature <= len(model.features):
        raise ValueError(
            f"threshold is {feature}, expected a feature: its number, 0 to {len(model.features)}, or one of "
            + ", ".join(model.features)
        )
    return feature


@plainly
def policy(
    model: Model,
    *,
    uniform: float | None = None,
    threshold: int | str | Mapping[str, int | str] | None = None,
    accept_all: bool = False,
    refuse_all: bool = False,
    random: bool = False,
    group_independent: bool = False,
    seed: int = 1,
) -> Policy:
    """A policy that needs no optimising, for comparison or as a starting point. Exactly one kind is to be chosen.

    Args:
        model: whose groups, steps and features it is for.
        uniform: accept everybody with this probability.
        threshold: accept from this feature on: its number counted from 0, or its name. A number beyond these is a name
            as well: 50 is "50". A mapping has one for each group.
        accept_all: accept everybody.
        refuse_all: refuse everybody.
        random: a random probability for each group, step and feature.
        group_independent: a policy that does not look at the group, good for any groups.
        seed: of the random policy; the same on every machine.

    Example:
        >>> fairstep.policy(m, threshold=2)
        >>> fairstep.policy(m, threshold={"white": "75", "black": "50"})
    """
    kinds = [uniform is not None, threshold is not None, accept_all, refuse_all, random]
    if sum(kinds) != 1:
        raise ValueError(
            "policy needs one of uniform, threshold, accept_all, refuse_all and random, "
            f"{sum(kinds) or 'none'} {'is' if sum(kinds) == 1 else 'are'} given"
        )
    if uniform is not None:
        return _core.uniform_policy(model, uniform, group_independent)
    if accept_all:
        return _core.accept_all(model, group_independent)
    if refuse_all:
        return _core.refuse_all(model, group_independent)
    if random:
        return _core.random_policy(model, seed, group_independent)
    if isinstance(threshold, Mapping):
        if group_independent:
            raise ValueError("group_independent and a threshold for each group contradict each other")
        for group in threshold:
            if group not in model.groups:
                raise ValueError(
                    f'threshold has the group "{group}", which the model does not have'
                    + did_you_mean(group, model.groups)
                )
        for group in model.groups:
            if group not in threshold:
                raise ValueError(f"threshold is missing for {group}")
        features = [_feature(model, threshold[group]) for group in model.groups]
    else:
        assert threshold is not None
        features = [_feature(model, threshold)] * len(model.groups)
    return _core.threshold_policy(model, features, group_independent)


@plainly
def load(path: str | os.PathLike[str]) -> Model | Policy | Counts:
    """Whatever the file says it is: a model, a policy or counts. `Model.load` and the like insist on one kind.

    Nothing is repaired: a file that is not sound is a ValueError that names the place and what would be right there.
    """
    return _core.load(path)
