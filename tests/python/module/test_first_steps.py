"""import fairstep: models, policies, what they do, and files."""

import pickle

import numpy as np
import pytest

import fairstep


@pytest.fixture(scope="module")
def fico():
    return fairstep.env("fico")


def test_the_first_three_lines_of_the_documentation(fico):
    r = fairstep.solve(fico, fairness="dp", limit=0.01)
    assert r.outcome == "optimal" and r.found
    assert r.bounds.lower <= r.value <= r.bounds.upper <= r.value * (1 + 1e-3)
    assert r.policy.accept.shape == (2, 8, 5)
    assert r.parity_gap.max() <= 0.01 + 1e-8


def test_arrays_are_views_that_cannot_be_written_and_keep_their_owner(fico):
    for array in (fico.transition, fico.reward, fico.initial, fico.share):
        assert not array.flags.writeable and not array.flags.owndata
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    assert np.shares_memory(fico.transition, fico.transition)
    transition = fairstep.env("fico").transition  # its model is gone but for this
    assert np.array_equal(transition, fico.transition)
    accept = fairstep.solve(fico, fairness="dp", no_proof=True).policy.accept
    assert accept.min() >= 0 and accept.max() <= 1


def test_fico_comes_in_bands_too():
    m = fairstep.env("fico", bands=3, horizon=2)
    assert m.features == ["0", "50", "100"]
    # Bands are 50 points apart: 10 points up for the qualified are 0.2 of the way, 20 down for the others 0.4.
    assert np.allclose(m.transition[0, 1, 1, 1].sum(axis=1), [0, 0.8, 0.2])
    assert np.allclose(m.transition[0, 1, 0, 1].sum(axis=1), [0.4, 0.6, 0])


def test_axes_are_those_of_the_notation(fico):
    assert fico.transition.shape == (2, 5, 2, 2, 5, 2)  # g x y a x1 y1
    assert np.allclose(fico.transition.sum(axis=(-2, -1)), 1)
    assert np.allclose(fico.initial.sum(axis=(1, 2)), 1)
    # Accepting a person of the best score: 0.1 * 1 if white and qualified, -0.1 * 1 if black and not.
    assert fico.reward[0, 4, 1, 1] == pytest.approx(0.1) and fico.reward[1, 4, 0, 1] == pytest.approx(-0.1)


def test_evaluation_agrees_with_its_own_parts(fico):
    e = fairstep.evaluate(fico, fairstep.policy(fico, threshold=2))
    assert e.value == pytest.approx(e.value_per_step.sum())
    assert e.value == pytest.approx(fico.share @ e.value_per_group)
    assert np.allclose(e.gap.dp, np.ptp(e.rates.accept, axis=0))
    # The share accepted is that of the features from 2 on.
    assert np.allclose(e.rates.accept, e.feature[:, :, 2:].sum(axis=-1))
    assert e.gap.worst_pair("dp", 0) == ("white", "black")


def test_files_read_back_the_same(fico, tmp_path):
    counts = fairstep.simulate(fico, fairstep.policy(fico, uniform=0.5), people=1000)
    for thing in (fico, fairstep.policy(fico, random=True, seed=3), counts):
        thing.save(tmp_path / "file.json")
        for again in (fairstep.load(tmp_path / "file.json"), type(thing).load(tmp_path / "file.json")):
            assert again == thing and hash(again) == hash(thing)
        assert pickle.loads(pickle.dumps(thing)) == thing
        assert type(thing).from_json(thing.to_json()) == thing
    assert fico != fairstep.env("fico", horizon=4)


def test_a_model_is_made_from_arrays(fico):
    again = fairstep.Model(
        horizon=fico.horizon,
        groups=fico.groups,
        features=fico.features,
        share=fico.share.tolist(),
        initial=fico.initial,
        transition=fico.transition,
        reward=fico.reward,
        description=fico.description,
    )
    assert again == fico
    policy = fairstep.Policy(np.full((2, 8, 5), 0.5), groups=fico.groups)
    assert policy == fairstep.policy(fico, uniform=0.5)
    assert fairstep.Policy([[0.25] * 5] * 8, group_independent=True).group_independent


def test_errors_are_value_errors_with_the_message_of_the_library(fico, tmp_path):
    with pytest.raises(ValueError) as refused:
        fairstep.solve(fico, fairness="dp", limit=2)
    assert str(refused.value) == "limit is 2, expected between 0 and 1"
    broken = fico.transition.copy()
    broken[1, 2, 0, 1] *= 0.95
    with pytest.raises(ValueError) as refused:
        fairstep.Model(
            horizon=8,
            groups=fico.groups,
            features=fico.features,
            share=fico.share,
            initial=fico.initial,
            transition=broken,
            reward=fico.reward,
        )
    assert str(refused.value).startswith("transition[g=black,x=2,y=0,a=1] sums to 0.95, expected 1")
    with pytest.raises(ValueError) as refused:
        fairstep.load(tmp_path / "missing.json")
    assert str(refused.value) == "there is no such file"
    assert refused.value.__notes__ == [f"in {tmp_path / 'missing.json'}"]


def test_hints_name_functions_and_arguments_as_python_has_them(tmp_path):
    (tmp_path / "some.json").write_text('{"schema": "fairstep/fairness/1"}')
    with pytest.raises(ValueError) as refused:
        fairstep.load(tmp_path / "some.json")
    assert refused.value.__notes__[1] == 'hint: fairstep.solve takes them beside a model: fairness="FILE"'
    with pytest.raises(ValueError) as refused:
        fairstep.check(tmp_path / "some.json")
    assert refused.value.__notes__[-1] == "hint: fairstep.certify makes one of counts and a policy"
    columns = "person,step,group,x,a,y"
    (tmp_path / "a.csv").write_text(f"{columns}\n1,0,a,0,1,1\n")
    (tmp_path / "b.csv").write_text(f"{columns},note\n2,0,a,0,1,1,\n")
    with pytest.raises(ValueError) as refused:
        fairstep.count([tmp_path / "a.csv", tmp_path / "b.csv"])
    assert refused.value.__notes__[-1] == "hint: count them apart and add the counts: +"


def test_counts_become_a_model_and_a_certificate(fico):
    policy = fairstep.policy(fico, uniform=0.5)
    counts = fairstep.simulate(fico, policy, people_per_group=2**16)
    assert counts.people.tolist() == [2**16, 2**16] and counts.decisions == 2 * 8 * 2**16
    with pytest.raises(ValueError, match="the same to the last number as those added to"):
        counts + counts
    assert counts.add(counts, different_people=True).decisions == 2 * counts.decisions
    found = fairstep.estimate(counts, share=fico.share.tolist())
    assert found.unvisited == 0 and np.abs(found.model.transition - fico.transition).max() < 0.05
    certificate = fairstep.certify(counts, policy, model=fico)
    exact = fairstep.evaluate(fico, policy)
    assert certificate.value <= exact.value and np.all(certificate.gap.eqopt >= exact.gap.eqopt)
    # Everybody has the same chance, so the certified gap is exactly 0; the checker once rounded that up.
    assert certificate.gap.worst == 0 and certificate.check().holds


def test_a_run_learns(fico):
    seen = []
    run = fairstep.learn(fico, schedule="2^3..2^12", no_proof=True, evaluation_episodes=0, progress=seen.append)
    assert run.finished and [update.k for update in run.updates] == [2**i for i in range(3, 13)]
    assert run.updates[-1].value > run.updates[0].value
    assert fairstep.evaluate(fico, run.policy).value == pytest.approx(run.updates[-1].value)
    assert seen[-1].done <= 10
