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
