"""Sets of coded clips: brought in whole, read with what coders have said of them."""

from __future__ import annotations

import json
import sqlite3
from functools import lru_cache
from operator import itemgetter
from pathlib import Path

from app.benchmark.records import CodedClip, CodedSet, Given, SaidOfSet, SetDraft
from app.coding.records import Check
from app.errors import StoreRefused
from app.scoring.scored import Code
from app.store import clip_sets, lessons, rows


def add_coded_set(connection: sqlite3.Connection, library: Path, draft: SetDraft) -> int:
    """Add a set with its lessons and clips; gives its number. The same set again is the same.

    A name that is taken gets a number behind it: another table is another set.
    """
    known = connection.execute(
        "SELECT set_id FROM coded_set WHERE digest = ?", (draft.digest,)
    ).fetchone()
    if known is not None:
        return int(known[0])
    cursor = connection.execute(
        "INSERT INTO coded_set (name, folder, digest, notes, added_at) VALUES (?, ?, ?, ?, ?)",
        (
            _free_name(connection, rows.sound_text(draft.name)),
            rows.sound_text(draft.folder),
            draft.digest,
            rows.to_json(draft.notes),
            rows.now_utc(),
        ),
    )
    set_id = int(cursor.lastrowid or 0)
    places = {clip_id: place for place, clip_id in enumerate(draft.codes)}
    for lesson in draft.lessons:
        lesson_id = lessons.add_lesson(
            connection, library, lesson.title, lesson.media, lesson.transcript, lesson.roles
        )
        clip_sets.add_clip_set(connection, lesson_id, lesson.clips, None)
        connection.executemany(
            "INSERT INTO coded_clip (set_id, place, clip_id, lesson_id, codes) "
            "VALUES (?, ?, ?, ?, ?)",
            (
                (
                    set_id,
                    places[clip.clip_id],
                    clip.clip_id,
                    lesson_id,
                    rows.codes_to_json(draft.codes[clip.clip_id]),
                )
                for clip in lesson.clips
            ),
        )
    return set_id


def coded_sets(connection: sqlite3.Connection) -> list[CodedSet]:
    """Give every set with its clips, in the order they were brought in."""
    clips: dict[int, list[CodedClip]] = {}
    for set_id, lesson_id, codes, *row in connection.execute(_CLIPS):
        clip = rows.clip_from_row(tuple(row))
        clips.setdefault(set_id, []).append(CodedClip(clip.clip_id, lesson_id, _codes(codes), clip))
    found = connection.execute(
        "SELECT set_id, name, folder, digest, added_at, notes FROM coded_set ORDER BY set_id"
    )
    return [
        CodedSet(
            set_id,
            name,
            folder,
            digest,
            added_at,
            tuple(clips.get(set_id, ())),
            tuple(json.loads(notes)),
        )
        for set_id, name, folder, digest, added_at, notes in found
    ]


def said_of_set(connection: sqlite3.Connection, set_id: int, *, cited: bool = True) -> SaidOfSet:
    """Give the latest word of every coder on every clip of a set.

    Args:
        connection: To read with.
        set_id: The set.
        cited: Whether to count the evidence as well; without it all those counts are 0, and notes
            are left out.

    Raises:
        StoreRefused: There is no such set.
    """
    if not connection.execute("SELECT 1 FROM coded_set WHERE set_id = ?", (set_id,)).fetchone():
        raise StoreRefused(f"There is no coded set {set_id} in this library.", "Bring it in first.")
    found_of = connection.execute(_CITED, {"set": set_id, **_CHECKS}) if cited else ()
    evidence = {row[0]: row[1:] for row in found_of}
    runs: dict[str, int] = {}
    found: dict[str, list[Given]] = {
        coder: [] for (coder,) in connection.execute(_CODERS, {"set": set_id})
    }
    # By the place alone: only the order within a coder matters.
    latest = connection.execute(_LATEST if cited else _LATEST_CODES, {"set": set_id})
    for row in sorted(latest, key=itemgetter(0)):
        _, clip_id, coder, practice, level, status, note, run_id, prediction_id = row
        if run_id > runs.get(coder, 0):
            runs[coder] = run_id
        counts = evidence.get(prediction_id, _NOT_COUNTED)
        code = _code(practice, level)
        found[coder].append(Given(clip_id, coder, code, status, note, prediction_id, *counts))
    return SaidOfSet(
        tuple(given for of_coder in found.values() for given in of_coder),
        {coder: _provenance(connection, runs[coder]) for coder in found},
    )


_NOT_COUNTED = (0, 0, 0, 0)

# The first clips of a lesson of a set are those of the table.
_CLIPS = f"""
    SELECT c.set_id, c.lesson_id, c.codes, {
    ", ".join(f"clip.{name}" for name in rows.CLIP_COLUMNS.split(", "))
}
    FROM coded_clip AS c JOIN clip ON clip.clip_id = c.clip_id AND clip.set_id = (
        SELECT min(s.set_id) FROM clip_set AS s WHERE s.lesson_id = c.lesson_id
    ) ORDER BY c.set_id, c.place
"""

_CODERS = """
    SELECT p.coder FROM coded_clip AS c
    JOIN prediction AS p ON p.lesson_id = c.lesson_id AND p.clip_id = c.clip_id
    WHERE c.set_id = :set GROUP BY p.coder ORDER BY min(p.prediction_id)
"""

# The newest are found in the index alone; only then are rows fetched, which are long.
_LATEST = """
    SELECT n.place, p.clip_id, p.coder, p.practice, p.level, p.status, p.note, p.run_id,
        p.prediction_id
    FROM (
        SELECT c.place, max(q.prediction_id) AS newest FROM coded_clip AS c
        JOIN prediction AS q ON q.lesson_id = c.lesson_id AND q.clip_id = c.clip_id
        WHERE c.set_id = :set GROUP BY c.set_id, c.clip_id, q.coder
    ) AS n JOIN prediction AS p ON p.prediction_id = n.newest
"""

# From the index alone: what stands beside the highest number is of its row, as SQLite promises.
_LATEST_CODES = """
    SELECT c.place, p.clip_id, p.coder, p.practice, p.level, p.status, '', p.run_id,
        max(p.prediction_id)
    FROM coded_clip AS c JOIN prediction AS p INDEXED BY prediction_said
        ON p.lesson_id = c.lesson_id AND p.clip_id = c.clip_id
    WHERE c.set_id = :set GROUP BY c.set_id, c.clip_id, p.coder
"""

_CHECKS = {"verified": Check.VERIFIED.value, "close": Check.CLOSE.value}

_CITED = """
    SELECT e.prediction_id, sum(e.seen = '' AND e.checked = :verified),
        sum(e.seen = '' AND e.checked = :close), sum(e.seen = ''), sum(e.seen != '')
    FROM coded_clip AS c
    JOIN prediction AS p ON p.lesson_id = c.lesson_id AND p.clip_id = c.clip_id
    JOIN evidence AS e ON e.prediction_id = p.prediction_id
    WHERE c.set_id = :set GROUP BY e.prediction_id
"""


def _provenance(connection: sqlite3.Connection, run_id: int) -> tuple[tuple[str, str], ...]:
    row = connection.execute("SELECT provenance FROM run WHERE run_id = ?", (run_id,)).fetchone()
    return rows.provenance_from_json(row[0])


def _free_name(connection: sqlite3.Connection, name: str) -> str:
    taken = {row[0] for row in connection.execute("SELECT name FROM coded_set")}
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name} {number}"
    return free


@lru_cache(maxsize=256)
def _code(practice: str, level: int | None) -> Code | None:
    # Ten thousand answers share a few dozen codes.
    return Code(practice, level) if practice else None


@lru_cache(maxsize=1024)
def _codes(text: str) -> tuple[Code, ...]:
    # A thousand clips share a few dozen codes.
    return rows.codes_from_json(text)
