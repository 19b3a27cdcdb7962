"""How far long work has come: shown by tqdm if it is installed, or told to a function of the caller's."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import isfinite
from typing import Any, Generic, TypeVar

from fairstep._core import round_down_short, round_up_short

News = TypeVar("News")


@dataclass(frozen=True)
class SolveProgress:
    """Where a solve is."""

    lower: float
    """The best value so far; minus infinity before the first policy."""
    upper: float
    """Nothing is better than this; infinity before the first bound."""
    seconds: float
    phase: str
    """What it is busy with."""
    done: int = 0
    """Of a sweep over limits: how many are done."""

    def in_short(self) -> str:
        """`value 0.5530, bound 0.5541`"""
        text = f"value {round_down_short(self.lower, 5)}" if isfinite(self.lower) else "no policy yet"
        return text + (f", bound {round_up_short(self.upper, 5)}" if isfinite(self.upper) else "")


@dataclass(frozen=True)
class AlternativeProgress:
    """Where the search for an alternative is."""

    lower: float
    """No policy that is worth enough is less disparate."""
    upper: float
    """The least that was met; infinity before the first."""
    done: int
    """Solves."""

    def in_short(self) -> str:
        """`between 0.0131 and 0.0142`"""
        return f"between {self.lower:.4f} and {self.upper:.4f}"


@dataclass(frozen=True)
class LearnProgress:
    """Where a learning run is."""

    done: int
    """Updates made now."""
    k: int
    """Episode of the last one."""
    value: float
    """Its value under the true model."""
    violation: float
    """Its step-average gap under the true model."""

    def in_short(self) -> str:
        """`k = 4096, value 0.527, violation 0.076`"""
        return f"k = {self.k}, value {self.value:.4g}, violation {self.violation:.4g}"


@dataclass(frozen=True)
class CertifyProgress:
    """Where a certificate is."""

    share: float
    """Of the work that is done, from 0 to 1."""

    @property
    def done(self) -> int:
        """In per cent."""
        return round(100 * self.share)

    def in_short(self) -> str:
        """Nothing more to say."""
        return ""


@dataclass(frozen=True)
class ExperimentProgress:
    """Where an experiment is."""

    runs_done: int
    runs: int
    share: float
    """Of all the work that is done, from 0 to 1."""
    current: str
    """What was worked on last: `fico, dp, ours, repeat 0`."""

    @property
    def done(self) -> int:
        """In per cent."""
        return round(100 * self.share)

    def in_short(self) -> str:
        """`3 of 8 runs, fico, dp, ours, repeat 0`"""
        return f"{self.runs_done} of {self.runs} runs, {self.current}"


Progress = bool | Callable[[News], None] | None


class _Bar(Generic[News]):
    """A tqdm bar that follows the news."""

    def __init__(self, bar: Any) -> None:
        self._bar = bar

    def __call__(self, news: Any) -> None:
        self._bar.set_postfix_str(news.in_short(), refresh=False)
        self._bar.n = news.done
        self._bar.refresh()


def _in_notebook() -> bool:
    shell = sys.modules.get("IPython")
    return shell is not None and getattr(shell.get_ipython(), "kernel", None) is not None


@contextmanager
def shown(progress: Progress[News], what: str, total: int | None, unit: str) -> Iterator[Callable[[News], None] | None]:
    """Whom to tell. None means tqdm, if it is installed and somebody looks: on a terminal or in a notebook."""
    if callable(progress):
        yield progress
        return
    looked_at = progress or (progress is None and (sys.stderr.isatty() or _in_notebook()))
    if not looked_at:
        yield None
        return
    try:
        from tqdm.auto import tqdm
    except ModuleNotFoundError:
        if progress:
            raise ImportError("progress=True shows a bar of tqdm: pip install tqdm") from None
        yield None
        return
    form = "{desc} {postfix} [{elapsed}]" if total is None else None
    with tqdm(total=total, desc=what, unit=f" {unit}", leave=False, delay=0.5, bar_format=form) as bar:
        yield _Bar(bar)
