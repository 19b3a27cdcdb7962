"""Evaluation and single draws beside the arithmetic that they cannot do without (Google Benchmark, CPU time)."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from measure import Table, in_words, program, times_as

# What a benchmark is measured against, in the same run, and what the ratio means.
PEERS = {
    "both_passes/5/8": ("bare_multiply_adds/5/8", "the bare multiply-adds"),
    "both_passes/20/20": ("bare_multiply_adds/20/20", "the bare multiply-adds"),
    "both_passes/100/20": ("bare_multiply_adds/100/20", "the bare multiply-adds"),
    "whole_evaluation/5/8": ("both_passes/5/8", "its two passes"),
    "whole_evaluation/20/20": ("both_passes/20/20", "its two passes"),
    "whole_evaluation/100/20": ("both_passes/100/20", "its two passes"),
    "robust_rates/5/8": ("whole_evaluation/5/8", "one evaluation"),
    "robust_rates/20/20": ("whole_evaluation/20/20", "one evaluation"),
    "robust_rates/100/20": ("whole_evaluation/100/20", "one evaluation"),
    "people_fico/1": ("random_numbers_of_people_fico", "its random numbers alone"),
    "people_with_noise_and_participation/1": ("people_fico/1", "people_fico"),
    "people_100_features/1": ("people_fico/1", "people_fico"),
    "crowd_fico/1000000": ("crowd_fico/1000", "a thousand people"),
    "crowd_fico/1000000000000": ("crowd_fico/1000", "a thousand people"),
    "crowd_fico/1000000000000000": ("crowd_fico/1000", "a thousand people"),
}
SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1}


def fastest(room: str, repetitions: int, only: str = "") -> dict[str, dict[str, Any]]:
    """{benchmark: its fastest run}, with `seconds`, and `items` a second where it counts any."""
    options = ["--benchmark_min_time=0.1", f"--benchmark_repetitions={repetitions}"]
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out.json"
        words = [program(f"{room}_bench"), f"--benchmark_out={out}", f"--benchmark_filter={only or '.'}", *options]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"{room}_bench failed:\n{done.stderr}")
        runs = [run for run in json.loads(out.read_text())["benchmarks"] if run["run_type"] == "iteration"]
    best: dict[str, dict[str, Any]] = {}
    for run in runs:
        if run.get("error_occurred"):
            sys.exit(f"{run['name']}: {run['error_message']}")
        seconds = run["real_time" if "real_time" in run["name"] else "cpu_time"] * SECONDS[run["time_unit"]]
        if run["name"] not in best or seconds < best[run["name"]]["seconds"]:
            best[run["name"]] = {"seconds": seconds, "items": run.get("items_per_second")}
    return best


def measure(full: bool) -> list[dict[str, Any]]:
    rows = []
    for room in ("evaluate", "simulate"):
        best = fastest(room, 15 if full else 3)
        for name, run in best.items():
            row = {"benchmark": name, **run}
            if name in PEERS:
                peer, meaning = PEERS[name]
                row |= {"ratio": run["seconds"] / best[peer]["seconds"], "to": meaning}
            rows.append(row)
    return rows


def tables(rows: list[dict[str, Any]]) -> list[Table]:
    cells = [
        [
            f"`{row['benchmark']}`",
            in_words(row["seconds"]),
            f"{times_as(row['ratio'])} times {row['to']}" if "ratio" in row else "",
            f"{row['items'] / 1e6:,.0f} million" if row.get("items") else "",
        ]
        for row in rows
    ]
    return [Table("Arguments are features and steps, threads, or people.", ["", "time", "", "items a second"], cells)]
