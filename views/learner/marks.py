"""What the bands draw: readings and events as plain arrays, so that an hour paints at once."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum

import numpy as np
from numpy.typing import NDArray

from app.confusion.records import Bands, CueKind, Reading

NEAR_MS = 1000
"""A value measured within so long of a moment stands for it: half a window."""


class Show(IntEnum):
    """How a window is drawn. The numbers of levels are their ranks."""

    NONE = 0
    LOW = 1
    MEDIUM = 2
    HIGH = 3
    NOT_VISIBLE = 4
    """No usable face: neither confused nor not."""
    FAILED = 5


SHOW_WORDS = {
    Show.NONE: "none",
    Show.LOW: "low",
    Show.MEDIUM: "medium",
    Show.HIGH: "high",
    Show.NOT_VISIBLE: "not visible",
    Show.FAILED: "failed",
}


@dataclass(frozen=True, slots=True, eq=False)
class BandMarks:
    """One row: the windows of a reader. The n entries of every array belong together."""

    key: str
    name: str
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    shows: NDArray[np.int8]
    """`Show`, by number."""
    readings: tuple[Reading, ...] = ()
    is_hidden: bool = False
    """Whether blind mode keeps it back: the row is named, and nothing is drawn."""
    is_complete: bool = True

    def at(self, time_ms: int) -> Reading | None:
        """Give the reading of the window that holds a moment; `None` where nothing was read."""
        place = int(np.searchsorted(self.starts, time_ms, side="right")) - 1
        if self.is_hidden or place < 0 or time_ms >= self.ends[place]:
            return None
        return self.readings[place]


class EventState(StrEnum):
    """How far an event has come."""

    SUGGESTED = "suggested"
    """A reader's, on which nobody has decided."""
    CONFIRMED = "confirmed"
    ADJUSTED = "adjusted"
    DISMISSED = "dismissed"
    ADDED = "added"


@dataclass(frozen=True, slots=True)
class EventMark:
    """One event as it is drawn in the reviewer's row, or over a reader's."""

    event_id: str
    start_ms: int
    end_ms: int
    state: EventState
    reader: str = ""
    """Key of the row it was found in; empty for one that a person added."""


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """One cue over time. Arrays of length n; `nan` where it was not measured."""

    kind: CueKind
    times: NDArray[np.float64]
    """In order; the middle of each window, or each moment at which the face was looked at."""
    values: NDArray[np.float64]
    """0 to 1."""
    usual: float | None
    """What is usual for this learner; `None` where nobody knows."""

    def at(self, time_ms: float) -> float | None:
        """Give the value nearest to a moment; `None` where none was measured within 1 s."""
        place = int(np.searchsorted(self.times, time_ms))
        near = [i for i in (place - 1, place) if 0 <= i < len(self.times)]
        best = min(near, key=lambda i: abs(self.times[i] - time_ms), default=None)
        if best is None or abs(self.times[best] - time_ms) > NEAR_MS:
            return None
        value = float(self.values[best])
        return None if np.isnan(value) else value


def show_of(reading: Reading) -> Show:
    """Say how a reading is drawn. A window without a usable face never has a level."""
    if reading.is_failure:
        return Show.FAILED
    if not reading.is_visible:
        return Show.NOT_VISIBLE
    return Show.FAILED if reading.level is None else Show(reading.level.rank)


def band_marks(bands: Bands, key: str, name: str = "", *, is_hidden: bool = False) -> BandMarks:
    """Lay the readings of a run out for drawing, in order of time."""
    readings = tuple(sorted(bands.readings, key=lambda one: one.start_ms))
    count = len(readings)
    return BandMarks(
        key,
        name or bands.reader,
        np.fromiter((one.start_ms for one in readings), np.int64, count),
        np.fromiter((one.end_ms for one in readings), np.int64, count),
        np.fromiter((show_of(one) for one in readings), np.int8, count),
        readings,
        is_hidden,
        bands.is_complete,
    )


def merged(
    marks: BandMarks,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int8]]:
    """Join windows that touch and are drawn alike: starts, ends and `Show` of each stretch."""
    if not len(marks.starts):
        return marks.starts, marks.ends, marks.shows
    breaks = (marks.shows[1:] != marks.shows[:-1]) | (marks.starts[1:] != marks.ends[:-1])
    first = np.concatenate([[0], np.flatnonzero(breaks) + 1])
    last = np.concatenate([first[1:] - 1, [len(marks.starts) - 1]])
    return marks.starts[first], marks.ends[last], marks.shows[first]


def curves_of(marks: BandMarks) -> tuple[Curve, ...]:
    """Give each cue of a reader that was measured, in the order of `CueKind`."""
    if marks.is_hidden or not marks.readings:
        return ()
    times = (marks.starts + marks.ends) / 2
    return tuple(
        curve for kind in CueKind if (curve := _curve(kind, times, marks.readings)) is not None
    )


def _curve(
    kind: CueKind, times: NDArray[np.float64], readings: tuple[Reading, ...]
) -> Curve | None:
    values = np.full(len(readings), np.nan)
    usual: float | None = None
    for place, reading in enumerate(readings):
        for cue in reading.cues:
            if cue.kind is kind and cue.value is not None:
                values[place] = cue.value
                usual = cue.baseline if cue.baseline is not None else usual
    return None if np.isnan(values).all() else Curve(kind, times, values, usual)
