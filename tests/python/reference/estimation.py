"""From a log to an estimate: the paper's counting (section 3, App. D), its bonus and its relaxations (section 4.1)."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy import log, sqrt

from .population import Population


@dataclass
class Counts:
    first: np.ndarray  # [g,s] people first seen in the state
    visits: np.ndarray  # [g,h,s,a] decisions
    transitions: np.ndarray  # [g,s,a,s1] decisions whose next state was seen
    reward_sum: np.ndarray  # [g,s,a]

    @classmethod
    def of_document(cls, document):
        """Of a counts file; features and labels become one axis of states."""
        first = np.array(document["first"])
        groups, features, labels = first.shape
        states = features * labels
        visits = np.array(document["visits"]).reshape(groups, -1, states, 2)
        transitions = np.array(document["transitions"]).reshape(groups, states, 2, states)
        rewards = np.array(document["reward_sum"], dtype=float).reshape(groups, states, 2)
        return cls(first.reshape(groups, states), visits, transitions, rewards)


def count(rows, groups, states, horizon):
    """Counts of a log, a row (person, group, step, state, action, reward) for each decision, in any order."""
    counts = Counts(
        np.zeros((groups, states), int),
        np.zeros((groups, horizon, states, 2), int),
        np.zeros((groups, states, 2, states), int),
        np.zeros((groups, states, 2)),
    )
    before = {}
    for person, g, h, s, a, reward in sorted(rows, key=lambda row: (row[0], row[2])):
        if person not in before:
            counts.first[g, s] += 1
        elif before[person][0] == h - 1:
            counts.transitions[g, before[person][1], before[person][2], s] += 1
        counts.visits[g, h, s, a] += 1
        counts.reward_sum[g, s, a] += reward
        before[person] = (h, s, a)
    return counts


@dataclass
class Estimate:
    population: Population
    visits: np.ndarray  # [g,s,a] decisions, the last step included
    successors: np.ndarray  # [g,s,a] of these, with the next state seen
    people: np.ndarray  # [g]


def estimate(counts, *, share=None, discount=1.0):
    """Proportions of what was seen. Of a row of which nothing was seen every state is taken to be as likely."""

    def proportions(seen):
        total = seen.sum(-1, keepdims=True)
        return np.where(total > 0, seen / np.maximum(total, 1), 1 / seen.shape[-1])

    visits = counts.visits.sum(1)
    people = counts.first.sum(-1)
    population = Population(
        horizon=counts.visits.shape[1],
        share=people / people.sum() if share is None else share,
        initial=proportions(counts.first),
        kernel=proportions(counts.transitions),
        reward=counts.reward_sum / np.maximum(visits, 1),
        noise=np.zeros(visits.shape),
        discount=discount,
    )
    return Estimate(population, visits, counts.transitions.sum(-1), people)


# --- the lemmas, as they are printed ----------------------------------------------------------------------------------
# S states, A = 2 actions, H steps, episode k. `scale` multiplies what is printed; 1 is the lemma itself. N counts
# visits in the main text, and visits whose next state was seen in App. D: `visits` is whichever is meant. The printed
# 16, 32 and 4 are 8, 16 and 2 for each of two groups; where there are more, the union is over all of them.


def bonus(visits, *, horizon, k, delta, reward_range=(0, 1), scale=1.0):
    """Lemma 4.1: b_hat[g,s,a] = min{2H, 2H sqrt(2 ln(16 S A H k^2 / delta) / N)}, N = max{1, visits}; rewards that lie
    in another interval than [0,1] stretch it."""
    groups, states, actions = visits.shape
    width = sqrt(2 * log(8 * groups * states * actions * horizon * k**2 / delta) / np.maximum(visits, 1))
    return scale * (reward_range[1] - reward_range[0]) * np.minimum(2 * horizon, 2 * horizon * width)


def c_hat(visits, *, horizon, k, delta, epsilon, scale=1.0):
    """Lemma 4.2, for the two groups whose sum is largest: sum of H sqrt(2 S ln(16 S A H k^2 / (eps delta)) / N_min)
    plus 2 eps H S."""
    groups, states, actions = visits.shape
    least = np.maximum(visits, 1).min(axis=(1, 2))
    term = horizon * sqrt(2 * states * log(8 * groups * states * actions * horizon * k**2 / (epsilon * delta)) / least)
    return scale * max(term[i] + term[j] + 2 * epsilon * horizon * states for i, j in combinations(range(groups), 2))


def d_hat(visits, kernel, *, horizon, k, delta, epsilon, scale=1.0, scale_widths=False):
    """Lemma 4.3, for the two groups whose sum is largest; 1 for a pair of which one group is known too little. With
    `scale_widths` w is scaled as well, which moves that branch."""
    groups, states, actions = visits.shape
    least = np.maximum(visits, 1).min(axis=(1, 2))
    p_min = kernel[..., np.arange(states) % 2 == 1].sum(-1).min(axis=(1, 2))
    above = 3 * horizon * sqrt(2 * states * log(16 * groups * states * actions * k**2 / (epsilon * delta)) / least)
    above = scale * (above + 3 * epsilon * horizon * states)
    w = sqrt((4 * log(2) + 2 * log(2 * groups * states * actions * k**2 / delta)) / least)
    w = scale * w if scale_widths else w

    def of_pair(i, j):
        if min(p_min[i] - w[i], p_min[j] - w[j]) <= 0:
            return 1.0
        return sum(above[g] / (p_min[g] * (p_min[g] - w[g])) for g in (i, j))

    return max(of_pair(i, j) for i, j in combinations(range(groups), 2))
