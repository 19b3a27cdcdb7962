"""Counts of a log by the rules of docs/logs.md, once more: plain, slow, and sharing nothing with the engine.

Also makes logs that are wrong in every way that has a name.
"""

import csv
import itertools
import math
import random
import re
from collections import Counter, defaultdict
from pathlib import Path

ROLES = ("person", "step", "group", "x", "a", "y", "reward")
KINDS = [
    "malformed",
    "missing",
    "unreadable",
    "unknown",
    "out-of-range",
    "out-of-order",
    "duplicate",
    "conflict",
    "group-change",
    "gap",
]
NUMBER = re.compile(r"-?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")


MISSING = {"NA", "N/A", "?", "null", "NULL", "nan", "NaN"}


def clean(row):
    """Values without spaces around them; empty where there is none."""
    values = {role: text.strip(" ") for role, text in row.items()}
    return {role: "" if text in MISSING else text for role, text in values.items()}


def number(text):
    text = text.strip(" ")
    return float(text) if NUMBER.fullmatch(text) and math.isfinite(float(text)) else None


def binary(text, names):
    if text in names:
        return names.index(text)
    if text.lower() in ("false", "true"):
        return int(text.lower() == "true")
    value = number(text)
    return int(value) if value in (0, 1) else None


class Reference:
    """`rows` are dictionaries of text, in the order of the log, each with its file and its number there."""

    def __init__(self, rows, groups, features, first_step, horizon, bins=None):
        self.groups, self.features, self.bins = groups, features, bins
        self.first_step, self.horizon = first_step, horizon
        self.found = {}
        self.first, self.visits, self.transitions, self.unlabelled = Counter(), Counter(), Counter(), Counter()
        self.lost = {key: Counter() for key in ("first", "first_in_doubt", "decisions", "cells", "transitions")}
        self.unlabelled_first, self.unlabelled_moves = Counter(), Counter()
        self.feature_lost = {key: Counter() for key in self.lost}
        self.lost_rows = 0
        self.rewards = defaultdict(list)
        self.departures, self.arrivals, self.pairs, self.after_pairs = Counter(), Counter(), Counter(), Counter()
        self.unseen = Counter()
        people = defaultdict(list)
        for place, row in ((place, clean(row)) for place, row in rows):
            read = self.read(place, row)
            if read is None:
                continue
            if row["person"] == "":
                self.lose_row_of_anybody(read)
            else:
                people[row["person"]].append(read)
        self.people = 0
        for person in people.values():
            self.count(person)

    def note(self, kind, column, place):
        rows, first = self.found.get((kind, column), (0, place))
        self.found[kind, column] = (rows + 1, min(first, place))

    def feature(self, text):
        if self.bins is None:
            return self.features.index(text) if text in self.features else "unknown"
        value = number(text)
        if value is None:
            return "unreadable"
        below = [i for i, edge in enumerate(self.bins) if edge <= value]
        return below[-1] if below else "unknown"

    def read(self, place, row):
        """What is known of a row, None where it is not, and a note of the first thing that is wrong; None if the row is
        outside of the steps."""
        values, wrong = {"place": place}, []
        for role in ROLES:
            text = row[role]
            value = text
            if text == "":
                value = None if role == "y" else "missing"
            elif role == "step":
                step = number(text)
                value = "unreadable" if step is None or step != int(step) else int(step)
                if value != "unreadable" and not 0 <= value - self.first_step < self.horizon:
                    value = "out-of-range"
            elif role == "group":
                value = self.groups.index(text) if text in self.groups else "unknown"
            elif role == "x":
                value = self.feature(text)
            elif role in "ay":
                names = ("refuse", "accept") if role == "a" else ("unqualified", "qualified")
                value = binary(text, names)
                value = "unknown" if value is None else value
            elif role == "reward":
                value = number(text)
                value = "unreadable" if value is None or abs(value) > 1e100 else value
            if isinstance(value, str) and (role != "person" or text == ""):
                wrong.append((value, role))
                value = None
            values[role] = value
        if wrong:
            self.note(*wrong[0], place)
        elif values["y"] is None:
            self.note("missing", "y", place)
        if ("out-of-range", "step") in wrong:
            return None
        values["usable"] = not wrong
        values["strange"] = ("unknown", "group") in wrong
        return values

    def cells(self, row, groups):
        """All that a row may be, without its step."""
        every = [groups, range(len(self.features)), (0, 1), (0, 1)]
        known = [None, row["x"], row["y"], row["a"]]
        return list(
            itertools.product(*[many if one is None else [one] for one, many in zip(known, every, strict=True)])
        )

    def feature_cells(self, row, groups):
        """All that a row may be if labels are left out of account."""
        return sorted({(g, x, a) for g, x, _, a in self.cells(row, groups)})

    def lose(self, row, groups, goes_on, features=True):
        """`features`: something other than the label is missing."""
        self.lost_rows += 1
        steps = range(self.horizon) if row["step"] is None else [row["step"] - self.first_step]
        self.lost["decisions"].update(itertools.product(groups, steps))
        self.lost["cells"].update(self.cells(row, groups))
        if goes_on:
            self.lost["transitions"].update(self.cells(row, groups))
        if features:
            self.feature_lost["decisions"].update(itertools.product(groups, steps))
            self.feature_lost["cells"].update(self.feature_cells(row, groups))
            if goes_on:
                self.feature_lost["transitions"].update(self.feature_cells(row, groups))

    def lose_row_of_anybody(self, row):
        groups = range(len(self.groups)) if row["group"] is None else [row["group"]]
        self.lose(row, groups, goes_on=True)
        anything = dict.fromkeys(("group", "x", "y", "a"))
        self.lost["transitions"].update(self.cells(anything, groups))
        self.feature_lost["transitions"].update(self.feature_cells(anything, groups))
        for lost in (self.lost, self.feature_lost):
            lost["first"].update((g,) for g in groups)
            lost["first_in_doubt"].update((g,) for g in groups)

    def count(self, rows):
        usable = [row for row in rows if row["usable"]]
        for before, row in itertools.pairwise(usable):
            if row["step"] < before["step"]:
                self.note("out-of-order", None, row["place"])
        steps = defaultdict(list)
        unplaced = [row for row in rows if row["step"] is None]
        for row in rows:
            if row["step"] is None:
                continue
            said = [row[role] for role in ("group", "x", "y", "a", "reward")]
            alike = [one for one in steps[row["step"]] if [one[r] for r in ("group", "x", "y", "a", "reward")] == said]
            if row["usable"] and any(one["usable"] for one in alike):
                self.note("duplicate", None, row["place"])
            else:
                steps[row["step"]].append(row)
        for same in steps.values():
            if len(same) > 1:
                self.leave_out("conflict", same)
        named = {row["group"] for row in rows} - {None}
        strange = any(row["strange"] for row in rows)
        if len(named) + strange > 1:
            for step in sorted(steps):
                self.leave_out("group-change", steps[step])
        groups = range(len(self.groups)) if strange or not named else sorted(named)
        self.count_steps(steps, unplaced, groups)

    def leave_out(self, kind, rows):
        for row in rows:
            if row["usable"]:
                self.note(kind, None, row["place"])
            row["usable"] = False

    def count_steps(self, steps, unplaced, groups):
        order = sorted(steps)

        def whole(step):
            return step in steps and steps[step][0]["usable"] and steps[step][0]["y"] is not None

        self.people += any(row["usable"] for same in steps.values() for row in same)
        for before, step in itertools.pairwise(order):
            if before != step - 1:
                self.note("gap", None, min(row["place"] for row in steps[step]))
        for step in order:
            goes_on = bool(unplaced) or step + 1 in steps
            row = steps[step][0]
            if row["usable"]:  # what is known of features, whether there is a label or not
                cell = row["group"], row["x"], row["a"]
                if step + 1 in steps and steps[step + 1][0]["usable"]:
                    if not whole(step) or not whole(step + 1):
                        self.unlabelled_moves[(*cell, steps[step + 1][0]["x"])] += 1
                elif goes_on:
                    self.feature_lost["transitions"][cell] += 1
            if not whole(step):
                for row in steps[step]:
                    self.lose(row, groups, goes_on, features=not row["usable"])
                    if row["usable"]:
                        self.unlabelled[row["group"], step - self.first_step, row["x"], row["a"]] += 1
                continue
            row = steps[step][0]
            cell = row["group"], row["x"], row["y"], row["a"]
            self.visits[(cell[0], step - self.first_step, *cell[1:])] += 1
            self.rewards[cell].append(row["reward"])
            if whole(step + 1):
                after = steps[step + 1][0]
                self.transitions[(*cell, after["x"], after["y"])] += 1
            elif goes_on:
                self.lost["transitions"][cell] += 1
        if order and whole(order[0]) and not unplaced:
            first = steps[order[0]][0]
            self.first[first["group"], first["x"], first["y"]] += 1
        else:
            self.lost["first"].update((g,) for g in groups)
        if order and steps[order[0]][0]["usable"] and not unplaced:
            first = steps[order[0]][0]
            if first["y"] is None:
                self.unlabelled_first[first["group"], first["x"]] += 1
        else:
            self.feature_lost["first"].update((g,) for g in groups)
        for row in unplaced:
            self.lose(row, groups, goes_on=len(unplaced) + sum(map(len, steps.values())) > 1)
        self.count_history({step: steps[step][0] for step in order if whole(step)})

    def count_history(self, seen):
        """Of a person's rows with a label, by step."""

        def cell(step):
            return tuple(seen[step][role] for role in "xya")

        for step, row in seen.items():
            g, (x, y, a) = row["group"], cell(step)
            h = step - self.first_step
            known_before = step - 1 in seen
            if step + 1 in seen:
                to = cell(step + 1)[:2]
                self.departures[g, h, x, y, a] += 1
                self.arrivals[(g, h + 1, *to)] += 1
                if known_before:
                    self.pairs[(g, *cell(step - 1), x, y, a)] += 1
                    self.after_pairs[(g, *cell(step - 1), *to)] += 1
            elif h + 1 < self.horizon:
                k = 1 + 2 * cell(step - 1)[1] + cell(step - 1)[2] if known_before else 0
                self.unseen[g, k, x, y, a] += 1

    def history(self):
        g, x, h = len(self.groups), len(self.features), self.horizon
        return {
            "departures": self.table(self.departures, g, h, x, 2, 2),
            "arrivals": self.table(self.arrivals, g, h, x, 2),
            "pairs": self.table(self.pairs, g, x, 2, 2, x, 2, 2),
            "after_pairs": self.table(self.after_pairs, g, x, 2, 2, x, 2),
            "unseen": self.table(self.unseen, g, 5, x, 2, 2),
        }

    def table(self, counter, *lengths, index=()):
        if len(index) == len(lengths):
            return counter(index) if callable(counter) else counter[index]
        return [self.table(counter, *lengths, index=(*index, i)) for i in range(lengths[len(index)])]

    def counts(self):
        """The tables of a counts document."""
        g, x, h = len(self.groups), len(self.features), self.horizon
        rewards = self.rewards
        return {
            "first": self.table(self.first, g, x, 2),
            "visits": self.table(self.visits, g, h, x, 2, 2),
            "transitions": self.table(self.transitions, g, x, 2, 2, x, 2),
            "reward_sum": self.table(lambda cell: math.fsum(rewards[cell]), g, x, 2, 2),
            "reward_squares": self.table(lambda cell: math.fsum(r * r for r in rewards[cell]), g, x, 2, 2),
        }

    def losses(self):
        """`log.lost` of a counts document."""
        g, x, h = len(self.groups), len(self.features), self.horizon
        people = [sum(n for (of, _, _), n in self.first.items() if of == group) for group in range(g)]
        doubt = self.table(self.lost["first_in_doubt"], g)
        return {
            "first": self.table(self.lost["first"], g),
            "first_in_doubt": [min(pair) for pair in zip(doubt, people, strict=True)],
            "decisions": self.table(self.lost["decisions"], g, h),
            "cells": self.table(self.lost["cells"], g, x, 2, 2),
            "transitions": self.table(self.lost["transitions"], g, x, 2, 2),
        }

    def unlabelled_rows(self):
        """`log.unlabelled_rows` of a counts document."""
        g, x, h = len(self.groups), len(self.features), self.horizon
        first = self.table(self.unlabelled_first, g, x)
        labelled = self.table(self.first, g, x, 2)
        people = [sum(first[i]) + sum(map(sum, labelled[i])) for i in range(g)]
        doubt = self.table(self.feature_lost["first_in_doubt"], g)
        return {
            "first": first,
            "transitions": self.table(self.unlabelled_moves, g, x, 2, x),
            "lost": {
                "first": self.table(self.feature_lost["first"], g),
                "first_in_doubt": [min(pair) for pair in zip(doubt, people, strict=True)],
                "decisions": self.table(self.feature_lost["decisions"], g, h),
                "cells": self.table(self.feature_lost["cells"], g, x, 2),
                "transitions": self.table(self.feature_lost["transitions"], g, x, 2),
            },
        }

    def findings(self, files):
        """As in a counts document; places are (file, row)."""
        listed = []
        for (kind, column), (rows, (file, row)) in sorted(
            self.found.items(), key=lambda item: (KINDS.index(item[0][0]), item[0][1] or "")
        ):
            entry = {"kind": kind, "column": column, "rows": rows, "file": files[file], "row": row}
            listed.append({key: value for key, value in entry.items() if value is not None})
        return listed


COLUMNS = ["person", "group", "step", "x", "y", "a", "reward"]


def dirty_log(seed, people=60, horizon=5, first_step=0, censor=0.0, tidy=False):
    """Rows of text, person by person, then damaged unless `tidy`."""
    draw = random.Random(seed)
    rows = []
    for person in range(people):
        group = draw.choice("ab")
        start = draw.choice((0, 0, 0, 1))
        for step in range(start, draw.randint(start + 1, horizon)):
            rows.append(
                {
                    "person": str(person),
                    "group": group,
                    "step": str(step + first_step),
                    "x": draw.choice(("0", "10", "9")),
                    "y": str(draw.randint(0, 1)),
                    "a": str(draw.randint(0, 1)),
                    "reward": repr(draw.choice((0.1, 0.7, -0.3, 1e-9, 0.0, draw.gauss(0, 1)))),
                }
            )
    if tidy:
        return rows
    damage = {
        "person": ["", "NA"],
        "group": ["", "c", " a", "N/A"],
        "step": ["", "x", "1.5", "99", "-1", "2.0", "NULL"],
        "x": ["", "7", "?", " 9 "],
        "y": ["", "2", "true", "qualified", "1.0", "maybe", " 1"],
        "a": ["", "-1", "False", "accept", "yes", "null", "  "],
        "reward": ["", "abc", "inf", "1e300", " 0.25 ", "nan"],
    }
    for row in rows:
        if draw.random() < 0.15:
            role = draw.choice(list(damage))
            row[role] = draw.choice(damage[role])
        if row["a"] in ("0", "") and draw.random() < censor:
            row["y"] = ""
    for _ in range(people // 4):  # again, elsewhere, sometimes with another reward or group
        row = dict(draw.choice(rows))
        if draw.random() < 0.5:
            row["reward"] = "0.5"
        if draw.random() < 0.2:
            row["group"] = draw.choice("ab")
        rows.insert(draw.randrange(len(rows)), row)
    for _ in range(people // 4):  # missing steps
        rows.pop(draw.randrange(len(rows)))
    for row in draw.sample(rows, people // 10):  # groups that change
        row["group"] = draw.choice("ab")
    for _ in range(people // 4):  # neighbours swapped
        i = draw.randrange(len(rows) - 1)
        rows[i], rows[i + 1] = rows[i + 1], rows[i]
    return rows


def write_csv(path, rows, columns=COLUMNS):
    with Path(path).open("w", newline="") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n", extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)


def placed(rows, file=0):
    """With the places that a log of one file gives them."""
    return [((file, i + 1), row) for i, row in enumerate(rows)]
