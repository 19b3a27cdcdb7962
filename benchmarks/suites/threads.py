"""A sweep of learning runs on one and on two threads: the speed-up by the clock, and whether every byte is the same."""

import tempfile
import time
from pathlib import Path
from typing import Any

from measure import ROOT, Table, fairstep, in_words

TIMING = "timing.json"


def tree(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file() and path.name not in (TIMING, ".lock"))
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def measure(full: bool) -> list[dict[str, Any]]:
    config = ROOT / "configs" / ("paper.toml" if full else "quick.toml")
    # In memory where there is some: the disk is not what is measured.
    place = "/dev/shm" if Path("/dev/shm").is_dir() else None
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory(dir=place) as folder:
        for threads in (1, 2):
            best = float("inf")
            for attempt in range(1 if full else 3):
                name = f"on-{threads}-{attempt}"
                begin = time.time()
                fairstep("experiment", config, "-o", name, "--threads", threads, folder=Path(folder))
                best = min(best, time.time() - begin)
            rows.append({"config": config.name, "threads": threads, "seconds": best})
        same = tree(Path(folder) / "on-1-0") == tree(Path(folder) / "on-2-0")
    rows[1] |= {"speed_up": rows[0]["seconds"] / rows[1]["seconds"], "same_bytes": same}
    return rows


def tables(rows: list[dict[str, Any]]) -> list[Table]:
    one, two = rows
    same = "the same" if two["same_bytes"] else "DIFFERENT"
    times = [in_words(one["seconds"]), in_words(two["seconds"]), f"{two['speed_up']:.2f}"]
    head = ["", "1 thread", "2", "speed-up", "files"]
    return [Table("By the clock: only a quiet machine shows it.", head, [[f"`configs/{one['config']}`", *times, same]])]
