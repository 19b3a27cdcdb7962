"""Certificates: their time, and how tight they are beside the truth, a bootstrap and the lemmas as data grow."""

from typing import Any

from measure import Table, in_words, lines_of, program, times_as

SHARE = 0.15  # of the people in the design part; the same in all rows
SHORT = "3,175, 2,103 and 509"


def measure(full: bool) -> list[dict[str, Any]]:
    return lines_of(program("certify_scenarios")) + lines_of(program("two_parts_scenarios"), "--share", SHARE)


def gap(width: float) -> str:
    return f"{width:.4f}"


def of_parts(rows: list[dict[str, Any]]) -> list[Table]:
    """What the people prove in two parts, beside what they prove as one."""
    times = [
        [row["time_of_parts"], in_words(row["whole"]), in_words(row["parts"]), in_words(row["check"])]
        for row in rows
        if "time_of_parts" in row
    ]
    pairs = [row for row in rows if "parts" in row and "people" in row]
    grown = []
    for people in dict.fromkeys(row["people"] for row in pairs):
        cells = [f"2^{people.bit_length() - 1}"]
        for row in (row for row in pairs if row["people"] == people):
            cells += [gap(row["today"]), gap(row["split"]), gap(row["bootstrap"])]
            cells.append(f"{row['split'] / row['bootstrap']:.1f}")
        grown.append(cells)
    column = ["G", "H", "bootstrap", "H / bootstrap"]
    worlds = [
        [row["worlds"], row["notion"], gap(row["today"]), gap(row["split"]), f"{row['today'] / row['split']:.1f}"]
        for row in rows
        if "worlds" in row
    ]
    short = [
        [
            row["short"],
            f"{row['first']} and {row['second']}",
            gap(row["estimated"]),
            gap(row["today"]),
            gap(row["split"]),
            gap(row["plain"]),
            f"{row['split'] / row['plain']:.2f}",
            f"{(row['split'] - row['estimated']) / (row['plain'] - row['estimated']):.2f}",
            f"{row['beyond_mean']:.2f}",
            f"{row['beyond_most']:.2f}",
        ]
        for row in rows
        if "short" in row
    ]
    share = f"{100 * SHARE:g} %"
    return [
        Table(
            f"fico in two parts, {share} of the people in the design part: dp at most, worst step, delta 0.05. G is "
            "the bound of the whole log, as without parts.",
            ["people of each group", *(f"coin: {name}" for name in column), *(f"met: {name}" for name in column)],
            grown,
        ),
        Table(
            f"Logs of a coin toss, 2^18 people of each group in all, {share} of them in the design part. The policy is "
            "the best one without a gap of the notion.",
            ["", "notion", "G", "H", "times narrower"],
            worlds,
        ),
        Table(
            f"One step, three groups of {SHORT} people, ten features, {share} of the people in the design part: dp at "
            "most for each pair, beside plain intervals from the same audit part (Clopper-Pearson where the policy is "
            "0 or 1, empirical Bernstein where it is not; six ends, a sixth of delta each). `beyond` is H / plain "
            "without the gap that the audit part shows, of this log and of 200.",
            ["policy", "groups of", "seen", "G, whole log", "H", "plain", "H / plain", "beyond", "mean", "greatest"],
            short,
        ),
        Table(
            "Time of `certify`, all three notions and the value, 2^18 people of each group.",
            ["", "the whole log", "in two parts", "`check` of that"],
            times,
        ),
    ]


def tables(rows: list[dict[str, Any]]) -> list[Table]:
    times = [
        [row["time"], in_words(row["certify"]), times_as(row["evaluations"]), in_words(row["check"])]
        for row in rows
        if "time" in row
    ]
    made = [
        Table(
            "Two groups, all three notions and the value, 2^18 people of each group.",
            ["", "`certify`", "in evaluations", "`check`"],
            times,
        )
    ]
    for name in dict.fromkeys(row["tightness"] for row in rows if "tightness" in row):
        of_world = [row for row in rows if row.get("tightness") == name]
        cells = [
            [
                f"2^{row['people'].bit_length() - 1}",
                f"{row['dp']:.4f}",
                f"{row['dp_followed']:.4f}",
                f"{row['dp_bootstrap']:.4f}",
                f"{row['dp_lemma']:.3g}",
                f"{row['eqopt']:.4f}",
                f"{row['eqopt_lemma']:.3g}",
                f"{row['value']:.4f}",
            ]
            for row in of_world
        ]
        truth = of_world[0]
        head = ["people of each group", "dp", "dp, `--followed`", "dp, bootstrap", "dp, lemma", "eqopt", "eqopt, lemma"]
        made.append(
            Table(
                f"{name}: the worst step's gap at most, at delta {truth['delta']}. In truth dp is "
                f"{truth['dp_truth']:.4f}, eqopt {truth['eqopt_truth']:.4f}, the value {truth['value_truth']:.4f}.",
                [*head, "value at least"],
                cells,
            )
        )
    return made + of_parts(rows)
