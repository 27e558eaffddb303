"""What the fifth version adds: banks of items, audits of tutors, what judges and experts gave.

All of it is only ever added to, but for the boards that the seventh version keeps. Conditions stand
as `Condition.name`, origins, readings and states by their values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.store.guards import only_add_to

if TYPE_CHECKING:
    from sqlite_utils import Database

_TABLES = {
    # Everything an audit asks and scores by, under the SHA-256 of its content.
    "audit_bank": """CREATE TABLE audit_bank (
        digest TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL,
        origin TEXT NOT NULL,
        items INTEGER NOT NULL,
        added_at TEXT NOT NULL,
        content TEXT NOT NULL
    ) STRICT""",
    # `item_digest` names the wording that was reviewed.
    "item_review": """CREATE TABLE item_review (
        review_id INTEGER PRIMARY KEY,
        item_id TEXT NOT NULL,
        item_digest TEXT NOT NULL,
        verdict TEXT NOT NULL CHECK (verdict IN ('keep', 'revise', 'drop')),
        reviewer TEXT NOT NULL,
        why TEXT NOT NULL,
        made_at TEXT NOT NULL
    ) STRICT""",
    # The plan with its gates: what is in it cannot be changed once the audit has begun.
    "audit": """CREATE TABLE audit (
        audit_id INTEGER PRIMARY KEY,
        title TEXT NOT NULL,
        bank TEXT NOT NULL REFERENCES audit_bank (digest),
        author TEXT NOT NULL,
        made_at TEXT NOT NULL,
        plan TEXT NOT NULL
    ) STRICT""",
    # Each time a model was put to work for an audit, with all that pins it down.
    "audit_run": """CREATE TABLE audit_run (
        run_id INTEGER PRIMARY KEY,
        audit_id INTEGER NOT NULL REFERENCES audit (audit_id),
        part TEXT NOT NULL CHECK (part IN ('tutor', 'judge', 'check')),
        model TEXT NOT NULL,
        provenance TEXT NOT NULL,
        made_at TEXT NOT NULL
    ) STRICT""",
    # `text` comes last, so that counting does not read it.
    "audit_response": """CREATE TABLE audit_response (
        response_id INTEGER PRIMARY KEY,
        audit_id INTEGER NOT NULL REFERENCES audit (audit_id),
        origin TEXT NOT NULL,
        item_id TEXT NOT NULL,
        condition TEXT NOT NULL,
        draw INTEGER NOT NULL,
        status TEXT NOT NULL,
        choice TEXT NOT NULL,
        words INTEGER NOT NULL,
        error TEXT NOT NULL,
        answer_key TEXT NOT NULL,
        text TEXT NOT NULL,
        UNIQUE (audit_id, origin, item_id, condition, draw)
    ) STRICT""",
    "audit_scoring": """CREATE TABLE audit_scoring (
        scoring_id INTEGER PRIMARY KEY,
        response_id INTEGER NOT NULL REFERENCES audit_response (response_id),
        judge TEXT NOT NULL,
        reading TEXT NOT NULL,
        turn INTEGER NOT NULL,
        status TEXT NOT NULL,
        score INTEGER CHECK (score BETWEEN 1 AND 10),
        band INTEGER CHECK (band BETWEEN 1 AND 5),
        quotes INTEGER NOT NULL,
        quotes_found INTEGER NOT NULL,
        UNIQUE (response_id, judge, reading, turn)
    ) STRICT""",
    # The words of a scoring, apart from the numbers that every board reads.
    "audit_scoring_words": """CREATE TABLE audit_scoring_words (
        scoring_id INTEGER PRIMARY KEY REFERENCES audit_scoring (scoring_id),
        points TEXT NOT NULL,
        reason TEXT NOT NULL,
        error TEXT NOT NULL,
        answer_key TEXT NOT NULL
    ) STRICT""",
    "expert_score": """CREATE TABLE expert_score (
        score_id INTEGER PRIMARY KEY,
        response_id INTEGER NOT NULL REFERENCES audit_response (response_id),
        expert TEXT NOT NULL,
        agreed INTEGER NOT NULL CHECK (agreed IN (0, 1)),
        score INTEGER NOT NULL CHECK (score BETWEEN 1 AND 10),
        note TEXT NOT NULL,
        made_at TEXT NOT NULL
    ) STRICT""",
    # Which responses experts are given, in the order drawn.
    "expert_draw": """CREATE TABLE expert_draw (
        draw_id INTEGER PRIMARY KEY,
        audit_id INTEGER NOT NULL REFERENCES audit (audit_id),
        settings TEXT NOT NULL,
        responses TEXT NOT NULL,
        made_at TEXT NOT NULL
    ) STRICT""",
    # `withdrawn` names the pair that this row takes back.
    "reward_pair": """CREATE TABLE reward_pair (
        pair_id INTEGER PRIMARY KEY,
        withdrawn INTEGER REFERENCES reward_pair (pair_id),
        item_id TEXT NOT NULL,
        strategy TEXT NOT NULL,
        flaw TEXT NOT NULL,
        prompt TEXT NOT NULL,
        chosen TEXT NOT NULL,
        rejected TEXT NOT NULL,
        author TEXT NOT NULL,
        origin TEXT NOT NULL,
        made_at TEXT NOT NULL
    ) STRICT""",
    "reward_model": """CREATE TABLE reward_model (
        model_id INTEGER PRIMARY KEY,
        made_at TEXT NOT NULL,
        provenance TEXT NOT NULL,
        figures TEXT NOT NULL,
        weights TEXT NOT NULL
    ) STRICT""",
}

_INDEXES = (
    "CREATE INDEX item_review_of ON item_review (item_id)",
    "CREATE INDEX audit_run_of ON audit_run (audit_id)",
    "CREATE INDEX expert_score_of ON expert_score (response_id)",
    "CREATE INDEX expert_draw_of ON expert_draw (audit_id)",
    "CREATE INDEX reward_pair_withdrawn ON reward_pair (withdrawn)",
)


def lay_audit_tables(db: Database) -> None:
    """Make the tables and the guards against rewriting."""
    for statement in (*_TABLES.values(), *_INDEXES):
        db.execute(statement)
    only_add_to(db, _TABLES)


def lay_kept_boards(db: Database) -> None:
    """Make the table of boards that were counted, as the seventh version has it.

    Nothing rests on it: what it holds follows from the other tables, and may be put in its place
    anew or be missing.
    """
    db.execute(
        """CREATE TABLE audit_kept_board (
            audit_id INTEGER PRIMARY KEY REFERENCES audit (audit_id),
            state TEXT NOT NULL,
            content BLOB NOT NULL
        ) STRICT"""
    )
