"""The guard of CI: ratios to a fixed loop that is timed in the same run, against those that were once accepted.

A ratio may grow by FACTOR before it is an error: a machine that is busy or of another kind shifts it, while what is
guarded against (an allocation in a hot loop, a lock, a quadratic pass) shifts it more.
"""

import json
from pathlib import Path

from measure import times_as
from suites.kernels import fastest

STANDARD = Path(__file__).resolve().parent / "guard.json"
FACTOR = 2.5
# {room: {benchmark: its reference}}; all of them are CPU time, the least of several repetitions.
GUARDED = {
    "evaluate": {
        "both_passes/5/8": "bare_multiply_adds/20/20",
        "both_passes/20/20": "bare_multiply_adds/20/20",
        "whole_evaluation/5/8": "bare_multiply_adds/20/20",
        "robust_rates/5/8": "bare_multiply_adds/20/20",
    },
    "simulate": {
        "people_fico/1": "random_numbers_of_people_fico",
        "crowd_fico/1000000000000": "random_numbers_of_people_fico",
    },
    "solve": {
        "local_solve_fico_dp": "fixed_loop",
        "proof_fico_dp": "fixed_loop",
        "proof_fico_eqopt": "fixed_loop",
        "certify_fico": "fixed_loop",
        "check_fico": "fixed_loop",
    },
}


def measure() -> dict[str, float]:
    ratios = {}
    for room, of_room in GUARDED.items():
        names = "|".join(sorted({*of_room, *of_room.values()}))
        times = fastest(room, 3, only=f"^({names})$")
        ratios |= {name: times[name]["seconds"] / times[peer]["seconds"] for name, peer in of_room.items()}
    return ratios


def main(accept: bool) -> int:
    ratios = measure()
    if accept:
        STANDARD.write_text(
            json.dumps({name: float(f"{ratio:.3g}") for name, ratio in ratios.items()}, indent=1) + "\n"
        )
    standard = json.loads(STANDARD.read_text())
    slow = 0
    for name, ratio in ratios.items():
        change = ratio / standard[name]
        slow += change > FACTOR
        print(
            f"{name:<28}{times_as(ratio):>10} of its reference, {change:.2f} of the accepted"
            + "  SLOW" * (change > FACTOR)
        )
    print(f"{len(ratios)} passed" if not slow else f"{slow} of {len(ratios)} ratios grew more than {FACTOR} times")
    return 1 if slow else 0
