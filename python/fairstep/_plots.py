"""Pictures by matplotlib, which is imported when the first is asked for.

Groups differ by colour, dash and marker, so that no one of them is needed to tell them apart. A picture of rates has a
second panel with the gap between groups: on the scale of rates a small limit could not be seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fairstep import _optional
from fairstep._core import one_minus, round_up_beside, round_up_short
from fairstep._missing import greatest, spread
from fairstep._shown import label
from fairstep._words import RATIOS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from fairstep._core import Audit, Evaluation, SolveResult
    from fairstep._solving import Frontier

RATES = {
    "accept": "share accepted",
    "tpr": "share of the qualified accepted",
    "fpr": "share of the unqualified accepted",
    "qualified": "share qualified",
}
RATES_OF = {"dp": ["accept"], "eqopt": ["tpr"], "eqodds": ["tpr", "fpr"]}
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000"]
DASHES: list[Any] = ["-", (0, (5, 2)), (0, (1, 1.5)), (0, (6, 2, 1, 2)), (0, (3, 1, 1, 1, 1, 1))]
MARKERS = ["o", "s", "^", "D", "v"]
BAND = "#767676"


def _pyplot() -> Any:
    return _optional.load("matplotlib.pyplot", "plot() draws with")


def _style(group: int) -> dict[str, Any]:
    return {
        "color": COLOURS[group % 5],
        "linestyle": DASHES[(group + group // 5) % 5],
        "marker": MARKERS[(group + 2 * (group // 5)) % 5],
        "markersize": 4.5,
        "linewidth": 1.8,
        "zorder": 3,
    }


def _tidy(ax: Axes, steps: int | None = None) -> None:
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    ax.grid(axis="y", color="#DDDDDD", linewidth=0.8)
    ax.set_axisbelow(True)
    if steps is not None:
        from matplotlib.ticker import MaxNLocator

        ax.set_xlim(-0.3, steps - 0.7)
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))


def _draw_rates(
    ax: Axes,
    groups: Sequence[str],
    rates: NDArray[np.float64],
    what: str,
    limit: NDArray[np.float64] | None,
    bands: tuple[NDArray[np.float64], NDArray[np.float64]] | None = None,
) -> None:
    steps = np.arange(rates.shape[1])
    if limit is not None and np.any(limit < 1):
        # Centred between the extreme groups: all groups are in it exactly if no two are further apart than the limit.
        middle = (np.fmax.reduce(rates, axis=0) + np.fmin.reduce(rates, axis=0)) / 2
        ax.fill_between(
            steps,
            middle - limit / 2,
            middle + limit / 2,
            color=BAND,
            alpha=0.3,
            linewidth=0,
            label="within the limit",
            zorder=1,
        )
    for g, group in enumerate(groups):
        if bands is not None:
            ax.fill_between(steps, bands[0][g], bands[1][g], color=COLOURS[g % 5], alpha=0.18, linewidth=0, zorder=2)
        ax.plot(steps, rates[g], label=label(group), clip_on=False, **_style(g))
    ax.set_ylim(0, 1)
    ax.set_ylabel(what)
    _tidy(ax, len(steps))


def _draw_gap(ax: Axes, gap: NDArray[np.float64], limit: NDArray[np.float64] | None, band: Any = None) -> None:
    steps = np.arange(len(gap))
    top = np.nanmax(gap, initial=0.0)
    if band is not None:
        ax.fill_between(steps, *band, color="#000000", alpha=0.15, linewidth=0, zorder=1)
        top = np.fmax(top, greatest(band[1]))
    if limit is not None and np.any(limit < 1):
        edges = np.arange(len(gap) + 1) - 0.5
        ax.stairs(np.minimum(limit, 1), edges, fill=True, color=BAND, alpha=0.3, linewidth=0, zorder=1)
        ax.stairs(np.minimum(limit, 1), edges, color=BAND, linewidth=2.2, baseline=None, zorder=2)
        top = max(top, limit[limit < 1].max())
    ax.plot(steps, gap, color="#000000", marker="o", markersize=4, linewidth=1.2, zorder=3)
    ax.set_ylim(0, min(1.0, 1.25 * top) if top > 0 else 0.01)
    ax.set_ylabel("widest gap")
    ax.set_xlabel("step")
    _tidy(ax, len(gap))


def _panels(names: Sequence[str]) -> tuple[Any, list[Any]]:
    """One for each rate, and one below for the gap."""
    pyplot = _pyplot()
    heights = [2.4] * len(names) + [1.0]
    figure, axes = pyplot.subplots(
        len(heights),
        1,
        sharex=True,
        figsize=(6.4, 1.1 * sum(heights) + 0.6),
        height_ratios=heights,
        layout="constrained",
    )
    return figure, list(axes)


def _picture(
    groups: Sequence[str],
    rates: dict[str, NDArray[np.float64]],
    gap: NDArray[np.float64],
    limit: NDArray[np.float64] | None,
    title: str,
    ax: Axes | None,
    bands: dict[str, tuple[NDArray[np.float64], NDArray[np.float64]]] | None = None,
    gap_band: Any = None,
) -> Axes:
    if ax is not None:
        name, values = next(iter(rates.items()))
        _draw_rates(ax, groups, values, RATES[name], limit, bands[name] if bands else None)
        ax.set_xlabel("step")
        ax.legend(frameon=False, fontsize="small")
        return ax
    figure, axes = _panels(list(rates))
    for panel, (name, values) in zip(axes, rates.items(), strict=False):
        _draw_rates(panel, groups, values, RATES[name], limit, bands[name] if bands else None)
    _draw_gap(axes[-1], gap, limit, gap_band)
    axes[0].set_title(title, loc="left", fontsize="medium")
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower left", ncols=min(len(labels), 5), frameon=False, fontsize="small")
    return axes[0]


def _per_step(limit: float | Sequence[float] | None, steps: int) -> NDArray[np.float64] | None:
    if limit is None:
        return None
    return np.broadcast_to(np.asarray(limit, dtype=float), (steps,))


def _spread(rates: dict[str, NDArray[np.float64]]) -> NDArray[np.float64]:
    return np.fmax.reduce([spread(rate) for rate in rates.values()], axis=0)


def _title(gap: NDArray[np.float64], limit: NDArray[np.float64] | None) -> str:
    """What the picture shows, in a sentence."""
    if not np.any(np.isfinite(gap)):
        return "No step at which two groups can be compared"
    step = int(np.nanargmax(gap if limit is None else gap - limit))
    text = f"Groups are at most {round_up_short(np.nanmax(gap), 3)} apart" if limit is None else ""
    if limit is not None:
        kept = bool(np.all(gap[np.isfinite(gap)] <= limit[np.isfinite(gap)] + 1e-6))
        word = "kept at every step" if kept else "exceeded"
        ties = np.sum(np.isclose(gap - limit, gap[step] - limit[step], atol=1e-6))
        where = f" at step {step}" if ties == 1 else ""
        within = min(gap[step], limit[step])  # a gap may be above by what rounding makes of it
        widest = round_up_short(within, 3) if kept else round_up_beside(gap[step], limit[step], 3)
        text = f"Limit {word}: widest gap {widest} of {limit[step]:.10g}{where}"
    return text


def evaluation(
    self: Evaluation,
    rate: str = "accept",
    *,
    limit: float | Sequence[float] | None = None,
    ax: Axes | None = None,
) -> Axes:
    if rate not in RATES:
        raise ValueError(f'rate is "{rate}", expected one of {", ".join(RATES)}')
    rates = {rate: np.asarray(getattr(self.rates, rate))}
    gap = _spread(rates)
    limits = _per_step(limit, len(gap))
    return _picture(self.groups, rates, gap, limits, _title(gap, limits), ax)


def solution(self: SolveResult, rate: str | None = None, *, ax: Axes | None = None) -> Axes:
    if rate is not None and rate not in RATES:
        raise ValueError(f'rate is "{rate}", expected one of {", ".join(RATES)}')
    notion, limits = self.limits[0] if self.limits else ("dp", None)
    if notion in RATIOS:  # no band of one width is its limit
        notion, limits = notion.removesuffix("-ratio"), None
    names = RATES_OF[notion] if rate is None else [rate]
    rates = {name: np.asarray(getattr(self.rates, name)) for name in names}
    # The limit is drawn only where the picture is of what it limits.
    shown = None if limits is None or not set(names) <= set(RATES_OF[notion]) else np.asarray(limits)
    gap = _spread(rates)
    return _picture(self.groups, rates, gap, shown, _title(gap, shown), ax)


def audit(self: Audit, rate: str = "accept", *, ax: Axes | None = None) -> Axes:
    bands = self.rate_bands(rate)
    if bands is None:
        raise ValueError(f"the audit has no {rate}: its notion was not asked for, or its labels were censored")
    observed, low, high = bands
    rates = {rate: observed}
    notion = "dp" if rate == "accept" else "eqopt" if rate == "tpr" else None
    gaps = self.gap_bands(notion) if notion is not None else None
    gap = _spread(rates) if gaps is None else gaps[0]
    title = f"As observed, with bands that hold together with probability {one_minus(self.delta)}"
    gap_band = None if gaps is None else (gaps[1], gaps[2])
    return _picture(self.groups, rates, gap, None, title, ax, {rate: (low, high)}, gap_band)


def frontier(self: Frontier, *, ax: Axes | None = None) -> Axes:
    points = sorted((point for point in self.points if point.result.found), key=lambda point: point.limit)
    if not points:
        raise ValueError("there is no policy under any of the limits")
    if ax is None:
        ax = _pyplot().subplots(figsize=(6.4, 3.6), layout="constrained")[1]
    limit = [point.limit for point in points]
    value = [point.result.value for point in points]
    upper = [point.result.bounds.upper for point in points]
    if all(isfinite(bound) for bound in upper):
        ax.fill_between(limit, value, upper, color=BAND, alpha=0.3, linewidth=0, label="up to the proven bound")
    ax.plot(limit, value, color=COLOURS[0], marker="o", markersize=4.5, linewidth=1.8, label="best policy found")
    ax.set_xlabel("limit on the gap at every step")
    ax.set_ylabel("value")
    ax.set_title("What fairness costs", loc="left", fontsize="medium")
    ax.legend(frameon=False, fontsize="small", loc="lower right")
    _tidy(ax)
    return ax
