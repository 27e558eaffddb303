"""What a reader's windows say of a video or of a clip, in the form in which it is scored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from app.benchmark.confusion_clips import ClipAnswer, LabelledClip
from app.benchmark.confusion_scores import NO, YES
from app.benchmark.confusion_tables import MarkedVideo
from app.confusion.events import events_of
from app.confusion.records import WINDOW_MS, Reading
from app.lesson.spans import Span

NOT_VISIBLE, FAILED, NOT_READ = "not visible", "failed", "not read"


def marks_of(truth: MarkedVideo, readings: Sequence[Reading], start_ms: int) -> MarkedVideo:
    """Give a reader's events in a video, and where it could not judge.

    Args:
        truth: The video as people marked it; its length counts.
        readings: In order of time, on the recording's own clock.
        start_ms: Where that clock starts.
    """
    whole = Span(0, truth.duration_ms)
    events = [Span(e.start_ms - start_ms, e.end_ms - start_ms) for e in events_of(readings)]
    out: list[tuple[str, Span]] = []
    read_to = 0
    for reading in sorted(readings, key=lambda r: r.start_ms):
        at = Span(reading.start_ms - start_ms, reading.end_ms - start_ms)
        if at.start_ms > read_to:
            out.append((NOT_READ, Span(read_to, at.start_ms)))
        if said_of([reading]) not in (YES, NO):
            out.append((said_of([reading]), at))
        read_to = max(read_to, at.end_ms)
    if read_to < truth.duration_ms:
        out.append((NOT_READ, Span(read_to, truth.duration_ms)))
    inside = tuple(cut for event in events if (cut := _cut(event, whole)) is not None)
    marked = [(why, cut) for why, span in out if (cut := _cut(span, whole)) is not None]
    return replace(truth, events=inside, left_out=_joined(marked), line=0)


def answer_of(clip: LabelledClip, readings: Sequence[Reading], whole: Span) -> ClipAnswer:
    """Give a reader's answer for a clip: yes where confusion shows in any of its windows.

    Args:
        clip: The clip.
        readings: All of its file, on the file's own clock.
        whole: All of the file on that clock.
    """
    lies = whole
    if clip.span is not None:
        lies = Span(whole.start_ms + clip.span.start_ms, whole.start_ms + clip.span.end_ms)
    own = _long_enough(readings_in(readings, lies))
    said = said_of(own)
    notes = dict.fromkeys(reading.note for reading in own if reading.note and said not in (YES, NO))
    return ClipAnswer(clip, said, " ".join(notes))


def readings_in(readings: Sequence[Reading], lies: Span) -> list[Reading]:
    """Give the windows of which at least half lies in a stretch; else the one that lies there most.

    Windows count from the start of a file, wherever a clip lies in it.
    """
    shared = [(lies.overlap_ms(Span(r.start_ms, r.end_ms)), r) for r in readings]
    own = [r for inside, r in shared if 2 * inside >= r.end_ms - r.start_ms]
    if own:
        return own
    best = max(shared, key=lambda pair: pair[0], default=None)
    return [best[1]] if best is not None and best[0] else []


def _long_enough(readings: Sequence[Reading]) -> Sequence[Reading]:
    """Leave out a shortened last window of under 1 s where there are others.

    A clip of 2 s often has a file that is a few pictures longer; these are no window of their own.
    """
    found = [r for r in readings if 2 * (r.end_ms - r.start_ms) >= WINDOW_MS]
    return found or readings


def said_of(readings: Sequence[Reading]) -> str:
    """Give one word for some windows: `yes` beats `no`, and any answer beats that there is none."""
    if not readings:
        return NOT_READ
    if any(reading.is_positive for reading in readings):
        return YES
    if any(reading.is_positive is False for reading in readings):
        return NO
    return FAILED if any(reading.is_failure for reading in readings) else NOT_VISIBLE


def _cut(span: Span, whole: Span) -> Span | None:
    start_ms, end_ms = max(span.start_ms, whole.start_ms), min(span.end_ms, whole.end_ms)
    return Span(start_ms, end_ms) if start_ms < end_ms else None


def _joined(marked: Sequence[tuple[str, Span]]) -> tuple[tuple[str, Span], ...]:
    """Join neighbours that are left out for the same reason."""
    joined: list[tuple[str, Span]] = []
    for why, span in marked:
        if joined and joined[-1][0] == why and joined[-1][1].end_ms == span.start_ms:
            joined[-1] = (why, Span(joined[-1][1].start_ms, span.end_ms))
        else:
            joined.append((why, span))
    return tuple(joined)
