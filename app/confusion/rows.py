"""The rows of bands that are laid one under the other: the reviewer's, then each reader's.

All rows run over the same windows of 2 s, so that they can be compared window by window.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from app.confusion.events import events_of, reviewer_events, standing_decisions
from app.confusion.records import Bands, Event, Level, Reading
from app.confusion.review import LearnerReview
from app.confusion.stretches import waiting_events
from app.confusion.windows import windows_of
from app.lesson.spans import Span


class Sign(StrEnum):
    """What a row says of one window."""

    SHOWS = "signs of confusion"
    """Medium or high; of the reviewer's row, at least half of the window lies in an event."""
    CLEAR = "no signs"
    """None or low; of the reviewer's row, nobody marked it."""
    HIDDEN = "not visible"
    FAILED = "failed"
    """The model gave no usable answer."""
    UNREAD = "not read"
    """The reader was stopped before it came there."""
    OPEN = "not decided"
    """Of the reviewer's row: a reader's event lies there that no person has decided on."""

    @property
    def counts(self) -> bool:
        """Whether the window is in denominators: the row says yes or no of it."""
        return self in (Sign.SHOWS, Sign.CLEAR)


@dataclass(frozen=True, slots=True)
class Cell:
    """One window of a row."""

    span: Span
    sign: Sign
    level: Level | None = None
    """`None` of the reviewer's row, and where nothing is known."""


@dataclass(frozen=True, slots=True)
class Row:
    """What one reader, or the reviewers together, say of a whole video."""

    name: str
    """Of the reader; of the reviewer's row, the people who decided, in order of time."""
    is_reviewer: bool
    cells: tuple[Cell, ...]
    """In order of time, one for each window of the video."""
    events: tuple[Event, ...]
    knows_hidden: bool = True
    """Whether it is known where the face can be seen: not where no reader has looked."""

    @property
    def is_complete(self) -> bool:
        """Whether every window was read."""
        return all(cell.sign is not Sign.UNREAD for cell in self.cells)

    def time_ms(self, *signs: Sign) -> int:
        """Add up the windows of which the row says this."""
        return sum(cell.span.duration_ms for cell in self.cells if cell.sign in signs)

    def number(self, *signs: Sign) -> int:
        """Count the windows of which the row says this."""
        return sum(cell.sign in signs for cell in self.cells)


def rows_of(review: LearnerReview) -> tuple[Row, ...]:
    """Give the reviewer's row, where somebody has decided on an event, and one for each reader.

    Nobody can know whether a person looked at every window. So where a person marked nothing,
    the reviewer's row says `CLEAR` only where no reader's event waits for a decision; there it
    says `OPEN`. Where no reader sees a face and nobody marked anything it says `HIDDEN`.
    """
    span = span_of(review)
    if span is None:
        return ()
    windows = windows_of(span)
    readers = tuple(_reader_row(bands, windows) for bands in review.latest_bands)
    if not review.decisions:
        return readers
    return (_reviewer_row(review, windows, readers), *readers)


def span_of(review: LearnerReview) -> Span | None:
    """Give the stretch that rows run over: the recording, else all that was read."""
    if review.media is not None:
        return review.media.span
    readings = [r for bands in review.latest_bands for r in bands.readings]
    if not readings:
        return None
    return Span(min(r.start_ms for r in readings), max(r.end_ms for r in readings))


def covered_ms(windows: Sequence[Span], events: Iterable[Event | Span]) -> tuple[int, ...]:
    """Say for each window, in order of time, how much of it lies in events.

    Events that overlap each other count twice there.
    """
    covered = [0] * len(windows)
    for event in events:
        place = max(0, bisect_right(windows, event.start_ms, key=lambda w: w.start_ms) - 1)
        while place < len(windows) and windows[place].start_ms < event.end_ms:
            window = windows[place]
            ends = min(event.end_ms, window.end_ms), max(event.start_ms, window.start_ms)
            covered[place] += max(0, ends[0] - ends[1])
            place += 1
    return tuple(covered)


def _reader_row(bands: Bands, windows: Sequence[Span]) -> Row:
    by_start = {reading.start_ms: reading for reading in bands.readings}
    cells = tuple(_reader_cell(window, by_start) for window in windows)
    return Row(bands.reader, is_reviewer=False, cells=cells, events=events_of(bands.readings))


def _reader_cell(window: Span, by_start: Mapping[int, Reading]) -> Cell:
    reading = by_start.get(window.start_ms)
    if reading is None:
        return Cell(window, Sign.UNREAD)
    if reading.is_failure:
        return Cell(window, Sign.FAILED)
    if not reading.is_visible:
        return Cell(window, Sign.HIDDEN)
    if reading.level is None:
        return Cell(window, Sign.FAILED)
    return Cell(window, Sign.SHOWS if reading.level.is_positive else Sign.CLEAR, reading.level)


def _reviewer_row(review: LearnerReview, windows: Sequence[Span], readers: Sequence[Row]) -> Row:
    events = reviewer_events(review.decisions)
    marked = covered_ms(windows, events)
    waiting = covered_ms(windows, (found.event for found in waiting_events(review)))
    cells = []
    for place, window in enumerate(windows):
        if 2 * marked[place] >= window.duration_ms:
            sign = Sign.SHOWS
        elif waiting[place]:
            sign = Sign.OPEN
        else:
            sign = _unmarked([row.cells[place].sign for row in readers])
        cells.append(Cell(window, sign))
    people = dict.fromkeys(d.author or "unnamed" for d in standing_decisions(review.decisions))
    knows_hidden = any(sign is not Sign.UNREAD for row in readers for sign in _signs(row))
    return Row(" & ".join(people), True, tuple(cells), events, knows_hidden)


def _unmarked(seen: Sequence[Sign]) -> Sign:
    """Say what the reviewer's row says where nobody marked anything and nothing waits."""
    looked = [sign for sign in seen if sign is Sign.HIDDEN or sign.counts]
    if looked and all(sign is Sign.HIDDEN for sign in looked):
        return Sign.HIDDEN
    return Sign.CLEAR


def _signs(row: Row) -> set[Sign]:
    return {cell.sign for cell in row.cells}
