"""Frames in, through the Arrow stream interface, and tables out."""

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import MODULE
from log_reference import dirty_log

import fairstep as fs

NAMES = {
    "groups": ["a", "b"],
    "features": ["0", "9", "10"],
    "first_step": 0,
    "horizon": 5,
    "censored": "drop",
    "allow_loss": True,
}
WORDS = [
    "--groups",
    "a,b",
    "--features",
    "0,9,10",
    "--first-step",
    "0",
    "--horizon",
    "5",
    "--censored",
    "drop",
    "--allow-loss",
]


@pytest.fixture(scope="module")
def fico():
    return fs.env("fico", horizon=4)


@pytest.fixture(scope="module")
def table(fico):
    """A log of 3,000 people as pandas has it, with columns that are of no use around those that are."""
    made = fs.simulate_log(fico, fs.policy(fico, uniform=0.5), people=3000, seed=5).to_frame()
    made.insert(0, "id", np.arange(len(made)) * 0.5)
    made["note"] = "irrelevant"
    return made


def as_named(counts, name):
    """The document with the log's file called otherwise."""
    return counts.to_json().replace(json.dumps(name), '"frame"')


FRAMES = {
    "pandas": lambda table: table,
    "polars": pl.from_pandas,
    "pyarrow": pa.Table.from_pandas,
    "batches": lambda table: pa.RecordBatchReader.from_batches(
        (batches := pa.Table.from_pandas(table).to_batches(max_chunksize=777))[0].schema, batches
    ),
    "duckdb": lambda rows: duckdb.sql("SELECT * FROM rows"),
}


@pytest.mark.parametrize("kind", FRAMES)
def test_a_frame_is_counted_like_its_file(kind, table, tmp_path):
    file = str(tmp_path / "log.parquet")
    pq.write_table(pa.Table.from_pandas(table), file)
    wanted = as_named(fs.count(file), file)
    assert fs.count(FRAMES[kind](table)).to_json() == wanted
    csv = str(tmp_path / "log.csv")
    table.to_csv(csv, index=False)
    assert as_named(fs.count(csv), csv) == wanted


@pytest.mark.parametrize("seed", range(4))
def test_a_dirty_frame_has_the_findings_of_its_file(seed, fairstep):
    rows = dirty_log(seed)
    table = pd.DataFrame(rows, dtype="string").replace("", None)
    pq.write_table(pa.Table.from_pandas(table), fairstep.folder / "log.parquet")
    fairstep("count", "log.parquet", *WORDS, "-o", "counts.json", code=0)
    of_file = (fairstep.folder / "counts.json").read_text()
    of_frame = fs.count(table, **NAMES)
    assert of_frame.to_json() == of_file.replace('"log.parquet"', '"frame"')
    assert len(of_frame.log.findings) > 5
    with pytest.raises(ValueError, match=r"^strict: missing"):
        fs.count(table, **NAMES, strict=True)


def test_what_was_left_out_is_part_of_the_counts(table):
    refused = np.flatnonzero(table["a"] == 0)
    gone = refused[: int(0.49 * len(refused))]
    spoiled = table.assign(y=table["y"].astype("Int64"))
    spoiled.loc[gone, "y"] = pd.NA
    with pytest.raises(ValueError, match=r"^the label y is missing in \d+ of \d+ refusals"):
        fs.count(spoiled)
    counts = fs.count(spoiled, censored="drop")
    complete = fs.count(table)
    lost = counts.log.lost
    assert lost and not complete.log.lost
    assert lost.decisions.sum() == len(gone) and lost.cells.sum() == 2 * len(gone)
    missing = complete.visits.sum(axis=1) - counts.visits.sum(axis=1)
    assert (missing >= 0).all() and (missing <= lost.cells).all()
    missing = (complete.transitions - counts.transitions).sum(axis=(4, 5))
    assert (missing >= 0).all() and (missing <= lost.transitions).all()
    assert (complete.people - counts.people <= lost.first).all() and not lost.first_in_doubt.any()


def test_groups_outside_of_the_study_are_named(table):
    first, second = sorted(table["group"].unique())
    other = table.assign(group=np.where(table["person"] < 10, "other", table["group"].astype(str)))
    counts = fs.count(other, exclude_groups=["other"])
    assert counts.groups == [first, second]
    assert counts.log.excluded == [("other", 40)] and not counts.log.lost
    with pytest.raises(ValueError, match="group other is both among the groups and excluded"):
        fs.count(other, groups=["other", first], exclude_groups=["other"])


# The number that stands for no day was read as minus a number that is too large: the engine refused the whole frame.
def test_a_row_without_a_time_is_lost_and_named(table):
    dated = table.assign(day=pd.Timestamp("2024-03-09"))
    dated.loc[4, "day"] = pd.NaT
    counts = fs.count(dated, map={"time": "day"})
    [finding] = counts.log.findings
    assert (finding.anomaly, finding.role, finding.rows, finding.row) == ("missing", "time", 1, 5)
    [window] = json.loads(counts.to_json())["log"]["windows"]
    assert np.sum(window["decisions"]) == len(table) - 1


# Adding people of whom no log is known erased the record of the others.
def test_a_sum_keeps_the_record_that_one_of_the_two_has(table, fico):
    counts = fs.count(table, like=fico)
    simulated = fs.simulate(fico, fs.policy(fico, uniform=0.5), people=2)
    for both in (counts + simulated, simulated + counts):
        assert both.log.rows == len(table)
        assert both.log.unrecorded_people == 2 and both.log.lost is not None and not both.log.lost
    assert simulated.add(simulated, different_people=True).log is None


def test_rows_in_any_order_give_the_same_counts(table):
    mixed = fs.count(table.sample(frac=1, random_state=1), like=fs.count(table))
    straight = fs.count(table)
    for name in ("first", "visits", "transitions", "reward_sum", "reward_squares"):
        assert np.array_equal(getattr(mixed, name), getattr(straight, name))
    assert [finding.anomaly for finding in mixed.log.findings] == ["out-of-order"]


def test_columns_may_have_any_names_and_kinds(table):
    renamed = table.rename(columns={"person": "customer", "x": "band", "y": "repaid"})
    renamed["repaid"] = renamed["repaid"].astype(bool)
    renamed["customer"] = "c" + renamed["customer"].astype(str)
    counts = fs.count(renamed, map={"person": "customer", "x": "band", "y": "repaid"})
    assert np.array_equal(counts.visits, fs.count(table).visits)
    assert fs.count(renamed, map="person=customer,x=band,y=repaid") == counts
    # Two roles may share a column: each row earns its action.
    assert fs.count(table, map={"reward": "a"}).reward_sum[:, :, :, 1].sum() == table["a"].sum()


def test_bins_cut_numbers(table):
    scores = table.assign(score=table["x"].astype(str).astype(float) + 0.25)
    counts = fs.count(scores, bins={"score": [0, 30, 80]}, features=["low", "middle", "high"])
    assert counts.features == ["low", "middle", "high"] and counts.log.bins == [0, 30, 80]
    assert fs.count(scores, bins="score=0,30,80", features=["low", "middle", "high"]) == counts


def test_a_log_in_memory_becomes_a_model(table, fico):
    found = fs.fit(table, like=fico, share=fico.share.tolist())
    assert found.model.groups == fico.groups
    assert np.abs(found.model.transition - fico.transition)[found.successors > 500].max() < 0.1
    assert fs.audit(table, fairness="dp").people.sum() == 3000


def test_what_is_no_log_says_so(table):
    with pytest.raises(ValueError, match='there is no column "x" for x') as refused:
        fs.count(table.drop(columns="x"))
    assert refused.value.__notes__[0] == "in frame"
    with pytest.raises(TypeError, match="a dict is no log: expected the names of files, or a frame"):
        fs.count({"person": [1]})
    with pytest.raises(ValueError, match="single column"):
        fs.count(pa.chunked_array([[1, 2]]))
    with pytest.raises(ValueError, match="the log has no rows"):
        fs.count(table.iloc[:0])
    with pytest.raises(ValueError, match=r'map has "peron", expected one of .*; did you mean "person"'):
        fs.count(table, map={"peron": "customer"})
    with pytest.raises(TypeError, match="unexpected keyword argument 'rewards'"):
        fs.fit(fs.count(table), rewards={"y1a1": 1})
    with pytest.raises(ValueError, match="first_step is about reading a log, but counts are given"):
        fs.fit(fs.count(table), first_step=0)


def test_a_stream_that_fails_is_an_error(table):
    def batches():
        yield pa.RecordBatch.from_pandas(table[:10])
        raise RuntimeError("the well is dry")

    schema = pa.RecordBatch.from_pandas(table[:10]).schema
    with pytest.raises(ValueError, match=r"the frame cannot be read: .*the well is dry"):
        fs.count(pa.RecordBatchReader.from_batches(schema, batches()))


def test_tables_have_clear_columns(fico, table):
    result = fs.solve(fico, fairness="dp", limit=0.05)
    rates = result.rates.to_frame()
    assert list(rates.columns) == ["group", "step", "accept", "tpr", "fpr", "qualified"]
    assert list(rates["group"].unique()) == ["white", "black"] and len(rates) == 2 * 4
    at = rates[(rates["group"] == "black") & (rates["step"] == 2)]
    assert at["accept"].item() == result.rates.accept[1, 2]
    assert list(result.evaluation.gap.to_frame().columns) == ["step", "dp", "eqopt", "eqodds"]
    assert result.policy.to_frame().shape == (2 * 4 * 5, 4)
    counts = fs.count(table)
    assert counts.to_frame()["decisions"].sum() == counts.decisions == len(table)
    certified = fs.certify(fs.count(table, like=fico), result.policy, fairness="dp,eqopt").to_frame()
    assert list(certified.columns) == ["step", "fairness", "gap", "estimated_gap"] and len(certified) == 8
    sweep = fs.pareto(fico, fairness="dp", limits="0:0.2:3", no_proof=True).to_frame()
    assert sweep["limit"].tolist() == [0, 0.1, 0.2] and sweep["value"].is_monotonic_increasing


def test_frames_do_not_hold_on_to_memory(table):
    """Released by whoever lent it, and only then."""
    before = pa.total_allocated_bytes()
    frame = pa.Table.from_pandas(table)
    held = pa.total_allocated_bytes()
    for _ in range(3):
        fs.count(frame)
    assert pa.total_allocated_bytes() <= held
    del frame
    assert pa.total_allocated_bytes() <= max(before, held)


def test_without_pandas_the_message_says_what_to_do():
    program = (
        "import sys; sys.modules['pandas'] = None\n"
        "import fairstep as fs\n"
        "m = fs.env('fico')\n"
        "try: fs.evaluate(m, fs.policy(m, uniform=1)).rates.to_frame()\n"
        "except ImportError as missing: print(missing)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], env={"PYTHONPATH": str(MODULE)}, capture_output=True, text=True, check=True
    )
    assert "which is not installed: pip install pandas" in done.stdout


def disordered(people):
    """A log that does not fit into 64 MB, in the order of steps."""
    return pa.table(
        {
            "person": [f"person number {i} of {people}" for _ in range(8) for i in range(people)],
            "group": ["ab"[i % 3 == 0] for _ in range(8) for i in range(people)],
            "step": [step for step in range(8) for _ in range(people)],
            "x": [str((step + i) % 4) for step in range(8) for i in range(people)],
            "y": [1] * (8 * people),
            "a": [i % 2 for _ in range(8) for i in range(people)],
        }
    )


def test_threads_that_count_at_once_do_not_meet_on_the_disk(tmp_path):
    # Both spilled into the same files: wrong counts, or a crash.
    frames = [disordered(40_000), disordered(40_001)]
    wanted = [fs.count(frame).to_json() for frame in frames]
    spill = {"memory": 64, "threads": 1, "temporary": tmp_path / "spill"}
    with ThreadPoolExecutor(4) as pool:
        made = pool.map(lambda turn: fs.count(frames[turn % 2], **spill).to_json(), range(6))
        assert [text == wanted[turn % 2] for turn, text in enumerate(made)] == [True] * 6
    assert list((tmp_path / "spill").iterdir()) == []


def test_memory_that_does_not_suffice_is_said_to_be_too_little(tmp_path):
    with pytest.raises(ValueError, match=r"^1 MB of memory are too little for this log"):
        fs.count(disordered(40_000), memory=1, temporary=tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="no folder can be made there for what does not fit into memory"):
        fs.count(disordered(10), temporary=tmp_path / "file" / "below")


def test_persons_of_a_frame_that_are_no_numbers_are_missing_and_there_is_one_zero():
    columns = {"group": ["a", "a", "b", "b"], "step": [0, 1, 0, 1], "x": ["s"] * 4, "y": [1] * 4, "a": [1] * 4}
    counts = fs.count(pa.table({"person": [0.0, -0.0, float("nan"), float("nan")]} | columns), allow_loss=True)
    assert counts.first.sum() == 1 and counts.transitions.sum() == 1
    assert [(found.anomaly, found.role, found.rows) for found in counts.log.findings] == [("missing", "person", 2)]


def test_counts_are_not_saved_onto_their_log(tmp_path, table):
    log, link = tmp_path / "log.csv", tmp_path / "link.csv"
    table.to_csv(log, index=False)
    link.symlink_to(log)
    before = log.read_bytes()
    counts = fs.count(log)
    for path in (log, link):
        with pytest.raises(ValueError, match="that was counted: it would be lost, expected another file"):
            counts.save(path)
    assert log.read_bytes() == before
    counts.save(tmp_path / "counts.json")
