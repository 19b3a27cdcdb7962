"""What a certificate of two parts proves, for check_certificate.py: Theorem H of docs/guarantees.md.

certificate_questions.py answers questions; here is what is asked. The difference of two groups' probabilities to be
accepted is an answer as it is. Rates given a label have denominators: with bars for what the design part expects, a
group's rate is rate_bar + E[(policy - rate_bar) 1(label)] / people_bar + X,

    X = (rate - rate_bar) (1 - people/people_bar)                                                                  (6)

and the expectation is asked for, while X is small: a product of the ranges of both factors. The value is an answer too;
rewards that were counted may be less than the design part says, and that is made good for state by state.
"""

from decimal import Decimal as D

from certificate_directions import corners
from certificate_form import LABELS, NOTIONS
from certificate_questions import Parts, Question, answer, least
from certificate_sets import MARGIN

NOTHING = (D(0), D(0))
ROUNDING = D("2e-13")  # doubles lose such a part of what is paid, at each step and in each row


def how_many(rates, groups, horizon, states, value):
    """(how many directions of questions share 16/25 of delta, how many directions of paths share 4/25)

    What people do at the last step leads nowhere, but rewards that are counted are earned there. `value` is None,
    "known" or "counted".
    """
    labels = any(rate != "accept" for rate in rates)
    followed = horizon if value == "counted" else horizon - 1
    questions = horizon * groups * (groups - 1) * len(rates) + (value is not None)
    return questions, 2 * groups * (followed * states + labels * horizon)


class Rate:
    """A group's rate at a step: what the design part expects (None if it expects nobody), the question, and (6)."""

    def __init__(self, parts, h, name, claimed, qualified):
        """`claimed` are the ends of the rate, `qualified` those of P(y_h = 1), unless all are asked about."""
        about = [s for s in parts.states if s % 2 in LABELS[name]]
        accept = [chance for _, chance in parts.chances[h]]
        everybody = name == "accept"
        people = self.people = D(1) if everybody else sum(parts.masses[h][s] for s in about)
        self.expected = None
        if people == 0:
            return
        self.expected = sum(parts.masses[h][s] * accept[s] for s in about) / people
        centre = 0 if everybody else self.expected
        pays = [(accept[s] - centre) / people if s in about else D(0) for s in parts.states]
        self.question, self.more = Question(parts, {h: pays}), NOTHING
        if not everybody:
            have = qualified if name == "tpr" else (1 - qualified[1], 1 - qualified[0])
            self.more = corners([end - self.expected for end in claimed], [1 - there / people for there in have])


def greatest_difference(one, other, alpha):
    """At most this is the difference of two groups' rates, in either direction."""
    low, high = answer([(1, one.question), (-1, other.question)], alpha)
    apart = one.expected - other.expected
    high += apart + one.more[1] - other.more[0]
    low += apart + one.more[0] - other.more[1]
    return max(high, -low) + MARGIN * (1 + max(map(abs, one.more + other.more)))


class Rewards:
    """How the value is made up: shares [g], discount, and [g][s][a] (mean by design or known, the least it can be)."""

    def __init__(self, shares, discount, means):
        self.shares, self.discount, self.means = shares, discount, means

    def may_be_less(self):
        return any(low != mean for group in self.means for state in group for mean, low in state)

    def least(self, groups, alpha):
        """At least this is the value."""
        questions, total = [], D(0)
        for group, share, means in zip(groups, self.shares, self.means, strict=True):
            pays = {}
            for t in range(group.horizon):
                weight = share * (self.discount**t if t else 1)
                pays[t] = [D(0)] * len(means)
                for s, ends in enumerate(group.deviations[t]):
                    cells = list(zip(group.chances[t][s], means[s], strict=True))
                    pays[t][s] = weight * sum(chance * mean for chance, (mean, _) in cells)
                    less = weight * sum(chance * (low - mean) for chance, (mean, low) in cells)
                    mass = group.masses[t][s]
                    total += min(less * max(D(0), mass + ends[0]), less * min(D(1), mass + ends[1]))
                    total -= MARGIN * weight * max(abs(mean) + abs(low) for _, (mean, low) in cells)
            questions.append((1, Question(group, pays)))
            total += questions[-1][1].expected
        return total + least(questions, alpha)


class Bounds:
    """By both parts, for everything that the notions ask for. `rewards` is None where no value is asked for."""

    def __init__(self, design, groups, claimed, split, rewards):
        self.question, self.claimed, self.rewards = split["question"], claimed, rewards
        self.groups = [Parts(g, design, group) for g, group in enumerate(groups)]
        for group in self.groups:
            group.find_deviations(split["path"], last=rewards is not None and rewards.may_be_less())
        self.path, self.rates = split["path"], {}

    def qualified(self, g, h):
        """Both ends of P(y_h = 1): the better of the one by the sets and the one by a question."""
        group = self.groups[g]
        low, high = group.qualified(h, self.path)
        if "qualified" in self.claimed:
            ends = [self.claimed["qualified"][end][g][h] for end in ("low", "high")]
        else:
            labels = [D(s % 2) for s in group.states]
            ends = [-group.audit.worst(h, [-v for v in labels]), group.audit.worst(h, labels)]
        return max(D(0), low, ends[0]), min(D(1), high, ends[1])

    def rate(self, g, h, name):
        if (g, h, name) not in self.rates:
            claimed = [self.claimed[name][end][g][h] for end in ("low", "high")]
            qualified = None if name == "accept" else self.qualified(g, h)
            self.rates[g, h, name] = Rate(self.groups[g], h, name, claimed, qualified)
        return self.rates[g, h, name]

    def gap(self, i, j, name, h):
        """At most this is the difference of the two groups' rates; 1 where nobody was expected to have one."""
        one, other = self.rate(i, h, name), self.rate(j, h, name)
        if one.expected is None or other.expected is None:
            return D(1)
        key = (i, j, name, h)
        if key not in self.rates:
            self.rates[key] = min(D(1), max(D(0), greatest_difference(one, other, self.question)))
        return self.rates[key]

    def gaps(self, notion, h):
        """Of each pair of groups."""
        pairs = [(i, j) for i in range(len(self.groups)) for j in range(i + 1, len(self.groups))]
        return [max(self.gap(i, j, name, h) for name in NOTIONS[notion]) for i, j in pairs]

    def rounding(self, notion, h):
        """Of each pair, what a certificate may have rounded its gap up by: the fewer people have the label, the more
        each of them is paid."""

        def of_pair(name, i, j):
            people = [self.rate(g, h, name).people for g in (i, j)]
            if name == "accept" or 0 in people:
                return D(0)
            return ROUNDING * self.groups[0].horizon * sum(1 / p for p in people)

        pairs = [(i, j) for i in range(len(self.groups)) for j in range(i + 1, len(self.groups))]
        return [max(of_pair(name, i, j) for name in NOTIONS[notion]) for i, j in pairs]

    def value(self):
        return self.rewards.least(self.groups, self.question) if self.rewards else None
