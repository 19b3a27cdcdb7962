"""The C++ against an independent reference in NumPy (reference/), which was written from the paper and the docs.

Hundreds of random models: 2 to 4 groups, 1 to 5 features, 1 to 6 steps, full and sparse kernels, policies with and
without coins, from one person a group to a million. They must agree to 1e-10.
"""

import csv
import itertools

import numpy as np
import pytest
from reference.certificate import certify, estimated_gaps, gaps, robust_rates
from reference.confidence import radii
from reference.doubt import tight_bonus, tight_relaxation
from reference.estimation import Counts, bonus, c_hat, count, d_hat, estimate
from reference.evaluation import evaluate, values_to_go
from reference.population import random_policy, random_population

BATCH = 25
NOTIONS = ("dp", "eqopt", "eqodds")


def agree(found, expected, tolerance=1e-10):
    """Numbers, with None or NaN in the same places. Large numbers are compared by their ratio."""
    found, expected = np.array(found, dtype=float), np.array(expected, dtype=float)
    assert found.shape == expected.shape
    assert np.array_equal(np.isnan(found), np.isnan(expected))
    off = np.abs(found - expected) / np.maximum(1, np.abs(expected))
    assert np.all(np.isnan(off) | (off <= tolerance)), f"off by {np.nanmax(off)}"


def drawn(seed, **options):
    """A random model and policy, as the reference has them, and a generator to draw more from."""
    rng = np.random.default_rng(seed)
    population = random_population(
        rng,
        groups=rng.integers(2, 5),
        features=rng.integers(1, 6),
        horizon=rng.integers(1, 7),
        discount=rng.choice([1.0, 0.9]),
        noise=rng.choice([0.0, 0.3]),
        **options,
    )
    return rng, population, random_policy(rng, population, certain=rng.choice([0.0, 0.5, 1.0]))


def write(fairstep, population, accept):
    fairstep.write("model.json", population.document())
    fairstep.write("policy.json", {"schema": "fairstep/policy/1", "accept": accept.tolist()})


@pytest.mark.parametrize("batch", range(12))
def test_evaluation(fairstep, batch):
    for seed in range(batch * BATCH, (batch + 1) * BATCH):
        _, population, accept = drawn(seed, zeros=(seed % 3) * 0.4)
        write(fairstep, population, accept)
        found = fairstep("evaluate", "model.json", "policy.json", "--values", "--json", code=0).json
        expected = evaluate(population, accept)
        for rate in ("accept", "tpr", "fpr", "qualified"):
            agree(found["rates"][rate], getattr(expected, rate))
        for notion in NOTIONS:
            agree(found["gap"][notion], getattr(expected, notion))
        agree(found["value"], expected.value)
        agree(found["value_per_step"], expected.value_per_step)
        agree(found["aggregate_eqopt"], expected.aggregate_eqopt)
        q, v = values_to_go(population, accept)
        agree(np.array(found["q"]).reshape(q.shape), q)
        agree(np.array(found["v"]).reshape(v.shape), v)


def counted(fairstep, rng, seed):
    """Counts of people who lived under the policy: few or many."""
    people = int(10 ** rng.uniform(0, 6))
    fairstep(
        "simulate", "model.json", "policy.json", "--people-per-group", people, "--seed", seed, "-o", "c.json", code=0
    )
    return Counts.of_document(fairstep.read("c.json"))


def lowest(rates, end):
    """[g,h] the least probability that a certificate leaves for the label: 1 by the low end, 0 by the high one."""
    if "qualified" not in rates:
        return None
    ends = np.array(rates["qualified"][end])
    return ends if end == "low" else 1 - ends


@pytest.mark.parametrize("batch", range(12))
def test_certificates(fairstep, batch):
    for seed in range(batch * BATCH, (batch + 1) * BATCH):
        rng, population, accept = drawn(seed, zeros=(seed % 2) * 0.5)
        write(fairstep, population, accept)
        counts = counted(fairstep, rng, seed)
        known = {"rewards": (population.reward, population.share, population.discount)}
        words, options = [
            ((), {}),
            (("--model", "model.json"), known),
            (("--reward-range=-1.3,1.3", "--discount", "0.9"), {"reward_range": (-1.3, 1.3), "discount": 0.9}),
            (("--followed", "--model", "model.json"), {"followed": True} | known),
        ][seed % 4]
        notions = [NOTIONS, ("dp",), ("eqopt",), ("eqodds",)][seed // 4 % 4]
        words = ("certify", "c.json", "policy.json", "--fairness", ",".join(notions), *words)
        summary = fairstep(*words, "-o", "certificate.json", "--json", code=0).json
        found = fairstep.read("certificate.json")["rates"]
        expected = certify(counts, accept, delta=0.05, notions=notions, **options)

        # The C++ rounds outwards, by about 1e-12 of everybody: of those with a rare label that is a larger part.
        # The reference rounds as it comes.
        having = {"accept": 1.0, "tpr": lowest(found, "low"), "fpr": lowest(found, "high")}
        slack = 1e-10
        for rate, (low, high) in expected.rates.items():
            off = 1e-10 + 1e-12 / np.maximum(having[rate], 1e-3)
            outwards = np.array([low - np.array(found[rate]["low"]), np.array(found[rate]["high"]) - high])
            assert np.all((outwards >= -1e-12) & (outwards <= off))
            slack = max(slack, 2 * np.max(off))
        for notion in notions:
            agree(summary["certified_gap"][notion], expected.gap[notion], slack)
            agree(summary["estimated_gap"][notion], estimated_gaps(counts, accept)[notion])
        if expected.value is None:
            assert summary["certified_value"] is None
        else:
            agree(summary["certified_value"], expected.value)


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
    fairstep("fit", "c.json", "-o", "fitted.json", code=0)
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
        agree(np.array(fitted[key]).ravel(), getattr(expected, table).ravel())


LEARNING = [
    (relaxation, notion, safe)
    for relaxation, notion, safe in itertools.product(("literal", "scaled", "tight"), NOTIONS, (False, True))
    if (relaxation == "tight" or notion != "eqodds") and (relaxation == "tight" or not safe)
]


@pytest.mark.parametrize(("relaxation", "notion", "safe"), LEARNING)
def test_bonus_and_relaxation_at_every_update(fairstep, relaxation, notion, safe):
    # Each update's counts are on disk, and with them all that its bonus, limits and gaps follow from.
    for seed in range(6):
        rng = np.random.default_rng(seed)
        population = random_population(
            rng,
            groups=rng.integers(2, 5),
            features=rng.integers(1, 4),
            horizon=rng.integers(1, 5),
            discount=rng.choice([1.0, 0.9]),
            noise=rng.choice([0.0, 0.3]),
        )
        fairstep.write("model.json", population.document())
        words = ("learn", "model.json", "--fairness", notion, "--relaxation", relaxation, "--limit", 0.05, "--no-proof")
        words += ("--schedule", "2^3,2^10,2^24", "--evaluation-episodes", 0, "-o", f"run{seed}", "--json")
        run = fairstep(*words, *(["--safe"] if safe else []), code=0).json
        for number, update in enumerate(run["updates"]):
            at = f"run{seed}/updates/{number:04d}"
            counts = Counts.of_document(fairstep.read(f"{at}.counts.json"))
            accept = np.array(fairstep.read(f"{at}.policy.json")["accept"])
            compare_update(population, update, counts, accept, relaxation, notion, safe)


def compare_update(population, update, counts, accept, relaxation, notion, safe):
    k, delta, horizon = update["k"], 0.1, population.horizon
    epsilon, floor = 1 / (k * horizon * population.states), min(0.5, k ** (-1 / 3))
    agree(update["epsilon"], epsilon)
    agree(update["floor"], floor)

    known = estimate(counts, share=population.share, discount=population.discount)
    agree(update["estimated_gap"], getattr(evaluate(known.population, accept), notion))
    balls = radii(known, delta, population.reward_range, noisy=population.noise.any())
    at = {"horizon": horizon, "k": k, "delta": delta}
    if relaxation == "tight":
        added = tight_bonus(known.population, balls, population.reward_range)
    else:
        scale = 1 if relaxation == "literal" else 0.001
        added = bonus(known.visits, reward_range=population.reward_range, scale=scale, **at)
    agree(update["bonus_max"], added.max())

    if safe:
        rates = robust_rates(known.population, accept, balls)
        wanted = {"dp": ["accept"], "eqopt": ["tpr"], "eqodds": ["tpr", "fpr"]}[notion]
        agree(update["safe"]["worst_gap"], np.max([gaps(rates[rate]) for rate in wanted], axis=0))
    elif relaxation == "tight":
        allowed = tight_relaxation(known.population, accept, balls, notion=notion, entries=1 - 2 * floor)
        agree(update["relaxation"], allowed)
    elif notion == "dp":
        scale = 1 if relaxation == "literal" else 0.001
        agree(update["relaxation"], [c_hat(known.visits, epsilon=epsilon, scale=scale, **at)] * horizon)
    else:
        scale = 1 if relaxation == "literal" else 0.0001
        allowed = d_hat(known.visits, known.population.kernel, epsilon=epsilon, scale=scale, **at)
        agree(update["relaxation"], [allowed] * horizon)
