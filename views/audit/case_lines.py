"""One response with all that is known of it, in lines to read from top to bottom."""

from __future__ import annotations

from collections.abc import Iterator

from app.audit.audit_words import called, condition_words, why_telling
from app.audit.cases import Case, JudgedBy, Told
from app.audit.items import Axis
from app.audit.records import Origin, Place, Point, Reading, Response, Scoring
from app.coding.records import Check
from views.audit.listed import Listed
from views.audit.sheet import Line, head, quote, strong, text
from views.audit.words import LOST_WORDS, ORIGIN_WORDS, title_of

CHECK_WORDS = {
    Check.VERIFIED: "✓ stands there word for word",
    Check.CLOSE: "≈ close; the true words are shown",
    Check.NOT_FOUND: "✗ NOT IN THE RESPONSE: made up, counts for nothing",
}
NO_QUOTE = "no words cited"
HIDDEN = (
    "Not shown: you score responses of this audit without knowing what others gave. Go on under "
    "Experts; once you have scored all you may close your scores there and see the judges’."
)


def case_lines(case: Case, listed: Listed, mark: str = "") -> list[Line]:
    """Write a case: what was asked, the response whole, then each judge by itself.

    Args:
        case: The response with its scores.
        listed: The same as it stands in the list.
        mark: How far its item has been reviewed; empty when somebody kept it.
    """
    lines = [*_asked(case, mark), *_said(case)]
    if case.item.axis is Axis.KNOWLEDGE:
        return lines
    if listed.is_hidden:
        return [*lines, head("Scores"), text(HIDDEN)]
    lines += _by_experts(case)
    for score in listed.scores:
        told = f"{score.mean:.1f}, {score.fared}" if score.mean is not None else score.fared
        lines.append(head(f"{score.judge}: {told}"))
        own = next((one for one in case.told.judged if one.judge == score.judge), None)
        lines += _judged(own) if own is not None else []
    if not listed.scores and listed.has_text:
        lines.append(head("No judge has scored it yet"))
    return [*lines, *_beside(case.beside)]


def where_words(place: Place) -> str:
    """Say under which condition a response was given, and in which draw."""
    condition = place.condition
    draw = f"draw {place.draw + 1}"
    if (condition.pressure, condition.monitored) == (None, None):
        return draw
    return f"{condition_words(condition.pressure, condition.monitored)}, {draw}"


def _asked(case: Case, mark: str) -> Iterator[Line]:
    item, response = case.item, case.told.response
    category = f", {called(item.category)}" if item.category else ""
    yield head(f"{title_of(item.group)}{category} · item {item.item_id}")
    yield text(f"{where_words(response.place)}: {ORIGIN_WORDS[response.origin]}")
    if mark:
        yield text(f"Item: {mark}.")
    if case.pick is not None:
        yield strong(f"Why it is here: {why_telling(case.pick)}")
    if item.is_trap:
        yield text("A wrong fact is planted in this item.")
    if item.scene:
        yield head("Scene")
        yield text(item.scene)
    if case.notice:
        yield head("Told to the tutor, and to no judge")
        yield quote(case.notice)
    yield head("Asked")
    yield quote(case.request)
    for letter, option in zip("ABCD", item.options, strict=False):
        yield quote(f"{letter}  {option}")


def _said(case: Case) -> Iterator[Line]:
    response, item = case.told.response, case.item
    yield head("Response, whole")
    yield from _response(response)
    if response.origin is not Origin.TUTOR and item.failing_why:
        yield text(f"Why the one that should fail should: {item.failing_why}")
    if item.axis is Axis.KNOWLEDGE:
        read = f"Read as {response.choice}" if response.choice else "No letter can be read in it"
        yield text(f"{read}; the key is {item.key}.")
        if item.source:
            yield text(f"The key rests on: {item.source}")


def _response(response: Response) -> Iterator[Line]:
    if not response.has_text:
        yield text(f"None that counts: {LOST_WORDS.get(response.status, response.status)}.")
        if response.error:
            yield text(response.error)
    if response.text:
        yield quote(response.text)


def _by_experts(case: Case) -> Iterator[Line]:
    experts = case.experts
    if experts is None:
        return
    if experts.agreed is not None:
        yield head(f"Experts agreed on {experts.agreed.score}")
        told = f"{experts.agreed.expert}. {experts.agreed.note}".strip()
        yield text(told)
        return
    yield head("Experts, each alone")
    for one in experts.own:
        yield text(f"{one.expert}: {one.score}. {one.note}".strip())


def _judged(judged: JudgedBy) -> Iterator[Line]:
    for one in judged.scorings:
        yield from _scoring(one)


def _scoring(one: Scoring) -> Iterator[Line]:
    order = "" if one.reading is Reading.UPWARD else ", bands shown from the top down"
    where = f"Scoring {one.turn}{order}"
    if one.score is None:
        why = LOST_WORDS.get(one.status, "nothing usable")
        yield text(f"{where}: {why}. {one.error}".rstrip())
        return
    yield text(f"{where}: {one.score}. {one.reason}".rstrip())
    for point in one.points:
        yield quote(point_words(point))


def point_words(point: Point) -> str:
    """Write one thing that a judge looked for, with what the check of its quote found."""
    told = f"{'met' if point.met else 'not met'}: {point.about}"
    if not point.quote.strip():
        return f"{told} – {NO_QUOTE}"
    told = f"{told} – “{point.quote}” {CHECK_WORDS.get(point.check, point.check)}"
    if point.check is Check.CLOSE and point.found:
        told = f"{told}: “{point.found}”"
    return told


def _beside(beside: Told | None) -> Iterator[Line]:
    """Write the response that a case is held against, with the bare scores."""
    if beside is None:
        return
    yield head(f"Beside it: {where_words(beside.response.place)}")
    yield from _response(beside.response)
    for judged in beside.judged:
        mean = judged.mean
        yield text(f"{judged.judge}: {'no score' if mean is None else f'{mean:.1f}'}")
