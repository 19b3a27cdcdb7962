"""Counting a log, beside DuckDB's bare GROUP BY and the same counts by Apache Spark in local mode."""

import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from measure import ROOT, Table, clock_and_cpu, fairstep, in_words, lines_of, program, times_as

FILE = "sorted.parquet"  # what ingest_scenarios calls its first log
CELL = "`group`, x, y, a"


def settings(folder: Path) -> dict[str, str]:
    """Of Spark, as quiet as it gets."""
    return {
        "spark.driver.memory": "8g",
        "spark.local.dir": str(folder),
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.host": "127.0.0.1",
    }


def query_by_spark(file: Path) -> Iterator[tuple[str, float]]:
    """What one would ask Spark for, in local mode and without a check of any row: the same GROUP BY as DuckDB's, and
    with it who came next."""
    from pyspark.sql import SparkSession

    spark = SparkSession.builder.master("local[*]").config(map=settings(file.parent)).getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    spark.read.parquet(str(file)).createOrReplaceTempView("log")
    bare = f"SELECT {CELL}, step, count(*), sum(reward), sum(reward * reward) FROM log GROUP BY {CELL}, step"
    of_person = "OVER (PARTITION BY person ORDER BY step)"
    moves = f"SELECT {CELL}, lead(x) {of_person} AS x1, lead(y) {of_person} AS y1 FROM log"
    successors = f"SELECT {CELL}, x1, y1, count(*) FROM ({moves}) GROUP BY {CELL}, x1, y1"
    try:
        for name, queries in (("the same `GROUP BY`", [bare]), ("that and successors", [bare, successors])):
            begin = time.time()
            for query in queries:
                spark.sql(query).collect()
            yield name, time.time() - begin
    finally:
        spark.stop()


def count_by_spark(rows: int) -> dict[str, Any]:
    """A file counted by `fairstep count` and by `python -m fairstep.spark`, which checks every row as the first does;
    Spark's start is included: that is what a user waits for."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        fairstep("env", "fico", "-o", "fico.json", folder=folder)
        fairstep("policy", "fico.json", "--uniform", 0.5, "-o", "coin.json", folder=folder)
        people = rows // 8
        fairstep("simulate", "fico.json", "coin.json", "--people", people, "-o", "log.csv", folder=folder)
        begin = time.time()
        ours_cpu = fairstep("count", "log.csv", "-o", "ours.json", folder=folder)["cpu"]
        ours = time.time() - begin
        environment = os.environ | {"PYTHONPATH": str(ROOT / "build/python"), "PYSPARK_PYTHON": sys.executable}
        words = [sys.executable, "-m", "fairstep.spark", "--input", "log.csv", "--output", "theirs.json"]
        words += ["--master", "local[*]"]
        words += [word for name, value in settings(folder).items() for word in ("--conf", f"{name}={value}")]
        theirs, theirs_cpu = clock_and_cpu(words, folder, environment)
        same = (folder / "ours.json").read_bytes() == (folder / "theirs.json").read_bytes()
    return {
        "world": "spark",
        "log": "CSV, person by person",
        "rows": people * 8,
        "count": ours,
        "count_cpu": ours_cpu,
        "spark": theirs,
        "spark_cpu": theirs_cpu,
        "asked": "`python -m fairstep.spark`: " + ("the same bytes" if same else "OTHER BYTES"),
    }


def instances(full: bool) -> list[dict[str, Any]]:
    """What `--only` may name."""
    return [{"world": "spark"}]


def measure(full: bool, only: str | None = None) -> Iterator[dict[str, Any]]:
    if only:
        yield count_by_spark(10**7 if full else 10**6)
        return
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        rows = "1e8" if full else "1e7"
        large = lines_of(program("ingest_scenarios"), "--rows", rows, "--first", 1, "--keep", 1, "--folder", folder)[0]
        yield large
        for asked, seconds in query_by_spark(folder / FILE):
            yield {key: large[key] for key in ("log", "rows", "count")} | {"spark": seconds, "asked": asked}
    with tempfile.TemporaryDirectory() as place:
        yield from lines_of(program("ingest_scenarios"), "--rows", "1e7" if full else "1e6", "--folder", place)
    yield count_by_spark(10**7 if full else 10**6)


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
            row["asked"],
            in_words(row["spark"]),
            in_words(row["count"]),
            times_as(row["spark"] / row["count"]),
            times_as(row["spark_cpu"] / row["count_cpu"]) if "spark_cpu" in row else "-",
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
            "Spark in local mode on as many threads, once, by the clock; its start counts for whole commands only.",
            ["log", "rows", "Spark was asked for", "Spark", "`count`", "Spark / `count`", "in CPU time"],
            spark,
        ),
    ]
