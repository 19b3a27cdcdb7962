"""fairstep.audit has the numbers of `fairstep audit`."""

import numpy as np
import pytest

import fairstep as fs


@pytest.fixture(scope="module")
def model():
    return fs.env("fico", horizon=4)


@pytest.fixture(scope="module")
def counts(model):
    return fs.simulate(model, fs.policy(model, threshold=2), people=5000)


def test_the_numbers_are_those_of_the_command(fairstep, model, counts):
    policy = fs.policy(model, uniform=0.5)
    counts.save(fairstep.folder / "counts.json")
    policy.save(fairstep.folder / "policy.json")
    command = fairstep("audit", "counts.json", "--policy", "policy.json", "--json", code=0).json
    found = fs.audit(counts, policy=policy)
    for notion in ("dp", "eqopt", "eqodds"):
        gap, low, high = found.gap_bands(notion)
        assert gap.tolist() == [step["gap"] for step in command["gap"][notion]]
        assert [list(band) for band in zip(low, high, strict=True)] == [step["band"] for step in command["gap"][notion]]
        estimate, at_most = found.policy_gap(notion)
        assert estimate.tolist() == [step["estimate"] for step in command["policy"]["gap"][notion]]
        assert at_most.tolist() == [step["at_most"] for step in command["policy"]["gap"][notion]]
    for rate in ("accept", "tpr", "fpr"):
        observed, low, high = found.rate_bands(rate)
        steps = command["rates"][rate]["steps"]
        assert observed.tolist() == [[step["rate"] for step in group] for group in steps]
        assert np.stack([low, high], axis=-1).tolist() == [[step["band"] for step in group] for group in steps]
    assert found.policy_value == command["policy"]["value"]
    assert [list(cell) for cell in found.unseen] == command["coverage"]["unseen_cells"]
    assert found.people.tolist() == command["people"] and found.decisions.tolist() == command["decisions"]


def test_only_what_was_asked_for_is_there(counts):
    found = fs.audit(counts, fairness="dp", thin=10**6)
    assert found.rate_bands("tpr") is None and found.gap_bands("eqopt") is None
    assert found.policy_gap("dp") is None and found.policy_value is None
    assert len(found.thin) + len(found.unseen) == 40
    table = found.to_frame()
    assert list(table) == ["step", "fairness", "gap", "low", "high"] and len(table) == 4
    assert np.all((table["low"] <= table["gap"]) & (table["gap"] <= table["high"]))
    assert found.to_markdown().startswith("# Audit of counts") and "<html" in found.to_html()
    assert repr(found).startswith("Audit(groups=2, steps=4, widest gap=0.")


def test_questions_that_make_no_sense(counts):
    with pytest.raises(ValueError, match="delta is 2, expected more than 0 and less than 1"):
        fs.audit(counts, delta=2)
    with pytest.raises(ValueError, match='fairness is "pd", expected dp, eqopt, eqodds, dp-ratio, eqopt-ratio'):
        fs.audit(counts, fairness="pd")
    with pytest.raises(ValueError, match='rate is "tnr", expected one of accept, tpr, fpr'):
        fs.audit(counts).rate_bands("tnr")
    with pytest.raises(ValueError, match="policy"):
        fs.audit(counts, policy=fs.policy(fs.env("fico", horizon=3), uniform=0.5))


def test_ratios_limits_and_pairs_are_those_of_the_command(counts, fairstep):
    counts.save(fairstep.folder / "counts.json")
    words = ["--fairness", "dp-ratio", "--limit", "0.8", "--reference", "white", "--json"]
    command = fairstep("audit", "counts.json", *words).json
    found = fs.audit(counts, fairness="dp-ratio", limit=0.8, reference="white")
    ratio, low, _high = found.ratio_bands("dp-ratio")
    assert ratio.tolist() == [step["ratio"] for step in command["ratio"]["dp-ratio"]]
    assert low.tolist() == [step["band"][0] for step in command["ratio"]["dp-ratio"]]
    assert (found.ruling, found.reference, found.set_apart) == (command["ruling"], "white", [])
    assert [row[-1] for row in found.limits()] == [limit["ruling"] for limit in command["limits"]]
    for mine, theirs in zip(found.pairs(), command["pairs"], strict=True):
        assert (mine[0], mine[1], [mine[2], mine[3]]) == (theirs["rate"], theirs["step"], theirs["pair"])
        assert (mine[4], [mine[5], mine[6]], mine[7]) == (theirs["difference"], theirs["band"], theirs["p"])
    with pytest.raises(ValueError, match="limit is given for gaps and for ratios"):
        fs.audit(counts, fairness=["dp", "dp-ratio"], limit=0.8)
    with pytest.raises(ValueError, match='reference is "wite"'):
        fs.audit(counts, reference="wite")
