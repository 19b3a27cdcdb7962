"""A lender's own table into rows of decisions: by options, by a query, and as plain Python would do it."""

import csv
import datetime
import gzip
import json
import random

import pytest
from conftest import Fairstep


@pytest.fixture
def fairstep(lossy):
    return lossy


@pytest.fixture
def run(tmp_path):
    """In the same folder, and nothing may be lost unless it is said."""
    return Fairstep(tmp_path)


TABLES = ("horizon", "groups", "features", "first", "visits", "transitions", "reward_sum", "reward_squares", "history")
MISSING = {"", "NA", "N/A", "?", "null", "NULL", "nan", "NaN"}


def write(path, rows, delimiter=","):
    with open(path, "w", newline="") as file:
        out = csv.DictWriter(file, list(rows[0]), delimiter=delimiter, lineterminator="\n")
        out.writeheader()
        out.writerows(rows)


def expect_same(fairstep, one, other, *, findings=True):
    one, other = fairstep.read(one), fairstep.read(other)
    for table in TABLES:
        assert one[table] == other[table], table
    assert one["log"]["lost"] == other["log"]["lost"]
    assert one["log"]["rows"] == other["log"]["rows"]
    if findings:
        kinds = [(found["kind"], found.get("column"), found["rows"], found["row"]) for found in one["log"]["findings"]]
        assert kinds == [
            (found["kind"], found.get("column"), found["rows"], found["row"]) for found in other["log"]["findings"]
        ]


def table(seed, people=120, steps=4):
    """Rows of a bank's own table: codes, spaces, texts for no value, values that nobody expects."""
    draw = random.Random(seed)
    rows = []
    for person in range(people):
        branch, number = f"b{person % 3}", str(person // 3)
        sex, education = draw.choice("12"), draw.choice("1234567")
        for step in range(steps):
            row = {
                "branch": branch,
                "number": number if draw.random() > 0.02 else f" {number} ",
                "step": step,
                "sex": sex,
                "education": education,
                "status": draw.choice(["-1", "0", "2", "3"]),
                "limit": draw.choice(["0", "500", "1e3", "50000.5", " 70000"]),
                "y": draw.choice("01"),
                "a": draw.choice("01"),
                "reward": draw.choice(["1", "-0.5"]),
            }
            for name in ("status", "limit", "y", "a", "reward", "sex"):
                if draw.random() < 0.02:
                    row[name] = draw.choice([*sorted(MISSING), " NA ", "  "])
            if draw.random() < 0.02:
                row["limit"] = draw.choice(["-3", "much", "inf", "1_000"])
            rows.append(row)
    return rows


SHAPE = [
    *("--map", "person=branch+number,group=sex+education,x=status+limit"),
    *("--recode", "sex:1=men,2=women", "--recode", "education:1=graduate,2=university,*=other"),
    *("--bins", "limit=0,1000,50000", "--censored", "drop"),
]


def shaped(row):
    """The same by hand; `<unknown>` is no name that anybody expects, and `<unreadable>` no number."""

    def clean(name):
        text = str(row[name]).strip(" ")
        return "" if text in MISSING else text

    def joined(*parts):
        return "" if "" in parts else "/".join(parts)

    def bin_of(text):
        try:
            number = float(text) if "_" not in text else float("inf")
        except ValueError:
            return text and "<unreadable>"
        if number == float("inf"):
            return "<unreadable>"
        names = ["<unknown>", "[0,1000)", "[1000,50000)", "[50000,inf)"]
        return names[sum(number >= edge for edge in (0, 1000, 50000))]

    sex = {"1": "men", "2": "women", "": ""}[clean("sex")]
    education = {"1": "graduate", "2": "university"}.get(row["education"], "other")
    return {
        "person": joined(row["branch"], clean("number")),
        "group": joined(sex, education),
        "step": row["step"],
        "x": joined(clean("status"), bin_of(clean("limit"))),
        "y": clean("y"),
        "a": clean("a"),
        "reward": clean("reward"),
    }


def names_of(rows, column):
    return sorted({row[column] for row in rows if row[column] and "<" not in row[column]})


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("order", ["as it is", "shuffled"])
def test_options_make_the_rows_that_plain_python_makes(fairstep, seed, order):
    rows = table(seed)
    if order == "shuffled":
        random.Random(seed).shuffle(rows)
    by_hand = [shaped(row) for row in rows]
    write(fairstep.folder / "own.csv", rows)
    write(fairstep.folder / "log.csv", by_hand)
    fairstep("count", "own.csv", *SHAPE, "-o", "own.json", code=0)
    counts = fairstep.read("own.json")
    assert sorted(counts["groups"]) == names_of(by_hand, "group")
    assert sorted(counts["features"]) == names_of(by_hand, "x")
    names = ["--groups", ",".join(counts["groups"]), "--censored", "drop"]
    like = ["--like", "own.json", *names]
    fairstep("count", "log.csv", *like, "-o", "log.json", code=0)
    # What cannot be read is as lost as what is not known, but goes by another name.
    expect_same(fairstep, "own.json", "log.json", findings=False)
    kinds = {(found["kind"], found.get("column")) for found in counts["log"]["findings"]}
    assert {("missing", "x"), ("unknown", "x"), ("unreadable", "x"), ("missing", "y")} <= kinds
    assert "quote" not in json.dumps(counts["log"]["shape"])


def test_names_in_parts_are_in_the_order_of_their_parts(fairstep):
    rows = [
        {"person": i, "step": 0, "g": g, "limit": limit, "x": x, "y": 1, "a": 1}
        for i, (g, limit, x) in enumerate(
            (g, limit, x) for g in ("b", "a") for limit in (5, 60000, 1000000) for x in (10, 9)
        )
    ]
    write(fairstep.folder / "own.csv", rows)
    words = ["--map", "group=g+limit", "--bins", "limit=0,50000,100000"]
    fairstep("count", "own.csv", *words, "-o", "c.json", code=0)
    bins = ["[0,50000)", "[50000,100000)", "[100000,inf)"]
    assert fairstep.read("c.json")["groups"] == [f"{g}/{name}" for g in "ab" for name in bins]
    assert fairstep.read("c.json")["features"] == ["9", "10"]


def test_a_slash_in_a_value_makes_no_two_combinations_one(fairstep):
    values = [("a/b", "c"), ("a", "b/c"), ("a\\", "b"), ("a", "\\/b"), ("a\\/", "b")]
    rows = [
        {"person": i, "step": 0, "g": g, "h": h, "x": x, "y": 1, "a": 1}
        for i, (g, h) in enumerate(values)
        for x in "pq"
    ]
    for i, row in enumerate(rows):
        row["person"] = i
    write(fairstep.folder / "own.csv", rows)
    fairstep("count", "own.csv", "--map", "group=g+h", "-o", "c.json", code=0)
    assert len(fairstep.read("c.json")["groups"]) == len(values)
    assert "a\\/b/c" in fairstep.read("c.json")["groups"]
    fairstep("count", "own.csv", "--map", "person=g+h,group=x,x=person", "--quiet")
    done = fairstep("count", "own.csv", "--map", "person=g+h,group=g+h,x=x", "--strict", code=2)
    assert "conflict" in done.err  # the two rows of a combination are one person at one step


def test_a_column_that_has_a_plus_in_its_name_is_that_column(fairstep):
    rows = [
        {"person": i, "step": 0, "g+h": ("one", "two")[i % 2], "g": "no", "h": "no", "x": "pqp"[i % 3], "y": 1, "a": 1}
        for i in range(8)
    ]
    write(fairstep.folder / "own.csv", rows)
    fairstep("count", "own.csv", "--map", "group=g+h", "-o", "c.json", code=0)
    assert fairstep.read("c.json")["groups"] == ["one", "two"]


def test_values_that_no_recode_names_are_unknown(fairstep):
    rows = [{"person": i, "step": 0, "group": "123"[i % 3], "x": "pq"[i % 2], "y": 1, "a": 1} for i in range(12)]
    write(fairstep.folder / "own.csv", rows)
    fairstep("count", "own.csv", "--recode", "group:1=one,2=two", "-o", "c.json", code=0)
    counts = fairstep.read("c.json")
    assert counts["groups"] == ["one", "two"]
    [found] = counts["log"]["findings"]
    assert (found["kind"], found["column"], found["rows"], found["row"]) == ("unknown", "group", 4, 3)


def test_texts_for_no_value_are_missing_and_the_list_is_an_option(fairstep):
    rows = [
        {"person": i, "step": 0, "group": g, "x": x, "y": 1, "a": 1}
        for i, (g, x) in enumerate(zip(["a", "b", "NA", "?", "-9", " a", "b ", "a"], "ppqqppqp", strict=True))
    ]
    write(fairstep.folder / "own.csv", rows)
    fairstep("count", "own.csv", "-o", "c.json", code=0)
    assert fairstep.read("c.json")["groups"] == ["-9", "a", "b"]
    assert [(f["kind"], f["rows"]) for f in fairstep.read("c.json")["log"]["findings"]] == [("missing", 2)]
    fairstep("count", "own.csv", "--missing=-9,?", "-o", "c.json", code=0)
    assert fairstep.read("c.json")["groups"] == ["NA", "a", "b"]
    assert fairstep.read("c.json")["log"]["shape"] == {"missing": ["-9", "?"]}
    # A name that is wanted is a name.
    fairstep("count", "own.csv", "--groups", "NA,a,b", "-o", "c.json", code=0)
    counts = fairstep.read("c.json")
    assert sum(map(sum, counts["first"][0])) == 1
    assert [(f["kind"], f["rows"]) for f in counts["log"]["findings"]] == [("missing", 1), ("unknown", 1)]


@pytest.mark.parametrize("order", ["as it is", "shuffled"])
def test_persons_have_no_spaces_around_them(fairstep, order):
    """Names longer than what the engine keeps in place, too."""
    draw = random.Random(4)
    rows, clean = [], []
    for i in range(300):
        person = f"p{i:03}" + "x" * draw.choice([0, 6, 8, 9, 20])
        for step in range(3):
            row = {
                "person": person,
                "step": step,
                "group": draw.choice("a") if i % 2 else "b",
                "x": draw.choice("pq"),
                "y": draw.choice("01"),
                "a": draw.choice("01"),
            }
            clean.append(row)
            rows.append(row | {"person": draw.choice(["", " ", "   "]) + person + draw.choice(["", " "])})
    together = sorted(range(len(rows)), key=lambda i: (len(clean[i]["person"]), clean[i]["person"], clean[i]["step"]))
    if order == "shuffled":
        draw.shuffle(together)
    write(fairstep.folder / "own.csv", [rows[i] for i in together])
    write(fairstep.folder / "log.csv", [clean[i] for i in together])
    for name in ("own", "log"):
        fairstep("count", f"{name}.csv", "-o", f"{name}.json", code=0)
    expect_same(fairstep, "own.json", "log.json")
    for name in ("own", "log"):
        fairstep(
            "count",
            f"{name}.csv",
            "--split",
            0.5,
            "--seed",
            1,
            "-o",
            f"{name}.json",
            "--audit",
            f"{name}-audit.json",
            code=0,
        )
    expect_same(fairstep, "own.json", "log.json")
    expect_same(fairstep, "own-audit.json", "log-audit.json")


def wide_table(seed, people=60):
    draw = random.Random(seed)
    rows = []
    for i in range(people):
        row = {"id": i, "group": "ab"[i % 2], "y": draw.choice("01"), "a": draw.choice("01")}
        for month in (3, 2, 1):
            row[f"s{month}"] = draw.choice(["p", "q", "NA"])
            row[f"b{month}"] = draw.choice(["5", "600"])
        rows.append(row)
    return rows


@pytest.mark.parametrize("order", ["as it is", "shuffled"])
def test_columns_become_rows_by_an_option_and_by_a_query(fairstep, order):
    rows = wide_table(1)
    if order == "shuffled":
        random.Random(1).shuffle(rows)
    long = []
    for row in rows:
        for step, month in enumerate((3, 2, 1)):
            bill = "[0,100)" if row[f"b{month}"] == "5" else "[100,inf)"
            x = "" if row[f"s{month}"] == "NA" else f"{row[f's{month}']}/{bill}"
            long.append({name: row[name] for name in ("group", "y", "a")} | {"person": row["id"], "step": step, "x": x})
    write(fairstep.folder / "own.csv", rows)
    write(fairstep.folder / "log.csv", long)
    fairstep("count", "log.csv", "-o", "log.json", code=0)
    shape = ["--map", "person=id,x=status+bill", "--bins", "bill=0,100"]
    wide = ["--wide", "s3,s2,s1:status", "--wide", "b3,b2,b1:bill"]
    fairstep("count", "own.csv", *shape, *wide, "-o", "own.json", code=0)
    expect_same(fairstep, "own.json", "log.json", findings=False)
    # The first of them is named by the row of the file that it comes from.
    [found] = fairstep.read("own.json")["log"]["findings"]
    first = next(i for i, row in enumerate(rows) if "NA" in (row["s1"], row["s2"], row["s3"]))
    assert (found["kind"], found["column"], found["row"]) == ("missing", "x", first + 1)
    sql = (
        'SELECT id, "group", y, a, unnest([0, 1, 2]) AS step, unnest([s3, s2, s1]) AS status, '
        "unnest([b3, b2, b1]) AS bill FROM log"
    )
    fairstep("count", "own.csv", *shape, "--query", sql, "-o", "asked.json", code=0)
    expect_same(fairstep, "asked.json", "log.json")
    asked = fairstep.read("asked.json")["log"]
    assert asked["shape"]["query"] == sql
    assert [found["file"] for found in asked["findings"]] == ["the query's result"]


@pytest.mark.parametrize("every", ["month", "30d", "order"])
def test_steps_are_made_of_dates(fairstep, every):
    draw = random.Random(7)
    rows = []
    for i in range(50):
        day = datetime.date(2023, 11, 1) + datetime.timedelta(days=draw.randrange(20))
        for _ in range(4):
            said = {"group": "ab"[i % 2], "x": draw.choice("pq"), "y": 1, "a": draw.choice("01")}
            rows.append({"person": i, "when": day} | said)
            day += datetime.timedelta(days=draw.choice([30, 31, 40]))
    draw.shuffle(rows)
    long = []
    for row in rows:
        if every == "month":
            step = row["when"].year * 12 + row["when"].month - 1
        elif every == "30d":
            step = (row["when"] - datetime.date(1970, 1, 1)).days // 30
        else:
            step = sum(other["when"] < row["when"] for other in rows if other["person"] == row["person"])
        long.append(row | {"step": step})
    write(fairstep.folder / "own.csv", rows)
    write(fairstep.folder / "log.csv", long)
    fairstep("count", "own.csv", "--step-from", "when", "--every", every, "-o", "own.json", code=0)
    fairstep("count", "log.csv", "-o", "log.json", code=0)
    expect_same(fairstep, "own.json", "log.json", findings=every != "order")
    assert fairstep.read("own.json")["log"]["columns"]["step"] == "when"
    assert fairstep.read("own.json")["log"]["first_step"] == fairstep.read("log.json")["log"]["first_step"]


def test_dates_that_are_none_are_lost_and_by_order_so_is_the_person(fairstep):
    rows = [
        {"person": i, "when": f"2024-0{m}-01", "group": "ab"[i % 2], "x": "pq"[m % 2], "y": 1, "a": 1}
        for i in range(6)
        for m in (1, 2, 3)
    ]
    rows[1]["when"], rows[3]["when"] = "NA", "soon"
    write(fairstep.folder / "own.csv", rows)
    fairstep("count", "own.csv", "--step-from", "when", "--every", "month", "-o", "c.json", code=0)
    assert [(f["kind"], f["column"], f["rows"]) for f in fairstep.read("c.json")["log"]["findings"][:2]] == [
        ("missing", "step", 1),
        ("unreadable", "step", 1),
    ]
    fairstep("count", "own.csv", "--step-from", "when", "--every", "order", "-o", "c.json", code=0)
    [found] = fairstep.read("c.json")["log"]["findings"]
    assert (found["kind"], found["column"], found["rows"]) == ("missing", "step", 6)
    rows[7]["person"] = ""
    write(fairstep.folder / "own.csv", rows)
    done = fairstep("count", "own.csv", "--step-from", "when", "--every", "order", code=2)
    assert done.err.startswith("error: 1 rows name nobody")


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("SELECT 1; SELECT 2", "--query cannot be asked: it is 2 statements"),
        ("COPY log TO 'stolen.csv'", "--query cannot be asked: "),
        ("CREATE TABLE t AS SELECT * FROM log", "--query cannot be asked: it is no SELECT"),
        ("INSTALL httpfs", "--query cannot be asked: "),
        ("LOAD httpfs", "--query cannot be asked: "),
        ("ATTACH 'stolen.db'", "--query cannot be asked: "),
        ("SET threads = 7", "--query cannot be asked: "),
        ("PRAGMA memory_limit='9GB'", "--query cannot be asked: "),
        ("SELECT * FROM read_csv('secret.csv')", "--query cannot be asked: "),
        ("SELECT * FROM read_text('secret.csv')", "--query cannot be asked: "),
        ("SELECT * FROM 'secret.csv'", "--query cannot be asked: "),
        ("SELECT * FROM glob('*')", "--query cannot be asked: "),
        ("EXPORT DATABASE 'stolen'", "--query cannot be asked: "),
        ("SELEC * FROM log", "--query cannot be asked: "),
        ("SELECT none FROM log", "--query cannot be asked: "),
        ("  ", "--query is empty"),
        ("-- nothing", "--query cannot be asked: "),
        ("SELECT * FROM log LIMIT 0", "the log has no rows"),
    ],
)
def test_a_query_asks_the_log_and_does_nothing_else(fairstep, sql, message):
    rows = [{"person": i, "step": 0, "group": "ab"[i % 2], "x": "pq"[i // 2 % 2], "y": 1, "a": 1} for i in range(8)]
    write(fairstep.folder / "own.csv", rows)
    (fairstep.folder / "secret.csv").write_text("person,group,step,x,y,a\n1,a,0,p,1,1\n")
    files = fairstep.files()
    done = fairstep("count", "own.csv", "--query", sql, "-o", "c.json", code=2)
    assert done.err.startswith(f"error: {message}"), done.err
    assert fairstep.files() == files


@pytest.mark.parametrize(
    "sql", ["SELECT * FROM log", "FROM log;", "SELECT * FROM log -- all", "WITH l AS (FROM log) FROM l"]
)
def test_lines_that_are_no_rows_are_found_behind_a_query_too(fairstep, sql):
    lines = ["person,step,group,x,y,a", "1,0,a,p,1,1", "2,0,b,q,1,1", "3,0,b", "4,0,a,q,0,1"]
    (fairstep.folder / "own [1].csv").write_text("\n".join(lines) + "\n")
    for words in ([], ["--query", sql]):
        fairstep("count", "own [1].csv", *words, "-o", "c.json", code=0)
        [found] = fairstep.read("c.json")["log"]["findings"]
        assert (found["kind"], found["rows"], found["file"], found["row"]) == ("malformed", 1, "own [1].csv", 4)
    broken = "\n".join([*lines[:3], '5,0,a,"p,1,1', "6,0,a,p,1,1", "7,0,a,p,1,1", "8,0,a,p,1,1"])
    (fairstep.folder / "open.csv").write_text(broken + "\n")
    lost = []
    for words in ([], ["--query", sql]):
        fairstep("count", "open.csv", *words, "-o", "c.json", code=0)
        lost.append(fairstep.read("c.json")["log"]["lost"])
    assert lost[0] == lost[1]


def test_several_files_and_parquet_are_one_table(fairstep):
    rows = wide_table(3)
    write(fairstep.folder / "own.csv", rows)
    write(fairstep.folder / "one.csv", rows[:25])
    write(fairstep.folder / "two.csv", rows[25:])
    words = ["--wide", "s3,s2,s1:status", "--map", "person=id,x=status", "--recode", "status:p=good,*=bad"]
    query = ["--query", 'SELECT id, "group", y, a, unnest([0,1,2]) AS step, unnest([s3,s2,s1]) AS status FROM log']
    for name, files, how in (
        ("a", ["own.csv"], words),
        ("b", ["one.csv", "two.csv"], words),
        ("c", ["one.csv", "two.csv"], [*query, *words[2:]]),
    ):
        fairstep("count", *files, *how, "-o", f"{name}.json", code=0)
    expect_same(fairstep, "a.json", "b.json", findings=False)
    expect_same(fairstep, "a.json", "c.json", findings=False)


def test_merge_wants_tables_that_were_shaped_alike(fairstep):
    rows = [{"person": i, "step": 0, "group": "12"[i % 2], "x": "pq"[i // 2 % 2], "y": 1, "a": 1} for i in range(8)]
    write(fairstep.folder / "a.csv", rows)
    write(fairstep.folder / "b.csv", [row | {"person": row["person"] + 100} for row in rows])
    fairstep("count", "a.csv", "--recode", "group:1=one,2=two", "-o", "a.json", code=0)
    fairstep("count", "b.csv", "--recode", "group:1=two,2=one", "-o", "b.json", code=0)
    done = fairstep("merge", "a.json", "b.json", "--different-people", code=2)
    assert 'the table was shaped by "recode group: 1 = two, 2 = one", expected "recode group: 1 = one' in done.err
    fairstep("count", "b.csv", "--recode", "group:2=two,1=one", "-o", "b.json", code=0)
    fairstep("merge", "a.json", "b.json", "--different-people", "-o", "c.json", code=0)
    assert fairstep.read("c.json")["log"]["shape"] == fairstep.read("a.json")["log"]["shape"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--map", "group=sex+eduction"], 'there is no column "eduction" for group'),
        (["--map", "y=sex+education"], 'y is "sex+education", expected one column'),
        (["--recode", "sex"], '--recode is "sex", expected a column'),
        (["--recode", "sex:1=a,1=b"], '--recode is "sex:1=a,1=b", expected a column'),
        (["--recode", "sx:1=a"], '--recode is about the column "sx", which is not there'),
        (["--recode", "limit:1=a"], '--recode is about the column "limit", of which nothing is made'),
        (["--recode", "person:1=a"], "--recode is about person, which tells people apart"),
        (["--recode", "x:1=a", "--recode", "x:2=a"], "--recode is about x twice"),
        (["--bins", "limit=0,1", "--map", "x=x"], "--bins is about the column limit, of which nothing is made"),
        (["--wide", "limit:x"], "--wide has 1 column for x"),
        (["--wide", "limit,limt:z"], '--wide names the column "limt", which is not there'),
        (["--wide", "limit,sex:z"], '--wide makes the column "step", but there is one'),
        (["--step-from", "limit"], "--step-from and --every are given together"),
        (["--step-from", "limit", "--every", "week"], '--every is "week", expected month, order'),
        (["--map", "x=twice"], 'two columns are called "twice", the 10. and the 11.'),
    ],
)
def test_what_cannot_be_shaped_is_an_error(fairstep, words, message):
    names = ["person", "step", "group", "x", "y", "a", "sex", "education", "limit", "twice", "twice", "", "X"]
    lines = [names] + [[i, 0, "ab"[i % 2], "pq"[i // 2 % 2], 1, 1, 1, 2, 3, 4, 5, 6, 7] for i in range(8)]
    (fairstep.folder / "own.csv").write_text("\n".join(",".join(map(str, line)) for line in lines) + "\n")
    done = fairstep("count", "own.csv", *words, code=2)
    assert done.err.startswith(f"error: {message}"), done.err
    # Columns that nobody uses do no harm, whatever they are called.
    fairstep("count", "own.csv", code=0)
    fairstep("count", "own.csv", "--query", "SELECT * FROM log", code=0)


@pytest.mark.parametrize(("delimiter", "said"), [(";", "';'"), ("\t", "tabs"), ("|", "'|'"), (",", "")])
def test_what_separates_columns_is_seen_and_said(fairstep, delimiter, said):
    rows = [{"person": i, "step": 0, "group": "ab"[i % 2], "x": f"1{',.'[i % 2]}5", "y": 1, "a": 1} for i in range(8)]
    write(fairstep.folder / "own.csv", rows, delimiter)
    done = fairstep("count", "own.csv", "-o", "c.json", code=0)
    assert done.out.splitlines()[0] == "own.csv: 8 rows, 8 people, step 0" + (
        f", columns separated by {said}" if said else ""
    )
    assert fairstep.read("c.json")["features"] == ["1,5", "1.5"]


def test_files_that_are_no_logs_are_named_as_what_they_are(fairstep):
    for name, data, message, hint in (
        ("log.zip", b"PK\x03\x04rest", "this is a zip archive", "unzip -p log.zip > log.csv"),
        ("log.xlsx", b"PK\x03\x04rest", "this is a workbook of a spreadsheet", "save the sheet as CSV"),
        ("log.csv", "person;größe".encode("utf-16"), "this is UTF-16", "iconv -f UTF-16 -t UTF-8 log.csv"),
        ("old.csv", "person;größe\n1;2\n".encode("latin-1"), "the first line is not UTF-8", "--encoding latin-1"),
    ):
        (fairstep.folder / name).write_bytes(data)
        done = fairstep("count", name, code=2)
        assert done.err.startswith(f"error: {message}") and hint in done.err
    lines = ["person,step,group,x,y,a", "1,0,a,p,1,1", "2,0,b,q,1,1", "3,0,Größe,q,1,1"]
    (fairstep.folder / "rows.csv").write_bytes("\n".join(lines).encode("latin-1"))
    done = fairstep("count", "rows.csv", "-o", "c.json", code=0)
    assert "they are not UTF-8; if it is Latin-1: --encoding latin-1; Windows-1252 is converted by iconv" in done.err


@pytest.mark.parametrize("packed", [False, True])
def test_latin_1_is_read_as_it_is_told(fairstep, packed):
    """The same table in both encodings, larger than what is read at a time (4 MB), with a line that is no row."""
    names, suffix = ["Zürich", "Besançon", "Ærø"], ".csv.gz" if packed else ".csv"
    lines = ["person;step;größe;x;y;a;note"]
    lines += [
        f"{i};{h};{names[i % 3]};{'é' * (1 + i % 7)};{i % 2};{h % 2};{'ü' * (180 + i % 41)}"
        for i in range(12_000)
        for h in range(2)
    ]
    lines[5] += ";ü"
    table = "\n".join(lines) + "\n"
    for name, encoding in (("utf8", "utf-8"), ("old", "latin-1")):
        data = table.encode(encoding)
        (fairstep.folder / (name + suffix)).write_bytes(gzip.compress(data, mtime=0) if packed else data)
    words = ["--map", "group=größe", "--memory", 64]
    fairstep("count", "utf8" + suffix, *words, "-o", "utf8.json", code=0)
    done = fairstep("count", "old" + suffix, *words, "--encoding", "latin-1", "-o", "old.json", code=0)
    assert done.out.splitlines()[0].endswith("columns separated by ';', read as Latin-1")
    expect_same(fairstep, "old.json", "utf8.json")
    old = fairstep.read("old.json")
    assert old["groups"] == sorted(names)
    assert [(found["kind"], found["rows"]) for found in old["log"]["findings"]] == [("malformed", 1)]
    # The euro sign of Windows-1252 is no letter of Latin-1.
    data = table.encode("latin-1") + b"99999;0;\x80;x;1;1;\n"
    (fairstep.folder / ("old" + suffix)).write_bytes(gzip.compress(data, mtime=0) if packed else data)
    done = fairstep("count", "old" + suffix, *words, "--encoding", "latin-1", code=2)
    assert done.err.startswith("error: the file has bytes from 0x80 to 0x9F, which are no letters of Latin-1")


def group_table(fairstep, lost_group="c"):
    """40 people of a and b and one of c, whose two rows have no x."""
    rows = [
        {"person": i, "step": h, "group": "ab"[i % 2], "x": "pq"[i % 3 % 2], "y": i // 2 % 2, "a": (i + h) % 2}
        for i in range(40)
        for h in range(2)
    ]
    rows += [{"person": 40, "step": h, "group": lost_group, "x": "", "y": 1, "a": 1} for h in range(2)]
    write(fairstep.folder / "own.csv", rows)


def test_a_group_whose_rows_were_all_lost_is_not_one_that_is_misspelt(fairstep, run):
    group_table(fairstep)
    named = ["count", "own.csv", "--groups", "a,b,c"]
    done = run(*named, code=2)
    assert 'no row of group "c" can be used, though the log has some: missing x in 2 rows' in done.err
    assert "hint: count the other groups all the same: --allow-loss" in done.err
    done = run(*named, "--allow-loss", "-o", "c.json", code=0)
    assert "no row of group c could be used: nobody is counted in it" in done.err
    counts = run.read("c.json")
    assert counts["groups"] == ["a", "b", "c"]
    assert counts["log"]["lost"]["decisions"][2] == [1, 1]
    # Said too where nobody named the groups.
    done = run("count", "own.csv", code=0)
    assert "no row of group c could be used: nobody is counted in it" in done.err
    run("audit", "c.json", "-o", "audit.md", code=0)
    # A name that no row has is an error, whatever else was lost.
    done = run("count", "own.csv", "--groups", "a,b,c,d", "--allow-loss", code=2)
    assert 'nobody who could be counted is of group "d"' in done.err


def test_a_group_in_rows_that_contradict_others_was_lost_too(fairstep, run):
    # The one person of c is once of a name that nobody knows: it may be of any group, and c occurs all the same.
    group_table(fairstep)
    with open(fairstep.folder / "own.csv", "a") as file:
        file.write("40,2,elsewhere,p,1,1\n")
    done = run("count", "own.csv", "--groups", "a,b,c", "--allow-loss", "-o", "c.json", code=0)
    assert "no row of group c could be used: nobody is counted in it" in done.err


@pytest.mark.parametrize(
    ("label", "decision", "options"),
    [
        (("repaid", "N", "Y"), ("decision", "deny", "approve"), "--labels N,Y --actions deny,approve"),
        (("Default", "no", "yes"), ("approved", "0", "1"), "--recode Default:no=1,yes=0"),
        (("Default", "False", "True"), ("action", "refuse", "lend"),
         "--recode Default:False=1,True=0 --actions refuse,lend"),
        (("Default", "defaulted", "clean"), ("accepted", "rejected", "accepted"),
         "--labels defaulted,clean --actions rejected,accepted"),
    ],
)  # fmt: skip
def test_a_guess_takes_for_0_what_sounds_bad(fairstep, label, decision, options):
    (y, bad_or_no, good_or_yes), (a, no, yes) = label, decision
    rows = [
        {"person": 1, "step": 0, "group": "m", "x": "low", y: good_or_yes, a: yes},
        {"person": 2, "step": 0, "group": "f", "x": "low", y: bad_or_no, a: no},
    ]
    write(fairstep.folder / "t.csv", rows)
    guessed = fairstep("count", "t.csv", code=0)
    assert f"{options} -o counts.json" in guessed.err
    assert "label 1 is to be what one wishes for, action 1 to accept" in guessed.err


def test_a_table_that_begins_with_an_empty_line_is_refused_by_that(fairstep):
    (fairstep.folder / "t.csv").write_text("\nperson,step,group,x,y,a\n1,0,m,low,1,1\n")
    refused = fairstep("count", "t.csv", code=2)
    assert refused.err.startswith("error: the first line is empty, expected the names of the columns")
