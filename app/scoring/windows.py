"""Windows of a video against people's events: what was found, what was missed, what was made up.

A window is positive when at least half of it lies in events. A window of which at least half could
not be judged (no usable face, no usable answer) is in no count: it is neither right nor wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.lesson.spans import Span
from app.scoring.proportions import Proportion


@dataclass(frozen=True, slots=True)
class WindowCounts:
    """Windows (or single clips) by what is true and what was predicted."""

    tp: int = 0
    """Confused, and found."""
    fp: int = 0
    """Not confused, and yet predicted."""
    fn: int = 0
    """Confused, and missed."""
    tn: int = 0
    """Not confused, and not predicted."""

    def __add__(self, other: WindowCounts) -> WindowCounts:
        return WindowCounts(
            self.tp + other.tp, self.fp + other.fp, self.fn + other.fn, self.tn + other.tn
        )

    @property
    def judged(self) -> int:
        """All windows that are in the counts."""
        return self.tp + self.fp + self.fn + self.tn

    @property
    def accuracy(self) -> Proportion:
        """Windows judged rightly, of all that were judged."""
        return Proportion(self.tp + self.tn, self.judged)

    @property
    def precision(self) -> Proportion:
        """Right ones of those predicted."""
        return Proportion(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> Proportion:
        """Found ones of those that are confused."""
        return Proportion(self.tp, self.tp + self.fn)

    @property
    def f1(self) -> Proportion:
        """Twice the found over the predicted and the true together."""
        return Proportion(2 * self.tp, 2 * self.tp + self.fp + self.fn)

    @property
    def tiou(self) -> Proportion:
        """Shared windows over those that are true or predicted: TP/(TP+FP+FN)."""
        return Proportion(self.tp, self.tp + self.fp + self.fn)


def add_counts(counts: Sequence[WindowCounts]) -> WindowCounts:
    """Pool the counts of several videos."""
    return sum(counts, WindowCounts())


def merged(stretches: Sequence[Span]) -> tuple[Span, ...]:
    """Give the same time as stretches in order that neither overlap nor touch."""
    joined: list[Span] = []
    for stretch in sorted(stretches):
        if joined and stretch.start_ms <= joined[-1].end_ms:
            end_ms = max(joined[-1].end_ms, stretch.end_ms)
            joined[-1] = Span(joined[-1].start_ms, end_ms)
        else:
            joined.append(stretch)
    return tuple(joined)


def mostly_in(windows: Sequence[Span], stretches: Sequence[Span]) -> tuple[bool, ...]:
    """Say of each window whether at least half of it lies in any of the stretches.

    Args:
        windows: In order of time, none overlapping another.
        stretches: In any order.
    """
    joined = merged(stretches)
    first = 0
    found: list[bool] = []
    for window in windows:
        while first < len(joined) and joined[first].end_ms <= window.start_ms:
            first += 1
        inside, at = 0, first
        while at < len(joined) and joined[at].start_ms < window.end_ms:
            inside += window.overlap_ms(joined[at])
            at += 1
        found.append(2 * inside >= window.duration_ms)
    return tuple(found)


def count_windows(
    windows: Sequence[Span],
    truth: Sequence[Span],
    predicted: Sequence[Span],
    left_out: Sequence[Span] = (),
) -> WindowCounts:
    """Count the windows of one video.

    Args:
        windows: In order of time, none overlapping another.
        truth: The events of people.
        predicted: The events of a reader.
        left_out: Where the reader could not know; windows that lie there are not counted.
    """
    seen = zip(
        mostly_in(windows, truth),
        mostly_in(windows, predicted),
        mostly_in(windows, left_out),
        strict=True,
    )
    return count_pairs([(true, given) for true, given, is_out in seen if not is_out])


def count_pairs(pairs: Sequence[tuple[bool, bool]]) -> WindowCounts:
    """Count pairs of what is true and what was predicted."""
    return WindowCounts(
        tp=pairs.count((True, True)),
        fp=pairs.count((False, True)),
        fn=pairs.count((True, False)),
        tn=pairs.count((False, False)),
    )
