"""What a certificate says about its assumptions: the `history` in its counts, and the `diagnosis` that rests on it.

A diagnosis asks each group several questions (docs/diagnose.md), each by permuting what came of people within rows of
which the model says that nothing else matters. The permutations are not drawn again here. Everything else follows from
the counts and is derived: which questions are asked, which of them cannot be answered and why, every sentence. And
where a bound on the permutations shows that hardly any of them is as far off as the data, the answer must be "refuted".
"""

import itertools
import math

from certificate_form import flat, kernels, need, starts

LEVEL = 0.05
# Up to so many permutations are drawn, and more if the smallest p-value must be paid for more often. A question is
# called refuted as long as there are not two among them as far off as the data: HARDLY is how many there are on average
# at most.
DRAWN, MOST_DRAWN = 1_000, 100_000
HARDLY = 1e-4
NOTHING_VARIES = {
    "decision-by-label": "all with one feature at one step were decided alike, or all had one label",
    "leaving": "in no cell were next states seen of some and not of others who could be told apart",
}
NOTHING_VARIES["labels"] = "no feature was come to with both labels from two cells"
NO_TWO = "no cell with two next states was left by people who could be told apart"
# {} is the group, then the stratum that differs most.
SENTENCES = {
    "kernel-by-step": (
        "these data refute assumption 1 for group {}: one kernel for all steps predicts other states one step ahead "
        "than were seen, most of all at step {}",
        "group {}: states one step ahead are as one kernel for all steps predicts",
    ),
    "kernel-by-window": (
        "these data refute assumption 1 for group {}: one kernel for all times predicts other next states than were "
        "seen, most of all in the window from {}",
        "group {}: next states are as one kernel for all times predicts",
    ),
    "decision-by-label": (
        "these data refute that decisions about group {} looked at the feature only: they depend on the label given "
        "step and feature, most of all at step {}",
        "group {}: decisions do not depend on the label given step and feature",
    ),
    "leaving": (
        "these data speak against seeing being blind for group {}: given the cell, whether a next state is seen "
        "depends on the decision before",
        "group {}: whether a next state is seen does not depend on the decision before",
    ),
    "step-before": (
        "these data refute assumption 1 for group {}: given the cell, the next state depends on the decision before",
        "group {}: given the cell, the decision before does not matter",
    ),
    "labels": (
        "labels of group {} do not follow the feature alone: they depend on the cell before as well",
        "group {}: labels follow the feature, whatever the cell before was",
    ),
}


def chunks(nested, length):
    values = [int(n) for n in flat(nested)]
    return [values[i : i + length] for i in range(0, len(values), length)]


def add(lists):
    return [sum(column) for column in zip(*lists, strict=True)]


class People:
    """One group's tables, flat: cells are 4x + 2y + a, states 2x + y."""

    def __init__(self, counts, g):
        self.states = 2 * len(counts["features"])
        self.cells = 2 * self.states
        self.horizon = int(counts["horizon"])
        self.visits = chunks(counts["visits"][g], self.cells)  # [h][cell]
        self.first = [int(n) for n in flat(counts["first"][g])]
        self.changes, self.starts = "periods" in counts, starts(counts)
        kernel = [chunks(table, self.states) for table in kernels(counts, g)]
        self.rows = [row for rows in kernel for row in rows]  # [period, cell][s]
        self.next = [add(rows) for rows in zip(*kernel, strict=True)]  # [cell][s] over all steps
        self.left, self.came = [sum(row) for row in self.next], add(self.next)
        history = counts.get("history", {})
        self.departures = self.pairs = None
        if "departures" in history:
            self.departures = chunks(history["departures"][g], self.cells)  # [h][cell]
            self.arrivals = chunks(history["arrivals"][g], self.states)  # [h][s]
        if "pairs" in history:
            self.pairs = chunks(history["pairs"][g], self.cells)  # [cell before][cell]
            self.after = chunks(history["after_pairs"][g], self.states)  # [cell before][s]
            self.unseen = chunks(history["unseen"][g], self.cells)  # [class before][cell]
        windows = history.get("windows", [])
        self.window_departures = [chunks(w["departures"][g], self.cells)[0] for w in windows]
        self.window_arrivals = [chunks(w["arrivals"][g], self.states)[0] for w in windows]


def need_sound_history(counts):
    """Tables that add up to those of the counts."""
    history = counts.get("history")
    if history is None:
        return
    need(("departures" in history) == ("arrivals" in history), "history has one of departures and arrivals")
    pairs = sum(key in history for key in ("pairs", "after_pairs", "unseen"))
    need(pairs in (0, 3), "history has some of pairs, after_pairs and unseen")
    days = [window["from"] for window in history.get("windows", [])]
    ordered = all(a.encode() < b.encode() for a, b in itertools.pairwise(days))
    need(ordered, "history.windows are not in order")
    for g in range(len(counts["groups"])):
        group = People(counts, g)
        if group.departures:
            steps = zip(flat(group.departures), flat(group.visits), strict=True)
            need(all(n <= visits for n, visits in steps), "history.departures are more than visits")
            gone, come = [[sum(row) for row in table] for table in (group.departures, group.arrivals)]
            need(gone == [*come[1:], 0] and come[0] == 0, "history.departures do not arrive one step later")
            sums = add(group.departures) == group.left and add(group.arrivals) == group.came
            need(sums, "history.departures do not add up to the transitions")
        if group.pairs:
            sums = [sum(row) for row in group.pairs] == [sum(row) for row in group.after]
            need(sums, "history.pairs are not as many as after_pairs")
            fit = all(n <= left for n, left in zip(add(group.pairs), group.left, strict=True))
            need(fit, "history.pairs are more than the transitions")
            before_last = add([[0] * group.cells, *group.visits[:-1]])
            unseen = [n - left for n, left in zip(before_last, group.left, strict=True)]
            need(add(group.unseen) == unseen, "history.unseen does not add up to the visits")
        if days:
            gone, come = [list(map(sum, table)) for table in (group.window_departures, group.window_arrivals)]
            sums = add(group.window_departures) == group.left and add(group.window_arrivals) == group.came
            need(gone == come and sums, "history.windows do not add up to the transitions")


# --- The questions: rows of people, each with (how many in each stratum, how many of each outcome), and what was seen


def as_outcomes(group, states):
    """Above 32 next states neighbours are taken together."""
    number = min(group.states, 32)
    people = [0] * number
    for s, n in enumerate(states):
        people[s * number // group.states] += n
    return people


def by_step(group):
    if group.horizon < 3:
        return "it takes transitions at two steps, and there are only two steps in all"
    if not group.departures:
        return "these counts do not say at which step a next state was seen"
    sizes = []  # rows are the cells of each period, and only steps of the period are strata of them
    for start, end in zip(group.starts, [*group.starts[1:], group.horizon - 1], strict=True):
        for departures in zip(*group.departures[:-1], strict=True):
            sizes.append([n if start <= h < end else 0 for h, n in enumerate(departures)])
    rows = [(size, as_outcomes(group, states)) for size, states in zip(sizes, group.rows, strict=True)]
    return rows, [as_outcomes(group, states) for states in group.arrivals[1:]]


NEEDS_ONE_KERNEL = "it takes one kernel for all steps, and these counts have one for each period"


def by_window(group):
    if group.changes:
        return NEEDS_ONE_KERNEL
    sizes = zip(*group.window_departures, strict=True)
    rows = [(size, as_outcomes(group, states)) for size, states in zip(sizes, group.next, strict=True)]
    return rows, [as_outcomes(group, states) for states in group.window_arrivals]


def by_label(group):
    """Strata are step and label, outcomes the decisions."""
    rows, seen = [], []
    for h, visits in enumerate(group.visits):
        for x in range(0, group.cells, 4):
            sizes = [0] * (2 * group.horizon)
            sizes[2 * h], sizes[2 * h + 1] = visits[x] + visits[x + 1], visits[x + 2] + visits[x + 3]
            rows.append((sizes, [visits[x] + visits[x + 2], visits[x + 1] + visits[x + 3]]))
        seen += [[sum(visits[2 * y + a :: 4]) for a in (0, 1)] for y in (0, 1)]
    return rows, seen


def without_pairs(group):
    if group.horizon < 3:
        return "it takes three steps in a row, and there are fewer in all"
    return None if group.pairs else "these counts do not say which decision came before which"


def by_leaving(group):
    """Strata are classes of the decision before, outcomes whether the next state was seen."""
    if reason := without_pairs(group):
        return reason
    stayed = [[0] * group.cells for _ in range(5)]
    for before, row in enumerate(group.pairs):
        stayed[1 + before % 4] = add([stayed[1 + before % 4], row])
    stayed[0] = [left - n for left, n in zip(group.left, add(stayed[1:]), strict=True)]
    rows = []
    for unseen, seen in zip(zip(*group.unseen, strict=True), zip(*stayed, strict=True), strict=True):
        rows.append((add([unseen, seen]), [sum(unseen), sum(seen)]))
    return rows, [[sum(unseen), sum(seen)] for unseen, seen in zip(group.unseen, stayed, strict=True)]


def by_decision_before(group):
    """Strata are the decisions before (0 if none was seen), or above 64 cells their classes."""
    if reason := without_pairs(group):
        return reason
    if group.changes:
        return NEEDS_ONE_KERNEL
    each = group.cells <= 64
    strata = range(1 + group.cells) if each else range(5)
    pairs, after = [[0] * group.cells for _ in strata], [[0] * group.states for _ in strata]
    for before in range(group.cells):
        k = 1 + (before if each else before % 4)
        pairs[k], after[k] = add([pairs[k], group.pairs[before]]), add([after[k], group.after[before]])
    pairs[0] = [left - n for left, n in zip(group.left, add(pairs), strict=True)]
    after[0] = [came - n for came, n in zip(group.came, add(after), strict=True)]
    sizes = zip(*pairs, strict=True)
    rows = [(size, as_outcomes(group, states)) for size, states in zip(sizes, group.next, strict=True)]
    return rows, [as_outcomes(group, states) for states in after]


def by_cell_before(group):
    """Strata are the cells before (the last one: first states), outcomes the labels of those who came to a feature."""
    came = [*group.next, group.first]
    rows = []
    for x in range(0, group.states, 2):
        sizes = [row[x] + row[x + 1] for row in came]
        rows.append((sizes, [sum(row[x + y] for row in came) for y in (0, 1)]))
    return rows, [[sum(row[0::2]), sum(row[1::2])] for row in came]


QUESTIONS = {
    "kernel-by-step": by_step,
    "kernel-by-window": by_window,
    "decision-by-label": by_label,
    "leaving": by_leaving,
    "step-before": by_decision_before,
    "labels": by_cell_before,
}


def varies(row):
    return all(sum(n > 0 for n in part) > 1 for part in row)


def distances(rows, seen):
    """[stratum][outcome] (squared distance from what is expected in units of its variance, that, with replacement)"""
    table = [[float(n) for n in row] for row in seen]
    variance = [[0.0] * len(row) for row in seen]
    alone = [[0.0] * len(row) for row in seen]
    for sizes, outcomes in rows:
        n = sum(sizes)
        for k, size in enumerate(sizes):
            for o, times in enumerate(outcomes):
                if size > 0 and times > 0:
                    share, part = times / n, size / n
                    table[k][o] -= size * share
                    if varies((sizes, outcomes)):
                        spread = size * (1 - part) * share * (1 - share)
                        variance[k][o] += spread * (n / (n - 1))
                        alone[k][o] += spread / max(part, 1 - part, share, 1 - share)
    return [
        [(t * t / (v + 1), v, w) for t, v, w in zip(*parts, strict=True)]
        for parts in zip(table, variance, alone, strict=True)
    ]


def share_as_far(table):
    """At most this share of permutations is as far off in all: then one entry is, and for each Bernstein's inequality
    holds, with the variance of draws with replacement: of the stratum, the outcome, or all others, whichever is least.
    """
    entries = [entry for row in table for entry in row]
    free = [(v, w) for _, v, w in entries if v > 0]
    each = sum(far for far, _, _ in entries) * (1 - 1e-9) / len(free)
    share = 0.0
    for v, w in free:
        far = math.sqrt((v + 1) * each)
        share += 2 * math.exp(-far * far / (2 * (w + far / 3)))
    return share


def expected_sentences(question, counts, g, p_value):
    """What may be said."""
    name = counts["groups"][g]
    found = QUESTIONS[question](People(counts, g))
    reason = found if isinstance(found, str) else NOTHING_VARIES.get(question, NO_TWO)
    if isinstance(found, str) or not any(map(varies, found[0])):
        return None, [f"group {name}: {reason}"]
    table = distances(*found)
    refuted, plain = SENTENCES[question]
    if "periods" in counts and question == "kernel-by-step":
        refuted, plain = (text.replace("for all steps", "for all steps of a period") for text in (refuted, plain))
    drawn = max(DRAWN, len(counts["groups"]) * len(QUESTIONS) * 2 / LEVEL)
    if p_value is not None and p_value > LEVEL:
        hidden = drawn <= MOST_DRAWN and drawn * share_as_far(table) <= HARDLY
        return True, [] if hidden else [plain.format(name)]
    far = [sum(entry[0] for entry in row) for row in table]
    worst = [k for k, distance in enumerate(far) if distance >= max(far) * (1 - 1e-9)]
    if question == "kernel-by-step":
        worst = [k + 1 for k in worst]
    if question == "decision-by-label":
        worst = [k // 2 for k in worst]
    if question == "kernel-by-window":
        worst = [counts["history"]["windows"][k]["from"] for k in worst]
    return True, [refuted.format(name, k) for k in worst]


def wrong_in_diagnosis(claims, counts, labels_follow=False):
    windows = counts.get("history", {}).get("windows", [])
    left_out = {"kernel-by-window": not windows, "labels": not labels_follow}
    asked = [question for question in QUESTIONS if not left_out.get(question)]
    asked = [(question, g) for question in asked for g in range(len(counts["groups"]))]
    if [claim["test"] for claim in claims] != [question for question, _ in asked]:
        yield "/diagnosis: are not the questions that these counts are asked"
        return
    for i, (claim, (question, g)) in enumerate(zip(claims, asked, strict=True)):
        p_value, effect = claim["p_value"], claim["effect"]
        tested, sentences = expected_sentences(question, counts, g, p_value)
        numbers = [n is not None and 0 <= n <= 1 for n in (p_value, effect)]
        if numbers != [bool(tested)] * 2 or (not tested and (p_value, effect) != (None, None)) or p_value == 0:
            yield f"/diagnosis/{i}: p_value and effect are {'no shares' if tested else 'of what cannot be tested'}"
        elif claim["sentence"] not in sentences:
            expected = sentences[0] if sentences else "that these data refute it"
            yield f"/diagnosis/{i}/sentence: is {claim['sentence']}, expected {expected}"
