"""fairstep certificate: a page that checks itself; and what `check` says of a certificate that holds."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from conftest import PATIENCE, ROOT, Fairstep

HOSTILE = "</script><img src=x onerror=alert(1)>"


def node(*tests, **environment):
    done = subprocess.run(
        ["node", "--test", *(ROOT / "report/tests" / name for name in tests)],
        env=os.environ | {name: str(value) for name, value in environment.items()},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Certificates of every kind about 2,000 people of FICO's population, two rows in a hundred without a feature."""
    fairstep = Fairstep(tmp_path_factory.mktemp("certificates"))
    fairstep("env", "fico", "-o", "truth.json", "-q", code=0)
    white, black = [0.2, 0.3, 0.6, 0.8, 0.9], [0.3, 0.4, 0.7, 0.8, 0.8]
    accept = [[white] * 8, [black] * 8]
    fairstep.write("policy.json", {"schema": "fairstep/policy/1", "groups": ["white", "black"], "accept": accept})
    other_way = {"groups": ["black", "white"], "accept": accept[::-1]}
    fairstep.write("reversed.json", {"schema": "fairstep/policy/1"} | other_way)
    fairstep("simulate", "truth.json", "policy.json", "--people", 2000, "-o", "log.csv", "-q", code=0)
    head, *rows = (fairstep.folder / "log.csv").read_text().splitlines()
    for i in range(0, len(rows), 50):
        person, group, step, _, *rest = rows[i].split(",")
        rows[i] = ",".join([person, group, step, "", *rest])
    (fairstep.folder / "lossy.csv").write_text("\n".join([head, *rows]) + "\n")
    count = ("count", "--groups", "white,black", "-q", "--allow-loss")
    fairstep(*count, "log.csv", "-o", "full.json", code=0)
    fairstep(*count, "lossy.csv", "-o", "lossy.json", code=0)
    fairstep(*count, "log.csv", "--kernel", "per-step", "-o", "steps.json", code=0)
    fairstep(*count, "log.csv", "--split", 0.3, "--seed", 4, "-o", "design.json", "--audit", "audit.json", code=0)
    rewards = "--reward-range=-1,1"
    for name, words in {
        "plain": ["full.json", "policy.json", "--model", "truth.json", "--fairness", "dp,eqopt"],
        "ratios": ["full.json", "policy.json", "--fairness", "dp-ratio,eqopt-ratio"],
        "reference": [
            "lossy.json",
            "reversed.json",
            "--fairness",
            "dp-ratio",
            "--reference",
            "black",
            "--aggregate-dp",
            0.5,
        ],
        "lossy": ["lossy.json", "policy.json", "--fairness", "dp,eqopt,eqodds", "--followed", rewards],
        "steps": ["steps.json", "policy.json", "--fairness", "eqodds", rewards],
        "parts": ["audit.json", "policy.json", "--design", "design.json", "--fairness", "dp,eqopt", rewards],
        "features": ["full.json", "policy.json", "--labels", "follow-features", "--fairness", "dp,eqopt"],
    }.items():
        fairstep("certify", *words, "-o", f"{name}.json.certificate", "-q", code=0)
    return fairstep


KINDS = ["plain", "ratios", "reference", "lossy", "steps", "parts", "features"]


def test_what_the_page_derives_agrees_with_the_checkers_and_notices_what_was_changed(made):
    for kind in KINDS:
        made("check", f"{kind}.json.certificate", code=0)
    node("self_check.test.mjs", CERTIFICATES=" ".join(str(made.folder / f"{kind}.json.certificate") for kind in KINDS))


def test_the_page_has_the_claim_every_assumption_and_the_certificate(made):
    run = made("certificate", "plain.json.certificate", "-o", "page.html", "--json", code=0)
    assert run.json["holds"] and run.json["file"] == "page.html"
    page = (made.folder / "page.html").read_text()
    assert len(page) == run.json["bytes"]
    assert run.json["certified"] in page
    certificate = made.read("plain.json.certificate")
    for assumption in certificate["assumptions"]:
        assert assumption.replace("'", "&#39;").replace('"', "&quot;") in page
    for document in certificate["inputs"].values():
        assert document["sha256"] in page
    # The widest gaps, rounded up.
    for bounds in certificate["certified_gap"].values():
        widest = max(bounds)
        shown = [word for word in run.json["certified"].replace(";", " ").split() if word.startswith("0.")]
        assert any(widest <= float(word) <= widest + 1e-4 for word in shown)


def test_a_certificate_that_does_not_hold_makes_no_page(made):
    forged = made.read("plain.json.certificate")
    forged["certified_gap"]["dp"][0] /= 2
    made.write("forged.json", forged)
    run = made("certificate", "forged.json", "-o", "forged.html", code=1)
    assert "does not hold" in run.out and "no page is made of it" in run.out
    assert not (made.folder / "forged.html").exists()
    assert made("certificate", "truth.json", "-o", "forged.html", code=2).err.startswith("error: ")
    refused = made("certificate", "plain.json.certificate", "-o", "page.pdf", code=2)
    assert refused.err.startswith('error: --output is "page.pdf", expected a name that ends in .html')


def test_check_says_what_is_certified_and_what_it_rests_on(made):
    certificate = made.read("plain.json.certificate")
    run = made("check", "plain.json.certificate", "--json", code=0)
    assert run.json["assumptions"] == certificate["assumptions"]
    assert run.json["delta"] == certificate["delta"]
    assert run.json["certified"].startswith("If the assumptions below hold: with probability at least 0.95")
    text = " ".join(made("check", "plain.json.certificate", code=0).out.split())
    for sentence in [run.json["certified"], *certificate["assumptions"]]:
        assert sentence in text
    for test in certificate["diagnosis"]:
        assert test["sentence"] in text


def test_check_compares_files_with_the_hashes(made):
    same = ["--counts", "full.json", "--policy", "policy.json", "--model", "truth.json"]
    run = made("check", "plain.json.certificate", *same, "--json", code=0)
    assert [file["same"] for file in run.json["files"]] == [True] * 3
    other = made("check", "plain.json.certificate", "--counts", "lossy.json", code=1)
    assert "lossy.json: not the counts that the certificate is about" in " ".join(other.out.split())
    none = made("check", "plain.json.certificate", "--design", "design.json", "--json", code=1)
    assert none.json["holds"] and none.json["files"][0]["expected"] is None
    assert made("check", "plain.json.certificate", "--counts", "nowhere.json", code=2).err.startswith("error: ")


@pytest.mark.needs("a browser")
def test_the_page_in_a_browser(made):
    made("certificate", "plain.json.certificate", "-o", "page.html", code=0)
    page = (made.folder / "page.html").read_text()
    stated = json.dumps(made.read("plain.json.certificate")["certified_gap"]["dp"][0])
    assert page.count(stated) == 2  # the gap and its pair
    (made.folder / "forged.html").write_text(page.replace(stated, json.dumps(float(stated) - 1e-4)))
    for name in ("truth", "policy"):
        document = made.read(f"{name}.json")
        document["groups"][0] = HOSTILE
        made.write(f"{name}-hostile.json", document)
    made("simulate", "truth-hostile.json", "policy-hostile.json", "--people", 500, "-o", "hostile.json", "-q", code=0)
    made("certify", "hostile.json", "policy-hostile.json", "-o", "hostile.certificate", "-q", code=0)
    made("certificate", "hostile.certificate", "-o", "hostile.html", code=0)
    folder = Path(made.folder)
    node(
        "certificate.test.mjs",
        PAGE=folder / "page.html",
        FORGED=folder / "forged.html",
        HOSTILE=folder / "hostile.html",
        CERTIFICATE=folder / "plain.json.certificate",
    )
