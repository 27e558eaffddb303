"""Why a reader found an event: cues for and against, before any level is named."""

from __future__ import annotations

from collections.abc import Sequence

from app.confusion.records import Cue, CueKind, Reading
from app.lesson.spans import show_time
from views.learner.items import Item
from views.learner.words import reading_words

MOST_WINDOWS = 6
"""Windows of an event that are told one by one; of a longer one, only how many there are."""


def reasons_words(item: Item) -> str:
    """Write the evidence first, then what the reader made of it, in lines."""
    if not item.reader:
        return "Added by hand; no reader found it."
    lines = [f"Found by {item.reader}."]
    if item.found is not None and (item.found.start_ms, item.found.end_ms) != (
        item.start_ms,
        item.end_ms,
    ):
        first, last = (show_time(t, tenths=True) for t in (item.found.start_ms, item.found.end_ms))
        lines.append(f"The reader's own edges: {first} to {last}.")
    cues = [cue for reading in item.readings for cue in reading.cues]
    lines += _told("Speaks for it", [cue for cue in cues if not cue.speaks_against])
    lines += _told("Speaks against it", [cue for cue in cues if cue.speaks_against])
    if item.readings and not cues:
        lines.append("The reader named no signs.")
    moments = sorted({at for reading in item.readings for at in reading.evidence_ms})
    if moments:
        told = ", ".join(show_time(at, tenths=True) for at in moments[:MOST_WINDOWS])
        lines.append(f"Look at {told} (E goes to the next).")
    lines += _windows(item.readings)
    if item.also:
        lines.append(f"Also found by {', '.join(item.also)}.")
    return "\n".join(lines)


def strongest(cues: Sequence[Cue]) -> list[Cue]:
    """Give of each kind of cue the one measured highest, in the order of `CueKind`."""
    best: dict[CueKind, Cue] = {}
    for cue in cues:
        held = best.get(cue.kind)
        if held is None or (cue.value or 0.0) > (held.value or 0.0):
            best[cue.kind] = cue
    return [best[kind] for kind in CueKind if kind in best]


def _told(head: str, cues: Sequence[Cue]) -> list[str]:
    return [f"{head}: {'; '.join(_cue(cue) for cue in strongest(cues))}."] if cues else []


def _cue(cue: Cue) -> str:
    words = cue.words or cue.kind.value
    if cue.value is None:
        return words
    usual = "" if cue.baseline is None else f", usual {cue.baseline:.2f}"
    return f"{words} (up to {cue.value:.2f}{usual})"


def _windows(readings: Sequence[Reading]) -> list[str]:
    if len(readings) > MOST_WINDOWS:
        return [f"{len(readings)} windows of 2 s in a row."]
    told = [f"{show_time(one.start_ms)} {reading_words(one)}" for one in readings]
    return [f"Windows: {'; '.join(told)}."] if told else []
