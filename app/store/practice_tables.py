"""What the third version adds: draws and failures of coders, people's codes, coded sets, ratings.

All of it is only ever added to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.store.guards import only_add_to

if TYPE_CHECKING:
    from sqlite_utils import Database

_COLUMNS = (
    "ALTER TABLE prediction ADD COLUMN status TEXT NOT NULL DEFAULT 'ok'",
    "ALTER TABLE prediction ADD COLUMN said TEXT NOT NULL DEFAULT '[]'",
    "ALTER TABLE decision ADD COLUMN stage TEXT NOT NULL DEFAULT 'own'",
    "ALTER TABLE decision ADD COLUMN also TEXT NOT NULL DEFAULT '[]'",
    "ALTER TABLE decision ADD COLUMN evidence TEXT NOT NULL DEFAULT '[]'",
)

_TABLES = {
    # People who code here, so that a name is chosen and not typed anew each time.
    "reviewer": """CREATE TABLE reviewer (
        name TEXT NOT NULL UNIQUE,
        added_at TEXT NOT NULL
    ) STRICT""",
    # The answer to a question asked again with less or other evidence; `kind` says how.
    "evidence_probe": """CREATE TABLE evidence_probe (
        probe_id INTEGER PRIMARY KEY,
        prediction_id INTEGER NOT NULL REFERENCES prediction (prediction_id),
        kind TEXT NOT NULL,
        practice TEXT NOT NULL,
        level INTEGER,
        status TEXT NOT NULL,
        key TEXT NOT NULL,
        note TEXT NOT NULL,
        made_at TEXT NOT NULL
    ) STRICT""",
    # Clips that people coded elsewhere, brought in to compare models on them. Each clip is a clip
    # of a lesson; `folder` says where the table lay, `digest` what was in it.
    "coded_set": """CREATE TABLE coded_set (
        set_id INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        folder TEXT NOT NULL,
        digest TEXT NOT NULL,
        notes TEXT NOT NULL,
        added_at TEXT NOT NULL
    ) STRICT""",
    "coded_clip": """CREATE TABLE coded_clip (
        set_id INTEGER NOT NULL REFERENCES coded_set (set_id),
        place INTEGER NOT NULL,
        clip_id TEXT NOT NULL,
        lesson_id TEXT NOT NULL REFERENCES lesson (lesson_id),
        codes TEXT NOT NULL,
        PRIMARY KEY (set_id, clip_id)
    ) STRICT, WITHOUT ROWID""",
    # A draw of outputs whose evidence people rate, in the shuffled order in which it is shown.
    "eqs_draw": """CREATE TABLE eqs_draw (
        draw_id INTEGER PRIMARY KEY,
        title TEXT NOT NULL,
        settings TEXT NOT NULL,
        made_at TEXT NOT NULL
    ) STRICT""",
    "eqs_output": """CREATE TABLE eqs_output (
        draw_id INTEGER NOT NULL REFERENCES eqs_draw (draw_id),
        place INTEGER NOT NULL,
        prediction_id INTEGER NOT NULL REFERENCES prediction (prediction_id),
        PRIMARY KEY (draw_id, place)
    ) STRICT, WITHOUT ROWID""",
    "eqs_rating": """CREATE TABLE eqs_rating (
        rating_id INTEGER PRIMARY KEY,
        draw_id INTEGER NOT NULL REFERENCES eqs_draw (draw_id),
        prediction_id INTEGER NOT NULL REFERENCES prediction (prediction_id),
        rater TEXT NOT NULL,
        stage TEXT NOT NULL CHECK (stage IN ('own', 'consensus')),
        alignment INTEGER NOT NULL CHECK (alignment BETWEEN 1 AND 3),
        sufficiency INTEGER NOT NULL CHECK (sufficiency BETWEEN 1 AND 3),
        specificity INTEGER NOT NULL CHECK (specificity BETWEEN 1 AND 3),
        note TEXT NOT NULL,
        made_at TEXT NOT NULL
    ) STRICT""",
}

_INDEXES = (
    "CREATE INDEX evidence_probe_of ON evidence_probe (prediction_id)",
    "CREATE INDEX coded_clip_lesson ON coded_clip (lesson_id)",
    "CREATE INDEX eqs_rating_of ON eqs_rating (draw_id, prediction_id)",
    # The list of lessons counts what coders and people said of each.
    "CREATE INDEX prediction_coder ON prediction (lesson_id, coder)",
    # The search asks for the latest word of each coder on each clip.
    "CREATE INDEX prediction_latest ON prediction (lesson_id, clip_id, coder)",
)


def lay_practice_tables(db: Database) -> None:
    """Add the columns, make the tables and the guards against rewriting."""
    for statement in (*_COLUMNS, *_TABLES.values(), *_INDEXES):
        db.execute(statement)
    only_add_to(db, _TABLES)


def lay_said_index(db: Database) -> None:
    """Let the latest words of all coders on a set be read from one index.

    Rows of predictions are long: their provenance alone fills pages, and ten thousand took twice
    the time.
    """
    db.execute(
        "CREATE INDEX prediction_said "
        "ON prediction (lesson_id, clip_id, coder, run_id, practice, level, status)"
    )
