"""Lessons in the store: adding them, what the program writes about them, reading them back."""

from __future__ import annotations

import json
import os
import secrets
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from app.coding.records import Decision, Prediction
from app.coding.review import LessonReview
from app.errors import StoreRefused
from app.lesson.clips import Clip
from app.lesson.media.facts import MediaFacts
from app.lesson.transcript.records import Role, Transcript
from app.store import changes, edits, rows, search
from app.store.changes import UNDONE, Kind
from app.store.media_places import find_media, relative_to_library
from app.store.records import HitKind, LessonRow

PERSON_FIRST = "(change_id IS NULL), set_id DESC"
"""Order in which clip sets count: what a person drew before what the program proposed."""

_UNDONE_ANYWHERE = """
    SELECT target FROM (
        SELECT target, action, max(change_id) FROM change
        WHERE target IS NOT NULL GROUP BY target
    ) WHERE action = 'undo'
"""


@dataclass(frozen=True, slots=True)
class StoredTranscript:
    """A transcript as it came, with its number in the store."""

    transcript_id: int
    original: Transcript
    roles: dict[str, Role]


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
    connection: sqlite3.Connection, library: Path, title: str, media: MediaFacts | None
) -> str:
    """Add a lesson without a transcript; gives its id."""
    lesson_id = _new_id(connection)
    connection.execute(
        "INSERT INTO lesson (lesson_id, title, added_at) VALUES (?, ?, ?)",
        (lesson_id, rows.sound_text(title), rows.now_utc()),
    )
    search.put_text(connection, lesson_id, HitKind.TITLE, 0, title)
    if media is not None:
        _place_media(connection, library, lesson_id, media)
    return lesson_id


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


def move_media(connection: sqlite3.Connection, library: Path, lesson_id: str, path: str) -> None:
    """Write down that the recording of a lesson lies elsewhere now.

    Raises:
        StoreRefused: The lesson has no recording.
    """
    row = _media_row(connection, lesson_id)
    if row is None:
        raise StoreRefused("This lesson has no recording that could have moved.", "")
    _place_media(connection, library, lesson_id, rows.media_from_json(row[3], path))


def add_run(
    connection: sqlite3.Connection,
    lesson_id: str,
    coder: str,
    provenance: tuple[tuple[str, str], ...],
    predictions: Iterable[Prediction],
) -> int:
    """Add what a coder says of the clips of a lesson; gives the number of the run."""
    cursor = connection.execute(
        "INSERT INTO run (lesson_id, coder, provenance, made_at) VALUES (?, ?, ?, ?)",
        (lesson_id, rows.sound_text(coder), rows.provenance_to_json(provenance), rows.now_utc()),
    )
    run_id = int(cursor.lastrowid or 0)
    for prediction in predictions:
        _add_prediction(connection, lesson_id, run_id, prediction)
    return run_id


def add_clip_set(
    connection: sqlite3.Connection, lesson_id: str, clips: Sequence[Clip], change_id: int | None
) -> None:
    """Add a whole set of clips: a person's (with the change) or the program's (without)."""
    stored = connection.execute(
        "SELECT max(transcript_id) FROM transcript WHERE lesson_id = ?", (lesson_id,)
    ).fetchone()
    cursor = connection.execute(
        "INSERT INTO clip_set (lesson_id, change_id, transcript_id, made_at) VALUES (?, ?, ?, ?)",
        (lesson_id, change_id, stored[0], rows.now_utc()),
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
    latest = connection.execute(
        "SELECT max(transcript_id) FROM transcript WHERE lesson_id = ?", (lesson_id,)
    ).fetchone()[0]
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


def decisions_of(connection: sqlite3.Connection, lesson_id: str) -> tuple[Decision, ...]:
    """Give the decisions that stand, oldest first."""
    found = connection.execute(
        f"""SELECT {rows.DECISION_COLUMNS} FROM decision
        WHERE lesson_id = :lesson AND change_id NOT IN ({UNDONE}) ORDER BY change_id""",
        {"lesson": lesson_id},
    )
    return tuple(rows.decision_from_row(each) for each in found)


def note_of(connection: sqlite3.Connection, lesson_id: str) -> str:
    """Give the note on the whole lesson as it stands."""
    found = changes.standing(connection, lesson_id, (Kind.NOTE,))
    return str(found[-1].detail["text"]) if found else ""


def title_of(connection: sqlite3.Connection, lesson_id: str) -> str:
    """Give the title as it stands."""
    first, _ = require_lesson(connection, lesson_id)
    found = changes.standing(connection, lesson_id, (Kind.TITLE,))
    return str(found[-1].detail["title"]) if found else first


def stored_transcript(connection: sqlite3.Connection, lesson_id: str) -> StoredTranscript | None:
    """Give the latest transcript as it came, without the edits."""
    row = connection.execute(
        "SELECT transcript_id, source, language, encoding, notes, roles FROM transcript "
        "WHERE lesson_id = ? ORDER BY transcript_id DESC LIMIT 1",
        (lesson_id,),
    ).fetchone()
    if row is None:
        return None
    transcript_id, source, language, encoding, notes, roles = row
    found = connection.execute(
        f"SELECT {rows.UTTERANCE_COLUMNS} FROM utterance WHERE transcript_id = ? ORDER BY place",
        (transcript_id,),
    )
    lines = tuple([rows.utterance_from_row(each) for each in found])
    original = Transcript(lines, source, language, encoding, tuple(json.loads(notes)))
    named = {name: Role(role) for name, role in json.loads(roles).items()}
    return StoredTranscript(transcript_id, original, named)


def read_lesson(connection: sqlite3.Connection, library: Path, lesson_id: str) -> LessonReview:
    """Read everything that is known, claimed and decided about a lesson."""
    _, added_at = require_lesson(connection, lesson_id)
    stored = stored_transcript(connection, lesson_id)
    transcript, roles = None, dict[str, Role]()
    if stored is not None:
        edited = changes.standing(connection, lesson_id, edits.KINDS)
        transcript, roles = edits.replay(
            stored.original, stored.roles, edited, stored.transcript_id
        )
    media, media_found = _media(connection, library, lesson_id)
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
        predictions=_predictions(connection, lesson_id),
        decisions=decisions_of(connection, lesson_id),
        note=note_of(connection, lesson_id),
        history=changes.history(connection, lesson_id),
    )


def titles(connection: sqlite3.Connection) -> dict[str, str]:
    """Give the present title of every lesson, in the order they were added."""
    found = dict(connection.execute("SELECT lesson_id, title FROM lesson ORDER BY rowid"))
    changed = connection.execute(
        f"""SELECT lesson_id, detail FROM change WHERE target IS NULL AND kind = 'title'
            AND change_id NOT IN ({_UNDONE_ANYWHERE}) ORDER BY change_id"""
    )
    for lesson_id, detail in changed:
        found[lesson_id] = json.loads(detail)["title"]
    return found


def list_lessons(connection: sqlite3.Connection, library: Path) -> list[LessonRow]:
    """Give one row for each lesson, in the order they were added."""
    named = titles(connection)
    counts = {row[0]: row[1:] for row in connection.execute(_COUNTS)}
    found = []
    for row in connection.execute(_LIST):
        lesson_id, added_at, has_transcript, path, relative, size, duration_ms, mark = row
        place, there = "", False
        if path is not None:
            place, there = find_media(library, json.loads(path), json.loads(relative), size)
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
            )
        )
    return found


def find_by_fingerprint(connection: sqlite3.Connection, fingerprint: str) -> str | None:
    """Give the lesson whose recording has this fingerprint, the first when there are several."""
    row = connection.execute(
        "SELECT lesson_id FROM media WHERE fingerprint = ? ORDER BY media_id LIMIT 1",
        (rows.sound_text(fingerprint),),
    ).fetchone()
    return None if row is None else str(row[0])


_LIST = """
    SELECT l.lesson_id, l.added_at,
        EXISTS (SELECT 1 FROM transcript AS t WHERE t.lesson_id = l.lesson_id),
        m.path, m.relative, m.size_bytes, m.duration_ms, m.fingerprint
    FROM lesson AS l LEFT JOIN media AS m ON m.media_id = (
        SELECT max(media_id) FROM media WHERE media.lesson_id = l.lesson_id
    ) ORDER BY l.rowid
"""

_COUNTS = f"""
    WITH undone AS MATERIALIZED ({_UNDONE_ANYWHERE}),
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


def _place_media(
    connection: sqlite3.Connection, library: Path, lesson_id: str, media: MediaFacts
) -> None:
    path = os.path.abspath(media.path)  # noqa: PTH100 - Path.absolute keeps `..` in the middle
    connection.execute(
        "INSERT INTO media (lesson_id, fingerprint, size_bytes, duration_ms, path, relative, "
        "facts, placed_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            lesson_id,
            rows.sound_text(media.fingerprint),
            media.size_bytes,
            media.duration_ms,
            json.dumps(path),
            json.dumps(relative_to_library(library, path)),
            rows.media_to_json(replace(media, path=path)),
            rows.now_utc(),
        ),
    )


def _media_row(connection: sqlite3.Connection, lesson_id: str) -> tuple[Any, ...] | None:
    row: tuple[Any, ...] | None = connection.execute(
        "SELECT path, relative, size_bytes, facts FROM media WHERE lesson_id = ? "
        "ORDER BY media_id DESC LIMIT 1",
        (lesson_id,),
    ).fetchone()
    return row


def _media(
    connection: sqlite3.Connection, library: Path, lesson_id: str
) -> tuple[MediaFacts | None, bool]:
    row = _media_row(connection, lesson_id)
    if row is None:
        return None, False
    path, relative, size_bytes, facts = row
    place, there = find_media(library, json.loads(path), json.loads(relative), size_bytes)
    return rows.media_from_json(facts, place), there


def _clip_set_row(connection: sqlite3.Connection, lesson_id: str) -> tuple[Any, ...] | None:
    row: tuple[Any, ...] | None = connection.execute(
        f"""SELECT set_id, change_id, transcript_id FROM clip_set
        WHERE lesson_id = :lesson AND (change_id IS NULL OR change_id NOT IN ({UNDONE}))
        ORDER BY {PERSON_FIRST} LIMIT 1""",
        {"lesson": lesson_id},
    ).fetchone()
    return row


def _add_prediction(
    connection: sqlite3.Connection, lesson_id: str, run_id: int, prediction: Prediction
) -> None:
    cursor = connection.execute(
        "INSERT INTO prediction (run_id, lesson_id, clip_id, clip, coder, practice, level, "
        "margin, provenance, note) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            run_id,
            lesson_id,
            rows.sound_text(prediction.clip.clip_id),
            rows.clip_to_json(prediction.clip),
            rows.sound_text(prediction.coder),
            rows.sound_text(prediction.practice),
            prediction.level,
            prediction.margin,
            rows.provenance_to_json(prediction.provenance),
            rows.sound_text(prediction.note),
        ),
    )
    for evidence in prediction.evidence:
        stored = connection.execute(
            f"INSERT INTO evidence (prediction_id, {rows.EVIDENCE_COLUMNS}) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (cursor.lastrowid, *rows.evidence_to_row(evidence)),
        )
        # A quote that nobody said must not come up as if somebody had.
        if evidence.check.supports:
            search.put_text(
                connection,
                lesson_id,
                HitKind.QUOTE,
                int(stored.lastrowid or 0),
                evidence.citation.quote,
                evidence.start_ms,
                evidence.utterances[0] if evidence.utterances else None,
            )


def _predictions(connection: sqlite3.Connection, lesson_id: str) -> tuple[Prediction, ...]:
    cited: dict[int, list[Any]] = {}
    for prediction_id, *row in connection.execute(
        f"""SELECT prediction_id, {rows.EVIDENCE_COLUMNS} FROM evidence
        WHERE prediction_id IN (SELECT prediction_id FROM prediction WHERE lesson_id = ?)
        ORDER BY evidence_id""",
        (lesson_id,),
    ):
        cited.setdefault(prediction_id, []).append(rows.evidence_from_row(tuple(row)))
    found = connection.execute(
        "SELECT prediction_id, clip, coder, practice, level, margin, provenance, note "
        "FROM prediction WHERE lesson_id = ? ORDER BY prediction_id",
        (lesson_id,),
    )
    return tuple(
        Prediction(
            rows.clip_from_json(clip),
            coder,
            practice,
            level,
            margin,
            tuple(cited.get(prediction_id, ())),
            rows.provenance_from_json(provenance),
            note,
        )
        for prediction_id, clip, coder, practice, level, margin, provenance, note in found
    )


def _in_order(clips: Sequence[Clip]) -> Sequence[Clip]:
    timed = [(clip.start_ms, clip) for clip in clips if clip.start_ms is not None]
    if len(timed) < len(clips):
        return clips  # without times, the order in which they were given is all there is
    return [clip for _, clip in sorted(timed, key=lambda pair: pair[0])]
