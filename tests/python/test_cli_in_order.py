"""Groups and features are known by their names: files that have them in another order give the same answers."""

import json
import subprocess
import sys

import pytest
from conftest import ROOT

# Which axes of a key's arrays are groups (g) and features (x); all others stay.
AXES = {
    "model": {
        "share": "g",
        "initial": "gx.",
        "transition": "gx..x.",
        "reward": "gx..",
    },
    "policy": {"accept": "g.."},
    "counts": {
        "first": "gx.",
        "visits": "g.x..",
        "transitions": "gx..x.",
        "reward_sum": "gx..",
        "reward_squares": "gx..",
    },
    "lost": {"first": "g", "first_in_doubt": "g", "decisions": "g.", "cells": "gx..", "transitions": "gx.."},
    "history": {
        "departures": "g.x..",
        "arrivals": "g.x.",
        "pairs": "gx..x..",
        "after_pairs": "gx..x.",
        "unseen": "g.x..",
    },
}
GROUPS, FEATURES = [2, 0, 1], [1, 2, 0]


def moved(table, axes):
    if not axes:
        return table
    parts = [moved(part, axes[1:]) for part in table]
    order = {"g": GROUPS, "x": FEATURES}.get(axes[0])
    return [parts[i] for i in order] if order else parts


def rearranged(document, kind):
    """The same document with its groups, and features where it has names for them, in another order."""
    made = {key: moved(value, AXES[kind][key]) if key in AXES[kind] else value for key, value in document.items()}
    if "groups" in made:
        made["groups"] = moved(made["groups"], "g")
    if "features" in made:
        made["features"] = moved(made["features"], "x")
    if "history" in made:
        made["history"] = rearranged(made["history"], "history")
    if "lost" in made.get("log", {}):
        made["log"] = made["log"] | {"lost": rearranged(made["log"]["lost"], "lost")}
    return made


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    from conftest import Fairstep

    fairstep = Fairstep(tmp_path_factory.mktemp("in_order"))
    lines = """\
fairstep env random --groups 3 --features 3 --horizon 3 --seed 7 -o model.json
fairstep policy model.json --random --seed 4 -o policy.json
fairstep policy model.json --threshold x=1 -o other.json
fairstep simulate model.json policy.json --people 3000 --seed 1 -o log.csv
fairstep simulate model.json policy.json --people 3000 --seed 2 -o later.csv
fairstep count log.csv --like model.json -o counts.json
fairstep count later.csv --like model.json -o later.json"""
    for line in lines.splitlines():
        done = fairstep.line(line)
        assert done.code == 0, done.err
    for name, kind in (("model", "model"), ("policy", "policy"), ("other", "policy"), ("later", "counts")):
        document = json.loads((fairstep.folder / f"{name}.json").read_text())
        changed = rearranged(document, kind)
        assert changed != document
        (fairstep.folder / f"{name}-moved.json").write_text(json.dumps(changed))
    return fairstep


def answer(files, line, code=0):
    """What is printed as JSON, but for file names and times."""
    done = files.line(f"fairstep {line} --json")
    assert done.code == code, done.err + done.out
    names = {"model", "policy", "policies", "file", "policy_file", "counts", "data"}
    return {key: value for key, value in done.json.items() if key not in names or not isinstance(value, str)}


@pytest.mark.parametrize(
    "line",
    [
        "evaluate model.json policy{}.json --values",
        "simulate model.json policy{}.json --people 500 --seed 3 -o people.csv",
        "simulate model.json policy{}.json --people-per-group 5000 --seed 3 -o crowd.json",
        "alternative model.json policy{}.json --effort 200",
        "audit counts.json --policy policy{}.json",
        "certify counts.json policy{}.json",
        "certify counts.json policy.json --model model{}.json",
        "certify counts.json policy{0}.json --model model{0}.json --followed",
        "show policy{}.json --model model.json",
    ],
)
def test_a_policy_and_a_model_mean_the_same_in_another_order(files, line):
    plain, other = (answer(files, line.format(end)) for end in ("", "-moved"))
    for document in (plain, other):
        for ignored in ("time_s", "people_per_second"):
            document.pop(ignored, None)
        document.pop("files", None)  # their names and hashes
        document.get("given", {}).pop("file", None)
    assert other == plain


def test_written_people_and_counts_are_the_same_to_the_byte(files):
    made = []
    for end in ("", "-moved"):
        files("simulate", "model.json", f"policy{end}.json", "--people", "500", "-o", "people.csv", code=0)
        files("simulate", "model.json", f"policy{end}.json", "--people-per-group", "5000", "-o", "crowd.json", code=0)
        made.append([(files.folder / name).read_bytes() for name in ("people.csv", "crowd.json")])
    assert made[0] == made[1]


def test_policies_are_compared_whatever_their_order(files):
    plain = answer(files, "compare model.json policy.json other.json")
    other = answer(files, "compare model.json policy-moved.json other-moved.json")
    for document in (plain, other):
        for policy in document["policies"]:
            del policy["file"]
    assert other == plain


def test_counts_are_added_to_those_of_the_same_name(files):
    for end in ("", "-moved"):
        files("merge", "counts.json", f"later{end}.json", "-o", f"sum{end}.json", code=0)
    plain, other = (json.loads((files.folder / f"sum{end}.json").read_text()) for end in ("", "-moved"))
    # Rewards are sums of doubles, added in the same order: equal to the last bit.
    assert other == plain
    twice = files("merge", "later.json", "later-moved.json", "-o", "twice.json", code=2)
    assert "the same to the last number" in twice.err


def test_a_certificate_of_files_in_another_order_holds_by_both_checkers_and_has_their_hashes(files):
    files(
        "certify", "counts.json", "policy-moved.json", "--model", "model-moved.json", "-o", "certificate.json", code=0
    )
    done = files("check", "certificate.json", code=0)
    assert "holds" in done.out
    tool = subprocess.run(
        [sys.executable, ROOT / "tools" / "check_certificate.py", files.folder / "certificate.json"],
        capture_output=True,
        text=True,
    )
    assert tool.returncode == 0, tool.stdout + tool.stderr
    certificate = json.loads((files.folder / "certificate.json").read_text())
    for name in ("policy", "model"):
        assert certificate["inputs"][name]["text"] == (files.folder / f"{name}-moved.json").read_text()
    # A policy that is the other way round is another policy: with groups exchanged both refuse it.
    text = json.loads(certificate["inputs"]["policy"]["text"])
    text["groups"] = text["groups"][::-1]
    certificate["inputs"]["policy"]["text"] = json.dumps(text)
    (files.folder / "exchanged.json").write_text(json.dumps(certificate))
    assert files("check", "exchanged.json").code == 1


def test_other_names_are_refused_as_ever(files):
    document = json.loads((files.folder / "policy.json").read_text())
    document["groups"][0] = "nobody"
    (files.folder / "strange.json").write_text(json.dumps(document))
    refused = files("evaluate", "model.json", "strange.json", code=2)
    assert "the policy is for the groups nobody" in refused.err


def test_python_matches_names_too(files):
    fairstep = pytest.importorskip("fairstep")
    pytest.importorskip("fairstep._core")
    model, policy, moved_policy, counts, later, moved_later = (
        fairstep.load(files.folder / f"{name}.json")
        for name in ("model", "policy", "policy-moved", "counts", "later", "later-moved")
    )
    assert fairstep.evaluate(model, moved_policy).value == fairstep.evaluate(model, policy).value
    assert fairstep.falls(model, moved_policy) == fairstep.falls(model, policy)
    assert (counts + moved_later) == (counts + later)
    plain, other = (fairstep.certify(counts, asked, fairness="dp") for asked in (policy, moved_policy))
    assert list(other.gap.dp) == list(plain.gap.dp)
    assert fairstep.simulate(model, moved_policy, people=200) == fairstep.simulate(model, policy, people=200)
    whole = [fairstep.audit(counts, fairness="dp", policy=asked) for asked in (policy, moved_policy)]
    assert whole[0].policy_value == whole[1].policy_value
