"""python -m fairstep.spark writes the bytes that fairstep count and fairstep experiment write."""

import gzip
import json
import math
import os
import random
import shutil
import sys

import pytest
from conftest import BINARY, MODULE
from log_reference import COLUMNS, dirty_log, write_csv
from small import hand
from test_cli_experiment import tree
from test_cli_shape import SHAPE, table, wide_table, write

pytestmark = pytest.mark.needs("Spark")

NAMES = ["--groups", "a,b", "--features", "0,9,10", "--first-step", "0", "--horizon", "5"]


@pytest.fixture(scope="module")
def spark():
    # Without Java or PySpark this is an error, not a skip: bootstrap brings both.
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["PYTHONPATH"] = str(MODULE)
    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.default.parallelism", "2")
        .config("spark.sql.files.maxPartitionBytes", "8192")  # so that even small files are split
        .config("spark.sql.codegen.wholeStage", "false")  # for a few hundred rows, compiling takes longer than running
        .config("spark.driver.host", "127.0.0.1")
        .getOrCreate()
    )
    yield session
    session.stop()


def both(fairstep, spark, monkeypatch, files, words):
    """The counts by either engine."""
    from fairstep.spark.__main__ import parse
    from fairstep.spark.count import count

    monkeypatch.chdir(fairstep.folder)
    words = [*words, "--allow-loss"]
    fairstep("count", *files, *words, "-o", "duckdb.json", code=0)
    _, reading, options = parse(["--input", *files, "--output", "spark.json", *words])
    count(spark, files, reading, **options).save("spark.json")
    return (fairstep.folder / "duckdb.json").read_text(), (fairstep.folder / "spark.json").read_text()


def test_a_dirty_log_in_two_files_comes_out_the_same(fairstep, spark, monkeypatch):
    rows = dirty_log(3, people=150)
    write_csv(fairstep.folder / "a.csv", rows[:300])
    write_csv(fairstep.folder / "b.csv", rows[300:])
    path = fairstep.folder / "a.csv"
    lines = path.read_text().splitlines()
    lines[5:5] = ["1,2", "a,b,c,d,e,f,g,h"]  # no rows
    lines[200] += ",more"
    path.write_text("\n".join(lines) + "\n")
    (fairstep.folder / "b.csv.gz").write_bytes(gzip.compress((fairstep.folder / "b.csv").read_bytes()))
    ours, theirs = both(fairstep, spark, monkeypatch, ["a.csv", "b.csv.gz"], NAMES)
    assert theirs == ours
    assert ours.count('"kind"') > 12


def test_parquet_with_numbers_bins_and_nulls(fairstep, spark, monkeypatch):
    draw = random.Random(4)
    rows = [
        (
            int(row["person"]),
            row["group"],
            int(row["step"]),
            draw.choice([None, math.nan, -3.5, 0.0, 7.25, 12.5, 99.0]),
            row["y"] == "1",
            int(row["a"]),
            float(row["reward"]),
        )
        for row in dirty_log(6, people=100, tidy=True)
    ]
    frame = spark.createDataFrame(
        rows, "person long, `group` string, step int, score double, y boolean, a int, reward double"
    )
    frame.coalesce(1).write.parquet(str(fairstep.folder / "folder"))
    (written,) = (fairstep.folder / "folder").glob("*.parquet")
    written.rename(fairstep.folder / "log.parquet")
    ours, theirs = both(fairstep, spark, monkeypatch, ["log.parquet"], ["--bins", "score=0,12.5"])
    assert theirs == ours
    assert '"missing"' in ours and '"unknown"' in ours


def test_censored_labels_in_no_order_come_out_the_same(fairstep, spark, monkeypatch):
    rows = [row | ({"y": ""} if row["a"] == "0" else {}) for row in dirty_log(4, people=200, tidy=True)]
    random.Random(1).shuffle(rows)
    write_csv(fairstep.folder / "log.csv", rows)
    ours, theirs = both(fairstep, spark, monkeypatch, ["log.csv"], ["--censored", "assume-ignorable"])
    assert theirs == ours
    assert '"imputed"' in ours


def test_a_log_without_labels_comes_out_the_same(fairstep, spark, monkeypatch):
    rows = dirty_log(5, people=120)
    write_csv(fairstep.folder / "log.csv", rows, [column for column in COLUMNS if column != "y"])
    ours, theirs = both(fairstep, spark, monkeypatch, ["log.csv"], [*NAMES, "--censored", "drop"])
    assert theirs == ours
    assert '"unlabelled_rows"' in ours


@pytest.mark.parametrize("kernel", ["per-step", "before=0,after=1"])
def test_next_states_by_step_or_period_come_out_the_same(fairstep, spark, monkeypatch, kernel):
    write_csv(fairstep.folder / "log.csv", dirty_log(7, people=150))
    ours, theirs = both(fairstep, spark, monkeypatch, ["log.csv"], [*NAMES, "--censored", "drop", "--kernel", kernel])
    assert theirs == ours
    assert '"periods"' in ours


def test_windows_excluded_groups_and_rows_of_nobody_come_out_the_same(fairstep, spark, monkeypatch):
    # What is lost, and where, is the counter's to say: rows without a person may fall to any task.
    draw = random.Random(9)
    rows = [
        row
        | {"day": f"2024-{draw.randint(1, 3):02}-{draw.randint(1, 28):02}"}
        | ({"person": ""} if draw.random() < 0.05 else {})
        | ({"y": ""} if draw.random() < 0.05 else {})
        | ({"x": "none"} if draw.random() < 0.05 else {})
        for row in dirty_log(11, people=150, tidy=True)
    ]
    write_csv(fairstep.folder / "log.csv", rows, [*COLUMNS, "day"])
    words = ["--map", "time=day", "--window", "month", "--censored", "drop", "--groups", "a,b", "--exclude-groups", "z"]
    words += ["--features", "0,9,10"]
    ours, theirs = both(fairstep, spark, monkeypatch, ["log.csv"], words)
    assert theirs == ours
    record = json.loads(ours)["log"]
    assert len(record["windows"]) == 3 and record["lost"]["first_in_doubt"] != [0]


@pytest.mark.parametrize("censored", ["drop", "assume-ignorable"])
def test_parts_of_split_people_come_out_the_same(fairstep, spark, monkeypatch, censored):
    from fairstep.spark.__main__ import parse
    from fairstep.spark.count import split

    monkeypatch.chdir(fairstep.folder)
    write_csv(fairstep.folder / "log.csv", dirty_log(5, people=300, censor=0.3))
    words = [*NAMES, "--censored", censored, "--allow-loss"]
    files = ["-o", "design.json", "--audit", "audit.json"]
    fairstep("count", "log.csv", *words, "--split", "0.3", "--seed", "7", *files, code=0)
    _, reading, options = parse(["--input", "log.csv", "--output", "spark.json", *words])
    parts = split(spark, ["log.csv"], reading, (0.3, 7), **options)
    parts.save("spark-design.json", "spark-audit.json")
    for role in ("design", "audit"):
        ours, theirs = ((fairstep.folder / f"{name}{role}.json").read_text() for name in ("", "spark-"))
        assert theirs == ours
        assert ('"imputed"' in ours) == (censored != "drop")


def test_what_a_split_needs_is_asked_for_before_spark_starts(fairstep, monkeypatch, capsys):
    from fairstep.spark.__main__ import main

    monkeypatch.chdir(fairstep.folder)
    write_csv(fairstep.folder / "log.csv", dirty_log(5, tidy=True))

    def refusal(*words):
        monkeypatch.setattr(sys, "argv", ["fairstep.spark", "--input", "log.csv", "--output", "a.json", *words])
        assert main() == 2
        return capsys.readouterr().err

    assert refusal("--split", "0.3").startswith("error: --split and --audit are given together or not at all")
    assert refusal("--audit", "b.json").startswith("error: --split and --audit are given together or not at all")
    assert refusal("--split", "0.3", "--audit", "b.json").startswith("error: split needs a seed")
    assert refusal("--seed", "3").startswith("error: seed is given without split")
    assert refusal("--split", "0.3", "--audit", "./a.json", "--seed", "3").startswith("error: --output and --audit are")
    assert refusal("--split", "0.3", "--audit", "log.csv", "--seed", "3").startswith('error: --audit is "log.csv"')


EXPERIMENT = """\
schema = "fairstep/experiment/1"
environments = ["fico", {name = "loans", model = "data/loans.json"}]
fairness = "dp"
horizon = 3
schedule = "2^4..2^6"
repeats = 1
evaluation_episodes = 50
certificate = "off"

[frontier]
limits = [0, 0.2]

[[method]]
method = "constrained"

[[method]]
method = "penalty"
lambda = 1
"""
PARTS = 2 * (1 + 2)  # a sweep and two runs for each population


@pytest.fixture
def experiment(fairstep):
    (fairstep.folder / "data").mkdir()
    fairstep.write("data/loans.json", hand())
    fairstep.write("small.toml", EXPERIMENT)
    fairstep("experiment", "small.toml", "-o", "alone", "--quiet", code=0)
    return fairstep


def test_an_experiment_spread_over_tasks_leaves_the_same_folder(experiment, spark, monkeypatch, capfd):
    from fairstep.spark.experiment import run

    monkeypatch.chdir(experiment.folder)
    assert run(spark.sparkContext, "small.toml", "spread", BINARY) == 0
    assert tree(experiment.folder / "spread") == tree(experiment.folder / "alone")
    said = capfd.readouterr()
    assert said.err.count(f" of {PARTS}: ") == PARTS
    assert "12 of 12 solves were in spread already" in said.out + said.err
    timing = json.loads((experiment.folder / "spread/timing.json").read_text())
    assert (timing["solves"], timing["solves_made"]) == (12, 0)


def test_an_experiment_goes_on_from_what_is_there(experiment, spark, monkeypatch, capfd):
    from fairstep.spark.experiment import run

    monkeypatch.chdir(experiment.folder)
    shutil.copytree("alone", "spread")
    os.remove("spread/timing.json")
    os.remove("spread/frontier/fico/dp.json")  # never begun
    shutil.rmtree("spread/runs/loans/dp/ours/0")
    os.remove("spread/runs/fico/dp/ours/0/result.json")  # begun, and ended here
    assert run(spark.sparkContext, "small.toml", "spread", BINARY) == 0
    assert tree(experiment.folder / "spread") == tree(experiment.folder / "alone")
    assert "2 of 2: " in capfd.readouterr().err


def test_an_experiment_that_fails_says_where_and_why(experiment, spark, monkeypatch, capfd, tmp_path):
    from fairstep.spark.experiment import run

    monkeypatch.chdir(experiment.folder)
    assert run(spark.sparkContext, "none.toml", "spread", BINARY) == 2
    assert "none.toml" in capfd.readouterr().err

    # Workers that have another fairstep, which cannot do what it is asked for.
    broken = tmp_path / "broken"
    refuse = 'case "$*" in *runs/*) echo "error: no luck" >&2; exit 4;; esac'
    broken.write_text(f'#!/bin/sh\n{refuse}\nexec {BINARY} "$@"\n')
    broken.chmod(0o755)
    assert run(spark.sparkContext, "small.toml", "spread", str(broken)) == 4
    said = capfd.readouterr().err
    assert "failed with exit code 4\nerror: no luck\n" in said
    assert not list((experiment.folder / "spread").glob(".arriving-*"))
    assert run(spark.sparkContext, "small.toml", "spread", BINARY) == 0
    assert tree(experiment.folder / "spread") == tree(experiment.folder / "alone")


def test_the_program_writes_its_file(fairstep, spark, monkeypatch):
    monkeypatch.setattr(type(spark), "stop", lambda session: None)  # it takes the session of all these tests
    from fairstep.spark.__main__ import main

    write_csv(fairstep.folder / "log.csv", dirty_log(2, tidy=True))
    monkeypatch.chdir(fairstep.folder)
    monkeypatch.setattr(sys, "argv", ["fairstep.spark", "--input", "log.csv", "--output", "spark.json"])
    assert main() == 0
    fairstep("count", "log.csv", "-o", "duckdb.json", code=0)
    assert (fairstep.folder / "spark.json").read_bytes() == (fairstep.folder / "duckdb.json").read_bytes()
    assert fairstep.files() == ["duckdb.json", "log.csv", "spark.json"]


@pytest.mark.parametrize("how", ["bins and recodes", "wide", "month", "order"])
def test_a_table_of_ones_own_comes_out_the_same(fairstep, spark, monkeypatch, how):
    """Persons of two columns, with spaces around them; a row that becomes several; steps by dates."""
    draw = random.Random(6)
    if how == "bins and recodes":
        rows, words = table(4), SHAPE
    elif how == "wide":
        rows = wide_table(4)
        words = ["--map", "person=id,x=status+bill", "--bins", "bill=0,100"]
        words += ["--wide", "s3,s2,s1:status", "--wide", "b3,b2,b1:bill", "--missing", "NA,?"]
    else:
        said = {"group": ["a", "b"], "x": ["p", "q", "NA"], "y": ["0", "1"], "a": ["0", "1"]}
        rows = [
            {"person": i, "when": f"2024-{month:02}-{draw.randint(1, 28):02}"}
            | {name: draw.choice(values) for name, values in said.items()}
            | {"group": "ab"[i % 2]}
            for i in range(60)
            for month in (1, 2, 3)
        ]
        words = ["--step-from", "when", "--every", how]
    draw.shuffle(rows)
    write(fairstep.folder / "own.csv", rows, ";")
    ours, theirs = both(fairstep, spark, monkeypatch, ["own.csv"], words)
    assert theirs == ours
    assert '"shape"' in ours


def test_latin_1_comes_out_the_same(fairstep, spark, monkeypatch):
    rows = [
        {"person": i, "step": h, "group": ("Zürich", "Ærø")[i % 2], "x": "é" * (1 + i % 3), "y": h, "a": i // 2 % 2}
        for i in range(60)
        for h in range(2)
    ]
    write(fairstep.folder / "own.csv", rows, ";")
    path = fairstep.folder / "own.csv"
    path.write_bytes(path.read_text().encode("latin-1"))
    ours, theirs = both(fairstep, spark, monkeypatch, ["own.csv"], ["--encoding", "latin-1"])
    assert theirs == ours
    assert '"Zürich"' in ours


def test_a_query_is_refused_with_what_to_do_instead(fairstep, monkeypatch, capsys):
    from fairstep.spark.__main__ import main

    monkeypatch.chdir(fairstep.folder)
    write(fairstep.folder / "own.csv", wide_table(4))
    asked = ["--input", "own.csv", "--output", "c.json", "--query", "SELECT * FROM log"]
    monkeypatch.setattr(sys, "argv", ["fairstep.spark", *asked])
    assert main() == 2
    assert "error: query asks the whole log on one machine" in capsys.readouterr().err
    assert not (fairstep.folder / "c.json").exists()
