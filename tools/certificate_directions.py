"""One direction, all rows at once, for check_certificate.py: Lemma H2 and (4) of docs/guarantees.md, H.

A direction gives each row r of the audit part (a cell's next states, a group's first states) a payoff F_r for each
state. The design part fixed the payoffs, and what it expects, the proportions with a bar. `greatest` bounds what
all rows together may bring beyond that, in truth: for any scale k > 0, also one that follows from the audit part,

    sum over rows of (p_r - bar_r).F_r = k sum of c_r N_r (p_r - bar_r).F_r + sum of (1 - k c_r N_r) (p_r - bar_r).F_r

The first sum on the right is at most, except with probability alpha (Lemma H2), with x_r(s) = F_r(s) - bar_r.F_r and
lambda c_r (max F_r - min F_r) < 1,

    sum over all draws that were counted of  counted_as(x_r)  +  ln(1/alpha) / lambda,
    counted_as(x) = -ln(1 - lambda c_r x) / lambda,

and what was left out, whatever it would have said, adds at most `left_out`. The second sum is bounded row by row over
the row's own set (4). Lambda and c_r may be any numbers that the design part fixes: `weights` computes them in plain
floats, and from then on they are taken as the exact numbers that these floats are.
"""

import math
from dataclasses import dataclass
from decimal import Decimal as D

from certificate_sets import MARGIN, Row

ALIKE = D("1e-40")  # payoffs that differ by such a part are the same, but for digits that were lost


@dataclass
class Expected:
    """A row by the design part: the proportions, and how many draws the audit part should have of it."""

    shares: list
    planned: D  # m_r; 0 if the design part saw nothing


@dataclass
class Term:
    """A row in one direction."""

    expected: Expected
    row: Row
    payoff: list  # F_r by state
    first: bool = False  # whether these are the first states of a group

    def times(self, sign):
        return Term(self.expected, self.row, [sign * v for v in self.payoff], self.first)

    def surplus(self):
        """x_r: what each state pays beyond what the design part expects of the row."""
        if max(self.payoff) - min(self.payoff) <= ALIKE * max(map(abs, self.payoff)):
            return [D(0)] * len(self.payoff)
        mean = dot(self.expected.shares, self.payoff)
        return [v - mean for v in self.payoff]


def dot(shares, values):
    return sum(p * v for p, v in zip(shares, values, strict=True))


def weights(terms, alpha):
    """(lambda, each c_r) as exact numbers; lambda is None where no direction is looked in: then every c_r is 0."""
    variance, spans = 0.0, []
    for term in terms:
        surplus, m = term.surplus(), float(term.expected.planned)
        spans.append(float(max(surplus) - min(surplus)))
        if m > 0:
            square = float(dot(term.expected.shares, [x * x for x in surplus]))
            variance += (square + spans[-1] * spans[-1] / m) / m
    steepness = math.sqrt(-2 * float(alpha.ln()) / variance) if variance > 0 else math.inf
    if not 0 < steepness < math.inf:
        return None, [D(0)] * len(terms)
    plans = [float(term.expected.planned) for term in terms]
    each = [1 / max(m, 2 * steepness * span) if m > 0 else 0.0 for m, span in zip(plans, spans, strict=True)]
    return D(steepness), [D(c) for c in each]


def counted_as(x, c, steepness):
    """What a draw counts: a little more than c x."""
    return -(1 - steepness * c * x).ln() / steepness


def left_out(row, c, x, steepness):
    """What draws may add that are missing from the row, and those that are in it wrongly."""
    most, least = counted_as(max(x), c, steepness), counted_as(min(x), c, steepness)
    return row.missing * max(D(0), most) + row.doubtful * max(D(0), -least)


def corners(first, second):
    """The ends of the products of two ranges."""
    products = [a * b for a in first for b in second]
    return min(products), max(products)


def beyond(row, x):
    """The range of the row's mean of x over its set."""
    return -row.greatest_mean([-v for v in x]), row.greatest_mean(x)


def greatest(terms, alpha):
    """At most this is the sum over rows of (p_r - bar_r).F_r, except with probability alpha."""
    steepness, each = weights(terms, alpha)
    weighed = -alpha.ln() / steepness if steepness else D(0)
    surpluses = [term.surplus() for term in terms]
    rests = []  # of each row: (c N at least and at most; the range of its mean)
    for term, x, c in zip(terms, surpluses, each, strict=True):
        row = term.row
        rests.append(((c * max(D(0), row.n - row.doubtful), c * (row.n + row.missing)), beyond(row, x)))
        if c > 0:
            weighed += sum(k * counted_as(v, c, steepness) for k, v in zip(row.seen, x, strict=True) if k > 0)
            weighed += left_out(row, c, x, steepness)
    firsts = [c * term.row.n for term, c in zip(terms, each, strict=True) if term.first and c * term.row.n > 0]
    bounds = []
    for scale in (D(1), *(1 / planned for planned in firsts)):
        bound, size = scale * weighed, scale * abs(weighed)
        for term, ((fewest, most), ends) in zip(terms, rests, strict=True):
            bound += corners((1 - scale * most, 1 - scale * fewest), ends)[1]
            size += (1 + scale * most) * max(map(abs, term.payoff))
        bounds.append(bound + MARGIN * size)
    return min(bounds)
