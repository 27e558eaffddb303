"""What readers say of windows: runs and readings, which are only ever added to."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any

from app.confusion.records import Bands, Confidence, Cue, CueKind, Level, Reading, ReadingDraw
from app.errors import StoreRefused
from app.store.rows import (
    now_utc,
    provenance_from_json,
    provenance_to_json,
    sound_text,
    to_json,
)

_COLUMNS = "start_ms, end_ms, is_visible, level, confidence, cues, evidence_ms, note, status, draws"
_NONE = "[]"
"""An empty list, which most columns hold: reading it as JSON takes longer than the rest."""
_MADE = 10
"""How many columns a reading has."""


def start_run(
    connection: sqlite3.Connection,
    lesson_id: str,
    reader: str,
    provenance: Iterable[Sequence[str]],
) -> int:
    """Write down that a reader begins with a video; gives the number of the run."""
    cursor = connection.execute(
        "INSERT INTO reading_run (lesson_id, reader, provenance, made_at) VALUES (?, ?, ?, ?)",
        (lesson_id, sound_text(reader), provenance_to_json(provenance), now_utc()),
    )
    return int(cursor.lastrowid or 0)


def keep_readings(connection: sqlite3.Connection, run_id: int, readings: Iterable[Reading]) -> None:
    """Keep readings of a run; a window that is there already stays as it is.

    Raises:
        StoreRefused: There is no such run.
        ValueError: A reading contradicts itself, above all one with a level where nothing is
            visible.
    """
    _require_run(connection, run_id)
    marks = ", ".join("?" * (_MADE + 1))
    connection.executemany(
        f"INSERT INTO reading (run_id, {_COLUMNS}) VALUES ({marks}) ON CONFLICT DO NOTHING",
        [(run_id, *_to_row(reading)) for reading in readings],
    )


def end_run(connection: sqlite3.Connection, run_id: int) -> None:
    """Write down that a run is complete; a second time changes nothing."""
    _require_run(connection, run_id)
    connection.execute(
        "INSERT INTO reading_end (run_id, ended_at) VALUES (?, ?) ON CONFLICT DO NOTHING",
        (run_id, now_utc()),
    )


def bands_of(connection: sqlite3.Connection, lesson_id: str) -> tuple[Bands, ...]:
    """Give all runs over a video with their readings, oldest first."""
    found = connection.execute(f"{_RUNS} WHERE lesson_id = ? ORDER BY run_id", (lesson_id,))
    return tuple(_with_readings(connection, row) for row in found.fetchall())


def one_bands(connection: sqlite3.Connection, run_id: int) -> Bands:
    """Give one run with the readings there are.

    Raises:
        StoreRefused: There is no such run.
    """
    row = connection.execute(f"{_RUNS} WHERE run_id = ?", (run_id,)).fetchone()
    if row is None:
        raise _no_run(run_id)
    return _with_readings(connection, row)


def require_sound(reading: Reading) -> None:
    """See that a reading says nothing that cannot be.

    Raises:
        ValueError: There is a level where no face is visible or nothing usable was answered, none
            where there should be one, or evidence that lies outside the window.
    """
    where = f"the window from {reading.start_ms} to {reading.end_ms} ms"
    if reading.start_ms >= reading.end_ms:
        raise ValueError(f"{where} has no length")
    knows = reading.is_visible and not reading.is_failure
    if knows != (reading.level is not None):
        raise ValueError(f"{where} has {'no' if knows else 'a'} level, visible or not")
    inside = range(reading.start_ms, reading.end_ms)
    moments = (*reading.evidence_ms, *(at for cue in reading.cues for at in cue.at_ms))
    if outside := [at for at in moments if at not in inside]:
        raise ValueError(f"{where} rests on {outside[0]} ms, which lies outside")


_RUNS = """SELECT run_id, reader, provenance, made_at,
    EXISTS (SELECT 1 FROM reading_end AS e WHERE e.run_id = reading_run.run_id)
    FROM reading_run"""


def _with_readings(connection: sqlite3.Connection, row: Sequence[Any]) -> Bands:
    run_id, reader, provenance, made_at, is_complete = row
    found = connection.execute(
        f"SELECT {_COLUMNS} FROM reading WHERE run_id = ? ORDER BY start_ms", (run_id,)
    )
    return Bands(
        reader,
        tuple(_from_row(each) for each in found),
        provenance_from_json(provenance),
        run_id,
        made_at,
        bool(is_complete),
    )


def _require_run(connection: sqlite3.Connection, run_id: int) -> None:
    row = connection.execute("SELECT 1 FROM reading_run WHERE run_id = ?", (run_id,)).fetchone()
    if row is None:
        raise _no_run(run_id)


def _no_run(run_id: int) -> StoreRefused:
    return StoreRefused(f"There is no run {run_id} of a reader in this library.", "")


def _to_row(reading: Reading) -> tuple[object, ...]:
    require_sound(reading)
    return (
        reading.start_ms,
        reading.end_ms,
        int(reading.is_visible),
        reading.level or "",
        reading.confidence or "",
        to_json([_cue_to_list(cue) for cue in reading.cues]),
        to_json(reading.evidence_ms),
        sound_text(reading.note),
        sound_text(reading.status),
        to_json([[d.level, d.confidence, d.status, d.key] for d in reading.draws]),
    )


def _from_row(row: Sequence[Any]) -> Reading:
    start_ms, end_ms, is_visible, level, confidence, cues, evidence_ms, note, status, draws = row
    return Reading(
        start_ms,
        end_ms,
        bool(is_visible),
        Level(level) if level else None,
        Confidence(confidence) if confidence else None,
        tuple([_cue_from_list(each) for each in json.loads(cues)]) if cues != _NONE else (),
        tuple(json.loads(evidence_ms)) if evidence_ms != _NONE else (),
        note,
        status,
        tuple([_draw_from_list(each) for each in json.loads(draws)]) if draws != _NONE else (),
    )


def _cue_to_list(cue: Cue) -> list[object]:
    against, words = int(cue.speaks_against), cue.words
    return [cue.kind, list(cue.at_ms), cue.value, cue.baseline, against, words]


def _cue_from_list(told: Sequence[Any]) -> Cue:
    kind, at_ms, value, baseline, speaks_against, words = told
    return Cue(CueKind(kind), tuple(at_ms), value, baseline, bool(speaks_against), words)


def _draw_from_list(told: Sequence[Any]) -> ReadingDraw:
    level, confidence, status, key = told
    return ReadingDraw(
        Level(level) if level else None,
        Confidence(confidence) if confidence else None,
        status,
        key,
    )
