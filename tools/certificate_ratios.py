"""What a certificate's rates and pairs say of ratios and of the whole episode, for check_certificate.py.

Arithmetic on its own claims, which are checked for themselves: the corollaries of Theorem G in docs/guarantees.md.
"""

from decimal import Decimal as D

from certificate_form import RATIOS, TOLERANCE, need
from certificate_sets import MARGIN

GAPS = {"dp-ratio": "dp", "eqopt-ratio": "eqopt"}


def need_sound_ratios(claims, names):
    """Exactly the keys that go together, and a reference that is a group."""
    for bound, estimate in (
        ("certified_ratio", "estimated_ratio"),
        ("certified_aggregate_gap", "estimated_aggregate_gap"),
    ):
        need((bound in claims) == (estimate in claims), f"/{estimate} goes with {bound}")
    need(
        "certified_aggregate_gap" not in claims or "dp" in claims["certified_gap"], "/certified_aggregate_gap needs dp"
    )
    need("reference" not in claims or "certified_ratio" in claims, "/reference goes with certified_ratio")
    need(claims.get("reference", names[0]) in names, "/reference is no group")
    ratios = claims.get("certified_ratio", {"dp-ratio": None})
    need(ratios, "/certified_ratio has no ratio")
    need(ratios.keys() == claims.get("estimated_ratio", ratios).keys(), "/estimated_ratio has other ratios")
    gaps = {GAPS[ratio] for ratio in claims.get("certified_ratio", ())}
    need(gaps <= claims["certified_gap"].keys(), "/certified_ratio goes with the gaps of the same rates")


def least_of_pair(above, below, gap):
    """The greatest rho with above >= rho * below for all rates within these ends that are at most gap apart.

    Where b is the rate below, the one above is at least max(its low end, b - gap). Divided by b the first falls with b
    and the second rises: the least is where they are the same, or at the end of b's range that is next to it."""
    low, high = below
    b = min(max(above[0] + gap, low), high)
    return max(above[0], b - gap) / b if b > 0 else D(1)  # nothing is less than so many times 0


class Ratios:
    def __init__(self, claims, names):
        self.claims, self.groups = claims, range(len(names))
        self.reference = names.index(claims["reference"]) if "reference" in claims else None
        pairs = [(i, j) for i in self.groups for j in self.groups if i < j]
        self.pairs = dict(zip(pairs, claims["pairs"], strict=True))

    def gap(self, i, j, notion, h):
        return self.pairs[min(i, j), max(i, j)][notion][h]

    def least(self, ratio, h):
        """None where the rate below the line may be 0: the reference's, or the greatest of all."""
        rate, reference = self.claims["rates"][RATIOS[ratio]], self.reference
        ends = [(rate["low"][g][h], rate["high"][g][h]) for g in self.groups]
        below = self.groups if reference is None else [reference]
        if max(ends[g][0] for g in below) <= 0:
            return None
        found = [
            least_of_pair(ends[i], ends[j], self.gap(i, j, GAPS[ratio], h))
            for j in below
            for i in self.groups
            if i != j and ends[j][1] > 0
        ]
        return max(D(0), min(found + ([D(1)] if reference is None else [])))

    def estimated(self, ratio, h):
        rates = [of_group[h] for of_group in self.claims["rates"][RATIOS[ratio]]["estimate"]]
        there = [g for g in self.groups if rates[g] is not None]
        below = self.reference if self.reference is not None else max(there, key=lambda g: rates[g], default=None)
        if below not in there or rates[below] <= 0 or len(there) < 2:
            return None
        return min(rates[g] for g in there if g != below) / rates[below]

    def aggregate(self):
        """Over all steps: the widest gap of mean accepted shares, by the ends of rates or by the gaps of steps."""
        rate, widest = self.claims["rates"]["accept"], D(0)
        steps = range(len(rate["low"][0]))
        for i, j in self.pairs:
            above = [sum(rate["high"][a][h] - rate["low"][b][h] for h in steps) for a, b in ((i, j), (j, i))]
            by_steps = sum(self.gap(i, j, "dp", h) for h in steps)
            widest = max(widest, min(max(above), by_steps) / len(steps))
        return min(D(1), widest)

    def estimated_aggregate(self):
        means = [sum(of_group) / len(of_group) for of_group in self.claims["rates"]["accept"]["estimate"]]
        return max(means) - min(means)

    def wrong(self, shown):
        """What is not as it follows."""

        def unless(ok, place, found, expected):
            return [] if ok else [f"{place}: is {shown(found)}, expected {shown(expected)}"]

        def close(place, found, expected):
            scale = max(D(1), expected or D(0))
            ok = found is expected if None in (found, expected) else abs(found - expected) <= TOLERANCE * scale
            return unless(ok, place, found, expected)

        sentences = []
        for ratio, steps in self.claims.get("certified_ratio", {}).items():
            for h, found in enumerate(steps):
                least, place = self.least(ratio, h), f"{ratio}/{h}"
                ok = found is least
                if None not in (found, least):
                    ok = least - TOLERANCE * max(D(1), least) <= found <= least + MARGIN
                sentences += unless(ok, f"/certified_ratio/{place}", found, least)
                estimate = self.claims["estimated_ratio"][ratio][h]
                sentences += close(f"/estimated_ratio/{place}", estimate, self.estimated(ratio, h))
        if "certified_aggregate_gap" in self.claims:
            found, least = self.claims["certified_aggregate_gap"]["dp"], self.aggregate()
            ok = least - MARGIN <= found <= least + TOLERANCE
            sentences += unless(ok, "/certified_aggregate_gap/dp", found, least)
            estimate = self.claims["estimated_aggregate_gap"]["dp"]
            sentences += close("/estimated_aggregate_gap/dp", estimate, self.estimated_aggregate())
        return sentences
