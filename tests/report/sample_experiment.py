"""Fills the folder of an experiment by calling `fairstep env`, `learn` and `pareto`: something to report on.

    tests/report/sample_experiment.py BINARY FOLDER [--small]

The whole one has both environments, both notions, all methods and the paper's schedule; the small one a few runs of a
short episode, for tests.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess

LAMBDAS = ("0.01", "0.1", "0.3", "1", "3", "10")


def method(identity: str, label: str, kind: str, penalty: str | None = None, **overrides) -> dict:
    return {
        "id": identity,
        "label": label,
        "method": kind,
        "lambda": None if penalty is None else float(penalty),
        **overrides,
    }


def methods(lambdas: tuple[str, ...]) -> list[dict]:
    return [
        method("ours", "ours", "constrained"),
        method("unconstrained", "unconstrained", "unconstrained"),
        *(method(f"penalty-{value}", f"penalty {value}", "penalty", value) for value in lambdas),
        method("ours-literal", "ours, literal constants", "constrained", relaxation="literal"),
    ]


def experiment(name, environments, notions, lambdas, repeats, schedule, horizon, time_limit) -> dict:
    return {
        "schema": "fairstep/experiment-run/1",
        "name": name,
        "version": "0.1.0",
        "seed": 1,
        "repeats": repeats,
        "horizon": horizon,
        "schedule": schedule,
        "people_per_episode": 1,
        "evaluation_episodes": 8000,
        "delta": 0.1,
        "relaxation": "scaled",
        "bonus_scale": 0.001,
        "relaxation_scale": {"dp": 0.001, "eqopt": 0.0001},
        "limit": 0,
        "certificate": {"gap": 0.001, "time_limit": time_limit},
        "environments": environments,
        "notions": notions,
        "methods": methods(lambdas),
    }


class Folder:
    def __init__(self, binary: pathlib.Path, path: pathlib.Path, plan: dict):
        self.binary, self.path, self.plan = binary, path, plan

    def call(self, *words) -> None:
        done = subprocess.run([self.binary, *map(str, words), "--quiet"], capture_output=True, text=True)
        if done.returncode not in (0, 3):  # 3: not proven in time, which the report shows
            raise SystemExit(f"{words}: exit {done.returncode}\n{done.stderr}")

    def model(self, environment: dict) -> pathlib.Path:
        return self.path / "models" / f"{environment['name']}.json"

    def learn(self, environment: dict, notion: str, method: dict, repeat: int) -> None:
        plan = self.plan
        self.call(
            *("learn", self.model(environment), "--fairness", notion, "--method", method["method"]),
            *(("--lambda", method["lambda"]) if method["lambda"] is not None else ()),
            *("--relaxation", method.get("relaxation", plan["relaxation"])),
            *("--schedule", ",".join(map(str, plan["schedule"])), "--time-limit", plan["certificate"]["time_limit"]),
            *("--seed", 100 * plan["seed"] + repeat, "--evaluation-episodes", plan["evaluation_episodes"]),
            *("-o", self.path / "runs" / environment["name"] / notion / method["id"] / str(repeat)),
        )

    def frontier(self, environment: dict, notion: str) -> None:
        target = self.path / "frontier" / environment["name"] / f"{notion}.json"
        target.parent.mkdir(parents=True, exist_ok=True)
        limits = "0,0.01,0.02,0.03,0.05,0.07,0.1,0.15,0.2,0.3,0.5,1"
        self.call(
            *("pareto", self.model(environment), "--fairness", notion, "--limits", limits, "--time-limit", 0.3),
            *("-o", target),
        )

    def fill(self) -> None:
        plan = self.plan
        (self.path / "models").mkdir(parents=True, exist_ok=True)
        (self.path / "experiment.json").write_text(json.dumps(plan, indent=2) + "\n")
        for environment in plan["environments"]:
            self.call("env", environment["source"], "--horizon", plan["horizon"], "-o", self.model(environment))
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            jobs = [
                pool.submit(self.learn, environment, notion, method, repeat)
                for environment in plan["environments"]
                for notion in plan["notions"]
                for method in plan["methods"]
                for repeat in range(plan["repeats"])
            ]
            jobs += [
                pool.submit(self.frontier, environment, notion)
                for environment in plan["environments"]
                for notion in plan["notions"]
            ]
            for job in jobs:
                job.result()
        runs = plan["repeats"] * len(plan["environments"]) * len(plan["notions"]) * len(plan["methods"])
        timing = {"seconds": 40.0, "threads": 2, "solves": runs * len(plan["schedule"])}
        (self.path / "timing.json").write_text(json.dumps(timing, indent=2) + "\n")


def environment(name: str, label: str) -> dict:
    return {"name": name, "label": label, "model": f"models/{name}.json", "source": name}


def whole() -> dict:
    both = [environment("fico", "FICO"), environment("synthetic", "Synthetic")]
    return experiment("paper", both, ["dp", "eqopt"], LAMBDAS, 3, [2**power for power in range(3, 19)], 8, 0.3)


def small() -> dict:
    return experiment(
        "small",
        [environment("fico", "FICO")],
        ["dp", "eqopt"],
        ("0.1", "10"),
        2,
        [2**power for power in range(3, 13)],
        4,
        5,
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--small", action="store_true")
    options = parser.parse_args()
    Folder(options.binary.resolve(), options.folder, small() if options.small else whole()).fill()


if __name__ == "__main__":
    main()
