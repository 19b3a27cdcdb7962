"""What an estimated model rests on reaches every result in Python, and is the command's."""

import pickle
import warnings

import numpy as np
import pytest

import fairstep as fs


@pytest.fixture(scope="module")
def found():
    model = fs.env("fico", horizon=4)
    counts = fs.simulate(model, fs.policy(model, threshold=2), people=2000)
    return fs.fit(counts, unvisited="stay")


def test_a_model_carries_what_it_rests_on_through_files_pickles_and_copies(found, tmp_path):
    grounds = found.model.rests_on
    assert grounds.guessed_rows == found.unvisited > 0
    assert np.array_equal(grounds.successors, found.successors) and np.array_equal(grounds.rewards, found.visits)
    assert grounds.unvisited == "stay" and grounds.shares == "counted" and grounds.people.sum() == 2000
    assert grounds.censored is None and grounds.lost is None and grounds.caveats == []
    found.model.save(tmp_path / "model.json")
    m = found.model
    again = fs.Model(
        horizon=m.horizon,
        groups=m.groups,
        features=m.features,
        share=m.share,
        initial=m.initial,
        transition=m.transition,
        reward=m.reward,
        discount=0.9,
        rests_on=m.rests_on,
    )
    for copy in (fs.load(tmp_path / "model.json"), pickle.loads(pickle.dumps(m)), again):
        assert np.array_equal(copy.rests_on.successors, grounds.successors)
        assert copy.rests_on.guessed_rows == grounds.guessed_rows
    assert fs.env("fico").rests_on is None
    table = grounds.to_frame()
    assert list(table) == ["group", "x", "y", "a", "successors", "rewards", "row"]
    assert (table["row"] == "stay").sum() == grounds.guessed_rows and len(table) == 40
    assert "of 40 rows are guesses (stay)" in m._repr_html_()


def test_results_say_how_much_of_the_policy_nobody_saw(found, fairstep):
    half = fs.policy(found.model, uniform=0.5)
    evaluated = fs.evaluate(found.model, half)
    found.model.save(fairstep.folder / "model.json")
    half.save(fairstep.folder / "half.json")
    command = fairstep("evaluate", "model.json", "half.json", "--json", code=0).json["rests_on"]
    assert evaluated.unseen_visits == command["unseen_visits"] > 0.3
    assert evaluated.unseen_rewards == command["unseen_rewards"]
    assert "of this policy's visits rest on rows that nobody saw (guessed: stay)" in evaluated.caveats[0]
    assert "nobody saw" in evaluated._repr_html_()
    solved = fs.solve(found.model, fairness="dp", limit=0.1, no_proof=True, progress=False)
    assert (
        solved.unseen_visits == solved.evaluation.unseen_visits == fs.evaluate(found.model, solved.policy).unseen_visits
    )
    assert solved.rests_on.guessed_rows == found.unvisited
    assert "nobody saw" in solved._repr_html_()
    frontier = fs.pareto(found.model, fairness="dp", limits=[0.1], no_proof=True, progress=False)
    assert frontier.to_frame()["unseen_visits"][0] == frontier[0].result.unseen_visits
    assert "unseen visits" in frontier._repr_html_()


def test_a_written_model_rests_on_nothing():
    model = fs.env("fico", horizon=3)
    evaluated = fs.evaluate(model, fs.policy(model, uniform=0.5))
    assert evaluated.rests_on is None and evaluated.unseen_visits is None and evaluated.caveats == []
    solved = fs.solve(model, fairness="dp", limit=0.1, no_proof=True, progress=False)
    assert solved.rests_on is None and solved.unseen_visits is None
    assert np.isnan(
        fs.pareto(model, fairness="dp", limits=[0.1], no_proof=True, progress=False).to_frame()["unseen_visits"][0]
    )


def test_what_leaves_nothing_to_solve_is_a_warning(found):
    pandas = pytest.importorskip("pandas")
    rows = [(i, "ab"[i % 2], i % 3, "lh"[i % 5 > 2], i % 2, i // 2 % 2, 0) for i in range(90)]
    frame = pandas.DataFrame(rows, columns=["person", "group", "step", "x", "y", "a", "reward"])
    with pytest.raises(ValueError, match="nobody was seen at two steps in a row") as refused:
        fs.fit(frame)
    assert any('unvisited="stay" makes a model of guesses' in note for note in refused.value.__notes__)
    with pytest.warns(UserWarning) as caught:
        estimated = fs.fit(frame, unvisited="stay")
    assert [str(warning.message).split(":")[0] for warning in caught] == [
        "nobody was seen at two steps in a row",
        "all rewards are 0",
    ]
    assert all(warning.filename == __file__ for warning in caught)
    assert len(estimated.objections) == 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert found.objections == []
        model = fs.env("fico", horizon=4)
        fs.fit(fs.simulate(model, fs.policy(model, uniform=0.5), people=2000))


def test_rewards_can_be_given_in_many_ways_and_are_said_to_be(found):
    pandas = pytest.importorskip("pandas")
    model = fs.env("fico", horizon=4)
    counts = fs.simulate(model, fs.policy(model, uniform=0.5), people=2000)
    groups, features = len(model.groups), len(model.features)
    expected = np.zeros((groups, features, 2, 2))
    expected[:, :, 1, 1], expected[:, :, 0, 1] = 1, -4
    named = {"y1a1": 1, "y0a1": -4}
    rows = [
        {"group": g, "x": x, "y": y, "a": a, "reward": named.get(f"y{y}a{a}", 0)}
        for g in model.groups
        for x in model.features
        for y in (0, 1)
        for a in (0, 1)
    ]
    short = [{"y": 1, "a": 1, "reward": 1}, {"y": 0, "a": 1, "reward": -4}, {"a": 0, "reward": 0}]
    for given in (named, "y1a1=1,y0a1=-4", expected, rows, pandas.DataFrame(rows), short):
        estimated = fs.fit(counts, reward=given)
        assert np.array_equal(estimated.model.reward, expected)
        assert estimated.model.rests_on.rewards_are == "given"
        assert "rewards were given, or lowered on purpose, and not estimated" in " ".join(
            estimated.model.rests_on.caveats
        )
        assert estimated.model.description.endswith("; rewards were given")
        assert np.array_equal(fs.estimate(counts, reward=given).model.reward, expected)
    assert found.model.rests_on.rewards_are == "counted"
    for wrong, says in (
        ({"y1": 1}, 'reward has "y1=1.0", expected label, decision and number'),
        (short[:2], "no reward is given for group white, x 0, y 0, a 0"),
        ([{"y": 2, "reward": 1}], r"rewards\[0\].y is 2, expected 0 or 1"),
        ([{"label": 1, "reward": 1}], 'rewards have the column "label"'),
        (expected[:1], "reward has size 1 x"),
        (np.zeros(3), "reward has 1 axes, expected 4"),
        ("no-such-file.json", "there is no such file"),
    ):
        with pytest.raises(ValueError, match=says):
            fs.fit(counts, reward=wrong)


def test_rewards_of_an_estimate_are_not_known_to_a_certificate(found):
    model = fs.env("fico", horizon=4)
    policy = fs.policy(model, threshold=2)
    counts = fs.simulate(model, policy, people=2000)
    with pytest.raises(ValueError, match="the model is an estimate"):
        fs.certify(counts, policy, model=found.model)


def test_people_of_a_censored_log_are_counted():
    pandas = pytest.importorskip("pandas")
    rows = []
    for i in range(400):
        for step in range(3):
            a = (i + step) % 3 > 0
            rows.append(
                (i, "a" if i % 4 else "b", step, "lh"[(i + step) % 2], (i // 2) % 2 if a else None, int(a), 1.0)
            )
    frame = pandas.DataFrame(rows, columns=["person", "group", "step", "x", "y", "a", "reward"])
    frame["y"] = frame["y"].astype("Int64")
    counts = fs.count(frame, censored="drop")
    assert counts.first.sum() < 400
    assert counts.people.tolist() == [300, 100]
    assert fs.audit(counts).people.tolist() == [300, 100]
    estimated = fs.fit(counts)
    assert estimated.model.share.tolist() == [0.75, 0.25]
    assert any("had no label and are left out" in sentence for sentence in estimated.model.rests_on.caveats)


def test_who_comes_and_goes_is_part_of_the_model_and_of_its_evaluation():
    world = fs.env("random", participation=True, horizon=4, seed=8)
    policy = fs.policy(world, uniform=0.5)
    counts = fs.simulate(world, policy, people=20000, seed=3, by="person")
    found = fs.fit(counts)
    assert found.model.participates and found.not_taking_part == "" and found.model.rests_on.gaps == 0
    evaluated = fs.evaluate(found.model, policy)
    there = counts.visits.sum(axis=(2, 3, 4)) / counts.people[:, None]
    assert np.abs(evaluated.present_share - there).max() < 0.03
    assert np.allclose(evaluated.present.accept, 0.5)
    stays = fs.fit(counts, no_participation=True)
    assert not stays.model.participates
    other = fs.evaluate(stays.model, policy)
    assert other.present is None and other.present_share is None
    assert other.value == evaluated.value and np.array_equal(other.rates.tpr, evaluated.rates.tpr)
    lost = [
        (i, "ab"[i % 2], step, "l", i % 2, i // 2 % 2, 1) for i in range(40) for step in ((0, 2) if i % 4 else (0,))
    ]
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(lost, columns=["person", "group", "step", "x", "y", "a", "reward"])
    with pytest.warns(UserWarning, match="who does is not estimated"):
        fs.fit(frame, unvisited="stay")
