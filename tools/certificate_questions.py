"""Questions about people who follow the policy, for check_certificate.py: Lemma H1 and (5) of docs/guarantees.md, H.

A question is a payoff f_t(s) for each group, step and state that the design part fixed. Its answer is what it pays in
all to people who follow the policy. The design part expects `expected` of it, and in truth it is

    answer = expected + sum over rows of (p_r - bar_r).F_r + sum over steps t and states s of D_t(s) e_t(s)       (H1)

U_t(s) is what is to be paid from state s at step t on, as the design part expects; a cell's F is U_{t+1} for each time
that the design part expects people there, and that of the first states is U_0. certificate_directions.py bounds the
first sum. In the second both factors are small:

    D_t(s) = P(s_t = s) - what the design part expects of it
    e_t(s) = what the next state brings, beyond what the design part expects: its range over the sets of the rows

D_t(s) is itself the answer to a question, whose remainder takes D of earlier steps only (5). So all of them are found
from the first step onwards, and then every remainder is a sum of products of ranges.
"""

from decimal import Decimal as D

from certificate_directions import Expected, Term, beyond, corners, dot, greatest
from certificate_form import flat, kernels
from certificate_sets import MARGIN

# --- A group by both parts


class Parts:
    """A group by the design part: what it expects of each row and step; and the same group by the audit part."""

    def __init__(self, g, design, audit):
        share = design["part"]["share"]
        self.kernels = [
            [[expected(flat(seen), share) for seen in y] for x in table for y in x] for table in kernels(design, g)
        ]  # [k][s][a]
        self.period = audit.period
        self.first = expected(flat(design["first"][g]), share)
        self.audit, self.states, self.horizon = audit, audit.states, len(audit.accept)
        self.chances = [[(1 - row[s // 2], row[s // 2]) for s in self.states] for row in audit.accept]  # [t][s][a]
        self.masses = [self.first.shares]  # [t][s] P(s_t = s)
        for chances in self.chances[:-1]:
            mass = [D(0)] * len(self.states)
            rows = self.rows(len(self.masses) - 1)
            for s in self.states:
                for a in (0, 1):
                    for s1, share in enumerate(rows[s][a].shares):
                        mass[s1] += self.masses[-1][s] * chances[s][a] * share
            self.masses.append(mass)
        self.deviations = []  # [t][s] both ends of D_t(s)

    def rows(self, t):
        """[s][a] from step t to the next."""
        return self.kernels[self.period[t]]

    def find_deviations(self, alpha, last=True):
        """(5), from the first step onwards; of the last nothing is asked if it is not needed."""
        for t, masses in enumerate(self.masses):
            found = []
            for s, mass in enumerate(masses):
                low, high = -mass, 1 - mass
                if last or t + 1 < self.horizon:
                    ends = answer([(1, Question(self, {t: indicator(self.states, [s])}))], alpha)
                    low, high = max(low, ends[0]), min(high, ends[1])
                found.append((low, high))
            self.deviations.append(found)

    def qualified(self, h, alpha):
        """Both ends of P(y_h = 1)."""
        question = Question(self, {h: indicator(self.states, self.states[1::2])})
        low, high = answer([(1, question)], alpha)
        return question.expected + low, question.expected + high


def expected(seen, share):
    """Proportions, and planned draws: as many as there were, but of the other share of the people."""
    n = sum(seen)
    shares = [k / n for k in seen] if n else [D(1) / len(seen)] * len(seen)
    return Expected(shares, n * (1 - share) / share)


def indicator(states, chosen):
    return [D(s in chosen) for s in states]


# --- Questions


class Question:
    """The part of a question that one group answers: payoffs are {step: f by state}, 0 at all other steps."""

    def __init__(self, parts, payoffs):
        last = max(payoffs)
        none = [D(0)] * len(parts.states)
        worth, self.rest = payoffs[last], (D(0), D(0))
        flows = [[[none for _ in (0, 1)] for _ in parts.states] for _ in parts.kernels]  # F_r of each row
        size = D(0)
        for t in reversed(range(last)):
            means = [[dot(row.shares, worth) for row in cells] for cells in parts.rows(t)]
            here = flows[parts.period[t]]
            for s in parts.states:
                for a, chance in enumerate(parts.chances[t][s]):
                    met = parts.masses[t][s] * chance
                    if met > 0:
                        here[s][a] = [flow + met * v for flow, v in zip(here[s][a], worth, strict=True)]
                self.add_to_rest(corners(parts.deviations[t][s], surprise(parts, t, s, worth, means[s])))
            size += max(map(abs, worth))
            paid = payoffs.get(t, none)
            worth = [paid[s] + dot(parts.chances[t][s], means[s]) for s in parts.states]
        self.add_to_rest((-MARGIN * size, MARGIN * size))
        self.expected = dot(parts.first.shares, worth)
        self.terms = [Term(parts.first, parts.audit.first, worth, first=True)]
        every = (flow for kernel in flows for cells in kernel for flow in cells)
        rows = zip(flat(parts.kernels), flat(parts.audit.kernels), every, strict=True)
        self.terms += [Term(*row) for row in rows]

    def add_to_rest(self, ends):
        self.rest = (self.rest[0] + ends[0], self.rest[1] + ends[1])


def surprise(parts, t, s, worth, means):
    """The range of e_t(s)."""
    low = high = D(0)
    for row, chance, mean in zip(parts.audit.rows(t)[s], parts.chances[t][s], means, strict=True):
        if chance > 0:
            ends = beyond(row, worth)
            low, high = low + chance * (ends[0] - mean), high + chance * (ends[1] - mean)
    return low, high


def least(questions, alpha):
    """At least this is the answer to (sign, question) for all groups together, less what is expected of it."""
    terms = [term.times(-sign) for sign, question in questions for term in question.terms]
    return -greatest(terms, alpha) + sum(min(sign * end for end in question.rest) for sign, question in questions)


def answer(questions, alpha):
    """Both ends of it, each except with probability alpha."""
    return least(questions, alpha), -least([(-sign, question) for sign, question in questions], alpha)
