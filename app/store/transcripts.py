"""Transcripts as they came; edits are laid over them by `edits.py`."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass

from app.errors import StoreRefused
from app.lesson.transcript.records import Role, Transcript
from app.store import rows, search
from app.store.records import HitKind

_KEPT = 3
"""Transcripts kept in memory; one of three hours with all its words takes about 15 MB."""


@dataclass(frozen=True, slots=True)
class StoredTranscript:
    """A transcript as it came, with its number in the store."""

    transcript_id: int
    original: Transcript
    roles: dict[str, Role]


def add_transcript(
    connection: sqlite3.Connection,
    lesson_id: str,
    transcript: Transcript,
    roles: Mapping[str, Role],
) -> int:
    """Add a transcript, which stands in place of earlier ones; gives its number in the store."""
    cursor = connection.execute(
        "INSERT INTO transcript (lesson_id, source, language, encoding, notes, roles, added_at) "
        "VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            lesson_id,
            rows.sound_text(transcript.source),
            rows.sound_text(transcript.language),
            rows.sound_text(transcript.encoding),
            rows.to_json(transcript.notes),
            rows.to_json({rows.sound_text(name): role for name, role in roles.items()}),
            rows.now_utc(),
        ),
    )
    transcript_id = int(cursor.lastrowid or 0)
    connection.executemany(
        f"INSERT INTO utterance (transcript_id, place, {rows.UTTERANCE_COLUMNS}) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (transcript_id, place, *rows.utterance_to_row(line))
            for place, line in enumerate(transcript.utterances)
        ),
    )
    search.drop_utterances(connection, lesson_id)
    for line in transcript.utterances:
        search.put_text(
            connection,
            lesson_id,
            HitKind.UTTERANCE,
            line.number,
            line.text,
            line.start_ms,
            line.number,
        )
    return transcript_id


class Originals:
    """Keeps the last transcripts that were read, by their number in the store.

    They never change once they are in the store, so that what is kept here is always right. After
    each decision the window reads the lesson again; this spares it the thousands of lines.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[int, StoredTranscript] = OrderedDict()
        self._guard = threading.Lock()

    def of_lesson(self, connection: sqlite3.Connection, lesson_id: str) -> StoredTranscript | None:
        """Give the latest transcript of a lesson as it came, without the edits."""
        number = latest_transcript(connection, lesson_id)
        if number is None:
            return None
        with self._guard:
            stored = self._kept.get(number)
        if stored is None:
            stored = _read(connection, number)
        with self._guard:
            self._kept[number] = stored
            self._kept.move_to_end(number)
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return stored


def require_transcript(connection: sqlite3.Connection, lesson_id: str) -> int:
    """Give the number in the store of the latest transcript.

    Raises:
        StoreRefused: The lesson has none.
    """
    found = latest_transcript(connection, lesson_id)
    if found is None:
        raise StoreRefused("This lesson has no transcript yet.", "Import or make one first.")
    return found


def latest_transcript(connection: sqlite3.Connection, lesson_id: str) -> int | None:
    """Give the number in the store of the latest transcript; `None` without one."""
    row = connection.execute(
        "SELECT max(transcript_id) FROM transcript WHERE lesson_id = ?", (lesson_id,)
    ).fetchone()
    return None if row[0] is None else int(row[0])


def find_alone(
    connection: sqlite3.Connection, originals: Originals, transcript: Transcript
) -> str | None:
    """Give the first lesson without a recording whose transcript, as it came, is this one.

    Only those are read that look alike from outside: by their source, their length and their first
    line.
    """
    lines = transcript.utterances
    alike = connection.execute(
        _ALIKE,
        (
            rows.sound_text(transcript.source),
            rows.sound_text(transcript.language),
            rows.sound_text(transcript.encoding),
            len(lines),
            rows.sound_text(lines[0].text) if lines else None,
        ),
    ).fetchall()
    for (lesson_id,) in alike:
        stored = originals.of_lesson(connection, lesson_id)
        if stored is not None and stored.original == transcript:
            return str(lesson_id)
    return None


_ALIKE = """
    SELECT l.lesson_id FROM lesson AS l JOIN transcript AS t ON t.transcript_id = (
        SELECT max(own.transcript_id) FROM transcript AS own WHERE own.lesson_id = l.lesson_id
    )
    WHERE NOT EXISTS (SELECT 1 FROM media AS m WHERE m.lesson_id = l.lesson_id)
        AND t.source = ? AND t.language = ? AND t.encoding = ?
        AND (SELECT count(*) FROM utterance AS u WHERE u.transcript_id = t.transcript_id) = ?
        AND (
            SELECT u.text FROM utterance AS u WHERE u.transcript_id = t.transcript_id
            ORDER BY u.place LIMIT 1
        ) IS ?
    ORDER BY l.rowid
"""


def original_line(
    connection: sqlite3.Connection, transcript_id: int, number: int
) -> tuple[str, int | None]:
    """Give the words of one line as it came, and its start.

    Raises:
        StoreRefused: There is no such line.
    """
    row = connection.execute(
        "SELECT text, start_ms FROM utterance WHERE transcript_id = ? AND number = ?",
        (transcript_id, number),
    ).fetchone()
    if row is None:
        raise StoreRefused(f"The transcript has no line {number}.", "")
    return row[0], row[1]


def original_speakers(
    connection: sqlite3.Connection, transcript_id: int
) -> tuple[dict[int, str], dict[str, Role]]:
    """Give who speaks each line, and the roles, as they came."""
    row = connection.execute(
        "SELECT roles FROM transcript WHERE transcript_id = ?", (transcript_id,)
    ).fetchone()
    speakers = connection.execute(
        "SELECT number, speaker FROM utterance WHERE transcript_id = ? ORDER BY place",
        (transcript_id,),
    )
    return dict(speakers.fetchall()), _roles(row[0])


def _read(connection: sqlite3.Connection, transcript_id: int) -> StoredTranscript:
    source, language, encoding, notes, roles = connection.execute(
        "SELECT source, language, encoding, notes, roles FROM transcript WHERE transcript_id = ?",
        (transcript_id,),
    ).fetchone()
    lines = rows.utterances_from_rows(
        connection.execute(
            f"SELECT {rows.UTTERANCE_COLUMNS} FROM utterance WHERE transcript_id = ? "
            "ORDER BY place",
            (transcript_id,),
        )
    )
    original = Transcript(lines, source, language, encoding, tuple(json.loads(notes)))
    return StoredTranscript(transcript_id, original, _roles(roles))


def _roles(text: str) -> dict[str, Role]:
    return {name: Role(role) for name, role in json.loads(text).items()}
