"""Logs and frames of decisions into counts, and from there to a model."""

from __future__ import annotations

import inspect
import os
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol, overload, runtime_checkable

from fairstep import _core, _estimating
from fairstep._core import Counts, Estimate, Model
from fairstep._plainly import plainly
from fairstep._words import Kernel, check_time_limit, did_you_mean, kernel_wanted, labels_apart, refused_rule

ROLES = ("person", "step", "group", "x", "y", "a", "reward", "time")


@runtime_checkable
class ArrowStream(Protocol):
    """Any frame that speaks the Arrow C stream interface: of pandas (2.2 or newer, with pyarrow), Polars, PyArrow,
    DuckDB and others."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


Log = str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | ArrowStream
Bins = str | Mapping[str, Sequence[float]] | Sequence[float] | Sequence[str]


Map = str | Mapping[str, str | Sequence[str]]
Recodes = str | Sequence[str] | Mapping[str, Mapping[str, str]]
Wide = str | Sequence[str] | Mapping[str, Sequence[str]]


def _mapped(map: Map | None) -> list[tuple[str, str]]:
    if isinstance(map, str):
        pairs = [tuple(part.split("=", 1)) for part in map.split(",")]
        for pair in pairs:
            if len(pair) != 2 or not pair[1]:
                raise ValueError(f'map has "{"=".join(pair)}", expected what and its column: x=score_band')
    else:
        given = (map or {}).items()
        pairs = [(role, columns if isinstance(columns, str) else "+".join(columns)) for role, columns in given]
    for role, column in pairs:
        if role == "weight":
            raise ValueError(
                "map has a weight, and counts have none: a certificate needs people who were drawn, each for one; "
                f'an audit of a log takes it: audit(log, weight="{column}", largest_weight=...)'
            )
        if role not in ROLES:
            raise ValueError(f'map has "{role}", expected one of {", ".join(ROLES)}' + did_you_mean(role, ROLES))
    return [(role, column) for role, column in pairs]


def _set_bins(bins: Bins, options: _core.CountOptions) -> None:
    """`{"score": [0, 12.5]}`, `"score=0,12.5"`, or the numbers alone: then they are about the column of x."""
    if isinstance(bins, str):
        column, _, edges = bins.partition("=")
        try:
            options.add_bins(column, [float(edge) for edge in edges.split(",")])
        except ValueError:
            raise ValueError(
                f'bins is "{bins}", expected a column and where each bin begins: score=0,12.5,37.5'
            ) from None
    elif isinstance(bins, Mapping):
        for column, numbers in bins.items():
            options.add_bins(column, [float(number) for number in numbers])
    elif bins and all(isinstance(text, str) for text in bins):
        for text in bins:
            _set_bins(str(text), options)
    else:
        options.bins = [float(number) for number in bins]


def _texts(given: str | Sequence[str]) -> Sequence[str]:
    return [given] if isinstance(given, str) else given


def _set_shape(
    options: _core.CountOptions,
    query: str | None,
    recode: Recodes | None,
    wide: Wide | None,
    step_from: str | None,
    every: str | None,
    missing: Sequence[str] | None,
) -> None:
    """How the table becomes rows of decisions."""
    if query is not None:
        if not query.strip():
            raise ValueError("query is empty, expected one SELECT over the table log")
        options.set_query(query)
    if isinstance(recode, Mapping):
        for column, names in recode.items():
            values = {str(value): str(name) for value, name in names.items()}
            other = values.pop("*", None)
            options.add_recode(column, values, other)
    else:
        for text in _texts(recode or []):
            options.add_recode_text(text)
    if isinstance(wide, Mapping):
        for column, sources in wide.items():
            options.add_wide(list(sources), column)
    else:
        for text in _texts(wide or []):
            options.add_wide_text(text)
    if (step_from is None) != (every is None):
        raise ValueError('step_from and every are given together or not at all: step_from="date", every="month"')
    if step_from is not None and every is not None:
        options.set_step(step_from, every)
    if missing is not None:
        options.set_missing([missing] if isinstance(missing, str) else list(missing))


def _names(given: Sequence[str]) -> list[str]:
    """A list, or one text with commas in it as on the command line."""
    return given.split(",") if isinstance(given, str) else list(given)


def _options(
    *,
    map: Map | None,
    bins: Bins | None,
    like: Model | Counts | str | os.PathLike[str] | None,
    groups: Sequence[str] | None,
    features: Sequence[str] | None,
    labels: Sequence[str] | None,
    actions: Sequence[str] | None,
    first_step: int | None,
    horizon: int | None,
    censored: str | None,
    window: str | None,
    delimiter: str | None,
    encoding: str,
    memory: int,
    temporary: str | os.PathLike[str] | None,
    threads: int | None,
    exclude_groups: Sequence[str] | None,
    kernel: Kernel | None,
    query: str | None,
    recode: Recodes | None,
    wide: Wide | None,
    step_from: str | None,
    every: str | None,
    missing: Sequence[str] | None,
    allow_loss: bool | None,
) -> _core.CountOptions:
    options = _core.CountOptions()
    options.columns = _mapped(map)
    _set_shape(options, query, recode, wide, step_from, every, missing)
    if bins is not None:
        _set_bins(bins, options)
    if like is not None:
        names = like if isinstance(like, Model | Counts) else _core.load(like)
        if not isinstance(names, Model | Counts):
            raise ValueError("like is a policy, expected a model or counts")
        options.take_names(names)
    if groups is not None:
        options.groups = _names(groups)
        options.groups_may_be_empty = False
    if exclude_groups is not None:
        options.excluded_groups = _names(exclude_groups)
    if features is not None:
        options.features = _names(features)
    if labels is not None:
        options.labels = _names(labels)
    if actions is not None:
        options.actions = _names(actions)
    if first_step is not None:
        options.first_step = first_step
    if horizon is not None:
        options.horizon = horizon
    if censored is not None:
        options.set_censored(censored)
    options.allow_loss = bool(allow_loss)
    has_time = "time" in dict(options.columns)
    if window is not None and not has_time:
        raise ValueError("window needs a column of times: map={'time': 'date'}, if the column is called date")
    if has_time:
        options.set_window(window or "month")
    if delimiter is not None:
        if delimiter != "tab" and len(delimiter.encode()) != 1:
            raise ValueError(f'delimiter is "{delimiter}", expected one character, or tab')
        options.set_delimiter("\t" if delimiter == "tab" else delimiter)
    options.set_encoding(encoding)
    if kernel is not None:
        options.set_kernel(kernel_wanted(kernel))
    options.memory_bytes = memory * 1_000_000
    if temporary is not None:
        options.temporary_directory = temporary
    options.threads = threads or os.cpu_count() or 1
    return options


def _patterns(data: str | os.PathLike[str] | Sequence[str | os.PathLike[str]]) -> list[str]:
    if isinstance(data, str | os.PathLike):
        return [os.fspath(data)]
    if isinstance(data, Sequence) and data and all(isinstance(name, str | os.PathLike) for name in data):
        return [os.fspath(name) for name in data]
    hint = ""
    if type(data).__module__.partition(".")[0] == "pandas":
        hint = ": pandas 2.2 or newer has it"
    raise TypeError(
        f"a {type(data).__name__} is no log: expected the names of files, or a frame that has __arrow_c_stream__{hint}"
    )


def _in_words(finding: _core.Finding) -> str:
    what = f"{finding.anomaly} {finding.role}".strip()
    return (
        f"{what} in {finding.rows} row{'' if finding.rows == 1 else 's'}, the first is {finding.row} of {finding.file}"
    )


def _check_strict(counts: Counts, strict: bool) -> None:
    if strict and counts.log is not None and counts.log.findings:
        raise ValueError("strict: " + "; ".join(_in_words(finding) for finding in counts.log.findings))


def check_split(split: float | None, seed: int | None) -> tuple[float, int] | None:
    """Share and seed, if people are to be split."""
    if split is None:
        if seed is not None:
            raise ValueError("seed is given without split, and nothing else is drawn")
        return None
    if seed is None:
        raise ValueError("split needs a seed: any number will do, chosen once and before anybody looks at results")
    if not 0 <= seed < 2**64:
        raise ValueError(f"seed is {seed}, expected a whole number from 0 to 2^64 - 1")
    return split, seed


class Parts(NamedTuple):
    """The counts of people who were split: `design, audit = fairstep.count(log, split=0.3, seed=7)`."""

    design: Counts
    audit: Counts

    def save(self, design: str | os.PathLike[str], audit: str | os.PathLike[str]) -> None:
        """Writes both files or neither."""
        _core.save_parts(self.design, design, self.audit, audit)


@overload
def count(
    data: Log,
    *,
    map: Map | None = None,
    bins: Bins | None = None,
    like: Model | Counts | str | os.PathLike[str] | None = None,
    groups: Sequence[str] | None = None,
    features: Sequence[str] | None = None,
    labels: Sequence[str] | None = None,
    actions: Sequence[str] | None = None,
    first_step: int | None = None,
    horizon: int | None = None,
    censored: str | None = None,
    window: str | None = None,
    delimiter: str | None = None,
    encoding: str = "utf-8",
    memory: int = 600,
    temporary: str | os.PathLike[str] | None = None,
    threads: int | None = None,
    exclude_groups: Sequence[str] | None = None,
    strict: bool = False,
    time_limit: float | None = None,
    query: str | None = None,
    recode: Recodes | None = None,
    wide: Wide | None = None,
    step_from: str | None = None,
    every: str | None = None,
    missing: Sequence[str] | None = None,
    allow_loss: bool = False,
    split: None = None,
    seed: None = None,
    kernel: Kernel | None = None,
) -> Counts: ...


@overload
def count(
    data: Log,
    *,
    map: Map | None = None,
    bins: Bins | None = None,
    like: Model | Counts | str | os.PathLike[str] | None = None,
    groups: Sequence[str] | None = None,
    features: Sequence[str] | None = None,
    labels: Sequence[str] | None = None,
    actions: Sequence[str] | None = None,
    first_step: int | None = None,
    horizon: int | None = None,
    censored: str | None = None,
    window: str | None = None,
    delimiter: str | None = None,
    encoding: str = "utf-8",
    memory: int = 600,
    temporary: str | os.PathLike[str] | None = None,
    threads: int | None = None,
    exclude_groups: Sequence[str] | None = None,
    strict: bool = False,
    time_limit: float | None = None,
    query: str | None = None,
    recode: Recodes | None = None,
    wide: Wide | None = None,
    step_from: str | None = None,
    every: str | None = None,
    missing: Sequence[str] | None = None,
    allow_loss: bool = False,
    split: float,
    seed: int,
    kernel: Kernel | None = None,
) -> Parts: ...


@plainly
def count(
    data: Log,
    *,
    map: Map | None = None,
    bins: Bins | None = None,
    like: Model | Counts | str | os.PathLike[str] | None = None,
    groups: Sequence[str] | None = None,
    features: Sequence[str] | None = None,
    labels: Sequence[str] | None = None,
    actions: Sequence[str] | None = None,
    first_step: int | None = None,
    horizon: int | None = None,
    censored: str | None = None,
    window: str | None = None,
    delimiter: str | None = None,
    encoding: str = "utf-8",
    memory: int = 600,
    temporary: str | os.PathLike[str] | None = None,
    threads: int | None = None,
    exclude_groups: Sequence[str] | None = None,
    strict: bool = False,
    time_limit: float | None = None,
    query: str | None = None,
    recode: Recodes | None = None,
    wide: Wide | None = None,
    step_from: str | None = None,
    every: str | None = None,
    missing: Sequence[str] | None = None,
    allow_loss: bool = False,
    split: float | None = None,
    seed: int | None = None,
    kernel: Kernel | None = None,
) -> Counts | Parts:
    """Counts of a log of decisions: of a frame, or of CSV or Parquet files.

    A log has a row for each decision, with person, step, group, x, y, a, and reward if there is one. Rows that are not
    as they should be are counted and named in `counts.log.findings`, never silently repaired (docs/logs.md).

    Args:
        data: a frame of pandas, Polars, PyArrow, DuckDB or anything else with `__arrow_c_stream__`, which is read where
            it is; or files, patterns such as `"logs/*.parquet"`, or a list of them.
        map: columns of the log: `{"person": "id", "x": "score_band"}`, or as on the command line. A person, group or x
            may be made of several: `{"group": ("sex", "education")}`.
        bins: numbers of x, or of a column of group or x: `{"score": [0, 12.5, 37.5]}` makes a feature of [0, 12.5),
            and so on.
        like: groups, features, labels, actions and steps of this model or these counts.
        groups: the groups in this order, and no others; left out: those that occur.
        features: the features in this order, and no others; with `bins`, their names.
        labels: names of label 0 and 1, understood as values too.
        actions: names of action 0 and 1, understood as values too.
        first_step: the log's number of the first step; left out: the lowest that occurs.
        horizon: number of steps; left out: up to the highest that occurs.
        censored: what to assume about decisions without a label: `"drop"` leaves them out and keeps account of them,
            `"assume-ignorable"` draws their labels.
        window: with a time in `map`: decisions by `"month"`, `"quarter"`, `"year"` or `"30days"`.
        delimiter: what separates the columns of CSV files; None: as their first lines show.
        encoding: of CSV files: `"utf-8"` or `"latin-1"`.
        memory: megabytes for the engine; beyond them it uses the disk.
        temporary: the folder where it does so.
        threads: they change nothing but the time. None: one per core.
        exclude_groups: groups outside of the study: their rows are left out, and named in `counts.log.excluded`.
        strict: whatever is not as it should be is an error.
        time_limit: seconds after which it gives up: counts of a part of a log would not be those of the log.
        query: one SELECT over the table `log`, whose columns are mapped instead of those of the log.
        recode: other names for values: `{"EDUCATION": {"1": "graduate", "2": "university", "*": "other"}}`, or as on
            the command line.
        wide: a row for each of some columns, at steps 0, 1, ...: `{"x": ["PAY_3", "PAY_2", "PAY_0"]}`.
        step_from: the step is made of this column of dates or times, with `every`.
        every: `"month"`, a number of days such as `"30d"`, or `"order"`: that of each person's rows.
        missing: texts that stand for no value, besides the empty one; None: NA, N/A, ?, null, NULL, nan and NaN.
        allow_loss: count what is left though more than 5 % of the rows cannot be used.
        split: split the people: this share of them is the design part, all others are the audit part (docs/logs.md).
        seed: of the split, to be chosen once and before anybody looks at results.
        kernel: what next states are counted by: `"pooled"`, over all steps, which it is if left out; `"per-step"`; or
            periods by their first steps, `{"before": 0, "after": 3}`.

    Returns:
        The counts, which say under `part` what they are if people were split: then both parts, `design` first.

    Raises:
        TimeoutError: when the time is up.

    Rows that cannot be used are not forgotten: `counts.log.lost` has what they may have been.

    Example:
        >>> counts = fairstep.count(df, map={"person": "customer", "x": "band", "y": "repaid"}, censored="drop")
        >>> counts.log.findings
        [Finding(missing y, rows=12, first=7)]
    """
    options = _options(
        map=map,
        bins=bins,
        like=like,
        groups=groups,
        features=features,
        labels=labels,
        actions=actions,
        first_step=first_step,
        horizon=horizon,
        censored=censored,
        window=window,
        delimiter=delimiter,
        encoding=encoding,
        memory=memory,
        temporary=temporary,
        threads=threads,
        exclude_groups=exclude_groups,
        kernel=kernel,
        query=query,
        recode=recode,
        wide=wide,
        step_from=step_from,
        every=every,
        missing=missing,
        allow_loss=allow_loss,
    )
    check_time_limit(time_limit)
    halves = check_split(split, seed)
    if halves is not None:
        both = (
            _core.split_frame(data, halves, options, time_limit)
            if isinstance(data, ArrowStream)
            else _core.split_log(_patterns(data), halves, options, time_limit)
        )
        for part in both:
            _check_strict(part, strict)
        return Parts(*both)
    if isinstance(data, ArrowStream):
        counts = _core.count_frame(data, options, time_limit)
    else:
        counts = _core.count_log(_patterns(data), options, time_limit)
    _check_strict(counts, strict)
    return counts


def weighed_log(
    data: Counts | Log, weight: str, largest_weight: float, log: Mapping[str, Any]
) -> tuple[Counts, _core.DecisionWeights]:
    """The counts of a log and the weights of its decisions; `log` are the options of `count`."""
    if isinstance(data, Counts):
        raise ValueError("weight is about rows of a log, but counts are given: counts have no weights")
    for name in ("split", "seed", "kernel"):
        if log.get(name) is not None:
            raise ValueError(f"weight and {name} do not go together: an audit of weights is of the whole log")
    known = {name: value for name, value in log.items() if name not in ("strict", "time_limit", "split", "seed")}
    usual: dict[str, Any] = dict.fromkeys(inspect.signature(_options).parameters)
    options = _options(**usual | {"encoding": "utf-8", "memory": 600} | known)
    options.set_weight(weight, largest_weight)
    time_limit = log.get("time_limit")
    check_time_limit(time_limit)
    if isinstance(data, ArrowStream):
        counts, weights = _core.weigh_frame(data, options, time_limit)
    else:
        counts, weights = _core.weigh_log(_patterns(data), options, time_limit)
    _check_strict(counts, log.get("strict", False))
    return counts, weights


def counts_of(data: Counts | Log, log: Mapping[str, Any]) -> Counts:
    """Counts as they are, or those of a log that is read by the options of `count`."""
    if log.get("split") is not None:
        raise ValueError("split makes two counts, expected one: count(..., split=...) has both parts")
    if not isinstance(data, Counts):
        counts: Counts = count(data, **log)
        return counts
    for name in log:
        if name not in inspect.signature(count).parameters:
            raise TypeError(f"got an unexpected keyword argument {name!r}")
        raise ValueError(f"{name} is about reading a log, but counts are given")
    return data


@plainly
def fit(
    data: Counts | Log,
    *,
    share: Mapping[str, float] | Sequence[float] | None = None,
    unvisited: str | None = None,
    discount: float = 1.0,
    labels: str | Sequence[str] | None = None,
    refused: str | None = None,
    point: str | None = None,
    kernel: Kernel | None = None,
    reward: _estimating.Rewards | None = None,
    no_participation: bool = False,
    **log: Any,
) -> Estimate:
    """Estimates a model from a frame, from files of a log, or from counts.

    Transition rows, mean rewards and first states of the model are the proportions and means that were counted. A cell
    is a group, feature, label and action; one whose successor was never seen is listed, and its row is a guess by the
    rule of `unvisited`.

    Args:
        data: a frame or files as in `count`, or counts.
        share: of each group in the population, by name or in order; left out: those of the people counted.
        unvisited: the row of a cell without a seen successor: `"stay"`, no change, `"uniform"`, all states alike, or
            `"error"`. Left out: no change, and a model of nothing but guesses is refused.
        discount: of the model.
        labels: `"follow-features"`, an assumption that makes use of decisions without a label, with `refused` and
            `point` as in `estimate`; or the names of labels, as in `count`.
        refused: what is assumed of those whose label was not seen.
        point: which of the models that this allows.
        kernel: one kernel for all steps (`"pooled"`), for each step (`"per-step"`) or for each of some periods,
            `{"before": 0, "after": 3}`. Left out: one for all steps of a log, and of counts as they were counted.
        reward: what decisions earn, given in place of the log's rewards, as in `estimate`: `{"y1a1": 1, "y0a1": -4}`.
        no_participation: do not estimate who joins when and who leaves after what, even if the log shows it.
        **log: how to read the log: the options of `count`.

    Returns:
        The estimate: `model`, and how much was behind it. `Estimate.radii` says how far off it may be.

    Example:
        >>> found = fairstep.fit(df, map={"x": "band"})
        >>> fairstep.solve(found.model, fairness="dp", limit=0.05)
    """
    rule = refused_rule(labels_apart(labels, log), refused, point)
    if kernel is not None and not isinstance(data, Counts):
        log["kernel"] = kernel
    counts = counts_of(data, log)
    if kernel is not None:
        counts = counts.by(kernel)
    found = _estimating.estimated(counts, share, unvisited, discount, None, rule, point, reward, not no_participation)
    _estimating.warn_of(found, counts)
    return found
