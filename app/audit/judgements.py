"""What a judge wrote, read and checked: its band, its point, and whether its quotes are there."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from app.audit.items import Rubric
from app.audit.judging import BAND_LETTERS
from app.audit.records import Point, Reading, Response, Scoring
from app.coding.evidence import QuoteFinder
from app.coding.records import Check, Citation
from app.lesson.clips import Clip
from app.lesson.transcript.records import Utterance
from app.running.questions import Status
from app.running.results import Result

_WHOLE = Clip("response", 1, 1, None, None)


@dataclass(frozen=True, slots=True)
class Judgement:
    """What one scoring says; its quotes are still claims."""

    points: tuple[tuple[str, bool, str], ...]
    """What was looked for, whether it is met, and the words it rests on."""
    band: int
    """1 to 5."""
    upper: bool
    """Whether the response stands at the upper point of the band."""
    reason: str


def read_judgement(text: str) -> Judgement:
    """Read an answer that keeps the schema of `app.audit.judging`."""
    answer = json.loads(text)
    points = tuple((str(p["about"]), bool(p["met"]), str(p["quote"])) for p in answer["points"])
    band = BAND_LETTERS.index(answer["band"]) + 1
    return Judgement(points, band, bool(answer["upper"]), str(answer["reason"]))


class ResponseQuotes:
    """Looks up what judges cite of one response, which it indexes once if it has to.

    Args:
        text: The response.
    """

    def __init__(self, text: str) -> None:
        # As one line: a quote may run over the end of a paragraph.
        self._text = " ".join(text.split())

    @cached_property
    def _finder(self) -> QuoteFinder:
        return QuoteFinder([Utterance(1, self._text)])

    def check(self, quote: str) -> tuple[Check, str]:
        """Say whether words are in the response, and give the true ones where they differ."""
        words = " ".join(quote.split())
        if not words:
            return Check.NOT_FOUND, ""
        # Most quotes are copied to the letter. Between blanks, these are the same words to the
        # finder as well, which would take a thousand times as long to say so.
        if f" {words} " in f" {self._text} " and any(sign.isalnum() for sign in words):
            return Check.VERIFIED, ""
        found = self._finder.check(Citation(quote=quote), _WHOLE)
        return found.check, found.found if found.check is Check.CLOSE else ""


def scorings_of(
    response: Response,
    judge: str,
    reading: Reading,
    rubric: Rubric,
    results: Iterable[Result],
) -> list[Scoring]:
    """Make scorings of what a judge answered on one response.

    Where the engine failed before the judge spoke there is none; it is asked again later.
    """
    quotes = ResponseQuotes(response.text)
    return [
        _scoring(response, judge, reading, rubric, result, quotes)
        for result in results
        if result.status is not Status.BACKEND_ERROR
    ]


def _scoring(
    response: Response,
    judge: str,
    reading: Reading,
    rubric: Rubric,
    result: Result,
    quotes: ResponseQuotes,
) -> Scoring:
    turn = result.draw + 1
    if not result.has_value:
        return Scoring(
            response.response_id,
            judge,
            reading,
            turn,
            result.status,
            None,
            error=result.error,
            answer_key=result.answer_key,
        )
    said: Judgement = result.value
    return Scoring(
        response.response_id,
        judge,
        reading,
        turn,
        result.status,
        rubric.bands[said.band - 1].low + said.upper,
        said.band,
        tuple(Point(about, met, quote, *quotes.check(quote)) for about, met, quote in said.points),
        said.reason,
        answer_key=result.answer_key,
    )
