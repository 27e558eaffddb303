"""What coders said of clips: kept as it came, with what the check made of it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import Any

from app.coding.records import Prediction
from app.store import rows, search
from app.store.records import HitKind


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


def predictions_of(connection: sqlite3.Connection, lesson_id: str) -> tuple[Prediction, ...]:
    """Give everything coders said of a lesson, oldest first."""
    cited: dict[int, list[Any]] = {}
    for prediction_id, *row in connection.execute(
        f"""SELECT prediction_id, {rows.EVIDENCE_COLUMNS} FROM evidence
        WHERE prediction_id IN (SELECT prediction_id FROM prediction WHERE lesson_id = ?)
        ORDER BY evidence_id""",
        (lesson_id,),
    ):
        cited.setdefault(prediction_id, []).append(rows.evidence_from_row(tuple(row)))
    found = connection.execute(
        "SELECT prediction_id, clip, p.coder, practice, level, margin, p.provenance, note, status, "
        "said, made_at FROM prediction AS p JOIN run USING (run_id) WHERE p.lesson_id = ? "
        "ORDER BY prediction_id",
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
            status,
            rows.said_from_json(said),
            prediction_id,
            made_at,
        )
        for (
            prediction_id,
            clip,
            coder,
            practice,
            level,
            margin,
            provenance,
            note,
            status,
            said,
            made_at,
        ) in found
    )


def _add_prediction(
    connection: sqlite3.Connection, lesson_id: str, run_id: int, prediction: Prediction
) -> None:
    cursor = connection.execute(
        "INSERT INTO prediction (run_id, lesson_id, clip_id, clip, coder, practice, level, "
        "margin, provenance, note, status, said) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
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
            rows.sound_text(prediction.status),
            rows.said_to_json(prediction.said),
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
