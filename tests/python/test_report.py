"""fairstep report: the command, and its page in a real browser."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from conftest import BINARY, PATIENCE, ROOT, Fairstep

SAMPLE = ROOT / "tests" / "report" / "sample_experiment.py"
HOSTILE = "</script><img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    """A folder with a small experiment in `small`."""
    folder = tmp_path_factory.mktemp("report")
    subprocess.run([sys.executable, SAMPLE, BINARY, folder / "small", "--small"], check=True, timeout=PATIENCE)
    return Fairstep(folder)


def rename_groups(folder, name):
    """The first group of every model, policy and result gets another name."""
    for path in folder.rglob("*.json"):
        document = json.loads(path.read_text())
        if isinstance(document, dict) and "groups" in document:
            document["groups"][0] = name
            path.write_text(json.dumps(document))
    for path in folder.rglob("result.json"):
        document = json.loads(path.read_text())
        for update in document["updates"]:
            update["policy_sha256"] = hashlib.sha256((path.parent / update["policy"]).read_bytes()).hexdigest()
        path.write_text(json.dumps(document))
    plan = json.loads((folder / "experiment.json").read_text())
    plan["name"] = name
    for environment in plan["environments"]:
        environment["label"] = name
    for method in plan["methods"]:
        method["label"] = name + method["id"]
    (folder / "experiment.json").write_text(json.dumps(plan))


@pytest.fixture
def copied(sample, tmp_path):
    shutil.copytree(sample.folder / "small", tmp_path / "small")
    return Fairstep(tmp_path)


def a_run(fairstep):
    return sorted((fairstep.folder / "small" / "runs").rglob("result.json"))[0].parent


def test_an_edited_result_is_found(copied):
    """A number that was changed by hand reached the report."""
    file = a_run(copied) / "result.json"
    text = file.read_text()
    value = re.search(r'"value": ([0-9.]+)', text)[1]
    file.write_text(text.replace(value, "0.9", 1))
    refused = copied("report", "small", "-o", "out.html", code=2)
    assert "its fingerprint is another" in refused.err and str(file.relative_to(copied.folder)) in refused.err
    assert "out.html" not in copied.files()


def test_an_edited_policy_is_found(copied):
    run = a_run(copied)
    file = sorted((run / "updates").glob("*.policy.json"))[-1]
    document = json.loads(file.read_text())
    file.write_text(json.dumps(document))  # the same numbers, and yet not what was written
    refused = copied("report", "small", "-o", "out.html", code=2)
    assert "its fingerprint is another" in refused.err and str(file.relative_to(copied.folder)) in refused.err


def test_a_result_without_a_fingerprint_is_said_to_be_one(copied):
    file = a_run(copied) / "result.json"
    file.write_text(json.dumps(json.loads(file.read_text())))
    answer = copied("report", "small", "-o", "out.html", "--json", code=0).json
    assert any(sentence.startswith("1 runs have no fingerprint") for sentence in answer["summary"])


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """An experiment that the command ran, in `small`."""
    made = Fairstep(tmp_path_factory.mktemp("ran"))
    (made.folder / "small.toml").write_text(
        'schema = "fairstep/experiment/1"\nenvironments = ["fico"]\nfairness = "dp"\nrepeats = 1\nhorizon = 2\n'
        'schedule = "2^3..2^4"\ncertificate = "off"\nevaluation_episodes = 0\n[[method]]\nmethod = "constrained"\n'
    )
    made("experiment", "small.toml", "-o", "small", "-q", code=0)
    return made


@pytest.fixture
def mine(ran, tmp_path):
    shutil.copytree(ran.folder / "small", tmp_path / "small")
    return Fairstep(tmp_path)


def test_an_edited_plan_or_model_is_found(mine):
    """experiment.json and models/ were believed, whatever became of them after the runs."""
    assert not any("fingerprint" in said for said in mine("report", "small", "--json", code=0).json["summary"])
    model = mine.folder / "small" / "models" / "fico.json"
    text = model.read_text()
    model.write_text(text.replace('"discount": 1', '"discount": 1.0', 1) if '"discount": 1,' in text else text + "\n")
    refused = mine("report", "small", "-o", "out.html", code=2)
    assert "its fingerprint is another" in refused.err and "small/models/fico.json" in refused.err
    model.write_text(text)
    plan = mine.folder / "small" / "experiment.json"
    plan.write_text(plan.read_text().replace('"label": "', '"label": "my ', 1))
    refused = mine("report", "small", "-o", "out.html", code=2)
    assert "its fingerprint is another" in refused.err and "small/experiment.json" in refused.err
    assert "out.html" not in mine.files()


def test_a_fingerprint_that_was_taken_off_is_missed(mine):
    file = a_run(mine) / "result.json"
    text = file.read_text()
    file.write_text(json.dumps(json.loads(text)))
    refused = mine("report", "small", "-o", "out.html", code=2)
    assert "it has no fingerprint at its end" in refused.err and str(file.relative_to(mine.folder)) in refused.err
    file.write_text(text)
    plan = mine.folder / "small" / "experiment.json"
    plan.write_text(json.dumps(json.loads(plan.read_text())))
    said = mine("report", "small", "-o", "out.html", "--json", code=0).json["summary"]
    assert any(sentence.startswith("experiment.json has no fingerprint") for sentence in said)


def test_no_link_leads_a_report_onto_a_file_of_the_experiment(mine):
    (mine.folder / "out.html").symlink_to("small/experiment.json")
    before = (mine.folder / "small" / "experiment.json").read_bytes()
    refused = mine("report", "small", "-o", "out.html", code=2)
    assert "it would be lost" in refused.err
    assert (mine.folder / "small" / "experiment.json").read_bytes() == before
    mine("report", "small", "-o", "small/report.html", code=0)  # beside them is fine, and so is once more
    mine("report", "small", "-o", "small/report.html", code=0)


@pytest.mark.parametrize("repeats", [10**6, 2**64 - 1, 0])
def test_a_number_of_repeats_that_nobody_wrote_is_refused_at_once(copied, repeats):
    """It was counted up to, with a look at the disk for each."""
    file = copied.folder / "small" / "experiment.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"repeats": repeats}))
    refused = copied("report", "small", "-o", "out.html", code=2)
    assert f"repeats is {repeats}, expected 1 to 100000" in refused.err
    assert "small/experiment.json at /repeats" in refused.err


LONG = "label " + "x" * 500


def test_long_labels_are_cut_and_stand_in_full_once(copied):
    """The page was 13,000 pixels wide."""
    file = copied.folder / "small" / "experiment.json"
    plan = json.loads(file.read_text())
    for method in plan["methods"]:
        method["label"] = LONG + method["id"]
    plan["environments"][0]["label"] = LONG
    file.write_text(json.dumps(plan))
    copied("report", "small", "-o", "out.html", code=0)
    page = (copied.folder / "out.html").read_text()
    body = page[page.index("<body") :]
    assert "Names in full" in body
    cut = body[: body.index("Names in full")]
    assert LONG not in re.sub(r"<pre.*?</pre>", "", cut, flags=re.DOTALL)
    assert f"<dd>{LONG}</dd>" in body


def test_report_answers_with_summary_and_verdicts(sample):
    run = sample("report", "small", "-o", "out.html", "--json", code=0)
    answer = run.json
    assert answer["schema"] == "fairstep/report/1"
    assert answer["file"] == "out.html"
    assert answer["runs"] == 2 * 2 * 5
    assert answer["missing"] == 0
    assert answer["bytes"] == (sample.folder / "out.html").stat().st_size
    assert len(answer["summary"]) >= 5
    rulings = {"holds", "a tie", "undecided", "does not hold"}
    for verdict in answer["verdicts"]:
        assert {finding["ruling"] for finding in verdict["findings"]} <= rulings
        assert all(finding["evidence"] for finding in verdict["findings"])


def test_report_is_light_and_asks_for_nothing_outside(sample):
    sample("report", "small", "-o", "out.html", code=0)
    page = (sample.folder / "out.html").read_text()
    assert len(page.encode()) < 700_000
    assert "default-src 'none'" in page
    for outside in ("<link", "<iframe", "@import", " src=", "url("):
        assert outside not in page.split("<script>")[0], outside


def test_report_as_markdown(sample):
    sample("report", "small", "-o", "verdicts.md", code=0)
    assert (sample.folder / "verdicts.md").read_text().count("\n### ") == 12


def test_report_names_what_is_missing(sample):
    shutil.copytree(sample.folder / "small", sample.folder / "partial")
    shutil.rmtree(sample.folder / "partial/runs/fico/dp/ours/1")
    run = sample("report", "partial", "-o", "partial.html", "--json", code=0)
    assert run.json["missing"] == 1
    assert run.json["warnings"] == ["1 runs of the experiment are missing or not finished"]


def test_report_refuses_what_is_no_experiment(fairstep):
    run = fairstep("report", ".", "-o", "x.html", "--json", code=2)
    assert "experiment.json" in run.json["error"]["message"]
    assert fairstep.files() == []
    assert fairstep("report", ".", "-o", "x.pdf", code=2).err.startswith("error: --output")


@pytest.mark.needs("a browser")
def test_the_page_in_a_browser(sample):
    """report/tests/page.test.mjs; its own output says which of its tests failed."""
    hostile = sample.folder / "hostile"
    shutil.copytree(sample.folder / "small", hostile)
    rename_groups(hostile, HOSTILE)
    sample("report", "small", "-o", "report.html", code=0)
    sample("report", "hostile", "-o", "hostile.html", code=0)
    done = subprocess.run(
        ["node", "--test", ROOT / "report/tests/charts.test.mjs", ROOT / "report/tests/page.test.mjs"],
        env=os.environ
        | {
            "REPORT": str(sample.folder / "report.html"),
            "FOLDER": str(sample.folder / "small"),
            "HOSTILE": str(sample.folder / "hostile.html"),
        },
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_plot_draws_every_figure_and_panel(sample):
    run = sample("plot", "small", "-o", "figures", "--json", code=0)
    assert run.json["schema"] == "fairstep/plots/1"
    files = [Path(name) for name in run.json["files"]]
    assert {path.name for path in (sample.folder / "figures").iterdir()} == {path.name for path in files}
    for path in files:
        svg = ElementTree.parse(sample.folder / path).getroot()
        assert svg.tag.endswith("svg")
        assert "var(--" not in (sample.folder / path).read_text(), path
    # The paper's figure has its six panels and their letters.
    letters = re.findall(r"\(([a-f])\) FICO · ", (sample.folder / "figures/figure-fico.svg").read_text())
    assert letters == list("abcdef")


def test_plot_as_pdf(sample):
    sample("plot", "small", "-o", "pages", "--format", "pdf", code=0)
    pages = sorted((sample.folder / "pages").iterdir())
    assert "figure-fico.pdf" in [page.name for page in pages]
    for page in pages:
        assert page.read_bytes().startswith(b"%PDF-"), page


def test_plot_says_which_program_it_lacks(sample):
    run = sample("plot", "small", "-o", "nothing", "--json", env={"PATH": "/nowhere"}, code=4)
    assert run.json["error"]["message"] == "there is no program node"
    assert "Node.js, 18 or newer" in run.json["error"]["hint"]


def test_the_document_has_what_the_generator_writes_today(sample):
    """Numbers are those of the whole experiment; claims, rules and the form of the tables are those of any."""
    sample("report", "small", "-o", "small.md", code=0)
    made = (sample.folder / "small.md").read_text()
    document = (ROOT / "docs" / "reproduction.md").read_text()
    block = document.split("<!-- begin: made by scripts/reproduction -->\n")[1].split("<!-- end -->")[0]

    def form(text):
        """Claims, rules and heads of tables, in the order in which they stand."""
        lines = [line for line in text.splitlines() if line.startswith(("### ", "**", "| setting"))]
        return [re.sub(r"^\*\*.*?\*\* ", "", line) for line in lines]

    assert form(block) == form(made)
