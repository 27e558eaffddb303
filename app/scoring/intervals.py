"""How far a figure may be off: 95% intervals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, floor, sqrt
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from app.scoring.proportions import Proportion

RESAMPLES = 10_000
SEED = 20_261_130

_Z = 1.959963984540054
# The 97.5th percentile of the normal distribution.
_CELLS_AT_ONCE = 4_000_000
_KIND_COST = 4
# Measured: drawing one kind takes as long as drawing and counting four items.
_KEPT_ITEMS = 200
# Draws of so few items are kept, 2 MB at most for each number of items.

Kind = TypeVar("Kind", bound=Hashable)
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Interval:
    """From `low` to `high`, 95% unless said otherwise."""

    low: float
    high: float


def wilson(proportion: Proportion) -> Interval | None:
    """Give Wilson's score interval (1927) of a plain proportion; `None` out of nothing."""
    k, n = proportion.count, proportion.of
    if n == 0:
        return None
    middle = (k + _Z**2 / 2) / (n + _Z**2)
    reach = _Z / (n + _Z**2) * sqrt(k * (n - k) / n + _Z**2 / 4)
    # At both ends the exact limits are 0 and 1; the sum may miss them by a rounding.
    low = 0.0 if k == 0 else max(0.0, middle - reach)
    high = 1.0 if k == n else min(1.0, middle + reach)
    return Interval(low, high)


def bootstrap_mean(
    items: Sequence[Sequence[float]], *, resamples: int = RESAMPLES, seed: int = SEED
) -> Interval | None:
    """Give the percentile interval of the mean over all cells, drawing whole items.

    Args:
        items: The cells (or draws) of each item; items may differ in how many they have.
        resamples: How often to draw.
        seed: The same seed gives the same interval.

    Returns:
        `None` when there is no cell at all.
    """
    sums = np.array([float(np.sum(np.asarray(cells, dtype=float))) for cells in items])
    counts = np.array([len(cells) for cells in items], dtype=float)

    def mean_of(drawn: NDArray[np.int64]) -> NDArray[np.float64]:
        total = counts[drawn].sum(axis=1)
        added = sums[drawn].sum(axis=1)
        return np.where(total > 0, added / np.maximum(total, 1), np.nan)

    return bootstrap(len(items), mean_of, resamples=resamples, seed=seed)


def bootstrap(
    items: int,
    statistic: Callable[[NDArray[np.int64]], NDArray[np.float64]],
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Interval | None:
    """Give the percentile interval of any statistic over items drawn with replacement.

    Args:
        items: How many items there are.
        statistic: Takes (b, items) indices of drawn items and gives b values, nan where one is
            undefined; those are left out.
        resamples: How often to draw.
        seed: The same seed gives the same interval.

    Returns:
        `None` when there are no items, or the statistic was undefined in every draw.
    """
    if items == 0:
        return None
    chance = np.random.default_rng(seed)
    step = max(1, _CELLS_AT_ONCE // items)
    values = np.concatenate(
        [
            statistic(chance.integers(items, size=(min(step, resamples - done), items)))
            for done in range(0, resamples, step)
        ]
    )
    return _middle_95(values)


def bootstrap_counts(
    counts: Sequence[int],
    statistic: Callable[[Floats], Floats],
    *,
    cells: int = 0,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Interval | None:
    """Give the percentile interval of a statistic that only asks how many items there are of each
    kind.

    The same as `bootstrap` over the items, since drawing n items with replacement gives
    multinomial counts of their kinds; where the kinds are few, its time does not grow with the
    items.

    Args:
        counts: How many items there are of each kind.
        statistic: Takes (b, kinds) counts of drawn items and gives b values, nan where one is
            undefined; those are left out.
        cells: Numbers that `statistic` holds for each draw, where they are more than the kinds.
        resamples: How often to draw.
        seed: The same seed gives the same interval.

    Returns:
        `None` when there are no items, or the statistic was undefined in every draw.
    """
    items = sum(counts)
    if items == 0:
        return None
    chance = np.random.default_rng(seed)
    draw = _draw_kinds if _KIND_COST * len(counts) < items else _draw_items
    held = len(counts) if draw is _draw_kinds else items
    step = max(1, _CELLS_AT_ONCE // max(held, cells))
    values = [
        statistic(draw(np.array(counts), min(step, resamples - done), chance))
        for done in range(0, resamples, step)
    ]
    return _middle_95(np.concatenate(values))


def bootstrap_ratio(items: Sequence[tuple[float, float]]) -> Interval | None:
    """Give the percentile interval of a sum over items divided by another, drawing whole items.

    Args:
        items: What each item adds above and below the line; for a mean that is its value and 1.

    Returns:
        `None` when there are no items, or nothing below the line in every draw.
    """
    return _kept_ratio(tuple(sorted(items)))


def bootstrap_sums(
    items: Sequence[tuple[float, ...]], statistic: Callable[[Floats], Floats]
) -> Interval | None:
    """Give the percentile interval of a statistic of sums over items, drawing whole items.

    With `RESAMPLES` and `SEED`; quick where many figures rest on few items, since the draws are
    kept. It does not hang on the order of the items.

    Args:
        items: What each item adds to each of k sums.
        statistic: Takes (b, k) sums over drawn items and gives b values, nan where one is
            undefined; those are left out.

    Returns:
        `None` when there are no items, or the statistic was undefined in every draw.
    """
    if not items:
        return None
    if len(items) <= _KEPT_ITEMS:
        drawn = _kept_draws(len(items)).astype(float)
        return _middle_95(statistic(drawn @ np.array(sorted(items), dtype=float)))
    kinds, counts = kinds_of(items)
    parts = np.array(kinds, dtype=float)
    return bootstrap_counts(counts, lambda drawn: statistic(drawn @ parts))


def if_all_alike(value: float, items: int, low: float, high: float) -> Interval:
    """Say how far a mean may be off when every item gave the same value.

    Drawing items cannot tell that others might be different. As many may be as Wilson's interval
    allows after so many alike, and those may lie anywhere on the scale.

    Args:
        value: What every item gave; from `low` to `high`.
        items: How many there are; 1 or more.
        low: Bottom of the scale.
        high: Top of the scale.
    """
    alike = wilson(Proportion(items, items))
    others = 1 - alike.low if alike else 1.0
    return Interval(value - others * (value - low), value + others * (high - value))


def kinds_of(items: Sequence[Kind]) -> tuple[list[Kind], list[int]]:
    """Give the different items and how often each occurs.

    In an order of their own, so that an interval does not hang on the order of the items.
    """
    counted = sorted(Counter(items).items(), key=lambda pair: repr(pair[0]))
    return [kind for kind, _ in counted], [count for _, count in counted]


def divide(over: Floats, under: Floats) -> Floats:
    """Divide number by number; nan where the denominator is zero."""
    defined = under != 0
    return np.where(defined, over / np.where(defined, under, 1.0), np.nan)


@lru_cache(maxsize=2048)
def _kept_ratio(items: tuple[tuple[float, float], ...]) -> Interval | None:
    """Keep intervals of late: the same few items come again in one figure after another."""
    return bootstrap_sums(items, lambda sums: divide(sums[:, 0], sums[:, 1]))


@lru_cache(maxsize=64)
def _kept_draws(items: int) -> NDArray[np.uint8]:
    """Count how often each of so many items is drawn: (RESAMPLES, items), not to be changed.

    One byte a count: the board of an audit rests on two dozen different numbers of items.
    """
    chance = np.random.default_rng(SEED)
    drawn = _draw_items(np.ones(items, dtype=int), RESAMPLES, chance).astype(np.uint8)
    drawn.flags.writeable = False
    return drawn


def _draw_kinds(counts: NDArray[np.int64], draws: int, chance: np.random.Generator) -> Floats:
    """Draw as many items as there are, so many times, and count their kinds: (draws, kinds)."""
    items = int(counts.sum())
    return chance.multinomial(items, counts / items, draws).astype(float)


def _draw_items(counts: NDArray[np.int64], draws: int, chance: np.random.Generator) -> Floats:
    """Do as `_draw_kinds` does, item by item: quicker where nearly every item is its own kind."""
    items, kinds = int(counts.sum()), len(counts)
    drawn = np.repeat(np.arange(kinds), counts)[chance.integers(items, size=(draws, items))]
    cells = drawn + kinds * np.arange(draws)[:, None]
    return np.bincount(cells.ravel(), minlength=draws * kinds).reshape(draws, kinds).astype(float)


def _middle_95(values: Floats) -> Interval | None:
    """Give the 2.5th and 97.5th percentiles, as `numpy.percentile` does, in a third of its time."""
    known = values[~np.isnan(values)]
    if not len(known):
        return None
    places = [share * (len(known) - 1) for share in (0.025, 0.975)]
    around = sorted({step for place in places for step in (floor(place), ceil(place))})
    known.partition(around)
    low, high = (_at(known, place) for place in places)
    return Interval(low, high)


def _at(ordered: Floats, place: float) -> float:
    """Read between two places; from the nearer one, so that rounding is that of numpy."""
    below, above = float(ordered[floor(place)]), float(ordered[ceil(place)])
    part = place - floor(place)
    if part < 0.5:
        return below + (above - below) * part
    return above - (above - below) * (1 - part)
