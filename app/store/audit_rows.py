"""How banks, audits, responses and scorings become rows and come back, equal to the field."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from app.audit.as_json import bank_from_text, plan_from_text, points_from_text, points_to_text
from app.audit.bank import Bank
from app.audit.records import Audit, AuditPlan, Origin, Place, Reading, Response, Scoring
from app.running.questions import Status
from app.store.board_rows import CONDITIONS
from app.store.rows import sound_text

RESPONSE = "response_id, origin, item_id, condition, draw, status, text, choice, error, answer_key"
"""Columns of a response, as `response_from_row` reads them."""

SCORING = "response_id, judge, reading, turn, status, score, band"
"""Columns of a scoring without its words."""


@lru_cache(maxsize=4)
def bank_from_text_once(content: str) -> Bank:
    """Read a bank; the few that are asked for are read once."""
    return bank_from_text(content)


@lru_cache(maxsize=256)
def _read_plan(content: str) -> AuditPlan:
    return plan_from_text(content)


def audit_from_row(row: Sequence[Any]) -> Audit:
    """Read an audit: number, plan, moment, author."""
    audit_id, plan, made_at, author = row
    return Audit(audit_id, _read_plan(plan), made_at, author)


def response_to_row(audit_id: int, one: Response) -> tuple[Any, ...]:
    """Write a response of an audit."""
    place = one.place
    return (
        audit_id,
        one.origin.value,
        sound_text(place.item_id),
        place.condition.name,
        place.draw,
        one.status.value,
        sound_text(one.choice),
        len(one.text.split()),
        sound_text(one.error),
        one.answer_key,
        sound_text(one.text),
    )


def response_from_row(row: Sequence[Any]) -> Response:
    """Read a response back."""
    response_id, origin, item_id, condition, draw, status, text, choice, error, key = row
    place = Place(item_id, CONDITIONS[condition], draw)
    return Response(response_id, Origin(origin), place, Status(status), text, choice, error, key)


def add_scoring(connection: sqlite3.Connection, one: Scoring) -> None:
    """Keep a scoring with its words, unless the judge's turn has one."""
    quoted = [point for point in one.points if point.quote.strip()]
    cursor = connection.execute(
        f"INSERT INTO audit_scoring ({SCORING}, quotes, quotes_found) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        (
            one.response_id,
            sound_text(one.judge),
            one.reading.value,
            one.turn,
            one.status.value,
            one.score,
            one.band,
            len(quoted),
            sum(point.check.supports for point in quoted),
        ),
    )
    if cursor.rowcount:
        connection.execute(
            "INSERT INTO audit_scoring_words (scoring_id, points, reason, error, answer_key) "
            "VALUES (?, ?, ?, ?, ?)",
            (
                cursor.lastrowid,
                sound_text(points_to_text(one.points)),
                sound_text(one.reason),
                sound_text(one.error),
                one.answer_key,
            ),
        )


def scoring_from_row(row: Sequence[Any]) -> Scoring:
    """Read a scoring back, with its words."""
    response_id, judge, reading, turn, status, score, band, points, reason, error, key = row
    return Scoring(
        response_id,
        judge,
        Reading(reading),
        turn,
        Status(status),
        score,
        band,
        points_from_text(points),
        reason,
        error,
        key,
    )
