"""A log too large for one machine, counted where its rows are: Spark reads the files and brings the rows of each person
together, and the counter of `fairstep count` counts each part of the persons. What the parts say is put together here.
Rules about rows are the counter's alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from fairstep import _core
from fairstep._counting import Parts, _options
from fairstep._words import Kernel, kernel_wanted
from fairstep.spark.log import PLACE, LogError, Reading, columns_of, find_logs, is_parquet, read_csv, read_parquet

if TYPE_CHECKING:
    import pyarrow as pa

FILE = 1 << 44  # a place in the log is file * FILE + row, rows from 0


# What a task needs to know of the options.
SHIPPED = ("columns", "bins", "groups", "excluded_groups", "features", "labels", "actions", "first_step", "horizon")


def rows_of(
    spark: SparkSession, files: list[str], reading: Reading, map: dict[str, str], windows: bool, unlabelled: bool
) -> tuple[DataFrame, dict[str, str], list[tuple[int, int]]]:
    """Every row of every file with its place, the columns by role, and the lines (file, line) that are no rows."""
    log: DataFrame | None = None
    columns: dict[str, str] = {}
    malformed: list[tuple[int, int]] = []
    for number, file in enumerate(files):
        rows, bad = read_parquet(spark, file) if is_parquet(file) else read_csv(spark, file, reading)
        malformed += [(number, record + 2) for record in bad]
        here = columns_of([name for name in rows.columns if not name.startswith("_")], file, map, windows, unlabelled)
        rows = rows.select(
            *(f.col(f"`{column}`") for column in dict.fromkeys(here.values())),
            (f.lit(number * FILE) + f.col("_row")).alias(PLACE),
        )
        if log is not None and (here != columns or rows.dtypes != log.dtypes):
            raise LogError(f"the columns of {file} are not those of {files[0]}")
        columns, log = here, rows if log is None else log.union(rows)
    assert log is not None
    return log, columns, malformed


def counter(
    shipped: dict[str, Any],
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
    options = _options(**asked, delimiter=None, memory=600, temporary=None, threads=1)
    window = (asked["window"] or "month") if "time" in dict(options.columns) else None
    rows, columns, malformed = rows_of(
        spark, files, reading, dict(options.columns), window is not None, asked["censored"] == "drop"
    )
    together = rows.repartition(f.col(f"`{columns['person']}`"))
    shipped = {name: getattr(options, name) for name in SHIPPED}

    def parts_with(shares: bytes) -> list[bytes]:
        tasks = together.mapInArrow(
            counter(shipped, window, asked["censored"], asked["kernel"], shares, split), "part binary"
        )
        return [bytes(row["part"]) for row in tasks.collect()]

    log = _core.PartedLog(files, sorted(columns.items()), len(malformed), *min(malformed, default=(0, 0)), split)
    parts = parts_with(b"")
    shares = _core.label_shares(parts, log, options)
    return (parts_with(shares) if shares else parts), log, options


def count(spark: SparkSession, patterns: list[str], reading: Reading, **asked: Any) -> _core.Counts:
    """The counts, as `fairstep.count` makes them of the same files with the same options."""
    return _core.join_parts(*_counted(spark, patterns, reading, None, asked))


def split(spark: SparkSession, patterns: list[str], reading: Reading, halves: tuple[float, int], **asked: Any) -> Parts:
    """Those of the design and the audit part, as `fairstep.count` with `split` and `seed`, which are `halves`."""
    return Parts(*_core.join_split_parts(*_counted(spark, patterns, reading, halves, asked)))
