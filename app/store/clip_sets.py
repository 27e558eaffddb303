"""Clips of a lesson, kept as whole sets: each move, split or merge adds a set."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any

from app.lesson.clips import Clip
from app.store import rows
from app.store.changes import UNDONE
from app.store.decisions import decisions_of
from app.store.transcripts import latest_transcript

PERSON_FIRST = "(change_id IS NULL), set_id DESC"
"""Order in which clip sets count: what a person drew before what the program proposed."""


def add_clip_set(
    connection: sqlite3.Connection, lesson_id: str, clips: Sequence[Clip], change_id: int | None
) -> None:
    """Add a whole set of clips: a person's (with the change) or the program's (without)."""
    latest = latest_transcript(connection, lesson_id)
    cursor = connection.execute(
        "INSERT INTO clip_set (lesson_id, change_id, transcript_id, made_at) VALUES (?, ?, ?, ?)",
        (lesson_id, change_id, latest, rows.now_utc()),
    )
    connection.executemany(
        f"INSERT INTO clip (set_id, place, {rows.CLIP_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (cursor.lastrowid, place, *rows.clip_to_row(clip))
            for place, clip in enumerate(_in_order(clips))
        ),
    )


def may_propose_clips(connection: sqlite3.Connection, lesson_id: str) -> bool:
    """Say whether the program's clips are wanted.

    They are when there are none; and when there is only an earlier proposal for an earlier
    transcript on which nobody has decided anything.
    """
    row = _clip_set_row(connection, lesson_id)
    if row is None:
        return True
    _, change_id, transcript_id = row
    latest = latest_transcript(connection, lesson_id)
    return change_id is None and transcript_id != latest and not decisions_of(connection, lesson_id)


def clips_of(connection: sqlite3.Connection, lesson_id: str) -> tuple[Clip, ...]:
    """Give the clips as they stand, in order of time."""
    row = _clip_set_row(connection, lesson_id)
    if row is None:
        return ()
    found = connection.execute(
        f"SELECT {rows.CLIP_COLUMNS} FROM clip WHERE set_id = ? ORDER BY place", (row[0],)
    )
    return tuple(rows.clip_from_row(each) for each in found)


def _clip_set_row(connection: sqlite3.Connection, lesson_id: str) -> tuple[Any, ...] | None:
    row: tuple[Any, ...] | None = connection.execute(
        f"""SELECT set_id, change_id, transcript_id FROM clip_set
        WHERE lesson_id = :lesson AND (change_id IS NULL OR change_id NOT IN ({UNDONE}))
        ORDER BY {PERSON_FIRST} LIMIT 1""",
        {"lesson": lesson_id},
    ).fetchone()
    return row


def _in_order(clips: Sequence[Clip]) -> Sequence[Clip]:
    timed = [(clip.start_ms, clip) for clip in clips if clip.start_ms is not None]
    if len(timed) < len(clips):
        return clips  # without times, the order in which they were given is all there is
    return [clip for _, clip in sorted(timed, key=lambda pair: pair[0])]
