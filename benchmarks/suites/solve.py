"""The optimiser beside SCIP and Gurobi on the exported programs, and plain Ipopt from many starts (CPU time).

Everybody gets the same programs (`fairstep export`), one thread and the same checkpoints. Gurobi's free licence takes
small programs only, so that it is asked short horizons. `best known` is the best value that anybody found; a peer's
policy may break a limit by its tolerance of 1e-6 and so be a little above ours, which keeps it.

The large worlds are what a proof is hard for: long horizons, many score bands, many groups, labels that nobody knows.
"""

import csv
import gzip
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from measure import ROOT, Table, fairstep, in_words, percent

GAP = 1e-3
LIMIT = 0.01
WORLDS = ("fico", "synthetic")
NOTIONS = ("dp", "eqopt")


EQUAL = ("--share", "0.5,0.5")  # with the data's shares most of the value is that of one group
ALL_GROUPS = ("--groups", "white,black,hispanic,asian", "--share", "0.25,0.25,0.25,0.25")
# What `fairstep env` is asked for; the card holders of Taiwan: what a default costs, and how many groups they are.
LARGE: dict[str, tuple[Any, ...]] = {
    "fico, 20 steps": ("fico",),
    "50 bands": ("fico", "--bands", 50, *EQUAL),
    "100 bands": ("fico", "--bands", 100, *EQUAL),
    "198 bands": ("fico", "--bands", 198, *EQUAL),
    "4 groups, 50 bands": ("fico", "--bands", 50, *ALL_GROUPS),
    "dense, 20 features": ("random", "--features", 20),
    "taiwan, one table": ("taiwan", 2, 2),
    "taiwan, 8 groups": ("taiwan", 4, 8),
}
LARGE_ASKED = [
    ("fico, 20 steps", "eqopt", 20),
    ("50 bands", "eqopt", 20),
    ("100 bands", "eqopt", 20),
    ("198 bands", "eqopt", 8),
    ("4 groups, 50 bands", "eqopt", 8),
    ("dense, 20 features", "dp", 8),
    ("dense, 20 features", "eqopt", 8),
    ("taiwan, one table", "dp", 5),
    ("taiwan, 8 groups", "dp", 5),
]


def instances(full: bool) -> list[dict[str, Any]]:
    """World, kernel, notion, horizon. Learned kernels are estimated from people who met a coin for a policy."""
    found = [
        {"world": world, "kernel": kernel, "notion": notion, "horizon": 8}
        for world in WORLDS
        for kernel in (("true", "learned") if full else ("true",))
        for notion in NOTIONS
    ]
    found += [{"world": w, "kernel": "true", "notion": n, "horizon": 2} for w in WORLDS for n in NOTIONS]
    seeds = range(3) if full else range(1)
    found += [{"world": f"random-{s}", "kernel": "true", "notion": n, "horizon": 5} for s in seeds for n in NOTIONS]
    found += [{"world": world, "kernel": "true", "notion": n, "horizon": h} for world, n, h in LARGE_ASKED]
    return found


def taiwan_log(groups: int, file: Path) -> None:
    """The log of data/taiwan by sex, or by sex and education, with five features: lateness in two parts."""
    sys.path.insert(0, str(ROOT / "data" / "taiwan"))
    from long_log import MONTHS, STATUS, TABLE

    education = {"1": "graduate", "2": "university", "3": "school"}
    with gzip.open(TABLE, "rt", newline="") as table, file.open("w", newline="") as out:
        log = csv.writer(out)
        log.writerow(["person", "group", "step", "x", "y", "a"])
        for row in csv.DictReader(table):
            group = "men" if row["SEX"] == "1" else "women"
            if groups == 8:
                group += f" {education.get(row['EDUCATION'], 'other')}"
            repaid = 1 - int(row["default payment next month"])
            for step, (name, month) in enumerate(MONTHS):
                status = int(row[name])
                x = STATUS.get(status, "3 late" if status <= 2 else "4 very late")
                left = int(row[f"BILL_AMT{month + 1}"]) - int(row[f"PAY_AMT{month}"])
                log.writerow([row["ID"], group, step, x, repaid, int(int(row[f"BILL_AMT{month}"]) > left)])


def make_large(instance: dict[str, Any], folder: Path) -> None:
    kind, *rest = LARGE[instance["world"]]
    if kind != "taiwan":
        fairstep("env", kind, "--horizon", instance["horizon"], *rest, "-o", "model.json", folder=folder)
        return
    loss, groups = rest
    taiwan_log(groups, folder / "log.csv")
    fairstep("count", "log.csv", "-o", "counts.json", folder=folder)
    fairstep("fit", "counts.json", "--reward", f"y1a1=1,y0a1=-{loss}", "-o", "model.json", folder=folder)


def make_model(instance: dict[str, Any], folder: Path) -> None:
    if instance["world"] in LARGE:
        make_large(instance, folder)
        return
    world, _, seed = instance["world"].partition("-")
    random = ("--features", 6, "--seed", int(seed) + 1) if seed else ()
    name = "model.json" if instance["kernel"] == "true" else "truth.json"
    fairstep("env", world, "--horizon", instance["horizon"], *random, "-o", name, folder=folder)
    if instance["kernel"] == "learned":
        fairstep("policy", name, "--uniform", 0.5, "-o", "coin.json", folder=folder)
        fairstep("simulate", name, "coin.json", "--people", 4000, "--seed", 5, "-o", "counts.json", folder=folder)
        fairstep("fit", "counts.json", "-o", "model.json", folder=folder)


def trace_row(
    found: list[tuple[float, float]], gaps: dict[str, float], proven: float | None, who: str
) -> dict[str, Any]:
    """`found`: (seconds, value) of ever better policies; `gaps`: what was open at each checkpoint."""
    return {"who": who, "value": found[-1][1] if found else None, "found": found, "gaps": gaps, "proven": proven}


def ours(asked: list[Any], checkpoints: list[int], folder: Path) -> dict[str, Any]:
    quick = fairstep("solve", *asked, "--no-proof", folder=folder)
    found, gaps, proven = [(quick["time_s"], quick["value"])], {}, None
    for seconds in checkpoints:
        if proven is None:
            run = fairstep("solve", *asked, "--gap", GAP, "--time-limit", seconds, folder=folder, codes=(0, 3))
            if run["value"] > found[-1][1]:
                found.append((run["time_s"], run["value"]))
            if run["gap"] <= GAP:
                proven = run["cpu"]
        gaps[str(seconds)] = run["gap"]
    return trace_row(found, gaps, proven, "fairstep")


def scip(file: Path, checkpoints: list[int]) -> dict[str, Any]:
    from pyscipopt import SCIP_EVENTTYPE, Eventhdlr, Model

    model = Model()
    model.hideOutput()
    model.readProblem(str(file))
    model.setParam("limits/gap", GAP)
    model.setParam("timing/clocktype", 1)
    found: list[tuple[float, float]] = []
    begin = time.process_time()

    class Watch(Eventhdlr):
        def eventinit(self) -> None:
            self.model.catchEvent(SCIP_EVENTTYPE.BESTSOLFOUND, self)

        def eventexec(self, event: Any) -> None:
            found.append((time.process_time() - begin, self.model.getSolObjVal(self.model.getBestSol())))

    model.includeEventhdlr(Watch(), "watch", "when better policies were found")
    gaps, proven = {}, None
    for seconds in checkpoints:  # a solve that was cut goes on where it was
        if proven is None:
            model.setParam("limits/time", seconds)
            model.optimize()
        if model.getNSols() == 0:
            gaps[str(seconds)] = None
            continue
        value = model.getObjVal()
        gaps[str(seconds)] = (model.getDualbound() - value) / abs(value)
        if proven is None and gaps[str(seconds)] <= GAP:
            proven = time.process_time() - begin
    return trace_row(found, gaps, proven, "SCIP")


def gurobi(file: Path, checkpoints: list[int]) -> dict[str, Any] | None:
    import gurobipy

    with gurobipy.Env(empty=True) as quiet:
        quiet.setParam("OutputFlag", 0)
        quiet.start()
        try:
            model = gurobipy.read(str(file), env=quiet)
            model.setParam("Threads", 1)
            model.setParam("NonConvex", 2)
            model.setParam("MIPGap", GAP)
            found: list[tuple[float, float]] = []
            begin = time.process_time()

            def watch(of: Any, where: int) -> None:
                if where == gurobipy.GRB.Callback.MIPSOL:
                    value = of.cbGet(gurobipy.GRB.Callback.MIPSOL_OBJ)
                    if not found or value > found[-1][1]:
                        found.append((time.process_time() - begin, value))

            gaps, proven = {}, None
            for seconds in checkpoints:
                if proven is None:
                    model.setParam("TimeLimit", seconds if not gaps else seconds - checkpoints[len(gaps) - 1])
                    model.optimize(watch)
                if model.SolCount == 0:
                    gaps[str(seconds)] = None
                    continue
                gaps[str(seconds)] = (model.ObjBound - model.ObjVal) / abs(model.ObjVal)
                if proven is None and gaps[str(seconds)] <= GAP:
                    proven = time.process_time() - begin
            return trace_row(found, gaps, proven, "Gurobi")
        except gurobipy.GurobiError as error:
            if "size-limited" in str(error) or error.errno == 10010:
                return None
            raise


def ipopt(model: dict[str, Any], notion: str, seconds: float) -> dict[str, Any]:
    """Local solves from random policies until the time is over; the model's equations are constraints."""
    import casadi

    initial, kernel, reward = (np.array(model[key]) for key in ("initial", "transition", "reward"))
    groups, features, _ = initial.shape
    horizon, states = model["horizon"], features * 2
    accept = casadi.SX.sym("accept", groups * horizon * features)
    mass = casadi.SX.sym("mass", groups * (horizon - 1) * states)
    value, equations, gaps, rates = 0, [], [], [[None] * groups for _ in range(horizon)]
    for g in range(groups):
        now = casadi.SX(initial[g].reshape(states))
        rows = kernel[g].reshape(states, 2, states)
        gain = reward[g].reshape(states, 2)
        for h in range(horizon):
            at = (g * horizon + h) * features
            chance = casadi.vertcat(*[accept[at + s // 2] for s in range(states)])
            yes, no = now * chance, now * (1 - chance)
            value += (
                model["share"][g] * model["discount"] ** h * (casadi.dot(yes, gain[:, 1]) + casadi.dot(no, gain[:, 0]))
            )
            qualified = [s for s in range(states) if notion == "dp" or s % 2 == 1]
            rates[h][g] = sum(yes[s] for s in qualified) / sum(now[s] for s in qualified)
            if h + 1 < horizon:
                then = casadi.mtimes(casadi.DM(rows[:, 1].T), yes) + casadi.mtimes(casadi.DM(rows[:, 0].T), no)
                at = (g * (horizon - 1) + h) * states
                now = mass[at : at + states]
                equations.append(now - then)
    for of_groups in rates:
        gaps += [of_groups[i] - of_groups[j] for i in range(groups) for j in range(i)]
    constraints = casadi.vertcat(*equations, *gaps)
    equal = sum(e.shape[0] for e in equations)
    quiet = {"print_time": 0, "ipopt.print_level": 0, "ipopt.sb": "yes", "ipopt.max_iter": 500}
    solver = casadi.nlpsol("s", "ipopt", {"x": casadi.vertcat(accept, mass), "f": -value, "g": constraints}, quiet)
    rng = np.random.default_rng(1)
    begin, found, starts = time.process_time(), [], 0
    while time.process_time() - begin < seconds:
        starts += 1
        guess = np.concatenate([rng.random(accept.shape[0]), np.full(mass.shape[0], 1 / states)])
        answer = solver(
            x0=guess, lbx=0, ubx=1, lbg=[0] * equal + [-LIMIT] * len(gaps), ubg=[0] * equal + [LIMIT] * len(gaps)
        )
        if not solver.stats()["success"]:
            continue
        reached = -float(answer["f"])
        if not found or reached > found[-1][1]:
            found.append((time.process_time() - begin, reached))
    return trace_row(found, {}, None, "Ipopt, many starts") | {"starts": starts}


def measure(full: bool, only: str | None = None) -> Iterator[dict[str, Any]]:
    checkpoints = [1, 10, 60, 300] if full else [1, 10]
    for instance in instances(full):
        if only and instance["world"] != only:
            continue
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            make_model(instance, folder)
            asked = ["model.json", "--fairness", instance["notion"], "--limit", LIMIT]
            large = instance["world"] in LARGE
            if "one table" in instance["world"]:
                asked.append("--group-independent")
            fairstep("export", *asked, "-o", "program.lp", folder=folder)
            model = json.loads((folder / "model.json").read_text())
            answers = [
                ours(asked, checkpoints, folder),
                scip(folder / "program.lp", checkpoints),
                None if large else gurobi(folder / "program.lp", checkpoints),
                None if large else ipopt(model, instance["notion"], 10 if full else 3),
            ]
        best = max(answer["value"] for answer in answers if answer and answer["value"] is not None)
        for answer in answers:
            if answer is None:
                continue
            near = [t for t, value in answer["found"] if value >= best - GAP * abs(best)]
            print(f"  {instance} {answer['who']}: {answer['value']}, open {answer['gaps']}", flush=True)
            yield instance | answer | {"best": best, "near": near[0] if near else None}


def tables(rows: list[dict[str, Any]]) -> list[Table]:
    checkpoints = list(next(row for row in rows if row["who"] == "fairstep")["gaps"])
    cells = []
    for row in rows:
        name = f"{row['world']}, {row['kernel']} kernel, {row['notion']}, {row['horizon']} steps"
        cells.append(
            [
                name if row["who"] == "fairstep" else "",
                row["who"],
                "not reached" if row["near"] is None else in_words(row["near"]),
                "no proof" if row["proven"] is None else in_words(row["proven"]),
                *[percent(row["gaps"][c]) if c in row["gaps"] else "-" for c in checkpoints],
            ]
        )
    head = ["", "", "within 0.1 % of the best known", "0.1 % proven", *[f"open after {c} s" for c in checkpoints]]
    return [
        Table(f"Limit {LIMIT}. What is open is the distance from value to bound, as a share of the value.", head, cells)
    ]
