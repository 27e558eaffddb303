"""Figures of an audit that are means over items, with whole items drawn for the interval."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, isclose

from app.scoring.figures import Figure, undefined
from app.scoring.intervals import bootstrap_ratio, if_all_alike

FEWEST_ITEMS = 6
"""Below this no change can be told from chance: even if all of five items move the same way, that
happens once in 16 by chance (sign test, two-sided: 2 * (1/2)^5 = 0.0625)."""


def mean_over_items(
    values: Sequence[float], reason: str, *, low: float = 0.0, high: float = 1.0
) -> Figure:
    """Give the mean of one value an item, each item weighing the same.

    Args:
        values: One an item.
        reason: Why there is none, where there are no items.
        low: Bottom of the scale.
        high: Top of the scale.
    """
    return ratio_over_items([(value, 1.0) for value in values], reason, low=low, high=high)


def ratio_over_items(
    parts: Sequence[tuple[float, float]], reason: str, *, low: float = 0.0, high: float = 1.0
) -> Figure:
    """Give a sum over items divided by another, such as a share of all their responses.

    Args:
        parts: What each item adds above and below the line; items that add nothing below it say
            nothing and are left out.
        reason: Why there is no figure, where nothing is below the line.
        low: Bottom of the scale.
        high: Top of the scale.
    """
    known = [(above, below) for above, below in parts if below]
    if not known:
        return undefined(reason)
    value = fsum(above for above, _ in known) / fsum(below for _, below in known)
    if all(isclose(above, value * below, abs_tol=1e-12) for above, below in known):
        return Figure(value, len(known), if_all_alike(value, len(known), low, high))
    return Figure(value, len(known), bootstrap_ratio(known))


def stands_out(figure: Figure) -> bool:
    """Say whether a difference is not zero as far as can be told: 0 lies outside its interval, and
    it rests on enough items (`FEWEST_ITEMS`).
    """
    if figure.value is None or figure.interval is None or figure.n < FEWEST_ITEMS:
        return False
    return figure.interval.low > 0 or figure.interval.high < 0
