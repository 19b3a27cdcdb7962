"""The files of a log as data frames whose rows have numbers, and what is asked of them."""

import glob
import os
from dataclasses import dataclass, field

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f
from pyspark.sql import types as t

ROLES = ("person", "step", "group", "x", "a", "y", "reward")


class LogError(Exception):
    """What is wrong with the question or the log, in one line."""


@dataclass
class Options:
    """As the options of `fairstep count` that have these names."""

    columns: dict[str, str] = field(default_factory=dict)
    bins: list[float] = field(default_factory=list)
    groups: list[str] = field(default_factory=list)
    features: list[str] = field(default_factory=list)
    labels: list[str] = field(default_factory=lambda: ["unqualified", "qualified"])
    actions: list[str] = field(default_factory=lambda: ["refuse", "accept"])
    first_step: int | None = None
    horizon: int | None = None
    censored: str | None = None
    delimiter: str = ","
    multiline: bool = False


def find_logs(patterns: list[str]) -> list[str]:
    """Local names and patterns in order; anything with a scheme (s3://, hdfs://) is taken as it is."""
    files = []
    for pattern in patterns:
        if "://" in pattern or os.path.exists(pattern):
            files.append(pattern)
            continue
        found = sorted(glob.glob(pattern))
        if not found:
            raise LogError(f"no file matches {pattern}")
        files += found
    return files


def is_parquet(file: str) -> bool:
    if "://" in file:
        return file.endswith((".parquet", ".pq"))
    with open(file, "rb") as opened:
        return opened.read(4) == b"PAR1"


def uri(file: str) -> str:
    return file if "://" in file else "file://" + os.path.abspath(file)


def read_parquet(spark: SparkSession, file: str) -> tuple[DataFrame, DataFrame | None]:
    rows = spark.read.parquet(uri(file))
    return rows.withColumn("_row", f.col("_metadata.row_index")), None


def read_csv(spark: SparkSession, file: str, options: Options) -> tuple[DataFrame, DataFrame | None]:
    """Rows with their number from 0, and the records that are none."""
    reader = (
        spark.read.option("sep", options.delimiter)
        .option("quote", '"')
        .option("escape", '"')
        .option("nullValue", "")
        .option("emptyValue", "")
        .option("multiLine", options.multiline)
    )
    header = reader.option("header", False).csv(uri(file)).limit(1).collect()
    if not header:
        raise LogError(f"{file} is empty, expected a line with the names of the columns")
    names = [str(name) for name in header[0]]
    schema = t.StructType([t.StructField(name, t.StringType()) for name in [*names, "_corrupt"]])
    read = (
        reader.option("header", True)
        .option("mode", "PERMISSIVE")
        .option("columnNameOfCorruptRecord", "_corrupt")
        .schema(schema)
        .csv(uri(file))
        .select("*", f.col("_metadata.file_block_start").alias("_block"))
        .withColumn("_id", f.monotonically_increasing_id())
    ).persist()
    # Within a block of the file the numbers have no holes, and blocks come one after the other.
    blocks = sorted(
        (row["_block"], row["low"], row["rows"])
        for row in read.groupBy("_block").agg(f.min("_id").alias("low"), f.count("*").alias("rows")).collect()
    )
    offset = f.lit(0)
    before = 0
    for block, low, rows in blocks:
        offset = f.when(f.col("_block") == block, f.col("_id") - low + before).otherwise(offset)
        before += rows
    numbered = read.withColumn("_record", offset)
    malformed = numbered.where(f.col("_corrupt").isNotNull()).select("_record")
    bad = [row["_record"] for row in malformed.orderBy("_record").collect()]
    good = numbered.where(f.col("_corrupt").isNull())
    number = f.col("_record")
    if bad:  # those before a row do not count
        skipped = f.size(f.filter(f.lit(bad), lambda record: record < f.col("_record")))
        number = number - skipped
    return good.withColumn("_row", number.cast("long")), malformed


def columns_of(names: list[str], file: str, options: Options) -> dict[str, str]:
    columns = {}
    for role in ROLES:
        wanted = options.columns.get(role, role)
        if wanted in names:
            columns[role] = wanted
        elif role != "reward" or role in options.columns:
            raise LogError(f'there is no column "{wanted}" for {role} in {file}')
    return columns
