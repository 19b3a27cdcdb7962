"""One person at a time, as a Gymnasium environment."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np

from fairstep.gymnasium.dynamics import Dynamics, model_of

if TYPE_CHECKING:
    from fairstep import Model


def observation_space(dynamics: Dynamics) -> gymnasium.spaces.MultiDiscrete:
    groups, horizon, features = dynamics.shape
    return gymnasium.spaces.MultiDiscrete([groups, horizon + 1, features])


def group_number(model: Model, group: str | int) -> int:
    """Of a name or a number."""
    if isinstance(group, str):
        if group not in model.groups:
            raise ValueError(f"there is no group {group!r}, expected one of {', '.join(model.groups)}")
        return list(model.groups).index(group)
    if not 0 <= group < len(model.groups):
        raise ValueError(f"group is {group}, expected 0 to {len(model.groups) - 1}")
    return int(group)


class PopulationEnv(gymnasium.Env):
    """A person comes, is decided about at every step of the horizon, and goes.

    Observation: (group, step, feature), numbers from 0, so that `policy.accept[tuple(observation)]` is what a policy
    does. The last observation of an episode has step = horizon: the person moved on and nobody decides any more.
    Action: 0 refuse, 1 accept. Reward: the model's, noise included, not discounted.
    Info: `label`, the hidden label of the person observed, for measuring, not for deciding.

    `model` is a Model, a model file, or fico, synthetic, lending or random with options of that population.
    `reset(options={"group": "black"})` fixes the group, which is drawn by its share otherwise.
    """

    metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012 (Gymnasium's own attribute)

    def __init__(self, model: Model | str | PathLike[str], **options: Any) -> None:
        self.model = model_of(model, options)
        self._dynamics = Dynamics(self.model)
        self.observation_space = observation_space(self._dynamics)
        self.action_space = gymnasium.spaces.Discrete(2)
        self._group = self._state = self._step = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        super().reset(seed=seed)
        group = (options or {}).get("group")
        self._group = (
            int(self._dynamics.groups(self.np_random, ())) if group is None else group_number(self.model, group)
        )
        self._state = int(self._dynamics.first(self.np_random, np.array(self._group)))
        self._step = 0
        return self._observation(), self._info()

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        if action not in (0, 1):
            raise ValueError(f"action is {action}, expected 0 (refuse) or 1 (accept)")
        if self._step == self.model.horizon:
            raise RuntimeError("the episode is over: call reset()")
        cell = self._dynamics.cell(self._group, self._state, int(action))
        reward = float(self._dynamics.rewards(self.np_random, cell))
        self._state = int(self._dynamics.next(self.np_random, cell, self._step))
        self._step += 1
        return self._observation(), reward, self._step == self.model.horizon, False, self._info()

    def _observation(self) -> np.ndarray:
        return np.array([self._group, self._step, self._state // 2], dtype=np.int64)

    def _info(self) -> dict[str, Any]:
        return {"label": self._state % 2}
