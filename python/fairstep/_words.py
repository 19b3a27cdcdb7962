"""Words that stand for choices, understood as on the command line."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from fairstep import _core

NOTIONS = dict(_core.notions())  # {"dp": "demographic parity", ...}
RATIOS = dict(_core.ratios())  # {"dp-ratio": "adverse impact ratio", ...}

Kernel = str | Mapping[str, int]

Fairness = str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """`; did you mean "dp"?`, or nothing if nothing is near."""
    hint = _core.did_you_mean(word, list(known))
    return f"; {hint}" if hint else ""


def kernel_wanted(kernel: Kernel) -> str | list[tuple[str, int]]:
    """`"pooled"`, `"per-step"`, or `{"before": 0, "after": 3}`, as the library takes it."""
    return kernel if isinstance(kernel, str) else list(kernel.items())


def notions_in(fairness: str | Sequence[str]) -> list[str]:
    """`"dp,eqopt"` or `["dp", "eqopt"]`, in one order."""
    words = [word.strip() for word in fairness.split(",")] if isinstance(fairness, str) else list(fairness)
    for word in words:
        if word not in NOTIONS:
            known_elsewhere = "; ratios are for solve, pareto and evaluate" if word in RATIOS else ""
            hint = known_elsewhere or did_you_mean(word, NOTIONS)
            raise ValueError(f'fairness has "{word}", expected dp, eqopt or eqodds{hint}')
    return [notion for notion in NOTIONS if notion in words]


def notions_and_ratios(fairness: str | Sequence[str]) -> tuple[list[str], list[str]]:
    """`"dp,eqopt-ratio"`: the notions, those that ratios follow from among them, and the ratios, each in one order."""
    words = [word.strip() for word in fairness.split(",")] if isinstance(fairness, str) else list(fairness)
    known = (*NOTIONS, *RATIOS)
    for word in words:
        if word not in known:
            raise ValueError(f'fairness has "{word}", expected {", ".join(known)}{did_you_mean(word, known)}')
    notions = [notion for notion in NOTIONS if notion in words or f"{notion}-ratio" in words]
    return notions, [ratio for ratio in RATIOS if ratio in words]


def notions_and_files(fairness: Fairness) -> tuple[list[str], list[str]]:
    """What is asked for: notions of fairness and ratios, and files with constraints."""
    words = (*NOTIONS, *RATIOS)
    given: list[str] = []
    for part in [fairness] if isinstance(fairness, str | os.PathLike) else (fairness or []):
        text = os.fspath(part)
        given += [text] if text in words or os.path.exists(text) else [word.strip() for word in text.split(",")]
    notions, files, none = [], [], False
    for word in given:
        if word == "none":
            none = True
        elif word in notions:
            raise ValueError(f"fairness names {word} twice, expected once")
        elif word in words:
            notions.append(word)
        elif "." in word or os.sep in word or os.path.exists(word):
            files.append(word)
        else:
            raise ValueError(
                f'fairness is "{word}", expected {", ".join(words)}, none or a file'
                + did_you_mean(word, (*words, "none"))
            )
    if none and len(given) > 1:
        raise ValueError("fairness none stands alone, but others are given with it")
    return notions, files


def refused_rule(labels: str, refused: str | None, point: str | None = None) -> str | None:
    """What is assumed of those whose label was not seen; None if nothing is assumed about labels."""
    known = ("as-seen", "follow-features")
    if labels not in known:
        raise ValueError(f'labels is "{labels}", expected as-seen or follow-features' + did_you_mean(labels, known))
    if labels == "follow-features":
        return "like-accepted" if refused is None else refused
    for name, value in (("refused", refused), ("point", point)):
        if value is not None:
            raise ValueError(f'{name} is given without labels="follow-features"')
    return None


def warn_of_features(doubts: Iterable[str], stacklevel: int) -> None:
    """What a log says against labels that follow features, where somebody assumes that they do."""
    for doubt in doubts:
        warnings.warn(doubt, stacklevel=stacklevel + 1)


def labels_apart(labels: str | Sequence[str] | None, log: dict[str, Any]) -> str:
    """What is assumed about labels; names of labels go to the options of the log."""
    if labels is None or isinstance(labels, str):
        return labels or "as-seen"
    log["labels"] = labels
    return "as-seen"


def limits_of(limit: float | None, limit_per_step: Sequence[float] | None, default: float) -> list[float]:
    """One limit for all steps, or one for each."""
    if limit is not None and limit_per_step is not None:
        raise ValueError("limit and limit_per_step are both given, expected one of them")
    if limit_per_step is not None:
        return [float(entry) for entry in limit_per_step]
    return [default if limit is None else float(limit)]


def check_time_limit(seconds: float | None) -> None:
    if seconds is not None and not seconds > 0:
        raise ValueError(f"time_limit is {seconds}, expected more than 0 seconds")
