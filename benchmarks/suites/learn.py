"""Whole learning runs of the paper's size: 16 updates, 8,000 evaluation episodes after each (CPU time, one thread)."""

import tempfile
from pathlib import Path
from typing import Any

from measure import Table, fairstep, in_words, lines_of, percent, program, times_as


def measure(full: bool) -> list[dict[str, Any]]:
    (floor,) = lines_of(program("growth"), "evaluate", "--features", 5, "--horizon", 8)
    rows = []
    with tempfile.TemporaryDirectory() as place:
        for world in ("fico", "synthetic"):
            fairstep("env", world, "-o", f"{world}.json", folder=Path(place))
            for notion in ("dp", "eqopt"):
                for relaxation in ("scaled", "tight"):
                    row: dict[str, Any] = {"world": world, "notion": notion, "relaxation": relaxation}
                    asked = [f"{world}.json", "--fairness", notion, "--relaxation", relaxation]
                    row["no_proof"] = fairstep("learn", *asked, "--no-proof", folder=Path(place))["cpu"]
                    proof = fairstep(
                        "learn", *asked, "--time-limit", 5 if full else 0.5, folder=Path(place), codes=(0, 3)
                    )
                    gaps = [update["gap_to_bound"] for update in proof["updates"]]
                    row |= {
                        "with_proof": proof["cpu"],
                        "evaluations": row["no_proof"] / floor["seconds"],
                        "updates": len(gaps),
                        "proven": sum(gap is not None and gap <= 1e-3 for gap in gaps),
                        "worst": None if None in gaps else max(gaps),
                    }
                    rows.append(row)
    return rows


def tables(rows: list[dict[str, Any]]) -> list[Table]:
    cells = [
        [
            f"{row['world']} {row['notion']}, {row['relaxation']}",
            in_words(row["no_proof"]),
            times_as(row["evaluations"]),
            in_words(row["with_proof"]),
            f"{row['proven']} of {row['updates']}",
            percent(row["worst"]),
        ]
        for row in rows
    ]
    head = ["run", "without proof", "in evaluations", "with proof", "proven to 0.1 %", "worst gap"]
    return [Table("Updates at 2^3 .. 2^18 episodes; the start of the command is included.", head, cells)]
