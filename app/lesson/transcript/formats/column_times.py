"""What the times in a table's column mean.

Spreadsheets spoil times in a way of their own: who types `5:33` for five minutes and a half gets
05:33:00, five hours and a half, and past 24 minutes even a date in January 1900. Such a time is
read as minutes and seconds only where the lines around it, or the pace of speech, leave no other
reading; it is flagged, and a note says how it was read. Where nothing decides, there is no time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from itertools import groupby, pairwise

from app.lesson.spans import show_time
from app.lesson.transcript.formats.clocks import Clock, read_seconds, read_spelt, split_clock
from app.lesson.transcript.formats.drafts import list_places

Cell = str | int | float | bool | datetime | time | timedelta | None
"""What a cell of a table holds."""

SLOWEST, FASTEST = 0.25, 6.0
"""Words a second between which lessons lie: quick talk is about 4, TIMSS lessons about 1 to 2."""

_EXCEL_DAY_0 = datetime(1899, 12, 31)
_DAY_S = 86_400
_MOST_S = 10_000_000


@dataclass(slots=True)
class Settled:
    """The times of a column, one for each row."""

    times_ms: list[int | None]
    doubtful: set[int] = field(default_factory=set)
    """Indexes of rows whose time deserves a flag."""
    notes: list[str] = field(default_factory=list)


def clock_of(cell: Cell) -> Clock | None:
    """Give the parts of a cell that is written as a clock, or `None`."""
    if isinstance(cell, str):
        return split_clock(cell)
    if isinstance(cell, datetime):
        # Excel counts days from 1900: a date there is a number of hours above 24.
        cell = cell - _EXCEL_DAY_0 if cell.year < 1910 else cell.time()
    if isinstance(cell, time):
        return Clock(cell.hour, cell.minute, cell.second, cell.microsecond // 1000, 3)
    if isinstance(cell, timedelta) and timedelta(0) <= cell < timedelta(seconds=_MOST_S):
        whole_s, rest = divmod(round(cell / timedelta(milliseconds=1)), 1000)
        return Clock(whole_s // 3600, whole_s // 60 % 60, whole_s % 60, rest, 3)
    return None


def is_time(cell: Cell) -> bool:
    """Say whether a cell could be a time: a clock, or a number that is not below zero."""
    if isinstance(cell, bool):
        return False
    if isinstance(cell, (int, float)):
        return 0 <= cell < _MOST_S * 1000
    is_text = isinstance(cell, str)
    return clock_of(cell) is not None or (is_text and _plain(str(cell)) is not None)


def settle(cells: Sequence[Cell], words: Sequence[int], first_row: int, unit_ms: int) -> Settled:
    """Settle what the times of a column mean.

    Args:
        cells: The column, without its heading.
        words: How many words each row holds; the pace of speech is taken from them.
        first_row: Number of the first of these rows in the file, for notes.
        unit_ms: What a bare number counts: 1000 for seconds, 1 for milliseconds.
    """
    column = _Column(cells, words, first_row, unit_ms)
    column.decide()
    result = Settled(column.times_ms, set(column.doubtful), column.notes())
    _flag_backwards(result, first_row)
    return result


def _plain(text: str) -> int | None:
    seconds = read_seconds(text)
    return seconds if seconds is not None else read_spelt(text)


class _Column:
    """The working state while a column is settled."""

    def __init__(
        self, cells: Sequence[Cell], words: Sequence[int], first_row: int, unit_ms: int
    ) -> None:
        self.cells, self.words, self.first_row = cells, words, first_row
        self.clocks = [clock_of(cell) for cell in cells]
        self.times_ms: list[int | None] = [None] * len(cells)
        self.doubtful: set[int] = set()
        self.unread: list[int] = []
        self.as_minutes: list[int] = []
        self.open: list[int] = []
        self.surely_hours = 0
        share_of_day = _are_shares_of_day(cells)
        for index, cell in enumerate(cells):
            self._first_look(index, cell, _DAY_S * 1000 if share_of_day else unit_ms)

    def _first_look(self, index: int, cell: Cell, unit_ms: int) -> None:
        clock = self.clocks[index]
        if clock is not None:
            self._look_at_clock(index, clock)
        elif isinstance(cell, str) and cell.strip():
            self._keep_number(index, _plain(cell), unit_ms / 1000)
        elif isinstance(cell, (int, float)) and not isinstance(cell, bool):
            self._keep_number(index, cell if is_time(cell) else None, unit_ms)

    def _keep_number(self, index: int, number: float | None, unit_ms: float) -> None:
        if number is None:
            self.unread.append(index)
            self.doubtful.add(index)
        else:
            self.times_ms[index] = round(number * unit_ms)

    def _look_at_clock(self, index: int, clock: Clock) -> None:
        bare = clock.parts == 3 and clock.third == 0 and clock.milliseconds == 0
        if not bare or clock.as_hours_ms == 0:
            self.times_ms[index] = clock.as_hours_ms
            self.surely_hours += clock.as_hours_ms > 0
        elif clock.first >= 24:
            self._read_as_minutes(index, clock)
        else:
            self.open.append(index)

    def _read_as_minutes(self, index: int, clock: Clock) -> None:
        self.times_ms[index] = clock.as_minutes_ms
        self.as_minutes.append(index)
        self.doubtful.add(index)

    def decide(self) -> None:
        """Give each open time the one reading that fits, or none."""
        before, after = self._neighbours()
        undecided = []
        for index in self.open:
            clock = self.clocks[index]
            if clock is None:
                continue
            low, high = before[index], after[index]
            hours = low <= clock.as_hours_ms <= high
            minutes = low <= clock.as_minutes_ms <= high
            if hours == minutes:
                undecided.append(index)
            else:
                self._take(index, clock, hours)
        self._by_the_rest(undecided)

    def _neighbours(self) -> tuple[list[int], list[float]]:
        """Give for each row the last sure time before it and the first after it."""
        before, after = [], []
        last = 0
        for time_ms in self.times_ms:
            last = time_ms if time_ms is not None else last
            before.append(last)
        following = float("inf")
        for time_ms in reversed(self.times_ms):
            following = time_ms if time_ms is not None else following
            after.append(following)
        return before, after[::-1]

    def _take(self, index: int, clock: Clock, hours: bool) -> None:
        if hours:
            self.times_ms[index] = clock.as_hours_ms
            self.surely_hours += 1
        else:
            self._read_as_minutes(index, clock)

    def _by_the_rest(self, undecided: Sequence[int]) -> None:
        """Settle what its neighbours leave open: by the column, else by the pace of speech."""
        if self.surely_hours or self.as_minutes:
            hours: bool | None = self.surely_hours >= len(self.as_minutes)
        else:
            hours = self._by_pace(undecided)
        for index in undecided:
            clock = self.clocks[index]
            if hours is None or clock is None:
                self.unread.append(index)
                self.doubtful.add(index)
            else:
                self._take(index, clock, hours)

    def _by_pace(self, undecided: Sequence[int]) -> bool | None:
        """Say whether people would speak at a human pace with the times read as hours."""
        clocks = [(index, clock) for index in undecided if (clock := self.clocks[index])]
        if not clocks:
            return None
        index, clock = max(clocks, key=lambda pair: pair[1].as_hours_ms)
        spoken = sum(self.words[:index])
        as_hours = spoken * 1000 / clock.as_hours_ms
        as_minutes = spoken * 1000 / clock.as_minutes_ms
        fits_hours, fits_minutes = (SLOWEST <= pace <= FASTEST for pace in (as_hours, as_minutes))
        return fits_hours if fits_hours != fits_minutes else None

    def notes(self) -> list[str]:
        """Say how times were read."""
        notes = []
        if self.as_minutes:
            count = len(self.as_minutes)
            clock = self.clocks[min(self.as_minutes)] or Clock(0, 0, 0, 0, 3)
            written = f"{clock.first:02}:{clock.second:02}:00"
            times = (
                f"1 time, {written}, was"
                if count == 1
                else f"{count} times, such as {written}, were"
            )
            notes.append(
                f"{times} read as minutes and seconds ({show_time(clock.as_minutes_ms)}), because "
                "as hours they would not fit the rest. These lines are flagged: compare one with "
                "the recording."
            )
        if self.unread:
            where = list_places([index + self.first_row for index in self.unread], "row")
            notes.append(
                f"The time in {where} cannot be read, or can be read in two ways; those lines "
                "have no time."
            )
        return notes


def _are_shares_of_day(cells: Sequence[Cell]) -> bool:
    """Tell Excel's shares of a day from seconds: below one, and whole seconds when multiplied."""
    shares = [c for c in cells if isinstance(c, (int, float)) and not isinstance(c, bool) and c]
    if not shares or not all(0 < share < 1 for share in shares):
        return False
    seconds = [share * _DAY_S for share in shares]
    return all(abs(second - round(second)) < 0.01 for second in seconds)


def _flag_backwards(result: Settled, first_row: int) -> None:
    """Flag both sides of a step back: one of the two is wrong, and the file does not say which."""
    timed = [(i, t) for i, t in enumerate(result.times_ms) if t is not None]
    runs = [[i for i, _ in run] for _, run in groupby(timed, key=lambda pair: pair[1])]
    steps = []
    for above, run in pairwise(runs):
        before, now = result.times_ms[above[0]], result.times_ms[run[0]]
        if before is not None and now is not None and now < before:
            steps.append(run[0] + first_row)
            result.doubtful.update(above, run)
    if steps:
        result.notes.append(
            f"Times run backwards at {list_places(steps, 'row')}; the lines on both sides are "
            "flagged."
        )
