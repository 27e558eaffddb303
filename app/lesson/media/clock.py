"""From the file's own ticks to whole milliseconds and back.

A picture's time is its presentation stamp, rounded half up to a millisecond. All comparisons are
made on those milliseconds, so that asking for a listed time always gives the picture listed there.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction


def to_ms(ticks: int, time_base: Fraction) -> int:
    """Turn a stamp into milliseconds, rounded half up; exact, as no float takes part."""
    return (2000 * ticks * time_base.numerator + time_base.denominator) // (
        2 * time_base.denominator
    )


def all_to_ms(stamps: Iterable[int], time_base: Fraction) -> tuple[int, ...]:
    """Turn many stamps into milliseconds, each rounded half up."""
    double, whole = 2000 * time_base.numerator, time_base.denominator
    return tuple((double * ticks + whole) // (2 * whole) for ticks in stamps)


def last_tick(time_ms: int, time_base: Fraction) -> int:
    """Give the latest stamp that still rounds to `time_ms` or earlier."""
    scale = 2000 * time_base.numerator
    return -((-(2 * time_ms + 1) * time_base.denominator) // scale) - 1
