"""What is not known along a policy's own path: the relaxation and the bonus of `tight` (docs/guarantees.md, B to D)."""

from itertools import combinations

import numpy as np

from .evaluation import occupancy


def drift(population, accept, radii):
    """A[g,h] = r0 + sum over t < h of E[r(s_t, a_t)]: the radii that people meet on their way to step h."""
    met = np.einsum("ghsa,gsa->gh", occupancy(population, accept), radii.row)
    return radii.initial[:, None] + np.cumsum(met, axis=1) - met


def tight_relaxation(population, accept, radii, *, notion, entries=1.0):
    """[h] what the worst pair of groups is allowed on top of the limit: sigma (A_i / D_i + A_j / D_j). `entries` is
    sigma, how far apart the policy's entries can be. A group that nobody is of has no rate, and no pair."""
    rho = occupancy(population, accept)
    label = np.arange(population.states) % 2
    everybody = {"dp": [label >= 0], "eqopt": [label == 1], "eqodds": [label == 1, label == 0]}[notion]
    away = entries * drift(population, accept, radii)
    worst = np.zeros(population.horizon)
    for meant in everybody:
        among = rho[:, :, meant].sum((-1, -2))
        for i, j in combinations(range(population.groups), 2):
            both = (among[i] > 0) & (among[j] > 0)
            with np.errstate(divide="ignore", invalid="ignore"):
                worst = np.fmax(worst, np.where(both, away[i] / among[i] + away[j] / among[j], 0))
    return worst


def tight_bonus(population, radii, reward_range):
    """b[g,s,a] = rho + (u - l) gamma (1 + gamma + ... + gamma^(H-2)) r, the same at all steps."""
    to_come = sum(population.discount**t for t in range(1, population.horizon))
    return radii.reward + (reward_range[1] - reward_range[0]) * to_come * radii.row
