"""The rules of docs/logs.md as Spark data frames: one shuffle brings persons together, all else is aggregation."""

from collections import defaultdict
from dataclasses import dataclass

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from fairstep.spark import document
from fairstep.spark.log import LogError, Options, columns_of, find_logs, is_parquet, read_csv, read_parquet
from fairstep.spark.person import by_person, uniform_from
from fairstep.spark.row import FILE, judge

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


class Findings:
    """How many rows have what is wrong with them, and where the first is."""

    def __init__(self) -> None:
        self.found: dict[tuple[str, str], tuple[int, int, int]] = {}  # (kind, role) -> (rows, file, row from 1)

    def note(self, rows: DataFrame, kind: str, role: str = "") -> None:
        self.note_each(rows.withColumn("_is", f.lit(f"{kind} {role}")), "_is")

    def note_each(self, rows: DataFrame, column: str) -> None:
        """Rows whose column says what is wrong with them: "KIND" or "KIND ROLE"."""
        for row in rows.groupBy(column).agg(f.count("*").alias("rows"), f.min("place").alias("first")).collect():
            kind, _, role = row[column].partition(" ")
            self.found[kind, role] = (row["rows"], row["first"] // FILE, row["first"] % FILE + 1)

    def listed(self, files: list[str]) -> list[dict]:
        listed = []
        for kind, role in sorted(self.found, key=lambda key: (KINDS.index(key[0]), key[1])):
            rows, file, row = self.found[kind, role]
            finding = {"kind": kind, "column": role, "rows": rows, "file": files[file], "row": row}
            listed.append({key: value for key, value in finding.items() if value != ""})
        return listed


@dataclass
class Axes:
    """What the entries of the tables stand for."""

    groups: list[str]
    features: list[str]
    first_step: int
    horizon: int

    def __post_init__(self) -> None:
        self.group_number = {name: i for i, name in enumerate(self.groups)}
        self.feature_number = {name: i for i, name in enumerate(self.features)}

    def place(self, key: str, value):
        """Of a value of a column on its axis."""
        if key == "g":
            return self.group_number[shown(value)]
        if key in ("x", "x_before", "x_before2"):
            return self.feature_number[shown(value)]
        return value - self.first_step if key in ("step", "step_before") else value

    def tally(self, rows: DataFrame, *keys: str) -> dict[tuple, int]:
        counts = defaultdict(int)
        for row in rows.groupBy(*keys).count().collect():
            counts[tuple(self.place(key, row[key]) for key in keys)] += row["count"]
        return counts


def shown(name: str) -> str:
    """Names of numbers that are not whole, as the command writes them."""
    value = document.read_number(name)
    return name if value is None or "E" not in name else document.number_text(value)


def read(
    spark: SparkSession, files: list[str], options: Options, findings: Findings
) -> tuple[DataFrame, dict[str, str]]:
    """Every row of every file, judged, and the columns of the last file by role."""
    judged, malformed_lines, columns = None, [], {}
    for number, file in enumerate(files):
        rows, malformed = read_parquet(spark, file) if is_parquet(file) else read_csv(spark, file, options)
        columns = columns_of([name for name in rows.columns if not name.startswith("_")], file, options)
        malformed_lines += [(number, record + 2) for record in malformed]
        rows = judge(rows, number, columns, options)
        judged = rows if judged is None else judged.unionByName(rows)
    if malformed_lines:
        findings.found["malformed", ""] = (len(malformed_lines), *min(malformed_lines))
    return judged.persist(), columns


def axes_of(judged: DataFrame, total: int, options: Options) -> Axes:
    """As the options say, and where they do not, what the rows show."""
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
    return Axes(groups, features, first_step, horizon)


def what_to_assume(kept: DataFrame, label: str, options: Options) -> str:
    """Labels are censored when at least half of the refused have none, and a smaller share of the accepted."""
    labels = defaultdict(int)
    for row in kept.groupBy("a", f.col("y").isNotNull().alias("labelled")).count().collect():
        labels[row["a"], row["labelled"]] = row["count"]

    def share_without(a: int) -> float:
        total = labels[a, True] + labels[a, False]
        return labels[a, False] / total if total else 0.0

    if labels[0, False] == 0 or share_without(0) < 0.5 or share_without(1) >= share_without(0):
        return "no"
    if options.censored is None:
        raise LogError(
            f"the label {label} is censored: it is missing in {labels[0, False]} of "
            f"{labels[0, False] + labels[0, True]} refusals; say what to assume: --censored"
        )
    return options.censored


def with_drawn_labels(usable: DataFrame, kept: DataFrame) -> DataFrame:
    """A label for every row without one, by the chances of those accepted in its group and feature."""
    shares = defaultdict(lambda: [0, 0])
    for row in kept.where("a = 1 and y is not null").groupBy("g", "x", "y").count().collect():
        shares[row["g"], row["x"]][row["y"]] = row["count"]
    chances = {key: ones / (zeros + ones) for key, (zeros, ones) in shares.items()}
    needed = kept.where("y is null").select("g", "x").distinct().collect()
    if any((row["g"], row["x"]) not in chances for row in needed):
        raise LogError("nobody with a label was accepted in some group and feature: --censored drop")

    def draw(person: str, step: int, g: str, x: str) -> int:
        return int(uniform_from(person, step) < chances[g, x])

    drawn = f.udf(draw, "int", useArrow=False)("person", "step", "g", "x")
    return usable.withColumn("y", f.when(f.col("y").isNull(), drawn).otherwise(f.col("y")))


def reward_sums(labelled: DataFrame, axes: Axes) -> tuple[dict[tuple, int], dict[tuple, int]]:
    """Of rewards and of their squares, exactly, in units of document.exact_sum."""
    sums, squares = defaultdict(int), defaultdict(int)

    def exact(row) -> tuple:
        reward, times = row["reward"], row["count"]
        cell = (row["g"], row["x"], row["y"], row["a"])
        return cell, (document.exact_sum([(reward, times)]), document.exact_sum([(reward * reward, times)]))

    rewards = labelled.groupBy("g", "x", "y", "a", "reward").count().rdd.map(exact)
    for (g, x, y, a), (plain, squared) in rewards.reduceByKey(lambda p, q: (p[0] + q[0], p[1] + q[1])).collect():
        cell = (axes.place("g", g), axes.place("x", x), y, a)
        sums[cell] += plain
        squares[cell] += squared
    return sums, squares


MOST_ENTRIES = 1 << 20  # of a table of the history


def history_of(labelled: DataFrame, moved: DataFrame, axes: Axes) -> dict:
    """When and after what next states were seen: the tables of `history`, without those that would be too large."""
    g, h, x = len(axes.groups), axes.horizon, len(axes.features)
    before, before2 = ("x_before", "y_before", "a_before"), ("x_before2", "y_before2", "a_before2")
    after_two = moved.where("step = step_before2 + 2 and y_before2 is not null")
    last = axes.first_step + h - 1
    seen = "step_after is not null and step_after = step + 1 and y_after is not null"
    known = "step_before is not null and step = step_before + 1 and y_before is not null"
    ended = labelled.where(f"step < {last} and not ({seen})").withColumn(
        "k", f.expr(f"case when {known} then 1 + 2 * y_before + a_before else 0 end")
    )
    tables = {}
    if 4 * g * h * x <= MOST_ENTRIES:
        tables["departures"] = (moved, ("g", "step_before", *before), (g, h, x, 2, 2))
        tables["arrivals"] = (moved, ("g", "step", "x", "y"), (g, h, x, 2))
    if 16 * g * x * x <= MOST_ENTRIES:
        tables["pairs"] = (after_two, ("g", *before2, *before), (g, x, 2, 2, x, 2, 2))
        tables["after_pairs"] = (after_two, ("g", *before2, "x", "y"), (g, x, 2, 2, x, 2))
        tables["unseen"] = (ended, ("g", "k", "x", "y", "a"), (g, 5, x, 2, 2))
    filled = {}
    for name, (rows, keys, lengths) in tables.items():
        tallied = axes.tally(rows, *keys)
        filled[name] = document.fill(lengths, lambda index, tallied=tallied: tallied[index])
    return filled


def count(spark: SparkSession, patterns: list[str], options: Options) -> str:
    """The counts document."""
    spark.conf.set("spark.sql.csv.parser.columnPruning.enabled", "false")
    spark.conf.set("spark.sql.session.timeZone", "UTC")
    spark.conf.set("spark.sql.ansi.enabled", "false")
    # A file is read twice and must fall into the same blocks, however many processors there are by then.
    spark.conf.set("spark.sql.files.minPartitionNum", spark.sparkContext.defaultParallelism)
    files = find_logs(patterns)
    findings = Findings()
    judged, columns = read(spark, files, options, findings)
    total = judged.count()
    if total == 0:
        raise LogError("the log has no rows")
    axes = axes_of(judged, total, options)

    findings.note_each(judged.where(f.col("problem").isNotNull()), "problem")
    usable = judged.where(f.col("problem").isNull())
    people = by_person(usable).persist()
    censored, imputed = what_to_assume(people.where("kept"), columns["y"], options), 0
    if censored == "assume-ignorable":
        imputed = usable.where("y is null").count()
        people = by_person(with_drawn_labels(usable, people.where("kept"))).persist()
    else:
        findings.note(usable.where("y is null"), "missing", "y")
    findings.note(people.where("late"), "out-of-order")
    findings.note_each(people.where("found is not null"), "found")

    kept = people.where("kept")
    labelled = kept.where("y is not null")
    moved = labelled.where("step = step_before + 1 and y_before is not null")
    first = axes.tally(labelled.where("step_before is null"), "g", "x", "y")
    visits = axes.tally(labelled, "g", "step", "x", "y", "a")
    unlabelled = axes.tally(kept.where("y is null"), "g", "step", "x", "a")
    transitions = axes.tally(moved, "g", "x_before", "y_before", "a_before", "x", "y")
    sums, squares = reward_sums(labelled, axes)
    g, h, x = len(axes.groups), axes.horizon, len(axes.features)
    return document.counts_document(
        {
            "horizon": h,
            "groups": axes.groups,
            "features": axes.features,
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
                "first_step": axes.first_step,
                "rows": total,
                "findings": findings.listed(files),
                "censored": censored,
                "imputed": imputed,
                "unlabelled": document.fill((g, h, x, 2), lambda index: unlabelled[index]) if unlabelled else [],
            },
            "history": history_of(labelled, moved, axes),
        }
    )
