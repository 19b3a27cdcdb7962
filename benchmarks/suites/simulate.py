"""People one by one and as crowds, beside NumPy, plain Python, and the random numbers alone (CPU time, one thread)."""

import json
import random
import tempfile
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
from measure import Table, cpu_seconds, fairstep, times_as
from suites.kernels import fastest


def by_numpy(model: dict[str, Any], accept: np.ndarray, people: int) -> None:
    """All people of a group at once, a step at a time, by inverse distribution functions; into counts."""
    rng = np.random.default_rng(1)
    initial, kernel = np.array(model["initial"]), np.array(model["transition"])
    groups, features, labels = initial.shape
    states = features * labels
    first = initial.reshape(groups, states).cumsum(axis=1)
    rows = kernel.reshape(groups, states * 2, states).cumsum(axis=2)
    for g in range(groups):
        state = np.searchsorted(first[g], rng.random(people)).clip(max=states - 1)
        for h in range(model["horizon"] - 1):
            action = rng.random(people) < accept[g, h, state // labels]
            cell = state * 2 + action
            state = (rng.random(people)[:, None] > rows[g, cell]).sum(axis=1).clip(max=states - 1)
            np.bincount(cell * states + state, minlength=2 * states * states)


def by_person(model: dict[str, Any], accept: np.ndarray, people: int) -> None:
    """As simulators with an agent for every person do it: one draw after the other, in plain Python."""
    rng = random.Random(1)
    states = range(len(model["features"]) * 2)
    for g, initial in enumerate(model["initial"]):
        first = list(accumulate(p for row in initial for p in row))
        rows = [
            list(accumulate(p for row in of_action for p in row))
            for of_x in model["transition"][g]
            for of_y in of_x
            for of_action in of_y
        ]
        policy = accept[g].tolist()
        seen: dict[tuple[int, int], int] = {}
        for _ in range(people):
            state = rng.choices(states, cum_weights=first)[0]
            for h in range(model["horizon"] - 1):
                cell = state * 2 + (rng.random() < policy[h][state // 2])
                state = rng.choices(states, cum_weights=rows[cell])[0]
                seen[cell, state] = seen.get((cell, state), 0) + 1


def measure(full: bool) -> list[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as folder:
        fairstep("env", "fico", "-o", "fico.json", folder=Path(folder))
        model = json.loads((Path(folder) / "fico.json").read_text())
    groups, horizon = len(model["groups"]), model["horizon"]
    accept = np.random.default_rng(2).random((groups, horizon, len(model["features"])))
    ours = fastest(
        "simulate", 15 if full else 3, "people_fico/1$|random_numbers|crowd_fico/1000000$|crowd_fico/1000000000000$"
    )
    speed = ours["people_fico/1"]["items"]
    rows = [
        {"who": "fairstep, one by one, into counts", "transitions": speed},
        {"who": "the random numbers alone (floor)", "transitions": ours["random_numbers_of_people_fico"]["items"]},
    ]
    for who, work, people in (
        ("NumPy, all people at once", by_numpy, 200_000),
        ("plain Python, person by person", by_person, 20_000 if full else 4_000),
    ):
        seconds = cpu_seconds(lambda work=work, people=people: work(model, accept, people), 3)
        rows.append({"who": who, "transitions": groups * people * (horizon - 1) / seconds})
    for people in (10**6, 10**12):
        seconds = ours[f"crowd_fico/{people}"]["seconds"]
        rows.append(
            {
                "who": f"fairstep, a crowd of {people:,}",
                "people": people / seconds,
                "transitions": people * (horizon - 1) / seconds,
            }
        )
    for row in rows:
        row["ratio"] = row["transitions"] / speed
    return rows


def tables(rows: list[dict[str, Any]]) -> list[Table]:
    cells = [[row["who"], f"{row['transitions']:.3g}", times_as(row["ratio"])] for row in rows]
    caption = "FICO, two groups, five features, eight steps. A transition is a decision whose successor is seen."
    return [Table(caption, ["", "transitions a second", "of the first line"], cells)]
