"""Dragging an edge of a clip: where it may go, and what it snaps to."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace

from app.lesson.spans import Span
from views.timeline.axis import Axis

SNAP_PX = 6
LEAST_CLIP_MS = 200
"""An edge stops this far from the other one, so that a clip never runs backwards."""


@dataclass(frozen=True, slots=True)
class EdgeDrag:
    """A clip whose start or end is on its way."""

    clip_id: str
    moves_start: bool
    span: Span
    """As it would be if the edge were let go now."""
    before: Span

    @property
    def edge_ms(self) -> int:
        """Where the edge is now."""
        return self.span.start_ms if self.moves_start else self.span.end_ms

    def to(self, time_ms: int, axis: Axis, stops: Sequence[int]) -> EdgeDrag:
        """Move the edge to a moment, or to the stop nearest to it within six pixels.

        Args:
            time_ms: Where the pointer is.
            axis: The part in view; its whole is where the edge has to stay.
            stops: Starts and ends of utterances, in order.
        """
        wanted = snapped(time_ms, stops, SNAP_PX * axis.ms_per_px)
        if self.moves_start:
            latest = self.span.end_ms - LEAST_CLIP_MS
            start = max(min(wanted, latest), axis.whole.start_ms)
            return replace(self, span=Span(start, self.span.end_ms))
        earliest = self.span.start_ms + LEAST_CLIP_MS
        end = min(max(wanted, earliest), axis.whole.end_ms)
        return replace(self, span=Span(self.span.start_ms, end))


def snapped(time_ms: int, stops: Sequence[int], reach_ms: float) -> int:
    """Give the stop nearest to a moment when one lies within reach, else the moment."""
    place = bisect_left(stops, time_ms)
    near = stops[max(0, place - 1) : place + 1]
    best = min(near, key=lambda stop: abs(stop - time_ms), default=time_ms)
    return best if abs(best - time_ms) <= reach_ms else time_ms
