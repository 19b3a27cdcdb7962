"""What Python users meet: policies side by side, missing files, arguments of the wrong kind, scores as thresholds."""

import numpy as np
import pytest

import fairstep


@pytest.fixture(scope="module")
def model():
    return fairstep.env("fico", horizon=3)


def test_policies_are_compared_as_by_the_referee(model):
    usual, half = fairstep.policy(model, threshold=2), fairstep.policy(model, uniform=0.5)
    compared = fairstep.compare(model, [usual, half])
    first, other = compared.policies
    assert (first.differs, first.changed_share) == ((), 0)
    assert other.evaluation.value == fairstep.evaluate(model, half).value
    # All or nobody against half: half of all decisions, in each of 2 x 3 x 5 cells.
    assert other.changed_share == pytest.approx(0.5, abs=1e-12)
    assert len(other.differs) == 30
    there = fairstep.evaluate(model, usual)
    for cell in other.differs:
        g, x = model.groups.index(cell.group), model.features.index(cell.feature)
        assert cell.people[0] == pytest.approx(model.share[g] * there.feature[g, cell.step, x], abs=1e-15)
        assert cell.accept == (float(x >= 2), 0.5)
    with pytest.raises(ValueError, match="policies are 1, expected two or more"):
        fairstep.compare(model, [usual])


def test_a_comparison_is_a_table_too(model):
    pytest.importorskip("pandas")
    policies = [fairstep.policy(model, threshold=x) for x in (1, 2, 3)]
    table = fairstep.compare(model, policies).to_frame()
    assert list(table.columns) == ["policy", "value", "dp", "eqopt", "eqodds", "changed_share"]
    assert list(table.value) == [fairstep.evaluate(model, policy).value for policy in policies]


def test_a_file_that_is_not_there_is_both_kinds_of_mistake():
    for asked in (lambda: fairstep.load("none.json"), lambda: fairstep.count("none.csv")):
        for kind in (FileNotFoundError, ValueError):
            with pytest.raises(kind, match="there is no such file"):
                asked()


def test_an_argument_of_the_wrong_kind_is_named_in_a_sentence(model):
    policy = fairstep.policy(model, threshold=2)
    for asked, said in (
        (lambda: fairstep.evaluate(policy, model), "model is a Policy, expected a Model"),
        (lambda: fairstep.evaluate(model, None), "policy is None, expected a Policy"),
        (lambda: fairstep.certify(model, policy), "counts is a Model, expected a Counts"),
        (lambda: fairstep.policy(model, uniform="half"), "uniform is a str, expected a float or None"),
    ):
        with pytest.raises(TypeError) as refused:
            asked()
        assert str(refused.value) == said
        assert "nanobind" not in str(refused.value) and "overload" not in str(refused.value)


def test_a_number_beyond_the_features_is_a_score(model):
    assert model.features == ["0", "25", "50", "75", "100"]
    assert fairstep.policy(model, threshold=50) == fairstep.policy(model, threshold="50")
    assert fairstep.policy(model, threshold=2) == fairstep.policy(model, threshold="50")
    with pytest.raises(ValueError, match="threshold is 51, expected a feature: its number, 0 to 5, or one of 0, 25"):
        fairstep.policy(model, threshold=51)


def test_bounds_unpack_and_index(model):
    bounds = fairstep.solve(model, fairness="dp", limit=0.1, no_proof=True).bounds
    lower, upper = bounds
    assert (bounds[0], bounds[1], bounds[-1], len(bounds)) == (lower, upper, upper, 2)
    assert np.isinf(upper)
    with pytest.raises(IndexError, match="two ends"):
        bounds[2]


def test_a_policy_as_a_table_has_the_names_of_its_model(model):
    pytest.importorskip("pandas")
    table = fairstep.policy(model, threshold=2).to_frame(model)
    assert list(table.x[:5]) == model.features
    with pytest.raises(ValueError, match="the policy has 5 features, the model has 2"):
        fairstep.policy(model, threshold=2).to_frame(fairstep.env("random", groups=2, features=2, horizon=3))


def test_warnings_point_to_whoever_asked(model):
    """Not to the decorator of every verb: a log whose rewards are all 0."""
    spec = fairstep.simulate(model, fairstep.policy(model, uniform=0.5), people=200)
    assert fairstep.fit(spec).model.horizon == 3
    log = fairstep.simulate_log(model, fairstep.policy(model, uniform=0.5), people=200)
    pandas = pytest.importorskip("pandas")
    frame = log.to_frame().assign(reward=0.0)
    assert isinstance(frame, pandas.DataFrame)
    with pytest.warns(UserWarning, match="all rewards are 0") as warned:
        fairstep.fit(fairstep.count(frame))
    assert {warning.filename for warning in warned} == {__file__}
