"""The JSON Schemas accept every good document and refuse every bad one that a schema can see through."""

import json
import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

ROOT = Path(__file__).resolve().parents[2]
KINDS = ("model", "policy", "counts", "fairness", "rewards", "radii")
SCHEMAS = {kind: json.loads((ROOT / "schemas" / f"{kind}.schema.json").read_text("utf-8")) for kind in KINDS}
GOOD = sorted((ROOT / "tests/io/good").glob("*.json"))
BAD = json.loads((ROOT / "tests/io/bad/manifest.json").read_text("utf-8"))


def kind_of(name):
    """What a sample is, by its name; those about `schema` itself and about nesting are models."""
    return next((kind for kind in KINDS if name.startswith(kind)), "model")


def accepts(kind, document):
    return Draft202012Validator(SCHEMAS[kind]).is_valid(document)


@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.stem)
def test_good_document_passes_its_schema_and_no_other(path):
    document = json.loads(path.read_text("utf-8"))
    assert [kind for kind in KINDS if accepts(kind, document)] == [kind_of(path.name)]


def test_examples_in_the_documentation_pass():
    page = (ROOT / "docs/formats.md").read_text("utf-8")
    examples = [json.loads(text) for text in re.findall(r"```json\n(.*?)```", page, re.DOTALL)]
    kinds = [example["schema"].split("/")[1] for example in examples]
    assert kinds == ["model", "policy", "policy", "counts", "fairness", "rewards", "radii"]
    for kind, example in zip(kinds, examples, strict=True):
        Draft202012Validator(SCHEMAS[kind]).validate(example)


def of_trouble(caught_by):
    return sorted(name for name, expected in BAD.items() if expected["caught_by"] == caught_by)


def bad_document(name):
    return json.loads((ROOT / "tests/io/bad" / name).read_text("utf-8"))


def test_every_bad_file_says_who_catches_it():
    assert {expected["caught_by"] for expected in BAD.values()} == {"parser", "schema", "reader"}


@pytest.mark.parametrize("name", of_trouble("schema"))
def test_bad_structure_fails_the_schema(name):
    assert not accepts(kind_of(name), bad_document(name))


@pytest.mark.parametrize("name", of_trouble("reader"))
def test_what_only_the_reader_sees_passes_the_schema(name):
    assert accepts(kind_of(name), bad_document(name))
