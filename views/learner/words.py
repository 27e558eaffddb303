"""What the Learner page says of readings and events, in words."""

from __future__ import annotations

from collections.abc import Sequence

from app.confusion.records import Cue, Reading
from app.lesson.spans import Span, show_time
from views.learner.marks import SHOW_WORDS, BandMarks, Curve, EventMark, EventState, Show, show_of
from views.timeline.index import SpanIndex

STATE_WORDS = {
    EventState.SUGGESTED: "suggested, waits for you",
    EventState.CONFIRMED: "confirmed",
    EventState.ADJUSTED: "confirmed with other edges",
    EventState.DISMISSED: "dismissed",
    EventState.ADDED: "added by hand",
}
LIMITS = (
    "What shows in a face is not what somebody thinks. These bands say where to look, never how a "
    "learner is; use them to start a conversation, and for no decision with consequences."
)
LIMITS_SHORT = (
    "A face does not show what somebody thinks. Bands say where to look; they decide nothing."
)
NOT_VISIBLE_WORDS = "No usable face: neither confused nor not, and in no share."


def reading_words(reading: Reading) -> str:
    """Write what a reader says of a window: `medium, sure: high`; never a level without a face."""
    show = show_of(reading)
    if show is Show.FAILED:
        return f"failed{f': {reading.note}' if reading.note else ''}"
    if show is Show.NOT_VISIBLE:
        return f"not visible{f': {reading.note}' if reading.note else ''}"
    sure = f", sureness {reading.confidence.value}" if reading.confidence else ""
    return f"{SHOW_WORDS[show]}{sure}"


def cue_words(cue: Cue) -> str:
    """Write a cue with what was measured and what is usual: `brow lowered 0.41 (usual 0.20)`."""
    words = cue.kind.value
    if cue.value is not None:
        words += f" {cue.value:.2f}"
    if cue.baseline is not None:
        words += f" (usual {cue.baseline:.2f})"
    return f"{words}: {cue.words}" if cue.words else words


def curve_words(curve: Curve, time_ms: int) -> str:
    """Write what a curve says of a moment; empty where nothing was measured there."""
    value = curve.at(time_ms)
    if value is None:
        return ""
    usual = "" if curve.usual is None else f" (usual {curve.usual:.2f})"
    return f"Measured: {curve.kind.value} {value:.2f}{usual}"


def event_words(event: EventMark, number: int = 0) -> str:
    """Write an event: `0:12.0 to 0:18.0, suggested, waits for you`."""
    span = f"{show_time(event.start_ms, tenths=True)} to {show_time(event.end_ms, tenths=True)}"
    head = f"Event {number}: " if number else ""
    return f"{head}{span}, {STATE_WORDS[event.state]}"


def under_playhead(
    bands: Sequence[BandMarks], events: SpanIndex[EventMark], time_ms: int, whole: Span | None
) -> str:
    """Say what lies under the playhead, for a screen reader."""
    if whole is None:
        return "Nothing to show yet."
    parts = [f"At {show_time(time_ms)} of {show_time(whole.end_ms)}"]
    event = events.at(time_ms)
    parts.append(f"event {event_words(event)}" if event else "no event of yours")
    for band in bands:
        if band.is_hidden:
            parts.append(f"{band.name}: hidden")
            continue
        reading = band.at(time_ms)
        parts.append(f"{band.name}: {reading_words(reading) if reading else 'not read'}")
    return "; ".join(parts) + "."


def tip(band: BandMarks, time_ms: int) -> str:
    """Say what a reader found at a moment, with its reasons; the reader's whole name first."""
    lines = [f"{show_time(time_ms, tenths=True)}  {band.name}"]
    if band.is_hidden:
        return f"{lines[0]}\nHidden while you mark blind."
    reading = band.at(time_ms)
    if reading is None:
        return f"{lines[0]}\nNot read" + ("" if band.is_complete else " yet") + "."
    lines.append(reading_words(reading))
    if show_of(reading) is Show.NOT_VISIBLE:
        lines.append(NOT_VISIBLE_WORDS)
    lines += [f"{'against: ' if c.speaks_against else ''}{cue_words(c)}" for c in reading.cues]
    if reading.note and reading.is_visible and not reading.is_failure:
        lines.append(reading.note)
    return "\n".join(lines)
