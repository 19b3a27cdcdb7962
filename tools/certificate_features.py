"""What a certificate proves where labels follow features, for check_certificate.py: Theorem I of docs/guarantees.md.

Features are the states: a log shows how people move between them whether it has their labels or not. Of labels only
the share of y=1 at each feature has to be known, and Lemma I1 has a range for it, under a rule for labels that were not
seen: their odds are those of the others (like-accepted), within a factor of them (odds), or may be anything.
"""

from decimal import Decimal as D

from certificate_form import flat, kernels, need
from certificate_sets import MARGIN, Row, greatest_radius, upper_end

MOST_ODDS = 1_000_000
NEAR_LIMIT = D("2e-6")  # how much of a limit may be left at its break-even
RULES = ("like-accepted", "odds", "anything")


# --- Tables of features: rows with a label and without together


def add(*tables):
    """Of nested lists of one form."""
    if not isinstance(tables[0], list):
        return sum(tables)
    return [add(*parts) for parts in zip(*tables, strict=True)]


def over_labels(cells):
    """[g][x][a] of [g][x][y][a]"""
    return [[add(*x) for x in group] for group in cells]


def feature_losses(counts):
    """What may be missing from the tables of features; None if nobody wrote that down."""
    groups, steps, features = len(counts["groups"]), int(counts["horizon"]), len(counts["features"])
    cells = [[[D(0)] * 2] * features] * groups
    nothing = {"first": [D(0)] * groups, "first_in_doubt": [D(0)] * groups, "decisions": [[D(0)] * steps] * groups}
    nothing |= {"cells": cells, "transitions": cells}
    log = counts.get("log", {})
    if "unlabelled_rows" in log:
        return log["unlabelled_rows"].get("lost"), nothing
    if "lost" not in log:
        return nothing, nothing
    lost = log["lost"]
    return lost | {key: over_labels(lost[key]) for key in ("cells", "transitions")}, nothing


def feature_tables(counts):
    """first [g][x], transitions [g][x][a][x1], visits [g][h][x][a], labels [g][x] (zeros, ones, unseen)"""
    first = [[sum(x) for x in group] for group in counts["first"]]
    moved = [
        [
            add(*[[[sum(x1) for x1 in row] for row in y] for table in tables for y in table[x]])
            for x in range(len(tables[0]))
        ]
        for tables in (kernels(counts, g) for g in range(len(counts["groups"])))
    ]
    visits = [[[add(*x) for x in step] for step in group] for group in counts["visits"]]
    seen = [[[[sum(y) for y in x] for x in step] for step in group] for group in counts["visits"]]
    unseen = [[[D(0)] * len(first[0]) for _ in range(int(counts["horizon"]))] for _ in first]
    if "unlabelled_rows" in counts.get("log", {}):
        rows, without = counts["log"]["unlabelled_rows"], counts["log"]["unlabelled"]
        first, moved, visits = add(first, rows["first"]), add(moved, rows["transitions"]), add(visits, without)
        unseen = [[[sum(x) for x in step] for step in group] for group in without]
    labels = [
        [(*ones, u) for ones, u in zip(add(*steps), add(*none), strict=True)]
        for steps, none in zip(seen, unseen, strict=True)
    ]
    return {"first": first, "transitions": moved, "visits": visits, "labels": labels}


def need_sound_features(counts):
    """What holds of states holds of features, rows without a label included."""
    log = counts.get("log", {})
    if "unlabelled_rows" not in log:
        return
    need("unlabelled" in log, "log.unlabelled_rows is there without log.unlabelled")
    decisions = sum(flat(counts["visits"])) + sum(flat(log["unlabelled"]))
    need(decisions < 2**63, "decisions with a label and without are more than can be counted")
    tables = feature_tables(counts)
    for g, (first, moved) in enumerate(zip(tables["first"], tables["transitions"], strict=True)):
        came = add(*[row for x in moved for row in x])
        for x, rows in enumerate(moved):
            steps = [step[x] for step in tables["visits"][g]]
            for a in (0, 1):
                before_last = sum(step[a] for step in steps[:-1])
                need(sum(rows[a]) <= before_last, f"transitions of group {g}, x={x}, a={a} are more than decisions")
            need(first[x] + came[x] <= sum(flat(steps)), f"decisions of group {g}, x={x} are fewer than arrivals")
    if "lost" in log["unlabelled_rows"]:
        lost = log["unlabelled_rows"]["lost"]
        doubt = zip(lost["first"], lost["first_in_doubt"], strict=True)
        need(all(m >= d for m, d in doubt), "log.unlabelled_rows.lost has more people in doubt than are missing")


# --- The share of y=1 at a feature: Lemma I1


def rule_of(said):
    """(word, odds)"""
    return said["refused"], said.get("odds", D(1))


def need_rule(said, place):
    need(said["refused"] in RULES, f"{place}/refused is no such rule")
    need(("odds" in said) == (said["refused"] == "odds"), f"{place}/odds goes with the rule odds")
    need(1 <= said.get("odds", 1) <= MOST_ODDS, f"{place}/odds is not between 1 and {MOST_ODDS}")


def times_odds(factor, p):
    return factor * p / (1 - p + factor * p)


def at_all_times(k, others, missing, alpha):
    n = k + others + missing
    if n == 0:
        return D(0), D(1)
    return max(D(0), 1 - upper_end(others + missing, n, alpha)), upper_end(k + missing, n, alpha)


def share_range(zeros, ones, unseen, lost, rule, delta):
    """Both ends of the share of y=1 among all."""
    low, high = at_all_times(ones, zeros, unseen + lost, delta / 4)  # (b)
    word, odds = rule
    if word == "anything":
        return low, high
    least, most = at_all_times(ones, zeros, lost, delta / 4)  # (a)
    low, high = max(low, times_odds(1 / odds, least)), min(high, times_odds(odds, most))
    n = zeros + ones + unseen
    if n == 0:
        return low, high
    reach = greatest_radius(n, n + lost, D(0), delta / 16)

    def end(k, others):  # (c)
        above, below = (k + lost) / (n + lost) + reach, others / (n + lost) - reach
        return min(D(1), above * (odds - (odds - 1) * below) / (below + odds * above)) if below > 0 else D(1)

    return max(low, 1 - end(zeros, ones)), min(high, end(ones, zeros))


# --- One group under the policy


class FeatureGroup:
    """What check_certificate.Group is for states. `shares` [x] are ranges of P(y=1 | x), if there is a rule."""

    def __init__(self, g, tables, lost, policy, split, rule):
        self.rows = [
            [Row(tables["transitions"][g][x][a], lost["transitions"][g][x][a], D(0), split) for a in (0, 1)]
            for x in range(len(tables["first"][g]))
        ]
        self.first = Row(tables["first"][g], lost["first"][g], lost["first_in_doubt"][g], split)
        self.accept = policy["accept"] if policy.get("group_independent") else policy["accept"][g]
        self.features = range(len(self.rows))
        self.seen = tables["labels"][g]
        missing = [sum(cells) for cells in lost["cells"][g]]
        self.shares = None
        if "label" in split:
            pairs = zip(self.seen, missing, strict=True)
            self.shares = [share_range(*seen, n, rule, split["label"]) for seen, n in pairs]

    def worst(self, h, f):
        """The greatest mean of f[x] at step h."""
        for t in reversed(range(h)):
            mean = [[row.greatest_mean(f) for row in rows] for rows in self.rows]
            f = [(1 - p) * mean[x][0] + p * mean[x][1] for x, p in enumerate(self.accept[t])]
        return self.first.greatest_mean(f) + MARGIN * (1 + max(map(abs, f)))

    def proves(self, h, rate, sign, end, slack):
        """Whether sign * rate <= end at step h in every population of the sets."""
        if rate == "qualified":
            return end >= max(sign, 0) or self.worst(h, [sign * s[sign > 0] for s in self.shares]) <= end
        if end >= max(sign * p for p in self.accept[h]):
            return True  # a rate is a mean of the policy's entries
        if rate == "accept":
            return self.worst(h, [sign * p for p in self.accept[h]]) <= end
        pays = []
        for p, (low, high) in zip(self.accept[h], self.shares, strict=True):
            ends = (low, high) if rate == "tpr" else (1 - high, 1 - low)
            pays.append(max((sign * p - end) * share for share in ends))
        return self.worst(h, pays) <= slack

    def estimate(self, h, rate):
        """The rate at step h if features moved as counted and labels not seen were like the others; None if nobody has
        it."""
        mass = self.first.shares
        for accept in self.accept[:h]:
            after = [D(0)] * len(mass)
            for x, p in enumerate(accept):
                for part, row in zip((1 - p, p), self.rows[x], strict=True):
                    after = [n + mass[x] * part * share for n, share in zip(after, row.shares, strict=True)]
            mass = after
        ones = [one / (zero + one) if zero + one else D("0.5") for zero, one, _ in self.seen]
        weights = {"accept": [D(1)] * len(mass), "fpr": [1 - share for share in ones]}.get(rate, ones)
        about = [m * w for m, w in zip(mass, weights, strict=True)]
        if rate == "qualified":
            return sum(about)
        people = sum(about)
        return sum(m * p for m, p in zip(about, self.accept[h], strict=True)) / people if people else None


def expected_rules(even):
    """The rules that certificates say more about: the break-even is one if it is at some odds."""
    between = [("odds", even["odds"])] if even and even["refused"] == "odds" else []
    return [("like-accepted", D(1)), *between, ("anything", D(1))]


def wrong_in_break_even(claims):
    """The weakest rule under which the limit is kept, by the gaps as claimed: of odds, those that use it up."""
    even, others = claims["break_even"], claims["if_refused"]
    parity = max(claims["certified_gap"].get("dp", [D(0)]))
    least, *between, most = (max(flat(list(other["certified_gap"].values()))) for other in others)
    kept = max(parity, least) <= even["limit"]
    expected = ("anything" if most <= even["limit"] else "odds") if kept else None
    if even["refused"] != expected:
        yield f"/break_even/refused: is {even['refused']}, expected {expected}"
    elif expected == "odds":
        used_up = between[0] >= even["limit"] - NEAR_LIMIT or even["odds"] >= MOST_ODDS
        if between[0] > even["limit"] or not used_up:
            yield f"/break_even/odds: is {even['odds']}, expected odds at which the widest gap is the limit"
