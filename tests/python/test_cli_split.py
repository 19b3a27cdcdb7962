"""fairstep count --split: people in two parts, by a hash that anybody can repeat, and what may be added to what."""

import os
import random
import subprocess

import pytest
from conftest import BINARY, PATIENCE
from faults import compiled
from log_reference import MISSING, Reference, dirty_log, placed, write_csv
from split_reference import fingerprint, is_design
from test_cli_count import FEATURES, GROUPS, NAMES, TABLES, expect_counts


@pytest.fixture
def fairstep(lossy):
    return lossy


SPLIT = ["--split", "0.3", "--seed", 7]
BOTH = [*SPLIT, "-o", "design.json", "--audit", "audit.json"]


def nobody(row):
    return row["person"] in {"", *MISSING}


def added(one, other):
    return [added(a, b) for a, b in zip(one, other, strict=True)] if isinstance(one, list) else one + other


@pytest.fixture
def log(fairstep):
    """log.csv: 200 people, nothing wrong with any row; all.json."""
    write_csv(fairstep.folder / "log.csv", dirty_log(1, people=200, tidy=True))
    fairstep("count", "log.csv", "-o", "all.json", code=0)
    return fairstep


@pytest.mark.parametrize("seed", range(6))
def test_either_part_is_what_an_independent_count_makes_of_its_people(fairstep, seed):
    # Rows keep their numbers; those without a person are lost for both.
    rows = dirty_log(seed)
    write_csv(fairstep.folder / "log.csv", rows)
    fairstep("count", "log.csv", *NAMES, *BOTH, code=0)
    lost_in_both = 0
    for role in ("design", "audit"):
        own = [
            (place, row)
            for place, row in placed(rows)
            if nobody(row) or is_design(row["person"], 0.3, 7) == (role == "design")
        ]
        counts = fairstep.read(f"{role}.json")
        expect_counts(counts, Reference(own, GROUPS, FEATURES, 0, 5), ["log.csv"])
        assert counts["log"]["rows"] == len(own)
        assert counts["part"] == {
            "role": role,
            "share": 0.3,
            "seed": 7,
            "logs": [fingerprint(fairstep.read("design.json"))],
        }
        lost_in_both += sum(nobody(row) for _, row in own)
    assert lost_in_both == 2 * sum(nobody(row) for row in rows)


def test_malformed_lines_are_lost_for_both_parts(log):
    lines = (log.folder / "log.csv").read_text().splitlines()
    lines[20:20] = ["1,2", "a,b,c,d,e,f,g,h,i"]
    log.write("log.csv", "\n".join(lines) + "\n")
    log("count", "log.csv", *BOTH, code=0)
    for name in ("design.json", "audit.json"):
        record = log.read(name)["log"]
        assert [(found["kind"], found["rows"]) for found in record["findings"] if found["kind"] == "malformed"] == [
            ("malformed", 2)
        ]
        assert record["lost"]["first"] == record["lost"]["first_in_doubt"] == [2, 2]
        assert {lost for group in record["lost"]["decisions"] for lost in group} == {2}
        assert record["lost"]["transitions"][0][0][0] == [4, 4]  # from each line, and to it


def test_parts_add_up_to_the_whole_where_nothing_is_lost(log):
    log("count", "log.csv", *BOTH, code=0)
    whole, design, audit = (log.read(name) for name in ("all.json", "design.json", "audit.json"))
    for table in ("first", "visits", "transitions"):
        assert added(design[table], audit[table]) == whole[table], table
    for table in ("departures", "arrivals", "pairs", "after_pairs", "unseen"):
        assert added(design["history"][table], audit["history"][table]) == whole["history"][table], table
    assert "part" not in whole


def test_order_files_and_threads_change_nothing(log):
    log("count", "log.csv", *BOTH, code=0)
    wanted = [log.read(name) for name in ("design.json", "audit.json")]
    head, *lines = (log.folder / "log.csv").read_text().splitlines()
    random.Random(3).shuffle(lines)
    log.write("a.csv", "\n".join([head, *lines[:100]]) + "\n")
    log.write("b.csv", "\n".join([head, *lines[100:]]) + "\n")
    for files, threads in ((["b.csv", "a.csv"], 1), (["a.csv", "b.csv"], 3)):
        log("count", *files, "--threads", threads, *BOTH, code=0)
        for part in wanted:
            found = log.read(f"{part['part']['role']}.json")
            assert [found[key] for key in (*TABLES, "part", "history")] == [
                part[key] for key in (*TABLES, "part", "history")
            ]


def test_the_summary_has_both_parts(log):
    done = log("count", "log.csv", *BOTH, code=0)
    people = log.read("design.json")["first"]
    design = sum(sum(map(sum, group)) for group in people)
    assert "log.csv: people split by a hash, share 0.3, seed 7\n\ndesign part: " in done.out
    assert f", {design} people, steps 0 to 4" in done.out and f", {200 - design} people, steps 0 to 4" in done.out
    assert "wrote design.json: design part" in done.err and "wrote audit.json: audit part" in done.err
    answer = log("count", "log.csv", *BOTH, "--json", code=0).json
    assert answer["schema"] == "fairstep/split/1"
    assert (answer["share"], answer["seed"]) == (0.3, 7)
    assert answer["logs"] == log.read("audit.json")["part"]["logs"]
    assert answer["design"]["persons"] + answer["audit"]["persons"] == 200
    assert (answer["design"]["file"], answer["audit"]["file"]) == ("design.json", "audit.json")


def test_findings_are_told_of_their_part_and_strict_refuses_them(fairstep):
    write_csv(fairstep.folder / "log.csv", dirty_log(2))
    done = fairstep("count", "log.csv", *NAMES, *BOTH, code=0)
    assert "warning: design part: " in done.err and "warning: audit part: left out: " in done.err
    before = fairstep.files()
    refused = fairstep("count", "log.csv", *NAMES, "--strict", *SPLIT, "-o", "a.json", "--audit", "b.json", code=2)
    assert refused.err.startswith("error: --strict: ")
    assert fairstep.files() == before


@pytest.mark.parametrize(
    "words, said",
    [
        (["--split", "0.3"], "--split needs --audit: either part is a file of its own"),
        (["--split", "0.3", "-o", "a.json", "--seed", 1], "--split needs --audit: either part is a file of its own"),
        (["--split", "0.3", "--audit", "a.json"], "--split needs --output: either part is a file of its own"),
        (["--split", "0.3", "-o", "a.json", "--audit", "b.json"], "--split needs --seed"),
        (["-o", "a.json", "--audit", "b.json"], "--audit is given without --split"),
        (["-o", "a.json", "--seed", 1], "--seed is given without --split, and nothing else is drawn"),
        (
            ["--split", "0", "--seed", 1, "-o", "a.json", "--audit", "b.json"],
            "--split is 0, expected a share of the people above 0 and below 1",
        ),
        (
            ["--split", "1", "--seed", 1, "-o", "a.json", "--audit", "b.json"],
            "--split is 1, expected a share of the people above 0 and below 1",
        ),
        (["--split", "0.3", "--seed", 1, "-o", "a.json", "--audit", "./a.json"], "--output and --audit are both"),
        (["--split", "0.3", "--seed", 1, "-o", "a.json", "--audit", "log.csv"], '--audit is "log.csv", which is read'),
        (
            ["--split", "1e-9", "--seed", 1, "-o", "a.json", "--audit", "b.json"],
            "nobody is in the design part of the split",
        ),
        (
            ["--split", "0.999999999", "--seed", 1, "-o", "a.json", "--audit", "b.json"],
            "nobody is in the audit part of the split",
        ),
    ],
)
def test_a_split_that_makes_no_sense_is_refused_and_leaves_nothing(log, words, said):
    before = log.files()
    refused = log("count", "log.csv", *words, code=2)
    assert refused.err.startswith(f"error: {said}")
    assert log.files() == before


def test_both_parts_are_written_or_neither(log):
    for words in (
        ["-o", "design.json", "--audit", "nowhere/audit.json"],
        ["-o", "nowhere/design.json", "--audit", "audit.json"],
    ):
        failed = log("count", "log.csv", *SPLIT, *words, code=4)
        assert 'there is no folder "nowhere"' in failed.err
        assert not (log.folder / "design.json").exists() and not (log.folder / "audit.json").exists()
    log.write("design.json", "before")
    log("count", "log.csv", *SPLIT, "-o", "design.json", "--audit", "nowhere/audit.json", code=4)
    assert (log.folder / "design.json").read_text() == "before"
    log("count", "log.csv", *BOTH, "--time-limit", "1e-9", code=3)
    assert (log.folder / "design.json").read_text() == "before"
    assert not [name for name in log.files() if name.startswith(".fairstep")]


def test_on_a_full_disk_both_parts_are_as_they_were(loans, tmp_path):
    library = compiled("fault_at", tmp_path)
    words = ["simulate", "fico.json", "from50.json", "--people", "100", *BOTH, "--quiet"]

    def run(**faults):
        environment = os.environ | {"LD_PRELOAD": str(library)} | {name: str(value) for name, value in faults.items()}
        return subprocess.run(
            [BINARY, *map(str, words)], cwd=loans.folder, env=environment, capture_output=True, timeout=PATIENCE
        )

    assert run(FAULT_COUNT=tmp_path / "touches").returncode == 0
    made = {name: (loans.folder / name).read_bytes() for name in ("design.json", "audit.json")}
    touches = int((tmp_path / "touches").read_text())
    assert touches >= 8
    for at in range(1, touches + 1):
        for name in made:
            (loans.folder / name).write_bytes(b"before")
        code = run(FAULT="full", FAULT_AT=at).returncode
        there = {name: (loans.folder / name).read_bytes() for name in made}
        assert there == (made if code == 0 else dict.fromkeys(made, b"before")), at
        assert not [name for name in loans.files() if name.startswith(".fairstep")], at


@pytest.fixture
def two_logs(fairstep):
    """a.csv and b.csv of different people, each split: a-design.json and so on; b-all.json."""
    for number, name in enumerate("ab"):
        rows = [row | {"person": f"{name}{row['person']}"} for row in dirty_log(number, people=80, tidy=True)]
        write_csv(fairstep.folder / f"{name}.csv", rows)
        files = ["-o", f"{name}-design.json", "--audit", f"{name}-audit.json"]
        fairstep("count", f"{name}.csv", *NAMES, *SPLIT, *files, code=0)
    fairstep("count", "b.csv", *NAMES, "-o", "b-all.json", code=0)
    fairstep("count", "b.csv", *NAMES, "--split", "0.3", "--seed", 8, "-o", "b-8.json", "--audit", "x.json", code=0)
    fairstep("count", "b.csv", *NAMES, "--split", "0.4", "--seed", 7, "-o", "b-4.json", "--audit", "x.json", code=0)
    return fairstep


def test_parts_of_several_logs_go_with_their_like(two_logs):
    two_logs("merge", "a-design.json", "b-design.json", "-o", "design.json", code=0)
    done = two_logs("merge", "b-audit.json", "a-audit.json", "-o", "audit.json", code=0)
    assert "part         the audit part of a split: 70 % of the people, seed 7, of 2 logs" in done.out
    design, audit = two_logs.read("design.json"), two_logs.read("audit.json")
    assert design["part"]["logs"] == audit["part"]["logs"]  # whatever the order in which they were added
    names = [f"{log}-design.json" for log in "ab"]
    assert design["part"]["logs"] == sorted(fingerprint(two_logs.read(name)) for name in names)
    assert design["visits"] == added(*(two_logs.read(name)["visits"] for name in names))
    two_logs("validate", "design.json", "audit.json", code=0)
    for words in (["fit", "design.json", "-o", "model.json"], ["diagnose", "audit.json"], ["audit", "audit.json"]):
        assert two_logs(*words).code in (0, 1), words


@pytest.mark.parametrize(
    "other, said, pointer",
    [
        ("b-audit.json", "these counts are the audit part of a split, expected the design part", "/part/role"),
        ("a-audit.json", "these counts are the audit part of a split, expected the design part", "/part/role"),
        ("b-all.json", "these counts are of all people of a log, expected the design part of a split", "/part"),
        ("b-8.json", "part.seed is 8, expected 7 as in the counts added to", "/part/seed"),
        ("b-4.json", "part.share is 0.4, expected 0.3 as in the counts added to", "/part/share"),
    ],
)
def test_a_part_goes_with_nothing_else(two_logs, other, said, pointer):
    refused = two_logs("merge", "a-design.json", other, "-o", "sum.json", code=2)
    assert refused.err.startswith(f"error: {said}")
    assert f"in {other} at {pointer}\n" in refused.err
    assert "--different-people" not in refused.err and "--like" not in refused.err
    turned = two_logs("merge", other, "a-design.json", "--different-people", "-o", "sum.json", code=2)
    assert "/part" in turned.err
    assert not (two_logs.folder / "sum.json").exists()


def test_a_part_of_a_log_that_is_in_the_sum_is_counted_twice(two_logs):
    """The same log under another name: its design part has the same tables, and its audit part the same fingerprint."""
    (two_logs.folder / "again.csv").write_bytes((two_logs.folder / "a.csv").read_bytes())
    again = two_logs.read("a-audit.json")
    again["log"]["files"] = ["again.csv"]
    again["first"][0][0][0] -= 1  # not the same to the last number
    two_logs.write("again.json", again)
    refused = two_logs("merge", "a-audit.json", "again.json", "-o", "sum.json", code=2)
    assert refused.err.startswith("error: a part of this log is in the counts added to as well")
    two_logs("merge", "a-audit.json", "again.json", "--different-people", "-o", "sum.json", code=0)


def test_every_verb_takes_a_part_and_says_that_it_is_one(log):
    log("count", "log.csv", *BOTH, code=0)
    said = "the audit part of a split: 70 % of the people, seed 7"
    assert said in log("validate", "audit.json", code=0).out
    part = log.read("audit.json")["part"]
    assert log("validate", "audit.json", "--json", code=0).json["files"][0]["part"] == part
    for format in ("md", "html"):
        page = log("audit", "audit.json", "--format", format, code=0).out
        assert f"Not all people: {said}." in page.replace("\N{NO-BREAK SPACE}", " ")
    assert log("audit", "audit.json", "--json", code=0).json["part"] == part
    assert "part" not in log("audit", "all.json", "--json", code=0).json
    log("fit", "design.json", "-o", "model.json", "--radii", "radii.json", code=0)
    log("solve", "model.json", "--fairness", "none", "-o", "policy.json", code=0)
    log("certify", "audit.json", "policy.json", "--fairness", "dp", "-o", "certificate.json", code=0)
    log("check", "certificate.json", code=0)


def test_simulated_people_are_split_as_their_log_is(loans):
    who = ["fico.json", "from50.json", "--people", 500, "--seed", 7]
    loans("simulate", *who, "--by", "person", "--split", "0.3", "-o", "sd.json", "--audit", "sa.json", code=0)
    loans("simulate", *who, "-o", "log.csv", code=0)
    loans("count", "log.csv", "--like", "fico.json", *BOTH, code=0)
    for drawn, counted in (("sd.json", "design.json"), ("sa.json", "audit.json")):
        one, other = loans.read(drawn), loans.read(counted)
        for key in ("part", "first", "visits", "transitions", "history"):
            assert one[key] == other[key], key


def test_crowds_are_split_group_by_group(loans):
    who = ["fico.json", "from50.json", "--people", "1e12", "--seed", 3]
    done = loans("simulate", *who, "--split", "0.25", "-o", "d.json", "--audit", "a.json", "--json", code=0)
    assert done.json["split"] == {"share": 0.25, "audit_file": "a.json"}
    loans("simulate", *who, "-o", "all.json", code=0)
    people = {
        name: [sum(map(sum, group)) for group in loans.read(f"{name}.json")["first"]] for name in ("d", "a", "all")
    }
    assert added(people["d"], people["a"]) == people["all"] == done.json["people"]
    for design, everybody in zip(people["d"], people["all"], strict=True):
        # Five standard deviations of a binomial number.
        assert abs(design - everybody / 4) < 5 * (everybody * 3 / 16) ** 0.5
    assert loans.read("d.json")["part"]["logs"] == [fingerprint(loans.read("d.json"))]
    refused = loans("simulate", *who, "--split", "0.25", "-o", "d.csv", "--audit", "a.json", code=2)
    assert refused.err.startswith("error: --split makes counts, and --output is a log")
    assert loans("simulate", *who, "--split", "0.25", code=2).err.startswith("error: --split needs --audit")
