"""fairstep: decision policies that are fair between groups at every step.

    >>> import fairstep
    >>> m = fairstep.env("fico")
    >>> r = fairstep.solve(m, fairness="dp", limit=0.01)
    >>> r.value, r.bounds, r.policy

Names and options are those of the command and of the C++ library. Arrays are read-only NumPy views with the axes
[g,h,x,y,a] (group, step, feature, label, action; successors x1, y1 last), counted from 0. A question that makes no
sense is a ValueError that says what was found and what would be right.

`fairstep.spark` counts logs on a cluster, and spreads experiments over one.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fairstep._alternatives import alternative
    from fairstep._auditing import audit, diagnose
    from fairstep._comparing import ComparedPolicy, Comparison, Difference, compare
    from fairstep._core import (
        Alternative,
        Audit,
        Binding,
        Bounds,
        Certificate,
        CheckReport,
        Counts,
        DiagnosedTest,
        Diagnosis,
        Estimate,
        Evaluation,
        ExperimentCell,
        ExperimentSummary,
        Finding,
        Fit,
        GapBounds,
        Gaps,
        Grounds,
        Infeasibility,
        Log,
        LogRecord,
        Lost,
        Measured,
        Mismatch,
        Model,
        Part,
        Plan,
        Policy,
        Radii,
        Rates,
        Report,
        ReportFinding,
        ReportVerdict,
        RulesPrice,
        Run,
        SolveResult,
        Update,
    )
    from fairstep._counting import Parts, count, fit
    from fairstep._estimating import bonus, c_hat, d_hat, estimate, radii
    from fairstep._experimenting import experiment, report
    from fairstep._exploring import Explorer, explore
    from fairstep._learning import learn
    from fairstep._populations import env, load, policy
    from fairstep._progress import (
        AlternativeProgress,
        CertifyProgress,
        ExperimentProgress,
        LearnProgress,
        SolveProgress,
    )
    from fairstep._proving import certify, check
    from fairstep._solving import Frontier, ParetoPoint, pareto, solve
    from fairstep._watching import Fall, evaluate, falls, simulate, simulate_log

# Where each name lives: the compiled part is loaded when the first of them is asked for, so that `fairstep.spark` can
# be imported where there is none.
_HOME = {
    "_alternatives": "alternative",
    "_auditing": "audit diagnose",
    "_comparing": "ComparedPolicy Comparison Difference compare",
    "_core": "Alternative Audit Binding Bounds Certificate CheckReport Counts DiagnosedTest Diagnosis Estimate "
    "Evaluation ExperimentCell ExperimentSummary Finding Fit GapBounds Gaps Grounds Infeasibility Log LogRecord Lost "
    "Measured Mismatch Model Part Plan Policy Radii Rates Report ReportFinding ReportVerdict RulesPrice Run "
    "SolveResult Update",
    "_counting": "Parts count fit",
    "_estimating": "bonus c_hat d_hat estimate radii",
    "_experimenting": "experiment report",
    "_exploring": "Explorer explore",
    "_learning": "learn",
    "_populations": "env load policy",
    "_progress": "AlternativeProgress CertifyProgress ExperimentProgress LearnProgress SolveProgress",
    "_proving": "certify check",
    "_solving": "Frontier ParetoPoint pareto solve",
    "_watching": "Fall evaluate falls simulate simulate_log",
}
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names.split()}

__all__ = [
    "Alternative",
    "AlternativeProgress",
    "Audit",
    "Binding",
    "Bounds",
    "Certificate",
    "CertifyProgress",
    "CheckReport",
    "ComparedPolicy",
    "Comparison",
    "Counts",
    "DiagnosedTest",
    "Diagnosis",
    "Difference",
    "Estimate",
    "Evaluation",
    "ExperimentCell",
    "ExperimentProgress",
    "ExperimentSummary",
    "Explorer",
    "Fall",
    "Finding",
    "Fit",
    "Frontier",
    "GapBounds",
    "Gaps",
    "Grounds",
    "Infeasibility",
    "LearnProgress",
    "Log",
    "LogRecord",
    "Lost",
    "Measured",
    "Mismatch",
    "Model",
    "ParetoPoint",
    "Part",
    "Parts",
    "Plan",
    "Policy",
    "Radii",
    "Rates",
    "Report",
    "ReportFinding",
    "ReportVerdict",
    "RulesPrice",
    "Run",
    "SolveProgress",
    "SolveResult",
    "Update",
    "alternative",
    "audit",
    "bonus",
    "c_hat",
    "certify",
    "check",
    "compare",
    "count",
    "d_hat",
    "diagnose",
    "env",
    "estimate",
    "evaluate",
    "experiment",
    "explore",
    "falls",
    "fit",
    "learn",
    "load",
    "pareto",
    "policy",
    "radii",
    "report",
    "simulate",
    "simulate_log",
    "solve",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return import_module("fairstep._core").version
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'fairstep' has no attribute {name!r}")
    try:
        found = getattr(import_module(f"fairstep.{_MODULE_OF[name]}"), name)
    except ImportError:
        if find_spec("fairstep._core") is not None:
            raise
        raise ImportError(
            "the compiled part of fairstep is not here: `pip install .` in its repository builds it, "
            "`scripts/build release fairstep_python` puts it into build/python"
        ) from None
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
