"""Labels that were seen for the accepted only, in Python: the same numbers and words as the command's."""

import random

import pytest

import fairstep as fs

pd = pytest.importorskip("pandas")
pytest.importorskip("pyarrow")


@pytest.fixture(scope="module")
def frame():
    draw = random.Random(1)
    rows = []
    for person in range(3000):
        group, x = "ab"[person % 2], draw.randrange(3)
        for step in range(2):
            y, a = int(draw.random() < (0.2, 0.5, 0.8)[x]), int(draw.random() < (0.2, 0.5, 0.8)[x])
            rows.append({"person": person, "group": group, "step": step, "x": str(x), "y": y if a else None, "a": a})
            rows[-1]["reward"] = a
            x = min(2, max(0, x + draw.choice((-1, 0, 1))))
    return pd.DataFrame(rows)


def test_a_model_says_what_it_assumes(frame):
    counts = fs.count(frame, censored="drop")
    assert counts.log.unlabelled == (frame.a == 0).sum()
    found = fs.estimate(counts, labels="follow-features", refused="odds=2", point="low")
    grounds = found.model.rests_on
    assert (grounds.labels, grounds.refused) == ("follow-features", "odds=2")
    assert any("labels follow features" in sentence for sentence in grounds.caveats)
    same = fs.fit(frame, censored="drop", labels="follow-features", refused="odds=2", point="low")
    assert (same.model.initial == found.model.initial).all()
    middle = fs.estimate(counts, labels="follow-features")
    assert (middle.model.initial[..., 1] > found.model.initial[..., 1]).all()
    assert fs.estimate(counts).model.rests_on.labels is None


def test_an_audit_has_the_gaps_under_each_assumption(frame):
    audited = fs.audit(frame, fairness="eqopt", censored="drop", labels="follow-features", refused="odds=3")
    assert audited.refused == "odds=3"
    assert audited.labels_follow_features in ("not refuted", "cannot be tested")
    gaps = audited.gaps_by_rule()
    assert [gap[0] for gap in gaps[::2]] == ["like-accepted", "odds=3", "anything"]
    for step in range(2):
        like, odds, anything = (gap for gap in gaps if gap[2] == step)
        assert like[5] <= odds[5] <= anything[5]
    assert "## Labels follow features" in audited.to_markdown()
    plain = fs.audit(frame, fairness="eqopt", censored="drop")
    assert plain.refused is None and plain.labels_follow_features is None and plain.gaps_by_rule() == []


def test_a_log_that_refutes_it_is_a_warning():
    draw = random.Random(2)
    rows = []
    for person in range(3000):
        y = draw.randint(0, 1)  # and stays what it is
        for step in range(2):
            rows.append({"person": person, "group": "ab"[person % 2], "step": step, "x": draw.choice("01"), "y": y,
                         "a": draw.randint(0, 1), "reward": y})  # fmt: skip
    counts = fs.count(pd.DataFrame(rows))
    half = fs.policy(fs.estimate(counts).model, uniform=0.5)
    for ask in (fs.fit, fs.audit, lambda counts, labels: fs.certify(counts, half, fairness="eqopt", labels=labels)):
        with pytest.warns(UserWarning, match="labels are assumed to follow features, and the log refutes it") as told:
            ask(counts, labels="follow-features")
        assert {warning.filename for warning in told} == {__file__}
    assert fs.certify(counts, half, fairness="dp", labels="follow-features").doubts_of_features == []


def test_names_of_labels_are_still_names_of_labels(frame):
    named = frame.assign(y=frame.y.map({0.0: "bad", 1.0: "good"}))
    audited = fs.audit(named, fairness="dp", censored="drop", labels=["bad", "good"])
    assert audited.refused is None
    assert fs.fit(named, censored="drop", labels=["bad", "good"]).model.labels == ["bad", "good"]


def test_a_frame_without_labels_can_be_counted(frame):
    with pytest.raises(ValueError, match=r"censored"):
        fs.count(frame.drop(columns="y"))
    counts = fs.count(frame.drop(columns="y"), censored="drop")
    assert counts.decisions == 0 and counts.log.unlabelled == len(frame)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"labels": "follow"}, 'labels is "follow", expected as-seen or follow-features'),
        ({"refused": "anything"}, 'refused is given without labels="follow-features"'),
        ({"labels": "follow-features", "refused": "odds=0"}, "odds of 0, expected 1 to 1000000"),
        (
            {"labels": "follow-features", "refused": "anything"},
            "refused is anything, expected what the model is to take",
        ),
        ({"labels": "follow-features", "point": "middle"}, "point"),
    ],
)
def test_what_is_no_assumption_is_refused(frame, options, message):
    counts = fs.count(frame, censored="drop")
    with pytest.raises(ValueError, match=message.replace("(", r"\(")):
        fs.estimate(counts, **options)
