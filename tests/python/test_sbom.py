"""scripts/sbom names everything that is pinned, with a licence for whatever users get."""

import json
import subprocess
import sys

import pytest
from conftest import ROOT


@pytest.fixture(scope="module")
def components():
    done = subprocess.run([sys.executable, ROOT / "scripts/sbom"], capture_output=True, text=True, check=True)
    document = json.loads(done.stdout)
    assert (document["bomFormat"], document["specVersion"]) == ("CycloneDX", "1.6")
    return document["components"]


def test_every_pinned_package_is_in_it(components):
    names = {(entry["name"], entry.get("version")) for entry in components}
    for file in (ROOT / "requirements").glob("*.txt"):
        if file.name == "locked.txt":
            continue
        for line in file.read_text().splitlines():
            words = line.split("#")[0].strip()
            if "==" in words:
                assert tuple(words.split("==")) in names, (file.name, words)


def test_what_users_get_has_a_licence_and_a_version_or_is_the_systems(components):
    required = [entry for entry in components if entry["scope"] == "required"]
    assert {"highspy", "casadi", "duckdb", "vega", "vega-lite", "nanobind"} <= {entry["name"] for entry in required}
    for entry in required:
        assert entry["licenses"], entry["name"]
        assert "version" in entry or entry["purl"].startswith("pkg:deb/"), entry["name"]


def test_packages_of_npm_have_the_hashes_that_installing_checks(components):
    for entry in components:
        if entry["purl"].startswith("pkg:npm/"):
            (digest,) = entry["hashes"]
            assert (digest["alg"], len(digest["content"])) == ("SHA-512", 128), entry["name"]


def test_packages_of_python_have_the_hashes_that_installing_checks(components):
    found = [entry for entry in components if entry["purl"].startswith("pkg:pypi/")]
    assert found
    for entry in found:
        assert entry["hashes"] and all(len(digest["content"]) == 64 for digest in entry["hashes"]), entry["name"]


def test_hashes_are_those_of_today_s_pins():
    subprocess.run([sys.executable, ROOT / "scripts/lock", "--check"], check=True)


def test_everything_that_is_fetched_is_checked_by_its_hash():
    text = (ROOT / "scripts" / "bootstrap").read_text().replace("\\\n", " ")
    fetching = [line for line in text.splitlines() if " pip install " in line.split("#")[0] or "npm pack" in line]
    for line in fetching:
        assert "--require-hashes" in line or "npm pack" in line, line
    assert len(fetching) >= 4 and "sha512sum --check" in text and "npm --prefix report ci" in text
    for entry in json.loads((ROOT / "report" / "package-lock.json").read_text())["packages"].values():
        assert "resolved" not in entry or entry["integrity"].startswith("sha512-")


def test_references_are_unique(components):
    references = [entry["bom-ref"] for entry in components]
    assert len(references) == len(set(references))
