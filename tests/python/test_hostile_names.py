"""Names and paths in files of somebody else: CSV that a spreadsheet opens, and folders that must not be left."""

import csv
import json

import pytest
from small import hand


@pytest.fixture
def fairstep(lossy):
    return lossy


FORMULAS = ["=1+1", '=HYPERLINK("http://x","y")', "+cmd|' /C calc'!A0", "-2+3", "@SUM(1)"]
PLAIN = ["a,b", 'say "b"', "-1", "+2.5", "50+", "a=b", "'quoted", " =1", "ü", "<b>"]


def simulate(fairstep, groups, features):
    model = hand() | {"groups": groups, "features": features}
    fairstep.write("m.json", model)
    fairstep("policy", "m.json", "--uniform", 0.5, "-o", "p.json", "-q", code=0)
    return fairstep("simulate", "m.json", "p.json", "--people", 200, "-o", "log.csv", "-q")


@pytest.mark.parametrize("name", FORMULAS)
def test_a_log_is_not_written_with_a_name_that_a_spreadsheet_would_run(fairstep, name):
    for groups, features, place in ((["a", name], ["x", "z"], "/groups/1"), (["a", "b"], [name, "z"], "/features/0")):
        refused = simulate(fairstep, groups, features)
        assert refused.code == 2
        assert "would take the name" in refused.err and f"in m.json at {place}" in refused.err
        assert "log.csv" not in fairstep.files()
        # Counts are no table, and hold any name.
        fairstep("simulate", "m.json", "p.json", "--people", 200, "-o", "c.json", "-q", code=0)


@pytest.mark.parametrize("name", ["\t=1", "\r=1", "two\nlines"])
def test_no_model_has_a_name_with_a_control_character(fairstep, name):
    fairstep.write("m.json", hand() | {"groups": ["a", name]})
    assert "expected a name of one line" in fairstep("validate", "m.json", code=2).err


@pytest.mark.parametrize("name", PLAIN)
def test_any_other_name_comes_back_from_the_log_as_it_was(fairstep, name):
    assert simulate(fairstep, ["a", name], [name, "z"]).code == 0
    with open(fairstep.folder / "log.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert {row["group"] for row in rows} == {"a", name}
    assert {row["x"] for row in rows} == {name, "z"}
    fairstep("count", "log.csv", "--like", "m.json", "-o", "c.json", "-q", code=0)
    assert fairstep.read("c.json")["groups"] == ["a", name]


def test_no_cell_of_any_csv_is_a_formula(fairstep):
    """Beside logs only `pareto` writes CSV: numbers, and words of our own."""
    fairstep.write("m.json", hand() | {"groups": FORMULAS[:2]})
    fairstep("pareto", "m.json", "--fairness", "dp", "--limits", "0,0.5", "-o", "table.csv", "-q", code=0)
    with open(fairstep.folder / "table.csv", newline="", encoding="utf-8") as file:
        for row in list(csv.reader(file))[1:]:
            assert row[1] in ("optimal", "feasible")
            for cell in row[:1] + row[2:]:
                assert cell == "" or float(cell) is not None


@pytest.mark.parametrize("name", ["../../elsewhere", "/etc/hostname", "..", ".", "", "a/b", "a\\b"])
@pytest.mark.parametrize("key", ["environments", "notions", "methods"])
def test_a_report_reads_nothing_outside_of_its_folder(fairstep, name, key):
    fairstep.write(
        "e.toml",
        'schema = "fairstep/experiment/1"\nfairness = "dp"\nschedule = "8"\nrepeats = 1\nevaluation_episodes = 2\n'
        'certificate = "off"\nenvironments = ["fico"]\n[[method]]\nmethod = "constrained"\n',
    )
    fairstep("experiment", "e.toml", "-o", "run", "-q", code=0)
    document = fairstep.read("run/experiment.json")
    if key == "notions":
        document[key][0] = name
    else:
        document[key][0]["name" if key == "environments" else "id"] = name
    (fairstep.folder / "run" / "experiment.json").write_text(json.dumps(document))
    refused = fairstep("report", "run", "-o", "report.html")
    assert refused.code == 2
    assert "the name of a file or folder, without a path" in refused.err
    assert "report.html" not in fairstep.files()


@pytest.mark.parametrize("how", ["parent", "absolute", "link", "link to a folder"])
def test_an_experiment_reads_no_model_outside_of_its_folder(fairstep, how):
    inner = fairstep.folder / "inner"
    inner.mkdir()
    fairstep.write("m.json", hand())
    (inner / "link.json").symlink_to("../m.json")
    (inner / "folder").symlink_to("..")
    path = {
        "parent": "../m.json",
        "absolute": str(fairstep.folder / "m.json"),
        "link": "link.json",
        "link to a folder": "folder/m.json",
    }[how]
    (inner / "e.toml").write_text(
        f'schema = "fairstep/experiment/1"\nfairness = "dp"\nenvironments = [{{name = "m", model = "{path}"}}]\n'
        '[[method]]\nmethod = "constrained"\n'
    )
    refused = fairstep("experiment", "inner/e.toml", "--dry-run")
    assert refused.code == 2
    assert "environments" in refused.err


def test_a_log_may_not_name_files_of_its_own(fairstep):
    """A mapping names columns; one that looks like a path or a call is a column that is not there."""
    fairstep.write("log.csv", "person,group,step,x,y,a\n1,a,0,x,0,0\n")
    for column in ("../x", "/etc/passwd", "read_csv('/etc/passwd')", 'x"; SELECT 1'):
        refused = fairstep("count", "log.csv", "--map", f"group={column}", "-o", "c.json")
        assert refused.code == 2, refused.err
        assert "root:" not in refused.out + refused.err


# Erases the screen (ESC [ and the one-character CSI of C1), sets the title, begins a line, turns the order of reading.
UNSEEN = "\x1b[2J\x1b]0;title\x07\x9b2J\u2028\u202e\u2066\ufeff\x7f"
NAMED = "\x9b2J\u2028b\u202e"  # names have no control characters of ASCII: that is an error by itself


def safe(text):
    return not any(c in text for c in UNSEEN.replace("[2J", "").replace("]0;title", "").replace("2J", ""))


def test_what_a_file_says_is_never_obeyed_by_the_terminal(fairstep):
    """Descriptions and names were printed as they were."""
    fairstep.write("m.json", hand() | {"description": f"a{UNSEEN}\nerror: forged", "groups": ["a", NAMED]})
    fairstep("policy", "m.json", "--uniform", 0.5, "-o", "p.json", "-q", code=0)
    fairstep("simulate", "m.json", "p.json", "--people", 300, "-o", "c.json", "-q", code=0)
    for words in (
        ["validate", "m.json", "p.json", "c.json"],
        ["evaluate", "m.json", "p.json"],
        ["solve", "m.json", "--fairness", "dp"],
        ["fit", "c.json", "-o", "f.json"],
        ["certify", "c.json", "p.json"],
        ["audit", "c.json"],
        ["audit", "c.json", "--format", "html"],
        ["policy", "m.json", "--uniform", 0.5],
        ["simulate", "m.json", "p.json", "--people", 30, "-o", "log.csv", "--force"],
    ):
        for more in ([], ["--json"]):
            run = fairstep(*words, *more)
            assert safe(run.out) and safe(run.err), words
            assert "\nerror: forged" not in run.out + run.err, words
            if more and run.out and "html" not in words:
                json.loads(run.out)
    shown = fairstep("validate", "m.json", code=0).out
    assert r"a\x1b[2J\x1b]0;title\x07\x9b2J\u2028\u202e\u2066\ufeff\x7f\nerror: forged" in " ".join(shown.split())


def test_json_means_what_the_file_meant(fairstep):
    fairstep.write("m.json", hand() | {"description": UNSEEN, "groups": ["a", NAMED]})
    facts = fairstep("validate", "m.json", "--json", code=0).json
    assert json.dumps(facts).count(json.dumps(NAMED)[1:-1]) >= 1
    fairstep("policy", "m.json", "--uniform", 0.5, "-o", "p.json", "-q", code=0)
    assert fairstep.read("p.json")["groups"] == ["a", NAMED]


def test_an_error_shows_what_it_quotes(fairstep):
    fairstep.write("m.json", hand() | {"groups": ["a", "b" + UNSEEN]})
    refused = fairstep("validate", "m.json", code=2)
    assert safe(refused.err)
    fairstep.write("n.json", hand() | {"unknown" + UNSEEN: 1})
    refused = fairstep("validate", "n.json", code=2)
    assert safe(refused.err) and r"\x9b2J\u2028\u202e" in refused.err


def test_a_table_is_not_as_wide_as_its_longest_name(fairstep):
    """A name of 500 letters made every line of a table 500 letters wide."""
    model = hand()
    first, second = "a" * 400 + "1" + "a" * 99, "a" * 400 + "2" + "a" * 99
    model["groups"] = [first, second]
    fairstep.write("m.json", model)
    fairstep("policy", "m.json", "--uniform", 0.3, "-o", "p.json", "-q", code=0)
    fairstep("simulate", "m.json", "p.json", "--people", 400, "-o", "c.json", "-q", code=0)
    for words in (["evaluate", "m.json", "p.json"], ["fit", "c.json"], ["diagnose", "c.json"]):
        out = fairstep(*words).out
        cut = "a" * 24 + "\u2026" + "a" * 12
        legend = [line for line in out.splitlines() if line.startswith(cut) and line.endswith((first, second))]
        assert len(legend) == 2 and {line[line.index(": ") + 2 :] for line in legend} == {first, second}
        table = [line for line in out.splitlines() if cut in line and line not in legend]
        assert table and all(len(line) <= 200 for line in table)
