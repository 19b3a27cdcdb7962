"""One direction, all rows at once, for check_certificate.py: Lemma H2 and (4) of docs/guarantees.md, H.

A direction gives each row r of the audit part (a cell's next states, a group's first states) a payoff F_r for each
state. The design part fixed the payoffs, and what it expects, the proportions with a bar. `greatest` bounds what
all rows together may bring beyond that, in truth:

    sum over rows of (p_r - bar_r).F_r = sum of c_r N_r (p_r - bar_r).F_r + sum of (1 - c_r N_r) (p_r - bar_r).F_r

The first sum on the right is at most, except with probability alpha (Lemma H2), with x_r(s) = F_r(s) - bar_r.F_r and
u_r = lambda c_r (max F_r - min F_r) < 1,

    sum over all draws that were counted of  curve_r(x_r)  +  ln(1/alpha) / lambda,
    curve_r(x) = c_r x + lambda h(u_r) c_r^2 x^2,        h(u) = (-ln(1 - u) - u) / u^2,

and what was left out, whatever it would have said, adds at most `left_out`. The second sum is bounded row by row over
the row's own set (4). Lambda and c_r may be any numbers that the design part fixes: `weights` computes them in plain
floats, and from then on they are taken as the exact numbers that these floats are.
"""

import math
from dataclasses import dataclass
from decimal import Decimal as D

from certificate_sets import MARGIN, Row

TINY = D("1e-6")  # below this h is a series, above it loses 12 of 50 digits at most


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

    def times(self, sign):
        return Term(self.expected, self.row, [sign * v for v in self.payoff])

    def surplus(self):
        """x_r: what each state pays beyond what the design part expects of the row."""
        mean = dot(self.expected.shares, self.payoff)
        return [v - mean for v in self.payoff]


def dot(shares, values):
    return sum(p * v for p, v in zip(shares, values, strict=True))


def h(u):
    """At least (-ln(1-u) - u)/u^2 = 1/2 + u/3 + u^2/4 + ..., for 0 <= u < 1, and hardly more."""
    if u >= TINY:
        return (-(1 - u).ln() - u) / (u * u) * (1 + MARGIN)
    # All terms from u^7/9 on are together at most (u^7/9)(1 + u + u^2 + ...).
    return D("0.5") + sum(u**k / (k + 2) for k in range(1, 7)) + u**7 / (9 * (1 - u)) + MARGIN


def weights(terms, alpha):
    """(lambda, each c_r) as exact numbers; lambda is None where no direction is looked in: then every c_r is 0."""
    variance, spans = 0.0, []
    for term in terms:
        spans.append(float(max(term.payoff) - min(term.payoff)))
        m = float(term.expected.planned)
        if m > 0:
            square = float(dot(term.expected.shares, [x * x for x in term.surplus()]))
            variance += (square + spans[-1] * spans[-1] / m) / m
    steepness = math.sqrt(-2 * float(alpha.ln()) / variance) if variance > 0 else math.inf
    if not 0 < steepness < math.inf:
        return None, [D(0)] * len(terms)
    plans = [float(term.expected.planned) for term in terms]
    each = [1 / max(m, 2 * steepness * span) if m > 0 else 0.0 for m, span in zip(plans, spans, strict=True)]
    return D(steepness), [D(c) for c in each]


def left_out(row, c, x, curve):
    """What draws may add that are missing from the row, and those that are in it wrongly."""
    return row.missing * max(D(0), curve(max(x)), curve(min(x))) + row.doubtful * c * max(D(0), -min(x))


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
    bound = -alpha.ln() / steepness if steepness else D(0)
    size = bound
    for term, c in zip(terms, each, strict=True):
        x, row = term.surplus(), term.row
        fewest, most = max(D(0), row.n - row.doubtful), row.n + row.missing
        bound += corners((1 - c * most, 1 - c * fewest), beyond(row, x))[1]
        if c > 0:
            u = steepness * c * (max(term.payoff) - min(term.payoff))
            square = steepness * h(u) * c * c

            def curve(v, c=c, square=square):
                return c * v + square * v * v

            bound += sum(k * curve(v) for k, v in zip(row.seen, x, strict=True) if k > 0) + left_out(row, c, x, curve)
        size += (1 + c * most) * max(map(abs, term.payoff))
    return bound + MARGIN * size
