"""scripts/release dates the changelog and tags, in a scratch repository; workflows call what exists here."""

import json
import re
import shutil
import subprocess
import sys

import pytest
from conftest import ROOT

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
CHANGELOG = """\
# Changelog

## [Unreleased]

### Added
- A thing.

## [0.1.0] - 2026-01-02
- The first.
"""


@pytest.fixture
def scratch(tmp_path):
    """A repository with all that the script looks at."""
    for name in ("CMakeLists.txt", "CITATION.cff", "scripts/release"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    listing = tmp_path / "CMakeLists.txt"
    listing.write_text(re.sub(r"VERSION \d+\.\d+\.\d+", "VERSION 0.1.0", listing.read_text(), count=1))
    (tmp_path / "CHANGELOG.md").write_text(CHANGELOG)
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "config", "user.name", "nobody")
    git(tmp_path, "config", "user.email", "nobody@example.org")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message", "all")
    git(tmp_path, "tag", "v0.1.0")
    return tmp_path


def git(folder, *words):
    return subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True, text=True).stdout


def release(folder, *words):
    return subprocess.run([sys.executable, folder / "scripts/release", *words], capture_output=True, text=True)


def test_a_release_dates_the_changelog_writes_the_version_and_tags(scratch):
    done = release(scratch, "0.2.0")
    assert done.returncode == 0, done.stderr
    changelog = (scratch / "CHANGELOG.md").read_text()
    assert re.search(r"## \[Unreleased\]\n\n## \[0\.2\.0\] - \d{4}-\d\d-\d\d\n\n### Added\n- A thing\.\n", changelog)
    assert "project(fairstep VERSION 0.2.0 " in (scratch / "CMakeLists.txt").read_text()
    assert re.search(r"^version: 0\.2\.0\ndate-released: \d{4}-", (scratch / "CITATION.cff").read_text(), re.MULTILINE)
    assert git(scratch, "describe").strip() == "v0.2.0" and git(scratch, "status", "--porcelain") == ""
    assert release(scratch, "--is", "v0.2.0").returncode == 0
    assert release(scratch, "--notes").stdout == "### Added\n- A thing.\n"
    # The next one finds nothing to release, and the date of the citation is replaced by the one after that.
    assert "nothing under [Unreleased]" in release(scratch, "0.3.0").stderr
    (scratch / "CHANGELOG.md").write_text(changelog.replace("[Unreleased]\n", "[Unreleased]\n- More.\n", 1))
    git(scratch, "commit", "--quiet", "--all", "--message", "more")
    assert release(scratch, "0.3.0").returncode == 0
    assert (scratch / "CITATION.cff").read_text().count("date-released") == 1


def test_a_dry_run_shows_what_would_change_and_changes_nothing(scratch):
    done = release(scratch, "--dry-run", "0.2.0")
    assert done.returncode == 0
    assert "+## [0.2.0] - " in done.stdout and "+project(fairstep VERSION 0.2.0 " in done.stdout
    assert git(scratch, "status", "--porcelain") == "" and git(scratch, "tag").split() == ["v0.1.0"]


@pytest.mark.parametrize(
    ("version", "why"),
    [
        ("0.2", '"0.2" is no version, expected one such as 1.2.3'),
        ("0.1.0", "v0.1.0 is there already"),
        ("0.0.9", "0.0.9 is not newer than 0.1.0"),
    ],
)
def test_what_is_no_newer_version_is_refused(scratch, version, why):
    done = release(scratch, version)
    assert (done.returncode, done.stderr) == (1, f"release: {why}\n")


def test_changes_that_are_not_committed_and_other_tags_are_refused(scratch):
    assert "CMakeLists.txt says 0.1.0" in release(scratch, "--is", "v0.2.0").stderr
    (scratch / "new.txt").write_text("")
    assert "not committed" in release(scratch, "0.2.0").stderr


def test_the_citation_has_the_version_of_the_build():
    version = re.search(r"project\(fairstep VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())[1]
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text()


# Everything else that workflows run is there on every machine of GitHub.
PLAIN = ("apt-get update", "git config", "gh release")


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_run_nothing_but_make_targets_and_scripts(workflow):
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    text = workflow.read_text()
    commands = re.findall(r"^ +(?:- )?run: (.+)$", text, re.MULTILINE)
    assert commands and "run: |" not in text
    for command in commands:
        if command.startswith(PLAIN):
            continue
        program, *words = command.split()
        if program == "make":
            [of_matrix] = re.findall(r"target: \[(.*)\]", text) or [""]
            named = of_matrix.split(", ") if words[0] == "${{" else words
            assert named and set(named) <= targets, command
        else:
            assert program.startswith("scripts/") and (ROOT / program).exists(), command


def test_the_container_for_developers_is_set_up_by_what_is_here():
    made = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text())
    assert made["postCreateCommand"].endswith("&& scripts/bootstrap verify")
