"""Stretches of lesson time, in whole milliseconds on the media's own clock."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of time; `start_ms` is inside it and `end_ms` is not.

    Half-open, so that neighbours share no moment.
    """

    start_ms: int
    end_ms: int

    def __post_init__(self) -> None:
        if self.start_ms >= self.end_ms:
            raise ValueError(f"a span cannot run from {self.start_ms} ms to {self.end_ms} ms")

    @property
    def duration_ms(self) -> int:
        """Length in milliseconds; above zero."""
        return self.end_ms - self.start_ms

    def holds(self, time_ms: int) -> bool:
        """Say whether a moment falls inside the span."""
        return self.start_ms <= time_ms < self.end_ms

    def contains(self, other: Span) -> bool:
        """Say whether the other span lies wholly inside this one."""
        return self.start_ms <= other.start_ms and other.end_ms <= self.end_ms

    def overlap_ms(self, other: Span) -> int:
        """Length shared with the other span; zero when they only touch."""
        return max(0, min(self.end_ms, other.end_ms) - max(self.start_ms, other.start_ms))


def show_time(time_ms: int | None, *, tenths: bool = False) -> str:
    """Write a moment as a person reads it: `0:07`, `12:40`, `1:02:03`, with tenths on request.

    Cut off, never rounded up, so that a printed time never lies after the moment it names.
    An unknown moment (`None`) is written as an en dash.
    """
    if time_ms is None:
        return "–"
    sign = "-" if time_ms < 0 else ""
    whole_s, rest_ms = divmod(abs(time_ms), 1000)
    minutes, seconds = divmod(whole_s, 60)
    hours, minutes = divmod(minutes, 60)
    clock = f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
    return f"{sign}{clock}.{rest_ms // 100}" if tenths else f"{sign}{clock}"
