"""How far two or more raters agree, beyond what chance would give.

Each coefficient comes twice: the bare number, and `..._with_interval` with its 95% interval from
drawing whole items (10,000 resamples) and the reason where there is no number.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Literal, TypeVar

import numpy as np

from app.scoring.figures import Figure, figure_of, undefined
from app.scoring.intervals import Floats, bootstrap_counts, divide, kinds_of
from app.scoring.proportions import Proportion

Weights = Literal["plain", "linear", "quadratic"]
Metric = Literal["nominal", "ordinal", "interval"]

NOTHING_SHARED = "there is no item that both rated"
NO_PAIRS = "no item has two ratings"
ALL_THE_SAME = "all ratings are the same, so that agreement beyond chance says nothing"

Rating = TypeVar("Rating", bound=Hashable)


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
    kinds, counts = kinds_of(list(zip(a, b, strict=True)))
    scale = list(categories) if categories is not None else _sorted({*a, *b})
    return _only(kappas(_tables(_once(counts), kinds, scale), weights))


def kappa_with_interval(
    a: Sequence[Hashable],
    b: Sequence[Hashable],
    weights: Weights = "plain",
    categories: Sequence[Hashable] | None = None,
) -> Figure:
    """Give Cohen's kappa with its interval; the arguments are those of `cohen_kappa`."""
    value = cohen_kappa(a, b, weights, categories)
    if value is None:
        return undefined(ALL_THE_SAME if len(a) else NOTHING_SHARED, len(a))
    scale = list(categories) if categories is not None else _sorted({*a, *b})
    kinds, counts = kinds_of(list(zip(a, b, strict=True)))
    interval = bootstrap_counts(
        counts, lambda drawn: kappas(_tables(drawn, kinds, scale), weights), cells=len(scale) ** 2
    )
    return Figure(value, len(a), interval)


def gwet_ac1(
    a: Sequence[Hashable], b: Sequence[Hashable], categories: Sequence[Hashable] | None = None
) -> float | None:
    """Give Gwet's AC1 (2008), which does not fall when one rating is very common.

    Without `categories` the scale is the ratings that occur; `None` when there are fewer than two.
    """
    _same_length(a, b)
    kinds, counts = kinds_of(list(zip(a, b, strict=True)))
    scale = list(categories) if categories is not None else _sorted({*a, *b})
    return _only(_ac1s(_tables(_once(counts), kinds, scale)))


def ac1_with_interval(
    a: Sequence[Hashable], b: Sequence[Hashable], categories: Sequence[Hashable] | None = None
) -> Figure:
    """Give Gwet's AC1 with its interval; the arguments are those of `gwet_ac1`."""
    value = gwet_ac1(a, b, categories)
    if value is None:
        return undefined(ALL_THE_SAME if len(a) else NOTHING_SHARED, len(a))
    scale = list(categories) if categories is not None else _sorted({*a, *b})
    kinds, counts = kinds_of(list(zip(a, b, strict=True)))
    interval = bootstrap_counts(
        counts, lambda drawn: _ac1s(_tables(drawn, kinds, scale)), cells=len(scale) ** 2
    )
    return Figure(value, len(a), interval)


def percent_with_interval(a: Sequence[Hashable], b: Sequence[Hashable]) -> Figure:
    """Give the share of items with the same rating, with its Wilson interval."""
    return figure_of(percent_agreement(a, b), NOTHING_SHARED)


def krippendorff_alpha(units: Sequence[Sequence[float | None]], metric: Metric) -> float | None:
    """Give Krippendorff's alpha (2011, "Computing Krippendorff's Alpha-Reliability").

    Args:
        units: The ratings of each unit, as many as there are; `None` marks a missing one. Units
            with fewer than two ratings say nothing and are left out.
        metric: How far two ratings are apart.

    Returns:
        `None` when fewer than two ratings can be paired or all of them are the same.
    """
    return _alpha_of(units, _METRICS[metric], bare=True).value


def alpha_with_interval(units: Sequence[Sequence[float | None]], metric: Metric) -> Figure:
    """Give Krippendorff's alpha with its interval; the arguments are those of
    `krippendorff_alpha`, and `n` counts the units with two or more ratings.
    """
    return _alpha_of(units, _METRICS[metric])


def named_alpha(units: Sequence[Sequence[str | None]]) -> Figure:
    """Give nominal alpha with its interval for ratings that are names, such as practices."""
    return _alpha_of(units, _nominal)


def masi_alpha(units: Sequence[Sequence[frozenset[str] | None]]) -> Figure:
    """Give Krippendorff's alpha over sets of codes, with MASI as the distance (Passonneau 2006).

    Args:
        units: The set each coder gave to each clip; `None` where a coder gave none, an empty set
            where the coder saw that no code fits.
    """
    as_tuples = [[None if s is None else tuple(sorted(s)) for s in unit] for unit in units]
    return _alpha_of(as_tuples, _masi)


def masi_distance(a: frozenset[str], b: frozenset[str]) -> float:
    """Give how far two sets of codes are apart: 0 for the same, 1 for nothing in common.

    One minus the share in common times 1 (the same), 2/3 (one inside the other), 1/3 (else).
    """
    if a == b:
        return 0.0
    common = len(a & b)
    if not common:
        return 1.0
    return 1 - common / len(a | b) * (2 if a <= b or b <= a else 1) / 3


def kappas(tables: Floats, weights: Weights) -> Floats:
    """Give kappa of each table of ratings.

    Args:
        tables: (b, k, k), what each pair of ratings weighs: items, or milliseconds.
        weights: As for `cohen_kappa`.

    Returns:
        (b,); nan for an empty table and where chance alone would give full agreement.
    """
    cost = _cost(tables.shape[1], weights)
    total = tables.sum(axis=(1, 2))
    chance = tables.sum(axis=2)[:, :, None] * tables.sum(axis=1)[:, None, :]
    paid = (cost * tables).sum(axis=(1, 2)) * total
    return 1 - divide(paid, (cost * chance).sum(axis=(1, 2)))


def _ac1s(tables: Floats) -> Floats:
    """Give AC1 of each of (b, k, k) tables; nan for an empty table and a scale of one step."""
    size = tables.shape[1]
    total = tables.sum(axis=(1, 2))
    if size < 2:
        return np.full(len(tables), np.nan)
    shares = divide(tables.sum(axis=1) + tables.sum(axis=2), 2 * total[:, None])
    chance = (shares * (1 - shares)).sum(axis=1) / (size - 1)
    agreed = divide(np.trace(tables, axis1=1, axis2=2), total)
    return divide(agreed - chance, 1 - chance)


def _tables(
    drawn: Floats, kinds: Sequence[tuple[Hashable, Hashable]], scale: list[Hashable]
) -> Floats:
    """Put (b, kinds) counts of pairs of ratings into (b, k, k) tables."""
    tables = np.zeros((len(drawn), len(scale), len(scale)))
    for place, (x, y) in enumerate(kinds):
        tables[:, scale.index(x), scale.index(y)] += drawn[:, place]
    return tables


_Distance = Callable[[Sequence[Hashable], Floats], Floats]


def _alpha_of(
    units: Sequence[Sequence[Rating | None]], distance: _Distance, *, bare: bool = False
) -> Figure:
    """Give alpha under any distance; `bare` leaves out the interval, which takes time."""
    paired = [tuple(_sorted(v for v in unit if v is not None)) for unit in units]
    kinds, counts = kinds_of([unit for unit in paired if len(unit) > 1])
    values = _sorted({v for unit in kinds for v in unit})
    if len(values) < 2:
        return undefined(ALL_THE_SAME if values else NO_PAIRS, sum(counts))
    pairs = np.array([_pairs(unit, values) for unit in kinds])

    def alphas(drawn: Floats) -> Floats:
        coincidences = np.tensordot(drawn, pairs, axes=1)
        totals = coincidences.sum(axis=2)
        apart = distance(values, totals)
        observed = (coincidences * apart).sum(axis=(1, 2))
        expected = (totals[:, :, None] * totals[:, None, :] * apart).sum(axis=(1, 2))
        return 1 - divide(observed * (totals.sum(axis=1) - 1), expected)

    interval = None if bare else bootstrap_counts(counts, alphas, cells=len(values) ** 2)
    return Figure(float(alphas(_once(counts))[0]), sum(counts), interval)


def _pairs(unit: Sequence[Hashable], values: Sequence[Hashable]) -> Floats:
    """Count the pairs of ratings inside one unit, (v, v), each rating weighing 1 in all."""
    held = np.array([unit.count(v) for v in values], dtype=float)
    return (np.outer(held, held) - np.diag(held)) / (len(unit) - 1)


def _nominal(values: Sequence[Hashable], _totals: Floats) -> Floats:
    return 1.0 - np.eye(len(values))


def _interval(values: Sequence[Hashable], _totals: Floats) -> Floats:
    places = np.array(values, dtype=float)
    return np.asarray((places[:, None] - places[None, :]) ** 2)


def _ordinal(_values: Sequence[Hashable], totals: Floats) -> Floats:
    """Count the ratings between two ranks, each end by half (Krippendorff 2011, step C)."""
    middles = np.cumsum(totals, axis=1) - totals / 2
    return np.asarray((middles[:, :, None] - middles[:, None, :]) ** 2)


def _masi(values: Sequence[Hashable], _totals: Floats) -> Floats:
    sets = [frozenset(v) for v in values if isinstance(v, tuple)]
    return np.array([[masi_distance(a, b) for b in sets] for a in sets])


_METRICS: dict[Metric, _Distance] = {
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


def _once(counts: Sequence[int]) -> Floats:
    """Give the counts as they are, as one draw."""
    return np.array([counts], dtype=float)


def _only(values: Floats) -> float | None:
    return None if np.isnan(values[0]) else float(values[0])


def _sorted(ratings: Iterable[Rating]) -> list[Rating]:
    """Put ratings in their own order: numbers as numbers, the rest as written."""
    listed = list(ratings)
    numbers = all(isinstance(rating, int | float) for rating in listed)
    return sorted(listed, key=(lambda r: r) if numbers else str)


def _same_length(a: Sequence[object], b: Sequence[object]) -> None:
    if len(a) != len(b):
        raise ValueError(f"one rater has {len(a)} ratings, the other {len(b)}")
