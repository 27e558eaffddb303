"""Decided clips of the whole library beside what each coder said last of them."""

from __future__ import annotations

import json
import sqlite3
from functools import lru_cache

from app.coding.calibration import DecidedClip, decided_clips
from app.coding.conditions import parse_choice
from app.coding.records import Prediction, Said
from app.errors import WrongUse
from app.scoring.scored import Code
from app.store import rows
from app.store.moments_read import read_reviews

_LATEST = """
    SELECT prediction_id, lesson_id, clip_id, clip, coder, practice, level, status,
        CASE WHEN coder GLOB '* x[1-9]*' THEN said ELSE '' END
    FROM prediction WHERE prediction_id IN (
        SELECT max(prediction_id) FROM prediction INDEXED BY prediction_latest
        WHERE (lesson_id, clip_id) IN (SELECT lesson_id, clip_id FROM decision)
        GROUP BY lesson_id, clip_id, coder
    ) ORDER BY prediction_id
"""

_Said = dict[str, dict[str, list[Prediction]]]


def read_decided(connection: sqlite3.Connection, person: str = "") -> list[DecidedClip]:
    """Give every clip on which a decision stands, with the last word of each coder on it.

    The predictions come without evidence, with draws only where a coder makes several, and with so
    much of what made them as tells the model and the condition: ten thousand of them are read at
    once.
    """
    said = _latest(connection)
    among = [row[0] for row in connection.execute("SELECT DISTINCT lesson_id FROM decision")]
    reviews = read_reviews(connection, among)
    return [
        clip
        for lesson_id, review in reviews.items()
        for clip in decided_clips(review, said.get(lesson_id, {}), person)
    ]


def _latest(connection: sqlite3.Connection) -> _Said:
    found: _Said = {}
    latest = connection.execute(_LATEST).fetchall()
    # All draws in one go: one call for each of ten thousand lists takes three times as long.
    several = [row[8] for row in latest if row[8]]
    drawn = dict(zip(several, json.loads(f"[{','.join(several)}]"), strict=True))
    for row in latest:
        prediction_id, lesson_id, clip_id, clip, coder, *of_answer = row
        practice, level, status, said = of_answer
        prediction = Prediction(
            rows.clip_from_json(clip),
            coder,
            practice,
            level,
            None,
            (),
            _condition(coder),
            status=status,
            said=tuple([_draw(*one[:3]) for one in drawn[said]]) if said else (),
            prediction_id=prediction_id,
        )
        found.setdefault(lesson_id, {}).setdefault(clip_id, []).append(prediction)
    return found


@lru_cache(maxsize=256)
def _draw(practice: str, level: int | None, status: str) -> Said:
    """Give what a draw said, without the key of its answer."""
    return Said(Code(practice, level) if practice else None, status)


@lru_cache(maxsize=256)
def _condition(coder: str) -> tuple[tuple[str, str], ...]:
    """Give what the name of a coder says of how its model was asked; nothing without a model."""
    try:
        choice = parse_choice(coder)
    except WrongUse:
        return ()
    if choice.condition is None:
        return ()
    return (
        ("engine", choice.engine),
        ("input", str(choice.condition.input)),
        ("prompting", str(choice.condition.prompting)),
    )
