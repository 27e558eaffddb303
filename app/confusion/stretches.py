"""Stretches of a learner video to talk over: what people confirmed first, then suggestions."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.confusion.events import (
    FoundEvent,
    found_events,
    reviewer_events,
    standing_decisions,
)
from app.confusion.records import Event, EventDecision, EventVerdict, Reading
from app.confusion.review import LearnerReview


@dataclass(frozen=True, slots=True)
class Stretch:
    """One stretch with everybody's word on it."""

    event: Event
    """Its boundaries: the reviewer's where people confirmed it, else the readers' together."""
    decisions: tuple[EventDecision, ...]
    """What people said of it; empty for a suggestion."""
    found: tuple[FoundEvent, ...]
    """The events of readers that overlap it."""
    readings: tuple[tuple[str, tuple[Reading, ...]], ...]
    """Of every reader, the windows that overlap it, in order of time."""

    @property
    def is_confirmed(self) -> bool:
        """Whether a person holds that confusion shows here."""
        return any(d.verdict is not EventVerdict.DISMISS for d in self.decisions)


def confirmed_stretches(review: LearnerReview) -> tuple[Stretch, ...]:
    """Give the reviewer's events, in order of time, with what readers said of the same time."""
    stood = [
        d for d in standing_decisions(review.decisions) if d.verdict is not EventVerdict.DISMISS
    ]
    found = all_found(review)
    return tuple(
        _stretch(review, event, [d for d in stood if _touch(event, _of(d))], found)
        for event in reviewer_events(review.decisions)
    )


def suggested_stretches(review: LearnerReview) -> tuple[Stretch, ...]:
    """Give what readers found and nobody has decided on, in order of time.

    Events of several readers that overlap are one stretch. What overlaps a confirmed event is
    told there instead.
    """
    groups: list[list[FoundEvent]] = []
    end_ms = 0
    for found in waiting_events(review):
        if groups and found.event.start_ms < end_ms:
            groups[-1].append(found)
        else:
            groups.append([found])
            end_ms = found.event.start_ms
        end_ms = max(end_ms, found.event.end_ms)
    return tuple(_stretch(review, _hull(group), (), group) for group in groups)


def weightiest(stretches: Sequence[Stretch], most: int) -> tuple[Stretch, ...]:
    """Give those that most readers found, the longer ones first, so many at most.

    They come in order of time.
    """

    def weight(stretch: Stretch) -> tuple[int, int]:
        readers = {found.reader for found in stretch.found}
        return len(readers), stretch.event.end_ms - stretch.event.start_ms

    chosen = sorted(stretches, key=weight, reverse=True)[:most]
    return tuple(sorted(chosen, key=lambda s: s.event.start_ms))


def dismissed_events(review: LearnerReview) -> tuple[EventDecision, ...]:
    """Give what people dismissed, in order of time."""
    return tuple(
        d for d in standing_decisions(review.decisions) if d.verdict is EventVerdict.DISMISS
    )


def waiting_events(
    review: LearnerReview, found: Sequence[FoundEvent] | None = None
) -> tuple[FoundEvent, ...]:
    """Give the readers' events that no person has decided on, in order of time.

    Args:
        review: The video.
        found: What `all_found` gives, where it is at hand: an hour has hundreds of events.
    """
    held = reviewer_events(review.decisions)
    decided = {
        (d.reader, d.found_start_ms, d.found_end_ms) for d in standing_decisions(review.decisions)
    }
    return tuple(
        one
        for one in (all_found(review) if found is None else found)
        if (one.reader, one.event.start_ms, one.event.end_ms) not in decided
        and not any(_touch(one.event, event) for event in held)
    )


def all_found(review: LearnerReview) -> tuple[FoundEvent, ...]:
    """Give the events of every reader's run that counts, in order of time."""
    found = (event for bands in review.latest_bands for event in found_events(bands))
    return tuple(sorted(found, key=lambda f: (f.event.start_ms, f.event.end_ms)))


def _stretch(
    review: LearnerReview,
    event: Event,
    decisions: Sequence[EventDecision],
    found: Iterable[FoundEvent],
) -> Stretch:
    readings = tuple(
        (bands.reader, _overlapping(bands.readings, event)) for bands in review.latest_bands
    )
    overlapping = tuple(f for f in found if _touch(event, f.event))
    return Stretch(event, tuple(decisions), overlapping, readings)


def _overlapping(readings: Sequence[Reading], event: Event) -> tuple[Reading, ...]:
    """Give the readings that overlap an event; readings are in order of time."""
    first = bisect_right(readings, event.start_ms, key=lambda r: r.end_ms)
    last = bisect_left(readings, event.end_ms, key=lambda r: r.start_ms)
    return tuple(readings[first:last])


def _hull(group: Sequence[FoundEvent]) -> Event:
    return Event(min(f.event.start_ms for f in group), max(f.event.end_ms for f in group))


def _of(decision: EventDecision) -> Event:
    return Event(decision.start_ms, decision.end_ms)


def _touch(one: Event, other: Event) -> bool:
    return one.start_ms < other.end_ms and other.start_ms < one.end_ms
