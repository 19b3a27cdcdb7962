#!/usr/bin/env python3
"""What every reading of the paper comes to: configs/readings, run and compared.

    build/venv/bin/python scripts/readings.py [--runs FOLDER] [--page PAGE]

Runs what is missing (an experiment goes on where it was), and writes the tables into the page between its marks. Of
the last update of each repeat, the method's return is compared with what the penalties offer at the same violation,
counted apart from the program's own report.
"""

import argparse
import json
import pathlib
import re
import subprocess
import tomllib

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
READINGS = ROOT / "configs" / "readings"
NOTIONS = {"dp": "DP", "eqopt": "EqOpt"}
ENVIRONMENTS = {"fico": "FICO", "synthetic": "Synthetic"}
# Of Student's t, 97.5 %, with 1 to 30 degrees of freedom.
STUDENT = (
    *(12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228),
    *(2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086),
    *(2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042),
)


# --- points -----------------------------------------------------------------------------------------------------------


def exact(update, _):
    return update["violation"], update["value"]


def worst_step(update, notion):
    return max(gap for gap in update["gap"][notion] if gap is not None), update["value"]


def measured(update, _):
    seen = update["evaluation"]
    return seen["violation"]["mean"], seen["value"]["mean"]


def estimated(update, _):
    gaps = [gap or 0 for gap in update["estimated_gap"]]
    return sum(gaps) / len(gaps), update["value"]


# --- what a family of points offers -----------------------------------------------------------------------------------


def hull(points):
    """Corners of the upper concave hull, both coordinates rising: tossing a coin between two policies gives a line."""
    corners = []
    for x, y in sorted(points, key=lambda point: (point[0], -point[1])):
        if corners and y <= corners[-1][1]:
            continue
        while len(corners) > 1:
            (x0, y0), (x1, y1) = corners[-2:]
            if (y1 - y0) * (x - x0) > (y - y0) * (x1 - x0):
                break
            corners.pop()  # on or below the line from the one before it to the next
        corners.append((x, y))
    return corners


def on_hull(points, at):
    """The greatest value with at most this violation; NaN if no point violates so little."""
    x, y = np.transpose(hull(points))
    return np.interp(at, x, y) if at >= x[0] else np.nan


def on_staircase(points, at):
    return max((y for x, y in points if x <= at), default=np.nan)


def interval(values):
    """Mean and half of the 95 % Student-t interval."""
    values = np.array([value for value in values if not np.isnan(value)])
    if len(values) < 2:
        return (values.mean() if len(values) else np.nan), np.nan
    return values.mean(), STUDENT[len(values) - 2] * values.std(ddof=1) / np.sqrt(len(values))


# --- runs -------------------------------------------------------------------------------------------------------------


class Runs:
    """The last updates of an experiment: [environment, notion][method][repeat]."""

    def __init__(self, folder):
        plan = json.loads((folder / "experiment.json").read_text())
        self.methods = {method["id"]: method for method in plan["methods"]}
        self.last = {}
        for environment in plan["environments"]:
            for notion in plan["notions"]:
                cell = self.last[environment["name"], notion] = {}
                for method in plan["methods"]:
                    if notion in method["fairness"]:
                        where = folder / "runs" / environment["name"] / notion / method["id"]
                        cell[method["id"]] = [
                            json.loads((where / str(r) / "result.json").read_text())["updates"][-1]
                            for r in range(plan["repeats"])
                        ]

    def gain(self, cell, point=exact, offered=on_hull, baseline=lambda method: True, ours="ours"):
        """Ours minus what the penalties (and no penalty) offer at our violation, repeat by repeat."""
        notion, runs = cell[1], self.last[cell]
        family = [
            runs[name]
            for name in runs
            if self.methods[name]["method"] == "unconstrained"
            or (self.methods[name]["method"] == "penalty" and baseline(self.methods[name]))
        ]
        gains = []
        for r, mine in enumerate(runs[ours]):
            violation, value = point(mine, notion)
            gains.append(value - offered([point(other[r], notion) for other in family], violation))
        return gains


# --- tables -----------------------------------------------------------------------------------------------------------


def minus(text):
    return text.replace("-", "\N{MINUS SIGN}")


def with_band(values, decimals=5):
    mean, half = interval(values)
    if np.isnan(mean):
        return "not reached"
    return minus(f"{mean:+.{decimals}f}") + ("" if np.isnan(half) else f" ± {half:.{decimals}f}")


def words():
    """The list of readings, in its order: name and what it is."""
    text = (READINGS / "README.md").read_text()
    files = re.findall(r"^\| \[([a-z0-9-]+)\.toml\]\(\1\.toml\) \| (.*) \|$", text, re.MULTILINE)
    others = re.findall(r"^\| (measured|estimated|staircase) \| (.*) \|$", text, re.MULTILINE)
    return files, others


def row(name, text, runs, **how):
    lines = []
    for cell in runs.last:
        last = runs.last[cell]["ours"]
        lines.append(
            f"| {name} | {text} | {ENVIRONMENTS[cell[0]]}, {NOTIONS[cell[1]]} "
            f"| {with_band(runs.gain(cell, **how))} "
            f"| {'' if how else with_band(runs.gain(cell, point=worst_step))} "
            f"| {np.mean([update['value'] for update in last]):.4f} "
            f"| {np.mean([update['violation'] for update in last]):.4f} |"
        )
        name = text = ""
    return lines


def readings_table(runs_of):
    files, others = words()
    lines = [
        "| reading | what it is | setting | ours minus the baseline at equal violation | the same at the worst step "
        "| return | violation |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, text in files:
        lines += row(name, text, runs_of[name])
    ways = {
        "measured": {"point": measured},
        "estimated": {"point": estimated},
        "staircase": {"offered": on_staircase},
    }
    for name, text in others:
        lines += row(name, text, runs_of["base"], **ways[name])
    return "\n".join(lines)


def factors_table(runs):
    """Violation and return at the last update over the factor, in both scaled modes."""
    factors = sorted({method["relaxation_scale"]["dp"] for method in runs.methods.values()})
    lines = [
        "| setting | mode | " + " | ".join(f"{factor:g}" for factor in factors) + " |",
        "|---|---|" + "---|" * len(factors),
    ]
    for cell in runs.last:
        for mode in ("scaled", "scaled-width"):
            cells = []
            for factor in factors:
                (name,) = [
                    name
                    for name, method in runs.methods.items()
                    if method["relaxation"] == mode and method["relaxation_scale"]["dp"] == factor
                ]
                last = runs.last[cell][name]
                mean = [np.mean([update[key] for update in last]) for key in ("violation", "value")]
                vacuous = all(len(update["vacuous"]) == len(update["relaxation"]) for update in last)
                cells.append(f"{mean[0]:.4f} ({mean[1]:.3f})" + ("*" if vacuous else ""))
            lines.append(f"| {ENVIRONMENTS[cell[0]]}, {NOTIONS[cell[1]]} | `{mode}` | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def put(page, mark, text):
    """Between the marks of this name; an error if the page has none."""
    before, begin, rest = page.partition(f"<!-- begin: {mark} -->\n")
    _, end, after = rest.partition("<!-- end -->")
    if not (begin and end):
        raise SystemExit(f"the page has no part <!-- begin: {mark} --> ... <!-- end -->")
    return before + begin + "\n" + text + "\n\n" + end + after


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--runs", type=pathlib.Path, default=ROOT / "runs" / "readings")
    arguments.add_argument("--page", type=pathlib.Path, default=ROOT / "docs" / "reproduction.md")
    chosen = arguments.parse_args()
    runs_of = {}
    for name in [name for name, _ in words()[0]] + ["factors"]:
        folder = chosen.runs / name
        file = READINGS / f"{name}.toml"
        subprocess.run([ROOT / "build" / "bin" / "fairstep", "experiment", file, "-o", folder], check=True)
        runs_of[name] = Runs(folder)
        assert tomllib.loads(file.read_text())["name"] == name
    page = put(chosen.page.read_text(), "made by scripts/readings.py", readings_table(runs_of))
    page = put(page, "the factor, by scripts/readings.py", factors_table(runs_of["factors"]))
    chosen.page.write_text(page)


if __name__ == "__main__":
    main()
