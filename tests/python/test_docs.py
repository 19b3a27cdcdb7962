"""The documentation is true: every command and every piece of code in it runs, and shows what it does."""

import ast
import functools
import http.server
import json
import os
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from conftest import PATIENCE, ROOT

sys.path.insert(0, str(ROOT / "scripts"))
import docs_blocks

PAGES = docs_blocks.pages()
# Commands that take a cluster, another machine or the whole build. Whoever adds one has to say so here too.
NOT_RUN = {
    "README.md": 1,
    "CONTRIBUTING.md": 2,
    "docs/experiments.md": 1,
    "docs/explore.md": 2,
    "docs/fairlearn.md": 1,
    "docs/logs.md": 1,
    "docs/python.md": 1,
    "docs/report.md": 1,
    "docs/reproduction.md": 1,
}


# Pages whose code takes more than `make test` installs.
NEEDS = {"docs/fairlearn.md": "fairlearn", "docs/gymnasium.md": "Gymnasium"}


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


def marked(page: Path):
    needs = NEEDS.get(name(page))
    return pytest.param(page, marks=pytest.mark.needs(needs) if needs else ())


@pytest.mark.parametrize("page", [marked(page) for page in PAGES], ids=name)
def test_every_block_of_a_page_runs_and_shows_what_happens(page, tmp_path):
    run = docs_blocks.PageRun(page, tmp_path)
    run.run()
    assert len(run.not_run) == NOT_RUN.get(name(page), 0), [block.title for block in run.not_run]


def test_every_picture_is_made_by_a_page_that_shows_it():
    for picture in (ROOT / "docs/pictures").glob("*.svg"):
        makers = [
            page
            for page in PAGES
            if f"pictures/{picture.name}" in page.read_text()
            and any(picture.name in block.text for block in docs_blocks.blocks_of(page.read_text()))
        ]
        assert makers, picture.name


@pytest.fixture(scope="module")
def options(tmp_path_factory):
    """call -> the options it has."""
    from conftest import Fairstep

    manual = Fairstep(tmp_path_factory.mktemp("manual"))("manual", "--json", code=0).json
    shared = {one for option in manual["shared_options"] for one in option["names"]}
    return {
        verb["call"]: shared | {one for option in verb["options"] for one in option["names"]}
        for verb in manual["verbs"]
    }


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_commands_within_sentences_have_verbs_and_options_that_exist(page, options):
    prose = re.sub(r"^( *)```.*?^\1```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    for span in re.findall(r"`(fairstep [^`]+)`", prose):
        words = re.split("[|>]", span)[0].split()
        call = " ".join(words[:2])
        if words[1] in ("VERB", "help") or words[1].startswith("-") or words[1].isupper():
            continue
        if " ".join(words[:3]) in options:
            call = " ".join(words[:3])
        assert call in options, span
        # `fairstep env NAME` stands for each of them.
        known = options[call].union(*(more for other, more in options.items() if other.startswith(f"{call} ")))
        for option in re.findall(r"(?<!\S)(--?[a-z][-a-z]*)", " ".join(words)):
            assert option in known, span


# --- the site ---------------------------------------------------------------------------------------------------------


def build_site(folder):
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", folder],
        cwd=ROOT,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def check_that_nothing_is_loaded_from_elsewhere(site):
    for page in [*site.rglob("*.html"), *site.rglob("*.css")]:
        loaded = re.findall(r"""(?:src=|<link[^>]*href=|url\()["']?(https?:[^"')\s]*)""", page.read_text())
        assert loaded == [], page


def check_the_reference_of_the_command_and_of_python(site, options):
    command = (site / "reference/command.html").read_text()
    for call in options:
        assert f"<code>{call}</code>" in command
    python = (site / "reference/python.html").read_text()
    names = ast.literal_eval(
        re.search(r"__all__ = (\[.*?\])", (ROOT / "python/fairstep/__init__.py").read_text(), re.S)[1]
    )
    assert [name for name in names if f'id="fairstep.{name}"' not in python] == []
    assert "demographic parity" in python


def check_in_a_browser(site):
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    pages = ["index", "tutorial", "concepts/relaxations", "reference/command", "guarantees"]
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=site)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        done = subprocess.run(
            ["node", "--test", ROOT / "report/tests/site.test.mjs"],
            env=os.environ
            | {"SITE": f"http://127.0.0.1:{server.server_port}/", "PAGES": " ".join(f"{page}.html" for page in pages)},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        server.shutdown()
    assert done.returncode == 0, done.stdout


@pytest.mark.needs("MkDocs and a browser")
def test_the_site_builds_without_a_warning_and_works(tmp_path, options):
    """One test, so that the site is built once however tests are shared out."""
    site = tmp_path / "site"
    build_site(site)
    check_that_nothing_is_loaded_from_elsewhere(site)
    check_the_reference_of_the_command_and_of_python(site, options)
    check_in_a_browser(site)


# --- the runner itself ------------------------------------------------------------------------------------------------


def run_page(tmp_path, text, **how):
    page = tmp_path / "page.md"
    page.write_text(text)
    folder = tmp_path / "folder"
    folder.mkdir(exist_ok=True)
    run = docs_blocks.PageRun(page, folder)
    return run, run.run(**how)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("```console\n$ echo a\nb\n```\n", "page shows"),
        ("```console\nfairstep --version\n```\n", "without a command"),
        ("```sh\nfalse\n```\n", "exit code 1"),
        ("```sh\nfairstep env nowhere\n```\n", "is not a name"),
        ("```python\nraise ValueError('no')\n```\n", "ValueError: no"),
        ("```pycon\n>>> 1 + 1\n3\n```\n", "Expected"),
        ("```text\nfairstep env fico\n```\n", "commands in a block of text"),
        ("```text\nPYTHONPATH=python python -m fairstep.spark\n```\n", "commands in a block of text"),
        ("```\nanything\n```\n", 'a block of ""'),
        ("```cmake\nfind_package(another)\n```\n", "no file of tests/consumer/project"),
        ("- a list\n\n  ```sh\n  false\n  ```\n", "exit code 1"),
    ],
)
def test_a_block_that_is_not_true_is_found(tmp_path, text, complaint):
    with pytest.raises(docs_blocks.BlockError, match=re.escape(complaint)):
        run_page(tmp_path, text)


def test_json_that_is_none_is_found(tmp_path):
    with pytest.raises(json.JSONDecodeError):
        run_page(tmp_path, "```json\n{,}\n```\n")


def test_blocks_of_a_page_share_a_folder_and_a_python(tmp_path):
    text = (
        '```json title="a.json"\n{"x": 3}\n```\n'
        "```python\nimport json\nx = json.load(open('a.json'))['x']\n```\n"
        "```pycon\n>>> x\n3\n```\n"
        "```console\n$ cat a.json\n{...\n```\n"
    ).replace("{...", '{"x": 3}')
    run, _ = run_page(tmp_path, text)
    assert len(run.ran) == 4


def test_a_block_that_says_why_it_is_not_run_is_not(tmp_path):
    run, _ = run_page(tmp_path, '```sh title="Not run by tests: takes a cluster"\nfalse\n```\n')
    assert [block.not_run for block in run.not_run] == ["takes a cluster"]


def test_dots_stand_for_lines_and_seconds_for_any(tmp_path):
    run_page(tmp_path, "```console\n$ seq 5; echo took 12.30 s\n1\n...\n5\ntook 0.01 s\n```\n")


def test_update_writes_what_is_printed_now_and_leaves_the_rest(tmp_path):
    text = "Text.\n\n```console\n$ echo a\nb\n$ cat <<END\n> c\n> END\n```\n\nMore.\n"
    _, updated = run_page(tmp_path, text, update=True)
    assert updated == "Text.\n\n```console\n$ echo a\na\n$ cat <<END\n> c\n> END\nc\n```\n\nMore.\n"
