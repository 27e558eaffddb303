"""Cut a learner video into the windows that a reader judges, and find the segment around one."""

from __future__ import annotations

from app.confusion.records import SEGMENT_MS, WINDOW_MS
from app.lesson.spans import Span


def windows_of(span: Span) -> tuple[Span, ...]:
    """Cut a recording into windows of 2 s, counted from its start; the last one may be shorter.

    Together they hold every moment of the recording once.
    """
    starts = range(span.start_ms, span.end_ms, WINDOW_MS)
    return tuple(Span(start, min(start + WINDOW_MS, span.end_ms)) for start in starts)


def segment_of(window: Span, span: Span) -> Span:
    """Give the 10 s segment of the recording in which a window starts, cut off at the end.

    Segments are counted from the start of the recording (ConfusionBench, section 3.2); as each
    holds five whole windows, no window of `windows_of` lies across two.

    Raises:
        ValueError: The window starts outside the recording.
    """
    if not span.holds(window.start_ms):
        raise ValueError(f"the window at {window.start_ms} ms lies outside the recording")
    number = (window.start_ms - span.start_ms) // SEGMENT_MS
    start_ms = span.start_ms + number * SEGMENT_MS
    return Span(start_ms, min(start_ms + SEGMENT_MS, span.end_ms))
