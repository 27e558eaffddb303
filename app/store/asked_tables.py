"""The tables of what models were asked and what they answered, as the second version adds them.

All of it is only ever added to. A message is kept once, however many questions share it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.store.guards import only_add_to

if TYPE_CHECKING:
    from sqlite_utils import Database

_TABLES = (
    """CREATE TABLE message (
        digest TEXT NOT NULL UNIQUE,
        content TEXT NOT NULL
    ) STRICT""",
    """CREATE TABLE question (
        digest TEXT NOT NULL UNIQUE,
        messages TEXT NOT NULL,
        schema TEXT NOT NULL,
        sampler TEXT NOT NULL
    ) STRICT""",
    # One go of a plan at an engine. `model` is the digest of `identity`.
    """CREATE TABLE engine_run (
        run_id INTEGER PRIMARY KEY,
        title TEXT NOT NULL,
        engine TEXT NOT NULL,
        version TEXT NOT NULL,
        model TEXT NOT NULL,
        identity TEXT NOT NULL,
        draws INTEGER NOT NULL,
        started_at TEXT NOT NULL
    ) STRICT""",
    "CREATE INDEX engine_run_model ON engine_run (model)",
    # `checked` names the checks that the text passed as it is; empty when it did not.
    # `stands` marks the one attempt that is the answer for a key; `place` is 1 for the first
    # attempt at a draw and 2 for the one after the error was shown to the model.
    """CREATE TABLE attempt (
        attempt_id INTEGER PRIMARY KEY,
        run_id INTEGER NOT NULL REFERENCES engine_run (run_id),
        key TEXT NOT NULL,
        question TEXT NOT NULL REFERENCES question (digest),
        name TEXT NOT NULL,
        prompt_version TEXT NOT NULL,
        draw INTEGER NOT NULL,
        seed INTEGER NOT NULL,
        place INTEGER NOT NULL CHECK (place IN (1, 2)),
        status TEXT NOT NULL,
        stands INTEGER NOT NULL CHECK (stands IN (0, 1)),
        text TEXT NOT NULL,
        finish TEXT NOT NULL,
        tokens_in INTEGER,
        tokens_cached INTEGER,
        tokens_out INTEGER,
        seconds REAL NOT NULL,
        raw_error TEXT NOT NULL,
        details TEXT NOT NULL,
        error TEXT NOT NULL,
        taken_off TEXT NOT NULL,
        checked TEXT NOT NULL,
        made_at TEXT NOT NULL
    ) STRICT""",
    "CREATE UNIQUE INDEX attempt_answer ON attempt (key) WHERE stands = 1",
    "CREATE INDEX attempt_failed ON attempt (key) WHERE stands = 0",
    "CREATE INDEX attempt_run ON attempt (run_id)",
)


def lay_asked_tables(db: Database) -> None:
    """Make the tables and the guards against rewriting."""
    for statement in _TABLES:
        db.execute(statement)
    only_add_to(db, ("message", "question", "engine_run", "attempt"))
