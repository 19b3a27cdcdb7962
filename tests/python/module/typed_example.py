"""A program as a user would write it, for mypy --strict."""

import numpy as np
from numpy.typing import NDArray

import fairstep


def widest(result: fairstep.SolveResult) -> float:
    gaps: NDArray[np.float64] = result.parity_gap
    return float(gaps.max())


def main() -> None:
    model: fairstep.Model = fairstep.env("fico", groups=["white", "black"], horizon=3)
    result = fairstep.solve(model, fairness="dp", limit=0.05, progress=False)
    lower, upper = result.bounds
    assert lower <= result.value <= upper
    assert widest(result) <= 0.05 + 1e-8
    accept: NDArray[np.float64] = result.policy.accept
    assert accept.shape == (2, 3, 5)

    counts: fairstep.Counts = fairstep.simulate(model, result.policy, people_per_group=10_000)
    found: fairstep.Estimate = fairstep.fit(counts, share={"white": 0.6, "black": 0.4})
    assert found.model.groups == ["white", "black"]
    certificate = fairstep.certify(counts, result.policy, reward_range=(-1.0, 1.0), fairness=["dp"])
    value: float | None = certificate.value
    assert value is not None and certificate.check().holds

    frontier = fairstep.pareto(model, fairness="dp", limits=[0.0, 0.1], no_proof=True)
    best: fairstep.ParetoPoint = frontier[-1]
    assert best.result.found and len(frontier) == 2

    heard: list[int] = []

    def hear(news: fairstep.LearnProgress) -> None:
        heard.append(news.k)

    run = fairstep.learn(model, schedule=[8, 16], no_proof=True, evaluation_episodes=0, progress=hear)
    policy: fairstep.Policy = run.updates[-1].policy
    evaluation: fairstep.Evaluation = fairstep.evaluate(model, policy)
    columns: list[str] = list(evaluation.rates.to_frame().columns)
    assert columns[:2] == ["group", "step"]


if __name__ == "__main__":
    main()
