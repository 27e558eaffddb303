"""The log of what people did to a lesson, and how undo and redo are read from it.

Nothing in the log is ever altered. Undoing appends a row that names the change; a change stands
unless the latest row that names it says `undo`. Only the last standing change can be undone, so
what stands after an undo is exactly what stood before the change.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from app.coding.review import Change
from app.store.rows import now_utc, sound_text, to_json

UNDONE = """
    SELECT target FROM (
        SELECT target, action, max(change_id) FROM change
        WHERE lesson_id = :lesson AND target IS NOT NULL GROUP BY target
    ) WHERE action = 'undo'
"""
"""Changes of the lesson `:lesson` that do not stand."""


class Kind(StrEnum):
    """What a change touches."""

    DECISION = "decision"
    CLIPS = "clips"
    TEXT = "text"
    SPEAKER = "speaker"
    RENAME = "rename"
    ROLE = "role"
    NOTE = "note"
    TITLE = "title"
    EVENT = "event"
    """A word on a stretch of confusion."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One change as the log holds it."""

    change_id: int
    kind: Kind
    label: str
    detail: Mapping[str, Any]


def append_change(
    connection: sqlite3.Connection,
    lesson_id: str,
    kind: Kind,
    label: str,
    author: str,
    detail: Mapping[str, Any],
    subject: str = "",
) -> Entry:
    """Write down a change; whatever was undone before can no longer be redone.

    `subject` names what was touched, for those kinds of which `standing` asks one thing at a time.
    """
    change_id = _append(connection, lesson_id, "do", None, kind, label, author, detail, subject)
    return Entry(change_id, kind, label, detail)


def undo_last(connection: sqlite3.Connection, lesson_id: str, author: str) -> Entry | None:
    """Write down that the last standing change is undone; `None` when there is none."""
    entry = next_undo(connection, lesson_id)
    if entry is not None:
        _append_step(connection, lesson_id, "undo", entry, author)
    return entry


def redo_last(connection: sqlite3.Connection, lesson_id: str, author: str) -> Entry | None:
    """Write down that the last undone change stands again; `None` when there is none."""
    entry = next_redo(connection, lesson_id)
    if entry is not None:
        _append_step(connection, lesson_id, "redo", entry, author)
    return entry


def next_undo(connection: sqlite3.Connection, lesson_id: str) -> Entry | None:
    """Give the change that undo would take back."""
    return _entry(
        connection.execute(
            f"""SELECT change_id, kind, label, detail FROM change
            WHERE lesson_id = :lesson AND target IS NULL AND change_id NOT IN ({UNDONE})
            ORDER BY change_id DESC LIMIT 1""",
            {"lesson": lesson_id},
        )
    )


def next_redo(connection: sqlite3.Connection, lesson_id: str) -> Entry | None:
    """Give the change that redo would bring back: the last undone since the last new change.

    Undo goes backwards, so that the last undone is the earliest among them.
    """
    return _entry(
        connection.execute(
            """SELECT change_id, kind, label, detail FROM change
            WHERE change_id = (
                SELECT min(target) FROM (
                    SELECT target, action, max(change_id) AS at FROM change
                    WHERE lesson_id = :lesson AND target IS NOT NULL GROUP BY target
                ) WHERE action = 'undo' AND at > (
                    SELECT max(change_id) FROM change
                    WHERE lesson_id = :lesson AND target IS NULL
                )
            )""",
            {"lesson": lesson_id},
        )
    )


def standing(
    connection: sqlite3.Connection, lesson_id: str, kinds: Iterable[Kind], subject: str = ""
) -> list[Entry]:
    """Give the changes of some kinds that stand, oldest first; of one subject when it is named."""
    wanted = ", ".join(f"'{kind.value}'" for kind in kinds)
    about = "AND subject = :subject" if subject else ""
    found = connection.execute(
        f"""SELECT change_id, kind, label, detail FROM change
        WHERE lesson_id = :lesson AND target IS NULL AND kind IN ({wanted}) {about}
            AND change_id NOT IN ({UNDONE})
        ORDER BY change_id""",
        {"lesson": lesson_id, "subject": subject},
    )
    return [
        Entry(number, Kind(kind), label, json.loads(detail))
        for number, kind, label, detail in found
    ]


def history(connection: sqlite3.Connection, lesson_id: str) -> tuple[Change, ...]:
    """Give everything people did to a lesson, oldest first, with what was undone marked so."""
    rows = connection.execute(
        f"""SELECT change_id, label, author, made_at, change_id IN ({UNDONE}), kind FROM change
        WHERE lesson_id = :lesson AND target IS NULL ORDER BY change_id""",
        {"lesson": lesson_id},
    )
    return tuple(
        Change(number, label, author, made_at, bool(undone), kind in (Kind.DECISION, Kind.EVENT))
        for number, label, author, made_at, undone, kind in rows
    )


def _append_step(
    connection: sqlite3.Connection, lesson_id: str, action: str, entry: Entry, author: str
) -> None:
    _append(connection, lesson_id, action, entry.change_id, entry.kind, entry.label, author, {})


def _append(
    connection: sqlite3.Connection,
    lesson_id: str,
    action: str,
    target: int | None,
    kind: Kind,
    label: str,
    author: str,
    detail: Mapping[str, Any],
    subject: str = "",
) -> int:
    cursor = connection.execute(
        "INSERT INTO change (lesson_id, action, target, kind, label, author, made_at, detail, "
        "subject) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            lesson_id,
            action,
            target,
            kind.value,
            sound_text(label),
            sound_text(author),
            now_utc(),
            to_json(detail),
            subject,
        ),
    )
    return int(cursor.lastrowid or 0)


def _entry(cursor: sqlite3.Cursor) -> Entry | None:
    row = cursor.fetchone()
    if row is None:
        return None
    return Entry(row[0], Kind(row[1]), row[2], json.loads(row[3]))
