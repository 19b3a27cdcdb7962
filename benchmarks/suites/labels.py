"""Labels seen for the accepted only: how wide certificates are, beside the same log with all of its labels."""

from typing import Any

from measure import Table, lines_of, program


def measure(full: bool) -> list[dict[str, Any]]:
    return lines_of(program("hidden_labels_scenarios"))


def width(value: float) -> str:
    return f"{value:.4f}"


def tables(rows: list[dict[str, Any]]) -> list[Table]:
    cells = [
        [
            row["practice"],
            f"2^{row['people'].bit_length() - 1}",
            *(width(row[key]) for key in ("states", "all", "by_design")),
            f"{row['by_design'] / row['all']:.2f}",
            f"{row['by_design'] / row['states']:.2f}",
            *(width(row[key]) for key in ("odds_2", "anything")),
        ]
        for row in rows
    ]
    head = ["accepted by", "people of each group", "all, by states", "all", "hidden, `like-accepted`", "/ all"]
    return [
        Table(
            "fico: the widest range of P(a=1 given y=1) of any group and step, delta 0.05. The labels of those refused "
            "are seen (all) or hidden; but for the first column labels follow features.",
            [*head, "/ all, by states", "hidden, `odds=2`", "hidden, `anything`"],
            cells,
        )
    ]
