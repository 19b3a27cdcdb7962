"""The rows of one person in order: which of them count, and a label where there is none."""

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as f


def by_person(rows: DataFrame) -> DataFrame:
    """Rows in order, each with what is found about it (`found`), whether it counts (`kept`), and the rows around."""
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
        marked = marked.withColumn(f"{column}_before2", f.when(f.col("kept"), f.lag(column, 2).over(in_order)))
    for column in ("step", "y"):
        marked = marked.withColumn(f"{column}_after", f.when(f.col("kept"), f.lead(column).over(in_order)))
    gap = f.col("kept") & (f.col("step") > f.col("step_before") + 1)
    return marked.withColumn("found", f.when(gap, "gap").otherwise(f.col("found")))


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
