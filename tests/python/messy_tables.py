"""Tables as people have them, and the words with which each is counted: what `fairstep count` says of them is in
tests/corpus/tables.txt, to the letter.

    tests/python/messy_tables.py --update      what is said now is what is expected: read it
"""

import gzip
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BINARY = Path(os.environ.get("FAIRSTEP_BINARY", ROOT / "build" / "bin" / "fairstep")).resolve()
EXPECTED = ROOT / "tests" / "corpus" / "tables.txt"

NAMES = ["person", "step", "group", "x", "y", "a"]


def rows(people=40, steps=3):
    """Plain ones: 40 people at 3 steps, of groups a and b, with both features, labels and actions."""
    return [
        [i, h, "ab"[i % 2], "pq"[(i // 2 + h) % 2], (i // 4 + h) % 2, (i // 3 + 2 * h) % 2]
        for i in range(people)
        for h in range(steps)
    ]


def text(lines, delimiter=",", end="\n"):
    return end.join(delimiter.join(map(str, line)) for line in lines) + end


def table(change=lambda k, row: row, names=None, **how):
    """The plain table with a change to each row, by its number from 0."""
    return text([names or NAMES, *(change(k, list(row)) for k, row in enumerate(rows()))], **how)


def value(column, new):
    """The value of a column is new(number of the row, old value)."""
    at = NAMES.index(column)
    return lambda k, row: [*row[:at], new(k, row[at]), *row[at + 1 :]]


def plain(k, row):
    return row


MORE = [*NAMES, "reward"]
WIDE = [["id", "sex", "m1", "m2", "m3", "ok", "lent"]] + [
    [i, "fm"[i % 2], *("pq"[(i + h) % 2] for h in range(3)), i // 2 % 2, i // 3 % 2] for i in range(40)
]

# name, content, words after `fairstep count NAME`
TABLES = [
    ("semicolons.csv", table(delimiter=";"), []),
    ("tabs.tsv", table(delimiter="\t"), []),
    ("bars.txt", table(delimiter="|"), []),
    ("windows-line-ends.csv", table(end="\r\n"), []),
    ("byte-order-mark.csv", "\ufeff" + table(), []),
    ("latin-1-header.csv", table(names=["person", "step", "group", "größe", "y", "a"]).encode("latin-1"), []),
    (
        "latin-1-rows.csv",
        table(value("x", lambda k, x: "Zürich" if k % 3 == 0 else x)).encode("latin-1"),
        [],
    ),
    (
        "latin-1-said.csv",
        table(value("x", lambda k, x: "Zürich" if k % 3 == 0 else x)).encode("latin-1"),
        ["--encoding", "latin-1"],
    ),
    (
        "latin-1-other-names.csv",
        table(
            lambda k, row: [*row, 1], names=["customer", "month", "race", "score", "repaid", "approved", "größe"]
        ).encode("latin-1"),
        ["--encoding", "latin-1"],
    ),
    ("windows-1252.csv", table(value("x", lambda k, x: "9 €")).encode("cp1252"), ["--encoding", "latin-1"]),
    ("utf-16.csv", table().encode("utf-16"), []),
    ("table.zip", b"PK\x03\x04and so on", []),
    ("table.xlsx", b"PK\x03\x04and so on", []),
    ("cut.csv.gz", gzip.compress(table().encode(), mtime=0)[:-9], []),
    ("empty.csv", "", []),
    ("header-only.csv", text([NAMES]), []),
    ("no-header.csv", text(rows()), []),
    ("labels-1-2.csv", table(value("y", lambda k, y: y + 1)), []),
    ("labels-1-2-said.csv", table(value("y", lambda k, y: y + 1)), ["--labels", "1,2"]),
    ("labels-1-2-one-2.csv", table(value("y", lambda k, y: 2 if k == 70 else 1)), ["--allow-loss"]),
    ("labels-yes-no.csv", table(value("y", lambda k, y: ("no", "yes")[y])), []),
    ("labels-three.csv", table(value("y", lambda k, y: ("0", "1", "late")[k % 3])), []),
    ("actions-words.csv", table(value("a", lambda k, a: ("declined", "approved")[a])), []),
    ("labels-missing.csv", table(lambda k, row: [*row[:4], row[4] if row[5] else "", row[5]]), []),
    ("no-label-column.csv", text([[*NAMES[:4], "a"], *([*row[:4], row[5]] for row in rows())]), []),
    (
        "group-misspelt.csv",
        table(value("group", lambda k, g: {"a": "black", "b": "white"}[g])),
        ["--groups", "blakc,white"],
    ),
    (
        "group-all-lost.csv",
        table(lambda k, row: [*row[:2], "c", "", *row[4:]] if k // 3 == 7 else row),
        ["--groups", "a,b,c"],
    ),
    (
        "group-all-lost-allowed.csv",
        table(lambda k, row: [*row[:2], "c", "", *row[4:]] if k // 3 == 7 else row),
        ["--groups", "a,b,c", "--allow-loss"],
    ),
    ("group-spelt-twice.csv", table(value("group", lambda k, g: "B" if k % 30 == 1 else g)), ["--groups", "a,b"]),
    ("group-left-out.csv", table(value("group", lambda k, g: "c" if k // 3 % 5 == 1 else g)), ["--groups", "a,b"]),
    ("group-changes.csv", table(value("group", lambda k, g: "ab"[k % 2])), []),
    ("not-available.csv", table(value("x", lambda k, x: ["NA", "?", "null", " ", x, x, x][k % 7])), []),
    ("not-available-few.csv", table(value("x", lambda k, x: "NA" if k == 7 else x)), []),
    ("spaces.csv", table(lambda k, row: [f" {entry} " for entry in row]), []),
    ("thousands.csv", table(lambda k, row: [*row, '"1,250.00"' if k % 2 else "900"], names=MORE), []),
    ("decimal-commas.csv", table(lambda k, row: [*row, f"{k},5"], names=MORE, delimiter=";"), []),
    ("currency.csv", table(lambda k, row: [*row, f"${k}"], names=MORE), []),
    ("dates.csv", table(value("step", lambda k, h: f"2024-0{h + 1}-15")), []),
    (
        "dates-said.csv",
        table(value("step", lambda k, h: f"2024-0{h + 1}-15")),
        ["--step-from", "step", "--every", "month"],
    ),
    (
        "dates-in-three-formats.csv",
        table(value("step", lambda k, h: (f"2024-0{h + 1}-15", f"15.0{h + 1}.2024", f"0{h + 1}/15/2024")[k // 3 % 3])),
        ["--step-from", "step", "--every", "month"],
    ),
    ("twice-in-a-step.csv", text([NAMES, *rows(), *([*row[:4], 1 - row[4], row[5]] for row in rows())]), []),
    ("copies.csv", text([NAMES, *rows(), *rows()[:9]]), []),
    ("totals-row.csv", table() + "Total,,,,60,60\n", []),
    ("short-lines.csv", table(lambda k, row: row[:3] if k % 9 == 0 else row), []),
    ("open-quote.csv", table(value("x", lambda k, x: f'"{x}' if k == 100 else x)), []),
    ("same-names-unused.csv", table(lambda k, row: [*row, 1, 2], names=[*NAMES, "note", "note"]), []),
    ("same-names-used.csv", table(lambda k, row: [*row, 1], names=[*NAMES, "x"]), []),
    (
        "two-hundred-columns.csv",
        table(lambda k, row: [*row, *range(194)], names=[*NAMES, *(f"v{i}" for i in range(194))]),
        [],
    ),
    (
        "other-names.csv",
        table(names=["customer_id", "month", "sex", "score_band", "repaid", "approved"]),
        [],
    ),
    (
        "other-names-and-codes.csv",
        table(
            lambda k, row: [row[0], f"2024-0{row[1] + 1}-15", row[2], 500 + k, row[4], ("no", "yes")[row[5]]],
            names=["CustomerID", "Applied", "Race", "FICO", "Default", "Approved"],
            delimiter=";",
        ),
        [],
    ),
    ("other-names-unguessed.csv", table(names=["k1", "k2", "k3", "k4", "k5", "k6"]), []),
    ("other-names-misspelt.csv", table(), ["--map", "x=scoer"]),
    ("wide.csv", text(WIDE), ["--map", "person=id,group=sex,y=ok,a=lent", "--wide", "m1,m2,m3:x"]),
    ("wide-misspelt.csv", text(WIDE), ["--map", "person=id,group=sex,y=ok,a=lent", "--wide", "m1,m2,m4:x"]),
    ("recode-unnamed.csv", table(), ["--recode", "group:a=women"]),
    ("bins-too-high.csv", table(value("x", lambda k, x: k)), ["--bins", "x=50,100"]),
    ("steps-as-words.csv", table(value("step", lambda k, h: ("spring", "summer", "autumn")[h])), []),
    ("query-bad.csv", table(), ["--query", "SELECT persn FROM log"]),
]


def said(name, content, words):
    """What is printed on both streams, and the exit code."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        done = subprocess.run(
            [str(BINARY), "count", name, *words],
            cwd=folder,
            env=os.environ | {"COLUMNS": "160", "NO_COLOR": "1"},
            text=True,
            capture_output=True,
            check=False,
        )
    spelled = " ".join(f"'{word}'" if " " in word or "*" in word else word for word in ["count", name, *words])
    return f"$ fairstep {spelled}\n{done.stdout}{done.stderr}[exit code {done.returncode}]\n"


def expected():
    """By name."""
    blocks = EXPECTED.read_text().split("\n$ fairstep count ")
    return {
        block.split(maxsplit=1)[0]: f"$ fairstep count {block.rstrip()}\n"
        for block in blocks
        if not block.startswith("#")
    }


if __name__ == "__main__":
    if sys.argv[1:] != ["--update"]:
        sys.exit(__doc__)
    EXPECTED.write_text(
        "# What fairstep count says of the tables of tests/python/messy_tables.py, which writes this file.\n"
        + "".join("\n" + said(*table) for table in TABLES)
    )
