"""The C++ against an independent reference in NumPy (reference/), which was written from the paper and the docs.

Hundreds of random models: 2 to 4 groups, 1 to 5 features, 1 to 6 steps, full and sparse kernels, policies with and
without coins, from one person a group to a million. They must agree to 1e-10.
"""

import csv
import itertools
import json

import numpy as np
import pytest
from reference.certificate import certify, estimated_gaps, gaps, robust_rates
from reference.confidence import radii
from reference.doubt import tight_bonus, tight_relaxation
from reference.estimation import Counts, bonus, c_hat, count, d_hat, estimate
from reference.evaluation import evaluate, values_to_go
from reference.population import random_policy, random_population

import fairstep as fs

BATCH = 25
NOTIONS = ("dp", "eqopt", "eqodds")


def agree(found, expected, tolerance=1e-10):
    """Numbers, NaN in the same places, in any grouping of their axes. Large numbers are compared by their ratio."""
    found, expected = np.ravel(np.asarray(found, dtype=float)), np.ravel(np.asarray(expected, dtype=float))
    assert found.shape == expected.shape
    assert np.array_equal(np.isnan(found), np.isnan(expected))
    off = np.abs(found - expected) / np.maximum(1, np.abs(expected))
    assert np.all(np.isnan(off) | (off <= tolerance)), f"off by {np.nanmax(off)}"


def some_population(rng, features=6, horizon=7, **options):
    """Random in its sizes too: fewer than these features and steps."""
    return random_population(
        rng,
        groups=rng.integers(2, 5),
        features=rng.integers(1, features),
        horizon=rng.integers(1, horizon),
        discount=rng.choice([1.0, 0.9]),
        noise=rng.choice([0.0, 0.3]),
        **options,
    )


def drawn(seed, **options):
    """A random model and policy as the reference has them, the same as the C++ has them, and more to draw from."""
    rng = np.random.default_rng(seed)
    population = some_population(rng, **options)
    accept = random_policy(rng, population, certain=rng.choice([0.0, 0.5, 1.0]))
    return rng, population, accept, fs.Model.from_json(json.dumps(population.document())), fs.Policy(accept)


def seen(counts):
    """Counts as the reference has them."""
    groups, features, labels = counts.first.shape
    states = features * labels
    return Counts(
        counts.first.reshape(groups, states),
        counts.visits.reshape(groups, -1, states, 2),
        counts.transitions.reshape(groups, states, 2, states),
        counts.reward_sum.reshape(groups, states, 2),
    )


@pytest.mark.parametrize("batch", range(12))
def test_evaluation(batch):
    for seed in range(batch * BATCH, (batch + 1) * BATCH):
        _, population, accept, model, policy = drawn(seed, zeros=(seed % 3) * 0.4)
        found, expected = fs.evaluate(model, policy), evaluate(population, accept)
        for rate in ("accept", "tpr", "fpr", "qualified"):
            agree(getattr(found.rates, rate), getattr(expected, rate))
        for notion in NOTIONS:
            agree(getattr(found.gap, notion), getattr(expected, notion))
        agree(found.value, expected.value)
        agree(found.value_per_step, expected.value_per_step)
        agree(found.aggregate_dp, expected.aggregate_dp)
        agree(found.aggregate_eqopt, expected.aggregate_eqopt)
        q, v = values_to_go(population, accept)
        agree(found.q, q)
        agree(found.v, v)


@pytest.mark.parametrize("batch", range(8))
def test_estimate_bonus_and_relaxations(batch):
    for seed in range(batch * BATCH, (batch + 1) * BATCH):
        rng, population, _, model, policy = drawn(seed, zeros=(seed % 2) * 0.5)
        counts = fs.simulate(model, policy, people_per_group=int(10 ** rng.uniform(0, 12)), seed=seed)
        found, expected = fs.estimate(counts, unvisited="uniform"), estimate(seen(counts))
        for theirs, ours in (
            ("share", "share"),
            ("initial", "initial"),
            ("transition", "kernel"),
            ("reward", "reward"),
        ):
            agree(getattr(found.model, theirs), getattr(expected.population, ours))

        k, delta, scale = int(10 ** rng.uniform(0, 9)), rng.uniform(0.01, 0.2), rng.choice([1, 1e-2, 1e-4])
        epsilon = 1 / (k * population.horizon * population.states)
        at = {"horizon": population.horizon, "k": k, "delta": delta, "scale": scale}
        for opt_out, n in ((False, expected.visits), (True, expected.successors)):
            asked = {"k": k, "delta": delta, "scale": scale, "opt_out": opt_out}
            agree(fs.bonus(found, reward_range=(-1, 0.5), **asked), bonus(n, reward_range=(-1, 0.5), **at))
            agree(fs.c_hat(found, **asked), c_hat(n, epsilon=epsilon, **at))
            for widths in (False, True):
                allowed = d_hat(n, expected.population.kernel, epsilon=epsilon, scale_widths=widths, **at)
                agree(fs.d_hat(found, scale_widths=widths, **asked), allowed)

        theirs, ours = found.radii(delta=delta, reward_range=(-3, 3)), radii(expected, delta, (-3, 3), noisy=True)
        for what in ("row", "initial", "reward"):
            agree(getattr(theirs, what), getattr(ours, what))


@pytest.mark.parametrize("batch", range(12))
def test_certificates(batch):
    for seed in range(batch * BATCH, (batch + 1) * BATCH):
        rng, population, accept, model, policy = drawn(seed, zeros=(seed % 2) * 0.5)
        counts = fs.simulate(model, policy, people_per_group=int(10 ** rng.uniform(0, 6)), seed=seed)
        known = {"rewards": (population.reward, population.share, population.discount)}
        counted = {"reward_range": (-1.3, 1.3), "discount": 0.9}
        theirs, ours = [
            ({}, {}),
            ({"model": model}, known),
            (counted, counted),
            ({"followed": True, "model": model}, {"followed": True} | known),
        ][seed % 4]
        notions = [NOTIONS, ("dp",), ("eqopt",), ("eqodds",)][seed // 4 % 4]
        found = fs.certify(counts, policy, delta=0.05, fairness=notions, **theirs)
        expected = certify(seen(counts), accept, delta=0.05, notions=notions, **ours)

        # The C++ rounds outwards, by about 1e-12 of everybody: of those with a rare label that is a larger part.
        # The reference rounds as it comes.
        slack = 1e-10
        for rate, (low, high) in expected.rates.items():
            least, greatest, _ = found.rate_bounds(rate)
            off = 1e-10 + 1e-12 / np.maximum(rarest(found, rate), 1e-3)
            outwards = np.array([low - least, greatest - high])
            assert np.all((outwards >= -1e-12) & (outwards <= off))
            slack = max(slack, 2 * np.max(off))
        for notion in notions:
            agree(getattr(found.gap, notion), expected.gap[notion], slack)
            agree(getattr(found.estimated_gap, notion), estimated_gaps(seen(counts), accept)[notion])
        if expected.value is None:
            assert found.value is None
        else:
            agree(found.value, expected.value)


@pytest.mark.parametrize("batch", range(2))
def test_certificates_about_people_who_come_and_go(batch):
    # Those who followed the policy count less with everybody who has come late, left or been away, at every step.
    for seed in range(batch * BATCH, (batch + 1) * BATCH):
        rng = np.random.default_rng(seed)
        shape = {
            "groups": int(rng.integers(2, 5)),
            "features": int(rng.integers(1, 4)),
            "horizon": int(rng.integers(1, 5)),
        }
        model = fs.env("random", participation=True, seed=seed, **shape)
        accept = rng.uniform(size=(shape["groups"], shape["horizon"], shape["features"]))
        counts = fs.simulate(model, fs.Policy(accept), people_per_group=int(10 ** rng.uniform(0, 2.5)), seed=seed)
        asked = {"delta": 0.05, "followed": True, "reward_range": (-1, 1)}
        found = fs.certify(counts, fs.Policy(accept), **asked)
        expected = certify(seen(counts), accept, notions=NOTIONS, **asked)
        for rate, (low, high) in expected.rates.items():
            least, greatest, _ = found.rate_bounds(rate)
            agree(least, low)
            agree(greatest, high)
        agree(found.value, expected.value)


def rarest(certificate, rate):
    """[g,h] the least probability that a certificate leaves for those whom a rate is about."""
    if rate == "accept":
        return 1.0
    least, greatest, _ = certificate.rate_bounds("qualified")
    return least if rate == "tpr" else 1 - greatest


@pytest.mark.parametrize("seed", range(6))
def test_counting_and_the_estimate(fairstep, seed):
    # People who come late and leave early too: what is not seen is not counted (App. D).
    rng = np.random.default_rng(seed)
    options = ("--groups", rng.integers(2, 5), "--features", rng.integers(1, 4), "--horizon", rng.integers(1, 6))
    fairstep(
        "env", "random", *options, "--participation", "--reward-noise", 0.3, "--seed", seed, "-o", "m.json", code=0
    )
    fairstep("policy", "m.json", "--uniform", 0.3, "-o", "p.json", code=0)
    fairstep("simulate", "m.json", "p.json", "--people", 200, "-o", "log.csv", code=0)
    fairstep("count", "log.csv", "--like", "m.json", "-o", "c.json", code=0)
    fairstep("fit", "c.json", "--unvisited", "uniform", "-o", "fitted.json", code=0)
    model, fitted = fairstep.read("m.json"), fairstep.read("fitted.json")
    groups, features = model["groups"], model["features"]
    with open(fairstep.folder / "log.csv", encoding="utf-8", newline="") as file:
        rows = [
            (
                int(row["person"]),
                groups.index(row["group"]),
                int(row["step"]),
                2 * features.index(row["x"]) + int(row["y"]),
                int(row["a"]),
                float(row["reward"]),
            )
            for row in csv.DictReader(file)
        ]
    rng.shuffle(rows)
    mine = count(rows, len(groups), 2 * len(features), model["horizon"])
    theirs = Counts.of_document(fairstep.read("c.json"))
    for table in ("first", "visits", "transitions"):
        assert np.array_equal(getattr(mine, table), getattr(theirs, table))
    agree(mine.reward_sum, theirs.reward_sum)
    expected = estimate(mine).population
    for key, table in {"share": "share", "initial": "initial", "transition": "kernel", "reward": "reward"}.items():
        agree(fitted[key], getattr(expected, table))


@pytest.mark.parametrize("seed", range(8))
def test_lemmas_count_those_who_stay_where_people_leave(tmp_path, seed):
    # Appendix D: N has only decisions whose next state was seen. Rewards are averaged over all of them.
    model = fs.env("random", participation=True, features=2, horizon=6, reward_noise=0.2, seed=seed)
    notion = ("dp", "eqopt")[seed % 2]
    options = {"fairness": notion, "schedule": [2**12, 2**16], "no_proof": True, "evaluation_episodes": 0}
    run = fs.learn(model, relaxation="literal", output=tmp_path, progress=False, **options)
    for number, update in enumerate(run.updates):
        known = estimate(seen(fs.Counts.load(tmp_path / "updates" / f"{number:04d}.counts.json")), share=model.share)
        n = known.successors
        # Nobody is gone after the first step by mistake: most visits of a cell have no successor, and some do.
        assert 0 < n.sum() < known.visits.sum()
        at = {"horizon": 6, "k": update.k, "delta": 0.1}
        agree(update.bonus_max, bonus(n, reward_range=model.reward_range, **at).max())
        epsilon = 1 / (update.k * 6 * 4)
        if notion == "dp":
            allowed = c_hat(n, epsilon=epsilon, **at)
            assert allowed > 1.01 * c_hat(known.visits, epsilon=epsilon, **at)
        else:
            allowed = d_hat(n, known.population.kernel, epsilon=epsilon, **at)
        agree(update.relaxation, [allowed] * 6)


LEARNING = [
    (relaxation, notion, safe)
    for relaxation, notion, safe in itertools.product(
        ("literal", "scaled", "scaled-width", "tight"), NOTIONS, (False, True)
    )
    if relaxation == "tight" or (notion != "eqodds" and not safe)
]


@pytest.mark.parametrize(("relaxation", "notion", "safe"), LEARNING)
def test_bonus_and_relaxation_at_every_update(tmp_path, relaxation, notion, safe):
    # Each update's counts are on disk, and with them all that its bonus, limits and gaps follow from.
    for seed in range(6):
        rng = np.random.default_rng(seed)
        population = some_population(rng, features=4, horizon=5)
        discounted, blind = seed % 2 == 1, seed % 3 == 1
        run = fs.learn(
            fs.Model.from_json(json.dumps(population.document())),
            fairness=notion,
            relaxation=relaxation,
            limit=0.05,
            safe=safe,
            floor_kind="accept_only" if seed % 3 == 2 else "two_sided",
            discounted_limits=discounted,
            group_independent=blind,
            **({"people": 5} if seed % 2 else {"people_per_episode": 2}),
            schedule=[2, 2**3, 2**10, 2**24],
            evaluation_episodes=0,
            no_proof=True,
            output=tmp_path / f"run{seed}",
            progress=False,
        )
        for number, update in enumerate(run.updates):
            counts = fs.Counts.load(tmp_path / f"run{seed}" / "updates" / f"{number:04d}.counts.json")
            # Between which two numbers the policy's entries must lie: k^(-1/3) away from 0, and from 1 as well.
            floor = update.k ** (-1 / 3)
            floor, entries = (floor, 1 - floor) if seed % 3 == 2 else (min(floor, 0.5), 1 - 2 * min(floor, 0.5))
            # gamma^h |gap| <= limit at h = 1, 2, ..., and no gap is above 1.
            later = population.discount ** -np.arange(1.0, population.horizon + 1) if discounted else 1.0
            agree(update.limit, np.minimum(1, 0.05 * later * np.ones(population.horizon)))
            compare_update(population, update, seen(counts), relaxation, notion, floor, entries, later)
            assert update.policy.group_independent == blind
            people = counts.first.sum((1, 2))
            if seed % 2:  # by share
                assert people.sum() == 5 * (update.k - 1)
                # Hoeffding: false alarms with probability 2 exp(-2 * 4.7^2) = 1e-19 for each of some 500 comparisons.
                assert np.all(np.abs(people - population.share * people.sum()) <= 4.7 * np.sqrt(people.sum()))
            else:
                assert np.all(people == 2 * (update.k - 1))


def compare_update(population, update, counts, relaxation, notion, floor, entries, later):
    k, delta, horizon = update.k, 0.1, population.horizon
    epsilon = 1 / (k * horizon * population.states)
    agree(update.epsilon, epsilon)
    agree(update.floor, floor)

    accept = np.broadcast_to(update.policy.accept, (len(population.share), horizon, population.states // 2))
    known = estimate(counts, share=population.share, discount=population.discount)
    agree(update.estimated_gap, getattr(evaluate(known.population, accept), notion))
    balls = radii(known, delta, population.reward_range, noisy=population.noise.any())
    at = {"horizon": horizon, "k": k, "delta": delta}
    # App. D's N where things are as printed: only decisions whose next state was seen.
    n = known.visits if relaxation == "scaled-width" else known.successors
    if relaxation == "tight":
        added = tight_bonus(known.population, balls, population.reward_range)
    else:
        scale = 1 if relaxation == "literal" else 0.001
        added = bonus(n, reward_range=population.reward_range, scale=scale, **at)
    agree(update.bonus_max, added.max())

    if update.safe:
        rates = robust_rates(known.population, accept, balls)
        wanted = {"dp": ["accept"], "eqopt": ["tpr"], "eqodds": ["tpr", "fpr"]}[notion]
        agree(update.safe["worst_gap"], np.max([gaps(rates[rate]) for rate in wanted], axis=0))
    elif relaxation == "tight":
        allowed = tight_relaxation(known.population, accept, balls, notion=notion, entries=entries)
        agree(update.relaxation, allowed)
    elif notion == "dp":
        scale = 1 if relaxation == "literal" else 0.001
        agree(update.relaxation, c_hat(n, epsilon=epsilon, scale=scale, **at) * later * np.ones(horizon))
    else:
        scale = 1 if relaxation == "literal" else 0.0001
        widths = relaxation == "scaled-width"
        allowed = d_hat(n, known.population.kernel, epsilon=epsilon, scale=scale, scale_widths=widths, **at)
        agree(update.relaxation, allowed * later * np.ones(horizon))
