"""What lies beside a reader's event: other readers' events and windows, found without a walk."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from app.confusion.events import FoundEvent
from app.confusion.records import Bands, Event, Reading

Spans = tuple[NDArray[np.int64], NDArray[np.int64]]
"""Starts and ends, each rising: spans of one reader, which do not overlap."""


class Beside:
    """The events of all readers, and what other readers say of the time of each.

    Worked out once for all events together; a decision changes nothing of it.

    Args:
        bands: The runs that count.
        found: All events of all readers.
    """

    def __init__(self, bands: Sequence[Bands], found: Sequence[FoundEvent]) -> None:
        self.found = tuple(found)
        self._place = {(one.reader, one.event): at for at, one in enumerate(self.found)}
        starts = np.array([one.event.start_ms for one in self.found], np.int64)
        ends = np.array([one.event.end_ms for one in self.found], np.int64)
        self._agrees, self._looked, self._hidden = {}, {}, {}
        for run in bands:
            name, readings = run.reader, run.readings
            own = [one.event for one in self.found if one.reader == name]
            levels = [one for one in readings if one.level is not None]
            hidden = [one for one in readings if not one.is_visible]
            self._agrees[name] = _touches(_spans(own), starts, ends)
            self._looked[name] = _touches(_spans(levels), starts, ends)
            self._hidden[name] = _touches(_spans(hidden), starts - 1, ends + 1)

    def agreeing(self, one: FoundEvent) -> tuple[str, ...]:
        """Name the other readers that found an event at the same time."""
        at = self._place[one.reader, one.event]
        return tuple(name for name, held in self._agrees.items() if name != one.reader and held[at])

    def looked(self, one: FoundEvent) -> int:
        """Count the other readers that could say something of the same time."""
        at = self._place[one.reader, one.event]
        return sum(bool(held[at]) for name, held in self._looked.items() if name != one.reader)

    def goes_out_of_sight(self, one: FoundEvent) -> bool:
        """Say whether the window before or after the event is not visible to its own reader."""
        return bool(self._hidden[one.reader][self._place[one.reader, one.event]])


def _spans(held: Sequence[Event] | Sequence[Reading]) -> Spans:
    count = len(held)
    starts = np.fromiter((each.start_ms for each in held), np.int64, count)
    ends = np.fromiter((each.end_ms for each in held), np.int64, count)
    return np.sort(starts), np.sort(ends)


def _touches(
    spans: Spans, start_ms: NDArray[np.int64], end_ms: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Say of each of (n,) times from one moment to another whether a span overlaps it."""
    starts, ends = spans
    return np.searchsorted(starts, end_ms) > np.searchsorted(ends, start_ms, side="right")
