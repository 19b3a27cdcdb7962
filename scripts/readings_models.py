#!/usr/bin/env python3
"""The FICO population with scores put into other levels than the nearest: configs/readings/models/*.json.

    build/venv/bin/python scripts/readings_models.py

Everything else is as `fairstep env fico` has it: only the first states and P(y = 1 | level) are counted anew.
"""

import csv
import json
import pathlib
import subprocess

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
GROUPS = {"white": "Non- Hispanic white", "black": "Black"}
LEVELS = {
    "nearest": lambda score: int((score + 12.5) // 25),
    "up": lambda score: int(-(-score // 25)),
    "fifths": lambda score: min(4, int(score // 20)),
}


def column(name, group):
    with (ROOT / "data" / "fico" / f"transrisk_{name}_by_race_ssa.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    return [float(row["Score"]) for row in rows], np.array([float(row[GROUPS[group]]) for row in rows])


def first_states(group, level_of):
    """[x,y] with the people between neighbouring entries of the CDF, and 1 - default rate weighted by them."""
    scores, cdf = column("cdf", group)
    _, defaults = column("performance", group)
    people = np.diff(cdf, prepend=0)
    states = np.zeros((5, 2))
    for score, share, default in zip(scores, people, defaults, strict=True):
        states[level_of(score)] += share * np.array([default, 100 - default])
    return states / states.sum()


def model_with(level_of, description):
    document = json.loads(subprocess.check_output([ROOT / "build" / "bin" / "fairstep", "env", "fico", "--quiet"]))
    first = np.array([first_states(group, level_of) for group in document["groups"]])
    repays = first / first.sum(-1, keepdims=True)  # P(y1 | x1)
    moves = np.array(document["transition"]).sum(-1)  # [g,x,y,a,x1]
    kernel = moves[..., None] * repays[:, None, None, None]
    kernel /= kernel.sum((-2, -1), keepdims=True)
    return document | {"description": description, "initial": first.tolist(), "transition": kernel.tolist()}


def main():
    folder = ROOT / "configs" / "readings" / "models"
    folder.mkdir(exist_ok=True)
    for name, words in {"up": "the level above it", "fifths": "a fifth of the range"}.items():
        made = model_with(LEVELS[name], f"as `fairstep env fico`, but that each score belongs to {words}")
        (folder / f"fico-{name}.json").write_text(json.dumps(made) + "\n")


if __name__ == "__main__":
    main()
