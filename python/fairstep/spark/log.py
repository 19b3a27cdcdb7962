"""The files of a log as data frames whose rows have numbers, and what is asked of them."""

import glob
import os
from dataclasses import dataclass

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f
from pyspark.sql import types as t

from fairstep import _core

PLACE = "_place"  # the column that says where in the log a row is


class LogError(Exception):
    """What is wrong with the question or the log, in one line."""


@dataclass
class Reading:
    """How CSV files are read."""

    delimiter: str | None = None
    multiline: bool = False
    encoding: str = "utf-8"


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


def delimiter_of(file: str, encoding: str) -> str:
    """As the first lines of a local file show; a comma elsewhere."""
    return "," if "://" in file else _core.delimiter_of(file, encoding)


def read_parquet(spark: SparkSession, file: str) -> tuple[DataFrame, list[int]]:
    rows = spark.read.parquet(uri(file))
    return rows.withColumn("_row", f.col("_metadata.row_index")), []


def read_csv(spark: SparkSession, file: str, reading: Reading) -> tuple[DataFrame, list[int]]:
    """Rows with their number from 0, and the numbers of the records that are none."""
    reader = (
        spark.read.option("sep", reading.delimiter or delimiter_of(file, reading.encoding))
        .option("encoding", "ISO-8859-1" if reading.encoding == "latin-1" else "UTF-8")
        .option("quote", '"')
        .option("escape", '"')
        .option("nullValue", "")
        .option("emptyValue", "")
        .option("multiLine", reading.multiline)
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
    )
    # Within a block of the file the numbers have no holes, and blocks come one after the other. The file is read twice:
    # that is cheaper than to keep its text. (A question about corrupt records alone is not allowed, hence the count.)
    corrupt = f.collect_list(f.when(f.col("_corrupt").isNotNull(), f.col("_id")))
    asked = {"low": f.min("_id"), "rows": f.count("*"), "bad": corrupt, "asked": f.count(f.col(f"`{names[0]}`"))}
    blocks = read.groupBy("_block").agg(*(what.alias(name) for name, what in asked.items())).orderBy("_block").collect()
    offset = f.raise_error(f.lit(f"{file} changed while it was read"))
    before, malformed = 0, []
    for block in blocks:
        shift = before - block["low"]
        offset = f.when(f.col("_block") == block["_block"], f.lit(shift)).otherwise(offset)
        malformed += sorted(number + shift for number in block["bad"])
        before += block["rows"]
    number = f.col("_id") + offset
    if malformed:  # those before a row do not count
        number = number - f.size(f.filter(f.lit(malformed), lambda record: record < number))
    return read.where(f.col("_corrupt").isNull()).withColumn("_row", number.cast("long")), malformed
