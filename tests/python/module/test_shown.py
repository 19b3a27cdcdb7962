"""What a file has for names and descriptions, in Python's reprs, pages, errors and pictures."""

import json

import pytest
from small import hand

import fairstep as fs

UNSEEN = "\x9b2J\u2028\u202e\u2066\ufeff"


def made():
    return fs.Model.from_json(json.dumps(hand() | {"groups": ["a", "b" + UNSEEN], "description": UNSEEN}))


def safe(text):
    return not any(c in text for c in UNSEEN if not c.isascii())


def test_reprs_and_pages_show_names_and_obey_none():
    """They went to the notebook as they were."""
    model = made()
    policy = fs.policy(model, uniform=0.5)
    counts = fs.simulate(model, policy, people=300)
    results = [model, policy, counts, fs.solve(model, fairness="dp"), fs.evaluate(model, policy), fs.audit(counts)]
    for result in results:
        assert safe(repr(result)) and safe(result._repr_html_()), type(result)
    assert r"\x9b2J\u2028\u202e" in model._repr_html_()


def test_an_error_shows_what_it_quotes():
    with pytest.raises(ValueError) as refused:
        fs.Model.from_json(json.dumps(hand() | {"key" + UNSEEN: 1}))
    assert safe(str(refused.value) + "".join(refused.value.__notes__))


def test_a_long_name_wraps_on_a_page():
    model = fs.Model.from_json(json.dumps(hand() | {"groups": ["a", "b" * 500]}))
    assert "overflow-wrap:anywhere" in model._repr_html_()
