"""Whole audits put into a library with scores that a test chooses."""

from __future__ import annotations

from dataclasses import replace

from audit_plans import plan_of, starter

from app.audit.calibration import calibration
from app.audit.cells import cells_of
from app.audit.checks_of_judges import checks_of, known_responses
from app.audit.held_against import HeldAgainst
from app.audit.items import Axis
from app.audit.records import Origin, Place, Point, Reading, Response, Scoring
from app.coding.records import Check
from app.running.questions import Status


def tutored(plan, says, choice=lambda item, draw: item.key):
    """Give a response for each draw: `says(item, condition, draw)` is whether it is a good one."""
    made = []
    for cell in cells_of(plan, starter()):
        for draw in range(cell.draws):
            item, place = cell.item, Place(cell.item.item_id, cell.condition, draw)
            if item.axis is Axis.KNOWLEDGE:
                letter = choice(item, draw)
                made.append(Response(0, Origin.TUTOR, place, Status.OK, letter, letter))
                continue
            text = item.passing if says(item, cell.condition, draw) else item.failing
            made.append(Response(0, Origin.TUTOR, place, Status.OK, text))
    return made


def fill(library, plan=None, says=lambda *_: True, score=None, choice=None, **more):
    """Put an audit into a library: planned, tutored, checked, judged.

    `score(judge, response, turn)` is what a judge gives; without it 9 for a good response of an
    item and 2 for any other, by each judge and each time.
    """
    audits = library.audits
    digest = audits.add_bank("starter", starter())
    plan = replace(plan_of(**more), bank=digest) if plan is None else plan
    audit_id = audits.add_audit(plan, "Ann")
    items = [item for item in starter().items if item.item_id in set(plan.item_ids)]
    audits.add_responses(audit_id, known_responses(items))
    letters = {} if choice is None else {"choice": choice}
    audits.add_responses(audit_id, tutored(plan, says, **letters))
    give = score or by_words({item.item_id: item for item in items})
    audits.add_scorings(list(scorings(library, plan, audit_id, items, give)))
    return audit_id


def by_words(items):
    def score(_judge, response, _turn):
        good = items[response.place.item_id].passing
        return 9 if response.text.startswith(good) else 2

    return score


def calibrated(library, audit_id, but=()):
    """Give calibrations as if experts had agreed with every judge but those named."""
    plan = library.audits.audit(audit_id).plan
    judges = [seat.name for seat in plan.judges if seat.name not in but]
    pairs = [
        HeldAgainst(audit_id, 1, "a", 2.0, (2,), 2.0),
        HeldAgainst(audit_id, 2, "b", 9.0, (9,), 9.0),
    ]
    axes = (Axis.ATTITUDE, Axis.SKILL)
    return tuple(calibration(judge, axis, pairs) for judge in judges for axis in axes)


def scorings(library, plan, audit_id, items, give):
    kinds = {item.item_id: item.axis for item in items}
    every = library.audits.responses(audit_id)
    ours = checks_of([one for one in every if one.origin is not Origin.TUTOR])
    theirs = [
        one
        for one in every
        if one.origin is Origin.TUTOR and kinds[one.place.item_id] is not Axis.KNOWLEDGE
    ]
    for judge in (seat.name for seat in plan.judges):
        for response in theirs:
            if response.has_text:
                for turn in range(1, plan.scorings + 1):
                    yield scoring(judge, response, turn, Reading.UPWARD, give)
        for response, reading in ours:
            yield scoring(judge, response, 1, reading, give)


def scoring(judge, response, turn, reading, give):
    score = give(judge, response, turn)
    if score is None:
        return Scoring(response.response_id, judge, reading, turn, Status.SCHEMA_FAIL, None)
    quote = " ".join(response.text.split()[:6])
    point = Point("says what happened", score >= 7, quote, Check.VERIFIED)
    band = (score + 1) // 2
    return Scoring(
        response.response_id, judge, reading, turn, Status.OK, score, band, (point,), "Because."
    )
