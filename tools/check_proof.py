#!/usr/bin/env python3
"""Checks a proof that no policy is worth more than a bound:  python3 check_proof.py proof.json model.json

Exit code 0: it holds, and what it proves is printed. 1: something does not follow, and is named. 2: this is no proof.
Needs NumPy; meant to be read. It shares no code with fairstep, whose `check` does the same.

What is proven. Groups g, steps h, features x, labels y (hidden), actions a; a policy accepts with P(a=1) = pi[g,h,x].
V is its value; for each limit l, that is a rate at a step which groups are compared by, and each i-th group of them,
    N l i   the share of the group that is in the rate's event and accepted,
    D l i   the share that is in the event (if no policy can change it, N is divided by it, and there is no D),
    t l     a number from which no group's rate is further than half of the limit: (max + min) / 2 is one.
Besides, w = t D, and for two groups d = s_i D_i - s_j D_j and e = t d, for numbers s ("scale") that may be any. For
every policy that keeps the limits and is worth at least the bound, these hold:
    cutoff       V >= bound
    pair l i j   |N_i - N_j| <= limit                     (where both have no D)
    up l i       N - w - half D <= 0, or without D: N - t <= half
    low l i      N - w + half D >= 0, or without D: N - t >= -half
    capacity h   A h, the share of all people who are accepted at step h, <= capacity
    w l i k      t and D lie in ranges, so (t-t0)(D-D0) >= 0, (t-t1)(D-D1) >= 0, (t-t0)(D-D1) <= 0, (t-t1)(D-D0) <= 0
                 for k = 0, 1, 2, 3; multiplied out, with w for t D. e l i j k: the same with d and e.
A claim has a price y for some of these rows, and a price z for some ranges. Whatever the policy,
    what is claimed = sum of y * row + sum of z * quantity + what is left of all quantities,
and each of these is at the most what the row or the range allows. What is left of V, N and D is paid to tables: so much
for each visit of (x,y,a) at h. No table earns more than a policy that remembers (class Beliefs below), nor, gone
through entry by entry or step by step, than the best of its parts. So a range becomes narrower, by any prices at all,
and once nothing is left of it, or V is proven to be at most the bound, a part of the tree is done.

Numbers are doubles. Where one is the result of n operations it is off by at most about n EPS of the sizes that went
into it; such errors are added up, doubled, and added to what is proven (class Sum, `off` below).
"""

import hashlib
import itertools
import json
import sys

import numpy as np

EPS = 2.0**-52
GREATEST = 1e15  # prices are no greater, so that nothing overflows
TOLERANCE = 1e-8  # limits are kept if they are kept to within this
SUMS = 1e-9  # rows of a kernel may miss 1 by this
INF = float("inf")


class Refused(Exception):
    def __init__(self, where, what, code=1):
        super().__init__(f"{where}: {what}" if where else what)
        self.code = code


def need(holds, where, what, code=1):
    if not holds:
        raise Refused(where, what, code)


# --- Files


class Number(float):
    """A number that knows how it was written."""

    def __new__(cls, text):
        number = super().__new__(cls, text)
        number.text = text
        return number


def parsed(text, where):
    def object_of(pairs):
        need(len(dict(pairs)) == len(pairs), where, "has a key twice", 2)
        return dict(pairs)

    try:
        return json.loads(text, parse_float=Number, parse_int=Number, object_pairs_hook=object_of)
    except ValueError as error:
        raise Refused(where, f"is no JSON: {error}", 2) from error


def keys(value, where, required, optional=()):
    need(isinstance(value, dict), where, "is no object", 2)
    need(set(required) <= set(value) <= set(required) | set(optional), where, f"has keys {sorted(value)}", 2)


def number(value, where):
    need(isinstance(value, float) and abs(value) < INF, where, "is no number", 2)
    return value


def whole(value, where, most):
    need(number(value, where) == int(value) and 0 <= value <= most, where, f"is no whole number up to {most}", 2)
    return int(value)


# --- The model


class Model:
    def __init__(self, spec):
        self.groups, self.steps, self.features = len(spec["groups"]), int(spec["horizon"]), len(spec["features"])
        self.share = np.array(spec["share"], float)
        self.initial = np.array(spec["initial"], float)  # [g,x,y]
        self.reward = np.array(spec["reward"], float)  # [g,x,y,a]
        self.discount = float(spec.get("discount", 1))
        kernels = np.array(spec["transition"], float)  # [g,x,y,a,x1,y1], or with periods after g
        if "periods" in spec:
            first = [int(period["first_step"]) for period in spec["periods"]]
            self.period = [sum(f <= h for f in first) - 1 for h in range(self.steps)]
        else:
            kernels, self.period = kernels[:, None], [0] * self.steps
        self.kernels = kernels  # [g,k,x,y,a,x1,y1]
        self.names = spec["groups"]
        for sums, least in (
            (self.initial.sum(axis=(1, 2)), self.initial.min()),
            (kernels.sum(axis=(5, 6)), kernels.min()),
            (self.share.sum(), self.share.min()),
        ):
            need(least >= 0 and (np.abs(sums - 1) <= 1.001 * SUMS).all(), "model", "has other sums than 1", 2)
        self.most_people = 1 + 2 * SUMS * (self.steps + 1)

    def reachable(self, g):
        """[h][x,y] where people of the group may be under some policy."""
        reached = [self.initial[g] > 0]
        for h in range(self.steps - 1):
            reached.append((self.kernels[g, self.period[h]][reached[-1]] > 0).any(axis=(0, 1)))
        return reached


EVENTS = {"dp": [(0, 1)], "eqopt": [(1,)], "eqodds": [(1,), (0,)]}  # labels that a notion's rates are about


class Limit:
    """A rate at a step, and the groups that have it; fixed[i] is D where no policy changes it, else 0."""

    def __init__(self, labels, step, limit):
        self.labels, self.step, self.limit, self.groups, self.fixed = labels, step, limit, [], []


def limits_of(model, asked):
    reached = [model.reachable(g) for g in range(model.groups)]
    limits = []
    for one in asked["limits"]:
        for h, labels in itertools.product(range(model.steps), EVENTS[one["fairness"]]):
            limit = Limit(labels, h, one["limit"][h])
            for g in range(model.groups):
                inside = reached[g][h][:, list(labels)].any()
                outside = any(reached[g][h][:, y].any() for y in (0, 1) if y not in labels)
                if inside:
                    limit.groups.append(g)
                    start = model.initial[g][:, list(labels)].sum()
                    limit.fixed.append(start if h == 0 else 0.0 if outside else 1.0)
            if len(limit.groups) > 1:
                limits.append(limit)
    return limits


# --- What a policy earns that remembers


class Beliefs:
    """Values over a grid of b = P(y=1 | past) for each x.

    To go on from m = (people with y=0, with y=1) is worth a convex, homogeneous function of m. So if m is
    lower * (1-b, b) + upper * (1-c, c), it is worth at most lower times what (1-b, b) is worth and upper times the
    other.
    """

    def __init__(self, model, g, points):
        self.model, self.g = model, g
        low, high = self.reach()
        self.first, beliefs, features = [], [], []
        for x in range(model.features):
            self.first.append(len(beliefs))
            if low[x] > high[x]:
                continue
            if high[x] - low[x] < 1e-7:
                a = min(max(0.0, low[x] - 5e-8), 1 - 1e-7)
                here = [a, a + 1e-7]
            else:
                here = np.linspace(low[x], high[x], points)
            beliefs.extend(here)
            features.extend([x] * len(here))
        self.first.append(len(beliefs))
        self.belief, self.feature = np.array(beliefs), np.array(features, int)
        b = self.belief
        self.steps, self.off = [], []  # [k] (node, lower, upper) of [node,a,successor]; people whose place is in doubt
        for kernel in model.kernels[g] if model.steps > 1 else []:
            ahead = kernel[self.feature]  # [node,y,a,x1,y1]
            mass = (1 - b)[:, None, None, None] * ahead[:, 0] + b[:, None, None, None] * ahead[:, 1]  # [node,a,x1,y1]
            width = max(1, int((mass.sum(axis=3) > 0).sum(axis=2).max()))
            order = np.argsort(mass.sum(axis=3) <= 0, axis=2, kind="stable")[:, :, :width]  # who goes somewhere first
            landing = self.land(order, np.take_along_axis(mass, order[..., None], axis=2))
            self.steps.append(landing[:3])
            self.off.append(landing[3].sum(axis=2).max())
        self.width = max([model.features] + [step[0].shape[2] for step in self.steps])

    def reach(self):
        """[x] beliefs that can come about; how well a bound does depends on it, not whether it holds."""
        model = self.model
        start = model.initial[self.g]
        low, high = np.full(model.features, 2.0), np.full(model.features, -1.0)
        there = start.sum(axis=1) > 0
        low[there] = high[there] = start[there, 1] / start[there].sum(axis=1)
        room, grew = 1e-9, model.steps > 1
        while grew:
            grew = False
            for kernel in model.kernels[self.g]:
                for x in np.flatnonzero(low <= high):
                    for b in (low[x], high[x]):
                        mass = (1 - b) * kernel[x, 0] + b * kernel[x, 1]  # [a,x1,y1]
                        for a, x1 in np.argwhere(mass.sum(axis=2) > 0):
                            after = mass[a, x1, 1] / mass[a, x1].sum()
                            if after < low[x1]:
                                low[x1], grew = max(0.0, after - room), True
                            if after > high[x1]:
                                high[x1], grew = min(1.0, after + room), True
            room *= 2
        return low, high

    def land(self, x, mass):
        """The lower neighbour, how much counts for it and for the next, and how many people's place is in doubt."""
        total = mass.sum(axis=-1)
        first = np.array(self.first)
        empty = first[x] == first[x + 1]
        belief = np.divide(mass[..., 1], total, out=np.zeros_like(total), where=total > 0)
        at = np.zeros(x.shape, int)
        for feature in np.unique(x):
            begin, end = self.first[feature], self.first[feature + 1]
            if begin == end:
                continue
            here = x == feature
            at[here] = begin + np.clip(np.searchsorted(self.belief[begin:end], belief[here]) - 1, 0, end - begin - 2)
        b, c = self.belief[at], self.belief[np.minimum(at + 1, len(self.belief) - 1)]
        share = np.clip((belief - b) / np.where(c > b, c - b, 1), 0, 1)
        upper = np.where(empty, 0, total * share)
        lower = np.where(empty, 0, total * (1 - share))
        missing = np.abs(mass[..., 0] - lower * (1 - b) - upper * (1 - c)) + np.abs(
            mass[..., 1] - lower * b - upper * c
        )
        return at, lower, upper, np.where(empty, total, missing) + 16 * EPS * total

    def values(self, pay, lo, hi):
        """[h] of the grid, the most that pay[h,x,y,a] adds up to from there, and by what it may be off."""
        model, b = self.model, self.belief[:, None]
        values, later, off, nexts = [None] * model.steps, 0.0, 0.0, None
        for h in reversed(range(model.steps)):
            here = pay[h][self.feature]  # [node,y,a]
            by = (1 - b) * here[:, 0] + b * here[:, 1]  # [node,a]
            greatest = 1.01 * np.abs(pay[h]).max()
            if h + 1 < model.steps:
                node, lower, upper = self.steps[model.period[h]]
                by = by + (lower * nexts[node] + upper * nexts[np.minimum(node + 1, len(nexts) - 1)]).sum(axis=2)
                off += self.off[model.period[h]] * later
            off += (2 * self.width + 12) * EPS * (later + greatest)
            p = np.stack([lo[h][self.feature], hi[h][self.feature]])
            nexts = values[h] = ((1 - p) * by[:, 0] + p * by[:, 1]).max(axis=0)
            later += greatest
        return values, 2 * off, later

    def worth(self, values, mass):
        """Of people at [...,x,y] at a step with these values."""
        x = np.broadcast_to(np.arange(self.model.features), mass.shape[:-1])
        node, lower, upper, missing = self.land(x, mass)
        value = (lower * values[node] + upper * values[np.minimum(node + 1, len(values) - 1)]).sum(axis=-1)
        return value, missing.sum(axis=-1)

    def most(self, pay, lo, hi):
        values, off, later = self.values(pay, lo, hi)
        value, missing = self.worth(values[0], self.model.initial[self.g])
        return float(value + off + missing * later)


# --- Claims


class Sum:
    """A sum and by what rounding may be off in it."""

    def __init__(self):
        self.value, self.size, self.terms = 0.0, 0.0, 0

    def add(self, term, error=0.0):
        self.value += term
        self.size += abs(term) + error / EPS
        self.terms += 1

    @property
    def error(self):
        return 2 * (self.terms + 4) * EPS * self.size


class Checker:
    def __init__(self, model, proof):
        self.model, self.asked, self.bound = model, proof["asked"], proof.get("bound")
        self.capacity = self.asked.get("capacity", [])
        self.limits = limits_of(model, self.asked)
        self.scale = proof["scale"]
        need(len(self.scale) == len(self.limits), "/scale", "has another number of limits")
        for m, limit in enumerate(self.limits):
            need(len(self.scale[m]) == len(limit.groups), f"/scale/{m}", "has another number of groups")
            for s in self.scale[m]:
                need(0 < number(s, f"/scale/{m}") <= 1e6, f"/scale/{m}", "has another number than one above 0")
        together = self.asked["group_independent"]
        self.blocks = [list(range(model.groups))] if together else [[g] for g in range(model.groups)]
        self.beliefs = [Beliefs(model, g, whole(proof["beliefs"], "/beliefs", 1000)) for g in range(model.groups)]

    # A place has `boxes` [block] (lo, hi) [h,x], and `low` and `high`, the ends of ranges by name.

    def everywhere(self):
        shape = (self.model.steps, self.model.features)
        floor = self.asked["floor"]
        ceiling = 1 - floor if self.asked["floor_kind"] == "two_sided" else 1.0
        place = {
            "boxes": [(np.full(shape, floor), np.full(shape, ceiling)) for _ in self.blocks],
            "low": {},
            "high": {},
        }
        for m, limit in enumerate(self.limits):
            for i, fixed in enumerate(limit.fixed):
                place["low"][f"N {m} {i}"] = 0.0
                place["high"][f"N {m} {i}"] = self.model.most_people / (fixed or 1) * (1 + 8 * EPS)
                if not fixed:
                    place["low"][f"D {m} {i}"], place["high"][f"D {m} {i}"] = 0.0, self.model.most_people
            for i, j in itertools.combinations([i for i, fixed in enumerate(limit.fixed) if not fixed], 2):
                place["low"][f"d {m} {i} {j}"], place["high"][f"d {m} {i} {j}"] = -INF, INF
            place["low"][f"t {m}"], place["high"][f"t {m}"] = -INF, INF
        for h in range(len(self.capacity)):
            place["low"][f"A {h}"], place["high"][f"A {h}"] = 0.0, self.model.most_people
        self.narrow_rates(place)
        return place

    def narrow_rates(self, place):
        """A rate lies between the entries of its step."""
        for m, limit in enumerate(self.limits):
            boxes = [
                box for box, groups in zip(place["boxes"], self.blocks, strict=True) if set(groups) & set(limit.groups)
            ]
            low = min(box[0][limit.step].min() for box in boxes) - 1e-6
            high = max(box[1][limit.step].max() for box in boxes) + 1e-6
            place["low"][f"t {m}"] = max(place["low"][f"t {m}"], low)
            place["high"][f"t {m}"] = min(place["high"][f"t {m}"], high)

    def range_of(self, place, name):
        kind, *index = name.split(" ")
        m, *ij = map(int, index)
        if kind in "we":  # a product
            ends = list(itertools.product(self.range_of(place, f"t {m}"), self.range_of(place, other_factor(name))))
            return self.outward(min(a * b for a, b in ends), max(a * b for a, b in ends))
        low, high = place["low"][name], place["high"][name]
        if kind != "d":
            return low, high
        (i, j), s = ij, self.scale[m]
        at = place["low"], place["high"]
        known = [s[i] * at[e][f"D {m} {i}"] - s[j] * at[1 - e][f"D {m} {j}"] for e in (0, 1)]
        size = s[i] * at[1][f"D {m} {i}"] + s[j] * at[1][f"D {m} {j}"]
        return max(low, known[0] - 8 * EPS * size), min(high, known[1] + 8 * EPS * size)

    @staticmethod
    def outward(low, high):
        return low - 4 * EPS * abs(low), high + 4 * EPS * abs(high)

    def is_empty(self, place):
        return any(low > high for low, high in (self.range_of(place, name) for name in place["low"]))

    def most(self, claim, place, where):
        """What the claim's quantity is at the most, or minus it for the lower end of a range."""
        total, left = Sum(), {}

        def take(name, amount, error=0.0):
            left.setdefault(name, Sum()).add(-amount, error)

        about = claim["of"].split(" ", 1)
        if about[0] != "nothing":
            take("V" if about[0] == "value" else about[1], 1.0 if about[0] == "low" else -1.0)
        for price in [*claim.get("rows", {}).values(), *claim.get("ranges", {}).values()]:
            need(abs(number(price, where)) <= GREATEST, where, "has a price without measure")
        for name, y in claim.get("rows", {}).items():
            self.add_row(name, number(y, f"{where}/rows"), place, total, take, f"{where}/rows/{name}")
        for name, z in claim.get("ranges", {}).items():
            need(name in place["low"] or self.is_product(name), f"{where}/ranges", f"there is no {name}")
            low, high = self.range_of(place, name)
            total.add(max(number(z, where) * low, z * high))
            take(name, z)
        for name in [name for name in left if name[0] in "de"]:
            kind, m, i, j = name.split(" ")
            for k, sign in ((i, -1), (j, 1)):
                amount = left[name].value * self.scale[int(m)][int(k)] * sign
                error = left[name].error * self.scale[int(m)][int(k)] + 4 * EPS * abs(amount)
                take(f"{'D' if kind == 'd' else 'w'} {m} {k}", amount, error)
        paid, doubt = self.pay_of(left, place, total)
        for block, groups in enumerate(self.blocks):
            how = claim["tables"][block] if "tables" in claim else []
            total.add(self.most_of(groups, paid, place["boxes"][block], how, f"{where}/tables/{block}"))
        return total.value + total.error + doubt

    def is_product(self, name):
        kind, *index = name.split(" ")
        if not all(i.isdigit() for i in index) or not index or int(index[0]) >= len(self.limits):
            return False
        fixed = self.limits[int(index[0])].fixed
        others = [int(i) for i in index[1:]]
        proper = len(others) == 1 if kind == "w" else kind == "e" and len(others) == 2 and others[0] < others[1]
        return (
            proper
            and name.split() == [kind, *map(str, map(int, index))]
            and all(i < len(fixed) and not fixed[i] for i in others)
        )

    def add_row(self, name, y, place, total, take, where):
        if name == "cutoff":
            need(self.bound is not None and y <= 0, where, "has a price of the wrong sign, or there is no bound")
            total.add(y * self.bound)
            take("V", y)
            return
        kind, *index = name.split(" ")
        if kind == "capacity":
            need(index and name in [f"capacity {h}" for h in range(len(self.capacity))], where, "there is no such row")
            need(y >= 0, where, "has a price of the wrong sign")
            total.add(y * (self.capacity[int(index[0])] + TOLERANCE))
            take(f"A {index[0]}", y)
            return
        if kind in ("w", "e"):
            product, side = name.rsplit(" ", 1)
            need(self.is_product(product) and side in tuple("0123"), where, "there is no such row")
            need(y >= 0 if side in "23" else y <= 0, where, "has a price of the wrong sign")
            t, other = f"t {index[0]}", other_factor(product)
            a, b = self.range_of(place, t), self.range_of(place, other)
            at_a, at_b = a[side in "13"], b[side in "12"]
            total.add(-y * at_a * at_b, 4 * EPS * abs(y * at_a * at_b))
            take(product, y)
            take(t, -y * at_b)
            take(other, -y * at_a)
            return
        need(
            all(i.isdigit() for i in index) and index and int(index[0]) < len(self.limits),
            where,
            "there is no such row",
        )
        m, *ij = map(int, index)
        limit = self.limits[m]
        need(name == " ".join([kind, str(m), *map(str, ij)]), where, "there is no such row")
        need(all(i < len(limit.groups) for i in ij), where, "there is no such row")
        allowed = limit.limit + TOLERANCE
        if kind == "pair" and len(ij) == 2 and ij[0] < ij[1] and all(limit.fixed[i] for i in ij):
            total.add(abs(y) * allowed)
            take(f"N {m} {ij[0]}", y)
            take(f"N {m} {ij[1]}", -y)
            return
        need(kind in ("up", "low") and len(ij) == 1, where, "there is no such row")
        need(y >= 0 if kind == "up" else y <= 0, where, "has a price of the wrong sign")
        take(f"N {m} {ij[0]}", y)
        if limit.fixed[ij[0]]:
            total.add(abs(y) * allowed / 2)
            take(f"t {m}", -y)
        else:
            take(f"w {m} {ij[0]}", -y)
            take(f"D {m} {ij[0]}", -abs(y) * allowed / 2)

    def pay_of(self, left, place, total):
        """What tables are paid, [g] of [h,x,y,a], and by what that may be off; the rest goes to `total`."""
        model = self.model
        paid = np.zeros((model.groups, model.steps, model.features, 2, 2))
        doubt = 0.0
        for name, amount in left.items():
            if name[0] in "de":
                continue
            if name == "V":
                factor = amount.value * model.discount ** np.arange(model.steps)
                paid += (model.share[:, None] * factor)[:, :, None, None, None] * model.reward[:, None]
                earned = (
                    (model.share[:, None, None, None] * np.abs(model.reward)).max() * model.groups * model.steps * 1.01
                )
                doubt += (amount.error + 16 * model.steps * EPS * abs(amount.value)) * earned
            elif name[0] == "A":
                paid[:, int(name[2:]), :, :, 1] += (amount.value * model.share)[:, None, None]
                doubt += 1.01 * (amount.error + 64 * EPS * abs(amount.value))
            elif name[0] in "tw":
                low, high = self.range_of(place, name)
                total.add(max(amount.value * low, amount.value * high), amount.error * max(abs(low), abs(high)))
            else:
                kind, m, i = name.split(" ")
                limit = self.limits[int(m)]
                whole = limit.fixed[int(i)] if kind == "N" and limit.fixed[int(i)] else 1.0
                for y in limit.labels:
                    paid[limit.groups[int(i)], limit.step, :, y, 1] += amount.value / whole
                    if kind == "D":
                        paid[limit.groups[int(i)], limit.step, :, y, 0] += amount.value
                doubt += 1.01 * (amount.error + 64 * EPS * abs(amount.value)) / whole
        return paid, 2 * doubt

    def most_of(self, groups, paid, box, how, where):
        """What tables of some groups earn at the most, gone through as the claim has it."""
        if isinstance(how, float):
            self.settle(groups, paid, box, how, where)
            return how
        remembering = lambda box: sum(self.beliefs[g].most(paid[g], *box) for g in groups)  # noqa: E731
        if not how:
            return remembering(box)
        open_boxes, most = [box], -INF  # what comes next in the tree is about the last of them
        for entry in how:
            need(open_boxes, where, "goes on after its end")
            lo, hi = open_boxes.pop()
            if entry == -1:
                most = max(most, remembering((lo, hi)))
                continue
            at = divmod(whole(entry, where, lo.size - 1), self.model.features)
            refusing, accepting = hi.copy(), lo.copy()
            refusing[at], accepting[at] = lo[at], hi[at]
            open_boxes += [(accepting, hi), (lo, refusing)]
        need(not open_boxes, where, "ends before all tables are gone through")
        return most

    def settle(self, groups, paid, box, enough, where):
        """No table earns more: step by step, what has been settled so far is either no longer able to, or goes on."""
        model, (lo, hi) = self.model, box
        values = {g: self.beliefs[g].values(paid[g], lo, hi) for g in groups}
        later = sum(values[g][2] for g in groups)
        off = sum(values[g][1] for g in groups) + 64 * model.steps * (model.features + 2) * EPS * later
        mass = {g: model.initial[g][None] for g in groups}  # [so far,x,y] of those that go on
        earned = np.zeros(1)
        for h in range(model.steps):
            both = [np.unique([lo[h, x], hi[h, x]]) for x in range(model.features)]
            need(np.prod([float(len(b)) for b in both]) * len(earned) < 5e7, where, "is too large to be settled")
            rows = np.array(list(itertools.product(*both)))  # [row,x] P(a=1)
            p = np.stack([1 - rows, rows], axis=-1)[None, :, :, None, :]  # [.,row,x,.,a]
            earned, ahead, bound = earned[:, None], {}, 0.0
            for g in groups:
                earned = earned + (mass[g][:, None, :, :, None] * p * paid[g][h]).sum(axis=(2, 3, 4))
                if h + 1 < model.steps:
                    moved = mass[g][:, :, :, None, None, None] * model.kernels[g, model.period[h]]  # [.,x,y,a,x1,y1]
                    moved = moved.sum(axis=2)  # [.,x,a,x1,y1]
                    ahead[g] = np.einsum("rxa,nxacd->nrcd", p[0, :, :, 0], moved)
                    value, missing = self.beliefs[g].worth(values[g][0][h + 1], ahead[g])
                    bound = bound + value + missing * later
            goes_on = earned + bound + off > enough
            mass = {g: ahead[g][goes_on] for g in ahead}
            earned = earned[goes_on]
        need(not goes_on.any(), where, "some table earns more")

    # --- The tree

    def narrow(self, part, place, where):
        """Whether nothing is left of the part."""
        done = self.is_empty(place)
        for i, claim in enumerate(part["claims"]):
            at = f"{where}/claims/{i}"
            need(not done, at, "nothing is left, but there are more claims")
            about = claim["of"].split(" ", 1)
            of_range = len(about) == 2 and about[0] in ("high", "low") and about[1][0] in "tDd"
            need(of_range or claim["of"] in ("value", "nothing"), f"{at}/of", "is no claim", 2)
            keys(claim, at, ("of", "to") if of_range else ("of",), ("rows", "ranges", "tables"))
            need("tables" not in claim or len(claim["tables"]) == len(self.blocks), at, "has another number of tables")
            need(not of_range or about[1] in place["low"], f"{at}/of", "there is no such quantity")
            most = self.most(claim, place, at)
            if not of_range:
                bound = self.bound if claim["of"] == "value" else -1e-300
                need(bound is not None and most <= bound, at, f"does not follow: {most!r} is what is proven")
                done = True
                continue
            end, to, sign = place[about[0]], number(claim["to"], f"{at}/to"), 1 if about[0] == "high" else -1
            need(most <= sign * to, f"{at}/to", f"does not follow: {sign * most!r} is what is proven")
            need(sign * to < sign * end[about[1]], f"{at}/to", "narrows nothing")
            end[about[1]] = to
            done = self.is_empty(place)
        return done

    def halves(self, split, place, where):
        """Both share the point at which they are split, so that nothing lies between them."""
        at = number(split["at"], where)
        most, least = (
            {"boxes": list(place["boxes"]), "low": dict(place["low"]), "high": dict(place["high"])} for _ in (0, 1)
        )
        if "rate" in split:
            keys(split, where, ("rate", "at", "at_most", "at_least"))
            t = f"t {whole(split['rate'], where, len(self.limits) - 1)}"
            need(place["low"][t] <= at <= place["high"][t], where, "is outside of the range")
            most["high"][t] = least["low"][t] = at
            return most, least
        keys(split, where, ("table", "step", "feature", "at", "at_most", "at_least"))
        block = whole(split["table"], where, len(self.blocks) - 1)
        entry = (
            whole(split["step"], where, self.model.steps - 1),
            whole(split["feature"], where, self.model.features - 1),
        )
        lo, hi = (end.copy() for end in place["boxes"][block])
        need(lo[entry] <= at <= hi[entry], where, "is outside of the box")
        before, after = hi.copy(), lo.copy()
        before[entry] = after[entry] = at
        most["boxes"][block], least["boxes"][block] = (lo, before), (after, hi)
        self.narrow_rates(most)
        self.narrow_rates(least)
        return most, least

    def run(self, parts):
        need(isinstance(parts, list) and parts, "/parts", "is no list of parts", 2)
        places = {0: self.everywhere()}
        for i, part in enumerate(parts):
            where = f"/parts/{i}"
            keys(part, where, ("claims",), ("split",))
            need(i in places, where, "is half of no part")
            place = places.pop(i)
            done = self.narrow(part, place, where)
            need(done or "split" in part, where, "is not done: something may be left of it")
            if "split" not in part:
                continue
            need(not done, where, "is split, although nothing is left of it")
            split = part["split"]
            halves = [whole(split[key], f"{where}/split", len(parts) - 1) for key in ("at_most", "at_least")]
            fresh = all(half > i and half not in places for half in halves)
            need(fresh and halves[0] != halves[1], f"{where}/split", "names no two later parts of its own")
            places.update(zip(halves, self.halves(split, place, f"{where}/split"), strict=True))


# --- The policy, and what it all says


def check_policy(model, proof, limits):
    accept = np.array(proof["policy"]["accept"], float)
    need(proof["policy"].get("groups", model.names) == model.names, "/policy/groups", "are not those of the model")
    accept = np.broadcast_to(accept, (model.groups, *accept.shape[-2:]))
    asked = proof["asked"]
    need(accept.shape == (model.groups, model.steps, model.features), "/policy", "is for another model")
    ceiling = 1 - asked["floor"] if asked["floor_kind"] == "two_sided" else 1.0
    inside = (accept >= asked["floor"]).all() and (accept <= ceiling).all()
    need(inside and not (asked["group_independent"] and (accept != accept[0]).any()), "/policy", "is not in the class")
    value, people = 0.0, []
    for g in range(model.groups):
        mass, here = model.initial[g], []
        for h in range(model.steps):
            here.append(mass)
            moved = mass[:, :, None] * np.stack([1 - accept[g, h], accept[g, h]], axis=-1)[:, None]  # [x,y,a]
            value += model.share[g] * model.discount**h * (moved * model.reward[g]).sum()
            mass = np.tensordot(moved, model.kernels[g, model.period[h]], 3) if h + 1 < model.steps else None
        people.append(here)
    sums = model.steps * (4 * model.features + 4)  # operations behind each number of people, all of them positive
    off = sums * EPS * model.steps * np.abs(model.reward).max()
    need(number(proof["value"], "/value") <= value - off, "/value", f"is more than the policy is worth: {value:.17g}")
    need(proof["value"] <= proof["bound"], "/value", "is more than the bound")
    for h, most in enumerate(asked.get("capacity", [])):
        mass = np.array([people[g][h].sum(axis=1) for g in range(model.groups)])
        need(
            (model.share[:, None] * mass * accept[:, h]).sum() <= most + 1.01 * TOLERANCE,
            "/policy",
            f"accepts more at step {h}",
        )
    for limit in limits:
        rates = []
        for g, fixed in zip(limit.groups, limit.fixed, strict=True):
            mass = people[g][limit.step][:, list(limit.labels)].sum(axis=1)
            if mass.sum() > 0:
                rates.append((mass * accept[g, limit.step]).sum() / (fixed or mass.sum()))
        gap = max(rates) - min(rates) if rates else 0
        need(
            gap <= limit.limit + 1.01 * TOLERANCE,
            "/policy",
            f"misses a limit at step {limit.step} by {gap - limit.limit}",
        )


def statement_of(proof, model):
    asked = proof["asked"]
    text, joined = "no policy", " that"
    if asked["group_independent"]:
        text, joined = text + " that is the same for all groups", " and"
    if asked["floor"] > 0:
        text += f"{joined} accepts everybody with a probability of at least {asked['floor'].text}"
        text, joined = text + (" and refuses with no less" if asked["floor_kind"] == "two_sided" else ""), " and"

    def numbers(values, unit=""):
        if all(value == values[0] for value in values):
            return f"{values[0].text}{unit} at every step"
        return ", ".join(value.text for value in values) + f"{unit} step by step"

    limits = [f"{one['fairness']} within {numbers(one['limit'])}" for one in asked["limits"]]
    limits[:1] = ["keeps " + limit for limit in limits[:1]]
    if "capacity" in asked:
        limits.append("accepts no more than " + numbers(asked["capacity"], " of all people"))
    people = f"over {model.steps} step{'' if model.steps == 1 else 's'}"
    if "bound" not in proof:
        return f"there is {text}{joined} {', and '.join(limits)} {people}"
    if limits:
        text += f"{joined} {', and '.join(limits)}"
    text += f" is worth more than {proof['bound'].text} {people}"
    return text + (f"; this one is worth at least {proof['value'].text}" if "value" in proof else "")


def other_factor(product):
    """w is t times D, and e is t times d."""
    return {"w": "D", "e": "d"}[product[0]] + product[1:]


def check(text, model_text):
    """What the proof says, if it proves it."""
    proof = parsed(text, "")
    need(isinstance(proof, dict) and proof.get("schema") == "fairstep/proof/1", "", "is no fairstep/proof/1", 2)
    body, seal = text.rsplit(',\n  "sha256": "', 1) if ',\n  "sha256": "' in text else ("", "")
    need(seal == hashlib.sha256(body.encode()).hexdigest() + '"\n}\n', "/sha256", "it is not what was written", 2)
    required = ("schema", "statement", "model_sha256", "asked", "beliefs", "scale", "parts", "sha256")
    keys(proof, "", required, ("bound", "value", "policy"))
    digest = hashlib.sha256(model_text.encode()).hexdigest()
    need(proof["model_sha256"] == digest, "/model_sha256", "is the fingerprint of another model")
    model, asked = Model(parsed(model_text, "model")), proof["asked"]
    keys(asked, "/asked", ("limits", "floor", "floor_kind", "group_independent"), ("capacity",))
    for share in asked.get("capacity", []):
        need(
            len(asked["capacity"]) == model.steps and 0 <= number(share, "/asked/capacity") <= 1,
            "/asked/capacity",
            "is none",
        )
    need(asked.get("capacity", True), "/asked/capacity", "is empty")
    need(asked["floor_kind"] in ("two_sided", "accept_only"), "/asked/floor_kind", "is none", 2)
    need(isinstance(asked["group_independent"], bool), "/asked/group_independent", "is neither true nor false", 2)
    need(
        0 <= number(asked["floor"], "/asked/floor") <= (0.5 if asked["floor_kind"] == "two_sided" else 1),
        "/asked",
        "is no floor",
    )
    for one in asked["limits"]:
        keys(one, "/asked/limits", ("fairness", "limit"))
        need(
            one["fairness"] in EVENTS and len(one["limit"]) == model.steps, "/asked/limits", "is no limit for each step"
        )
        need(all(0 <= number(limit, "/asked/limits") <= 1 for limit in one["limit"]), "/asked/limits", "is no limit")
    need(whole(proof["beliefs"], "/beliefs", 1000) >= 2, "/beliefs", "is less than 2", 2)
    if "bound" in proof:
        number(proof["bound"], "/bound")
    need(("bound" in proof) >= ("value" in proof) == ("policy" in proof), "", "has a policy without its value or bound")
    need(
        "bound" in proof or asked["limits"] or "capacity" in asked,
        "/asked",
        "there is no limit that a policy could miss",
    )
    need(proof["statement"] == statement_of(proof, model), "/statement", "says something else")
    checker = Checker(model, proof)
    if "policy" in proof:
        check_policy(model, proof, checker.limits)
    checker.run(proof["parts"])
    return proof["statement"]


def main():
    if len(sys.argv) != 3:
        print(__doc__.strip().splitlines()[0], file=sys.stderr)
        return 2
    try:
        with (
            open(sys.argv[1], encoding="utf-8", newline="") as proof,
            open(sys.argv[2], encoding="utf-8", newline="") as model,
        ):
            print("holds:", check(proof.read(), model.read()))
        return 0
    except Refused as refused:
        print("does not hold:" if refused.code == 1 else "not a proof of this:", refused, file=sys.stderr)
        return refused.code
    except (KeyError, IndexError, TypeError, AttributeError, ValueError, RecursionError) as error:
        print(f"not a proof of this: {error!r}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
