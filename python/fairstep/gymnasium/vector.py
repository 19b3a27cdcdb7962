"""Many people at once, as a Gymnasium vector environment."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from fairstep.gymnasium.dynamics import Dynamics, model_of
from fairstep.gymnasium.environment import group_number, observation_space

if TYPE_CHECKING:
    from fairstep import Model


class PopulationVectorEnv(VectorEnv):
    """`PopulationEnv` for `num_envs` people side by side, all of them moved by a few array operations.

    Observations are [n,3], so that `policy.accept[tuple(observations.T)]` is what a policy does. Random numbers come
    from one stream: a seed fixes all people together, not each by itself.

    Who is done is replaced at the next step (`NEXT_STEP`, Gymnasium's default: that step's action counts for nothing
    and earns 0), in the same step (`SAME_STEP`: what was seen last is in `info["final_obs"]`), or by `reset` alone
    (`DISABLED`; `options={"reset_mask": mask}` for some of them).
    """

    def __init__(
        self,
        model: Model | str | PathLike[str],
        num_envs: int = 1,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        **options: Any,
    ) -> None:
        self.model = model_of(model, options)
        self.num_envs = num_envs
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {"render_modes": [], "autoreset_mode": self.autoreset_mode}
        self._dynamics = Dynamics(self.model)
        self.single_observation_space = observation_space(self._dynamics)
        self.single_action_space = gymnasium.spaces.Discrete(2)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._group = np.zeros(num_envs, dtype=np.int64)
        self._state = np.zeros(num_envs, dtype=np.int64)
        self._step = np.zeros(num_envs, dtype=np.int64)
        self._group_wanted: int | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Options: `group` as in `PopulationEnv`, for these people and those who replace them; `reset_mask` [n]."""
        super().reset(seed=seed)
        options = options or {}
        if "reset_mask" in options:
            self._replace(np.asarray(options["reset_mask"], dtype=bool))
        else:
            group = options.get("group")
            self._group_wanted = None if group is None else group_number(self.model, group)
            self._replace(np.ones(self.num_envs, dtype=bool))
        return self._observations(), self._info()

    def step(self, actions: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        actions = np.asarray(actions)
        if actions.shape != (self.num_envs,) or not np.all((actions == 0) | (actions == 1)):
            raise ValueError(f"actions must be {self.num_envs} numbers, each 0 (refuse) or 1 (accept)")
        over = self._step == self.model.horizon
        if over.all() and self.autoreset_mode is AutoresetMode.NEXT_STEP:
            rewards = np.zeros(self.num_envs)
            self._replace(over)
        elif over.any():
            if self.autoreset_mode is not AutoresetMode.NEXT_STEP:
                raise RuntimeError("some episodes are over: call reset()")
            rewards = np.where(over, 0.0, self._move(actions.astype(np.int64)))
            self._replace(over)
        else:
            rewards = self._move(actions.astype(np.int64))
        done = self._step == self.model.horizon
        info = {}
        if self.autoreset_mode is AutoresetMode.SAME_STEP and done.any():
            info = {"final_obs": self._final(done), "_final_obs": done, "final_info": self._info(), "_final_info": done}
            self._replace(done)
        return self._observations(), rewards, done, np.zeros(self.num_envs, dtype=bool), info | self._info()

    def _move(self, actions: np.ndarray) -> np.ndarray:
        """Everybody by one step; what it earned."""
        cell = self._dynamics.cell(self._group, self._state, actions)
        rewards = self._dynamics.rewards(self.np_random, cell)
        self._state = self._dynamics.next(self.np_random, cell, self._step)
        self._step = self._step + 1
        return rewards

    def _replace(self, who: np.ndarray) -> None:
        """New people in the places of others."""
        people = int(who.sum())
        if self._group_wanted is None:
            group = self._dynamics.groups(self.np_random, (people,))
        else:
            group = np.full(people, self._group_wanted)
        self._group[who] = group
        self._state[who] = self._dynamics.first(self.np_random, group)
        self._step[who] = 0

    def _observations(self) -> np.ndarray:
        return np.stack([self._group, self._step, self._state // 2], axis=1)

    def _final(self, done: np.ndarray) -> np.ndarray:
        """As Gymnasium's own vector environments have it: an array of observations, None where nobody is done."""
        final = np.full(self.num_envs, None, dtype=object)
        for place, observation in zip(np.flatnonzero(done), self._observations()[done], strict=True):
            final[place] = observation
        return final

    def _info(self) -> dict[str, Any]:
        return {"label": self._state % 2, "_label": np.ones(self.num_envs, dtype=bool)}
