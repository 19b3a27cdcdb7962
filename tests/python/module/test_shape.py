"""A lender's own table as a frame: the options of the command by their names in Python, and the same counts."""

import duckdb
import pandas
import pytest
from test_cli_shape import SHAPE, table, wide_table, write

import fairstep as fs

OPTIONS = {
    "map": {"person": ("branch", "number"), "group": ("sex", "education"), "x": "status+limit"},
    "recode": {"sex": {1: "men", "2": "women"}, "education": {"1": "graduate", "2": "university", "*": "other"}},
    "bins": {"limit": [0, 1000, 50000]},
    "allow_loss": True,
    "censored": "drop",
}
LONG = """SELECT id, "group", y, a, unnest([0,1,2]) AS step, unnest([s3,s2,s1]) AS status, unnest([b3,b2,b1]) AS bill
          FROM log"""


def whatever_is_lost(data, **asked):
    return fs.count(data, allow_loss=True, **asked)


@pytest.fixture
def own(fairstep, monkeypatch):
    monkeypatch.chdir(fairstep.folder)
    write(fairstep.folder / "own.csv", table(2))
    write(fairstep.folder / "wide.csv", wide_table(2))
    return fairstep


def texts(file):
    return pandas.read_csv(file, dtype=str, keep_default_na=False)


def test_options_say_what_those_of_the_command_say(own):
    own("count", "own.csv", *SHAPE, "--allow-loss", "-o", "c.json", code=0)
    counts = fs.count("own.csv", **OPTIONS)
    assert counts.to_json() == (own.folder / "c.json").read_text()
    as_texts = OPTIONS | {
        "recode": ["sex:1=men,2=women", "education:1=graduate,2=university,*=other"],
        "bins": ["limit=0,1000,50000"],
    }
    assert fs.count("own.csv", **as_texts).to_json() == counts.to_json()


@pytest.mark.parametrize("made", ["frame", "relation", "arrow"])
def test_frames_and_relations_have_the_counts_of_the_file(own, made):
    frame = texts("own.csv")
    data = {"frame": frame, "relation": duckdb.sql("FROM frame"), "arrow": duckdb.sql("FROM frame").arrow()}[made]
    expected = fs.count("own.csv", **OPTIONS)
    counts = fs.count(data, **OPTIONS)
    for name in ("first", "visits", "transitions", "reward_sum"):
        assert (getattr(counts, name) == getattr(expected, name)).all()
    assert [(f.anomaly, f.role, f.rows, f.row) for f in counts.log.findings] == [
        (f.anomaly, f.role, f.rows, f.row) for f in expected.log.findings
    ]


@pytest.mark.parametrize("made", ["texts", "numbers", "relation"])
def test_columns_become_rows_of_frames_by_an_option_and_by_a_query(own, made):
    frame = texts("wide.csv") if made == "texts" else pandas.read_csv("wide.csv")
    data = duckdb.sql("SELECT * FROM frame ORDER BY id") if made == "relation" else frame
    shape = {"map": {"person": "id", "x": ("status", "bill")}, "bins": {"bill": [0, 100]}}
    expected = whatever_is_lost("wide.csv", wide={"status": ["s3", "s2", "s1"], "bill": ["b3", "b2", "b1"]}, **shape)
    for how in (
        {"wide": {"status": ["s3", "s2", "s1"], "bill": ["b3", "b2", "b1"]}},
        {"wide": ["s3,s2,s1:status", "b3,b2,b1:bill"]},
        {"query": LONG},
    ):
        counts = whatever_is_lost(data, **how, **shape)
        assert counts.log.rows == expected.log.rows
        for name in ("first", "visits", "transitions"):
            assert (getattr(counts, name) == getattr(expected, name)).all(), how


def test_parquet_has_the_rows_of_its_files(own):
    """Of one row several, which know their place in the files."""
    frame = pandas.read_csv("wide.csv").sample(frac=1, random_state=1)
    frame.to_csv("wide.csv", index=False)
    frame.to_parquet("whole.parquet")
    frame[:20].to_parquet("part1.parquet")
    frame[20:].to_parquet("part2.parquet")
    wide = {"wide": {"status": ["s3", "s2", "s1"], "bill": ["b3", "b2", "b1"]}}
    shape = {"map": {"person": "id", "x": ("status", "bill")}, "bins": {"bill": [0, 100]}}
    expected = whatever_is_lost("wide.csv", **wide, **shape)
    for files in ("whole.parquet", ["part1.parquet", "part2.parquet"]):
        for how in (wide, {"query": LONG}):
            counts = whatever_is_lost(files, **how, **shape)
            for name in ("first", "visits", "transitions"):
                assert (getattr(counts, name) == getattr(expected, name)).all(), (files, how)
    [found] = whatever_is_lost("whole.parquet", **wide, **shape).log.findings
    assert (found.anomaly, found.rows, found.row) == (
        "missing",
        expected.log.findings[0].rows,
        expected.log.findings[0].row,
    )


def test_steps_of_a_frame_are_made_of_its_dates():
    frame = pandas.DataFrame(
        {
            "person": [1, 1, 2, 2, 3],
            "when": pandas.to_datetime(["2024-01-31", "2024-02-01", "2023-12-05", "2024-02-20", None]),
            "group": ["a", "a", "b", "b", "b"],
            "x": ["p", "q", "p", "p", "q"],
            "y": 1,
            "a": 1,
        }
    )
    months = whatever_is_lost(frame, step_from="when", every="month")
    assert (months.horizon, months.log.first_step) == (3, 2023 * 12 + 11)
    order = whatever_is_lost(frame, step_from="when", every="order")
    assert (order.horizon, order.transitions.sum()) == (2, 2)
    assert [(f.anomaly, f.role, f.rows) for f in order.log.findings] == [("missing", "step", 1)]


def test_counts_that_are_shaped_go_through_files(own):
    counts = fs.count("own.csv", missing=["NA", "?"], **OPTIONS)
    counts.save("c.json")
    assert fs.load("c.json").to_json() == counts.to_json()
    assert counts.log.shape[-1] == "missing values: NA, ?"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"query": " "}, "query is empty"),
        ({"query": "SELECT * FROM read_csv('own.csv')"}, "query cannot be asked: Permission Error"),
        ({"query": "SELECT * FROM frame"}, "query cannot be asked: Catalog Error"),
        ({"recode": "sex"}, 'recode is "sex", expected a column'),
        ({"recode": {"other": {"1": "a"}}}, 'recode is about the column "other", which is not there'),
        ({"wide": "sex"}, 'wide is "sex", expected a column for each step'),
        ({"step_from": "when"}, "step_from and every are given together"),
        ({"step_from": "when", "every": "week"}, 'every is "week", expected month'),
    ],
)
def test_what_cannot_be_shaped_is_a_value_error(own, options, message):
    with pytest.raises(ValueError, match=message.replace("(", r"\(")):
        fs.count(texts("own.csv"), **{"map": OPTIONS["map"]} | options)


def coded(labels):
    """40 people at two steps, whose label is the first of two numbers or the second."""
    rows = range(80)
    return pandas.DataFrame(
        {
            "person": [i // 2 for i in rows],
            "step": [i % 2 for i in rows],
            "group": ["ab"[i // 2 % 2] for i in rows],
            "x": ["pq"[i // 4 % 2] for i in rows],
            "y": [labels[i // 3 % 2] for i in rows],
            "a": [i // 5 % 2 for i in rows],
        }
    )


@pytest.mark.parametrize("kind", [int, float, str])
def test_labels_in_codes_are_read_whole_or_not_at_all(kind):
    right = fs.count(coded([0, 1]))
    one_two = coded([kind(1), kind(2)])
    # 80 rows, whose labels change after every third: 39 are of the second.
    with pytest.raises(ValueError, match=r"the label y is 1 in some rows, 0 in none, but \"2\" in 39 rows") as refused:
        fs.count(one_two, allow_loss=True)
    assert 'hint: labels="1,2"?' in refused.value.__notes__
    for said in ("1,2", ["1", "2"]):
        counts = fs.count(one_two, labels=said)
        assert (counts.visits == right.visits).all()
        assert counts.labels == ["1", "2"]
    turned = fs.count(one_two, labels=["2", "1"])
    assert (turned.visits == right.visits[:, :, :, ::-1]).all()
    with pytest.raises(ValueError, match='the label y is 2 in some rows, 1 in none, but "0" in 41 rows'):
        fs.count(coded([0, 2]), labels="1,2")


def test_more_than_a_twentieth_lost_is_an_error():
    table = coded([0, 1])
    table["x"] = table["x"].where(table.index >= 4, None)
    assert fs.count(table).log.findings[0].rows == 4  # of 80: 5 %, and no more
    table["x"] = table["x"].where(table.index >= 5, None)
    with pytest.raises(
        ValueError, match=r"5 of 80 rows \(6\.25 %\) cannot be used, more than 5 %: missing x in 5 rows"
    ):
        fs.count(table)
    assert fs.count(table, allow_loss=True).log.findings[0].rows == 5


def test_a_group_in_which_nobody_is_was_misspelt():
    with pytest.raises(ValueError, match='nobody who could be counted is of group "c"'):
        fs.count(coded([0, 1]), groups=["a", "b", "c"])
    whole = fs.count(coded([0, 1]))
    part = coded([0, 1])
    assert fs.count(part[part["group"] == "a"], like=whole).groups == ["a", "b"]


def test_a_group_whose_rows_were_all_lost_may_be_counted_without_anybody():
    table = coded([0, 1])
    table.loc[0, "x"] = None
    table.loc[0, "group"] = "c"
    table.loc[0, "person"] = -1
    with pytest.raises(
        ValueError, match='no row of group "c" can be used, though the log has some: missing x in 1 row'
    ):
        fs.count(table, groups=["a", "b", "c"])
    counts = fs.count(table, groups=["a", "b", "c"], allow_loss=True)
    assert counts.visits[2].sum() == 0


def test_latin_1_is_read_as_it_is_told(tmp_path):
    table = coded([0, 1]).replace({"group": {"a": "Zürich"}})
    table.to_csv(tmp_path / "old.csv", index=False, encoding="latin-1")
    counts = fs.count(tmp_path / "old.csv", encoding="latin-1")
    assert counts.groups == ["Zürich", "b"]
    assert (counts.visits == fs.count(table).visits).all()
    with pytest.raises(ValueError, match='encoding is "latin1", expected one of utf-8, latin-1'):
        fs.count(tmp_path / "old.csv", encoding="latin1")


def test_what_columns_may_be_is_in_the_hint():
    table = coded([0, 1]).rename(columns={"person": "customer_id", "x": "score_band", "y": "repaid", "a": "approved"})
    with pytest.raises(ValueError, match='there is no column "person"') as refused:
        fs.count(table)
    [hint] = [note for note in refused.value.__notes__ if note.startswith("hint")]
    assert "customer_id" in hint
    found = hint.split('map="')[1].split('"')[0]
    assert (fs.count(table, map=found).visits == fs.count(coded([0, 1])).visits).all()
