"""A log too large for one machine, counted where its rows are: Spark reads the files and brings the rows of each person
together, and the counter of `fairstep count` counts each part of the persons. What the parts say is put together here.
Rules about rows are the counter's alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from fairstep import _core
from fairstep._counting import Parts, _options, _set_shape
from fairstep._words import Kernel, kernel_wanted
from fairstep.spark.log import PLACE, LogError, Reading, find_logs, is_parquet, read_csv, read_parquet

if TYPE_CHECKING:
    import pyarrow as pa

FILE = 1 << 44  # a place in the log is file * FILE + row, rows from 0


# What a task needs to know of the options.
SHIPPED = (
    "columns",
    "bins",
    "named_bins",
    "groups",
    "excluded_groups",
    "features",
    "labels",
    "actions",
    "first_step",
    "horizon",
)


# The same, as `fairstep.count` has them: they are said again in each task.
SHAPE = ("query", "recode", "wide", "step_from", "every", "missing")


def refuse_query(asked: dict[str, Any]) -> None:
    if asked.get("query") is not None:
        raise LogError(
            "query asks the whole log on one machine, and Spark brings each task a part of it: ask in Spark SQL "
            "instead, write what it makes as Parquet, and count that"
        )


def rows_of(
    spark: SparkSession, files: list[str], reading: Reading, options: _core.CountOptions
) -> tuple[DataFrame, list[str], list[tuple[str, str]], list[tuple[int, int]]]:
    """Every row of every file with its place, the columns of a person, those by role, and the lines (file, line) that
    are no rows."""
    log: DataFrame | None = None
    asked: tuple[list[str], list[str], list[tuple[str, str]]] = [], [], []
    malformed: list[tuple[int, int]] = []
    for number, file in enumerate(files):
        rows, bad = read_parquet(spark, file) if is_parquet(file) else read_csv(spark, file, reading)
        malformed += [(number, record + 2) for record in bad]
        here = _core.asked_columns([name for name in rows.columns if not name.startswith("_")], file, options)
        rows = rows.select(
            *(f.col(f"`{column}`") for column in here[0]),
            (f.lit(number * FILE) + f.col("_row")).alias(PLACE),
        )
        if log is not None and (here != asked or rows.dtypes != log.dtypes):
            raise LogError(f"the columns of {file} are not those of {files[0]}")
        asked, log = here, rows if log is None else log.union(rows)
    assert log is not None
    return log, asked[1], asked[2], malformed


def counter(
    shipped: dict[str, Any],
    shape: dict[str, Any],
    window: str | None,
    censored: str | None,
    kernel: Kernel | None,
    shares: bytes,
    split: tuple[float, int] | None,
) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """What a task does: a part of the rows in, what it says as one value out."""

    def count_batches(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        taken = [batch for batch in batches if batch.num_rows > 0]
        if not taken:
            return
        options = _core.CountOptions()
        for name, value in shipped.items():
            setattr(options, name, value)
        _set_shape(options, **shape)
        if window is not None:
            options.set_window(window)
        if censored is not None:
            options.set_censored(censored)
        if kernel is not None:
            options.set_kernel(kernel_wanted(kernel))
        said = _core.count_part(pa.Table.from_batches(taken), options, PLACE, shares, split)
        yield pa.record_batch([pa.array([said], pa.binary())], names=["part"])

    return count_batches


def _counted(
    spark: SparkSession, patterns: list[str], reading: Reading, split: tuple[float, int] | None, asked: dict[str, Any]
) -> tuple[list[bytes], _core.PartedLog, _core.CountOptions]:
    """What the tasks say, of which log, and how it was read."""
    spark.conf.set("spark.sql.csv.parser.columnPruning.enabled", "false")
    spark.conf.set("spark.sql.session.timeZone", "UTC")
    # A file is read twice and must fall into the same blocks, however many processors there are by then.
    spark.conf.set("spark.sql.files.minPartitionNum", spark.sparkContext.defaultParallelism)
    files = find_logs(patterns)
    options = _options(**asked, delimiter=None, encoding="utf-8", memory=600, temporary=None, threads=1)
    refuse_query(asked)
    window = (asked["window"] or "month") if "time" in dict(options.columns) else None
    rows, persons, roles, malformed = rows_of(spark, files, reading, options)
    # Persons are told apart without the spaces around their names.
    texts = {name for name, kind in rows.dtypes if kind == "string"}
    keys = [f.col(f"`{column}`") for column in persons]
    together = rows.repartition(
        *(f.trim(key) if column in texts else key for key, column in zip(keys, persons, strict=True))
    )
    shipped = {name: getattr(options, name) for name in SHIPPED}
    shape = {name: asked.get(name) for name in SHAPE}

    def parts_with(shares: bytes) -> list[bytes]:
        tasks = together.mapInArrow(
            counter(shipped, shape, window, asked["censored"], asked["kernel"], shares, split), "part binary"
        )
        return [bytes(row["part"]) for row in tasks.collect()]

    log = _core.PartedLog(files, roles, len(malformed), *min(malformed, default=(0, 0)), split)
    parts = parts_with(b"")
    shares = _core.label_shares(parts, log, options)
    return (parts_with(shares) if shares else parts), log, options


def count(spark: SparkSession, patterns: list[str], reading: Reading, **asked: Any) -> _core.Counts:
    """The counts, as `fairstep.count` makes them of the same files with the same options."""
    return _core.join_parts(*_counted(spark, patterns, reading, None, asked))


def split(spark: SparkSession, patterns: list[str], reading: Reading, halves: tuple[float, int], **asked: Any) -> Parts:
    """Those of the design and the audit part, as `fairstep.count` with `split` and `seed`, which are `halves`."""
    return Parts(*_core.join_split_parts(*_counted(spark, patterns, reading, halves, asked)))
