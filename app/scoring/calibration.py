"""Whether a coder that says it is 80% sure is right 80% of the time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np

from app.scoring.figures import Figure, undefined
from app.scoring.intervals import Floats, Interval, bootstrap_counts, bootstrap_mean, wilson
from app.scoring.proportions import Proportion
from app.scoring.scored import Scored

LEAST = 50
"""Decided clips below which nothing is said: with ten bins there would be under five in each."""
BINS = 10

By = Literal["width", "mass"]
"""Bins of the same width of confidence, or with about the same number of clips."""


@dataclass(frozen=True, slots=True)
class Claim:
    """How sure a coder was of a code, and whether the code was right.

    Raises:
        ValueError: The confidence does not lie from 0 to 1.
    """

    confidence: float
    """0 to 1."""
    is_right: bool

    def __post_init__(self) -> None:
        if not 0 <= self.confidence <= 1:
            raise ValueError(f"a confidence of {self.confidence} does not lie from 0 to 1")


@dataclass(frozen=True, slots=True)
class Bin:
    """The claims whose confidence lies from `lower` to `upper`: one point of a reliability plot."""

    lower: float
    upper: float
    """Outside the bin, except in the last one."""
    n: int
    mean_confidence: float | None
    """`None` in an empty bin."""
    right: Proportion
    interval: Interval | None
    """95% of the share that was right (Wilson); `None` in an empty bin."""


def claims_of(run: Sequence[Scored]) -> tuple[Claim, ...]:
    """Give the claims of a run: failures, clips without a code and codes without a score are not
    claims.
    """
    found = []
    for scored in run:
        code = scored.predicted
        if code is not None and code.practice in dict(scored.scores):
            found.append(Claim(dict(scored.scores)[code.practice], scored.is_right))
    return tuple(found)


def reliability_bins(
    claims: Sequence[Claim], bins: int = BINS, by: By = "width", least: int = LEAST
) -> tuple[Bin, ...]:
    """Sort claims into bins for a reliability plot.

    Args:
        claims: All claims.
        bins: How many bins; one or more.
        by: `width` gives equal widths from 0 to 1, empty bins among them. `mass` gives about
            equal numbers; claims of the same confidence stay together, so that there may be fewer
            bins, and of uneven size, for a coder that only ever says 0.9 or 0.95.
        least: Claims below which nothing is said.

    Returns:
        The bins from low to high confidence; none of them when there are too few claims.
    """
    if len(claims) < least or not claims:
        return ()
    edges = _equal_widths(bins) if by == "width" else _equal_mass(claims, bins)
    places = _places(claims, edges)
    sorted_in: list[list[Claim]] = [[] for _ in edges[1:]]
    for claim, place in zip(claims, places.tolist(), strict=True):
        sorted_in[place].append(claim)
    return tuple(
        _bin(low, high, inside)
        for (low, high), inside in zip(pairwise(edges), sorted_in, strict=True)
    )


def expected_calibration_error(
    claims: Sequence[Claim], bins: int = BINS, by: By = "width", least: int = LEAST
) -> Figure:
    """Give the mean distance of confidence from the share right, each bin by its claims.

    Naeini, Cooper and Hauskrecht (2015). Its interval keeps the bins and draws the claims anew;
    chance alone makes the error larger, never smaller, so read the upper end with that in mind,
    most of all where a coder is nearly perfect.

    Returns:
        0 to 1; without a value when there are fewer claims than `least`.
    """
    if len(claims) < least or not claims:
        return undefined(too_few(len(claims), least), len(claims))
    edges = _equal_widths(bins) if by == "width" else _equal_mass(claims, bins)
    kinds, counts = np.unique(
        np.column_stack(
            [_places(claims, edges), _confidences(claims), [claim.is_right for claim in claims]]
        ),
        axis=0,
        return_counts=True,
    )
    # What each claim adds to its bin: how far it lies above what came of it.
    excess = np.zeros((len(kinds), len(edges) - 1))
    excess[np.arange(len(kinds)), kinds[:, 0].astype(int)] = kinds[:, 1] - kinds[:, 2]

    def errors(drawn: Floats) -> Floats:
        return np.asarray(np.abs(drawn @ excess).sum(axis=1) / len(claims))

    value = float(errors(counts[None, :].astype(float))[0])
    return Figure(value, len(claims), bootstrap_counts(counts.tolist(), errors))


def brier_score(claims: Sequence[Claim], least: int = LEAST) -> Figure:
    """Give the mean squared distance of confidence from what came of it (Brier 1950).

    Returns:
        0 (sure and right) to 1 (sure and wrong); without a value when there are fewer claims than
        `least`.
    """
    if len(claims) < least or not claims:
        return undefined(too_few(len(claims), least), len(claims))
    squares = [(claim.confidence - claim.is_right) ** 2 for claim in claims]
    return Figure(sum(squares) / len(squares), len(squares), bootstrap_mean([[s] for s in squares]))


def too_few(there: int, least: int) -> str:
    """Say in plain words that there is not enough to go by."""
    return f"{there} decided clips are too few: at least {least} are needed"


def _bin(lower: float, upper: float, inside: Sequence[Claim]) -> Bin:
    right = Proportion(sum(claim.is_right for claim in inside), len(inside))
    mean = sum(claim.confidence for claim in inside) / len(inside) if inside else None
    return Bin(lower, upper, len(inside), mean, right, wilson(right))


def _equal_widths(bins: int) -> list[float]:
    return [place / bins for place in range(bins + 1)]


def _equal_mass(claims: Sequence[Claim], bins: int) -> list[float]:
    """Cut the sorted confidences into equal numbers, never between two that are the same."""
    ordered = sorted(claim.confidence for claim in claims)
    cuts = {ordered[place * len(ordered) // bins] for place in range(1, bins)}
    return [0.0, *sorted(cuts - {ordered[0]}), 1.0]


def _places(
    claims: Sequence[Claim], edges: Sequence[float]
) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Give the bin of each claim: the lower edge is inside, the upper only in the last."""
    found = np.searchsorted(edges, _confidences(claims), side="right") - 1
    return np.asarray(np.minimum(found, len(edges) - 2))


def _confidences(claims: Sequence[Claim]) -> Floats:
    return np.array([claim.confidence for claim in claims], dtype=float)
