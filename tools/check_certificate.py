#!/usr/bin/env python3
"""Checks a certificate of fairstep from scratch:  python3 check_certificate.py certificate.json

Exit code 0: everything in it follows from the counts and the policy inside it. 1: something that it claims does not,
and is named. 2: this is no certificate; the first reason is named. Standard library only; meant to be read, with the
files beside it: certificate_form.py and certificate_soundness.py (how a certificate must look, and what can be true
together), certificate_words.py (what it must say), certificate_sets.py (the sets around what was counted),
certificate_diagnosis.py (what it must say of assumptions), for certificates of two parts certificate_bounds.py,
certificate_questions.py and certificate_directions.py, certificate_features.py where labels follow features, and
certificate_ratios.py for what follows from rates and gaps.
docs/certify.md says where 2 ends and 1 begins, and docs/guarantees.md has the theorems that are checked here (G, H for
two parts, and I where labels follow features).

How. A certificate holds the counts and the policy as text. Around each counted row (the next states of a group's people
in state s=(x,y) under action a, and their first states) there is a set that holds the true distribution, whatever those
rows of the log would have said that were left out:
  - a ball: it is at most `reach` away in total variation, and
  - a box: each entry lies between two ends.
A policy's worst case over all kernels in the sets is found from the last step backwards. A bound on a rate is right if
the worst case does not exceed it, and honest if a bound that is 1e-9 tighter would not be right.

Numbers are decimals of 50 digits. Each operation is off by less than 1e-48 of what is at hand, and all that matters is
compared with a margin of 1e-25 to the safe side (MARGIN), which a billion of operations do not use up.
"""

import hashlib
import sys
from decimal import Decimal as D

from certificate_bounds import Bounds, Rewards, how_many
from certificate_diagnosis import wrong_in_diagnosis
from certificate_features import (
    FeatureGroup,
    expected_rules,
    feature_losses,
    feature_tables,
    rule_of,
    wrong_in_break_even,
)
from certificate_form import LABELS, NOTIONS, TOLERANCE, flat, kernels, period_of, read, starts
from certificate_ratios import Ratios
from certificate_sets import MARGIN, Row, few_are_rare, greatest_radius, need_unrefuted
from certificate_soundness import losses, need_sound
from certificate_words import assumptions, statement

TIE = D("1e-11")  # by how much certificates round up the same gap at most
SLACK = D("-1e-12")  # how far below 0 the worst case must be before a conditional rate counts as loose


# --- One group under the policy


class Group:
    """One group: kernels[k][s][a] with s = 2x + y, first states, accept[h][x], visits[h][x][y][a].

    Whatever is missing of a cell may be of any period k."""

    def __init__(self, g, counts, lost, policy, split):
        missing = lost["transitions"][g]
        cells = [(x, y, a) for x in range(len(missing)) for y in (0, 1) for a in (0, 1)]
        self.kernels = []
        for table in kernels(counts, g):
            rows = [Row(flat(table[x][y][a]), missing[x][y][a], D(0), split) for x, y, a in cells]
            self.kernels.append([rows[i : i + 2] for i in range(0, len(rows), 2)])
        self.period = [period_of(counts, t) for t in range(int(counts["horizon"]))]
        self.first = Row(flat(counts["first"][g]), lost["first"][g], lost["first_in_doubt"][g], split)
        self.visits, self.missing_decisions, self.missing_people = (
            counts["visits"][g],
            lost["cells"][g],
            lost["first"][g],
        )
        self.accept = policy["accept"] if policy.get("group_independent") else policy["accept"][g]
        self.tail = split.get("tail")
        self.states = range(2 * len(missing))
        self.masses = [self.first.shares]  # [h][s] P(s) if the true shares were those counted
        for t, accept in enumerate(self.accept[:-1]):
            mass = [D(0)] * len(self.states)
            for s in self.states:
                for a, p in enumerate((1 - accept[s // 2], accept[s // 2])):
                    for s1, share in enumerate(self.rows(t)[s][a].shares):
                        mass[s1] += self.masses[-1][s] * p * share
            self.masses.append(mass)

    def rows(self, t):
        """[s][a] from step t to the next."""
        return self.kernels[self.period[t]]

    def worst(self, h, f, cost=None, discount=1):
        """The greatest mean of f[s] at step h; with cost[s][a], of that and the costs of all steps before."""
        for t in reversed(range(h)):
            mean = [[self.rows(t)[s][a].greatest_mean(f) for a in (0, 1)] for s in self.states]
            if cost:
                mean = [[cost[s][a] + discount * mean[s][a] for a in (0, 1)] for s in self.states]
            p = [self.accept[t][s // 2] for s in self.states]
            f = [(1 - p[s]) * mean[s][0] + p[s] * mean[s][1] for s in self.states]
        return self.first.greatest_mean(f) + MARGIN * (1 + max(map(abs, f)))

    def away(self, h):
        """At most so many people were away at some step up to h, or have no row there."""
        there = [sum(flat(self.visits[t])) for t in range(h + 1)]
        return sum(max(D(0), self.first.n + self.missing_people - n) for n in there)

    def followers_prove(self, h, rate, sign, end):
        """Whether those who followed the policy show that sign * rate <= end, whatever those away would have met."""
        cells = [x[y] for x in self.visits[h] for y in LABELS[rate]]
        n, counted = sum(flat(cells)), sum(cell[1 if sign > 0 else 0] for cell in cells)
        return few_are_rare(min(n, counted + self.away(h)), n, end if sign > 0 else 1 + end, self.tail)

    def proves(self, h, rate, sign, end, slack):
        """Whether sign * rate <= end at step h in every population of the sets, or by those who followed the policy."""
        if rate == "qualified":
            return end >= max(sign, 0) or self.worst(h, [D(sign * (s % 2)) for s in self.states]) <= end
        if end >= max(sign * p for p in self.accept[h]):
            return True  # a rate is a mean of the policy's entries
        if self.tail is not None and self.followers_prove(h, rate, sign, end):
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


# --- The check


class Check:
    def __init__(self, text):
        self.claims, documents = read(text)
        need_sound(self.claims, documents)
        self.counts, self.policy, self.model = documents["counts"], documents["policy"], documents.get("model")
        self.design = documents.get("design")
        self.wrong = []
        self.names, self.horizon = self.counts["groups"], int(self.counts["horizon"])
        self.notions = [notion for notion in NOTIONS if notion in self.claims["certified_gap"]]
        self.rates = sorted({rate for notion in self.notions for rate in NOTIONS[notion]})
        self.by_features, self.labelled = "labels" in self.claims, self.rates != ["accept"]
        self.check_hashes()
        self.check_words()
        self.check_split()
        self.wrong += Ratios(self.claims, self.names).wrong(shown)
        if self.by_features:
            self.wrong += wrong_in_diagnosis(self.claims["diagnosis"], self.counts, "refused" in self.claims)
            self.check_where_labels_follow()
            return
        lost, nothing = losses(self.counts)
        groups = self.groups_with(lost)
        self.wrong += wrong_in_diagnosis(self.claims["diagnosis"], self.counts)
        if self.model:
            need_unrefuted(self.model, groups, self.counts, lost, self.claims["delta"])
        self.check_bounds(groups, self.claims, "")
        self.check_estimates(groups)
        if "if_nothing_lost" in self.claims:
            self.check_bounds(self.groups_with(nothing), self.claims["if_nothing_lost"], "/if_nothing_lost")

    def groups_with(self, lost):
        return [Group(g, self.counts, lost, self.policy, self.split) for g in range(len(self.names))]

    def expect(self, ok, place, found, expected):
        if not ok:
            self.wrong.append(f"{place}: is {found}, expected {expected}")

    def expect_same(self, place, found, expected, tolerance=TOLERANCE):
        ok = found is expected if None in (found, expected) else abs(found - expected) <= tolerance
        self.expect(ok, place, shown(found), shown(expected))

    def check_hashes(self):
        for name, document in self.claims["inputs"].items():
            digest = hashlib.sha256(document["text"].encode()).hexdigest()
            self.expect(document["sha256"] == digest, f"/inputs/{name}/sha256", document["sha256"], digest)

    def check_words(self):
        counted, lost = "reward_range" in self.claims, "if_nothing_lost" in self.claims
        rewards = "known" if self.model else "counted" if counted else "none"
        ratios = "certified_ratio" in self.claims and ("reference" if "reference" in self.claims else "best")
        claim, text = (
            self.claims["statement"],
            statement(rewards != "none", lost, ratios, "certified_aggregate_gap" in self.claims),
        )
        self.expect(claim == text, "/statement", claim, text)
        rule = self.claims.get("refused", "none") if self.by_features else None
        texts = list(assumptions(self.counts, lost, self.claims["followed"], rewards, self.design is not None, rule))
        claim = self.claims["assumptions"]
        self.expect(claim == texts, "/assumptions", claim, texts)
        self.expect(self.claims["groups"] == self.names, "/groups", self.claims["groups"], self.names)
        pairs = [[a, b] for i, a in enumerate(self.names) for b in self.names[i + 1 :]]
        self.expect([pair["groups"] for pair in self.claims["pairs"]] == pairs, "/pairs", "of others", pairs)

    def check_split(self):
        """Delta goes in equal parts to rows, followers and rewards, as far as used, and then evenly within each; with
        a design part a fifth of it does, and the rest goes to the directions that are looked in."""
        groups, features = len(self.names), len(self.counts["features"])
        followed, counted = self.claims["followed"], "reward_range" in self.claims
        delta = self.claims["delta"]
        part = delta / (5 if self.design else 1) / (1 + followed + counted)
        row = part / (groups * (4 * features * len(starts(self.counts)) + 1))
        self.split = {"rows": part, "row": row, "ball": row / 2, "interval": row / 2 / (2 * features)}
        if self.by_features:
            part = delta / (1 + self.labelled)
            row = part / (groups * (2 * features + 1))
            self.split = {"rows": part, "row": row, "ball": row / 2, "interval": row / 2 / features}
        if self.by_features and self.labelled:
            self.split |= {"labels": part, "label": part / (groups * features)}
        if followed:
            self.split |= {"followed": part, "tail": part / (2 * groups * self.horizon * len(self.rates))}
        if counted:
            self.split |= {"rewards": part, "reward": part / (groups * 4 * features)}
        if self.design:
            value = "counted" if counted else "known" if self.model is not None else None
            questions, paths = how_many(self.rates, groups, self.horizon, 2 * features, value)
            asked, followed = (D(16) / 25, D(4) / 25) if paths else (D(4) / 5, D(0))
            self.split |= {"directions": 4 * delta / 5, "question": asked * delta / questions}
            self.split |= {"path": followed * delta / paths if paths else D(0)}
        for name, expected in self.split.items():
            found = self.claims["delta_split"][name]
            self.expect_same(f"/delta_split/{name}", found, expected, expected * D("1e-12"))

    def check_where_labels_follow(self):
        """Theorem I, for the rule that was asked for, for others, and if nothing had been lost."""
        tables, (lost, nothing) = feature_tables(self.counts), feature_losses(self.counts)
        rule = rule_of(self.claims) if self.labelled else None

        def groups(lost, rule):
            return [FeatureGroup(g, tables, lost, self.policy, self.split, rule) for g in range(len(self.names))]

        asked = groups(lost, rule)
        self.check_by_features(asked, self.claims, "")
        self.check_estimated(asked)
        for key in ("certified_value", "estimated_value"):
            self.expect(self.claims[key] is None, f"/{key}", self.claims[key], None)
        if self.labelled:
            for g, group in enumerate(asked):
                for x, ends in enumerate(group.shares):
                    for end, expected in zip(("low", "high"), ends, strict=True):
                        found = self.claims["label_shares"][end][g][x]
                        self.expect_same(f"/label_shares/{end}/{g}/{x}", found, expected)
            others, rules = self.claims["if_refused"], expected_rules(self.claims.get("break_even"))
            found = [rule_of(other) for other in others]
            self.expect(found == rules, "/if_refused", found, rules)
            for i, (other, its) in enumerate(zip(others, found, strict=True)):
                self.check_by_features(groups(lost, its), other, f"/if_refused/{i}")
            if "break_even" in self.claims and found == rules:
                self.wrong += wrong_in_break_even(self.claims)
        if "if_nothing_lost" in self.claims:
            claims = self.claims["if_nothing_lost"]
            self.check_by_features(groups(nothing, rule), claims, "/if_nothing_lost")
            self.expect(claims["certified_value"] is None, "/if_nothing_lost/certified_value", "a value", None)

    def check_by_features(self, groups, claims, at):
        self.check_rates(groups, claims, at)
        for notion, found in claims["certified_gap"].items():
            for h in range(self.horizon):
                gaps = self.gaps(claims["rates"], notion, h)
                places = [(found[h], max(gaps), f"{at}/certified_gap/{notion}/{h}")]
                for i, pair in enumerate(claims.get("pairs", [])):
                    places.append((pair[notion][h], gaps[i], f"{at}/pairs/{i}/{notion}/{h}"))
                for claim, gap, place in places:
                    self.expect(gap <= claim <= gap + TOLERANCE, place, shown(claim), shown(gap))

    def check_bounds(self, groups, claims, at):
        """Both ends of every rate. Gaps follow from them. The least value."""
        self.check_rates(groups, claims, at)
        self.check_gaps_and_value(groups, claims, at)

    def check_rates(self, groups, claims, at):
        """Both ends of every rate: right, and no looser than the data allow."""
        for rate in claims["rates"]:
            for g, group in enumerate(groups):
                for h in range(self.horizon):
                    for end, sign in (("low", -1), ("high", 1)):
                        found, place = claims["rates"][rate][end][g][h], f"{at}/rates/{rate}/{end}/{g}/{h}"
                        self.expect(group.proves(h, rate, sign, sign * found, 0), place, shown(found), "a safer one")
                        loose = group.proves(h, rate, sign, sign * found - TOLERANCE, SLACK)
                        self.expect(not loose, place, shown(found), "a tighter one, as the data prove more")

    def check_gaps_and_value(self, groups, claims, at):
        by_parts = self.by_parts(groups, claims)
        for notion in self.notions:
            for h in range(self.horizon):
                gaps = worst = self.gaps(claims["rates"], notion, h)
                rounding = [D(0)] * len(gaps)
                if by_parts:
                    gaps = [min(pair) for pair in zip(worst, by_parts.gaps(notion, h), strict=True)]
                    narrower = [other - gap for other, gap in zip(worst, gaps, strict=True)]
                    rounding = [min(pair) for pair in zip(narrower, by_parts.rounding(notion, h), strict=True)]
                if by_parts and "bound_by" in claims:
                    by, narrower = claims["bound_by"][notion][h], max(worst) - claims["certified_gap"][notion][h]
                    self.check_bound_by(f"/bound_by/{notion}/{h}", by, narrower, TIE)
                places = [(claims["certified_gap"][notion][h], max(gaps), max(rounding), f"certified_gap/{notion}/{h}")]
                for i, pair in enumerate(claims.get("pairs", [])):
                    places.append((pair[notion][h], gaps[i], rounding[i], f"pairs/{i}/{notion}/{h}"))
                for found, gap, more, place in places:
                    self.expect(gap <= found <= gap + TOLERANCE + more, f"{at}/{place}", shown(found), shown(gap))
        least, _, size = self.values(groups)
        if by_parts:
            split = by_parts.value()
            if "bound_by" in claims:
                narrower = None if least is None else split - least
                self.check_bound_by("/bound_by/value", claims["bound_by"]["value"], narrower, TOLERANCE * size)
            least = None if least is None else max(least, split)
        found = claims["certified_value"]
        ok = found is least if None in (found, least) else least - TOLERANCE * size <= found <= least
        self.expect(ok, f"{at}/certified_value", shown(found), shown(least))

    def by_parts(self, groups, claims):
        """What the audit part proves where the design part said to look."""
        if not self.design:
            return None
        rewards = None
        if self.values_known():
            least = [[[low for _, low in cells] for cells in self.rewards(g, group)] for g, group in enumerate(groups)]
            rewards = Rewards(self.shares(), self.discount(), self.by_design(least))
        return Bounds(self.design, groups, claims["rates"], self.split, rewards)

    def check_bound_by(self, place, found, narrower, tie):
        """By how much the bound of both parts is the narrower one; None if nothing is bounded. Where both are the same
        but for rounding, either may be named."""
        word = None if narrower is None else "split" if narrower > 0 else "worst-case"
        either = narrower is not None and abs(narrower) <= tie and found in ("split", "worst-case")
        self.expect(found == word or either, place, found, word)

    def gaps(self, rates, notion, h):
        """How far apart the groups of each pair can be."""
        indices = range(len(self.names))
        return [
            min(
                D(1),
                max(D(0), *(rates[r]["high"][a][h] - rates[r]["low"][b][h] for r in NOTIONS[notion] for a, b in both)),
            )
            for both in ([(i, j), (j, i)] for i in indices for j in indices if i < j)
        ]

    def check_estimates(self, groups):
        self.check_estimated(groups)
        _, estimate, size = self.values(groups)
        self.expect_same("/estimated_value", self.claims["estimated_value"], estimate, TOLERANCE * size)

    def check_estimated(self, groups):
        """What would be so if the true shares were those counted."""
        for rate, claim in self.claims["rates"].items():
            for g, group in enumerate(groups):
                for h in range(self.horizon):
                    place = f"/rates/{rate}/estimate/{g}/{h}"
                    self.expect_same(place, claim["estimate"][g][h], group.estimate(h, rate))
        for notion in self.notions:
            for h in range(self.horizon):
                rates = [[group.estimate(h, rate) for group in groups] for rate in NOTIONS[notion]]
                known = [[p for p in of_groups if p is not None] for of_groups in rates]
                apart = [max(ps) - min(ps) for ps in known if len(ps) > 1]
                found = self.claims["estimated_gap"][notion][h]
                self.expect_same(f"/estimated_gap/{notion}/{h}", found, max(apart, default=None))

    def values_known(self):
        return self.model is not None or "reward_range" in self.claims

    def discount(self):
        return self.model.get("discount", D(1)) if self.model else self.claims["discount"]

    def by_design(self, least):
        """[g][s][a] (mean reward as known or by the design part, the least that it can be)."""
        if self.model:
            return [[[(low, low) for low in cells] for cells in table] for table in least]
        bottom, top = self.claims["reward_range"]

        def mean(g, s, a):
            visits = sum(step[s // 2][s % 2][a] for step in self.design["visits"][g])
            total = self.design["reward_sum"][g][s // 2][s % 2][a]
            return min(top, max(bottom, total / visits)) if visits else bottom

        return [
            [[(mean(g, s, a), low) for a, low in enumerate(cells)] for s, cells in enumerate(table)]
            for g, table in enumerate(least)
        ]

    def shares(self):
        """Of the groups: known, or those of the people counted, of the design part if there is one."""
        if self.model:
            return self.model["share"]
        people = [sum(flat(group)) for group in (self.design or self.counts)["first"]]
        return [n / sum(people) for n in people]

    def values(self, groups):
        """What the policy earns at least, by estimate, and what could be earned or lost at most."""
        if not self.values_known():
            return None, None, D(0)
        least, estimate, discount, shares = D(0), D(0), self.discount(), self.shares()
        means = [self.rewards(g, group) for g, group in enumerate(groups)]
        size = max(abs(r) for table in means for cells in table for reward in cells for r in reward) * self.horizon
        for g, (group, share) in enumerate(zip(groups, shares, strict=True)):
            cost = [[-low for _, low in cells] for cells in means[g]]
            least -= share * group.worst(self.horizon, [D(0)] * len(cost), cost, discount)
            for h, mass in enumerate(group.masses):
                for s in group.states:
                    p = group.accept[h][s // 2]
                    mean = (1 - p) * means[g][s][0][0] + p * means[g][s][1][0]
                    estimate += share * (discount**h if h else 1) * mass[s] * mean
        if all(low >= 0 for table in means for cells in table for _, low in cells):
            least = max(least, D(0))  # the margin is below 0, the value is not
        return least, estimate, size

    def rewards(self, g, group):
        """[s][a] (mean reward as known or counted, the least that it can be)."""
        if self.model:
            return [[(r, r) for r in y] for x in self.model["reward"][g] for y in x]
        low, high = self.claims["reward_range"]

        def of_cell(x, y, a):
            visits, missing = sum(step[x][y][a] for step in group.visits), group.missing_decisions[x][y][a]
            if visits == 0:
                return D(0), low
            total, most = self.counts["reward_sum"][g][x][y][a], visits + missing
            off = (high - low) * greatest_radius(visits, most, D(0), self.split["reward"])
            return total / visits, max(low, (total + missing * low) / most - off)

        return [[of_cell(s // 2, s % 2, a) for a in (0, 1)] for s in group.states]


def shown(number):
    return "null" if number is None else repr(float(number))


def printable(text):
    """Whatever a file says, it cannot move the cursor."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def verdict(content):
    """(exit code, sentences) on the bytes of a file."""
    try:
        check = Check(content.decode())
    except (ValueError, ArithmeticError) as error:
        return 2, [f"no certificate: {error}"]
    if check.wrong:
        return 1, [*check.wrong, "does not hold"]
    return 0, ["holds; its diagnosis of the data was not computed again"]


def main(path):
    try:
        with open(path, "rb") as file:
            code, sentences = verdict(file.read())
    except OSError as error:
        code, sentences = 2, [f"cannot be read: {error.strerror}"]
    for sentence in sentences:
        print(printable(f"{path}: {sentence}"))
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]) if len(sys.argv) == 2 else __doc__)
