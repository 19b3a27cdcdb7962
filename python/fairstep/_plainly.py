"""An argument of the wrong kind, in a sentence: compiled code would list the types that it takes instead."""

from __future__ import annotations

import functools
import inspect
import numbers
from collections.abc import Callable, Mapping
from typing import Any, ParamSpec, TypeVar

from fairstep import _core

P = ParamSpec("P")
R = TypeVar("R")

_OURS = {name: kind for name, kind in vars(_core).items() if isinstance(kind, type)}
_PLAIN: dict[str, type | tuple[type, ...]] = {
    "bool": bool,
    "int": numbers.Integral,
    "float": numbers.Real,
    "str": str,
    "None": type(None),
}


def _article(kind: str) -> str:
    return kind if kind == "None" else f"{'an' if kind[0] in 'AEIOUaeiou' else 'a'} {kind}"


def _complaint(name: str, value: Any, annotation: str) -> str | None:
    """What is wrong with an argument, if its annotation has nothing but kinds that can be told apart here."""
    expected = [kind.strip() for kind in annotation.split("|")]
    kinds = [_OURS.get(kind) or _PLAIN.get(kind) for kind in expected]
    if not all(kinds) or any(isinstance(value, kind) for kind in kinds if kind):
        return None
    given = "None" if value is None else _article(type(value).__name__)
    return f"{name} is {given}, expected {' or '.join(map(_article, expected))}"


def _explained(function: Callable[..., Any], arguments: tuple[Any, ...], options: Mapping[str, Any]) -> str:
    signature = inspect.signature(function)
    for name, value in signature.bind(*arguments, **options).arguments.items():
        complaint = _complaint(name, value, str(signature.parameters[name].annotation))
        if complaint:
            return complaint
    return f"an argument of {function.__name__} is of a kind that it does not take: help(fairstep.{function.__name__})"


def plainly(function: Callable[P, R]) -> Callable[P, R]:
    """Says which argument is of the wrong kind, and what would be right."""

    @functools.wraps(function)
    def said(*arguments: P.args, **options: P.kwargs) -> R:
        try:
            return function(*arguments, **options)
        except TypeError as error:
            if "incompatible function arguments" not in str(error):
                raise
            raise TypeError(_explained(function, arguments, options)) from None

    return said
