"""tools/check_certificate.py on certificates of two parts: the terms of Theorem H, by hand, on a world of two states.

One feature, so that a state is a label; two steps. The design part says of the only group:

    first states (2, 6), so 1/4 and 3/4;     next states    refused     accepted
                                                  from y=0     (1, 1)      (0, 4)
                                                  from y=1     (3, 1)      nobody: 1/2 and 1/2

It has a third of the people, so that twice as many draws of each row are planned. The policy accepts half at step 0.
"""

import itertools
import sys
from decimal import Decimal as D
from fractions import Fraction as Q
from types import SimpleNamespace

import pytest
from conftest import ROOT

sys.path.insert(0, str(ROOT / "tools"))
import certificate_bounds
import certificate_directions
from certificate_directions import Expected, Term
from certificate_form import flat
from certificate_questions import Parts, Question

NEAR = D("1e-20")
DESIGN = {
    "part": {"share": D(1) / 3},
    "first": [[[D(2), D(6)]]],
    "transitions": [[[[[[D(1), D(1)]], [[D(0), D(4)]]], [[[D(3), D(1)]], [[D(0), D(0)]]]]]],
}


class Known:
    """A row of the audit part of which all is known but how many of the draws come to y=1: between two ends."""

    def __init__(self, seen, low, high, missing=0, doubtful=0):
        self.seen, self.n = [D(k) for k in seen], D(sum(seen))
        self.ends, self.missing, self.doubtful = (D(low), D(high)), D(missing), D(doubtful)

    def greatest_mean(self, f):
        return max((1 - p) * f[0] + p * f[1] for p in self.ends)


def audit(first, *kernels, period=(0, 0)):
    """kernels[k][s][a] of the period k, and which period each step is in; at the last step everybody is accepted."""
    accept = [[D("0.5")] for _ in period[1:]] + [[D(1)]]
    return SimpleNamespace(
        first=first,
        kernels=list(kernels),
        period=period,
        rows=lambda t: kernels[period[t]],
        accept=accept,
        states=range(2),
    )


def at_design(seen=(0, 0)):
    """Sets that hold what the design part says and nothing else."""
    shares = [["0.5", "1"], ["0.25", "0.5"]]
    return audit(Known(seen, "0.75", "0.75"), [[Known(seen, p, p) for p in row] for row in shares])


def fraction(p):
    return Q(p).limit_denominator(10**6)


def test_the_design_part_says_where_people_are_and_how_many_draws_are_planned():
    parts = Parts(0, DESIGN, at_design())
    assert parts.masses[0] == [D("0.25"), D("0.75")]
    # To y=1: from y=0 1/2 if refused, 1 if accepted; from y=1 1/4 and 1/2: (1/4)(3/4) + (3/4)(3/8) = 15/32.
    assert [fraction(p) for p in parts.masses[1]] == [Q(17, 32), Q(15, 32)]
    planned = [parts.first, *flat(parts.rows(0))]
    assert [fraction(row.planned) for row in planned] == [16, 4, 8, 8, 0]


def test_a_question_has_these_payoffs_for_rows():
    parts = Parts(0, DESIGN, at_design())
    parts.deviations = [[(D(0), D(0))] * 2]
    question = Question(parts, {1: [D(0), D(1)]})  # P(y_1 = 1)
    # U_1 = (0, 1), U_0 = (3/4, 3/8); a cell's payoff is U_1 times how many are expected there at step 0.
    expected = [(Q(3, 4), Q(3, 8)), (0, Q(1, 8)), (0, Q(1, 8)), (0, Q(3, 8)), (0, Q(3, 8))]
    assert [tuple(map(fraction, term.payoff)) for term in question.terms] == expected
    assert fraction(question.expected) == Q(15, 32)


# Lemma H1, in fractions: true first states (1/2, 1/2), and in truth all who are accepted go to y=1, all others to y=0.
# So P(y_1 = 1) = 1/2, and 1/32 is to be explained. First states: (1/4)(3/4) - (1/4)(3/8) = 3/32. Cells: of y=0
# (1/8)(0 - 1/2) and (1/8)(1 - 1), of y=1 (3/8)(0 - 1/4) and (3/8)(1 - 1/2): -2/32 - 3/32 + 6/32 = 1/32. The remainder:
# D = (1/4, -1/4) and e = (1/2 - 3/4, 1/2 - 3/8) = (-1/4, 1/8): -2/32 - 1/32. In all 3/32 + 1/32 - 3/32.
def test_the_three_terms_of_a_question_add_up():
    truth = [["0", "1"], ["0", "1"]]
    true = audit(Known((0, 0), "0.5", "0.5"), [[Known((0, 0), p, p) for p in row] for row in truth])
    parts = Parts(0, DESIGN, true)
    parts.deviations = [[(D("0.25"), D("0.25")), (D("-0.25"), D("-0.25"))]]
    question = Question(parts, {1: [D(0), D(1)]})
    linear = [certificate_directions.beyond(term.row, term.surplus()) for term in question.terms]
    assert all(low == high for low, high in linear)
    assert [fraction(low) for low, _ in linear] == [Q(3, 32), Q(-1, 16), 0, Q(-3, 32), Q(3, 16)]
    assert all(abs(end - D(-3) / 32) < NEAR for end in question.rest)


def test_deviations_are_found_from_the_first_step_onwards():
    # Sets of one point each, no draws: nothing but (4), which is 1/4 less of y=1 at step 0.
    truth = [["0", "1"], ["0", "1"]]
    true = audit(Known((0, 0), "0.5", "0.5"), [[Known((0, 0), p, p) for p in row] for row in truth])
    design = DESIGN | {"first": [[[D(1), D(3)]]]}
    design["transitions"] = DESIGN["transitions"]
    parts = Parts(0, design, true)
    for row in (parts.first, *flat(parts.rows(0))):
        row.planned = D(0)
    parts.find_deviations(D("0.01"))
    expected = [[D("0.25"), D("-0.25")], [D(-1) / 32, D(1) / 32]]
    for step, deviations in zip(parts.deviations, expected, strict=True):
        for ends, deviation in zip(step, deviations, strict=True):
            assert all(abs(end - deviation) < NEAR for end in ends)


# Three steps, and another kernel from step 1 on: of y=0 the refused go to y=1 and the accepted to y=0, of y=1 half of
# the refused and three in four of the accepted go to y=1. Half are accepted at steps 0 and 1.
AFTER = [[[[D(0), D(2)]], [[D(2), D(0)]]], [[[D(1), D(1)]], [[D(1), D(3)]]]]
CHANGING = DESIGN | {
    "periods": [{"name": "before", "first_step": 0}, {"name": "after", "first_step": 1}],
    "transitions": [[DESIGN["transitions"][0], [AFTER]]],
}


# P(y_2 = 1): U_2 = (0, 1), U_1 = (1/2, 5/8) by the later kernel, and U_0 = (19/32, 35/64) by the first. Rows of the
# first period have U_1 times who is there at step 0, those of the second U_2 times who is there at step 1, (17/32,
# 15/32). The answer is (1/4)(19/32) + (3/4)(35/64) = 143/256.
# In truth (1/2, 1/2) come, those accepted at step 0 and those refused at step 1 go to y=1, all others to y=0: 1/2, and
# -15/256 is to be explained. First states: (1/4)(19/32 - 35/64) = 3/256. Before, with differences of 1/64 and 3/64
# between the states: (0 - 1/2)/64, 0, (0 - 1/4) 3/64, (1 - 1/2) 3/64, which are -2, 0, -3, 6 of 256. After, with 17/64
# and 15/64: 0, 0, (1 - 1/2) 15/64, (0 - 3/4) 15/64, 30 and -45 of 256. The remainder: D_0 = (1/4, -1/4), e_0 = (-1/32,
# 1/64); D_1 = (-1/32, 1/32), e_1 = (0, -1/8): -2, -1, -1 of 256. In all 3 + 1 - 15 - 4.
def test_each_period_has_rows_and_terms_of_its_own():
    truth = [[["0", "1"], ["0", "1"]], [["1", "0"], ["1", "0"]]]
    kernels = [[[Known((0, 0), p, p) for p in row] for row in kernel] for kernel in truth]
    parts = Parts(0, CHANGING, audit(Known((0, 0), "0.5", "0.5"), *kernels, period=(0, 1, 1)))
    assert [fraction(p) for p in parts.masses[1]] == [Q(17, 32), Q(15, 32)]
    assert [fraction(row.planned) for row in flat(parts.kernels)] == [4, 8, 8, 0, 4, 4, 4, 8]
    parts.deviations = [[(D(d), D(d)), (D(-d), D(-d))] for d in (0.25, -0.03125)]
    question = Question(parts, {2: [D(0), D(1)]})
    assert fraction(question.expected) == Q(143, 256)
    linear = [certificate_directions.beyond(term.row, term.surplus()) for term in question.terms]
    assert all(low == high for low, high in linear)
    assert [256 * fraction(low) for low, _ in linear] == [3, -2, 0, -3, 6, 0, 0, 30, -45]
    assert all(abs(end + D(4) / 256) < NEAR for end in question.rest)


# x = (-3/4, 1/4), v = 3/16, width 1, 8 planned: V = (3/16 + 1/8)/8 = 5/128, so that lambda = 2 for ln(1/alpha) = 5/64.
ROW = Expected([D("0.25"), D("0.75")], D(8))
ALPHA = (-D(5) / 64).exp()


@pytest.mark.parametrize(("certainty", "steepness", "weight"), [("0.3125", 4, "0.125"), ("1.25", 8, "0.0625")])
def test_lambda_and_weights_are_those_of_the_theorem(certainty, steepness, weight):
    term = Term(ROW, Known((2, 6), "0.75", "0.75"), [D(0), D(1)])
    found, (c,) = certificate_directions.weights([term], (-D(certainty)).exp())
    assert abs(found - steepness) < D("1e-12") and abs(c - D(weight)) < D("1e-12")


def test_no_direction_is_looked_in_where_nothing_varies_or_nothing_was_seen():
    for expected, payoff in ((ROW, [D(1), D(1)]), (Expected(ROW.shares, D(0)), [D(0), D(1)])):
        term = Term(expected, Known((2, 6), "0.625", "0.875"), payoff)
        assert certificate_directions.weights([term], ALPHA) == (None, [0])
        # All that is left is (4): the set's end, 1/8 above 3/4, or nothing if both states pay the same.
        assert abs(certificate_directions.greatest([term], ALPHA) - (payoff[1] - payoff[0]) / 8) < NEAR


# Cause: 7/10 is off by 1e-50 from its own mean with shares of 1/13 and 12/13. That was taken for a direction, with a
# lambda of 1e50, and a certificate of a policy that accepts all alike was none.
@pytest.mark.parametrize("more", ["0", "1e-50"])
def test_what_is_alike_but_for_lost_digits_needs_no_direction(more):
    row = Expected([D(1) / 13, D(12) / 13], D(1))
    term = Term(row, Known((2, 6), 0, 1), [D("0.7"), D("0.7") + D(more)])
    assert term.surplus() == [0, 0] and certificate_directions.weights([term], (-D(5)).exp()) == (None, [0])
    assert certificate_directions.greatest([term], (-D(5)).exp()) < NEAR


# c = 1/8 and lambda c = 1/4. A draw of y=1 counts ln(16/15)/2, and one of y=0 -ln(19/16)/2. The draws are as planned:
# 1 - cN = 0.
def test_a_direction_is_bounded_as_by_hand():
    term = Term(ROW, Known((2, 6), "0.625", "0.875"), [D(0), D(1)], first=True)
    high, low = (D(16) / 15).ln() / 2, (D(19) / 16).ln() / 2
    first = D(5) / 128 + 6 * high - 2 * low
    assert abs(certificate_directions.greatest([term], ALPHA) - first) < D("1e-15")
    # Three draws are missing, and one may be wrong: it is taken out of y=0, and they are put in at y=1. Then 1 - cN is
    # between -3/8 and 1/8, and the row is off by 1/8 at most.
    lossy = Term(ROW, Known((2, 6), "0.625", "0.875", missing=3, doubtful=1), [D(0), D(1)])
    left_out = 3 * high + low
    assert abs(certificate_directions.greatest([lossy], ALPHA) - (first + left_out + D(3) / 64)) < D("1e-15")


# Twice as many first states as planned: with 1 for a scale 1 - cN = -1, and the row is off by -1/8 to 1/8. With 1/2 no
# draw is left, and what was counted counts half.
@pytest.mark.parametrize("seen", [(4, 12), (0, 16), (16, 0)])
def test_first_states_count_by_how_many_there_are_where_that_is_narrower(seen):
    high, low = (D(16) / 15).ln() / 2, (D(19) / 16).ln() / 2
    sums = D(5) / 128 + seen[1] * high - seen[0] * low
    row = Known(seen, "0.625", "0.875")
    found = certificate_directions.greatest([Term(ROW, row, [D(0), D(1)], first=True)], ALPHA)
    assert abs(found - min(sums + D(1) / 8, sums / 2)) < D("1e-15")
    found = certificate_directions.greatest([Term(ROW, row, [D(0), D(1)])], ALPHA)
    assert abs(found - (sums + D(1) / 8)) < D("1e-15")


def test_what_was_left_out_is_no_more_than_that_in_any_complete_row():
    for seen, missing, doubtful in itertools.product([(0, 0), (2, 1), (3, 0)], range(4), range(4)):
        row = Known(seen, 0, 1, missing, min(doubtful, missing))
        for x, c, steepness in itertools.product([(-0.75, 0.25), (-0.1, 0.9), (0, 0)], (0.125, 1), (0.01, 1)):
            x, c, steepness = [D(v) for v in x], D(c), D(steepness)
            bound = certificate_directions.left_out(row, c, x, steepness)
            for out in itertools.product(range(seen[0] + 1), range(seen[1] + 1)):
                for more in itertools.product(range(missing + 1), repeat=2):
                    if sum(out) <= row.doubtful and sum(more) <= missing:
                        counted = [certificate_directions.counted_as(v, c, steepness) for v in x]
                        assert sum((b - a) * v for a, b, v in zip(out, more, counted, strict=True)) <= bound + NEAR


def test_a_factor_of_lemma_h2_has_a_mean_of_1_at_most():
    for p, bar, u in itertools.product(range(11), range(11), ("0.01", "0.5", "0.99")):
        p, bar, u = D(p) / 10, D(bar) / 10, D(u)
        # Payoff (0, 1), lambda = 2 and c = u/2.
        counted = [
            (share, certificate_directions.counted_as(x, u / 2, D(2))) for share, x in ((1 - p, -bar), (p, 1 - bar))
        ]
        assert sum(share * (u * (p - bar) - 2 * v).exp() for share, v in counted) <= 1 + NEAR


def test_delta_is_shared_between_all_directions():
    # 2 groups, 8 steps, 10 states: 8 * 2 * 1 * 3 + 1, and 2 * 8 * 2 * 10 + 2 * 8 * 2; the last step only for rewards.
    assert certificate_bounds.how_many(["accept", "fpr", "tpr"], 2, 8, 10, "counted") == (49, 352)
    assert certificate_bounds.how_many(["accept", "fpr", "tpr"], 2, 8, 10, "known") == (49, 312)
    assert certificate_bounds.how_many(["accept"], 3, 1, 2, None) == (6, 0)


def test_a_product_of_ranges_is_bounded_by_its_corners():
    assert certificate_directions.corners((D(-1), D(2)), (D(-3), D(5))) == (-6, 10)


# At step 0 the policy accepts half, whoever it is: the rate is 1/2. Claimed are 0.4 to 0.7, and P(y=1) is 0.6 to 0.9
# where 3/4 are expected: 1 - D/D-bar is between -1/5 and 1/5, and X between -1/25 and 1/25.
def test_denominators_bring_a_product_of_two_ranges():
    parts = Parts(0, DESIGN, at_design())
    parts.deviations = [[(D(0), D(0))] * 2] * 2
    claimed, qualified = (D("0.4"), D("0.7")), (D("0.6"), D("0.9"))
    rate = certificate_bounds.Rate(parts, 0, "tpr", claimed, qualified)
    assert rate.expected == D("0.5")
    assert all(abs(a - b) < NEAR for a, b in zip(rate.more, (D("-0.04"), D("0.04")), strict=True))
    # Of the others there are 0.1 to 0.4, and 1/4 are expected: between -3/5 and 3/5.
    rate = certificate_bounds.Rate(parts, 0, "fpr", claimed, qualified)
    assert all(abs(a - b) < NEAR for a, b in zip(rate.more, (D("-0.12"), D("0.12")), strict=True))
    assert certificate_bounds.Rate(parts, 0, "accept", claimed, None).more == (0, 0)
    # Who is accepted is asked for as it is: (1/2, 1/2) to whoever is there.
    assert certificate_bounds.Rate(parts, 0, "accept", claimed, None).question.terms[0].payoff == [D("0.5")] * 2
    parts.masses[0] = [D(1), D(0)]
    assert certificate_bounds.Rate(parts, 0, "tpr", claimed, qualified).expected is None


# No draw was seen by the design part, so that its rows are 1/2 and nothing but (4) is used; the sets are points. Then
# all is exact: the value of the truth with the least rewards, whatever the design part says of rewards.
@pytest.mark.parametrize("by_design", [0, 1, -3])
def test_the_value_is_that_of_the_least_rewards_where_all_is_known(by_design):
    truth = [["0", "1"], ["0", "1"]]
    true = audit(Known((0, 0), "0.25", "0.25"), [[Known((0, 0), p, p) for p in row] for row in truth])
    nothing = DESIGN | {"first": [[[D(0), D(0)]]], "transitions": [[[[[[D(0)] * 2]] * 2] * 2]]}
    parts = Parts(0, nothing, true)
    assert parts.masses == [[D("0.5")] * 2] * 2
    parts.find_deviations(D("0.01"))
    least = [[D(0), D("-0.5")], [D(0), D(1)]]
    rewards = certificate_bounds.Rewards([D(1)], D("0.5"), [[[(D(by_design), low) for low in row] for row in least]])
    # Step 0: a quarter have y=1, and half are accepted: (1/2)(3/4)(-1/2) + (1/2)(1/4)(1) = -1/16. Step 1: half have y=1
    # and all are accepted: (1/2)(-1/2) + (1/2)(1) = 1/4, which counts half. In all 1/16.
    assert abs(rewards.least([parts], D("0.01")) - D(1) / 16) < NEAR
