"""The rules of docs/logs.md as Spark data frames: one shuffle brings persons together, all else is aggregation."""

import glob
import os
from collections import defaultdict
from dataclasses import dataclass, field

from pyspark.sql import Column, DataFrame, SparkSession, Window
from pyspark.sql import functions as f
from pyspark.sql import types as t

from fairstep.spark import document

ROLES = ("person", "step", "group", "x", "a", "y", "reward")
KINDS = (
    "malformed",
    "missing",
    "unreadable",
    "unknown",
    "out-of-range",
    "out-of-order",
    "duplicate",
    "conflict",
    "group-change",
    "gap",
)
NUMBER = r"^ *-?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)? *$"
FILE = 1 << 44  # a place in the log is file * FILE + row, rows from 0
LARGEST_REWARD = 1e100


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


# --- reading ---------------------------------------------------------------------------------------------------------


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


# --- one row ---------------------------------------------------------------------------------------------------------


def as_text(column: Column, kind: t.DataType) -> Column:
    """The name of a value; whole numbers have no point."""
    if isinstance(kind, (t.FloatType, t.DoubleType)):
        whole = (column == f.floor(column)) & (f.abs(column) < 2.0**53)
        return f.when(f.isnan(column) | (f.abs(column) == float("inf")), f.lit(None)).otherwise(
            f.when(whole, column.cast("long").cast("string")).otherwise(column.cast("string"))
        )
    return column.cast("string")


def as_number(column: Column, kind: t.DataType) -> Column:
    """A double, null where the value is none."""
    if isinstance(kind, t.StringType):
        number = f.when(column.rlike(NUMBER), f.trim(column).cast("double"))
    elif isinstance(kind, t.BooleanType):
        number = f.lit(None).cast("double")
    else:
        number = column.cast("double")
    return f.when(f.isnan(number) | (f.abs(number) == float("inf")), f.lit(None)).otherwise(number)


def as_binary(column: Column, kind: t.DataType, names: list[str]) -> Column:
    if isinstance(kind, t.BooleanType):
        return column.cast("int")
    number = as_number(column, kind)
    plain = f.when(number == 0, 0).when(number == 1, 1)
    if not isinstance(kind, t.StringType):
        return plain
    lower = f.lower(column)
    return (
        f.when(column == names[0], 0)
        .when(column == names[1], 1)
        .when(lower == "false", 0)
        .when(lower == "true", 1)
        .otherwise(plain)
    )


def judge(rows: DataFrame, file: int, columns: dict[str, str], options: Options) -> DataFrame:
    """place, what the row says, and the first thing that is wrong with it: `problem` is (rank, role)."""
    kinds = {column.name: column.dataType for column in rows.schema.fields}

    def raw(role: str) -> tuple[Column, t.DataType]:
        return f.col(f"`{columns[role]}`"), kinds[columns[role]]

    def missing(role: str) -> Column:
        column, kind = raw(role)
        empty = column.isNull()
        if isinstance(kind, t.StringType):
            return empty | (column == "")
        return empty | f.isnan(column) if isinstance(kind, (t.FloatType, t.DoubleType)) else empty

    step = as_number(*raw("step"))
    step = f.when((step == f.floor(step)) & (f.abs(step) < 2.0**53), step.cast("long"))
    x_column, x_kind = raw("x")
    if options.bins:
        number = as_number(x_column, x_kind)
        bin_number = sum((f.when(number >= edge, 1).otherwise(0) for edge in options.bins), f.lit(0)) - 1
        names = options.features or document.bin_names(options.bins)
        x = f.when(bin_number >= 0, f.element_at(f.array(*map(f.lit, names)), bin_number + 1))
        x_problems = [("unreadable", "x", number.isNull()), ("unknown", "x", bin_number < 0)]
    else:
        x = as_text(x_column, x_kind)
        x_problems = [("unreadable", "x", x.isNull())]
        if options.features:
            x_problems.append(("unknown", "x", ~x.isin(options.features)))
    group = as_text(*raw("group"))
    a = as_binary(*raw("a"), options.actions)
    y = as_binary(*raw("y"), options.labels)
    problems = [
        ("missing", "person", missing("person")),
        ("missing", "step", missing("step")),
        ("unreadable", "step", step.isNull()),
    ]
    if options.first_step is not None:
        after = step - options.first_step
        late = after >= options.horizon if options.horizon is not None else f.lit(False)
        problems.append(("out-of-range", "step", (after < 0) | late))
    problems.append(("missing", "group", missing("group")))
    problems.append(("unreadable", "group", group.isNull()))
    if options.groups:
        problems.append(("unknown", "group", ~group.isin(options.groups)))
    problems.append(("missing", "x", missing("x")))
    problems += x_problems
    problems += [
        ("missing", "a", missing("a")),
        ("unknown", "a", a.isNull()),
        ("unknown", "y", ~missing("y") & y.isNull()),
    ]
    reward = f.lit(0.0)
    if "reward" in columns:
        reward = as_number(*raw("reward"))
        reward = f.when(f.abs(reward) <= LARGEST_REWARD, reward + 0.0)
        problems += [("missing", "reward", missing("reward")), ("unreadable", "reward", reward.isNull())]
    problem = f.lit(None).cast("string")
    for kind, role, wrong in reversed(problems):
        problem = f.when(wrong, f.lit(f"{kind} {role}")).otherwise(problem)
    seen = f.when(~missing("group"), group), f.when(~missing("x"), x)
    if options.first_step is not None:
        in_range = (step - options.first_step >= 0) & (
            step - options.first_step < options.horizon if options.horizon is not None else f.lit(True)
        )
        seen_step = f.when(in_range, step)
    else:
        seen_step = step
    return rows.select(
        (f.lit(file * FILE) + f.col("_row")).alias("place"),
        as_text(*raw("person")).alias("person"),
        step.alias("step"),
        group.alias("g"),
        x.alias("x"),
        y.alias("y"),
        a.alias("a"),
        reward.alias("reward"),
        problem.alias("problem"),
        seen[0].alias("seen_group"),
        seen[1].alias("seen_x"),
        f.when(~missing("step"), seen_step).alias("seen_step"),
    )


# --- one person ------------------------------------------------------------------------------------------------------


def by_person(rows: DataFrame) -> DataFrame:
    """Rows in order, each with what is found about it (`found`), whether it counts (`kept`), and the row before."""
    of_person = Window.partitionBy("person")
    of_step = Window.partitionBy("person", "step").orderBy("place")
    as_read = of_person.orderBy("place")
    says = ("g", "x", "y", "a", "reward")
    marked = rows.withColumn("late", f.coalesce(f.lag("step").over(as_read) > f.col("step"), f.lit(False)))
    marked = marked.withColumn("number", f.row_number().over(of_step))
    for column in says:
        marked = marked.withColumn(f"first_{column}", f.first(column).over(of_step))
    alike = f.lit(True)
    for column in says:
        alike = alike & f.col(column).eqNullSafe(f.col(f"first_{column}"))
    marked = marked.withColumn(
        "found",
        f.when(f.col("number") > 1, f.when(alike, "duplicate").otherwise("conflict")),
    )
    # The group of a person is that of the lowest step, among the rows that are left.
    marked = marked.withColumn("own_group", f.first("g").over(of_person.orderBy("step", "place")))
    marked = marked.withColumn(
        "found",
        f.when(f.col("found").isNull() & (f.col("g") != f.col("own_group")), "group-change").otherwise(f.col("found")),
    )
    marked = marked.withColumn("kept", f.col("found").isNull())
    in_order = Window.partitionBy("person", "kept").orderBy("step")
    for column in ("step", "x", "y", "a"):
        marked = marked.withColumn(f"{column}_before", f.when(f.col("kept"), f.lag(column).over(in_order)))
    gap = f.col("kept") & (f.col("step") > f.col("step_before") + 1)
    return marked.withColumn("found", f.when(gap, "gap").otherwise(f.col("found")))


# --- censored labels -------------------------------------------------------------------------------------------------


def uniform_from(person: str, step: int) -> float:
    """The draw of `--censored assume-ignorable`: FNV-1a with a final mix."""
    mask = (1 << 64) - 1
    value = 0xCBF29CE484222325
    for byte in f"{person}:{step}".encode():
        value = ((value ^ byte) * 0x100000001B3) & mask
    value ^= value >> 33
    value = (value * 0xFF51AFD7ED558CCD) & mask
    value ^= value >> 33
    value = (value * 0xC4CEB9FE1A85EC53) & mask
    value ^= value >> 33
    return (value >> 11) * 2.0**-53


def is_censored(labels: dict[tuple[int, bool], int]) -> bool:
    """At least half of the refused have no label, and a smaller share of the accepted."""

    def share(a: int) -> float:
        total = labels[a, True] + labels[a, False]
        return labels[a, False] / total if total else 0.0

    return labels[0, False] > 0 and share(0) >= 0.5 and share(1) < share(0)


# --- all of it -------------------------------------------------------------------------------------------------------


def columns_of(names: list[str], file: str, options: Options) -> dict[str, str]:
    columns = {}
    for role in ROLES:
        wanted = options.columns.get(role, role)
        if wanted in names:
            columns[role] = wanted
        elif role != "reward" or role in options.columns:
            raise LogError(f'there is no column "{wanted}" for {role} in {file}')
    return columns


def shown(name: str) -> str:
    """Names of numbers that are not whole, as the command writes them."""
    value = document.read_number(name)
    return name if value is None or "E" not in name else document.number_text(value)


def count(spark: SparkSession, patterns: list[str], options: Options) -> str:
    """The counts document."""
    spark.conf.set("spark.sql.csv.parser.columnPruning.enabled", "false")
    spark.conf.set("spark.sql.session.timeZone", "UTC")
    spark.conf.set("spark.sql.ansi.enabled", "false")
    files = find_logs(patterns)
    judged, malformed_lines, columns = None, [], {}
    for number, file in enumerate(files):
        read, malformed = read_parquet(spark, file) if is_parquet(file) else read_csv(spark, file, options)
        columns = columns_of([name for name in read.columns if not name.startswith("_")], file, options)
        if malformed is not None:
            malformed_lines += [(number, row["_record"] + 2) for row in malformed.collect()]
        rows = judge(read, number, columns, options)
        judged = rows if judged is None else judged.unionByName(rows)
    judged = judged.persist()

    total = judged.count()
    if total == 0:
        raise LogError("the log has no rows")
    steps = judged.agg(f.min("seen_step").alias("low"), f.max("seen_step").alias("high")).collect()[0]
    if steps["low"] is None:
        raise LogError(f"none of the {total} rows can be counted")
    first_step = options.first_step if options.first_step is not None else steps["low"]
    seen = steps["high"] - first_step + 1
    horizon = options.horizon or seen
    if seen > horizon:
        raise LogError(
            f"the steps go from {first_step} to {steps['high']}, which is more than the horizon of {horizon}"
        )

    def names_in(column: str) -> list[str]:
        return document.in_order(
            [shown(row[0]) for row in judged.select(column).distinct().collect() if row[0] is not None]
        )

    groups = options.groups or names_in("seen_group")
    features = options.features or (document.bin_names(options.bins) if options.bins else names_in("seen_x"))
    group_number = {name: i for i, name in enumerate(groups)}
    feature_number = {name: i for i, name in enumerate(features)}
    found = {("malformed", ""): (len(malformed_lines), *min(malformed_lines))} if malformed_lines else {}

    def note(rows: DataFrame, kind: str, role: str = "") -> None:
        row = rows.agg(f.count("*").alias("rows"), f.min("place").alias("first")).collect()[0]
        if row["rows"]:
            found[kind, role] = (row["rows"], row["first"] // FILE, row["first"] % FILE + 1)

    problems = judged.where(f.col("problem").isNotNull()).groupBy("problem")
    for row in problems.agg(f.count("*").alias("rows"), f.min("place").alias("first")).collect():
        kind, role = row["problem"].split(" ")
        found[kind, role] = (row["rows"], row["first"] // FILE, row["first"] % FILE + 1)

    usable = judged.where(f.col("problem").isNull())
    people = by_person(usable).persist()
    kept = people.where("kept")
    labels = defaultdict(int)
    for row in kept.groupBy("a", f.col("y").isNotNull().alias("labelled")).count().collect():
        labels[row["a"], row["labelled"]] = row["count"]
    censored, imputed = "no", 0
    if is_censored(labels):
        if options.censored is None:
            raise LogError(
                f"the label {columns['y']} is censored: it is missing in {labels[0, False]} of "
                f"{labels[0, False] + labels[0, True]} refusals; say what to assume: --censored"
            )
        censored = options.censored
    if censored == "assume-ignorable":
        shares = defaultdict(lambda: [0, 0])
        for row in kept.where("a = 1 and y is not null").groupBy("g", "x", "y").count().collect():
            shares[row["g"], row["x"]][row["y"]] = row["count"]
        chances = {key: ones / (zeros + ones) for key, (zeros, ones) in shares.items()}

        def draw(person: str, step: int, g: str, x: str) -> int:
            return int(uniform_from(person, step) < chances[g, x])

        needed = kept.where("y is null").select("g", "x").distinct().collect()
        if any((row["g"], row["x"]) not in chances for row in needed):
            raise LogError("nobody with a label was accepted in some group and feature: --censored drop")
        imputed = usable.where("y is null").count()
        drawn = f.udf(draw, "int", useArrow=False)("person", "step", "g", "x")
        usable = usable.withColumn("y", f.when(f.col("y").isNull(), drawn).otherwise(f.col("y")))
        people = by_person(usable).persist()
        kept = people.where("kept")
    else:
        note(usable.where("y is null"), "missing", "y")
    note(people.where("late"), "out-of-order")
    listed = people.where("found is not null").groupBy("found")
    for row in listed.agg(f.count("*").alias("rows"), f.min("place").alias("first")).collect():
        found[row["found"], ""] = (row["rows"], row["first"] // FILE, row["first"] % FILE + 1)

    def tally(rows: DataFrame, *keys: str) -> dict[tuple, int]:
        counts = defaultdict(int)
        for row in rows.groupBy(*keys).count().collect():
            index = []
            for key in keys:
                value = row[key]
                if key == "g":
                    value = group_number[shown(value)]
                elif key in ("x", "x_before"):
                    value = feature_number[shown(value)]
                elif key == "step":
                    value -= first_step
                index.append(value)
            counts[tuple(index)] += row["count"]
        return counts

    labelled = kept.where("y is not null")
    first = tally(labelled.where("step_before is null"), "g", "x", "y")
    visits = tally(labelled, "g", "step", "x", "y", "a")
    unlabelled = tally(kept.where("y is null"), "g", "step", "x", "a")
    moved = labelled.where("step = step_before + 1 and y_before is not null")
    transitions = tally(moved, "g", "x_before", "y_before", "a_before", "x", "y")
    sums, squares = defaultdict(int), defaultdict(int)

    def exact(row) -> tuple:
        reward, times = row["reward"], row["count"]
        cell = (row["g"], row["x"], row["y"], row["a"])
        return cell, (document.exact_sum([(reward, times)]), document.exact_sum([(reward * reward, times)]))

    rewards = labelled.groupBy("g", "x", "y", "a", "reward").count().rdd.map(exact)
    for (g, x, y, a), (plain, squared) in rewards.reduceByKey(lambda p, q: (p[0] + q[0], p[1] + q[1])).collect():
        cell = (group_number[shown(g)], feature_number[shown(x)], y, a)
        sums[cell] += plain
        squares[cell] += squared

    findings = []
    for (kind, role), (rows, file, row) in sorted(
        found.items(), key=lambda item: (KINDS.index(item[0][0]), item[0][1])
    ):
        finding = {"kind": kind, "column": role, "rows": rows, "file": files[file], "row": row}
        findings.append({key: value for key, value in finding.items() if value != ""})
    g, h, x = len(groups), horizon, len(features)
    return document.counts_document(
        {
            "horizon": horizon,
            "groups": groups,
            "features": features,
            "labels": options.labels,
            "actions": options.actions,
            "first": document.fill((g, x, 2), lambda index: first[index]),
            "visits": document.fill((g, h, x, 2, 2), lambda index: visits[index]),
            "transitions": document.fill((g, x, 2, 2, x, 2), lambda index: transitions[index]),
            "reward_sum": document.fill((g, x, 2, 2), lambda index: document.rounded(sums[index])),
            "reward_squares": document.fill((g, x, 2, 2), lambda index: document.rounded(squares[index])),
            "log": {
                "files": files,
                "columns": {role: columns[role] for role in sorted(columns)},
                "bins": options.bins,
                "first_step": first_step,
                "rows": total,
                "findings": findings,
                "censored": censored,
                "imputed": imputed,
                "unlabelled": document.fill((g, h, x, 2), lambda index: unlabelled[index]) if unlabelled else [],
            },
        }
    )
