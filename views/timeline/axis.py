"""Which part of the lesson lies between the left and the right edge, and how it moves."""

from __future__ import annotations

from dataclasses import dataclass, replace

from app.lesson.spans import Span

LEAST_PART_MS = 500
"""The closest zoom: half a second across, about a dozen frames."""

STEPS_MS = (
    *(20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 15_000, 30_000),
    *(60_000, 120_000, 300_000, 600_000, 900_000, 1_800_000, 3_600_000),
)
"""Distances between times on the ruler that people count in."""


@dataclass(frozen=True, slots=True)
class Axis:
    """The visible part of a lesson, laid over a width in pixels.

    `start_ms` and `end_ms` are real numbers, so that zooming in and out again ends where it began.
    """

    whole: Span
    start_ms: float
    end_ms: float
    width: int
    """Pixels; 1 or more."""

    @classmethod
    def over(cls, whole: Span, width: int) -> Axis:
        """Show all of the lesson."""
        return cls(whole, whole.start_ms, whole.end_ms, max(1, width))

    @property
    def ms_per_px(self) -> float:
        """Milliseconds under one pixel; above zero."""
        return (self.end_ms - self.start_ms) / self.width

    def x_of(self, time_ms: float) -> float:
        """Give the pixel of a moment, which may lie outside the width."""
        return (time_ms - self.start_ms) / self.ms_per_px

    def time_at(self, x: float) -> int:
        """Give the moment under a pixel, kept inside the lesson."""
        time_ms = round(self.start_ms + x * self.ms_per_px)
        return min(max(time_ms, self.whole.start_ms), self.whole.end_ms - 1)

    def zoomed(self, factor: float, around_ms: float) -> Axis:
        """Come closer (`factor` above 1) or step back, leaving one moment where it is."""
        length = self.end_ms - self.start_ms
        wanted = min(max(length / factor, LEAST_PART_MS), self.whole.duration_ms)
        share = (around_ms - self.start_ms) / length
        return self._at(around_ms - share * wanted, wanted)

    def panned(self, by_ms: float) -> Axis:
        """Move along the lesson, stopping at its ends."""
        return self._at(self.start_ms + by_ms, self.end_ms - self.start_ms)

    def showing(self, part: Span) -> Axis:
        """Show one part of the lesson."""
        length = min(max(part.duration_ms, LEAST_PART_MS), self.whole.duration_ms)
        middle = (part.start_ms + part.end_ms) / 2
        return self._at(middle - length / 2, length)

    def resized(self, width: int) -> Axis:
        """Lay the same part over another width."""
        return replace(self, width=max(1, width))

    def step_for(self, least_px: float) -> int:
        """Give the smallest round step that is at least so many pixels wide."""
        least_ms = least_px * self.ms_per_px
        return next((step for step in STEPS_MS if step >= least_ms), _hours(least_ms))

    def steps(self, step_ms: int) -> range:
        """Give the round moments from just before the left edge to the right edge."""
        # Counted from zero on the lesson's clock, so that a label reads as a round time.
        first = int(self.start_ms // step_ms) * step_ms
        return range(first, int(self.end_ms) + 1, step_ms)

    def _at(self, start_ms: float, length: float) -> Axis:
        latest = self.whole.end_ms - length
        start = min(max(start_ms, self.whole.start_ms), max(latest, self.whole.start_ms))
        return replace(self, start_ms=start, end_ms=start + length)


def _hours(least_ms: float) -> int:
    return 3_600_000 * (int(least_ms // 3_600_000) + 1)
