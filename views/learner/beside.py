"""What lies beside a reader's event: other readers' events and windows, found without a walk."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from app.confusion.events import FoundEvent
from app.confusion.records import Bands, Event, Reading

Spans = tuple[NDArray[np.int64], NDArray[np.int64]]
"""Starts and ends, each rising: spans of one reader, which do not overlap."""


class Beside:
    """Answers what other readers say of the time of an event.

    Args:
        bands: The runs that count.
        found: All events of all readers.
    """

    def __init__(self, bands: Sequence[Bands], found: Iterable[FoundEvent]) -> None:
        events: dict[str, list[Event]] = {one.reader: [] for one in bands}
        for each in found:
            events[each.reader].append(each.event)
        self._events = {name: _spans(held) for name, held in events.items()}
        self._levels = {
            one.reader: _spans([r for r in one.readings if r.level is not None]) for one in bands
        }
        self._hidden = {
            one.reader: _spans([r for r in one.readings if not r.is_visible]) for one in bands
        }

    def agreeing(self, one: FoundEvent) -> tuple[str, ...]:
        """Name the other readers that found an event at the same time."""
        return tuple(
            name
            for name, spans in self._events.items()
            if name != one.reader and _touches(spans, one.event.start_ms, one.event.end_ms)
        )

    def looked(self, one: FoundEvent) -> int:
        """Count the other readers that could say something of the same time."""
        return sum(
            name != one.reader and _touches(spans, one.event.start_ms, one.event.end_ms)
            for name, spans in self._levels.items()
        )

    def goes_out_of_sight(self, one: FoundEvent) -> bool:
        """Say whether the window before or after the event is not visible to its own reader."""
        hidden = self._hidden[one.reader]
        return _touches(hidden, one.event.start_ms - 1, one.event.end_ms + 1)


def _spans(held: Sequence[Event] | Sequence[Reading]) -> Spans:
    count = len(held)
    starts = np.fromiter((each.start_ms for each in held), np.int64, count)
    ends = np.fromiter((each.end_ms for each in held), np.int64, count)
    return np.sort(starts), np.sort(ends)


def _touches(spans: Spans, start_ms: int, end_ms: int) -> bool:
    """Say whether a span overlaps the time from one moment to another."""
    starts, ends = spans
    return bool(np.searchsorted(starts, end_ms) > np.searchsorted(ends, start_ms, side="right"))
