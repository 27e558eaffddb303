"""How far a figure may be off: 95% intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from app.scoring.proportions import Proportion

RESAMPLES = 10_000
SEED = 20_261_130

_Z = 1.959963984540054
# The 97.5th percentile of the normal distribution.
_CELLS_AT_ONCE = 4_000_000


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
    known = values[~np.isnan(values)]
    if not len(known):
        return None
    low, high = np.percentile(known, [2.5, 97.5])
    return Interval(float(low), float(high))
