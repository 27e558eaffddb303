"""Probes of evidence: answers to questions asked again, kept beside the prediction they test."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence

from app.coding.probe_records import Answered, ProbeKind
from app.scoring.scored import Code
from app.store.rows import now_utc, sound_text

_COLUMNS = "prediction_id, kind, practice, level, status, key, note, made_at"


def add_probes(connection: sqlite3.Connection, probes: Iterable[Answered]) -> int:
    """Add what came of probes; what stands already word for word is not added again.

    Returns:
        How many were added.
    """
    probes = list(probes)
    known = set(latest_probes(connection, [probe.prediction_id for probe in probes]))
    new = [probe for probe in dict.fromkeys(map(_sound, probes)) if probe not in known]
    now = now_utc()
    connection.executemany(
        f"INSERT INTO evidence_probe ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                probe.prediction_id,
                probe.kind.value,
                probe.code.practice if probe.code else "",
                probe.code.level if probe.code else None,
                probe.status,
                probe.key,
                probe.note,
                now,
            )
            for probe in new
        ],
    )
    return len(new)


def latest_probes(
    connection: sqlite3.Connection, prediction_ids: Sequence[int]
) -> tuple[Answered, ...]:
    """Give the latest probe of each kind for some predictions."""
    return _read(
        connection,
        "prediction_id IN (SELECT value FROM json_each(?))",
        json.dumps(sorted(set(prediction_ids))),
    )


def probes_of(connection: sqlite3.Connection, lesson_id: str) -> tuple[Answered, ...]:
    """Give the latest probe of each kind for every prediction of a lesson."""
    where = "prediction_id IN (SELECT prediction_id FROM prediction WHERE lesson_id = ?)"
    return _read(connection, where, lesson_id)


def _read(connection: sqlite3.Connection, where: str, value: str) -> tuple[Answered, ...]:
    found = connection.execute(
        f"SELECT {_COLUMNS} FROM evidence_probe WHERE probe_id IN ("
        f"SELECT max(probe_id) FROM evidence_probe WHERE {where} GROUP BY prediction_id, kind"
        ") ORDER BY probe_id",
        (value,),
    )
    return tuple(
        Answered(
            prediction_id,
            ProbeKind(kind),
            Code(practice, level) if practice else None,
            status,
            key,
            note,
            made_at,
        )
        for prediction_id, kind, practice, level, status, key, note, made_at in found
    )


def _sound(probe: Answered) -> Answered:
    return Answered(
        probe.prediction_id,
        probe.kind,
        probe.code,
        sound_text(probe.status),
        sound_text(probe.key),
        sound_text(probe.note),
    )
