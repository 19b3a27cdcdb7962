"""Whole grids of learning runs, and reports on them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fairstep import _core
from fairstep._core import ExperimentSummary
from fairstep._plainly import plainly
from fairstep._progress import ExperimentProgress, Progress, shown

if TYPE_CHECKING:
    from fairstep._core import Report


@plainly
def experiment(
    file: str | os.PathLike[str],
    *,
    output: str | os.PathLike[str],
    only: Sequence[str] = (),
    threads: int | None = None,
    restart: bool = False,
    progress: Progress[ExperimentProgress] = None,
) -> ExperimentSummary:
    """Runs a whole grid of learning runs on all cores: environments, notions of fairness, methods and repeats.

    Ctrl-C stops it, and the same call goes on from there.

    Args:
        file: the experiment, TOML (docs/experiments.md).
        output: keep it in this folder, and take it up from there.
        only: parts of it, by their paths below the folder, such as `"runs/fico/dp"`.
        threads: they change nothing but the time. None: one per core.
        restart: drop the experiment that is in the folder and start over.
        progress: as in `solve`; a function gets `ExperimentProgress`.

    Example:
        >>> fairstep.experiment("configs/paper.toml", output="runs/paper").to_frame()
        >>> fairstep.report("runs/paper").save("report.html")
    """
    with shown(progress, "experiment", 100, "%") as tell:
        return _core.experiment(
            file,
            output,
            threads or os.cpu_count() or 1,
            restart,
            list(only),
            tell and (lambda done, runs, share, current: tell(ExperimentProgress(done, runs, share, current))),
        )


@plainly
def report(folder: str | os.PathLike[str], *, output: str | os.PathLike[str] | None = None) -> Report:
    """One HTML file about an experiment, with charts and verdicts, that needs no network.

    Args:
        folder: of an experiment.
        output: write it there: a page, or with a name that ends in .md summary, numbers and verdicts.

    Returns:
        The report: `verdicts`, `summary`, `html`, and `save`.
    """
    if not hasattr(_core, "report"):
        raise RuntimeError("this fairstep was built without the report, which takes Node.js (FAIRSTEP_REPORT)")
    made = _core.report(folder)
    if output is not None:
        made.save(output)
    return made
