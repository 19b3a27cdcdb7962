"""How people start and move, for one person or for arrays of them."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from fairstep import Model

WORLDS = ("fico", "synthetic", "lending", "random")


def model_of(source: Model | str | PathLike[str], options: dict[str, Any]) -> Model:
    """A model as it is, a model file, or a ready-made population by its name and options."""
    import fairstep

    if isinstance(source, str) and source in WORLDS:
        return fairstep.env(source, **options)
    if options:
        raise TypeError(f"{', '.join(options)}: options are for the populations {', '.join(WORLDS)} only")
    return source if isinstance(source, fairstep.Model) else fairstep.Model.load(Path(source))


def _cumulative(probability: np.ndarray) -> np.ndarray:
    """Sums along the last axis, exactly 1 from the last entry that is not 0 on."""
    sums = np.cumsum(probability, axis=-1)
    return np.where(sums >= sums[..., -1:], 1.0, sums)


def _drawn(rng: np.random.Generator, cumulative: np.ndarray) -> np.ndarray:
    """One draw from each row of the last axis: the first entry whose sum is above a uniform number."""
    uniform = rng.random(cumulative.shape[:-1])
    return np.asarray(np.argmax(cumulative > np.asarray(uniform)[..., None], axis=-1))


class Dynamics:
    """A model as tables to draw from. States are numbered 2x + y. Everybody stays for the whole episode."""

    def __init__(self, model: Model) -> None:
        groups, features = len(model.groups), len(model.features)
        states = 2 * features
        self.shape = (groups, model.horizon, features)
        self._states = states
        self._share = _cumulative(np.asarray(model.share))
        self._initial = _cumulative(np.asarray(model.initial).reshape(groups, states))
        self._transition = _cumulative(np.asarray(model.transition).reshape(groups, -1, states * 2, states))
        starts = list(model.periods.values()) or [0]
        self._period = np.searchsorted(starts, np.arange(model.horizon), side="right") - 1
        self._reward = np.asarray(model.reward).reshape(-1)
        noise = np.asarray(model.reward_noise).reshape(-1)
        self._noise = noise if noise.any() else None

    def groups(self, rng: np.random.Generator, people: tuple[int, ...]) -> np.ndarray:
        return _drawn(rng, np.broadcast_to(self._share, (*people, *self._share.shape)))

    def first(self, rng: np.random.Generator, group: np.ndarray) -> np.ndarray:
        return _drawn(rng, self._initial[group])

    def cell(self, group: Any, state: Any, action: Any) -> Any:
        """The number of (group, state, action)."""
        return (group * self._states + state) * 2 + action

    def next(self, rng: np.random.Generator, cell: Any, step: Any) -> np.ndarray:
        """The state at the step after `step`; past the last, where nobody is looked at any more, as from the last."""
        group, row = np.divmod(cell, self._states * 2)
        period = self._period[np.minimum(step, len(self._period) - 1)]
        return _drawn(rng, self._transition[group, period, row])

    def rewards(self, rng: np.random.Generator, cell: Any) -> np.ndarray:
        mean = np.asarray(self._reward.take(cell))
        if self._noise is None:
            return mean
        return np.asarray(mean + self._noise.take(cell) * rng.choice([-1.0, 1.0], size=mean.shape))
