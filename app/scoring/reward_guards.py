"""Whether a reward model may rank: what it gets right, and whether it reads length instead.

Pair accuracy alone is not enough: the first model of SpecialEduBench told pairs apart and was
reading their length (section 3.5 and appendix E). What each bound rests on stands beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from app.scoring.audit_length import Measured, length_correlation
from app.scoring.audit_means import share_over_items
from app.scoring.figures import Figure, undefined
from app.scoring.intervals import bootstrap, bootstrap_mean
from app.scoring.reward import Ints, cross_fit, pair_loss

MOST_PADDING = 0.25
"""Most that four sentences without content may shift the reward, as a share of the median margin.
In SpecialEduBench the shift of the refused model was two thirds of its median margin (7.37, so that
the margin was 11); that of the released one, -1.16, would be a tenth of it."""

MOST_CORRELATION = 0.3
"""Largest correlation of reward and number of words, either way: a tenth of what varies. The
refused model of SpecialEduBench had 0.43."""

MOST_BATCH = 0.01
"""Most that the texts beside it may shift the reward of a text, as a share of the median margin."""

_NO_PAIRS = "there are no pairs"


@dataclass(frozen=True, slots=True)
class HeldOut:
    """A pair as a model scores it that never saw its item."""

    item: str
    group: str
    """The strategy."""
    flaw: str
    """What is wrong with the worse one; empty where nobody said."""
    chosen: float
    rejected: float
    """Rewards of the better and the worse response."""
    chosen_words: int
    rejected_words: int
    chosen_shifts: tuple[float, ...]
    rejected_shifts: tuple[float, ...]
    """By how much each of several paddings, of four sentences without content, shifts the reward.
    Every pair has the same paddings."""

    @property
    def margin(self) -> float:
        """How far the better one lies above the worse; above zero is right."""
        return self.chosen - self.rejected


class Trip(StrEnum):
    """Why a reward model is refused."""

    CHANCE = "chance"
    """It may be no better than a coin."""
    LENGTH_ALONE = "length_alone"
    """Going by the number of words alone would be right as often."""
    PADDING = "padding"
    """Sentences without content shift its reward."""
    CORRELATION = "correlation"
    """Its reward goes with the number of words."""
    BATCH = "batch"
    """The texts beside a text shift its reward."""


@dataclass(frozen=True, slots=True)
class Guarded:
    """What is known of a reward model, all of it on items that it never saw."""

    accuracy: Figure
    """Share of pairs whose better response has the higher reward; a tie is not right."""
    by_group: tuple[tuple[str, Figure], ...]
    by_flaw: tuple[tuple[str, Figure], ...]
    loss: Figure
    """Mean loss of a pair; 0.693 for a coin."""
    median_margin: Figure
    length_alone: Figure
    """Accuracy of going by the number of words alone, fitted in the same way."""
    padding: Figure
    """Mean shift of the reward by four sentences without content, over both responses; of several
    such paddings the one that shifts it most."""
    padding_share: Figure
    """The same over the median margin, without a sign."""
    correlation: Figure
    """Pearson's, of reward and number of words."""
    batch: Figure
    """Largest shift of a reward by the texts beside it."""

    @property
    def trips(self) -> tuple[Trip, ...]:
        """Why the model is refused; empty when it may rank."""
        return tuple(trip for trip, is_tripped in _TRIPS.items() if is_tripped(self))


def guard(pairs: Sequence[HeldOut], parts: Ints, batch_shift: float) -> Guarded:
    """Put together what is known of a model.

    Args:
        pairs: As models score them that never saw their items.
        parts: (n,) into which part each was dealt, for the model that goes by length alone.
        batch_shift: Largest difference between the reward of a text alone and beside others.
    """
    margin, padding = median_margin(pairs), padding_shift(pairs)
    return Guarded(
        accuracy=accuracy(pairs),
        by_group=_by(pairs, lambda pair: pair.group),
        by_flaw=_by([pair for pair in pairs if pair.flaw], lambda pair: pair.flaw),
        loss=mean_loss(pairs),
        median_margin=margin,
        length_alone=length_alone(pairs, parts),
        padding=padding,
        padding_share=share_of_margin(padding, margin),
        correlation=correlation_with_length(pairs),
        batch=Figure(batch_shift, len(pairs)) if pairs else undefined(_NO_PAIRS),
    )


def accuracy(pairs: Sequence[HeldOut]) -> Figure:
    """Give the share of pairs that are told apart rightly."""
    return share_over_items([(pair.item, pair.margin > 0) for pair in pairs], _NO_PAIRS)


def mean_loss(pairs: Sequence[HeldOut]) -> Figure:
    """Give the mean loss of a pair, with an interval over items."""
    losses = pair_loss(np.array([pair.margin for pair in pairs]))
    return _mean([(pair.item, float(x)) for pair, x in zip(pairs, losses, strict=True)])


def median_margin(pairs: Sequence[HeldOut]) -> Figure:
    """Give the median margin, with an interval over pairs."""
    margins = np.array([pair.margin for pair in pairs])
    if not len(margins):
        return undefined(_NO_PAIRS)
    interval = bootstrap(len(margins), lambda drawn: np.median(margins[drawn], axis=1))
    return Figure(float(np.median(margins)), len(margins), interval)


def length_alone(pairs: Sequence[HeldOut], parts: Ints) -> Figure:
    """Give the accuracy of the number of words alone: whether longer or shorter is better is
    fitted on the other parts, as the model itself was.
    """
    if len(np.unique(parts)) < 3:
        return undefined("there are too few items")
    more = np.array([[pair.chosen_words - pair.rejected_words] for pair in pairs]) / 100
    margins = cross_fit(more, parts).margins
    counted = [(pair.item, bool(m > 0)) for pair, m in zip(pairs, margins, strict=True)]
    return share_over_items(counted, _NO_PAIRS)


def padding_shift(pairs: Sequence[HeldOut]) -> Figure:
    """Give the mean shift of the reward over both responses, by the padding that shifts it most.

    A model may pass over one way of saying nothing and not over another.
    """
    paddings = len(pairs[0].chosen_shifts) if pairs else 0
    means = [
        _mean(
            [
                (pair.item, shift)
                for pair in pairs
                for shift in (pair.chosen_shifts[at], pair.rejected_shifts[at])
            ]
        )
        for at in range(paddings)
    ]
    return max(means, key=lambda one: abs(one.value or 0.0), default=undefined(_NO_PAIRS))


def share_of_margin(shift: Figure, margin: Figure) -> Figure:
    """Give a shift, without its sign, as a share of the median margin."""
    if shift.value is None or margin.value is None:
        return undefined(shift.reason or margin.reason)
    if margin.value <= 0:
        return undefined("the better responses do not lie above the worse ones", margin.n)
    return Figure(abs(shift.value) / margin.value, shift.n)


def correlation_with_length(pairs: Sequence[HeldOut]) -> Figure:
    """Give Pearson's correlation of reward and number of words, over both responses."""
    measured = [
        Measured(pair.item, reward, words)
        for pair in pairs
        for reward, words in (
            (pair.chosen, pair.chosen_words),
            (pair.rejected, pair.rejected_words),
        )
    ]
    return length_correlation(measured).pearson


def _above(figure: Figure, bound: float) -> bool:
    return figure.value is not None and abs(figure.value) > bound


def _is_chance(found: Guarded) -> bool:
    interval = found.accuracy.interval
    return interval is None or interval.low <= 0.5


def _is_length(found: Guarded) -> bool:
    model, length = found.accuracy.value, found.length_alone.value
    return model is not None and length is not None and length >= model


_TRIPS: dict[Trip, Callable[[Guarded], bool]] = {
    Trip.CHANCE: _is_chance,
    Trip.LENGTH_ALONE: _is_length,
    # Where there is no margin to compare with, nothing says that the shift is small.
    Trip.PADDING: lambda found: (
        found.padding_share.value is None or found.padding_share.value > MOST_PADDING
    ),
    Trip.CORRELATION: lambda found: _above(found.correlation, MOST_CORRELATION),
    Trip.BATCH: lambda found: _above(share_of_margin(found.batch, found.median_margin), MOST_BATCH),
}


def _by(
    pairs: Sequence[HeldOut], name_of: Callable[[HeldOut], str]
) -> tuple[tuple[str, Figure], ...]:
    names = sorted({name_of(pair) for pair in pairs})
    return tuple((name, accuracy([p for p in pairs if name_of(p) == name])) for name in names)


def _mean(values: Sequence[tuple[str, float]]) -> Figure:
    if not values:
        return undefined(_NO_PAIRS)
    mean = float(np.mean([value for _, value in values]))
    return Figure(mean, len(values), bootstrap_mean(_cells(values)))


def _cells(values: Iterable[tuple[str, float]]) -> list[list[float]]:
    cells: dict[str, list[float]] = {}
    for item, value in values:
        cells.setdefault(item, []).append(value)
    return list(cells.values())
