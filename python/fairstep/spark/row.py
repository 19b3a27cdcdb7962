"""What one row of a log says, and the first thing that is wrong with it."""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f
from pyspark.sql import types as t

from fairstep.spark import document
from fairstep.spark.log import Options

NUMBER = r"^ *-?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)? *$"
FILE = 1 << 44  # a place in the log is file * FILE + row, rows from 0
LARGEST_REWARD = 1e100


def as_text(column: Column, kind: t.DataType) -> Column:
    """The name of a value; whole numbers have no point."""
    if isinstance(kind, (t.FloatType, t.DoubleType)):
        whole = (column == f.floor(column)) & (f.abs(column) < 2.0**53)
        return f.when(f.isnan(column) | (f.abs(column) == float("inf")), f.lit(None)).otherwise(
            f.when(whole, column.cast("long").cast("string")).otherwise(column.cast("string"))
        )
    return column.cast("string")


def parsed(column: Column, kind: t.DataType) -> Column:
    """A double, null where the value is no number."""
    if isinstance(kind, t.StringType):
        return f.when(column.rlike(NUMBER), f.trim(column).cast("double"))
    return f.lit(None).cast("double") if isinstance(kind, t.BooleanType) else column.cast("double")


def finite(number: Column) -> Column:
    return f.when(~f.isnan(number) & (f.abs(number) < float("inf")), number)


def as_binary(column: Column, kind: t.DataType, number: Column, names: list[str]) -> Column:
    if isinstance(kind, t.BooleanType):
        return column.cast("int")
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
    """place, what the row says, and the first thing that is wrong with it: `problem` is (rank, role).

    In four layers, each of plain names: Spark works out an expression as often as it is written, and numbers, which
    are read by a pattern, are asked for again and again.
    """
    kind_of = {column.name: column.dataType for column in rows.schema.fields}
    kinds = {role: kind_of[columns[role]] for role in columns}
    read = [role for role in ("step", "a", "y", "reward") if role in columns] + (["x"] if options.bins else [])

    def raw(role: str) -> tuple[Column, t.DataType]:
        return f.col(f"raw_{role}"), kinds[role]

    def number(role: str) -> Column:
        return f.col(f"number_{role}")

    def missing(role: str) -> Column:
        column, kind = raw(role)
        empty = column.isNull()
        if isinstance(kind, t.StringType):
            return empty | (column == "")
        return empty | f.isnan(column) if isinstance(kind, (t.FloatType, t.DoubleType)) else empty

    rows = rows.select("_row", *(f.col(f"`{columns[role]}`").alias(f"raw_{role}") for role in columns))
    rows = rows.select("*", *(parsed(*raw(role)).alias(f"number_{role}") for role in read))
    rows = rows.withColumns({f"number_{role}": finite(number(role)) for role in read})

    step = f.when((number("step") == f.floor("number_step")) & (f.abs("number_step") < 2.0**53), number("step"))
    if options.bins:
        place = sum((f.when(number("x") >= edge, 1).otherwise(0) for edge in options.bins), f.lit(0))
        names = options.features or document.bin_names(options.bins)
        x = f.when(place > 0, f.element_at(f.array(*map(f.lit, names)), place))
        x_problems = [("unreadable", "x", number("x").isNull()), ("unknown", "x", f.col("x").isNull())]
    else:
        x = as_text(*raw("x"))
        x_problems = [("unreadable", "x", f.col("x").isNull())]
        if options.features:
            x_problems.append(("unknown", "x", ~f.col("x").isin(options.features)))
    reward = f.when(f.abs(number("reward")) <= LARGEST_REWARD, number("reward") + 0.0) if "reward" in columns else None
    rows = rows.withColumns(
        {
            "step": step.cast("long"),
            "g": as_text(*raw("group")),
            "x": x,
            "y": as_binary(*raw("y"), number("y"), options.labels),
            "a": as_binary(*raw("a"), number("a"), options.actions),
            "reward": f.lit(0.0) if reward is None else reward,
        }
    )

    after = f.col("step") - (options.first_step or 0)
    in_range = f.lit(True)
    if options.first_step is not None:
        in_range = (after >= 0) & (after < options.horizon if options.horizon is not None else f.lit(True))
    problems = [
        ("missing", "person", missing("person")),
        ("missing", "step", missing("step")),
        ("unreadable", "step", f.col("step").isNull()),
        ("out-of-range", "step", ~in_range),
        ("missing", "group", missing("group")),
        ("unreadable", "group", f.col("g").isNull()),
    ]
    if options.groups:
        problems.append(("unknown", "group", ~f.col("g").isin(options.groups)))
    problems.append(("missing", "x", missing("x")))
    problems += x_problems
    problems += [
        ("missing", "a", missing("a")),
        ("unknown", "a", f.col("a").isNull()),
        ("unknown", "y", ~missing("y") & f.col("y").isNull()),
    ]
    if reward is not None:
        problems += [("missing", "reward", missing("reward")), ("unreadable", "reward", f.col("reward").isNull())]
    problem = f.lit(None).cast("string")
    for kind, role, wrong in reversed(problems):
        problem = f.when(wrong, f.lit(f"{kind} {role}")).otherwise(problem)
    return rows.select(
        (f.lit(file * FILE) + f.col("_row")).alias("place"),
        as_text(*raw("person")).alias("person"),
        *("step", "g", "x", "y", "a", "reward"),
        problem.alias("problem"),
        f.when(~missing("group"), f.col("g")).alias("seen_group"),
        f.when(~missing("x"), f.col("x")).alias("seen_x"),
        f.when(~missing("step") & in_range, f.col("step")).alias("seen_step"),
    )
