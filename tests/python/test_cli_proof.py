"""`fairstep solve --proof`, `fairstep check` and tools/check_proof.py: what is written holds by both, and what was
changed is refused, or proves the very same statement still: any prices prove something, so not every change is a lie.
"""

import copy
import hashlib
import json
import random
import re
import subprocess
import sys

import pytest
from conftest import PATIENCE, ROOT
from jsonschema import Draft202012Validator

sys.path.insert(0, str(ROOT / "tools"))
import check_proof

SCHEMA = json.loads((ROOT / "schemas/proof.schema.json").read_text("utf-8"))
TOOL = ROOT / "tools" / "check_proof.py"
QUESTIONS = {
    "dp": ("--fairness", "dp", "--limit", "0.02"),
    "eqopt": ("--fairness", "eqopt", "--limit", "0.02"),
    "eqodds": ("--fairness", "eqodds", "--limit", "0.05"),
    "a floor": ("--fairness", "eqopt", "--limit", "0.02", "--floor", "0.1"),
    "one table": ("--fairness", "dp", "--limit", "0.05", "--group-independent"),
    "a capacity": ("--fairness", "dp", "--limit", "0.05", "--capacity", "0.5"),
}


def seal(document):
    """The document as a file whose fingerprint is right."""
    text = json.dumps({key: value for key, value in document.items() if key != "sha256"}, indent=2)
    body = text.rstrip("}").rstrip()
    return body + ',\n  "sha256": "' + hashlib.sha256(body.encode()).hexdigest() + '"\n}\n'


def by_python(text, model):
    """The statement, or none."""
    try:
        return check_proof.check(text, model)
    except (check_proof.Refused, KeyError, IndexError, TypeError, AttributeError, ValueError):
        return None


def by_fairstep(fairstep, text):
    (fairstep.folder / "mutant.json").write_text(text, "utf-8")
    done = fairstep("check", "mutant.json", "--model", "model.json", "--json")
    assert done.code in (0, 1, 2)
    return done.json["statement"] if done.code == 0 else None


@pytest.fixture
def prove(fairstep):
    def run(*words):
        fairstep("env", "fico", "--horizon", "3", "-o", "model.json", code=0)
        return fairstep("solve", "model.json", *words, "--proof", "proof.json", "--json")

    return run


@pytest.mark.parametrize("question", QUESTIONS)
def test_both_checkers_confirm_what_solve_proves(fairstep, prove, question):
    done = prove(*QUESTIONS[question])
    assert done.code == 0
    found = fairstep("check", "proof.json", "--model", "model.json", "--json", code=0).json
    assert found["holds"] and found["bound"] >= done.json["bounds"]["upper"] * (1 - 1e-12)
    assert found["bound"] - found["value"] <= 2.1e-3 * found["value"]
    Draft202012Validator(SCHEMA).validate(fairstep.read("proof.json"))
    words = [sys.executable, str(TOOL), "proof.json", "model.json"]
    said = subprocess.run(words, cwd=fairstep.folder, capture_output=True, text=True, timeout=PATIENCE)
    assert (said.returncode, said.stdout) == (0, f"holds: {found['statement']}\n")


def test_that_no_policy_keeps_the_limits_is_proven(fairstep, prove):
    done = prove("--fairness", "dp", "--limit", "0.02", "--floor", "0.3", "--capacity", "0.2")
    assert done.code == 1
    found = fairstep("check", "proof.json", "--model", "model.json", "--json", code=0).json
    assert found["bound"] is None and found["statement"].startswith("there is no policy that accepts everybody")
    text, model = ((fairstep.folder / name).read_text("utf-8") for name in ("proof.json", "model.json"))
    assert by_python(text, model) == found["statement"]


def test_what_is_not_covered_is_refused_before_anything_is_solved(fairstep, prove):
    for words in (("--monotone",), ("--deterministic",), ("--penalty", "1"), ("--no-proof",)):
        done = prove("--fairness", "dp", *(words if "--penalty" in words else ("--limit", "0.1", *words)))
        assert done.code == 2 and "proof file" in done.json["error"]["message"]
        assert not (fairstep.folder / "proof.json").exists()


def test_another_model_or_none_is_refused(fairstep, prove):
    assert prove(*QUESTIONS["eqopt"]).code == 0
    fairstep("check", "proof.json", code=2)
    fairstep("env", "fico", "--horizon", "4", "-o", "model.json", code=0)
    fairstep("check", "proof.json", "--model", "model.json", code=1)
    text, model = ((fairstep.folder / name).read_text("utf-8") for name in ("proof.json", "model.json"))
    assert by_python(text, model) is None


def numbers_in(value, path=()):
    if isinstance(value, dict):
        return [place for key in value for place in numbers_in(value[key], (*path, key))]
    if isinstance(value, list):
        return [place for i, one in enumerate(value) for place in numbers_in(one, (*path, i))]
    return [path] if isinstance(value, (int, float)) and not isinstance(value, bool) else []


def mutant(document, draw):
    """One number is another; now and then a claim is gone or about another end, or a price is on another row."""
    document = copy.deepcopy(document)
    kind = draw.random()
    claims = [claim for part in document["parts"] for claim in part["claims"]]
    if kind < 0.05:
        part = draw.choice(document["parts"])
        part["claims"].pop(draw.randrange(len(part["claims"])))
        return document, "claim"
    if kind < 0.1:
        claim = draw.choice([claim for claim in claims if claim.get("rows")])
        name = draw.choice(list(claim["rows"]))
        claim["rows"][draw.choice(["cutoff", "up 1 0", "low 1 1", "w 1 0 3", "pair 0 0 1"])] = claim["rows"].pop(name)
        return document, "row"
    path = draw.choice(numbers_in(document))
    place = document
    for step in path[:-1]:
        place = place[step]
    old = place[path[-1]]
    changed = [
        old * (1 + draw.choice((-1, 1)) * 10.0 ** -draw.randrange(0, 9)),
        -old,
        0,
        old + draw.choice((-1, 1)),
        1 - old,
    ]
    place[path[-1]] = draw.choice([new for new in changed if new != old] or [old + 0.5])
    return document, path[0]


# What is said. The rest is evidence, of which much may be otherwise.
CLAIMED = ("asked", "bound", "value")


@pytest.mark.slow
def test_of_500_mutants_none_proves_anything_else(fairstep, prove):
    assert prove(*QUESTIONS["eqopt"]).code == 0
    text, model = ((fairstep.folder / name).read_text("utf-8") for name in ("proof.json", "model.json"))
    document = json.loads(text)
    statement = document["statement"]
    assert by_python(seal(document), model) == by_fairstep(fairstep, seal(document)) == statement
    draw = random.Random(1)
    refused = 0
    for _ in range(500):
        other, what = mutant(document, draw)
        # As it is: the fingerprint is another.
        broken = json.dumps(other, indent=2) + "\n"
        assert by_python(broken, model) is None
        # By somebody who makes the fingerprint anew.
        verdicts = by_python(seal(other), model), by_fairstep(fairstep, seal(other))
        assert all(verdict in (None, statement) for verdict in verdicts)
        assert what not in CLAIMED or verdicts == (None, None)
        refused += verdicts == (None, None)
    assert refused > 250  # most of what is changed was needed


def test_what_is_forged_in_all_places_is_refused(fairstep, prove):
    assert prove(*QUESTIONS["eqopt"]).code == 0
    text, model = ((fairstep.folder / name).read_text("utf-8") for name in ("proof.json", "model.json"))
    document = json.loads(text)
    for share in (1, 0.9999, 0.99, 0.5):
        forged = {key: value for key, value in document.items() if key not in ("value", "policy")}
        forged["bound"] = document["value"] * share - 1e-6
        forged["statement"] = (
            document["statement"].split(";")[0].replace(repr(document["bound"]), repr(forged["bound"]))
        )
        assert by_python(seal(forged), model) is None
        assert by_fairstep(fairstep, seal(forged)) is None


def test_a_side_of_an_envelope_is_one_of_four(fairstep, prove):
    # Cause: "23" was taken for a side in Python, as part of "0123", with the corner of one and the sign of the other.
    assert prove(*QUESTIONS["eqopt"]).code == 0
    text, model = ((fairstep.folder / name).read_text("utf-8") for name in ("proof.json", "model.json"))
    assert by_python(text, model) is not None
    names = set(re.findall(r'"(w \d+ \d+) [0-3]"', text))
    assert names
    for side in ("", "12", "23", "4", "-1"):
        name = sorted(names)[0]
        forged = json.loads(re.sub(rf'"{name} [0-3]"', f'"{name} {side}"', text, count=1))
        assert by_python(seal(forged), model) is None
        assert by_fairstep(fairstep, seal(forged)) is None
