"""Do two measures put tutors in the same order?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from math import factorial

import numpy as np

from app.scoring.intervals import SEED, Floats

DRAWS = 20_000
"""Permutations drawn for p (SpecialEduBench, table 13)."""

TOO_FEW = "a rank correlation needs three or more"
ALL_TIED = "one of the two is the same for all, which puts nothing in order"

_SLACK = 1e-9
# Two correlations that are the same number may differ by a rounding.


@dataclass(frozen=True, slots=True)
class RankCorrelation:
    """Spearman's correlation with a permutation test."""

    rho: float | None
    """-1 to 1; `None` with the reason where there is none."""
    p: float | None
    """Share of permutations at least as far from 0."""
    n: int
    exact: bool = False
    """Whether all permutations were looked at, rather than `DRAWS` of them."""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class RankedPair:
    """Two measures over the tutors that have both."""

    one: str
    other: str
    found: RankCorrelation


def average_ranks(values: Sequence[float] | Floats) -> Floats:
    """Give the rank of each value from 1, those that are the same the average of their places.

    Not `scipy.stats.rankdata`: loading that takes longer than the rest of the program.
    """
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    averages = np.cumsum(counts) - (counts - 1) / 2
    return np.asarray(averages[places], dtype=float)


def spearman(a: Sequence[float], b: Sequence[float]) -> float | None:
    """Give Spearman's rank correlation, ties given their average rank.

    Returns:
        -1 to 1; `None` for fewer than three, or when one side is all the same.
    """
    if len(a) < 3 or len(set(a)) < 2 or len(set(b)) < 2:
        return None
    return float(_unit(a) @ _unit(b))


def rank_correlation(
    a: Sequence[float], b: Sequence[float], *, draws: int = DRAWS, seed: int = SEED
) -> RankCorrelation:
    """Give Spearman's rank correlation with a two-sided permutation p.

    All permutations are looked at where there are no more of them than `draws` (up to seven
    tutors); else `draws` of them are drawn, and p counts the order that was seen among them.

    Args:
        a: One measure of each tutor.
        b: The other, in the same order.
        draws: Permutations to draw.
        seed: The same seed gives the same p.

    Raises:
        ValueError: Different numbers of both.
    """
    if len(a) != len(b):
        raise ValueError(f"one measure is of {len(a)}, the other of {len(b)}")
    rho = spearman(a, b)
    if rho is None:
        return RankCorrelation(None, None, len(a), reason=TOO_FEW if len(a) < 3 else ALL_TIED)
    one, other = _unit(a), _unit(b)
    exact = factorial(len(a)) <= draws
    orders = (
        np.array(list(permutations(other)))
        if exact
        else np.random.default_rng(seed).permuted(np.tile(other, (draws, 1)), axis=1)
    )
    as_far = int((np.abs(orders @ one) >= abs(rho) - _SLACK).sum())
    p = as_far / len(orders) if exact else (as_far + 1) / (draws + 1)
    return RankCorrelation(rho, p, len(a), exact)


def rank_pairs(measures: Mapping[str, Sequence[float | None]]) -> tuple[RankedPair, ...]:
    """Compare every two measures over the tutors that have both.

    Args:
        measures: Each with one value a tutor, all in the same order of tutors; `None` for a tutor
            that lacks it.
    """
    found = []
    for one, other in combinations(measures, 2):
        both = [
            (a, b)
            for a, b in zip(measures[one], measures[other], strict=True)
            if a is not None and b is not None
        ]
        a, b = [x for x, _ in both], [y for _, y in both]
        found.append(RankedPair(one, other, rank_correlation(a, b)))
    return tuple(found)


def _unit(values: Sequence[float]) -> Floats:
    """Give ranks about 0 and of length 1, so that a product of two is their correlation."""
    ranks = average_ranks(values)
    centred = ranks - ranks.mean()
    return np.asarray(centred / np.sqrt((centred**2).sum()))
