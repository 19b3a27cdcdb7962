"""The worst case of a policy over every population that counts allow (docs/guarantees.md, E and G).

Each counted row (the next states of a cell, the first states of a group) has a set that holds its true distribution: a
ball in total variation around the proportions, and an interval for each entry. From the last step backwards the worst
row in each set is found; rows of different steps may differ.
"""

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from .confidence import mean_radius, robbins, tails, tv_radius
from .estimation import estimate
from .evaluation import evaluate
from .population import by_state


@dataclass
class Rows:
    """Distributions q with |q - centre| <= radius in total variation and low <= q <= high, entry by entry."""

    centre: np.ndarray  # [...,s]
    radius: np.ndarray  # [...]
    low: np.ndarray  # [...,s]
    high: np.ndarray  # [...,s]

    def __getitem__(self, at):
        return Rows(self.centre[at], self.radius[at], self.low[at], self.high[at])


def ball(centre, radius):
    """A ball alone."""
    return Rows(centre, radius, np.zeros(centre.shape), np.ones(centre.shape))


def counted(seen, row_delta):
    """Half of row_delta for the ball, half for the intervals of all entries together."""
    total = seen.sum(-1)
    states = seen.shape[-1]
    centre = np.where(total[..., None] > 0, seen / np.maximum(total, 1)[..., None], 1 / states)
    low, high = robbins(seen, np.broadcast_to(total[..., None], seen.shape), row_delta / 2 / states)
    return Rows(centre, tv_radius(total, states, row_delta / 2), low, high)


def best(rows, payoff):
    """q[...,s] in the sets that maximises q . payoff: mass leaves the states that pay least and goes to those that pay
    most, each up to its room, until the radius is used up or the two meet."""
    order = np.argsort(payoff, kind="stable")
    give = (rows.centre - rows.low)[..., order]  # from the least paying state on
    take = (rows.high - rows.centre)[..., order]
    given = np.cumsum(give, axis=-1)
    taken = np.cumsum(take[..., ::-1], axis=-1)[..., ::-1]
    # If states before c give and those from c on take, this much can move; the best c is where the two meet.
    can_move = np.minimum(given[..., :-1], taken[..., 1:]).max(axis=-1)
    moved = np.minimum(rows.radius, can_move)[..., None]
    give = np.clip(moved - (given - give), 0, give)
    take = np.clip(moved - (taken - take), 0, take)
    q = np.empty(rows.centre.shape)
    q[..., order] = rows.centre[..., order] - give + take
    return q


class Sets:
    """All rows of one group, and what they say about one policy pi[h,s,a]."""

    def __init__(self, initial, kernel, policy):
        self.initial, self.kernel, self.policy = initial, kernel, policy

    def backwards(self, h, payoff, *others):
        """Largest E[payoff(s_h)], and the means of other functions of s_h under the population that attains it."""
        f = np.stack([payoff, *others])
        for t in reversed(range(h)):
            q = best(self.kernel, f[0])
            f = np.einsum("sa,san,in->is", self.policy[t], q, f)
        return f @ best(self.initial, f[0])

    def mean(self, h, f):
        """The least and the greatest E[f(s_h)]."""
        return -self.backwards(h, -f)[0], self.backwards(h, f)[0]

    def rate(self, h, meant):
        """The ends of P(a_h = 1 | s_h is meant), where that event has probability > 0. If it may have none, the rate
        is some mean of the policy's entries, and no more is said."""
        accept = self.policy[h, :, 1]
        if meant.all():
            return self.mean(h, accept)
        if self.mean(h, meant.astype(float))[0] <= 1e-12:
            return accept.min(), accept.max()

        def greatest(sign):
            # Dinkelbach: N(q) - tau D(q) <= 0 for all q says that tau is an upper end; the q that breaks it most gives
            # the next tau = N(q) / D(q). It rises to the answer in a few steps.
            tau = min(sign * accept)
            while True:
                _, above, below = self.backwards(h, (sign * accept - tau) * meant, sign * accept * meant, 1.0 * meant)
                if not above / below > tau + 1e-15:
                    return sign * tau
                tau = above / below

        return greatest(-1), greatest(1)

    def least_value(self, reward, horizon, discount):
        """The least total reward."""
        v = np.zeros(self.initial.centre.shape)
        for h in reversed(range(horizon)):
            q = best(self.kernel, -v)
            v = (self.policy[h] * (reward + discount * np.einsum("san,n->sa", q, v))).sum(-1)
        return best(self.initial, -v) @ v


RATES = {"dp": ["accept"], "eqopt": ["tpr"], "eqodds": ["tpr", "fpr"]}
MEANT = {"accept": lambda y: y >= 0, "tpr": lambda y: y == 1, "fpr": lambda y: y == 0}


def gaps(rates):
    """[h] how far apart two groups can be, from ends (low, high) [g,h]; at most 1."""
    low, high = rates
    pairs = [np.maximum(high[i] - low[j], high[j] - low[i]) for i, j in combinations(range(len(low)), 2)]
    return np.minimum(np.max(pairs, axis=0), 1)


@dataclass
class Certificate:
    rates: dict  # of accept, tpr, fpr: (low, high), each [g,h]
    gap: dict  # of dp, eqopt, eqodds: [h]
    value: float | None


def robust_rates(population, accept, radii):
    """The ends of all rates over balls alone (E)."""
    policy = by_state(accept)
    label = np.arange(population.states) % 2
    sets = [
        Sets(ball(population.initial[g], radii.initial[g]), ball(population.kernel[g], radii.row[g]), policy[g])
        for g in range(population.groups)
    ]
    return {rate: ends(sets, rate, label, population.horizon) for rate in MEANT}


def ends(sets, rate, label, horizon):
    found = np.array([[of_group.rate(h, MEANT[rate](label)) for h in range(horizon)] for of_group in sets])
    return found[..., 0], found[..., 1]


def certify(counts, accept, *, delta, notions, followed=False, rewards=None, reward_range=None, discount=1.0):
    """What counts prove about a policy. `rewards` (mean, share, discount) are known, or those counted lie within
    `reward_range`; without either nothing is said about the value."""
    groups, horizon, states, actions = counts.visits.shape
    part = delta / (1 + followed + (reward_range is not None))
    row_delta = part / (groups * (states * actions + 1))
    first, kernel = counted(counts.first, row_delta), counted(counts.transitions, row_delta)
    policy = by_state(accept)
    sets = [Sets(first[g], kernel[g], policy[g]) for g in range(groups)]
    label = np.arange(states) % 2

    wanted = dict.fromkeys(rate for notion in notions for rate in RATES[notion])
    rates = {rate: ends(sets, rate, label, horizon) for rate in wanted}
    if followed:
        alpha = part / (2 * groups * horizon * len(wanted))
        rates = {rate: narrower(rates[rate], of_followers(counts, MEANT[rate](label), alpha)) for rate in wanted}

    value = None
    estimated = estimate(counts)
    if reward_range is not None:
        low, high = reward_range
        off = (high - low) * mean_radius(estimated.visits, 0.0, part / (groups * states * actions))
        lowest = np.where(estimated.visits > 0, np.maximum(estimated.population.reward - off, low), low)
        rewards = (lowest, estimated.population.share, discount)
    if rewards is not None:
        mean, share, discount = rewards
        value = sum(share[g] * sets[g].least_value(mean[g], horizon, discount) for g in range(groups))

    found = {notion: np.max([gaps(rates[rate]) for rate in RATES[notion]], axis=0) for notion in notions}
    return Certificate(rates, found, value)


def of_followers(counts, meant, alpha):
    """Ends by the people who followed the policy. Whoever was away at a step from the first to this one may have been
    accepted or not."""
    there = counts.visits.sum((2, 3))  # [g,h]
    away = np.cumsum(counts.first.sum(-1)[:, None] - there, axis=1)
    accepted, people = counts.visits[:, :, meant, 1].sum(-1), counts.visits[:, :, meant].sum((-1, -2))
    low, _ = tails(np.maximum(accepted - away, 0), people, alpha)
    _, high = tails(np.minimum(accepted + away, people), people, alpha)
    return low, high


def narrower(one, other):
    return np.maximum(one[0], other[0]), np.minimum(one[1], other[1])


def estimated_gaps(counts, accept):
    """What the estimated model says: no bound."""
    found = evaluate(estimate(counts).population, accept)
    return {"dp": found.dp, "eqopt": found.eqopt, "eqodds": found.eqodds}
