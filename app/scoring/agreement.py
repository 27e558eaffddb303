"""How far two or more raters agree, beyond what chance would give."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from app.scoring.proportions import Proportion

Weights = Literal["plain", "linear", "quadratic"]
Metric = Literal["nominal", "ordinal", "interval"]
Floats = NDArray[np.float64]


def percent_agreement(a: Sequence[Hashable], b: Sequence[Hashable]) -> Proportion:
    """Count the items on which two raters gave the same rating.

    Raises:
        ValueError: The raters rated different numbers of items.
    """
    _same_length(a, b)
    return Proportion(sum(x == y for x, y in zip(a, b, strict=True)), len(a))


def within(a: Sequence[float], b: Sequence[float], distance: float) -> Proportion:
    """Count the items on which two ratings differ by no more than `distance`."""
    _same_length(a, b)
    return Proportion(sum(abs(x - y) <= distance for x, y in zip(a, b, strict=True)), len(a))


def mean_bias(a: Sequence[float], b: Sequence[float]) -> float | None:
    """Give by how much the second rater is above the first on average."""
    _same_length(a, b)
    return sum(y - x for x, y in zip(a, b, strict=True)) / len(a) if len(a) else None


def cohen_kappa(
    a: Sequence[Hashable],
    b: Sequence[Hashable],
    weights: Weights = "plain",
    categories: Sequence[Hashable] | None = None,
) -> float | None:
    """Give Cohen's kappa (1960), or weighted kappa (1968).

    Args:
        a: One rater's ratings.
        b: The other's, of the same items in the same order.
        weights: `plain` counts every disagreement the same; `linear` and `quadratic` by the
            distance, or its square, between places in `categories`.
        categories: The scale, in order; without it the ratings that occur, sorted.

    Returns:
        `None` when there are no items or chance alone would give full agreement.

    Raises:
        ValueError: Different numbers of ratings, or a rating that is not on the scale.
    """
    _same_length(a, b)
    if not len(a):
        return None
    scale = list(categories) if categories is not None else _sorted({*a, *b})
    together = np.zeros((len(scale), len(scale)))
    for x, y in zip(a, b, strict=True):
        together[scale.index(x), scale.index(y)] += 1
    together /= together.sum()
    chance = np.outer(together.sum(axis=1), together.sum(axis=0))
    cost = _cost(len(scale), weights)
    expected = float((cost * chance).sum())
    if expected == 0:
        return None
    return 1 - float((cost * together).sum()) / expected


def gwet_ac1(a: Sequence[Hashable], b: Sequence[Hashable]) -> float | None:
    """Give Gwet's AC1 (2008), which does not fall when one rating is very common."""
    _same_length(a, b)
    scale = _sorted({*a, *b})
    if len(scale) < 2:
        return None
    shares = [(list(a).count(c) + list(b).count(c)) / (2 * len(a)) for c in scale]
    chance = sum(p * (1 - p) for p in shares) / (len(scale) - 1)
    agreed = percent_agreement(a, b).share
    return None if agreed is None else (agreed - chance) / (1 - chance)


def krippendorff_alpha(units: Sequence[Sequence[float | None]], metric: Metric) -> float | None:
    """Give Krippendorff's alpha (2011, "Computing Krippendorff's Alpha-Reliability").

    Args:
        units: The ratings of each unit, as many as there are; `None` marks a missing one. Units
            with fewer than two ratings say nothing and are left out.
        metric: How far two ratings are apart.

    Returns:
        `None` when fewer than two ratings can be paired or all of them are the same.
    """
    paired = [[v for v in unit if v is not None] for unit in units]
    paired = [unit for unit in paired if len(unit) > 1]
    values = sorted({v for unit in paired for v in unit})
    if len(values) < 2:
        return None
    coincidences = np.zeros((len(values), len(values)))
    for unit in paired:
        held = np.array([unit.count(v) for v in values], dtype=float)
        coincidences += (np.outer(held, held) - np.diag(held)) / (len(unit) - 1)
    totals: Floats = coincidences.sum(axis=1)
    apart = _DISTANCES[metric](np.array(values, dtype=float), totals)
    observed = float((coincidences * apart).sum())
    expected = float((np.outer(totals, totals) * apart).sum()) / (float(totals.sum()) - 1)
    return 1 - observed / expected


def _nominal(values: Floats, _totals: Floats) -> Floats:
    return 1.0 - np.eye(len(values))


def _interval(values: Floats, _totals: Floats) -> Floats:
    return (values[:, None] - values[None, :]) ** 2


def _ordinal(_values: Floats, totals: Floats) -> Floats:
    """Count the ratings between two ranks, each end by half (Krippendorff 2011, step C)."""
    ends = np.cumsum(totals)
    middles = ends - totals / 2
    return np.asarray((middles[:, None] - middles[None, :]) ** 2)


_DISTANCES: dict[Metric, Callable[[Floats, Floats], Floats]] = {
    "nominal": _nominal,
    "ordinal": _ordinal,
    "interval": _interval,
}


def _cost(size: int, weights: Weights) -> Floats:
    """Give what each pair of ratings costs: 0 on the diagonal."""
    places = np.arange(size, dtype=float)
    apart = np.abs(places[:, None] - places[None, :])
    if weights == "plain":
        return (apart > 0).astype(float)
    return apart if weights == "linear" else apart**2


def _sorted(ratings: set[Hashable]) -> list[Hashable]:
    """Put ratings in their own order: numbers as numbers, the rest as written."""
    numbers = all(isinstance(rating, int | float) for rating in ratings)
    return sorted(ratings, key=(lambda r: r) if numbers else str)


def _same_length(a: Sequence[object], b: Sequence[object]) -> None:
    if len(a) != len(b):
        raise ValueError(f"one rater has {len(a)} ratings, the other {len(b)}")
