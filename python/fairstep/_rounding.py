"""A bound that is shown with fewer digits must still hold: upper bounds are rounded up, lower bounds down.

All of it is exact, as in the library's `core/rounding.hpp`, whose twin this is: the decimal, read as a number without
any rounding, is never on the wrong side of the double.
"""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from math import isfinite

# Enough for every digit of every double, and for its whole part.
_PRECISION = 1200


def _fixed(number: float, decimals: int, rounding: str, hundredfold: int = 0) -> str:
    number = float(number)
    if not isfinite(number):
        return str(number)
    exact = Context(prec=_PRECISION, rounding=rounding)
    cut = Decimal(number).scaleb(hundredfold, exact).quantize(Decimal(1).scaleb(-decimals), context=exact)
    return f"{cut if cut else abs(cut):f}"  # no -0


def _short(number: float, significant: int, rounding: str) -> str:
    number = float(number)
    if not isfinite(number):
        return str(number)
    if number == 0:
        return "0"
    cut = Context(prec=significant, rounding=rounding).create_decimal(Decimal(number)).normalize()
    if -4 <= cut.adjusted() < significant:
        return f"{cut:f}"
    return f"{cut.scaleb(-cut.adjusted()):f}e{cut.adjusted():+03}"


def round_up(number: float, decimals: int = 4) -> str:
    """`0.0269` for 0.026826: so many digits after the point, never below the number, never -0."""
    return _fixed(number, decimals, ROUND_CEILING)


def round_down(number: float, decimals: int = 4) -> str:
    """`0.0268` for 0.026826: never above the number."""
    return _fixed(number, decimals, ROUND_FLOOR)


def round_up_short(number: float, significant: int) -> str:
    """With so many significant digits, as `%g` has it."""
    return _short(number, significant, ROUND_CEILING)


def round_down_short(number: float, significant: int) -> str:
    """With so many significant digits, never above the number."""
    return _short(number, significant, ROUND_FLOOR)


def round_up_beside(bound: float, limit: float, decimals: int = 4) -> str:
    """An upper bound beside the limit it is compared with: as many digits as it takes to see them on their sides."""
    bound, limit = float(bound), float(limit)
    if bound == limit:
        return repr(limit)
    texts = [round_up(bound, digits) for digits in range(decimals, 21)]
    texts += [round_up_short(bound, digits) for digits in range(1, 20)]
    return next((t for t in texts if (float(t) > limit) == (bound > limit) and float(t) != limit), repr(bound))


def one_minus(delta: float) -> str:
    """The probability that is left when delta may fail, from the digits that delta has: `0.93` for 0.07."""
    digits = Decimal(repr(float(delta)))
    left = (1 - digits).normalize()
    few = digits == digits.quantize(Decimal("1e-9"))
    return f"{left:f}" if few else f"1 - {digits}"


def round_up_percent(share: float, decimals: int) -> str:
    """A share in hundredths."""
    return _fixed(share, decimals, ROUND_CEILING, 2)
