"""What a log had and its counts do not: nothing that the lost rows could have said is beyond `log.lost`.

Complete logs are drawn, their tables computed here in the plainest way, and then rows are damaged. The counts of what
is left, and the losses that they name, must embrace the complete tables, entry by entry.
"""

import gzip
import itertools
import math
import random
from collections import Counter

import pytest
from log_reference import COLUMNS, write_csv


@pytest.fixture
def fairstep(lossy):
    return lossy


GROUPS, FEATURES, HORIZON = ["a", "b"], ["0", "9"], 4
CLOSED = ["--groups", "a,b", "--features", "0,9", "--first-step", 0, "--horizon", HORIZON, "--exclude-groups", "z"]


def complete_log(draw, people=14):
    """Person by person; two of them clean by contract, who have every name and step. Group z is not in the study."""
    rows = []
    for person in range(people):
        group = draw.choice("aabbz") if person > 1 else "ab"[person]
        steps = [step for step in range(HORIZON) if person < 2 or draw.random() < 0.75]
        for step in steps or [draw.randrange(HORIZON)]:
            x = draw.choice(FEATURES) if person > 1 else FEATURES[step % 2]
            y, a = (str(draw.randint(0, 1)) for _ in range(2))
            row = {"person": str(person), "group": group, "step": str(step), "x": x, "y": y, "a": a, "reward": "0.5"}
            rows.append(row)
    return rows


def tables(rows):
    """first, decisions, cells and transitions of a log in which nothing is wrong."""
    found = {key: Counter() for key in ("first", "decisions", "cells", "transitions")}
    by_person = {}
    for row in rows:
        if row["group"] in GROUPS:
            g, x = GROUPS.index(row["group"]), FEATURES.index(row["x"])
            by_person.setdefault(row["person"], {})[int(row["step"])] = (g, x, int(row["y"]), int(row["a"]))
    for steps in by_person.values():
        found["first"][steps[min(steps)][:3]] += 1
        for step, cell in steps.items():
            found["decisions"][cell[0], step] += 1
            found["cells"][cell] += 1
            if step + 1 in steps:
                found["transitions"][(*cell, *steps[step + 1][1:3])] += 1
    return found


GARBLED = {
    "person": [""],
    "group": ["", "?"],
    "step": ["", "x", "1.5"],
    "x": ["", "?"],
    "y": ["", "", "2"],
    "a": ["", "-1"],
    "reward": ["", "abc"],
}


def spoil(draw, row, blank_only=False):
    row = dict(row)
    for role in draw.sample(list(GARBLED), draw.choice((1, 1, 2, 3))):
        row[role] = "" if blank_only else draw.choice(GARBLED[role])
    return row


def damaged(draw, rows, rate, blank_only=False, lies=True):
    """Rows of a damaged log. A row that says something false stands beside one that contradicts it."""
    people = {}
    for row in rows:
        people.setdefault(row["person"], []).append(row)
    kept = []
    for person, own in people.items():
        if int(person) < 2:
            kept += own
        elif lies and len(own) > 1 and draw.random() < rate / 2:  # another group in one row
            wrong = draw.randrange(len(own))
            other = draw.choice([g for g in "abz" if g != own[0]["group"]])
            kept += [row | {"group": other} if i == wrong else row for i, row in enumerate(own)]
        else:
            for row in own:
                fate = draw.random() / rate
                if fate > 1:
                    kept.append(row)
                elif fate > 0.4:
                    kept.append(spoil(draw, row, blank_only))
                elif fate > 0.1:  # the true row and another one, in any order
                    other = [spoil(draw, row, blank_only) | {"person": person, "step": row["step"]}]
                    if lies:
                        role = draw.choice("xya")
                        values = FEATURES if role == "x" else ["0", "1"]
                        other.append(row | {role: values[1 - values.index(row[role])]})
                    kept += draw.sample([row, draw.choice(other)], 2)
                else:
                    kept += [row, row]
    return kept


def malform(draw, path, rate):
    """Some lines lose a field; an open quote swallows the lines up to the next quote."""
    lines = path.read_text().splitlines()
    for i in range(1 + 2 * HORIZON, len(lines)):
        if draw.random() < rate / 4:
            lines[i] = draw.choice([lines[i].replace(",", "", 1), lines[i] + ",1", lines[i].replace(",", ',"', 1)])
    path.write_text("\n".join(lines) + "\n")


def write_parquet(path, rows, numbers):
    pyarrow = pytest.importorskip("pyarrow")
    pytest.importorskip("pyarrow.parquet")
    types = {"person": pyarrow.int64(), "step": pyarrow.int32(), "y": pyarrow.int32(), "reward": pyarrow.float64()}
    columns = {}
    for role in COLUMNS:
        kind = types.get(role) if numbers else None
        cast = (float if role == "reward" else int) if kind else str
        values = [cast(row[role]) if row[role] else None for row in rows]
        columns[role] = pyarrow.array(values, kind or pyarrow.string())
    pyarrow.parquet.write_table(pyarrow.table(columns), path, row_group_size=7)


def embraces(counts, complete):
    """Asserts that complete - counted is within the losses, everywhere."""
    lost = counts["log"]["lost"]
    shape = [(g, x, y) for g in range(2) for x in range(2) for y in range(2)]
    missing, false = Counter(), Counter()
    for g, x, y in shape:
        difference = complete["first"][g, x, y] - counts["first"][g][x][y]
        (missing if difference > 0 else false)[g] += abs(difference)
    for g in range(2):
        assert missing[g] <= lost["first"][g], ("first", g)
        assert false[g] <= lost["first_in_doubt"][g], ("first_in_doubt", g)
        assert lost["first_in_doubt"][g] <= lost["first"][g]
        for h in range(HORIZON):
            seen = sum(counts["visits"][g][h][x][y][a] for x in range(2) for y in range(2) for a in range(2))
            assert 0 <= complete["decisions"][g, h] - seen <= lost["decisions"][g][h], ("decisions", g, h)
    for g, x, y in shape:
        for a in range(2):
            seen = sum(counts["visits"][g][h][x][y][a] for h in range(HORIZON))
            assert 0 <= complete["cells"][g, x, y, a] - seen <= lost["cells"][g][x][y][a], ("cells", g, x, y, a)
            unseen = 0
            for x1 in range(2):
                for y1 in range(2):
                    one = complete["transitions"][g, x, y, a, x1, y1] - counts["transitions"][g][x][y][a][x1][y1]
                    assert one >= 0, ("transitions", g, x, y, a, x1, y1)
                    unseen += one
            assert unseen <= lost["transitions"][g][x][y][a], ("transitions", g, x, y, a)


def embraces_features(counts, complete):
    """The same for the tables of features, which rows without a label are in."""
    log, whole = counts["log"], range(2)
    rows, lost = log["unlabelled_rows"], log["unlabelled_rows"]["lost"]
    missing, false = Counter(), Counter()
    for g, x in itertools.product(whole, whole):
        seen = rows["first"][g][x] + sum(counts["first"][g][x])
        difference = sum(complete["first"][g, x, y] for y in whole) - seen
        (missing if difference > 0 else false)[g] += abs(difference)
    for g in whole:
        assert missing[g] <= lost["first"][g], ("first", g)
        assert false[g] <= lost["first_in_doubt"][g], ("first_in_doubt", g)
        for h in range(HORIZON):
            seen = sum(map(sum, log["unlabelled"][g][h]))
            seen += sum(counts["visits"][g][h][x][y][a] for x in whole for y in whole for a in whole)
            assert 0 <= complete["decisions"][g, h] - seen <= lost["decisions"][g][h], ("decisions", g, h)
            # with a label and without, and all that is missing, are as many as are missing with a label
            assert log["lost"]["decisions"][g][h] == lost["decisions"][g][h] + sum(map(sum, log["unlabelled"][g][h]))
    for g, x, a in itertools.product(whole, whole, whole):
        seen = sum(
            log["unlabelled"][g][h][x][a] + sum(counts["visits"][g][h][x][y][a] for y in whole) for h in range(HORIZON)
        )
        all_of_them = sum(complete["cells"][g, x, y, a] for y in whole)
        assert 0 <= all_of_them - seen <= lost["cells"][g][x][a], ("cells", g, x, a)
        unseen = 0
        for x1 in whole:
            seen = rows["transitions"][g][x][a][x1]
            seen += sum(counts["transitions"][g][x][y][a][x1][y1] for y in whole for y1 in whole)
            one = sum(complete["transitions"][g, x, y, a, x1, y1] for y in whole for y1 in whole) - seen
            assert one >= 0, ("transitions", g, x, a, x1)
            unseen += one
        assert unseen <= lost["transitions"][g][x][a], ("transitions", g, x, a)


def files_of(fairstep, draw, kind, complete, rate):
    """The damaged log in one of the forms that a log can have."""
    folder = fairstep.folder
    blank_only = kind in ("open", "numbers")
    malformed = kind in ("malformed", "gzip")  # such a line may be the one that contradicts a lie
    rows = damaged(draw, complete, rate, blank_only, lies=not malformed)
    if kind in ("shuffled", "parquet-shuffled"):
        draw.shuffle(rows)
    if kind in ("numbers", "parquet", "parquet-shuffled"):
        write_parquet(folder / "log.parquet", rows, kind == "numbers")
        return ["log.parquet"]
    if kind == "files":
        cut = draw.randrange(2 * HORIZON, len(rows))
        write_csv(folder / "1.csv", rows[:cut])
        write_csv(folder / "2.csv", rows[cut:])
        return ["1.csv", "2.csv"]
    write_csv(folder / "log.csv", rows)
    if malformed:
        malform(draw, folder / "log.csv", rate)
    if kind != "gzip":
        return ["log.csv"]
    (folder / "log.csv.gz").write_bytes(gzip.compress((folder / "log.csv").read_bytes()))
    return ["log.csv.gz"]


KINDS = ["plain", "open", "shuffled", "files", "malformed", "gzip", "parquet", "parquet-shuffled", "numbers"]


@pytest.mark.parametrize("kind", KINDS)
def test_whatever_lost_rows_would_have_said_is_within_the_losses(fairstep, kind):
    for seed in range(25):
        draw = random.Random(f"{kind} {seed}")
        complete = complete_log(draw)
        files = files_of(fairstep, draw, kind, complete, rate=draw.choice((0.1, 0.3, 0.7)))
        names = CLOSED if kind != "open" else ["--exclude-groups", "z"]
        threads = draw.choice((1, 4))
        fairstep("count", *files, *names, "--censored", "drop", "--threads", threads, "-o", "c.json", code=0)
        try:
            embraces(fairstep.read("c.json"), tables(complete))
            if "unlabelled" in fairstep.read("c.json")["log"]:
                embraces_features(fairstep.read("c.json"), tables(complete))
        except AssertionError as error:
            raise AssertionError(f"{kind} {seed}: {error}") from error


def censored_counts(fairstep):
    rows = complete_log(random.Random(1))
    for row in rows:
        if row["a"] == "0":
            row["y"] = ""
    write_csv(fairstep.folder / "log.csv", rows)
    fairstep("count", "log.csv", *CLOSED, "--censored", "drop", "-o", "c.json", code=0)
    return fairstep.read("c.json")


# Adding two people without a record erased that labels were censored: certify then proved 0.0050 where the truth is
# 0.405.
@pytest.mark.parametrize("order", [("c.json", "two.json"), ("two.json", "c.json")])
def test_merging_people_without_a_record_keeps_the_record(fairstep, order):
    counts = censored_counts(fairstep)
    zero = {key: value for key, value in counts.items() if key not in ("log", "history")}
    for table in ("first", "visits", "transitions", "reward_sum", "reward_squares"):
        zero[table] = empty(zero[table])
    for g in range(2):
        zero["first"][g][0][0] = zero["visits"][g][0][0][0][0] = 1
    fairstep.write("two.json", zero)
    done = fairstep("merge", *order, "-o", "both.json", code=0)
    assert "two.json does not say which log it comes from: 2 people in the sum are unrecorded" in done.err
    both = fairstep.read("both.json")
    assert both["log"] == counts["log"] | {"unrecorded_people": 2}
    assert both["log"]["censored"] == "drop"
    fairstep("merge", "both.json", "two.json", "-o", "more.json", code=0)
    assert fairstep.read("more.json")["log"]["unrecorded_people"] == 4


def test_merging_a_file_that_does_not_know_its_losses_leaves_them_unknown(fairstep):
    counts = censored_counts(fairstep)
    del counts["log"]["lost"]  # as an older version wrote it
    fairstep.write("old.json", counts)
    done = fairstep("merge", "c.json", "old.json", "--different-people", "-o", "both.json", code=0)
    assert "old.json is of a version that did not keep where rows that were left out belong" in done.err
    assert "lost" not in fairstep.read("both.json")["log"]


def test_losses_of_parts_add_up(fairstep):
    draw = random.Random(3)
    rows = damaged(draw, complete_log(draw, people=30), 0.5)
    rows = [row | {"y": ""} if draw.random() < 0.1 else row for row in rows]
    whole = [row for row in rows if row["person"]]
    parts = {"a": [row for row in whole if int(row["person"]) % 2], "b": []}
    parts["b"] = [row for row in whole if not int(row["person"]) % 2]
    for name, own in [("whole", whole), *parts.items()]:
        write_csv(fairstep.folder / f"{name}.csv", own)
        fairstep("count", f"{name}.csv", *CLOSED, "--censored", "drop", "-o", f"{name}.json", code=0)
    fairstep("merge", "a.json", "b.json", "-o", "both.json", code=0)
    assert fairstep.read("both.json")["log"]["lost"] == fairstep.read("whole.json")["log"]["lost"]
    for table in ("unlabelled", "unlabelled_rows"):
        assert fairstep.read("both.json")["log"].get(table) == fairstep.read("whole.json")["log"].get(table)
    assert fairstep.read("both.json")["log"]["excluded"] == fairstep.read("whole.json")["log"]["excluded"]


def empty(nested):
    return [empty(part) for part in nested] if isinstance(nested, list) else 0


def test_count_says_what_share_was_left_out_and_what_may_be_missing(fairstep):
    rows = complete_log(random.Random(2))
    rows = [row for row in rows if row["group"] != "z"]
    rows[3] = rows[3] | {"y": ""}
    rows[5] = rows[5] | {"x": ""}
    write_csv(fairstep.folder / "log.csv", rows)
    done = fairstep("count", "log.csv", *CLOSED, "--censored", "drop", code=0)
    share = math.ceil(1000 / len(rows)) / 10  # one row, in percent and rounded up
    one = f"1 of {len(rows)} rows ({share} %)"
    assert f"warning: left out: {one} could not be used, and {one} have no label; the table has" in done.err
    assert "missing at most" in done.out
    told = fairstep("count", "log.csv", *CLOSED, "--censored", "drop", "--json", code=0).json
    assert told["lost"]["rows"] == 2 and told["lost"]["share"] == 2 / len(rows)
    assert told["lost"]["decisions"] == [1, 1] and told["lost"]["first_in_doubt"] == [0, 0]


# The first row that could be used was taken for the first state.
def test_a_person_whose_first_row_is_lost_has_no_first_state(fairstep):
    rows = complete_log(random.Random(2))
    lost = next(row for row in rows if row["person"] == "0")
    index = rows.index(lost)
    rows[index] = lost | {"x": ""}
    write_csv(fairstep.folder / "log.csv", rows)
    fairstep("count", "log.csv", *CLOSED, "-o", "c.json", code=0)
    counts = fairstep.read("c.json")
    people = len({row["person"] for row in rows if row["group"] == "a"})
    assert sum(map(sum, counts["first"][0])) == people - 1
    assert counts["log"]["lost"]["first"] == [1, 0]


def test_a_group_outside_of_the_study_is_named_and_not_lost(fairstep):
    rows = complete_log(random.Random(2))
    write_csv(fairstep.folder / "log.csv", rows)
    outside = sum(row["group"] == "z" for row in rows)
    done = fairstep("count", "log.csv", *CLOSED, "-o", "c.json", code=0)
    assert f"outside of the study: {outside} rows of group z" in done.err
    record = fairstep.read("c.json")["log"]
    assert record["excluded"] == [{"group": "z", "rows": outside}] and record["findings"] == [
        finding for finding in record["findings"] if finding["kind"] == "gap"
    ]
    assert record["lost"]["first"] == [0, 0]
    done = fairstep("count", "log.csv", "--groups", "a,z", "--exclude-groups", "z", code=2)
    assert "--exclude-groups has z, which is one of the groups that are wanted" in done.err


# An open quote swallows the rows after it, and only the line where it stands was counted as malformed.
def test_all_rows_that_an_open_quote_swallows_are_lost(fairstep):
    rows = complete_log(random.Random(2), people=30)
    write_csv(fairstep.folder / "log.csv", rows)
    path = fairstep.folder / "log.csv"
    lines = path.read_text().splitlines()
    lines[20] = lines[20].replace(",", ',"', 1)
    path.write_text("\n".join(lines) + "\n")
    fairstep("count", "log.csv", *CLOSED, "-o", "c.json", code=0)
    record = fairstep.read("c.json")["log"]
    assert record["findings"][0] == {"kind": "malformed", "rows": len(lines) - 20, "file": "log.csv", "row": 21}
    assert record["lost"]["decisions"] == [[len(lines) - 20] * HORIZON] * 2


# Rows of one step were compared each with each: ten billion comparisons for a log whose persons are all one, as by a
# wrong column.
def test_a_log_in_which_all_are_one_person_is_counted_in_one_go(fairstep):
    rows = [
        {"person": "1", "group": "ab"[i % 2], "step": "0", "x": "0", "y": "1", "a": "1", "reward": repr(i // 4 / 8)}
        for i in range(100_000)
    ]
    for person, group in (("2", "a"), ("3", "b")):
        rows.append({"person": person, "group": group, "step": "0", "x": "0", "y": "1", "a": "1", "reward": "1"})
    write_csv(fairstep.folder / "log.csv", rows)
    fairstep("count", "log.csv", *CLOSED, "-o", "c.json", code=0)
    record = fairstep.read("c.json")["log"]
    assert [(found["kind"], found["rows"]) for found in record["findings"]] == [
        ("duplicate", 50_000),
        ("conflict", 50_000),
    ]
    assert record["lost"]["first"] == [1, 1] and record["lost"]["decisions"][0][0] == 50_000
