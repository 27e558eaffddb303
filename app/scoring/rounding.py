"""Numbers as they are printed: halves go away from zero, counted in exact fractions.

The percentages of the SciIBI paper follow from its counts in this way, and as well with halves to
the even digit: the only halves among them are 49/112 = 43.75 and 3/16 = 18.75, printed as 43.8 and
18.8, where both give the same. Halves towards zero (43.7) are ruled out. Away from zero is what
people are taught, and is kept everywhere.
"""

from __future__ import annotations

from fractions import Fraction

from app.scoring.proportions import Proportion

UNDEFINED = "–"


def printed(value: Fraction | float | None, places: int = 1, *, signed: bool = False) -> str:
    """Write a number with so many decimal places; an en dash where there is none.

    Args:
        value: An exact fraction, or a float, which is taken as the decimal number it shows.
        places: Digits after the point; 0 or more.
        signed: Also write a plus sign, for differences.
    """
    if value is None:
        return UNDEFINED
    exact = value if isinstance(value, Fraction) else Fraction(repr(float(value)))
    steps = int(abs(exact) * 10**places + Fraction(1, 2))
    whole, rest = divmod(steps, 10**places)
    digits = f"{whole}.{rest:0{places}}" if places else str(whole)
    if exact < 0 and steps:
        return f"-{digits}"
    return f"+{digits}" if signed and steps else digits


def percent(proportion: Proportion, places: int = 1) -> str:
    """Write a share as a percentage without the sign, e.g. `43.8` for 49 of 112."""
    exact = exact_share(proportion)
    return printed(None if exact is None else 100 * exact, places)


def exact_share(proportion: Proportion) -> Fraction | None:
    """Give a share as an exact fraction; `None` out of nothing."""
    return Fraction(proportion.count, proportion.of) if proportion.of else None
