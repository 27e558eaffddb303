"""What people decide about events, which stands beside readings and never over them."""

from __future__ import annotations

import sqlite3
from typing import Any

from app.confusion.records import EventDecision, EventVerdict
from app.lesson.spans import show_time
from app.store import changes, lessons, search
from app.store.changes import UNDONE, Kind
from app.store.records import HitKind
from app.store.rows import sound_text

_COLUMNS = (
    "event_id, verdict, start_ms, end_ms, author, made_at, note, reader, found_start_ms, "
    "found_end_ms"
)
_VERBS = {
    EventVerdict.CONFIRM: "Confirm the event",
    EventVerdict.ADJUST: "Set the boundaries of the event",
    EventVerdict.DISMISS: "Dismiss the event",
    EventVerdict.ADD: "Add an event",
}


def decide_event(connection: sqlite3.Connection, lesson_id: str, decision: EventDecision) -> int:
    """Write down a person's word on an event; gives the number of the change.

    Raises:
        StoreRefused: There is no such video.
        ValueError: The event has no length.
    """
    if decision.start_ms >= decision.end_ms:
        raise ValueError(f"an event from {decision.start_ms} to {decision.end_ms} ms")
    lessons.require_lesson(connection, lesson_id)
    label = f"{_VERBS[decision.verdict]} at {show_time(decision.start_ms)}"
    entry = changes.append_change(connection, lesson_id, Kind.EVENT, label, decision.author, {})
    connection.execute(
        f"INSERT INTO event_decision (change_id, lesson_id, {_COLUMNS}) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            entry.change_id,
            lesson_id,
            sound_text(decision.event_id),
            decision.verdict.value,
            decision.start_ms,
            decision.end_ms,
            sound_text(decision.author),
            decision.made_at,
            sound_text(decision.note),
            sound_text(decision.reader),
            decision.found_start_ms,
            decision.found_end_ms,
        ),
    )
    find_event_note(connection, lesson_id, entry.change_id, stands=True)
    return entry.change_id


def event_decisions_of(connection: sqlite3.Connection, lesson_id: str) -> tuple[EventDecision, ...]:
    """Give the words on events that stand, oldest first."""
    found = connection.execute(
        f"""SELECT {_COLUMNS} FROM event_decision
        WHERE lesson_id = :lesson AND change_id NOT IN ({UNDONE}) ORDER BY change_id""",
        {"lesson": lesson_id},
    )
    return tuple(_decision(row) for row in found)


def find_event_note(
    connection: sqlite3.Connection, lesson_id: str, change_id: int, *, stands: bool
) -> None:
    """Have the search find the note of a word on an event while the word stands."""
    note, start_ms = connection.execute(
        "SELECT note, start_ms FROM event_decision WHERE change_id = ?", (change_id,)
    ).fetchone()
    text = note if stands else ""
    search.put_text(connection, lesson_id, HitKind.NOTE, change_id, text, start_ms)


def _decision(row: tuple[Any, ...]) -> EventDecision:
    event_id, verdict, *rest = row
    return EventDecision(event_id, EventVerdict(verdict), *rest)
