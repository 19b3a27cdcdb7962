"""A world that changes, in Python: arrays by period, counts, estimates, and Gymnasium."""

import numpy as np
import pytest

import fairstep


@pytest.fixture(scope="module")
def changing():
    """The FICO population, where from step 3 on whoever is accepted and qualified is so no more."""
    fico = fairstep.env("fico")
    after = fico.transition.copy()
    after[:, :, 1, 1, :, 0] += after[:, :, 1, 1, :, 1]
    after[:, :, 1, 1, :, 1] = 0
    return fairstep.Model(
        horizon=fico.horizon,
        groups=fico.groups,
        features=fico.features,
        share=fico.share,
        initial=fico.initial,
        reward=fico.reward,
        transition=np.stack([fico.transition, after], axis=1),
        periods={"before": 0, "after": 3},
    )


def test_a_model_has_a_kernel_for_each_period(changing, tmp_path):
    assert changing.periods == {"before": 0, "after": 3} and changing.transition.shape == (2, 2, 5, 2, 2, 5, 2)
    changing.save(tmp_path / "changing.json")
    again = fairstep.load(tmp_path / "changing.json")
    assert again.periods == changing.periods and np.array_equal(again.transition, changing.transition)
    assert fairstep.env("fico").periods == {}
    with pytest.raises(ValueError, match="begins at step 7, expected 1 to 6"):
        fairstep.Model(
            horizon=8,
            groups=changing.groups,
            features=changing.features,
            share=changing.share,
            initial=changing.initial,
            reward=changing.reward,
            transition=changing.transition,
            periods={"before": 0, "after": 7},
        )


def test_rates_are_those_of_a_recursion_in_numpy(changing):
    policy = fairstep.policy(changing, threshold=2)
    found = fairstep.evaluate(changing, policy)
    mass = changing.initial[0].copy()
    for h in range(changing.horizon):
        assert np.isclose(mass[:, 1].sum(), found.rates.qualified[0, h])
        share = np.stack([1 - policy.accept[0, h], policy.accept[0, h]], axis=-1)
        mass = np.einsum("xy,xa,xyauv->uv", mass, share, changing.transition[0, int(h >= 3)])


def test_counts_are_put_together_and_never_taken_apart(changing):
    policy = fairstep.policy(changing, uniform=0.5)
    steps = fairstep.simulate(changing, policy, people=5000, by="person", kernel="per-step")
    assert steps.transitions_by_period.shape[1] == 7 == len(steps.periods)
    assert np.array_equal(steps.transitions_by_period.sum(axis=1), steps.transitions)
    own = fairstep.simulate(changing, policy, people=5000, by="person")
    assert own.periods == changing.periods
    assert np.array_equal(steps.by(changing.periods).transitions_by_period, own.transitions_by_period)
    log = fairstep.simulate_log(changing, policy, people=5000).to_frame()
    counted = fairstep.count(log, like=changing, kernel="per-step")
    assert np.array_equal(counted.transitions_by_period, steps.transitions_by_period)
    assert steps.by("pooled").periods == {}
    with pytest.raises(ValueError, match="over all steps"):
        steps.by("pooled").by("per-step")


def test_an_estimate_has_the_periods_of_its_counts(changing):
    counts = fairstep.simulate(changing, fairstep.policy(changing, uniform=0.5), people=1e7)
    found = fairstep.fit(counts)
    assert found.model.periods == changing.periods and found.successors.shape == (2, 2, 5, 2, 2)
    assert np.abs(found.model.transition - changing.transition)[found.successors > 10_000].max() < 0.05
    assert found.radii().row.shape == found.successors.shape
    assert set(found.model.rests_on.to_frame()["period"]) == {0, 1}
    assert fairstep.fit(counts, kernel="pooled").model.periods == {}
    result = fairstep.solve(found.model, fairness="dp", limit=0.1)
    assert result.policy is not None


@pytest.mark.needs("Gymnasium")
def test_gymnasium_draws_next_states_from_the_kernel_of_the_step(changing):
    from fairstep.gymnasium.dynamics import Dynamics

    dynamics = Dynamics(changing)
    rng = np.random.default_rng(1)
    # Of the best feature, qualified and accepted: qualified after step 2 by the kernel before, never after step 3.
    cell = np.full(20_000, dynamics.cell(0, 9, 1))
    before, after = dynamics.next(rng, cell, 2), dynamics.next(rng, cell, 3)
    assert abs((before % 2).mean() - changing.transition[0, 0, 4, 1, 1, :, 1].sum()) < 0.02
    assert not (after % 2).any()
