"""python -m fairstep.spark --input 'logs/*.parquet' --output counts.json

The counts of a log by Apache Spark, for logs that one machine cannot hold: the same file, to the byte, as
`fairstep count` writes. Runs wherever its session does: in local mode, or on a cluster (spark-submit, --master).

python -m fairstep.spark experiment FILE --output FOLDER

A whole experiment, each of its runs a task of the cluster: the same folder, to the byte, as `fairstep experiment`
leaves. The command `fairstep` must be installed wherever tasks run.
"""

import argparse
import os
import sys
from typing import Any

from pyspark.sql import SparkSession

from fairstep._core import Counts
from fairstep._counting import Parts, check_split
from fairstep.spark import experiment
from fairstep.spark.count import count, refuse_query, split
from fairstep.spark.log import LogError, Reading, find_logs


def words(text: str) -> list[str]:
    return text.split(",")


def parse(arguments: list[str] | None = None) -> tuple[argparse.Namespace, Reading, dict[str, Any]]:
    """What was said, how to read files, and the options of `fairstep.count`."""
    parser = argparse.ArgumentParser(
        prog="python -m fairstep.spark", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--input", nargs="+", required=True, metavar="LOG", help="files or patterns; CSV or Parquet")
    parser.add_argument("--output", required=True, metavar="FILE", help="the counts file")
    parser.add_argument("--split", type=float, help="split the people: this share of them goes to --output")
    parser.add_argument("--seed", type=int, help="of --split")
    parser.add_argument("--audit", metavar="FILE", help="the counts file of all others, with --split")
    asked = [
        parser.add_argument("--map", help="x=score_band,y=repaid,..."),
        parser.add_argument("--bins", action="append", help="COLUMN=B0,B1,...: numbers, cut into [B0,B1), ..."),
        parser.add_argument("--recode", action="append", help="COLUMN:V=NAME,...: other names for values"),
        parser.add_argument("--wide", action="append", help="C0,C1,...:COLUMN: a row for each of these columns"),
        parser.add_argument("--step-from", help="the step is made of this date or time, with --every"),
        parser.add_argument("--every", help="month, order, or a number of days such as 30d"),
        parser.add_argument("--missing", type=words, help="texts that stand for no value"),
        parser.add_argument("--query", help="refused: ask in Spark SQL instead, and count what it makes"),
        parser.add_argument("--like", help="names and steps of this model or counts file"),
        *(parser.add_argument(f"--{name}", type=words) for name in ("groups", "features", "labels", "actions")),
        parser.add_argument("--exclude-groups", type=words, help="groups outside of the study"),
        parser.add_argument("--first-step", type=int),
        parser.add_argument("--horizon", type=int),
        parser.add_argument("--censored", choices=["drop", "assume-ignorable"]),
        parser.add_argument("--allow-loss", action="store_true", help="though more than 5 %% of the rows are lost"),
        parser.add_argument("--kernel", help="next states pooled, per-step, or by periods: before=0,after=3"),
        parser.add_argument("--window", help="decisions by month, quarter, year or 30days, with --map time=..."),
    ]
    parser.add_argument("--delimiter", help="of CSV files; left out: as their first lines show")
    parser.add_argument("--encoding", choices=["utf-8", "latin-1"], default="utf-8", help="of CSV files")
    parser.add_argument("--multiline", action="store_true", help="CSV values may hold line breaks")
    where_to_run(parser)
    given = parser.parse_args(arguments)
    options = {option.dest: getattr(given, option.dest) for option in asked}
    return given, Reading(given.delimiter, given.multiline, given.encoding), options


def open_session(name: str, given: argparse.Namespace) -> SparkSession:
    builder = SparkSession.builder.appName(name)
    if given.master:
        builder = builder.master(given.master)
    for setting in given.conf:
        key, _, value = setting.partition("=")
        builder = builder.config(key, value)
    return builder.getOrCreate()


def where_to_run(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--master", help="where to run; local[*] unless the environment says otherwise")
    parser.add_argument("--conf", action="append", default=[], metavar="KEY=VALUE", help="a setting of Spark")


def check_output(given: argparse.Namespace) -> None:
    """The log itself is not to be replaced by its counts, under whatever name."""
    for name, output in (("--output", given.output), ("--audit", given.audit)):
        for file in [*find_logs(given.input), *([given.like] if given.like else [])]:
            if output and os.path.isfile(file) and os.path.exists(output) and os.path.samefile(file, output):
                raise LogError(f'{name} is "{output}", which is read as {file}: it would be lost')
    if (given.split is None) != (given.audit is None):
        raise LogError("--split and --audit are given together or not at all: either part is a file of its own")
    if given.audit and os.path.realpath(given.audit) == os.path.realpath(given.output):
        raise LogError(f'--output and --audit are both "{given.audit}", expected two files')


def main_of_count(arguments: list[str]) -> int:
    given, reading, options = parse(arguments)
    try:
        check_output(given)
        refuse_query(options)
        halves = check_split(given.split, given.seed)
    except (LogError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    spark = open_session("fairstep count", given)
    try:
        made: Counts | Parts
        if halves is None:
            made = count(spark, given.input, reading, **options)
        else:
            made = split(spark, given.input, reading, halves, **options)
    except (LogError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    finally:
        spark.stop()
    if isinstance(made, Parts):
        made.save(given.output, given.audit)
    else:
        made.save(given.output)
    return 0


def main_of_experiment(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m fairstep.spark experiment", description=experiment.__doc__)
    parser.add_argument("file", metavar="FILE", help="experiment file, as for `fairstep experiment`")
    parser.add_argument("--output", "-o", required=True, metavar="FOLDER", help="keep the experiment there")
    parser.add_argument("--command", default="fairstep", help="fairstep as it is called wherever tasks run")
    where_to_run(parser)
    given = parser.parse_args(arguments)
    spark = open_session(f"fairstep experiment {given.file}", given)
    try:
        return experiment.run(spark.sparkContext, given.file, given.output, given.command)
    finally:
        spark.stop()


def main() -> int:
    if sys.argv[1:2] == ["experiment"]:
        return main_of_experiment(sys.argv[2:])
    return main_of_count(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
