"""Counting a log, beside DuckDB's bare GROUP BY and the same counts by Apache Spark in local mode."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from measure import ROOT, Table, fairstep, in_words, lines_of, program, times_as


def by_spark(rows: int) -> dict[str, Any]:
    """The same file counted by both, Spark's start included: that is what a user waits for."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        fairstep("env", "fico", "-o", "fico.json", folder=folder)
        fairstep("policy", "fico.json", "--uniform", 0.5, "-o", "coin.json", folder=folder)
        people = rows // 8
        fairstep("simulate", "fico.json", "coin.json", "--people", people, "-o", "log.csv", folder=folder)
        begin = time.time()
        fairstep("count", "log.csv", "-o", "ours.json", folder=folder)
        ours = time.time() - begin
        environment = os.environ | {"PYTHONPATH": str(ROOT / "python"), "PYSPARK_PYTHON": sys.executable}
        words = [sys.executable, "-m", "fairstep.spark", "--input", "log.csv", "--output", "theirs.json"]
        words += ["--master", "local[*]", "--conf", "spark.driver.memory=8g", "--conf", f"spark.local.dir={folder}"]
        begin = time.time()
        subprocess.run(words, cwd=folder, env=environment, check=True, capture_output=True)
        theirs = time.time() - begin
        same = (folder / "ours.json").read_bytes() == (folder / "theirs.json").read_bytes()
    return {"log": "CSV, beside Spark", "rows": people * 8, "count": ours, "spark": theirs, "same_bytes": same}


def measure(full: bool) -> Iterator[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as place:
        small = lines_of(program("ingest_scenarios"), "--rows", "1e7" if full else "1e6", "--folder", Path(place) / "a")
        large = lines_of(
            program("ingest_scenarios"), "--rows", "1e8" if full else "1e7", "--first", 1, "--folder", Path(place) / "b"
        )
    yield from [*large, *small]
    yield by_spark(10**8 if full else 10**6)


def tables(rows: list[dict[str, Any]]) -> list[Table]:
    cells = [
        [
            row["log"],
            f"{row['rows']:.0e}".replace("e+0", "e"),
            in_words(row["group_by"]),
            in_words(row["count"]),
            times_as(row["count"] / row["group_by"]),
            times_as(row["count_cpu"] / row["group_by_cpu"]),
            f"{row['megabytes']:.0f} MB",
        ]
        for row in rows
        if "group_by" in row
    ]
    spark = [
        [
            row["log"],
            f"{row['rows']:.0e}".replace("e+0", "e"),
            in_words(row["spark"]),
            in_words(row["count"]),
            times_as(row["spark"] / row["count"]),
            "the same" if row["same_bytes"] else "DIFFERENT",
        ]
        for row in rows
        if "spark" in row
    ]
    return [
        Table(
            "Least of several runs, by the clock; memory is the peak of the program so far.",
            ["log", "rows", "`GROUP BY`", "`count`", "ratio", "ratio in CPU time", "memory"],
            cells,
        ),
        Table(
            "One run each, by the clock; the start of Spark is included.",
            ["log", "rows", "Spark", "`count`", "Spark / `count`", "counts"],
            spark,
        ),
    ]
