"""Does a judge's score go with the number of words?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from app.scoring.audit_means import sums_by_item
from app.scoring.figures import Figure, undefined
from app.scoring.intervals import Floats, bootstrap_sums, divide
from app.scoring.ranks import average_ranks

NOTHING_TO_HOLD = "fewer than three responses have a score"
NO_VARIATION = "all responses are equally long or have the same score"


@dataclass(frozen=True, slots=True)
class Measured:
    """A scored response and how long it is."""

    item_id: str
    score: float
    words: int


@dataclass(frozen=True, slots=True)
class LengthCorrelation:
    """Correlations of score and number of words; whole items are drawn for the intervals."""

    pearson: Figure
    """-1 to 1; `n` counts responses."""
    spearman: Figure
    """Of ranks given once over all responses, ties their average."""


def length_correlation(responses: Sequence[Measured]) -> LengthCorrelation:
    """Correlate score and number of words over responses."""
    items = [response.item_id for response in responses]
    scores = np.array([response.score for response in responses], dtype=float)
    words = np.array([response.words for response in responses], dtype=float)
    ranks = average_ranks(scores), average_ranks(words)
    return LengthCorrelation(_correlation(items, scores, words), _correlation(items, *ranks))


def _correlation(items: Sequence[str], one: Floats, other: Floats) -> Figure:
    if len(items) < 3:
        return undefined(NOTHING_TO_HOLD, len(items))
    # About their means, so that the sums of squares lose no digits.
    x, y = one - one.mean(), other - other.mean()
    sums = sums_by_item(items, np.ones(len(items)), x, y, x * x, y * y, x * y)
    value = float(_pearsons(np.array([sums]).sum(axis=1))[0])
    if np.isnan(value):
        return undefined(NO_VARIATION, len(items))
    return Figure(value, len(items), bootstrap_sums(sums, _pearsons))


def _pearsons(sums: Floats) -> Floats:
    """Give Pearson's correlation of each draw from (b, 6) sums of 1, x, y, x^2, y^2 and xy."""
    count, x, y, xx, yy, xy = sums.T
    spread = np.sqrt(np.maximum(count * xx - x**2, 0.0) * np.maximum(count * yy - y**2, 0.0))
    # What should be nothing is left over from rounding.
    return divide(count * xy - x * y, np.where(spread < 1e-9, 0.0, spread))
