"""Figures of an audit that are means over items, with whole items drawn for the interval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import fsum, isclose

import numpy as np

from app.scoring.figures import Figure, figure_of, undefined
from app.scoring.intervals import Floats, bootstrap_ratio, bootstrap_sums, divide, if_all_alike
from app.scoring.proportions import Proportion

FEWEST_ITEMS = 6
"""Below this no change can be told from chance: even if all of five items move the same way, that
happens once in 16 by chance (sign test, two-sided: 2 * (1/2)^5 = 0.0625)."""

FEWEST_OF_GROUP = 3
"""Items that each group of a macro mean must have for an interval. Of eight groups of three, one or
more are missing from about a quarter of the draws, and those are left out."""


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


def share_over_items(counted: Sequence[tuple[str, bool]], reason: str) -> Figure:
    """Give a share of all that was counted: with Wilson's interval where every item was counted
    once, else drawing whole items.

    Args:
        counted: Of each thing, its item and whether it counts; `n` is how many things these are.
        reason: Why there is none where nothing was counted.
    """
    if len({item for item, _ in counted}) < len(counted):
        return mean_over_responses([(item, float(counts)) for item, counts in counted], reason)
    return figure_of(Proportion(sum(counts for _, counts in counted), len(counted)), reason)


def mean_over_responses(
    values: Sequence[tuple[str, float]], reason: str, *, low: float = 0.0, high: float = 1.0
) -> Figure:
    """Give the mean of one value a response, each weighing the same; whole items are drawn.

    Args:
        values: Of each response, its item and the value; `n` is how many these are.
        reason: Why there is none, where there are no responses.
        low: Bottom of the scale.
        high: Top of the scale.
    """
    sums = sums_by_item([i for i, _ in values], [v for _, v in values], np.ones(len(values)))
    parts = [(above, below) for above, below in sums]
    return replace(ratio_over_items(parts, reason, low=low, high=high), n=len(values))


def sums_by_item(
    items: Sequence[str], *columns: Sequence[float] | Floats
) -> list[tuple[float, ...]]:
    """Add up columns of numbers within each item, the items in the order in which they come first.

    Args:
        items: Of each row, its item.
        columns: Numbers, one a row.
    """
    places = {item: place for place, item in enumerate(dict.fromkeys(items))}
    at = np.array([places[item] for item in items], dtype=np.intp)
    sums = [
        np.bincount(at, np.asarray(column, dtype=float), minlength=len(places)).tolist()
        for column in columns
    ]
    return list(zip(*sums, strict=True))


def macro_over_items(
    groups: Mapping[str, Sequence[float]], reason: str, *, low: float = 0.0, high: float = 1.0
) -> Figure:
    """Give the mean over groups of their means over items, each group weighing the same.

    The interval draws whole items out of all of them. It is left out where a group has fewer than
    `FEWEST_OF_GROUP` items, which would be missing from too many draws.

    Args:
        groups: One value an item, by group; all the groups that the mean is said to be over.
        reason: Why there is none, where a group has no item; its name is put behind.
        low: Bottom of the scale.
        high: Top of the scale.
    """
    items = sum(len(values) for values in groups.values())
    empty = sorted(name for name, values in groups.items() if not values)
    if empty or not groups:
        return undefined(f"{reason}: {', '.join(empty)}" if empty else reason, items)
    means = [fsum(values) / len(values) for values in groups.values()]
    value = fsum(means) / len(means)
    every = [each for values in groups.values() for each in values]
    if all(isclose(each, value, abs_tol=1e-12) for each in every):
        return Figure(value, items, if_all_alike(value, items, low, high))
    if min(len(values) for values in groups.values()) < FEWEST_OF_GROUP:
        return Figure(value, items)
    return Figure(value, items, bootstrap_sums(_columns(list(groups.values())), _macros))


def _columns(groups: Sequence[Sequence[float]]) -> list[tuple[float, ...]]:
    """Give each item its value and 1 in the two columns of its group, and 0 in all others."""
    rows = []
    for place, values in enumerate(groups):
        for value in values:
            row = [0.0] * (2 * len(groups))
            row[2 * place : 2 * place + 2] = value, 1.0
            rows.append(tuple(row))
    return rows


def _macros(sums: Floats) -> Floats:
    """Give the mean of group means of each draw; nan where a group was not drawn."""
    return np.asarray(divide(sums[:, 0::2], sums[:, 1::2]).mean(axis=1))


def stands_out(figure: Figure) -> bool:
    """Say whether a difference is not zero as far as can be told: 0 lies outside its interval, and
    it rests on enough items (`FEWEST_ITEMS`).
    """
    if figure.value is None or figure.interval is None or figure.n < FEWEST_ITEMS:
        return False
    return figure.interval.low > 0 or figure.interval.high < 0
