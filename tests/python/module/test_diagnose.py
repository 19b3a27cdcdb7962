"""Does a log refute the model? The same answer as the command's."""

import pytest

import fairstep


@pytest.fixture(scope="module")
def counts():
    model = fairstep.env("fico")
    return fairstep.simulate(model, fairstep.policy(model, uniform=0.5), people=2000, by="person")


def test_people_drawn_one_by_one_have_a_history_and_refute_nothing(counts):
    diagnosis = fairstep.diagnose(counts)
    assert diagnosis.verdict == "not refuted"
    assert diagnosis.level == 0.05
    assert [test.test for test in diagnosis.tests[::2]] == [
        "kernel-by-step",
        "decision-by-label",
        "leaving",
        "step-before",
        "labels",
    ]
    assert {test.group for test in diagnosis.tests} == set(counts.groups)
    steps = diagnosis.tests[0]
    assert 0 < steps.p_value <= steps.adjusted <= 1
    assert 0 <= steps.effect <= 1
    assert steps.assumption
    assert steps.sentence.endswith("are as one kernel for all steps predicts")
    assert not diagnosis.tests[-1].assumption


def test_what_was_not_tested_has_no_numbers(counts):
    leaving = fairstep.diagnose(counts).tests[4]
    assert leaving.verdict == "cannot be tested"
    assert leaving.p_value is None
    assert leaving.adjusted is None
    assert leaving.effect is None
    assert "next states seen of some" in leaving.sentence


def test_a_frame_is_counted_first():
    model = fairstep.env("fico")
    log = fairstep.simulate_log(model, fairstep.policy(model, uniform=0.5), people=500)
    frame = log.to_frame()
    frame.loc[frame["y"] == 1, "a"] = 1  # decisions look at the label
    diagnosis = fairstep.diagnose(frame, level=0.01)
    assert diagnosis.verdict == "refuted"
    assert {test.test for test in diagnosis.tests if test.verdict == "refuted"} >= {"decision-by-label"}
    assert repr(diagnosis).startswith("Diagnosis(refuted, ")


def test_a_level_that_is_none_is_refused(counts):
    with pytest.raises(ValueError, match="level is 0, expected a number between 0 and 1"):
        fairstep.diagnose(counts, level=0)
