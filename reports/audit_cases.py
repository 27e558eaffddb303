"""The cases of an audit as the page quotes them: whole, with what judges and experts gave."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from app.audit.audit_words import called, place_words, why_telling
from app.audit.board import AuditBoard
from app.audit.cases import Case, JudgedBy, Told
from app.audit.expert_records import ExpertWords
from app.audit.items import Axis, family_plan
from app.audit.records import Origin, Point
from app.coding.records import Check
from app.scoring.rounding import printed

Block = dict[str, Any]

CHECKED = {
    Check.VERIFIED: "word for word in the response",
    Check.CLOSE: "nearly so in the response",
    Check.NOT_FOUND: "not in the response",
}
_OURS = {
    Origin.SHOULD_PASS: "A response of ours, written to pass",
    Origin.SHOULD_FAIL: "A response of ours, written to fail",
    Origin.PADDED: "A response of ours, written to fail, with padding",
    Origin.INJECTED: "A response of ours, written to fail, that tells the judge what to score",
}


def case_block(board: AuditBoard, number: int, case: Case) -> Block:
    """Give one case as the template sets it."""
    item = case.item
    named = called(item.group, board.names)
    what = f"{named}, {called(item.category)}" if item.category else named
    where = _where(board, case)
    return {
        "title": f"{number}. {what}{f': {where}' if where else ''}",
        "why": why_telling(case.pick) if case.pick else "",
        "scene": _paragraphs(item.scene),
        "request": _paragraphs(case.request),
        "notice": case.notice,
        "told": _told(case.told, ""),
        "experts": _experts(case.experts),
        "beside": _told(case.beside, _beside(board, case.beside)) if case.beside else None,
    }


def draws_of(board: AuditBoard, case: Case) -> int:
    """Say how many draws the cell of a case has."""
    if case.item.axis is not Axis.ATTITUDE:
        return 1
    family, plan = family_plan(case.item.group), board.audit.plan
    return plan.draws if plan.draws is not None and family.draws > 1 else family.draws


def _where(board: AuditBoard, case: Case) -> str:
    place = case.told.response.place
    if case.told.response.origin is not Origin.TUTOR:
        return "a response of ours"
    return place_words(place.condition, place.draw, draws_of(board, case))


def _beside(board: AuditBoard, beside: Told) -> str:
    place = beside.response.place
    return f"To hold against it: what it said {place_words(place.condition, 0, 1)}"


def _told(told: Told, label: str) -> Block:
    said = _OURS.get(told.response.origin, "What the tutor said")
    return {
        "label": label or said,
        "words": _paragraphs(told.response.text),
        "judged": [_judged(one) for one in told.judged],
    }


def _judged(one: JudgedBy) -> Block:
    scores = [str(s.score) if s.score is not None else "nothing usable" for s in one.scorings]
    mean = "no score" if one.mean is None else f"{printed(one.mean)} of 10"
    singly = f" (scored {', '.join(scores)})" if len(scores) > 1 else ""
    return {
        "judge": one.judge,
        "told": f"{mean}{singly}",
        "reason": one.nearest.reason,
        "points": [_point(point) for point in one.nearest.points],
    }


def _point(point: Point) -> Block:
    check = CHECKED.get(point.check, str(point.check))
    if point.check is Check.CLOSE and point.found:
        check = f"{check}: “{point.found}”"
    return {
        "about": point.about,
        "met": point.met,
        "quote": point.quote,
        "check": check,
        "there": point.check.supports,
    }


def _experts(words: ExpertWords | None) -> list[str]:
    if words is None:
        return []
    told = []
    if words.agreed is not None:
        note = f": {words.agreed.note}" if words.agreed.note else ""
        told.append(f"Experts agreed on {words.agreed.score} of 10{note}")
    alone = ", ".join(str(one.score) for one in words.own)
    if alone:
        told.append(f"Experts, each alone: {alone}")
    return told


def _paragraphs(text: str) -> Sequence[str]:
    """Give the paragraphs of a text; a response that never came says so."""
    found = [line.strip() for line in text.splitlines() if line.strip()]
    return found or ["(nothing)"]
