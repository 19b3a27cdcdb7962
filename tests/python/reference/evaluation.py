"""What a policy does to a population, exactly: occupancy, value, rates and gaps at every step."""

from dataclasses import dataclass

import numpy as np

from .population import by_state


@dataclass
class Evaluation:
    occupancy: np.ndarray  # [g,h,s,a] P(s_h = s, a_h = a)
    value: float
    value_per_step: np.ndarray  # [h]
    accept: np.ndarray  # [g,h] P(a_h = 1)
    tpr: np.ndarray  # [g,h] P(a_h = 1 | y_h = 1), NaN if nobody has the label
    fpr: np.ndarray  # [g,h] P(a_h = 1 | y_h = 0)
    qualified: np.ndarray  # [g,h] P(y_h = 1)
    aggregate_dp: np.ndarray  # [g]
    aggregate_eqopt: np.ndarray  # [g]

    @property
    def dp(self):
        return gap(self.accept)

    @property
    def eqopt(self):
        return gap(self.tpr)

    @property
    def eqodds(self):
        return np.fmax(gap(self.tpr), gap(self.fpr))


def gap(rates):
    """[h] the widest difference between two groups that have the rate; NaN if fewer than two have it."""
    widest = [np.ptp(step[~np.isnan(step)]) if (~np.isnan(step)).sum() > 1 else np.nan for step in rates.T]
    return np.array(widest)


def occupancy(population, accept):
    """[g,h,s,a] forwards: people of a step times the policy, then the kernel (the flow equations of App. A)."""
    policy = by_state(accept)
    rho = np.empty_like(policy)
    people = population.initial
    for h in range(population.horizon):
        rho[:, h] = people[:, :, None] * policy[:, h]
        people = np.einsum("gsa,gsan->gn", rho[:, h], population.kernel)
    return rho


def evaluate(population, accept):
    rho = occupancy(population, accept)
    label = np.arange(population.states) % 2
    with np.errstate(invalid="ignore"):  # 0/0 where nobody has the label
        rate = [rho[:, :, label == y, 1].sum(-1) / rho[:, :, label == y].sum((-1, -2)) for y in (0, 1)]
        aggregate = rho[:, :, label == 1, 1].sum((1, 2)) / rho[:, :, label == 1].sum((1, 2, 3))
    earned = np.einsum("g,ghsa,gsa->h", population.share, rho, population.reward)
    per_step = earned * population.discount ** np.arange(population.horizon)
    return Evaluation(
        occupancy=rho,
        value=per_step.sum(),
        value_per_step=per_step,
        accept=rho[..., 1].sum(-1),
        tpr=rate[1],
        fpr=rate[0],
        qualified=rho[:, :, label == 1].sum((-1, -2)),
        aggregate_dp=rho[..., 1].sum((1, 2)) / rho.sum((1, 2, 3)),
        aggregate_eqopt=aggregate,
    )


def values_to_go(population, accept):
    """Q[g,h,s,a] and V[g,h,s], backwards: the Bellman equations of section 4.1, with V = 0 after the last step."""
    policy = by_state(accept)
    q = np.empty_like(policy)
    v = np.zeros((population.groups, population.horizon + 1, population.states))
    for h in reversed(range(population.horizon)):
        ahead = np.einsum("gsan,gn->gsa", population.kernel, v[:, h + 1])
        q[:, h] = population.reward + population.discount * ahead
        v[:, h] = (policy[:, h] * q[:, h]).sum(-1)
    return q, v[:, :-1]
