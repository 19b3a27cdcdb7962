"""The paper's whole experiment: wall time on all processors, solves a second, and how much of it is proven."""

import json
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from measure import ROOT, Table, fairstep, in_words, percent, times_as


def measure(full: bool) -> Iterator[dict[str, Any]]:
    for name in ["quick", "paper"] + (["paper-certified"] if full else []):
        with tempfile.TemporaryDirectory() as place:
            begin = time.time()
            answer = fairstep("experiment", ROOT / "configs" / f"{name}.toml", "-o", "run", folder=Path(place))
            timing = json.loads((Path(place) / "run/timing.json").read_text())
        yield {
            "config": name,
            "seconds": time.time() - begin,
            "cpu": answer["cpu"],
            "solves": timing["solves"],
            "certified": timing["certified"],
            "worst": timing["worst_gap"],
        }


def tables(rows: list[dict[str, Any]]) -> list[Table]:
    cells = [
        [
            f"`configs/{row['config']}.toml`",
            in_words(row["seconds"]),
            times_as(row["cpu"] / row["seconds"]),
            f"{row['solves']:,}",
            f"{row['solves'] / row['seconds']:.3g}",
            percent(row["certified"] / row["solves"]),
            percent(row["worst"]) if row["certified"] else "-",
        ]
        for row in rows
    ]
    head = ["", "by the clock", "processors busy", "solves", "a second", "proven to 0.1 %", "worst gap"]
    return [Table("On all processors, from the first solve on the true populations to the last file.", head, cells)]
