"""A population in groups: how people start, how a decision moves them, what it earns."""

from dataclasses import dataclass

import numpy as np


@dataclass
class Population:
    """Group g starts in state s with probability initial[g,s]; under action a it moves on by kernel[g,s,a,s1]."""

    horizon: int
    share: np.ndarray  # [g]
    initial: np.ndarray  # [g,s]
    kernel: np.ndarray  # [g,s,a,s1]
    reward: np.ndarray  # [g,s,a] mean
    noise: np.ndarray  # [g,s,a] a single reward is mean - noise or mean + noise
    discount: float = 1.0

    @property
    def groups(self):
        return self.initial.shape[0]

    @property
    def states(self):
        return self.initial.shape[1]

    @property
    def reward_range(self):
        """The least and the greatest single reward that there can be."""
        return (self.reward - self.noise).min(), (self.reward + self.noise).max()

    def document(self):
        """As a model file."""
        groups, states = self.groups, self.states
        x, y = states // 2, 2
        return {
            "schema": "fairstep/model/1",
            "horizon": self.horizon,
            "groups": [f"group {g}" for g in range(groups)],
            "features": [f"feature {i}" for i in range(x)],
            "share": self.share.tolist(),
            "initial": self.initial.reshape(groups, x, y).tolist(),
            "transition": self.kernel.reshape(groups, x, y, 2, x, y).tolist(),
            "reward": self.reward.reshape(groups, x, y, 2).tolist(),
            "reward_noise": self.noise.reshape(groups, x, y, 2).tolist(),
            "discount": self.discount,
        }


def random_population(rng, *, groups, features, horizon, discount=1.0, noise=0.0, zeros=0.0):
    """Rows drawn from Dirichlet distributions, some of them with many entries near 0; `zeros` of the entries are 0."""
    states = 2 * features

    def rows(shape, spread):
        drawn = rng.dirichlet(np.full(states, spread), size=shape)
        kept = rng.uniform(size=drawn.shape) >= zeros
        kept[..., 0] |= ~kept.any(axis=-1)
        drawn = np.where(kept, np.maximum(drawn, 1e-3), 0) if zeros else drawn
        return drawn / drawn.sum(-1, keepdims=True)

    return Population(
        horizon=int(horizon),
        share=rng.dirichlet(np.full(groups, 5.0)),
        initial=rows((groups,), 1.0),
        kernel=rows((groups, states, 2), rng.choice([0.2, 1.0, 5.0])),
        reward=rng.uniform(-1, 1, size=(groups, states, 2)),
        noise=noise * rng.uniform(0, 1, size=(groups, states, 2)),
        discount=float(discount),
    )


def random_policy(rng, population, certain=0.0):
    """accept[g,h,x]; a part `certain` of the entries is 0 or 1."""
    shape = (population.groups, population.horizon, population.states // 2)
    accept = rng.uniform(size=shape)
    return np.where(rng.uniform(size=shape) < certain, np.round(accept), accept)


def by_state(accept):
    """pi[g,h,s,a] of accept[g,h,x]: the same for both labels of a feature, which the policy does not see."""
    accepted = np.repeat(accept, 2, axis=2)
    return np.stack([1 - accepted, accepted], axis=-1)
