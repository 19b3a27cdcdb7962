"""Populations as Gymnasium environments: they pass its own checks, and people live in them as the model says."""

import os
import subprocess
import sys
import warnings

import gymnasium
import numpy as np
import pytest
from conftest import MODULE, PATIENCE
from fairstep.gymnasium import PopulationEnv, PopulationVectorEnv, policy_of, rollout
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import fairstep

pytestmark = pytest.mark.needs("Gymnasium")

NAMES = ("Fico", "Synthetic", "Lending", "Random")


def test_gymnasium_imports_what_stands_before_the_colon():
    """In a process that has not heard of us."""
    name = "fairstep.gymnasium:fairstep/Fico-v0"
    made = f"gymnasium.make({name!r}); gymnasium.make_vec({name!r}, 2)"
    done = subprocess.run(
        [sys.executable, "-c", f"import gymnasium; {made}"],
        env=os.environ | {"PYTHONPATH": str(MODULE)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr


def vector(name="Fico", num_envs=8, **options):
    return gymnasium.make_vec(f"fairstep/{name}-v0", num_envs=num_envs, **options)


@pytest.mark.parametrize("name", NAMES)
def test_gymnasium_finds_nothing_to_complain_about(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gymnasium.make(f"fairstep/{name}-v0")
        check_env(env.unwrapped)
        envs = vector(name)
        assert envs.observation_space.contains(envs.reset(seed=1)[0])
        for _ in range(20):
            observed, rewards, terminated, truncated, info = envs.step(envs.action_space.sample())
            assert envs.observation_space.contains(observed)
            assert {len(rewards), len(terminated), len(truncated), len(info["label"])} == {8}


def episode(env, seed, actions=(1, 0, 1, 1, 0, 1, 0, 0)):
    observed, info = env.reset(seed=seed)
    seen = [(*observed, info["label"])]
    for action in actions:
        observed, reward, terminated, truncated, info = env.step(action)
        seen.append((*observed, info["label"], reward, terminated, truncated))
    return seen


def test_an_episode_is_one_person_for_the_whole_horizon():
    seen = episode(gymnasium.make("fairstep/Fico-v0"), seed=3)
    assert [step[1] for step in seen] == list(range(9))  # the last observation is after the last decision
    assert len({step[0] for step in seen}) == 1
    assert [step[5] for step in seen[1:]] == [False] * 7 + [True] and not any(step[6] for step in seen[1:])


def test_the_same_seed_gives_the_same_people():
    one, other = gymnasium.make("fairstep/Fico-v0"), gymnasium.make("fairstep/Fico-v0")
    assert [episode(one, seed) for seed in range(5)] == [episode(other, seed) for seed in range(5)]
    assert episode(one, 1) != episode(one, 2)

    logs = [
        rollout(vector(num_envs=50), fairstep.policy(fairstep.env("fico"), uniform=0.4), people=120, seed=s)
        for s in (7, 7, 8)
    ]
    same = [
        np.array_equal(getattr(logs[0], name), getattr(logs[1], name)) for name in ("group", "x", "y", "a", "reward")
    ]
    assert all(same) and not np.array_equal(logs[0].x, logs[2].x)


def hoeffding(n, m, alpha=1e-6):
    """A mean of n numbers within an interval of length 1 is further off with probability at most alpha / m."""
    return np.sqrt(np.log(2 * m / alpha) / (2 * n))


def compare(model, policy, log):
    """Rates and value of a log against the exact ones: a false alarm in at most one of a million seeds."""
    exact = fairstep.evaluate(model, policy)
    groups, horizon = exact.rates.accept.shape
    comparisons = groups * horizon * 4 + groups
    for g in range(groups):
        ours = log.group == g
        for h in range(horizon):
            rows = ours & (log.step == h)
            for rate, among, hit in (
                (exact.rates.accept, rows, log.a),
                (exact.rates.tpr, rows & (log.y == 1), log.a),
                (exact.rates.fpr, rows & (log.y == 0), log.a),
                (exact.rates.qualified, rows, log.y),
            ):
                if among.any():
                    assert abs(hit[among].mean() - rate[g, h]) <= hoeffding(among.sum(), comparisons)
        low, high = model.reward_range
        discounted = log.reward * model.discount ** log.step.astype(float)
        people = ours.sum() // horizon
        off = abs(discounted[ours].sum() / people - exact.value_per_group[g])
        assert off <= horizon * (max(high, 0) - min(low, 0)) * hoeffding(people, comparisons)


@pytest.mark.parametrize("name", NAMES)
def test_rates_are_those_of_evaluate(name):
    envs = vector(name, num_envs=20_000)
    model = envs.unwrapped.model
    policy = fairstep.policy(model, random=True, seed=5)
    compare(model, policy, rollout(envs, policy, people=50_000, seed=2))


def test_rates_are_those_of_evaluate_with_noise_discount_and_four_groups(tmp_path):
    fairstep.env("random", groups=4, features=3, horizon=5, reward_noise=0.5, discount=0.9).save(tmp_path / "m.json")
    envs = gymnasium.make_vec("fairstep/Model-v0", num_envs=40_000, model=tmp_path / "m.json")
    model = envs.unwrapped.model
    policy = fairstep.policy(model, random=True, seed=1)
    log = rollout(envs, policy, seed=4)
    compare(model, policy, log)
    mean = model.reward[log.group, log.x, log.y, log.a]
    width = model.reward_noise[log.group, log.x, log.y, log.a]
    assert np.allclose(np.abs(log.reward - mean), width)


def test_one_person_at_a_time_has_the_same_rates():
    env = gymnasium.make("fairstep/Synthetic-v0").unwrapped
    policy = fairstep.policy(env.model, random=True, seed=3)
    rng = np.random.default_rng(1)
    rows = []
    env.reset(seed=11)
    for person in range(3000):
        observed, info = env.reset()
        over = False
        while not over:
            action = int(rng.random() < policy.accept[tuple(observed)])
            row = (person, *observed, info["label"], action)
            observed, reward, over, _, info = env.step(action)
            rows.append((*row, reward))

    class Log:
        person, group, step, x, y, a, reward = map(np.array, zip(*rows, strict=True))

    compare(env.model, policy, Log)


def test_what_cannot_happen_does_not():
    # Lending: a score moves by at most one, up only if repaid.
    envs = vector("Lending", num_envs=5000)
    log = rollout(envs, lambda observed: np.ones(len(observed), dtype=int), seed=1)
    move = np.diff(log.x.reshape(-1, 8), axis=1)
    repaid = log.y.reshape(-1, 8)[:, :-1] == 1
    assert np.all((move == 1) | (move == 0) | ~repaid) and np.all((move == -1) | (move == 0) | repaid)
    assert move.min() == -1 and move.max() == 1


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_people_are_replaced_as_in_gymnasiums_own_vector_environments(mode):
    ours = vector(num_envs=3, autoreset_mode=mode)
    theirs = SyncVectorEnv([lambda: gymnasium.make("fairstep/Fico-v0")] * 3, autoreset_mode=mode)
    seen = []
    for envs in (ours, theirs):
        envs.reset(seed=1)
        steps = []
        for h in range(20):
            observed, rewards, terminated, _, info = envs.step(np.ones(3, dtype=int))
            steps.append((observed[:, 1].tolist(), terminated.tolist(), sorted(info)))
            if "final_obs" in info:
                assert [final.shape for final in info["final_obs"]] == [(3,)] * 3
                assert [final[1] for final in info["final_obs"]] == [8] * 3
            if mode is AutoresetMode.NEXT_STEP and h == 8:
                assert not rewards.any()
            if mode is AutoresetMode.DISABLED and terminated.all():
                envs.reset(options={"reset_mask": np.array([True, True, True])})
        seen.append(steps)
    assert seen[0] == seen[1]


def test_some_people_can_be_replaced_while_others_go_on():
    envs = vector(num_envs=3)
    envs.reset(seed=1)
    before, *_ = envs.step([1, 1, 1])
    after, _ = envs.reset(options={"reset_mask": np.array([False, True, False])})
    assert after[:, 1].tolist() == [1, 0, 1]
    assert np.array_equal(before[[0, 2]], after[[0, 2]])
    for _ in range(8):
        observed, _, terminated, _, _ = envs.step([1, 1, 1])
    # The first and the last were done at the seventh of these and replaced at the eighth.
    assert observed[:, 1].tolist() == [0, 8, 0] and terminated.tolist() == [False, True, False]


def test_the_group_can_be_chosen():
    env = gymnasium.make("fairstep/Fico-v0")
    assert {int(env.reset(seed=s, options={"group": "black"})[0][0]) for s in range(20)} == {1}
    assert {int(env.reset(seed=s)[0][0]) for s in range(20)} == {0, 1}
    envs = vector(num_envs=100)
    assert not envs.reset(options={"group": 0})[0][:, 0].any()
    with pytest.raises(ValueError, match="there is no group 'blakc', expected one of white, black"):
        env.reset(options={"group": "blakc"})
    with pytest.raises(ValueError, match="group is 2, expected 0 to 1"):
        env.reset(options={"group": 2})


def test_a_policy_and_its_environment_have_one_order_of_axes():
    model = fairstep.env("fico", groups=["white", "black", "asian"], horizon=3)
    policy = fairstep.policy(model, random=True, seed=2)
    again = policy_of(model, lambda observed: policy.accept[tuple(observed.T)])
    assert np.array_equal(again.accept, policy.accept)
    assert fairstep.evaluate(model, again).value == fairstep.evaluate(model, policy).value


def test_options_are_those_of_the_population(tmp_path):
    env = gymnasium.make("fairstep/Fico-v0", horizon=3, groups=["white", "black", "asian"])
    assert env.observation_space.nvec.tolist() == [3, 4, 5]
    env.unwrapped.model.save(tmp_path / "model.json")
    assert PopulationEnv(tmp_path / "model.json").model == env.unwrapped.model
    assert PopulationVectorEnv(str(tmp_path / "model.json"), num_envs=2).model == env.unwrapped.model
    with pytest.raises(TypeError, match="horizon: options are for the populations"):
        PopulationEnv(tmp_path / "model.json", horizon=3)


def test_wrong_actions_and_times_are_refused():
    env = PopulationEnv("fico", horizon=1)
    env.reset(seed=1)
    with pytest.raises(ValueError, match="action is 2, expected 0"):
        env.step(2)
    env.step(1)
    with pytest.raises(RuntimeError, match="the episode is over"):
        env.step(1)
    envs = PopulationVectorEnv("fico", num_envs=2, autoreset_mode=AutoresetMode.DISABLED, horizon=1)
    envs.reset(seed=1)
    for actions in ([1], [1, 2], [[1, 1]], [-1, 0]):
        with pytest.raises(ValueError, match="actions must be 2 numbers"):
            envs.step(actions)
    envs.step([0, 1])
    with pytest.raises(RuntimeError, match="some episodes are over"):
        envs.step([0, 1])
    with pytest.raises(TypeError, match="rollout needs a vector environment"):
        rollout(gymnasium.make("fairstep/Fico-v0"), lambda observed: observed)


def test_without_gymnasium_its_name_is_said():
    code = "import sys; sys.modules['gymnasium'] = None; import fairstep.gymnasium"
    env = os.environ | {"PYTHONPATH": str(MODULE)}
    done = subprocess.run(
        [sys.executable, "-c", code], env=env, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert "ImportError: fairstep.gymnasium needs the package gymnasium: pip install gymnasium" in done.stderr
