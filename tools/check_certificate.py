#!/usr/bin/env python3
"""Checks a certificate of fairstep from scratch:  python3 check_certificate.py certificate.json

Exit code 0: every number in it follows from the counts and the policy inside it. 1: some do not, each is named. 2:
this is no certificate. Standard library only; meant to be read. docs/certify.md has the theorem that is checked here.

How. A certificate holds the counts and the policy as text. Around each counted row (the next states of a group's people
in state s=(x,y) under action a, and their first states) there is a set that holds the true distribution:
  - a ball: it is at most `reach` away in total variation, and
  - a box: each entry lies between two ends.
A policy's worst case over all kernels in the sets is found from the last step backwards. A bound on a rate is right if
the worst case does not exceed it, and honest if a bound that is 1e-9 tighter would not be right.

Numbers are decimals of 50 digits. Each operation is off by less than 1e-48 of what is at hand, and all that matters is
compared with a margin of 1e-25 to the safe side (MARGIN), which a billion of operations do not use up.
"""

import hashlib
import json
import math
import sys
from decimal import Decimal as D
from decimal import getcontext

getcontext().prec = 50
MARGIN = D("1e-25")
TOLERANCE = D("1e-9")
SLACK = D("-1e-12")  # how far below 0 the worst case must be before a conditional rate counts as loose
PI = D("3.14159265358979323846264338327950288419716939937511")
NOTIONS = {"dp": ["accept"], "eqopt": ["tpr"], "eqodds": ["fpr", "tpr"]}  # the rates that each notion compares
LABELS = {"accept": (0, 1), "tpr": (1,), "fpr": (0,)}  # the people that each rate is about, by y


# --- Probability: the binomial distribution, and radii that hold for all numbers of people at once


def stirling(n):
    """ln n! - (n ln n - n + ln(2 pi n)/2), for n >= 1; beyond 500 by a series whose next term is below 1e-27."""
    if n < 500:
        return D(math.factorial(int(n))).ln() - (n * n.ln() - n + (2 * PI * n).ln() / 2)
    terms = [(1, 12), (-1, 360), (1, 1260), (-1, 1680), (1, 1188), (-691, 360360)]
    return sum(D(a) / (b * n ** (2 * i + 1)) for i, (a, b) in enumerate(terms))


def log_mode(k, n):
    """ln of the probability of k successes in n draws if each has probability k/n."""
    if k in (0, n):
        return D(0)
    return stirling(n) - stirling(k) - stirling(n - k) + (n / (2 * PI * k * (n - k))).ln() / 2


def fall(k, n, p):
    """How much less that logarithm is if each draw has probability p instead, 0 < p < 1."""
    successes = k * (k / (n * p)).ln() if k > 0 else D(0)
    return successes + ((n - k) * ((n - k) / (n * (1 - p))).ln() if k < n else D(0))


def upper_end(k, n, delta):
    """The largest p under which k of n has probability delta/(n+1): the interval ends there, for all n at once."""
    if k == n:
        return D(1)
    most = log_mode(k, n) - (delta / (n + 1)).ln()
    # The fall is larger than `most` at both of these p: from there Newton's steps lead to the end from the right.
    p = 1 - (1 - k / n) * ((-most + (k * (k / n).ln() if k else 0)) / (n - k)).exp()
    p = min(p, k / n + (most / (2 * n)).sqrt())
    step = D(1)
    while abs(step) > D("1e-30"):
        step = (fall(k, n, p) - most) * p * (1 - p) / (n * p - k)
        p -= step
    return min(D(1), p + MARGIN)


def few_are_rare(k, n, p, tail):
    """Whether at most k successes of n have probability at most `tail` if each has probability p."""
    if p >= 1 or n == 0 or k == n or p <= k / n:
        return p >= 1
    ratio = k * (1 - p) / ((n - k + 1) * p)  # from k downwards each probability is at most this times the one before
    return log_mode(k, n) - fall(k, n, p) - (1 - ratio).ln() <= tail.ln() - MARGIN


def radius(n, log_sets, delta):
    """How far off the mean of n draws may be, for exp(log_sets) statements and for all n at once; at most 1."""
    if n == 0:
        return D(1)
    j = int(n).bit_length() - 1
    root = D(2).sqrt().sqrt()
    logs = log_sets - delta.ln() + D((j + 1) * (j + 2)).ln()
    return min(D(1), (root + 1 / root) / 2 * (logs / (2 * n)).sqrt() + MARGIN)


# --- The sets around each row, and the worst case over them


class Row:
    """Counts of next states (or first states), and how much each share may be more or less in truth."""

    def __init__(self, seen, split):
        self.seen, self.n = seen, sum(seen)
        self.shares = [k / self.n if self.n else D(1) / len(seen) for k in seen]
        self.reach = radius(self.n, D(2 ** len(seen) - 2).ln(), split["ball"])
        if self.n > 0:
            self.more = [upper_end(k, self.n, split["interval"]) - k / self.n for k in seen]
            self.less = [upper_end(self.n - k, self.n, split["interval"]) - (1 - k / self.n) for k in seen]

    def greatest_mean(self, f):
        """The largest mean of f over the set: mass moves from the lowest f to the highest, as far as the set allows."""
        order = sorted(range(len(f)), key=f.__getitem__)
        if self.n == 0:
            return f[order[-1]]
        mean = sum(k * v for k, v in zip(self.seen, f, strict=True)) / self.n
        low, high, reach = 0, len(f) - 1, self.reach
        less, more = self.less[order[low]], self.more[order[high]]
        while low < high and reach > 0:
            moved = min(less, more, reach)
            mean += moved * (f[order[high]] - f[order[low]])
            less, more, reach = less - moved, more - moved, reach - moved
            if less == 0:
                low += 1
                less = self.less[order[low]]
            if more == 0 and low < high:
                high -= 1
                more = self.more[order[high]]
        return min(mean, f[order[-1]])


class Group:
    """One group: rows[s][a] with s = 2x + y, first states, accept[h][x], visits[h][x][y][a]."""

    def __init__(self, g, counts, policy, split):
        self.rows = [[Row(flat(row), split) for row in y] for x in counts["transitions"][g] for y in x]
        self.first = Row(flat(counts["first"][g]), split)
        self.visits = counts["visits"][g]
        self.accept = policy["accept"] if policy.get("group_independent") else policy["accept"][g]
        self.states = range(len(self.rows))
        self.masses = [self.first.shares]  # [h][s] P(s) if the true shares were those counted
        for accept in self.accept[:-1]:
            mass = [D(0)] * len(self.rows)
            for s in self.states:
                for a, p in enumerate((1 - accept[s // 2], accept[s // 2])):
                    for s1, share in enumerate(self.rows[s][a].shares):
                        mass[s1] += self.masses[-1][s] * p * share
            self.masses.append(mass)

    def worst(self, h, f, cost=None, discount=1):
        """The greatest mean of f[s] at step h; with cost[s][a], of that and the costs of all steps before."""
        for t in reversed(range(h)):
            mean = [[self.rows[s][a].greatest_mean(f) for a in (0, 1)] for s in self.states]
            if cost:
                mean = [[cost[s][a] + discount * mean[s][a] for a in (0, 1)] for s in self.states]
            p = [self.accept[t][s // 2] for s in self.states]
            f = [(1 - p[s]) * mean[s][0] + p[s] * mean[s][1] for s in self.states]
        return self.first.greatest_mean(f) + MARGIN * (1 + max(map(abs, f)))

    def seen(self, h, rate):
        """(accepted, all) of those counted at step h whom the rate is about, if everybody was there from the start."""
        if any(sum(flat(self.visits[t])) != self.first.n for t in (0, h)):
            return 0, D(0)
        cells = [x[y] for x in self.visits[h] for y in LABELS[rate]]
        return sum(a for _, a in cells), sum(flat(cells))

    def proves(self, h, rate, sign, end, slack, tail):
        """Whether sign * rate <= end at step h in every population of the sets, or by those who followed the policy."""
        if rate == "qualified":
            return end >= max(sign, 0) or self.worst(h, [D(sign * (s % 2)) for s in self.states]) <= end
        if end >= max(sign * p for p in self.accept[h]):
            return True  # a rate is a mean of the policy's entries
        if tail is not None:
            k, n = self.seen(h, rate)
            if few_are_rare(k, n, end, tail) if sign > 0 else few_are_rare(n - k, n, 1 + end, tail):
                return True
        if rate == "accept":
            return self.worst(h, [sign * self.accept[h][s // 2] for s in self.states]) <= end
        pays = [(sign * self.accept[h][s // 2] - end) * (s % 2 in LABELS[rate]) for s in self.states]
        return self.worst(h, pays) <= slack

    def estimate(self, h, rate):
        """The rate at step h if the true shares were those counted; None if nobody has it."""
        if rate == "qualified":
            return sum(self.masses[h][1::2])
        about = [s for s in self.states if s % 2 in LABELS[rate]]
        people = sum(self.masses[h][s] for s in about)
        return sum(self.masses[h][s] * self.accept[h][s // 2] for s in about) / people if people else None


def flat(nested):
    return [x for part in nested for x in flat(part)] if isinstance(nested, list) else [nested]


# --- The check


class Check:
    def __init__(self, certificate):
        self.claims, self.wrong = certificate, []
        for name, document in certificate["inputs"].items():
            digest = hashlib.sha256(document["text"].encode()).hexdigest()
            self.expect(document["sha256"] == digest, f"inputs.{name}.sha256", document["sha256"], digest)
        read = {name: parse(document["text"]) for name, document in certificate["inputs"].items()}
        self.counts, self.policy, self.model = read["counts"], read["policy"], read.get("model")
        self.names, self.horizon = self.counts["groups"], int(self.counts["horizon"])
        for owner in (certificate, self.policy, self.model or {}):
            names = owner.get("groups", self.names)
            self.expect(names == self.names, "groups", names, self.names)
        censored = self.counts.get("log", {}).get("censored", "no")
        self.expect(censored == "no", "log.censored of the counts", censored, "no")
        self.notions = [n for n in NOTIONS if n in certificate["certified_gap"]]
        self.rates = sorted({rate for n in self.notions for rate in NOTIONS[n]})
        self.check_split()
        self.groups = [Group(g, self.counts, self.policy, self.split) for g in range(len(self.names))]
        self.check_rates()
        self.check_gaps()
        self.check_value()

    def expect(self, ok, place, found, expected):
        if not ok:
            self.wrong.append(f"{place} is {found}, expected {expected}")

    def expect_same(self, place, found, expected, tolerance=TOLERANCE):
        ok = found is expected if None in (found, expected) else abs(found - expected) <= tolerance
        self.expect(ok, place, found, expected if expected is None else float(expected))

    def check_split(self):
        """Delta goes in equal parts to rows, followers and rewards, as far as used, and then evenly within each."""
        groups, features = len(self.names), len(self.counts["features"])
        followed, counted = self.claims["followed"], "reward_range" in self.claims
        part = self.claims["delta"] / (1 + followed + counted)
        row = part / (groups * (4 * features + 1))
        self.split = {"rows": part, "row": row, "ball": row / 2, "interval": row / 2 / (2 * features)}
        if followed:
            self.split |= {"followed": part, "tail": part / (2 * groups * self.horizon * len(self.rates))}
        if counted:
            self.split |= {"rewards": part, "reward": part / (groups * 4 * features)}
        claims = self.claims["delta_split"]
        self.expect(0 < self.claims["delta"] < 1, "delta", self.claims["delta"], "between 0 and 1")
        self.expect(claims.keys() == self.split.keys(), "delta_split", list(claims), list(self.split))
        for name, expected in self.split.items():
            self.expect_same(f"delta_split.{name}", claims[name], expected, expected * D("1e-12"))

    def check_rates(self):
        """Both ends of every rate: right, and no looser than the data allow. Estimates: the same."""
        claims, tail = self.claims["rates"], self.split.get("tail")
        listed = sorted(self.rates + ["qualified"] * (self.rates != ["accept"]))
        self.expect(sorted(claims) == listed, "rates", sorted(claims), listed)
        for rate in listed:
            for g, group in enumerate(self.groups):
                for h in range(self.horizon):
                    for end, sign in (("low", -1), ("high", 1)):
                        found, at = claims[rate][end][g][h], f"rates.{rate}.{end}[{g}][{h}]"
                        self.expect(group.proves(h, rate, sign, sign * found, 0, tail), at, found, "a safer one")
                        loose = group.proves(h, rate, sign, sign * found - TOLERANCE, SLACK, tail)
                        self.expect(not loose, at, found, "a tighter one, as the data prove more")
                    found = claims[rate]["estimate"][g][h]
                    self.expect_same(f"rates.{rate}.estimate[{g}][{h}]", found, group.estimate(h, rate))

    def check_gaps(self):
        """Gaps follow from the rates: how far apart two groups can be."""
        pairs = [(i, j) for i in range(len(self.names)) for j in range(i + 1, len(self.names))]
        claims, rates = self.claims["pairs"], self.claims["rates"]
        named = [[self.names[i], self.names[j]] for i, j in pairs]
        self.expect([claim["groups"] for claim in claims] == named, "pairs", "of others", named)
        for notion in self.notions:
            for h in range(self.horizon):
                worst, apart = D(0), []
                for (i, j), claim in zip(pairs, claims, strict=True):
                    compared = [(rates[rate], *order) for rate in NOTIONS[notion] for order in ((i, j), (j, i))]
                    gap = min(D(1), max(D(0), *(r["high"][a][h] - r["low"][b][h] for r, a, b in compared)))
                    worst = max(worst, gap)
                    ok = gap <= claim[notion][h] <= gap + TOLERANCE
                    self.expect(ok, f"pairs.{notion}[{h}] of {claim['groups']}", claim[notion][h], gap)
                    both = [[self.groups[g].estimate(h, r) for g in (i, j)] for r in NOTIONS[notion]]
                    apart += [abs(a - b) for a, b in both if None not in (a, b)]
                found = self.claims["certified_gap"][notion][h]
                self.expect(worst <= found <= worst + TOLERANCE, f"certified_gap.{notion}[{h}]", found, worst)
                found = self.claims["estimated_gap"][notion][h]
                self.expect_same(f"estimated_gap.{notion}[{h}]", found, max(apart, default=None))

    def check_value(self):
        """What the policy earns at least, with rewards that are known, or counted and then as low as they can be."""
        expected = least = None
        size = D(1)
        if self.model or "reward_range" in self.claims:
            expected, least, people = D(0), D(0), sum(group.first.n for group in self.groups)
            discount = self.model.get("discount", D(1)) if self.model else self.claims["discount"]
            means = [self.rewards(g, group) for g, group in enumerate(self.groups)]
            size = max(abs(low) for table in means for cells in table for _, low in cells) * self.horizon
            for g, group in enumerate(self.groups):
                share = self.model["share"][g] if self.model else group.first.n / people
                cost = [[-low for _, low in cells] for cells in means[g]]
                least -= share * group.worst(self.horizon, [D(0)] * len(cost), cost, discount)
                for h, mass in enumerate(group.masses):
                    for s in group.states:
                        p = group.accept[h][s // 2]
                        mean = (1 - p) * means[g][s][0][0] + p * means[g][s][1][0]
                        expected += share * discount**h * mass[s] * mean
        self.expect_same("estimated_value", self.claims["estimated_value"], expected, TOLERANCE * size)
        found = self.claims["certified_value"]
        ok = found is least if None in (found, least) else least - TOLERANCE * size <= found <= least
        self.expect(ok, "certified_value", found, least)

    def rewards(self, g, group):
        """[s][a] (mean reward as known or counted, the least that it can be)."""
        if self.model:
            return [[(r, r) for r in y] for x in self.model["reward"][g] for y in x]
        low, high = self.claims["reward_range"]
        table = []
        for s in group.states:
            x, y = divmod(s, 2)
            visits = [sum(step[x][y][a] for step in group.visits) for a in (0, 1)]
            mean = [self.counts["reward_sum"][g][x][y][a] / max(1, visits[a]) for a in (0, 1)]
            off = [(high - low) * radius(visits[a], D(0), self.split["reward"]) for a in (0, 1)]
            table.append([(mean[a], max(low, mean[a] - off[a]) if visits[a] else low) for a in (0, 1)])
        return table


def parse(text):
    def once(pairs):
        if len(dict(pairs)) < len(pairs):
            raise ValueError("a key appears twice")
        return dict(pairs)

    return json.loads(text, parse_float=D, parse_int=D, object_pairs_hook=once)


def main(path):
    try:
        with open(path, encoding="utf-8") as file:
            certificate = parse(file.read())
        if certificate["schema"] != "fairstep/certificate/1":
            raise ValueError("no certificate")
        wrong = Check(certificate).wrong
    except (OSError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError) as error:
        print(f"{path}: cannot be checked: {error!r}")
        return 2
    for sentence in wrong:
        print(f"{path}: {sentence}")
    print(f"{path}: {'does not hold' if wrong else 'holds'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]) if len(sys.argv) == 2 else __doc__)
