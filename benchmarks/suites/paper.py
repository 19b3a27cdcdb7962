"""The paper's whole experiment: wall time on all processors, solves a second, and how much of it is proven."""

import json
import re
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from measure import ROOT, Table, fairstep, in_words, percent, times_as

# With the 300 s a solve of configs/paper-certified.toml it takes days; with this, eight minutes on two processors.
SECONDS_A_SOLVE = 3


def config(name: str, seconds_a_solve: float | None, folder: Path) -> Path:
    """As it is, or with another time limit."""
    file = ROOT / "configs" / f"{name}.toml"
    if seconds_a_solve is None:
        return file
    text = re.sub(r"^time_limit = .*$", f"time_limit = {seconds_a_solve}", file.read_text(), flags=re.MULTILINE)
    changed = folder / file.name
    changed.write_text(text)
    return changed


def measure(full: bool) -> Iterator[dict[str, Any]]:
    for name, seconds in [("quick", None), ("paper", None)] + ([("paper-certified", SECONDS_A_SOLVE)] if full else []):
        with tempfile.TemporaryDirectory() as place:
            file = config(name, seconds, Path(place))
            begin = time.time()
            answer = fairstep("experiment", file, "-o", "run", folder=Path(place))
            timing = json.loads((Path(place) / "run/timing.json").read_text())
            seconds_by_clock = time.time() - begin
        yield {
            "config": name,
            "seconds_a_solve": seconds,
            "seconds": seconds_by_clock,
            "cpu": answer["cpu"],
            "solves": timing["solves"],
            "certified": timing["certified"],
            "worst": timing["worst_gap"],
        }


def tables(rows: list[dict[str, Any]]) -> list[Table]:
    cells = [
        [
            f"`configs/{row['config']}.toml`"
            + (f", at most {seconds} s a solve" if (seconds := row.get("seconds_a_solve")) else ""),
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
