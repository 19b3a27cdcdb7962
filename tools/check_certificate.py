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

Numbers are decimals of 50 digits. Each operation is off by less than 1e-40 of what is at hand, there are fewer than a
billion of them, and all that matters is compared with a margin of 1e-25 to the safe side (MARGIN).
"""

import hashlib
import json
import sys
from decimal import Decimal as D
from decimal import getcontext

getcontext().prec = 50
MARGIN = D("1e-25")
TOLERANCE = D("1e-9")
SLACK = D("-1e-12")  # how far below 0 the worst case must be before a conditional rate counts as loose
PI = D("3.14159265358979323846264338327950288419716939937511")


# --- Probability: the binomial distribution and radii that hold for all numbers of people at once


def stirling(n):
    """ln n! - (n ln n - n + ln(2 pi n)/2), for n >= 1."""
    if n < 500:
        factorial = D(1)
        for i in range(2, int(n) + 1):
            factorial *= i
        return factorial.ln() - (n * n.ln() - n + (2 * PI * n).ln() / 2)
    # Stirling's series; beyond 500 the next term is below 1e-27.
    terms = [(12, 1), (-360, 3), (1260, 5), (-1680, 7), (1188, 9), ("-1916.9319826338639652677279305354", 11)]
    return sum(1 / (D(c) * n**power) for c, power in terms)


def log_mode(k, n):
    """ln of the probability of k successes in n draws if each has probability k/n."""
    if k in (0, n):
        return D(0)
    return stirling(n) - stirling(k) - stirling(n - k) + (n / (2 * PI * k * (n - k))).ln() / 2


def divergence(k, n, p):
    """How much ln of that probability falls if each has probability p instead, 0 < p < 1."""
    fall = D(0)
    if k > 0:
        fall += k * (k / (n * p)).ln()
    if k < n:
        fall += (n - k) * ((n - k) / (n * (1 - p))).ln()
    return fall


def upper_end(k, n, delta):
    """The largest p under which k of n has probability delta/(n+1): the interval ends there, for all n at once."""
    if k == n:
        return D(1)
    most = log_mode(k, n) - (delta / (n + 1)).ln()  # by so much may it fall
    mean = k / n
    p = 1 - (1 - mean) * (-(most - (k * mean.ln() if k else 0)) / (n - k)).exp()  # it falls by more here, and also at
    p = min(p, mean + (most / (2 * n)).sqrt())  # this one: from the right Newton's steps lead to the end
    while True:
        step = (divergence(k, n, p) - most) * p * (1 - p) / (n * p - k)
        p -= step
        if abs(step) < D("1e-30"):
            return min(D(1), p + MARGIN)


def few_are_rare(k, n, p, tail):
    """Whether at most k successes of n have probability at most `tail` if each has probability p."""
    if p >= 1:
        return True
    if n == 0 or k == n or p <= k / n:
        return False
    ratio = k * (1 - p) / ((n - k + 1) * p)  # from k downwards each probability is at most this times the one before
    return log_mode(k, n) - divergence(k, n, p) - (1 - ratio).ln() <= tail.ln() - MARGIN


def radius(n, log_sets, delta):
    """How far off n draws may be, for `exp(log_sets)` one-sided statements at once and all n at once; at most 1."""
    if n == 0:
        return D(1)
    j = int(n).bit_length() - 1
    root = D(2).sqrt().sqrt()
    logs = log_sets - delta.ln() + D((j + 1) * (j + 2)).ln()
    return min(D(1), (root + 1 / root) / 2 * (logs / (2 * n)).sqrt() + MARGIN)


# --- The question: counts, policy and rewards, and the sets around each row


class Row:
    """Counts of next states (or first states), and how much each share may be more or less in truth."""

    def __init__(self, seen, split):
        self.seen, self.n = seen, sum(seen)
        self.reach = radius(self.n, D(2 ** len(seen) - 2).ln(), split["ball"])
        if self.n == 0:
            return
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

    def shares(self):
        return [k / self.n if self.n else D(1) / len(self.seen) for k in self.seen]


class Group:
    """One group: rows[s][a], first, accept[h][x], and its visits. States are s = 2x + y."""

    def __init__(self, g, counts, policy, split):
        per_state = [[[flat(row) for row in by_y] for by_y in by_x] for by_x in counts["transitions"][g]]
        self.rows = [[Row(row, split) for row in by_y] for by_x in per_state for by_y in by_x]
        self.first = Row(flat(counts["first"][g]), split)
        self.visits = counts["visits"][g]
        self.accept = policy["accept"] if policy.get("group_independent") else policy["accept"][g]
        self.states = range(len(self.rows))

    def worst(self, h, payoff, steps=None):
        """The greatest mean of payoff[s] at step h; or of the sum of cost[s][a] over `steps` = (H, cost, discount)."""
        f = payoff
        horizon, cost, discount = steps or (h, [[D(0)] * 2] * len(f), D(1))
        for t in reversed(range(horizon)):
            p = [self.accept[t][s // 2] for s in self.states]
            value = [[cost[s][a] + discount * self.rows[s][a].greatest_mean(f) for a in (0, 1)] for s in self.states]
            f = [(1 - p[s]) * value[s][0] + p[s] * value[s][1] for s in self.states]
        return self.first.greatest_mean(f) + MARGIN * (1 + max(map(abs, f)))

    def masses(self, horizon):
        """P(s) at each step if the true shares were those counted."""
        mass = [self.first.shares()]
        for h in range(horizon - 1):
            mass.append([D(0)] * len(self.rows))
            for s in self.states:
                for a, p in enumerate((1 - self.accept[h][s // 2], self.accept[h][s // 2])):
                    for s1, share in enumerate(self.rows[s][a].shares()):
                        mass[-1][s1] += mass[h][s] * p * share
        return mass

    def people(self, h, labels):
        """(accepted, all) among the people counted at step h, if everybody was there from the first step on."""
        total = [sum(flat(self.visits[t])) for t in (0, h)]
        if total != [self.first.n] * 2:
            return None
        cells = [cell[y] for cell in self.visits[h] for y in labels]
        return sum(a for _, a in cells), sum(sum(cell) for cell in cells)


def flat(nested):
    return [x for part in nested for x in flat(part)] if isinstance(nested, list) else [nested]


LABELS = {"accept": (0, 1), "tpr": (1,), "fpr": (0,)}


def proves(group, h, rate, sign, end, slack, tail):
    """Whether sign * rate <= end at step h in every population of the sets (or by those who followed the policy)."""
    if rate == "qualified":
        if end >= (1 if sign > 0 else 0):
            return True
        return group.worst(h, [D(sign * (s % 2)) for s in group.states]) <= end
    if end >= max(sign * p for p in group.accept[h]):
        return True  # a rate is a mean of the policy's entries
    if tail is not None and (seen := group.people(h, LABELS[rate])):
        few = seen[0] if sign > 0 else seen[1] - seen[0]
        if few_are_rare(few, seen[1], end if sign > 0 else 1 + end, tail):
            return True
    if rate == "accept":
        return group.worst(h, [sign * group.accept[h][s // 2] for s in group.states]) <= end
    about = [s % 2 in LABELS[rate] for s in group.states]
    return group.worst(h, [(sign * group.accept[h][s // 2] - end) * about[s] for s in group.states]) <= slack


# --- The check


def check(certificate):
    """What is wrong, as sentences; none if the certificate holds."""
    wrong = []

    def expect(ok, place, found, expected):
        if not ok:
            wrong.append(f"{place} is {found}, expected {expected}")

    def same(place, found, expected, tolerance=TOLERANCE):
        ok = found is expected if None in (found, expected) else abs(found - expected) <= tolerance
        expect(ok, place, found, None if expected is None else float(expected))

    inputs = certificate["inputs"]
    for name, document in inputs.items():
        digest = hashlib.sha256(document["text"].encode()).hexdigest()
        expect(document["sha256"] == digest, f"inputs.{name}.sha256", document["sha256"], digest)
    read = {name: json.loads(document["text"], parse_float=D, parse_int=D) for name, document in inputs.items()}
    counts, policy, model = read["counts"], read["policy"], read.get("model")
    names, horizon = counts["groups"], int(counts["horizon"])
    expect(certificate["groups"] == names, "groups", certificate["groups"], names)
    expect(policy.get("groups", names) == names, "the policy's groups", policy.get("groups"), names)
    states, cells = 2 * len(counts["features"]), 4 * len(counts["features"])

    # Delta is split evenly over what is claimed, and then over rows, entries and tails.
    notions = {n: r for n, r in {"dp": ["accept"], "eqopt": ["tpr"], "eqodds": ["tpr", "fpr"]}.items()
               if n in certificate["certified_gap"]}  # fmt: skip
    rates = sorted({rate for of_notion in notions.values() for rate in of_notion})
    followed, counted = certificate["followed"], "reward_range" in certificate
    part = certificate["delta"] / (1 + followed + counted)
    row = part / (len(names) * (cells + 1))
    split = {"rows": part, "row": row, "ball": row / 2, "interval": row / 2 / states}
    if followed:
        split |= {"followed": part, "tail": part / (2 * len(names) * horizon * len(rates))}
    if counted:
        split |= {"rewards": part, "reward": part / (len(names) * cells)}
    expect(
        certificate["delta_split"].keys() == split.keys(), "delta_split", list(certificate["delta_split"]), list(split)
    )
    for name in split:
        same(f"delta_split.{name}", certificate["delta_split"][name], split[name], split[name] * D("1e-12"))

    # Rates: both ends right and honest, estimates the same.
    groups = [Group(g, counts, policy, split) for g in range(len(names))]
    estimates = {}
    listed = rates + ["qualified"] * (rates != ["accept"])
    expect(sorted(certificate["rates"]) == sorted(listed), "rates", sorted(certificate["rates"]), sorted(listed))
    for rate in listed:
        claim = certificate["rates"][rate]
        for g, group in enumerate(groups):
            mass = group.masses(horizon)
            for h in range(horizon):
                for end, sign in (("low", -1), ("high", 1)):
                    found, at = claim[end][g][h], f"rates.{rate}.{end}[{g}][{h}]"
                    args = (group, h, rate, sign)
                    expect(proves(*args, sign * found, D(0), split.get("tail")), at, found, "a safer number")
                    loose = proves(*args, sign * found - TOLERANCE, SLACK, split.get("tail"))
                    expect(not loose, at, found, "a tighter number, as the data prove more")
                about = [m for s, m in enumerate(mass[h]) if rate == "qualified" or s % 2 in LABELS[rate]]
                pays = [D(s % 2) if rate == "qualified" else group.accept[h][s // 2] * (s % 2 in LABELS[rate])
                        for s in group.states]  # fmt: skip
                value = sum(m * v for m, v in zip(mass[h], pays, strict=True)) / sum(about) if sum(about) else None
                estimates[rate, g, h] = value
                same(f"rates.{rate}.estimate[{g}][{h}]", claim["estimate"][g][h], value)

    # Gaps follow from the rates: how far apart two groups can be.
    pairs = [(i, j) for i in range(len(names)) for j in range(i + 1, len(names))]
    expect(
        [p["groups"] for p in certificate["pairs"]] == [[names[i], names[j]] for i, j in pairs],
        "pairs",
        "others",
        "all",
    )
    for notion, of_notion in notions.items():
        for h in range(horizon):
            gaps, apart = [], []
            for (i, j), claim in zip(pairs, certificate["pairs"], strict=True):
                r = [certificate["rates"][rate] for rate in of_notion]
                ends = [e["high"][a][h] - e["low"][b][h] for e in r for a, b in ((i, j), (j, i))]
                gaps.append(min(D(1), max(D(0), *ends)))
                found = claim[notion][h]
                ok = gaps[-1] <= found <= gaps[-1] + TOLERANCE
                expect(ok, f"gap {notion} of {claim['groups']} at step {h}", found, float(gaps[-1]))
                both = [(estimates[rate, i, h], estimates[rate, j, h]) for rate in of_notion]
                apart += [abs(a - b) for a, b in both if None not in (a, b)]
            found = certificate["certified_gap"][notion][h]
            expect(max(gaps) <= found <= max(gaps) + TOLERANCE, f"certified_gap.{notion}[{h}]", found, float(max(gaps)))
            same(f"estimated_gap.{notion}[{h}]", certificate["estimated_gap"][notion][h], max(apart, default=None))

    # Value: what the policy earns at least, and by the shares counted.
    found, estimate = certificate["certified_value"], certificate["estimated_value"]
    if model is None and not counted:
        same("certified_value", found, None)
        same("estimated_value", estimate, None)
        return wrong
    total, expected, least, size = sum(group.first.n for group in groups), D(0), D(0), D(0)
    discount = model.get("discount", D(1)) if model else certificate["discount"]
    for g, group in enumerate(groups):
        share = model["share"][g] if model else group.first.n / total
        mean, cost = [], []  # rewards [s][a] as they are thought to be, and minus the least that they can be
        for s in group.states:
            x, y = divmod(s, 2)
            if model:
                mean.append(model["reward"][g][x][y])
                cost.append([-r for r in mean[-1]])
                continue
            low, high = certificate["reward_range"]
            n = [sum(step[x][y][a] for step in group.visits) for a in (0, 1)]
            mean.append([counts["reward_sum"][g][x][y][a] / max(1, n[a]) for a in (0, 1)])
            off = [(high - low) * radius(n[a], D(0), split["reward"]) for a in (0, 1)]
            cost.append([-max(low, mean[-1][a] - off[a]) if n[a] else -low for a in (0, 1)])
        size = max([size] + [abs(c) * horizon for c in flat(cost)])
        least -= share * group.worst(horizon, [D(0)] * len(cost), (horizon, cost, discount))
        for h, mass in enumerate(group.masses(horizon)):
            for s, m in enumerate(mass):
                p = group.accept[h][s // 2]
                expected += share * discount**h * m * ((1 - p) * mean[s][0] + p * mean[s][1])
    same("estimated_value", estimate, expected, TOLERANCE * size)
    expect(found is not None and least - TOLERANCE * size <= found <= least, "certified_value", found, float(least))
    return wrong


def main(path):
    try:
        with open(path, encoding="utf-8", newline="") as file:
            certificate = json.load(file, parse_float=D, parse_int=D)
        if certificate["schema"] != "fairstep/certificate/1":
            raise ValueError("no certificate")
        wrong = check(certificate)
    except (OSError, ValueError, KeyError, IndexError, TypeError, AttributeError, ArithmeticError) as error:
        print(f"{path}: cannot be checked: {error!r}")
        return 2
    print(*(f"{path}: {sentence}" for sentence in wrong), sep="\n", end="\n" if wrong else "")
    print(f"{path}: {'does not hold' if wrong else 'holds'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]) if len(sys.argv) == 2 else __doc__)
