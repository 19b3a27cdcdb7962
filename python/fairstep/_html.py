"""Results in a notebook: a headline and small plain tables. Names come from files, so that everything is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from fairstep._core import one_minus, round_down, round_down_short, round_up, round_up_percent, round_up_short
from fairstep._missing import greatest, least, shown
from fairstep._shown import escape
from fairstep._words import NOTIONS, RATIOS

if TYPE_CHECKING:
    from fairstep._core import (
        Audit,
        Certificate,
        Counts,
        Estimate,
        Evaluation,
        Grounds,
        Model,
        Policy,
        Rates,
        Report,
        Run,
        SolveResult,
    )
    from fairstep._solving import Frontier

MOST_ROWS = 24
MOST_COLUMNS = 16


# A name of hundreds of letters does not push the numbers off the page.
_WRAPPED = "white-space:normal;max-width:24em;overflow-wrap:anywhere"


def _cell(value: Any) -> str:
    if isinstance(value, str):
        return f'<td style="text-align:left;{_WRAPPED}">{escape(value)}</td>'
    if isinstance(value, bool | np.bool_):
        return f"<td>{'yes' if value else 'no'}</td>"
    if isinstance(value, int | np.integer):
        return f"<td>{value:,}</td>"
    if isinstance(value, _AtMost | _AtLeast) and isfinite(value.bound):
        return f"<td>{round_up(value.bound) if isinstance(value, _AtMost) else round_down(value.bound)}</td>"
    number = float(value.bound if isinstance(value, _AtMost | _AtLeast) else value)
    return f"<td>{number:.4f}</td>" if isfinite(number) else "<td>&ndash;</td>"


@dataclass(frozen=True)
class _AtMost:
    """An upper bound in a table: rounded up."""

    bound: float


@dataclass(frozen=True)
class _AtLeast:
    """A lower bound in a table: rounded down."""

    bound: float


def _table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    rows = list(rows)
    shown = "".join("<tr>" + "".join(_cell(value) for value in row) + "</tr>" for row in rows[:MOST_ROWS])
    more = f"<p>and {len(rows) - MOST_ROWS:,} more rows</p>" if len(rows) > MOST_ROWS else ""
    titles = "".join(f'<th style="{_WRAPPED}">{escape(title)}</th>' for title in head)
    return f"<table><thead><tr>{titles}</tr></thead><tbody>{shown}</tbody></table>{more}"


def _page(headline: str, *parts: str) -> str:
    """The headline is ours but for what was escaped into it."""
    return f"<div><p>{headline}</p>{''.join(parts)}</div>"


def _number(value: float) -> str:
    return f"{value:.6g}" if isfinite(value) else "&ndash;"


def _plural(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _by_step(groups: Sequence[str], table: Any) -> str:
    """[g,h], a row for each group."""
    table = np.asarray(table)
    steps = min(table.shape[1], MOST_COLUMNS)
    more = f"<p>and {table.shape[1] - steps:,} more steps</p>" if table.shape[1] > steps else ""
    rows = ([group, *row[:steps]] for group, row in zip(groups, table, strict=True))
    return _table(["group", *(f"step {h}" for h in range(steps))], rows) + more


def model(self: Model) -> str:
    low, high = self.reward_range
    facts = [
        _plural(len(self.groups), "group"),
        _plural(len(self.features), "feature"),
        _plural(self.horizon, "step"),
        f"discount {self.discount:g}",
        f"rewards from {low:g} to {high:g}",
    ]
    if self.participates:
        facts.append("people come and go")
    about = f"<br>{escape(self.description)}" if self.description else ""
    qualified = self.initial[:, :, 1].sum(axis=1)
    rows = zip(self.groups, self.share, qualified, strict=True)
    return _page(
        f"<b>Model</b>: {', '.join(facts)}{about}",
        _table(["group", "share", f"{self.labels[1]} at first"], rows),
        _rests_on(self.rests_on),
    )


def _rests_on(grounds: Grounds | None) -> str:
    """What an estimated model rests on."""
    if grounds is None:
        return ""
    rule = f" ({escape(grounds.unvisited)})" if grounds.guessed_rows else ""
    text = (
        f"<p>Rests on {int(grounds.people.sum()):,} people and {int(grounds.rewards.sum()):,} decisions; "
        f"{grounds.guessed_rows:,} of {grounds.successors.size:,} rows are guesses{rule}.</p>"
    )
    return text + _caveats(grounds.caveats)


def policy(self: Policy) -> str:
    groups, steps, features = self.accept.shape
    names = ["any"] if self.group_independent else self.groups or [str(g) for g in range(groups)]
    columns = min(features, MOST_COLUMNS)
    more = f"<p>and {features - columns:,} more features</p>" if features > columns else ""
    rows = ([names[g], h, *self.accept[g, h, :columns]] for g in range(groups) for h in range(steps))
    kind = "does not look at the group" if self.group_independent else _plural(groups, "group")
    return _page(
        f"<b>Policy</b>: {kind}, {_plural(steps, 'step')}, {_plural(features, 'feature')}. Probability to accept:",
        _table(["group", "step", *(f"x={x}" for x in range(columns))], rows) + more,
    )


def counts(self: Counts) -> str:
    decisions = self.visits.sum(axis=(1, 2, 3, 4))
    successors = self.transitions.sum(axis=(1, 2, 3, 4, 5))
    rows = zip(self.groups, self.people, decisions, successors, strict=True)
    findings = _findings(self.log.findings) if self.log is not None else ""
    return _page(
        f"<b>Counts</b>: {_plural(int(self.people.sum()), 'person').replace('persons', 'people')}, "
        f"{_plural(self.decisions, 'decision')}, {_plural(self.horizon, 'step')}, "
        f"{_plural(len(self.features), 'feature')}"
        + (f", the {self.part.role} part of a split" if self.part is not None else ""),
        _table(["group", "people", "decisions", "successors seen"], rows),
        findings,
    )


def _findings(findings: Sequence[Any]) -> str:
    if not findings:
        return ""
    rows = ((f"{found.anomaly} {found.role}".strip(), found.rows, found.file, found.row) for found in findings)
    return "<p>Not as it should be in the log:</p>" + _table(["what", "rows", "first in", "row"], rows)


def rates(self: Rates) -> str:
    names = {"accept": "P(a=1)", "tpr": "P(a=1 | y=1)", "fpr": "P(a=1 | y=0)", "qualified": "P(y=1)"}
    return _page(
        "<b>Rates</b>",
        *(f"<p>{escape(what)}</p>{_by_step(self.groups, getattr(self, name))}" for name, what in names.items()),
    )


def _caveats(sentences: Sequence[str]) -> str:
    """What a policy rests on under an estimated model."""
    return "".join(f"<p>{escape(sentence[:1].upper() + sentence[1:])}.</p>" for sentence in sentences)


def evaluation(self: Evaluation) -> str:
    worst = (f"{NOTIONS[name]} {shown(greatest(getattr(self.gap, name)))}" for name in NOTIONS)
    return _page(
        f"<b>Evaluation</b>: value {_number(self.value)}. Widest gaps: {', '.join(worst)}. Share accepted:",
        _by_step(self.groups, self.rates.accept),
        _caveats(self.caveats),
    )


def estimate(self: Estimate) -> str:
    grounds = self.model.rests_on
    assert grounds is not None
    return _page(
        f"<b>Estimate</b> from {int(grounds.people.sum()):,} people and {int(self.visits.sum()):,} decisions; "
        f"{self.unvisited:,} of {self.visits.size:,} cells without a seen successor",
        model(self.model),
    )


def solution(self: SolveResult) -> str:
    stopped = "" if self.stopped_by == "finished" else f", stopped by {escape(self.stopped_by)}"
    if not self.found:
        why = self.infeasibility
        text = ""
        if why is not None:
            pair = f" ({escape(why.pair)})" if why.pair else ""
            text = (
                f" No policy keeps {escape(why.constraint)} at step {why.step}{pair}; "
                f"a limit of {why.would_do} would do."
            )
        return _page(f"<b>{escape(self.outcome)}</b>{stopped}.{text}")
    proof = "no upper bound"
    if isfinite(self.bounds.upper):
        within = f"proven within {round_up_percent(self.gap, 4)} %"
        proof = f"at most {round_up_short(self.bounds.upper, 6)} is possible ({within})"
    gap = ""
    if len(self.least_ratio):
        limits = ", ".join(f"{escape(notion)} {min(limit)}" for notion, limit in self.limits if notion in RATIOS)
        smallest = least(self.least_ratio)
        gap = f" Least ratio {shown(smallest)}"
        gap += "" if np.isnan(smallest) else f" at step {int(np.nanargmin(self.least_ratio))}"
        gap += f", limit {limits}." if limits else "."
    gaps = [(notion, limit) for notion, limit in self.limits if notion in NOTIONS]
    if len(self.parity_gap) and (gaps or not len(self.least_ratio)):
        limits = ", ".join(f"{escape(notion)} {max(limit)}" for notion, limit in gaps)
        widest = greatest(self.parity_gap)
        gap += f" Widest gap {shown(widest)}"
        gap += "" if np.isnan(widest) else f" at step {int(np.nanargmax(self.parity_gap))}"
        gap += f", limit {limits}." if limits else "."
    return _page(
        f"<b>{escape(self.outcome)}</b>{stopped}: value {_number(self.value)}, {proof}.{gap} Share accepted:",
        _by_step(self.groups, self.rates.accept),
        _caveats(self.caveats),
    )


def frontier(self: Frontier) -> str:
    rows = []
    ratios = any(len(point.result.least_ratio) for point in self.points)
    for point in self.points:
        result = point.result
        furthest = least(result.least_ratio) if ratios else greatest(result.parity_gap)
        upper = _AtMost(result.bounds.upper)
        found = [result.value, upper, furthest] if result.found else [np.nan] * 3
        unseen = (
            []
            if result.rests_on is None
            else [np.nan if result.unseen_visits is None else _AtMost(result.unseen_visits)]
        )
        rows.append([point.limit, *found, *unseen, result.outcome])
    estimated = any(point.result.rests_on is not None for point in self.points)
    head = ["limit", "value", "upper bound", "least ratio" if ratios else "widest gap"]
    head += [*(["unseen visits"] if estimated else []), "outcome"]
    grounds = self.points[0].result.rests_on if estimated else None
    return _page("<b>Frontier</b>", _table(head, rows), _rests_on(grounds))


def run(self: Run) -> str:
    rows = [
        [update.k, update.value, update.violation, update.reward_regret, _AtMost(update.relaxation.max())]
        for update in self.updates
    ]
    worth = f"{round_down_short(self.oracle_lower, 6)} or more" if isfinite(self.oracle_lower) else "not known"
    return _page(
        f"<b>Run</b>: {_plural(len(self.updates), 'update')}, {escape(self.fairness)}, relaxation "
        f"{escape(self.relaxation)}. The best fair policy is worth {worth}.",
        _table(["k", "value", "violation", "regret", "relaxation"], rows),
        _rests_on(self.rests_on),
    )


def certificate(self: Certificate) -> str:
    rows = []
    for notion in self.fairness:
        gaps = getattr(self.gap, notion)
        step = int(np.argmax(gaps))
        rows.append([NOTIONS[notion], _AtMost(gaps[step]), step, getattr(self.estimated_gap, notion)[step]])
    value = f" The value is at least {round_down_short(self.value, 6)}." if self.value is not None else ""
    assumptions = "".join(f"<li>{escape(sentence)}</li>" for sentence in self.assumptions)
    without = self.gap_if_nothing_lost
    cost = (
        ""
        if without is None
        else f"; rows that were left out cost {round_up(self.gap.worst - without.worst)} of the gap"
    )
    return _page(
        f"<b>Certificate</b>: with probability {one_minus(self.delta)} over the data, at every step no two groups are "
        f"further apart than this under the true population{cost}.{value}",
        _table(["fairness", "gap at most", "at step", "estimated there"], rows),
        f"<p>Provided that:</p><ul>{assumptions}</ul>",
    )


def audit(self: Audit) -> str:
    rows = []
    for notion, what in NOTIONS.items():
        bands = self.gap_bands(notion)
        if bands is not None:
            rows += [
                [what, h, gap, _AtLeast(low), _AtMost(high)]
                for h, (gap, low, high) in enumerate(zip(*bands, strict=True))
            ]
    return _page(
        f"<b>Audit</b> of {int(self.people.sum()):,} people and {int(self.decisions.sum()):,} decisions.",
        _table(["fairness", "step", "widest gap", "at least", "at most"], rows),
        f"<p>The bands rest on this:</p><ul>{''.join(f'<li>{escape(line)}</li>' for line in self.assumptions)}</ul>",
        _findings(self.findings),
    )


def report(self: Report) -> str:
    sentences = "".join(f"<li>{escape(sentence)}</li>" for sentence in self.summary)
    rows = ([verdict.claim, verdict.ruling] for verdict in self.verdicts)
    return _page(f"<b>Report</b> on {escape(self.name)}", f"<ul>{sentences}</ul>", _table(["claim", "ruling"], rows))
