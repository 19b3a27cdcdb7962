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
        self.rewards = defaultdict(list)
        people = defaultdict(list)
        for place, row in rows:
            read = self.read(place, row)
            if read is not None:
                people[row["person"]].append((place, *read))
        self.people = len(people)
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
        """(step, g, x, y, a, reward), or None with a note of the first thing that is wrong."""
        values = []
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
            if isinstance(value, str) and role != "person":
                return self.note(value, role, place)
            if role == "person" and text == "":
                return self.note("missing", role, place)
            values.append(value)
        _, step, g, x, a, y, reward = values
        if y is None:
            self.note("missing", "y", place)
        return step, g, x, y, a, reward

    def count(self, rows):
        for before, row in itertools.pairwise(rows):
            if row[1] < before[1]:
                self.note("out-of-order", None, row[0])
        kept = {}
        for row in sorted(rows, key=lambda row: row[1]):
            step = row[1]
            if step not in kept:
                kept[step] = row
            else:
                self.note("duplicate" if kept[step][2:] == row[2:] else "conflict", None, row[0])
        group = kept[min(kept)][2]
        for step in list(kept):
            if kept[step][2] != group:
                self.note("group-change", None, kept.pop(step)[0])
        before = None
        for step in sorted(kept):
            place, _, g, x, y, a, reward = kept[step]
            h = step - self.first_step
            if before is not None and before[1] != step - 1:
                self.note("gap", None, place)
            if y is None:
                self.unlabelled[g, h, x, a] += 1
            else:
                self.visits[g, h, x, y, a] += 1
                self.rewards[g, x, y, a].append(reward)
                if before is None:
                    self.first[g, x, y] += 1
                elif before[1] == step - 1 and before[4] is not None:
                    self.transitions[before[2], before[3], before[4], before[5], x, y] += 1
            before = kept[step]

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
        "person": [""],
        "group": ["", "c"],
        "step": ["", "x", "1.5", "99", "-1", "2.0"],
        "x": ["", "7"],
        "y": ["", "2", "true", "qualified", "1.0", "maybe"],
        "a": ["", "-1", "False", "accept", "yes"],
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
