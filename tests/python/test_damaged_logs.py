"""Logs that are not what they seem: cut off, damaged, pipes, lines without end. None is counted in part."""

import gzip
import os
import struct
import zlib

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from log_reference import dirty_log, write_csv
from test_cli_count import TABLES


@pytest.fixture
def fairstep(lossy):
    return lossy


HEADER = "person,group,step,x,y,a\n"


@pytest.fixture
def packed(fairstep):
    """A log as gzip of several blocks and members, and its counts."""
    write_csv(fairstep.folder / "log.csv", dirty_log(3, people=60, tidy=True))
    text = (fairstep.folder / "log.csv").read_bytes()
    fairstep("count", "log.csv", "-o", "whole.json", "--quiet", code=0)
    return fairstep, gzip.compress(text[:1500], 1) + gzip.compress(text[1500:], 9)


def tables(fairstep, name):
    counts = fairstep.read(name)
    return [counts[table] for table in TABLES]


def test_gzip_of_several_members_is_one_log(packed):
    fairstep, file = packed
    (fairstep.folder / "log.csv.gz").write_bytes(file)
    fairstep("count", "log.csv.gz", "-o", "counts.json", code=0)
    assert tables(fairstep, "counts.json") == tables(fairstep, "whole.json")


def test_gzip_is_told_by_its_first_bytes_and_not_by_its_name(packed):
    fairstep, file = packed
    (fairstep.folder / "log").write_bytes(file)
    fairstep("count", "log", "-o", "counts.json", code=0)
    assert tables(fairstep, "counts.json") == tables(fairstep, "whole.json")
    (fairstep.folder / "plain.csv.gz").write_bytes((fairstep.folder / "log.csv").read_bytes())
    refused = fairstep("count", "plain.csv.gz", code=2)
    assert refused.err.startswith("error: this is no gzip file, although its name ends in .gz\n  in plain.csv.gz\n")


def test_gzip_that_is_cut_off_anywhere_is_refused(packed):
    # DuckDB took the end of the file for the end of the log: half of the rows, --strict and exit code 0.
    fairstep, file = packed
    ends = {len(gzip.compress(b"")) // 2, len(file) - 1, len(file) - 4, len(file) - 8, len(file) - 9}
    member = len(file) - len(file[file.index(b"\x1f\x8b", 2) :])
    ends |= set(range(2, len(file), max(1, len(file) // 40))) - {member}
    for end in sorted(ends):
        (fairstep.folder / "cut.csv.gz").write_bytes(file[:end])
        refused = fairstep("count", "cut.csv.gz", "--strict", "-o", "counts.json", code=2)
        assert refused.err.startswith("error: the gzip file is cut off before its end\n  in cut.csv.gz\n"), end
        assert not (fairstep.folder / "counts.json").exists()


def test_gzip_with_a_flipped_bit_is_refused_or_says_the_same(packed):
    # Neither the CRC nor the length at the end were looked at. Bits of a member's name or time are no part of the log.
    fairstep, file = packed
    refusals = 0
    for at in range(0, len(file), max(1, len(file) // 60)):
        changed = bytearray(file)
        changed[at] ^= 1 << at % 8
        (fairstep.folder / "bent.csv.gz").write_bytes(changed)
        answer = fairstep("count", "bent.csv.gz", "-o", "counts.json")
        if answer.code == 0:
            assert tables(fairstep, "counts.json") == tables(fairstep, "whole.json"), at
        else:
            assert answer.code == 2 and "gzip" in answer.err, (at, answer.err)
            refusals += 1
    assert refusals > 50


@pytest.mark.parametrize("part", ["crc", "length"])
def test_the_last_bytes_of_gzip_are_checked(packed, part):
    fairstep, _ = packed
    text = (fairstep.folder / "log.csv").read_bytes()
    deflated = zlib.compressobj(9, zlib.DEFLATED, -15)
    body = deflated.compress(text) + deflated.flush()
    crc = zlib.crc32(text) ^ (part == "crc")
    length = len(text) + (part == "length")
    head = b"\x1f\x8b\x08\x00" + bytes(6)
    (fairstep.folder / "log.csv.gz").write_bytes(head + body + struct.pack("<II", crc, length))
    refused = fairstep("count", "log.csv.gz", code=2)
    assert refused.err.startswith("error: the gzip file is damaged: incorrect ")


def test_bytes_after_gzip_are_refused(packed):
    fairstep, file = packed
    (fairstep.folder / "log.csv.gz").write_bytes(file + b"and more")
    assert "the gzip file is damaged: incorrect header check" in fairstep("count", "log.csv.gz", code=2).err


def test_a_line_of_a_hundred_thousand_fields_is_an_error_at_once(fairstep):
    # DuckDB writes down each field too many together with the whole line: minutes of work, and gigabytes.
    rows = HEADER + "1,a,0,s,1,1\n2,b,0,s,1,1\n"
    wide = ",".join(["1"] * 100_000)
    quoted = ",".join(['"1\n"'] * 100_000)  # line breaks in quotes do not end it
    for name, text in (("wide", wide), ("quoted", quoted)):
        fairstep.write(f"{name}.csv", rows + text + "\n3,b,0,s,1,1\n")
        refused = fairstep("count", f"{name}.csv", code=2)
        assert refused.err.startswith("error: line 4 has more than 1000 fields, expected one for each column\n")
    fairstep.write("header.csv", ",".join(f"c{i}" for i in range(100_000)) + "\n1\n")
    assert "error: line 1 has more than 1000 fields" in fairstep("count", "header.csv", code=2).err


def test_delimiters_within_quotes_are_no_fields(fairstep):
    fairstep.write(
        "log.csv", "note," + HEADER + "".join(f'"{"," * 5000}",{i},{"ab"[i % 2]},0,s,1,1\n' for i in range(3))
    )
    assert fairstep("count", "log.csv", "--json", code=0).json["rows"] == 3


def test_a_wide_table_is_a_log_like_any_other(fairstep):
    # More than 256 columns were said to be an empty file.
    extra = [f"c{i}" for i in range(900)]
    fairstep.write(
        "log.csv", HEADER.strip() + "," + ",".join(extra) + "".join(f"\n{i},{i},0,s,1,1" + ",7" * 900 for i in "12")
    )
    assert fairstep("count", "log.csv", "--json", code=0).json["rows"] == 2


def test_a_byte_order_mark_before_csv_is_no_part_of_the_first_name(fairstep):
    (fairstep.folder / "log.csv").write_bytes(b"\xef\xbb\xbf" + HEADER.encode() + b"1,a,0,s,1,1\n2,b,0,s,1,1\n")
    assert fairstep("count", "log.csv", "--json", code=0).json["columns"]["person"] == "person"


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_either_line_ending_will_do(fairstep, ending):
    text = (HEADER + "1,a,0,s,1,1\n2,b,0,s,1,1\n").replace("\n", ending)
    (fairstep.folder / "log.csv").write_bytes(text.encode())
    assert fairstep("count", "log.csv", "--json", code=0).json["rows"] == 2


def test_a_pipe_is_no_log(fairstep):
    # It was looked at, which took its first bytes, or said to be empty; nobody at the other end was waited for.
    os.mkfifo(fairstep.folder / "pipe.csv")
    refused = fairstep("count", "pipe.csv", code=2)
    assert refused.err == (
        "error: this is a pipe, expected a file\n  in pipe.csv\n"
        "hint: a log is read more than once; write it to a file first\n"
    )
    fairstep.write("log.csv", HEADER + "1,a,0,s,1,1\n")
    substituted = fairstep.line("fairstep count <(cat log.csv)")
    assert substituted.code == 2 and substituted.err.startswith("error: this is a pipe, expected a file\n")
    assert "this is a device, expected a file" in fairstep("count", "/dev/null", code=2).err


@pytest.mark.parametrize("kind", [pa.float64(), pa.float32()])
def test_a_person_that_is_no_number_is_missing_and_there_is_one_zero(fairstep, kind):
    # All of NaN were one person, and 0.0 and -0.0 were two.
    person = pa.array([0.0, -0.0, float("nan"), float("nan"), 1.5, 1.5], kind)
    columns = {"person": person, "group": ["a", "a", "a", "a", "b", "b"], "step": [0, 1, 0, 1, 0, 1]}
    pq.write_table(pa.table(columns | {"x": ["s"] * 6, "y": [1] * 6, "a": [1] * 6}), fairstep.folder / "log.parquet")
    answer = fairstep("count", "log.parquet", "--json", code=0).json
    assert answer["persons"] == 2
    assert [(found["kind"], found["column"], found["rows"]) for found in answer["findings"]] == [
        ("missing", "person", 2)
    ]
