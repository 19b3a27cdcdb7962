"""Extremes of numbers of which some may be missing: a rate of nobody is NaN, and is no extreme."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def greatest(numbers: Any) -> float:
    """NaN if there is none."""
    return float(np.fmax.reduce(np.asarray(numbers, dtype=float), axis=None, initial=np.nan))


def least(numbers: Any) -> float:
    """NaN if there is none."""
    return float(np.fmin.reduce(np.asarray(numbers, dtype=float), axis=None, initial=np.nan))


def spread(rates: NDArray[np.float64]) -> NDArray[np.float64]:
    """The widest difference between groups at each step; NaN where fewer than two have the rate."""
    between = np.fmax.reduce(rates, axis=0) - np.fmin.reduce(rates, axis=0)
    return np.where(np.sum(~np.isnan(rates), axis=0) >= 2, between, np.nan)


def shown(number: float) -> str:
    """With four digits, or said to be of nobody."""
    return "of nobody" if np.isnan(number) else f"{number:.4f}"
