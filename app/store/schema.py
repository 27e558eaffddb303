"""The tables of a library, as its first version lays them.

Everything a person or a model said is appended and never touched again; triggers see to it. What
stands now is worked out when reading. Only three tables change in place: `search_text`, which can
be made again from the others, and `job` and `setting`, which are not the record.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from app.store.guards import only_add_to

if TYPE_CHECKING:
    from sqlite_utils import Database

APPEND_ONLY = (
    "lesson",
    "media",
    "transcript",
    "utterance",
    "change",
    "decision",
    "clip_set",
    "clip",
    "run",
    "prediction",
    "evidence",
)

_TABLES = (
    """CREATE TABLE lesson (
        lesson_id TEXT NOT NULL UNIQUE,
        title TEXT NOT NULL,
        added_at TEXT NOT NULL
    ) STRICT""",
    # A recording that was moved gets another row; the last one says where it lies.
    # Paths are JSON strings, since a file name on Linux need not be proper text.
    """CREATE TABLE media (
        media_id INTEGER PRIMARY KEY,
        lesson_id TEXT NOT NULL REFERENCES lesson (lesson_id),
        fingerprint TEXT NOT NULL,
        size_bytes INTEGER NOT NULL,
        duration_ms INTEGER NOT NULL,
        path TEXT NOT NULL,
        relative TEXT NOT NULL,
        facts TEXT NOT NULL,
        placed_at TEXT NOT NULL
    ) STRICT""",
    "CREATE INDEX media_lesson ON media (lesson_id)",
    "CREATE INDEX media_fingerprint ON media (fingerprint)",
    """CREATE TABLE transcript (
        transcript_id INTEGER PRIMARY KEY,
        lesson_id TEXT NOT NULL REFERENCES lesson (lesson_id),
        source TEXT NOT NULL,
        language TEXT NOT NULL,
        encoding TEXT NOT NULL,
        notes TEXT NOT NULL,
        roles TEXT NOT NULL,
        added_at TEXT NOT NULL
    ) STRICT""",
    "CREATE INDEX transcript_lesson ON transcript (lesson_id)",
    """CREATE TABLE utterance (
        transcript_id INTEGER NOT NULL REFERENCES transcript (transcript_id),
        place INTEGER NOT NULL,
        number INTEGER NOT NULL,
        text TEXT NOT NULL,
        start_ms INTEGER,
        end_ms INTEGER,
        speaker TEXT NOT NULL,
        words TEXT NOT NULL,
        flags TEXT NOT NULL,
        PRIMARY KEY (transcript_id, place),
        UNIQUE (transcript_id, number)
    ) STRICT, WITHOUT ROWID""",
    # One log for all a person does; `target` names the change that is undone or done again.
    """CREATE TABLE change (
        change_id INTEGER PRIMARY KEY,
        lesson_id TEXT NOT NULL REFERENCES lesson (lesson_id),
        action TEXT NOT NULL CHECK (action IN ('do', 'undo', 'redo')),
        target INTEGER REFERENCES change (change_id),
        kind TEXT NOT NULL,
        label TEXT NOT NULL,
        author TEXT NOT NULL,
        made_at TEXT NOT NULL,
        detail TEXT NOT NULL,
        subject TEXT NOT NULL,
        CHECK ((action = 'do') = (target IS NULL))
    ) STRICT""",
    "CREATE INDEX change_done ON change (lesson_id, kind, subject) WHERE target IS NULL",
    "CREATE INDEX change_step ON change (lesson_id, target, change_id, action) "
    "WHERE target IS NOT NULL",
    """CREATE TABLE decision (
        change_id INTEGER PRIMARY KEY REFERENCES change (change_id),
        lesson_id TEXT NOT NULL REFERENCES lesson (lesson_id),
        clip_id TEXT NOT NULL,
        clip TEXT NOT NULL,
        verdict TEXT NOT NULL,
        practice TEXT NOT NULL,
        level INTEGER,
        author TEXT NOT NULL,
        made_at TEXT NOT NULL,
        note TEXT NOT NULL,
        blind INTEGER NOT NULL CHECK (blind IN (0, 1)),
        coder TEXT NOT NULL
    ) STRICT""",
    "CREATE INDEX decision_clip ON decision (lesson_id, clip_id)",
    # `change_id` is empty for what the program proposed.
    """CREATE TABLE clip_set (
        set_id INTEGER PRIMARY KEY,
        lesson_id TEXT NOT NULL REFERENCES lesson (lesson_id),
        change_id INTEGER REFERENCES change (change_id),
        transcript_id INTEGER REFERENCES transcript (transcript_id),
        made_at TEXT NOT NULL
    ) STRICT""",
    "CREATE INDEX clip_set_lesson ON clip_set (lesson_id, change_id)",
    """CREATE TABLE clip (
        set_id INTEGER NOT NULL REFERENCES clip_set (set_id),
        place INTEGER NOT NULL,
        clip_id TEXT NOT NULL,
        first INTEGER NOT NULL,
        last INTEGER NOT NULL,
        start_ms INTEGER,
        end_ms INTEGER,
        proposed_by TEXT NOT NULL,
        PRIMARY KEY (set_id, place)
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE run (
        run_id INTEGER PRIMARY KEY,
        lesson_id TEXT NOT NULL REFERENCES lesson (lesson_id),
        coder TEXT NOT NULL,
        provenance TEXT NOT NULL,
        made_at TEXT NOT NULL
    ) STRICT""",
    """CREATE TABLE prediction (
        prediction_id INTEGER PRIMARY KEY,
        run_id INTEGER NOT NULL REFERENCES run (run_id),
        lesson_id TEXT NOT NULL REFERENCES lesson (lesson_id),
        clip_id TEXT NOT NULL,
        clip TEXT NOT NULL,
        coder TEXT NOT NULL,
        practice TEXT NOT NULL,
        level INTEGER,
        margin REAL,
        provenance TEXT NOT NULL,
        note TEXT NOT NULL
    ) STRICT""",
    "CREATE INDEX prediction_clip ON prediction (lesson_id, clip_id)",
    """CREATE TABLE evidence (
        evidence_id INTEGER PRIMARY KEY,
        prediction_id INTEGER NOT NULL REFERENCES prediction (prediction_id),
        quote TEXT NOT NULL,
        cited TEXT NOT NULL,
        cited_start_ms INTEGER,
        cited_end_ms INTEGER,
        seen TEXT NOT NULL,
        checked TEXT NOT NULL,
        found TEXT NOT NULL,
        utterances TEXT NOT NULL,
        start_ms INTEGER,
        end_ms INTEGER,
        score REAL NOT NULL,
        reason TEXT NOT NULL,
        weak INTEGER NOT NULL CHECK (weak IN (0, 1))
    ) STRICT""",
    "CREATE INDEX evidence_prediction ON evidence (prediction_id)",
    """CREATE TABLE job (
        job_id INTEGER PRIMARY KEY,
        kind TEXT NOT NULL,
        lesson_id TEXT NOT NULL,
        title TEXT NOT NULL,
        arguments TEXT NOT NULL,
        state TEXT NOT NULL,
        share REAL NOT NULL,
        doing TEXT NOT NULL,
        error TEXT NOT NULL,
        added_at TEXT NOT NULL,
        changed_at TEXT NOT NULL
    ) STRICT""",
    "CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
    # `ref` is the line's number, the evidence, the change, or 0 for the lesson itself.
    """CREATE TABLE search_text (
        row_id INTEGER PRIMARY KEY,
        lesson_id TEXT NOT NULL REFERENCES lesson (lesson_id),
        kind TEXT NOT NULL,
        ref INTEGER NOT NULL,
        text TEXT NOT NULL,
        folded TEXT NOT NULL,
        start_ms INTEGER,
        utterance INTEGER,
        UNIQUE (lesson_id, kind, ref)
    ) STRICT""",
)

# A second index, over the folded text by threes of letters, finds parts of words: needed where
# words are written without spaces (Chinese, Japanese, Thai) or carry prefixes (Arabic, Hebrew).
_PARTS = (
    "CREATE VIRTUAL TABLE search_parts USING fts5 "
    "(folded, content = search_text, content_rowid = row_id, tokenize = trigram)",
    """CREATE TRIGGER search_parts_insert AFTER INSERT ON search_text BEGIN
        INSERT INTO search_parts (rowid, folded) VALUES (new.row_id, new.folded);
    END""",
    """CREATE TRIGGER search_parts_delete AFTER DELETE ON search_text BEGIN
        INSERT INTO search_parts (search_parts, rowid, folded)
        VALUES ('delete', old.row_id, old.folded);
    END""",
    """CREATE TRIGGER search_parts_update AFTER UPDATE ON search_text BEGIN
        INSERT INTO search_parts (search_parts, rowid, folded)
        VALUES ('delete', old.row_id, old.folded);
        INSERT INTO search_parts (rowid, folded) VALUES (new.row_id, new.folded);
    END""",
)


def lay_tables(db: Database) -> None:
    """Make the tables, the guards against rewriting and the two search indexes."""
    for statement in _TABLES:
        db.execute(statement)
    only_add_to(db, APPEND_ONLY)
    db.table("search_text").enable_fts(
        ["folded"], create_triggers=True, tokenize="unicode61 remove_diacritics 2"
    )
    for statement in _PARTS:
        db.execute(statement)
    # Tells the copies of this library from those of another that lay under the same name.
    db.execute("INSERT INTO setting (name, value) VALUES ('identity', ?)", [secrets.token_hex(8)])
