from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.scoring.proportions import Proportion
from app.scoring.rounding import percent, printed


@pytest.mark.parametrize(
    ("value", "places", "text"),
    [
        (43.75, 1, "43.8"),
        (31.25, 1, "31.3"),
        (-31.25, 1, "-31.3"),
        (Fraction(1, 8), 2, "0.13"),
        (2.675, 2, "2.68"),
        (2.5, 0, "3"),
        (99.96, 1, "100.0"),
        (-0.04, 1, "0.0"),
        (0, 1, "0.0"),
        (None, 1, "–"),
    ],
)
def test_halves_go_away_from_zero(value, places, text):
    assert printed(value, places) == text


def test_differences_carry_their_sign_unless_they_print_as_nothing():
    assert printed(7.142, signed=True) == "+7.1"
    assert printed(-0.893, signed=True) == "-0.9"
    assert printed(0.04, signed=True) == "0.0"


def test_percentages_are_taken_from_exact_counts():
    assert percent(Proportion(49, 112)) == "43.8"
    assert percent(Proportion(1, 3), 0) == "33"
    assert percent(Proportion(0, 0)) == "–"


@given(st.decimals(-1000, 1000, places=4), st.integers(0, 3))
def test_decimals_round_as_the_standard_library_rounds_them_half_up(value, places):
    expected = value.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    assert Decimal(printed(Fraction(value), places)) == expected
