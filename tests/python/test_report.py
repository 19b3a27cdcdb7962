"""fairstep report: the command, and its page in a real browser."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from conftest import BINARY, ROOT, Fairstep

SAMPLE = ROOT / "tests" / "report" / "sample_experiment.py"
HOSTILE = "</script><img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    """A folder with a small experiment in `small`."""
    folder = tmp_path_factory.mktemp("report")
    subprocess.run([sys.executable, SAMPLE, BINARY, folder / "small", "--small"], check=True, timeout=600)
    return Fairstep(folder)


def rename_groups(folder, name):
    """The first group of every model, policy and result gets another name."""
    for path in folder.rglob("*.json"):
        document = json.loads(path.read_text())
        if isinstance(document, dict) and "groups" in document:
            document["groups"][0] = name
            path.write_text(json.dumps(document))
    plan = json.loads((folder / "experiment.json").read_text())
    plan["name"] = name
    for environment in plan["environments"]:
        environment["label"] = name
    for method in plan["methods"]:
        method["label"] = name + method["id"]
    (folder / "experiment.json").write_text(json.dumps(plan))


def test_report_answers_with_summary_and_verdicts(sample):
    run = sample("report", "small", "-o", "out.html", "--json", code=0)
    answer = run.json
    assert answer["schema"] == "fairstep/report/1"
    assert answer["file"] == "out.html"
    assert answer["runs"] == 2 * 2 * 5
    assert answer["missing"] == 0
    assert answer["bytes"] == (sample.folder / "out.html").stat().st_size
    assert len(answer["summary"]) >= 5
    rulings = {"holds", "holds within the bands", "undecided", "does not hold"}
    for verdict in answer["verdicts"]:
        assert {finding["ruling"] for finding in verdict["findings"]} <= rulings
        assert all(finding["evidence"] for finding in verdict["findings"])


def test_report_is_light_and_asks_for_nothing_outside(sample):
    sample("report", "small", "-o", "out.html", code=0)
    page = (sample.folder / "out.html").read_text()
    assert len(page) < 1_500_000
    assert "default-src 'none'" in page
    for outside in ("<link", "<iframe", "@import", " src=", "url("):
        assert outside not in page.split("<script>")[0], outside


def test_report_as_markdown(sample):
    sample("report", "small", "-o", "verdicts.md", code=0)
    assert (sample.folder / "verdicts.md").read_text().count("\n### ") == 11


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
        timeout=900,
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
