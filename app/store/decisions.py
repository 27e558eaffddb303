"""Decisions of people, which stand beside predictions and never over them."""

from __future__ import annotations

import sqlite3

from app.coding.records import Decision, Stage, Verdict
from app.lesson.spans import show_time
from app.scoring.scored import Code
from app.store import rows, search
from app.store.changes import UNDONE
from app.store.records import HitKind


def decisions_of(connection: sqlite3.Connection, lesson_id: str) -> tuple[Decision, ...]:
    """Give the decisions that stand, oldest first."""
    found = connection.execute(
        f"""SELECT {rows.DECISION_COLUMNS} FROM decision
        WHERE lesson_id = :lesson AND change_id NOT IN ({UNDONE}) ORDER BY change_id""",
        {"lesson": lesson_id},
    )
    return tuple(rows.decision_from_row(each) for each in found)


def add_decision(
    connection: sqlite3.Connection, lesson_id: str, change_id: int, decision: Decision
) -> None:
    """Add a decision to the change that it is."""
    connection.execute(
        f"INSERT INTO decision (change_id, lesson_id, clip_id, {rows.DECISION_COLUMNS}) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            change_id,
            lesson_id,
            rows.sound_text(decision.clip.clip_id),
            *rows.decision_to_row(decision),
        ),
    )


def decision_label(decision: Decision) -> str:
    """Name a decision in a few words, as undo and the history show it."""
    clip = decision.clip
    where = f"line {clip.first}" if clip.start_ms is None else show_time(clip.start_ms)
    is_agreed = decision.stage is Stage.CONSENSUS
    if decision.verdict is Verdict.REJECT:
        return f"Agree on no practice at {where}" if is_agreed else f"Reject the clip at {where}"
    verb = "Accept" if decision.verdict is Verdict.ACCEPT else "Correct to"
    codes = " and ".join(_code_words(code) for code in decision.codes)
    return f"{'Agree on' if is_agreed else verb} {codes} at {where}"


def _code_words(code: Code) -> str:
    return code.practice if code.level is None else f"{code.practice}, level {code.level}"


def find_decision(
    connection: sqlite3.Connection, lesson_id: str, change_id: int, *, stands: bool
) -> None:
    """Have the search find the note of a decision while the decision stands."""
    note, text = connection.execute(
        "SELECT note, clip FROM decision WHERE change_id = ?", (change_id,)
    ).fetchone()
    clip = rows.clip_from_json(text)
    search.put_text(
        connection,
        lesson_id,
        HitKind.NOTE,
        change_id,
        note if stands else "",
        clip.start_ms,
        clip.first or None,
    )
