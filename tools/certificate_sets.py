"""The sets around the rows that were counted, for check_certificate.py: what is within them may be true."""

import math
from decimal import Decimal as D
from decimal import getcontext

from certificate_form import flat, kernels, need

getcontext().prec = 50
MARGIN = D("1e-25")
SLIGHT = D("2e-9")  # what a model may be off by; whoever makes a certificate allows half of this
PI = D("3.14159265358979323846264338327950288419716939937511")


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
    if 1 - p <= MARGIN:  # for few people and a delta next to nothing 50 digits cannot tell it from 1
        return D(1)
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


def greatest_radius(low, high, log_sets, delta):
    """The greatest radius of all n from low to high: it falls in n, but for steps up at powers of two."""
    power = D(2 ** int(low).bit_length())
    return max(radius(n, log_sets, delta) for n in ([low, power] if low and power <= high else [low]))


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
    """Counts of next states (or first states), and how much each share may be more or less in truth.

    Up to `missing` people more may belong to the row, and up to `doubtful` of those in it may belong elsewhere.
    """

    def __init__(self, seen, missing, doubtful, split):
        self.seen, self.n, self.missing, self.doubtful = seen, sum(seen), missing, doubtful
        self.shares = [k / self.n if self.n else D(1) / len(seen) for k in seen]
        least, most = self.n - doubtful, self.n + missing
        if least <= 0 or len(seen) == 1:  # of one outcome there is one distribution, whatever the reach
            self.reach = D(1)
        else:
            reach = greatest_radius(least, most, D(2 ** len(seen) - 2).ln(), split["ball"])
            self.reach = min(D(1), reach + missing / (least + missing))
        self.more, self.less = [], []
        for k, share in zip(seen, self.shares, strict=True):
            here, elsewhere = max(D(0), k - doubtful), max(D(0), self.n - k - doubtful)  # surely there
            most_here, most_elsewhere = k + missing, self.n - k + missing
            high = upper_end(most_here, most_here + elsewhere, split["interval"])
            low = 1 - upper_end(most_elsewhere, most_elsewhere + here, split["interval"])
            self.more.append(high - share)
            self.less.append(share - low)

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


# --- A model that rewards are known from: the counts must not refute that it is about these people


def need_within(row, entries, place):
    """The row must be in the set around the one counted; both sums are rounded."""
    more = [p - share for p, share in zip(entries, row.shares, strict=True)]
    inside = all(-less - SLIGHT <= m <= up + SLIGHT for m, less, up in zip(more, row.less, row.more, strict=True))
    inside = inside and sum(map(abs, more)) / 2 <= row.reach + SLIGHT
    need(row.n == 0 or inside, f"{place} of the model is refuted by the counts")


def need_unrefuted(model, groups, counts, lost, delta):
    for g, group in enumerate(groups):
        need_within(group.first, flat(model["initial"][g]), f"initial/{g}")
        known = [[flat(a) for x in table for y in x for a in y] for table in kernels(model, g)]
        if "periods" not in model:  # one kernel for all of them
            known *= len(group.kernels)
        for k, (rows, tables) in enumerate(zip(group.kernels, known, strict=True)):
            for i, (row, entries) in enumerate(zip(flat(rows), tables, strict=True)):
                need_within(row, entries, f"transition/{g}, period {k}, cell {i},")
    rewards, sums, squares = flat(model["reward"]), flat(counts["reward_sum"]), flat(counts["reward_squares"])
    if not any(squares):
        return
    noise = flat(model.get("reward_noise", [D(0)] * len(rewards)))
    visits = [sum(cell) for group in counts["visits"] for cell in zip(*map(flat, group), strict=True)]
    for i, (n, missing, said) in enumerate(zip(visits, flat(lost["cells"]), rewards, strict=True)):
        if n == 0:
            continue
        mean, square = sums[i] / n, squares[i] / n
        spread = (max(D(0), square - mean * mean) + D("1e-12") * square).sqrt()
        reach = greatest_radius(n, n + missing, D(2).ln(), delta / len(rewards)) + missing / (n + missing)
        room = 2 * max(noise[i], spread) * reach * (1 + SLIGHT) + SLIGHT * max(abs(mean), abs(said))
        need(abs(mean - said) <= room, f"reward of the model, cell {i}, is refuted by the rewards counted")
