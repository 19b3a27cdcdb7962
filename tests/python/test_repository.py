"""What documents say about the repository is true, and stays true."""

import json
import pathlib
import re
import subprocess
import sys

import jsonschema
import pytest
from conftest import ROOT

sys.path.insert(0, str(ROOT / "scripts"))
import rooms


def tracked(*patterns: str) -> list[pathlib.Path]:
    listing = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", *patterns],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    return [ROOT / line for line in listing.stdout.splitlines() if (ROOT / line).exists()]


def name(path: pathlib.Path) -> str:
    return str(path.relative_to(ROOT))


DOCUMENTS = tracked("*.md")
SCHEMAS = tracked("schemas/*.json")
VERBS = tracked("cli/verbs/*.cpp")


@pytest.mark.parametrize("document", DOCUMENTS, ids=name)
def test_links_between_documents_lead_somewhere(document: pathlib.Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)[^)]*\)", document.read_text())
    broken = [link for link in links if "://" not in link and not (document.parent / link).exists()]
    assert broken == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=name)
def test_make_targets_in_documents_exist(document: pathlib.Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    code = re.findall(r"`(?:[^`\n]+)`|^```.*?^```", document.read_text(), re.MULTILINE | re.DOTALL)
    mentioned = {target for span in code for target in re.findall(r"(?:^|`)make ([a-z-]+)", span, re.MULTILINE)}
    assert mentioned <= targets


def rooms_in_document() -> dict[str, set[str]]:
    """room -> the rooms it depends on, as the table in docs/architecture.md has them."""
    rows = re.findall(r"^\| `(\w+)` \|([^|]*)\|", (ROOT / "docs/architecture.md").read_text(), re.MULTILINE)
    return {room: set(re.findall(r"`(\w+)`", depends)) for room, depends in rows}


def test_the_architecture_page_shows_the_rooms_and_arrows_of_the_build() -> None:
    assert rooms_in_document() == rooms.rooms()


def test_the_picture_of_the_data_shows_every_verb() -> None:
    page = (ROOT / "docs/architecture.md").read_text()
    picture = page.split("## The way of the data")[1].split("## ")[0]
    missing = [verb.stem for verb in VERBS if not re.search(rf"\b{verb.stem}\b", picture)]
    assert missing == []


def test_the_words_of_every_enum_are_tested() -> None:
    found = {
        words.removeprefix("report::")
        for path in tracked("src/*.hpp", "cli/*.hpp", "python/*.hpp")
        for words in re.findall(r"^inline constexpr auto kWords<([\w:]+)> =", path.read_text(), re.MULTILINE)
    }
    test = (ROOT / "tests/core/words_test.cpp").read_text()
    [tested] = re.findall(r"using Enums =\s+testing::Types<([^>]*)>", test)
    assert len(found) > 15
    assert {word.strip().removeprefix("report::") for word in tested.split(",")} == found


# The library named flags of the command, and Python undid it by a regular expression.
def test_the_library_spells_no_option_or_verb_as_one_front_end_does() -> None:
    spelled = re.compile(
        r"(?<![\w-])--[a-z]|\bfairstep\.\w+\(|\bfairstep (" + "|".join(verb.stem for verb in VERBS) + r")\b"
    )
    # Pages say by whom they were made and how to check them.
    titles = (
        "src/fairstep/report/report.cpp",
        "src/fairstep/report/page_words.cpp",
        "src/fairstep/certificate_page/content.cpp",
    )
    found = [
        f"{name(path)}: {text}"
        for path in tracked("src/*.?pp")
        if name(path) not in titles
        for text in re.findall(r'//.*|("(?:[^"\\\n]|\\.)*")', path.read_text())
        if spelled.search(text)
    ]
    assert found == []


# Sixteen includes reached into the internal/ of another room.
def test_folders_inside_a_room_are_for_that_room_but_for_what_it_shares() -> None:
    strangers = []
    for path in tracked("src/*.?pp", "cli/*.?pp", "python/*.?pp", "benchmarks/*.?pp"):
        parts = path.relative_to(ROOT).parts
        for room, folder in re.findall(r"#include [<\"]fairstep/(\w+)/(\w+)/", path.read_text()):
            if folder != "shared" and parts[:3] != ("src", "fairstep", room):
                strangers.append(f"{name(path)} looks into {room}/{folder}")
    assert strangers == []


# Two rooms had a `struct fairstep::Effect` of their own: a program that links both may take either for the other.
def test_no_type_is_defined_twice() -> None:
    found: dict[str, list[str]] = {}
    for path in tracked("src/*.hpp"):
        namespace = ""
        for line in path.read_text().splitlines():
            if opened := re.match(r"namespace ([\w:]+) {", line):
                namespace = opened[1]
            if defined := re.match(r"(?:struct|class|enum class) (\w+)(?: final)?(?: : [^;]+)? {", line):
                found.setdefault(f"{namespace}::{defined[1]}", []).append(name(path))
    assert len(found) > 100
    assert {what: where for what, where in found.items() if len(where) > 1} == {}


def test_there_are_schemas() -> None:
    assert SCHEMAS


@pytest.mark.parametrize("schema", SCHEMAS, ids=name)
def test_every_schema_is_one(schema: pathlib.Path) -> None:
    document = json.loads(schema.read_text())
    jsonschema.validators.validator_for(document, default=None).check_schema(document)
