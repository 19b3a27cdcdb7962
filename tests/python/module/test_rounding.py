"""Bounds with fewer digits still hold, exactly."""

import math
import random
from fractions import Fraction

import pytest

from fairstep import _core as rounding


def test_a_bound_is_seen_on_its_side_of_the_limit():
    assert rounding.round_up_beside(0.026826, 0.0268) == "0.0269"
    assert rounding.round_up_beside(0.02671, 0.02675) == "0.02672"
    assert rounding.round_up_beside(0.1, 0.1) == "0.1"
    assert rounding.round_up_beside(0.5, 0.6) == "0.5000"


def test_what_is_left_of_1_has_the_digits_of_delta():
    for delta, left in [(0.05, "0.95"), (0.07, "0.93"), (1e-9, "0.999999999"), (1e-17, "1 - 1E-17")]:
        assert rounding.one_minus(delta).lower() == left.lower()


def edges():
    """Next to short decimals, tiny and huge, of both signs."""
    draw = random.Random(17)
    numbers = [0.0, 0.1, 0.25, 0.026826, 5e-324, 1e-300, 1e22, 1e23, 99999.5, 1 / 3, 4503599627370497.5]
    for _ in range(2000):
        decimal = draw.randrange(100001) / 1e5
        numbers += [decimal, math.nextafter(decimal, -1), math.nextafter(decimal, 2)]
        numbers.append(draw.random() * 10 ** draw.randint(-300, 300))
    return numbers + [-number for number in numbers]


def test_every_decimal_is_on_the_safe_side_of_the_number():
    for number in edges():
        for digits in (1, 2, 4, 6):
            exact = Fraction(number)
            assert Fraction(rounding.round_up(number, digits)) >= exact
            assert Fraction(rounding.round_down(number, digits)) <= exact
            assert Fraction(rounding.round_up_short(number, digits)) >= exact
            assert Fraction(rounding.round_down_short(number, digits)) <= exact
            assert Fraction(rounding.round_up_percent(number, digits)) >= 100 * exact


@pytest.mark.parametrize(
    ("number", "digits", "up", "down"),
    [
        (0.026826, 4, "0.0269", "0.0268"),
        (-0.026826, 4, "-0.0268", "-0.0269"),
        (0.25, 2, "0.25", "0.25"),
        (0.1, 2, "0.11", "0.10"),  # the double is a little more than a tenth
        (-1e-300, 4, "0.0000", "-0.0001"),  # and not -0
        (0.99999, 4, "1.0000", "0.9999"),
        (math.inf, 4, "inf", "inf"),
        (math.nan, 4, "nan", "nan"),
    ],
)
def test_so_many_digits_after_the_point(number, digits, up, down):
    assert rounding.round_up(number, digits) == up
    assert rounding.round_down(number, digits) == down


@pytest.mark.parametrize(
    ("number", "digits", "up"),
    [
        (0.553015, 3, "0.554"),
        (1.234e-7, 2, "1.3e-07"),
        (1234567, 3, "1.24e+06"),
        (99999.5, 5, "1e+05"),
        (0.0009999, 2, "0.001"),
        (1200.0, 5, "1200"),
        (0.5, 3, "0.5"),
        (0.0, 3, "0"),
    ],
)
def test_a_short_form_is_written_as_the_command_writes_it(number, digits, up):
    assert rounding.round_up_short(number, digits) == up
