"""What the fourth version adds: learners, their videos, readings and events.

A learner video is a recording like a lesson's and shares its tables; `learner_video` marks it.
All of it is only ever added to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.store.guards import only_add_to

if TYPE_CHECKING:
    from sqlite_utils import Database

_TABLES = {
    # `name` is what the reviewer calls the learner: a pseudonym or initials.
    "learner": """CREATE TABLE learner (
        learner_id TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL,
        added_at TEXT NOT NULL
    ) STRICT""",
    "learner_video": """CREATE TABLE learner_video (
        lesson_id TEXT NOT NULL REFERENCES lesson (lesson_id),
        learner_id TEXT NOT NULL REFERENCES learner (learner_id),
        added_at TEXT NOT NULL
    ) STRICT""",
    # Which of several faces is the learner's; the last row stands.
    "chosen_face": """CREATE TABLE chosen_face (
        lesson_id TEXT NOT NULL REFERENCES lesson (lesson_id),
        time_ms INTEGER NOT NULL,
        x REAL NOT NULL,
        y REAL NOT NULL,
        author TEXT NOT NULL,
        made_at TEXT NOT NULL
    ) STRICT""",
    # What is usual for a learner's face, by the day of the recording.
    "baseline": """CREATE TABLE baseline (
        learner_id TEXT NOT NULL REFERENCES learner (learner_id),
        lesson_id TEXT NOT NULL REFERENCES lesson (lesson_id),
        day TEXT NOT NULL,
        figures TEXT NOT NULL,
        made_at TEXT NOT NULL
    ) STRICT""",
    "reading_run": """CREATE TABLE reading_run (
        run_id INTEGER PRIMARY KEY,
        lesson_id TEXT NOT NULL REFERENCES lesson (lesson_id),
        reader TEXT NOT NULL,
        provenance TEXT NOT NULL,
        made_at TEXT NOT NULL
    ) STRICT""",
    # Windows come as they are read; the run is complete when it has an end.
    "reading": """CREATE TABLE reading (
        run_id INTEGER NOT NULL REFERENCES reading_run (run_id),
        start_ms INTEGER NOT NULL,
        end_ms INTEGER NOT NULL,
        is_visible INTEGER NOT NULL CHECK (is_visible IN (0, 1)),
        level TEXT NOT NULL,
        confidence TEXT NOT NULL,
        cues TEXT NOT NULL,
        evidence_ms TEXT NOT NULL,
        note TEXT NOT NULL,
        status TEXT NOT NULL,
        draws TEXT NOT NULL,
        PRIMARY KEY (run_id, start_ms),
        CHECK (is_visible = 1 OR level = '')
    ) STRICT, WITHOUT ROWID""",
    "reading_end": """CREATE TABLE reading_end (
        run_id INTEGER NOT NULL UNIQUE REFERENCES reading_run (run_id),
        ended_at TEXT NOT NULL
    ) STRICT""",
    "event_decision": """CREATE TABLE event_decision (
        change_id INTEGER PRIMARY KEY REFERENCES change (change_id),
        lesson_id TEXT NOT NULL REFERENCES lesson (lesson_id),
        event_id TEXT NOT NULL,
        verdict TEXT NOT NULL,
        start_ms INTEGER NOT NULL,
        end_ms INTEGER NOT NULL,
        author TEXT NOT NULL,
        made_at TEXT NOT NULL,
        note TEXT NOT NULL,
        reader TEXT NOT NULL,
        found_start_ms INTEGER,
        found_end_ms INTEGER
    ) STRICT""",
    # What researchers and experts say of a candidate clip; `stage` is `curate` or `validate`.
    "candidate_word": """CREATE TABLE candidate_word (
        word_id INTEGER PRIMARY KEY,
        lesson_id TEXT NOT NULL REFERENCES lesson (lesson_id),
        start_ms INTEGER NOT NULL,
        end_ms INTEGER NOT NULL,
        stage TEXT NOT NULL CHECK (stage IN ('curate', 'validate')),
        verdict TEXT NOT NULL,
        criteria TEXT NOT NULL,
        author TEXT NOT NULL,
        note TEXT NOT NULL,
        made_at TEXT NOT NULL
    ) STRICT""",
}

_INDEXES = (
    "CREATE INDEX learner_video_of ON learner_video (lesson_id)",
    "CREATE INDEX chosen_face_of ON chosen_face (lesson_id)",
    "CREATE INDEX baseline_of ON baseline (learner_id)",
    "CREATE INDEX reading_run_of ON reading_run (lesson_id)",
    "CREATE INDEX event_decision_of ON event_decision (lesson_id)",
    "CREATE INDEX candidate_word_of ON candidate_word (lesson_id)",
)


def lay_learner_tables(db: Database) -> None:
    """Make the tables and the guards against rewriting."""
    for statement in (*_TABLES.values(), *_INDEXES):
        db.execute(statement)
    only_add_to(db, _TABLES)
