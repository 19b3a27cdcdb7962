"""How far the truth may be from what was counted, for all numbers of people at once (docs/guarantees.md, A and G)."""

from dataclasses import dataclass
from math import lgamma

import numpy as np
from numpy import log, log1p, sqrt

C = (2**0.25 + 2**-0.25) / 2


def epochs(n):
    """ln((j+1)(j+2)), j the whole part of log2 n: what it costs to hold at all numbers n >= 1."""
    j = np.floor(np.log2(np.maximum(n, 1)) + 1e-12)  # a power of two is exact, nothing else comes as near to the next
    return log((j + 1) * (j + 2))


def mean_radius(n, log_events, delta):
    """c sqrt((ln events + ln 1/delta + ln((j+1)(j+2))) / 2n), at most 1; nothing seen: 1."""
    n = np.asarray(n)
    radius = C * sqrt((log_events - log(delta) + epochs(n)) / (2 * np.maximum(n, 1)))
    return np.where(n > 0, np.minimum(radius, 1), 1.0)


def tv_radius(n, states, delta):
    """Total variation distance between a distribution on `states` states and the proportions of n draws from it. The
    events are all sets of states but the empty and the full one."""
    return mean_radius(n, log(2.0**states - 2), delta)


@dataclass
class Radii:
    row: np.ndarray  # [g,s,a]
    initial: np.ndarray  # [g]
    reward: np.ndarray  # [g,s,a]


def radii(estimate, delta, reward_range, noisy):
    """Balls that hold together with probability 1 - delta. Noisy rewards take half of delta; where rewards are without
    noise one visit tells them. An unseen reward is estimated as 0, which is as far off as the range reaches."""
    groups, states, actions = estimate.visits.shape
    for_rows, for_rewards = (delta / 2, delta / 2) if noisy else (delta, delta)
    row_delta = for_rows / (groups * (states * actions + 1))
    low, high = reward_range
    if noisy:
        known = (high - low) * mean_radius(estimate.visits, log(2), for_rewards / (groups * states * actions))
    else:
        known = np.zeros(estimate.visits.shape)
    return Radii(
        row=tv_radius(estimate.successors, states, row_delta),
        initial=tv_radius(estimate.people, states, row_delta),
        reward=np.where(estimate.visits > 0, known, max(abs(low), abs(high))),
    )


# --- intervals by the binomial distribution ---------------------------------------------------------------------------


def log_binomial(k, n):
    """p -> ln b(k; n, p), elementwise."""
    choose = np.vectorize(lambda k, n: lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1), otypes=[float])(k, n)

    def at(p):
        with np.errstate(divide="ignore", invalid="ignore"):
            hits = np.where(k > 0, k * log(p), 0)
            misses = np.where(n - k > 0, (n - k) * log1p(-p), 0)
        return choose + hits + misses

    return at


def halve(inside, outside, is_inside):
    """The border between `inside` and `outside`, elementwise, as near as doubles go."""
    inside, outside = np.broadcast_arrays(inside, outside)
    for _ in range(60):
        middle = (inside + outside) / 2
        yes = is_inside(middle)
        inside, outside = np.where(yes, middle, inside), np.where(yes, outside, middle)
    return inside


def robbins(k, n, alpha):
    """Lemma G1: all q with b(k; n, q) > alpha / (n+1). They hold the truth for all n at once. Nothing seen: [0,1]."""
    k, n = np.broadcast_arrays(np.asarray(k, float), np.asarray(n, float))
    at_most = log(alpha) - log(n + 1)
    likeliest = k / np.maximum(n, 1)
    log_b = log_binomial(k, n)
    low = halve(likeliest, 0.0, lambda q: log_b(q) > at_most)
    high = halve(likeliest, 1.0, lambda q: log_b(q) > at_most)
    return np.where(k > 0, low, 0.0), np.where((k < n) & (n > 0), high, 1.0)


def tails(k, n, alpha):
    """Lemma G2: the rate of n people fixed beforehand, k of them accepted; each end fails with probability alpha."""

    def upper(k, n):
        log_b = log_binomial(k, n)

        def possible(p):  # at most k successes are not as rare as alpha
            ratio = k * (1 - p) / ((n - k + 1) * p)
            return (ratio >= 1) | (log_b(p) - log1p(-ratio) > log(alpha))

        return np.where(k < n, halve(k / np.maximum(n, 1), 1.0, possible), 1.0)

    k, n = np.broadcast_arrays(np.asarray(k, float), np.asarray(n, float))
    with np.errstate(divide="ignore", invalid="ignore"):
        low, high = 1 - upper(n - k, n), upper(k, n)
    return np.where(n > 0, low, 0.0), np.where(n > 0, high, 1.0)
