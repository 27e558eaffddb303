"""Events of a reader against events of people: matched one to one, as many as there can be.

Overlap ratios are compared by cross-multiplying whole milliseconds, so that an event that just
reaches the threshold is matched.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

from app.lesson.spans import Span
from app.scoring.proportions import Proportion
from app.scoring.windows import merged

THRESHOLDS = (Fraction(1, 10), Fraction(3, 10))
"""Least shares of overlap, a loose and a stricter one (ConfusionBench, section 4)."""

Near = Sequence[Sequence[int]]
"""For each event of people the numbers of the reader's events that overlap it enough."""


@dataclass(frozen=True, slots=True)
class EventCounts:
    """How many events there are and how many were matched.

    Raises:
        ValueError: More were matched than there are, or there are not as many as thresholds.
    """

    truth: int
    """Events of people that could be seen."""
    predicted: int
    matched: tuple[int, ...]
    """Matched pairs at each of `THRESHOLDS`."""
    unseen: int = 0
    """Events of people no moment of which could be judged; they are in no share."""

    def __post_init__(self) -> None:
        most = min(self.truth, self.predicted)
        if len(self.matched) != len(THRESHOLDS) or not all(0 <= m <= most for m in self.matched):
            raise ValueError(f"{self.matched} matches of {self.truth} and {self.predicted} events")

    def precision(self, at: int) -> Proportion:
        """Matched ones of those predicted, at `THRESHOLDS[at]`."""
        return Proportion(self.matched[at], self.predicted)

    def recall(self, at: int) -> Proportion:
        """Matched ones of those of people."""
        return Proportion(self.matched[at], self.truth)

    def f1(self, at: int) -> Proportion:
        """Twice the matched over all events of both."""
        return Proportion(2 * self.matched[at], self.truth + self.predicted)

    def shared(self, at: int) -> Proportion:
        """Matched pairs over all different events: F1 is 2s/(1+s) of this share."""
        return Proportion(self.matched[at], self.truth + self.predicted - self.matched[at])


def add_events(counts: Sequence[EventCounts]) -> EventCounts:
    """Pool the counts of several videos."""
    return EventCounts(
        sum(each.truth for each in counts),
        sum(each.predicted for each in counts),
        tuple(sum(each.matched[at] for each in counts) for at in range(len(THRESHOLDS))),
        sum(each.unseen for each in counts),
    )


def count_events(
    truth: Sequence[Span], predicted: Sequence[Span], left_out: Sequence[Span] = ()
) -> EventCounts:
    """Match the events of one video at every threshold.

    Time that the reader could not judge counts for no overlap and against none; an event of people
    that lies in it whole cannot be found by anybody and is counted apart.

    Args:
        truth: The events of people.
        predicted: The events of a reader.
        left_out: Where the reader could not know.
    """
    out = merged(left_out)
    seen = [event for event in truth if _seen_ms(event, out)]
    given = [event for event in predicted if _seen_ms(event, out)]
    matched = tuple(len(match_events(seen, given, share, out)) for share in THRESHOLDS)
    return EventCounts(len(seen), len(given), matched, len(truth) - len(seen))


def match_events(
    truth: Sequence[Span],
    predicted: Sequence[Span],
    threshold: Fraction,
    left_out: Sequence[Span] = (),
) -> tuple[tuple[int, int], ...]:
    """Match events one to one so that no larger set of pairs exists.

    Args:
        truth: The events of people.
        predicted: The events of a reader.
        threshold: Least share of overlap, above 0 and up to 1.
        left_out: Time that counts for no overlap and against none.

    Returns:
        Pairs of an index into `truth` and one into `predicted`, by the first.
    """
    out = merged(left_out)
    touching = _touching(truth, predicted)
    near = [
        [at for at in some if overlaps_enough(true, predicted[at], threshold, out)]
        for true, some in zip(truth, touching, strict=True)
    ]
    return _greatest(near)


def overlaps_enough(
    one: Span, other: Span, threshold: Fraction, left_out: Sequence[Span] = ()
) -> bool:
    """Say whether shared time over all time of two events reaches a threshold.

    Args:
        one: An event.
        other: Another.
        threshold: Above 0 and up to 1; an equal share is enough.
        left_out: Merged stretches that are taken out of both.
    """
    start_ms, end_ms = max(one.start_ms, other.start_ms), min(one.end_ms, other.end_ms)
    if start_ms >= end_ms:
        return False
    shared = _seen_ms(Span(start_ms, end_ms), left_out)
    union = _seen_ms(one, left_out) + _seen_ms(other, left_out) - shared
    return shared > 0 and shared * threshold.denominator >= threshold.numerator * union


def _touching(truth: Sequence[Span], predicted: Sequence[Span]) -> list[list[int]]:
    """Give for each event the others that share a moment with it, without looking at all pairs."""
    order = sorted(range(len(predicted)), key=lambda at: predicted[at])
    starts = [predicted[at].start_ms for at in order]
    latest = list(accumulate((predicted[at].end_ms for at in order), max))
    found = []
    for true in truth:
        # Of all that start before its end: before `first`, every one has ended when it begins.
        first, last = bisect_right(latest, true.start_ms), bisect_left(starts, true.end_ms)
        found.append([at for at in order[first:last] if true.overlap_ms(predicted[at])])
    return found


def _seen_ms(event: Span, left_out: Sequence[Span]) -> int:
    return event.duration_ms - sum(event.overlap_ms(out) for out in left_out)


def _greatest(near: Near) -> tuple[tuple[int, int], ...]:
    """Give a matching of greatest size, by augmenting paths (Berge 1957)."""
    taken_by: dict[int, int] = {}
    for true in range(len(near)):
        _augment(true, near, taken_by)
    return tuple(sorted((true, given) for given, true in taken_by.items()))


def _augment(start: int, near: Near, taken_by: dict[int, int]) -> None:
    """Match one more event, moving earlier matches along where that makes room."""
    came_from: dict[int, int] = {}
    waiting = deque([start])
    while waiting:
        true = waiting.popleft()
        for given in near[true]:
            if given in came_from:
                continue
            came_from[given] = true
            if given not in taken_by:
                _move(given, start, came_from, taken_by)
                return
            waiting.append(taken_by[given])


def _move(free: int, start: int, came_from: dict[int, int], taken_by: dict[int, int]) -> None:
    """Give each event of people on the path the reader's event through which it was reached."""
    held = {true: given for given, true in taken_by.items()}
    given = free
    while True:
        true = came_from[given]
        before = held.get(true)
        taken_by[given] = true
        if true == start or before is None:
            return
        given = before
