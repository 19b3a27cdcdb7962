"""Certificates: their time, and how tight they are beside the truth, a bootstrap and the lemmas as data grow."""

from typing import Any

from measure import Table, in_words, lines_of, program, times_as


def measure(full: bool) -> list[dict[str, Any]]:
    return lines_of(program("certify_scenarios"))


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
    return made
