"""How time and memory grow with features, steps, groups and people (CPU time; each size in a process of its own)."""

from typing import Any

from measure import Table, in_words, lines_of, power, program

# What is varied, over which sizes, for what, and the exponent that theory promises (non-zeros of the kernel are
# groups x features x successors, so that features and groups are linear with ten successors a cell).
AXES: dict[str, tuple[list[float], list[str]]] = {
    "features": ([5, 10, 20, 50, 100, 200], ["evaluate", "crowd", "estimate", "certify", "local-dp", "local-eqopt"]),
    "horizon": ([4, 8, 16, 32, 64], ["evaluate", "crowd", "people", "certify", "local-dp", "local-eqopt"]),
    "groups": ([2, 3, 4, 6, 8], ["evaluate", "crowd", "estimate", "certify", "local-dp", "local-eqopt"]),
    "people": ([1e3, 1e6, 1e9, 1e12, 1e15], ["crowd", "estimate", "certify"]),
}


def measure(full: bool) -> list[dict[str, Any]]:
    rows = []
    for axis, (sizes, things) in AXES.items():
        for thing in things:
            for size in sizes if full else sizes[:: max(1, len(sizes) // 3)]:
                people = 1e5 if thing == "people" else 1e6
                words = {"people": people} | {axis: size}
                options = [word for name, value in words.items() for word in (f"--{name}", f"{value:.0f}")]
                (row,) = lines_of(program("growth"), thing, *options)
                rows.append({"axis": axis, "size": size} | row)
    return rows


def tables(rows: list[dict[str, Any]]) -> list[Table]:
    made = []
    for axis in AXES:
        of_axis = [row for row in rows if row["axis"] == axis]
        sizes = sorted({row["size"] for row in of_axis})
        cells = []
        for thing in AXES[axis][1]:
            found = {row["size"]: row for row in of_axis if row["what"] == thing}
            fitted = power(sizes, [found[size]["seconds"] for size in sizes])
            cells.append(
                [
                    thing,
                    *[in_words(found[size]["seconds"]) for size in sizes],
                    f"{fitted:.2f}",
                    f"{found[sizes[-1]]['megabytes']:.0f} MB",
                ]
            )
        names = [f"{size:.0e}".replace("e+", "e") if size >= 1e4 else f"{size:.0f}" for size in sizes]
        made.append(Table(f"By {axis}:", ["", *names, "exponent", "memory at the last"], cells))
    return made
