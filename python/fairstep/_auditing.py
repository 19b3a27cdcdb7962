"""How groups were treated."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from fairstep import _core
from fairstep._core import Audit, Counts, Diagnosis, Policy
from fairstep._counting import Log, counts_of, weighed_log
from fairstep._plainly import plainly
from fairstep._words import RATIOS, labels_apart, notions_and_files, refused_rule, warn_of_features


@plainly
def audit(
    data: Counts | Log,
    *,
    fairness: str | os.PathLike[str] | Sequence[str] = ("dp", "eqopt", "eqodds"),
    limit: float | None = None,
    reference: str | None = None,
    small: int = 50,
    delta: float = 0.05,
    thin: int = 30,
    policy: Policy | None = None,
    labels: str | Sequence[str] | None = None,
    refused: str | None = None,
    weight: str | None = None,
    largest_weight: float | None = None,
    **log: Any,
) -> Audit:
    """How groups were treated at every step, with bands that hold for all steps, groups and pairs at once.

    They hold whatever rows that were left out of the counts would have said. `Audit.assumptions` says what they rest
    on.

    Args:
        data: counts, or a frame or files of a log as in `count`.
        fairness: the notions to look at, ratios (`"dp-ratio"`, `"eqopt-ratio"`) included; or a fairness file, whose
            limits are then judged.
        limit: judge the gaps, or the ratios, by this: `Audit.ruling` and `Audit.limits()` say what the data prove.
        reference: the group that ratios are to; left out: whichever is treated best.
        small: groups of fewer people than this are set apart: shown, but compared with no other.
        delta: all bands of rates hold together with probability 1 - delta; those of differences do so among
            themselves, those of ratios, those of calendar windows, and the ranges of the policy.
        thin: cells with fewer decisions than this are listed.
        labels: `"follow-features"`: given group and feature, labels do not depend on the past. Then decisions without a
            label count by their features (docs/concepts/hidden-labels.md). Or the names of labels, as in `count`.
        refused: with `labels="follow-features"`, what is assumed of those whose label was not seen: `"like-accepted"`,
            `"odds=2"` (or another number) or `"anything"`.
        policy: also what this policy would have done, by the estimated model and by every model that the data allow.
        weight: a column of the log: decisions count by it, so that all rates are weighted, with bands that hold for
            weights from 0 to `largest_weight` (docs/audit.md). Counts have no weights, nor has what they prove.
        largest_weight: the largest weight that there can be, known beforehand and not taken from the data.
        **log: how to read the log: the options of `count`.

    Example:
        >>> a = fairstep.audit(df, fairness="dp")
        >>> gap, low, high = a.gap_bands("dp")
    """
    rule = refused_rule(labels_apart(labels, log), refused)
    if (weight is None) != (largest_weight is None):
        raise ValueError("weight and largest_weight are given together or not at all")
    weights = None
    if weight is not None and largest_weight is not None:
        counts, weights = weighed_log(data, weight, largest_weight, log)
    else:
        counts = counts_of(data, log)
    words, files = notions_and_files(fairness)
    if files and len(words) + len(files) > 1:
        raise ValueError("fairness names a file and more, expected the file alone")
    if limit is not None and files:
        raise ValueError("limit is given, but the limits are those of the fairness file")
    if limit is not None and {word in RATIOS for word in words} == {True, False}:
        raise ValueError("limit is given for gaps and for ratios, which it cannot both be meant for")
    if not words and not files:
        raise ValueError("fairness names nothing to audit, expected a notion or a ratio")
    file = files[0] if files else None
    audited = _core.audit(counts, words, file, limit, reference, small, delta, thin, policy, rule, weights)
    warn_of_features(audited.doubts_of_features, stacklevel=3)  # the user, past `plainly`
    return audited


@plainly
def diagnose(data: Counts | Log, *, level: float = 0.05, **log: Any) -> Diagnosis:
    """Does a log refute the model? Permutation tests that are right at small counts, all groups and tests paid for.

    Args:
        data: counts, or a frame or files of a log as in `count`.
        level: the chance that anything is called refuted if the model holds.
        **log: how to read the log: the options of `count`.

    Example:
        >>> d = fairstep.diagnose(df)
        >>> d.verdict, [t.sentence for t in d.tests if t.verdict == "refuted"]
    """
    return _core.diagnose(counts_of(data, log), level)
