"""Lessons as wholes: adding one, reading all of one, listing them."""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections.abc import Mapping
from pathlib import Path

from app.coding.review import LessonReview
from app.errors import StoreRefused
from app.lesson.media.facts import MediaFacts
from app.lesson.transcript.records import Role, Transcript
from app.store import changes, edits, recordings, rows, search, transcripts
from app.store.changes import Kind
from app.store.clip_sets import PERSON_FIRST, clips_of
from app.store.decisions import decisions_of
from app.store.predictions import predictions_of
from app.store.probes import probes_of
from app.store.records import HitKind, LessonRow

UNDONE_ANYWHERE = """
    SELECT target FROM (
        SELECT target, action, max(change_id) FROM change
        WHERE target IS NOT NULL GROUP BY lesson_id, target
    ) WHERE action = 'undo'
"""


def require_lesson(connection: sqlite3.Connection, lesson_id: str) -> tuple[str, str]:
    """Give first title and time of adding of a lesson.

    Raises:
        StoreRefused: There is no such lesson.
    """
    row = connection.execute(
        "SELECT title, added_at FROM lesson WHERE lesson_id = ?", (rows.sound_text(lesson_id),)
    ).fetchone()
    if row is None:
        raise StoreRefused(
            f"There is no lesson {rows.sound_text(lesson_id)} in this library.",
            "Choose one from the list of lessons.",
        )
    return row[0], row[1]


def add_lesson(
    connection: sqlite3.Connection,
    library: Path,
    title: str,
    media: MediaFacts | None,
    transcript: Transcript | None,
    roles: Mapping[str, Role],
) -> str:
    """Add a lesson with what there is of it; gives its id."""
    lesson_id = _new_id(connection)
    connection.execute(
        "INSERT INTO lesson (lesson_id, title, added_at) VALUES (?, ?, ?)",
        (lesson_id, rows.sound_text(title), rows.now_utc()),
    )
    search.put_text(connection, lesson_id, HitKind.TITLE, 0, title)
    if media is not None:
        recordings.place_media(connection, library, lesson_id, media)
    if transcript is not None:
        transcripts.add_transcript(connection, lesson_id, transcript, roles)
    return lesson_id


def note_of(connection: sqlite3.Connection, lesson_id: str) -> str:
    """Give the note on the whole lesson as it stands."""
    found = changes.standing(connection, lesson_id, (Kind.NOTE,))
    return str(found[-1].detail["text"]) if found else ""


def title_of(connection: sqlite3.Connection, lesson_id: str) -> str:
    """Give the title as it stands."""
    first, _ = require_lesson(connection, lesson_id)
    found = changes.standing(connection, lesson_id, (Kind.TITLE,))
    return str(found[-1].detail["title"]) if found else first


def read_lesson(
    connection: sqlite3.Connection,
    library: Path,
    originals: transcripts.Originals,
    lesson_id: str,
) -> LessonReview:
    """Read everything that is known, claimed and decided about a lesson."""
    _, added_at = require_lesson(connection, lesson_id)
    stored = originals.of_lesson(connection, lesson_id)
    transcript, roles = None, dict[str, Role]()
    if stored is not None:
        edited = changes.standing(connection, lesson_id, edits.KINDS)
        transcript, roles = edits.replay(
            stored.original, stored.roles, edited, stored.transcript_id
        )
    media, media_found = recordings.media_of(connection, library, lesson_id)
    return LessonReview(
        lesson_id=lesson_id,
        title=title_of(connection, lesson_id),
        added_at=added_at,
        media=media,
        media_found=media_found,
        transcript=transcript,
        original=stored.original if stored else None,
        roles=roles,
        clips=clips_of(connection, lesson_id),
        predictions=predictions_of(connection, lesson_id),
        decisions=decisions_of(connection, lesson_id),
        note=note_of(connection, lesson_id),
        history=changes.history(connection, lesson_id),
        probes=probes_of(connection, lesson_id),
    )


def read_media(
    connection: sqlite3.Connection, library: Path, lesson_id: str
) -> tuple[str, MediaFacts | None, bool]:
    """Read a lesson's title, the facts of its recording, and whether that lies there."""
    title = title_of(connection, lesson_id)
    return title, *recordings.media_of(connection, library, lesson_id)


def titles(connection: sqlite3.Connection) -> dict[str, str]:
    """Give the present title of every lesson, in the order they were added."""
    found = dict(connection.execute("SELECT lesson_id, title FROM lesson ORDER BY rowid"))
    changed = connection.execute(
        f"""SELECT lesson_id, detail FROM change WHERE target IS NULL AND kind = 'title'
            AND change_id NOT IN ({UNDONE_ANYWHERE}) ORDER BY change_id"""
    )
    for lesson_id, detail in changed:
        found[lesson_id] = json.loads(detail)["title"]
    return found


def list_lessons(connection: sqlite3.Connection, library: Path) -> list[LessonRow]:
    """Give one row for each lesson, in the order they were added."""
    named = titles(connection)
    counts = {row[0]: row[1:] for row in connection.execute(_COUNTS)}
    sets = dict(connection.execute(_SETS))
    whose = dict(connection.execute(_WHOSE))
    found = []
    for row in connection.execute(_LIST):
        lesson_id, added_at, has_transcript, path, relative, size, duration_ms, mark = row
        place, there = "", False
        if path is not None:
            place, there = recordings.find_media(
                library, json.loads(path), json.loads(relative), size
            )
        clips, coded, decided = counts.get(lesson_id, (0, 0, 0))
        found.append(
            LessonRow(
                lesson_id,
                named[lesson_id],
                place,
                there,
                duration_ms,
                added_at,
                clips,
                coded,
                decided,
                bool(has_transcript),
                mark or "",
                sets.get(lesson_id, ""),
                whose.get(lesson_id, ""),
            )
        )
    return found


_LIST = """
    SELECT l.lesson_id, l.added_at,
        EXISTS (SELECT 1 FROM transcript AS t WHERE t.lesson_id = l.lesson_id),
        m.path, m.relative, m.size_bytes, m.duration_ms, m.fingerprint
    FROM lesson AS l LEFT JOIN media AS m ON m.media_id = (
        SELECT max(media_id) FROM media WHERE media.lesson_id = l.lesson_id
    ) ORDER BY l.rowid
"""

_SETS = """
    SELECT DISTINCT c.lesson_id, s.name FROM coded_clip AS c JOIN coded_set AS s USING (set_id)
"""

# Whose video it is may be said anew; the last row of each counts.
_WHOSE = """
    SELECT v.lesson_id, l.name FROM learner_video AS v JOIN learner AS l USING (learner_id)
    ORDER BY v.rowid
"""

_COUNTS = f"""
    WITH undone AS MATERIALIZED ({UNDONE_ANYWHERE}),
    shown AS (
        SELECT l.lesson_id, (
            SELECT set_id FROM clip_set AS c
            WHERE c.lesson_id = l.lesson_id AND
                (change_id IS NULL OR change_id NOT IN (SELECT target FROM undone))
            ORDER BY {PERSON_FIRST} LIMIT 1
        ) AS set_id FROM lesson AS l
    )
    SELECT shown.lesson_id, count(*),
        sum(EXISTS (
            SELECT 1 FROM prediction AS p
            WHERE p.lesson_id = shown.lesson_id AND p.clip_id = clip.clip_id
        )),
        sum(EXISTS (
            SELECT 1 FROM decision AS d
            WHERE d.lesson_id = shown.lesson_id AND d.clip_id = clip.clip_id
                AND d.change_id NOT IN (SELECT target FROM undone)
        ))
    FROM shown JOIN clip ON clip.set_id = shown.set_id GROUP BY shown.lesson_id
"""


def _new_id(connection: sqlite3.Connection) -> str:
    while True:
        lesson_id = secrets.token_hex(4)
        taken = connection.execute("SELECT 1 FROM lesson WHERE lesson_id = ?", (lesson_id,))
        if taken.fetchone() is None:
            return lesson_id
