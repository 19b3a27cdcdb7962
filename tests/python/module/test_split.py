"""People in two parts: of files, of frames and of simulations."""

import json
import pickle

import numpy as np
import polars as pl
import pytest
from split_reference import fingerprint, is_design

import fairstep as fs


@pytest.fixture(scope="module")
def fico():
    return fs.env("fico", horizon=4)


@pytest.fixture(scope="module")
def table(fico):
    return fs.simulate_log(fico, fs.policy(fico, uniform=0.5), people=2000, seed=5).to_frame()


def test_both_parts_come_back_and_know_what_they_are(table):
    parts = fs.count(table, split=0.3, seed=7)
    design, audit = parts
    assert (parts.design, parts.audit) == (design, audit)
    assert (design.part.role, audit.part.role) == ("design", "audit")
    assert (audit.part.share, audit.part.seed) == (0.3, 7)
    assert design.part.logs == audit.part.logs
    assert fs.count(table).part is None
    mine = table[[is_design(person, 0.3, 7) for person in table["person"]]]
    assert (design.visits == fs.count(mine, like=design).visits).all()
    assert "part='design'" in repr(design) and "the audit part of a split" in audit._repr_html_()
    assert repr(design.part) == "Part(design, share=0.3, seed=7)"
    assert design.part == fs.Counts.from_json(design.to_json()).part != audit.part
    assert pickle.loads(pickle.dumps(audit)) == audit


def test_persons_are_split_alike_whatever_the_frame_and_the_type(table):
    wanted = fs.count(table, split=0.4, seed=1)
    frames = [
        pl.from_pandas(table),
        table.assign(person=table["person"].astype(str)),
        table.assign(person=table["person"].astype("float64")),
        table.sample(frac=1, random_state=3),
    ]
    for frame in frames:
        parts = fs.count(frame, split=0.4, seed=1, threads=2)
        for one, other in zip(parts, wanted, strict=True):
            assert (one.transitions == other.transitions).all() and one.part == other.part


def test_files_are_written_both_or_neither(table, tmp_path):
    parts = fs.count(table, split=0.3, seed=7)
    with pytest.raises(ValueError, match="there is no folder"):
        parts.save(tmp_path / "design.json", tmp_path / "nowhere" / "audit.json")
    assert not list(tmp_path.iterdir())
    parts.save(tmp_path / "design.json", tmp_path / "audit.json")
    assert fs.Counts.load(tmp_path / "design.json") == parts.design
    table.to_csv(tmp_path / "log.csv", index=False)
    again = fs.count(tmp_path / "log.csv", split=0.3, seed=7)
    assert again.audit.part == parts.audit.part
    with pytest.raises(ValueError, match="it would be lost"):
        again.save(tmp_path / "design.json", tmp_path / "log.csv")


def test_parts_add_up_with_their_like_only(fico, table):
    parts = fs.count(table, split=0.3, seed=7)
    other = fs.simulate_log(fico, fs.policy(fico, uniform=0.5), people=900, seed=6).to_frame()
    more = fs.count(other, split=0.3, seed=7, like=parts.design)
    both = parts.audit + more.audit
    assert both.part.logs == (more.design + parts.design).part.logs and len(both.part.logs) == 2
    for wrong, said in [
        (parts.audit, "expected the design part as in the counts added to"),
        (more.audit, "expected the design part as in the counts added to"),
        (fs.count(other, like=parts.design), "expected the design part of a split as in the counts added to"),
        (fs.count(other, split=0.3, seed=8, like=parts.design).design, "part.seed is 8, expected 7"),
    ]:
        with pytest.raises(ValueError, match=said):
            parts.design + wrong
        with pytest.raises(ValueError, match=said):
            parts.design.add(wrong, different_people=True)


def test_a_split_that_makes_no_sense_is_refused(table):
    with pytest.raises(ValueError, match="split needs a seed"):
        fs.count(table, split=0.3)
    with pytest.raises(ValueError, match="seed is given without split"):
        fs.count(table, seed=3)
    with pytest.raises(ValueError, match=r"seed is -1, expected a whole number from 0 to 2\^64 - 1"):
        fs.count(table, split=0.3, seed=-1)
    with pytest.raises(ValueError, match=r"split is 1\.5, expected a share of the people above 0 and below 1"):
        fs.count(table, split=1.5, seed=1)
    with pytest.raises(ValueError, match="nobody is in the design part of the split"):
        fs.count(table, split=1e-9, seed=1)
    for verb in (fs.fit, fs.audit, fs.diagnose):
        with pytest.raises(ValueError, match="split makes two counts, expected one"):
            verb(table, split=0.3, seed=1)
    messy = table.assign(x=table["x"].where(table.index > 5))
    with pytest.raises(ValueError, match="strict: missing x"):
        fs.count(messy, split=0.3, seed=1, strict=True)


def test_what_is_made_of_either_part_is_made_as_of_any_counts(fico, table):
    design, audit = fs.count(table, split=0.5, seed=2, like=fico)
    found = fs.fit(design)
    policy = fs.solve(found.model, fairness="none").policy
    assert fs.certify(audit, policy, fairness="dp").gap.dp.max() <= 1
    assert "Not all people: the audit part of a split" in fs.audit(audit).to_markdown()
    assert fs.diagnose(audit).verdict in ("refuted", "not refuted", "undecided")


@pytest.mark.parametrize("by", ["person", "counts"])
def test_simulated_people_are_split(fico, by):
    policy = fs.policy(fico, uniform=0.5)
    design, audit = fs.simulate(fico, policy, people=5000, by=by, seed=9, split=0.3)
    whole = fs.simulate(fico, policy, people=5000, by=by, seed=9)
    assert (np.add(design.people, audit.people) == whole.people).all()
    assert (design.part.share, design.part.seed) == (0.3, 9)
    if by == "person":
        assert (design.visits + audit.visits == whole.visits).all()
        rows = fs.simulate_log(fico, policy, people=5000, seed=9).to_frame()
        assert fs.count(rows, like=fico, split=0.3, seed=9).audit.part == audit.part
    assert fs.simulate(fico, policy, people=5000, by=by, seed=9, split=0.3)[1] == audit
    with pytest.raises(ValueError, match="split is 0, expected a share"):
        fs.simulate(fico, policy, people=5000, by=by, split=0.0)


def test_the_fingerprint_is_that_of_the_reference(table):
    design, audit = fs.count(table, split=0.3, seed=7)
    assert audit.part.logs == [fingerprint(json.loads(design.to_json()))]
