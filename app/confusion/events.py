"""From windows to stretches of confusion, and what a person makes of them.

Readers' events follow from their windows alone. A person's events are a layer of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.confusion.records import Bands, Event, EventDecision, EventVerdict, Reading

_STANDS = (EventVerdict.CONFIRM, EventVerdict.ADJUST, EventVerdict.ADD)


@dataclass(frozen=True, slots=True)
class FoundEvent:
    """A reader's event with the windows it is made of."""

    reader: str
    event: Event
    readings: tuple[Reading, ...]

    @property
    def evidence_ms(self) -> tuple[int, ...]:
        """Moments that its windows rest on, in order, each once."""
        return tuple(sorted({at for reading in self.readings for at in reading.evidence_ms}))


def events_of(readings: Sequence[Reading]) -> tuple[Event, ...]:
    """Give the runs of consecutive positive windows, in order of time.

    A window that is not visible or failed ends a run, and so does a gap: nobody knows what
    happened there.
    """
    return tuple(Event(run[0].start_ms, run[-1].end_ms) for run in _runs(readings))


def found_events(bands: Bands) -> tuple[FoundEvent, ...]:
    """Give a reader's events with their windows, in order of time."""
    return tuple(
        FoundEvent(bands.reader, Event(run[0].start_ms, run[-1].end_ms), tuple(run))
        for run in _runs(bands.readings)
    )


def standing_decisions(decisions: Iterable[EventDecision]) -> tuple[EventDecision, ...]:
    """Give the latest word on each event, in order of time; dismissals are among them."""
    latest: dict[str, EventDecision] = {}
    for decision in decisions:
        latest[decision.event_id] = decision
    return tuple(sorted(latest.values(), key=lambda d: (d.start_ms, d.end_ms)))


def decision_on(
    event: Event, reader: str, decisions: Iterable[EventDecision]
) -> EventDecision | None:
    """Give the latest word on a reader's event, known by the reader's own boundaries."""
    about = [
        d
        for d in standing_decisions(decisions)
        if d.reader == reader
        and (d.found_start_ms, d.found_end_ms) == (event.start_ms, event.end_ms)
    ]
    return max(about, key=lambda d: d.made_at) if about else None


def reviewer_events(decisions: Iterable[EventDecision]) -> tuple[Event, ...]:
    """Give what people confirmed, adjusted or added, in order of time.

    Where two readers' events were confirmed that overlap, that is one stretch; stretches that
    only touch stay apart, since a person put a boundary there.
    """
    merged: list[Event] = []
    for decision in standing_decisions(decisions):
        if decision.verdict not in _STANDS:
            continue
        if merged and decision.start_ms < merged[-1].end_ms:
            end_ms = max(merged[-1].end_ms, decision.end_ms)
            merged[-1] = Event(merged[-1].start_ms, end_ms)
        else:
            merged.append(Event(decision.start_ms, decision.end_ms))
    return tuple(merged)


def _runs(readings: Iterable[Reading]) -> list[list[Reading]]:
    runs: list[list[Reading]] = []
    before: Reading | None = None
    for reading in sorted(readings, key=lambda r: r.start_ms):
        if reading.is_positive:
            goes_on = before is not None and before.is_positive
            if before is not None and goes_on and before.end_ms == reading.start_ms:
                runs[-1].append(reading)
            else:
                runs.append([reading])
        before = reading
    return runs
