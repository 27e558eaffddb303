"""Where a stretch of confusion begins and ends: what a person's hand makes of it.

Every boundary lies on the media's clock to the millisecond. Where it does not come to lie at the
moment that was asked for, the reason is given, so that nothing snaps in silence.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from app.confusion.records import Event
from app.lesson.spans import Span, show_time

SHORTEST_MS = 200
"""Shortest stretch a person can make: five frames of a slow webcam, and wide enough to be seen."""


class Edge(StrEnum):
    """One of the two boundaries of an event."""

    START = "start"
    END = "end"


@dataclass(frozen=True, slots=True)
class Moved:
    """An event after one of its boundaries was moved."""

    event: Event
    note: str = ""
    """Why the boundary lies elsewhere than asked for; empty where it lies just there."""


def start_here(event: Event, time_ms: int, video: Span) -> Moved:
    """Let an event begin at a moment."""
    return drag(event, Edge.START, time_ms, video)


def end_here(event: Event, time_ms: int, video: Span) -> Moved:
    """Let an event end at a moment."""
    return drag(event, Edge.END, time_ms, video)


def drag(
    event: Event, edge: Edge, time_ms: int, video: Span, near: Iterable[int] = (), reach_ms: int = 0
) -> Moved:
    """Move a boundary to a moment.

    Args:
        event: Before the move.
        edge: Which of its boundaries.
        time_ms: Where it was let go of.
        video: All of the recording: nothing lies outside of it.
        near: Moments that it may snap to, such as the edges of windows; none unless wanted.
        reach_ms: How near one has to be for that.

    Returns:
        The event, never outside the recording, and never made shorter than `SHORTEST_MS`.
    """
    wanted, note = _snapped(time_ms, near, reach_ms)
    if edge is Edge.START:
        low, high = video.start_ms, max(video.start_ms, event.end_ms - SHORTEST_MS)
    else:
        low, high = min(video.end_ms, event.start_ms + SHORTEST_MS), video.end_ms
    placed = min(max(wanted, low), high)
    if placed == time_ms:
        note = ""
    elif placed != wanted:
        note = _why(edge, placed, video)
    moved = Event(placed, event.end_ms) if edge is Edge.START else Event(event.start_ms, placed)
    return Moved(moved, note)


def new_event(start_ms: int, end_ms: int, video: Span) -> Moved:
    """Make an event between two moments, in whatever order they were marked.

    Raises:
        ValueError: The recording is shorter than the shortest event.
    """
    if video.duration_ms < SHORTEST_MS:
        raise ValueError(f"no event fits into a recording of {video.duration_ms} ms")
    first, last = sorted((start_ms, end_ms))
    begin = min(max(first, video.start_ms), video.end_ms - SHORTEST_MS)
    end = min(max(last, begin + SHORTEST_MS), video.end_ms)
    same = (begin, end) == (first, last)
    told = f"An event lies inside the video and lasts at least {SHORTEST_MS / 1000:g} s."
    return Moved(Event(begin, end), "" if same else told)


def _snapped(time_ms: int, near: Iterable[int], reach_ms: int) -> tuple[int, str]:
    within = [at for at in near if abs(at - time_ms) <= reach_ms]
    if not within:
        return time_ms, ""
    nearest = min(within, key=lambda at: (abs(at - time_ms), at))
    if nearest == time_ms:
        return time_ms, ""
    return nearest, f"Set to {show_time(nearest, tenths=True)}, the nearest edge."


def _why(edge: Edge, placed: int, video: Span) -> str:
    if placed in (video.start_ms, video.end_ms):
        return f"The video {edge}s at {show_time(placed, tenths=True)}."
    return (
        f"The {edge} was set to {show_time(placed, tenths=True)}: an event lasts at least "
        f"{SHORTEST_MS / 1000:g} s."
    )
