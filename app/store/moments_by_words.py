"""Texts of the whole library by their words, each with the code of the clip it lies in."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence

from app.coding.moments import Found, Moment, MomentKind, Wanted
from app.coding.people_names import people_in
from app.coding.review import LessonReview
from app.coding.sight import Sight
from app.lesson.clips import Clip
from app.scoring.scored import Code
from app.store import search
from app.store.moments_by_code import standing_words
from app.store.moments_read import ClipPlaces, Shelf, read_reviews
from app.store.records import HitKind
from app.store.search import Text

BEFORE_MS = 1_000
"""How long before a line its playing begins, so that nobody is cut off."""
AFTER_MS = 2_000
"""How long after a line its playing goes on."""
UNKNOWN_MS = 10_000
"""How long a line is played whose end is not known."""
_NOWHERE = ("", "")
_SPARE = 2
"""How many times as many texts are fetched, since some may not be shown."""


def moments_by_words(
    connection: sqlite3.Connection, shelf: Shelf, wanted: Wanted, sight: Sight, limit: int
) -> Found:
    """Give the texts that hold all the words, best first."""
    words = search.words_of(wanted.words)
    among = None if shelf.is_whole else shelf.lessons
    texts = _each_line_once(search.find_texts(connection, words, limit * _SPARE, among))
    reviews = read_reviews(connection, {text.lesson_id for text in texts})
    noted = _note_clips(connection, [t.ref for t in texts if t.kind is HitKind.NOTE and t.ref])
    ends = _ends(connection, texts)
    places = {lesson_id: ClipPlaces(review) for lesson_id, review in reviews.items()}
    moments: list[Moment] = []
    hidden = 0
    for text in texts:
        if len(moments) > limit:
            break
        review = reviews[text.lesson_id]
        is_note = text.kind is HitKind.NOTE
        clip_id, author = noted.get(text.ref, _NOWHERE) if is_note else _NOWHERE
        if clip_id and not _may_read(sight, review, clip_id, author):
            hidden += 1
            continue
        clip = next((c for c in review.clips if c.clip_id == clip_id), None)
        clip = clip or places[text.lesson_id].at(text.utterance, text.start_ms)
        shown = search.snippet(text.text, words)
        end_ms = ends.get((text.lesson_id, text.utterance or 0))
        moments.append(_moment(text, shelf, review, clip, sight, shown, end_ms))
    return Found(tuple(moments[:limit]), len(moments) > limit, hidden_notes=hidden)


def _note_clips(
    connection: sqlite3.Connection, changes: Sequence[int]
) -> dict[int, tuple[str, str]]:
    """Give clip and author of the decisions with these numbers."""
    rows = connection.execute(
        "SELECT change_id, clip_id, author FROM decision "
        "WHERE change_id IN (SELECT value FROM json_each(?))",
        (json.dumps(list(changes)),),
    )
    return {change_id: (clip_id, author) for change_id, clip_id, author in rows}


def _each_line_once(texts: Iterable[Text]) -> list[Text]:
    """Leave out quotes of lines that were found themselves."""
    found = list(texts)
    lines = {(t.lesson_id, t.utterance) for t in found if t.kind is HitKind.UTTERANCE}
    return [
        text
        for text in found
        if text.kind is not HitKind.QUOTE or (text.lesson_id, text.utterance) not in lines
    ]


def _may_read(sight: Sight, review: LessonReview, clip_id: str, author: str) -> bool:
    """Say whether a note on a decision may be shown: another person's could name the code."""
    return sight.author in people_in(author) or sight.shows_labels(review, clip_id)


def _ends(connection: sqlite3.Connection, texts: Iterable[Text]) -> dict[tuple[str, int], int]:
    """Give when lines end, by lesson and number, where that is known."""
    wanted: dict[str, list[int]] = {}
    for text in texts:
        if text.utterance is not None:
            wanted.setdefault(text.lesson_id, []).append(text.utterance)
    found = {}
    for lesson_id, numbers in wanted.items():
        rows = connection.execute(
            """SELECT number, end_ms FROM utterance
            WHERE transcript_id = (SELECT max(transcript_id) FROM transcript WHERE lesson_id = ?)
                AND number IN (SELECT value FROM json_each(?)) AND end_ms IS NOT NULL""",
            (lesson_id, json.dumps(numbers)),
        )
        found.update({(lesson_id, number): end_ms for number, end_ms in rows})
    return found


def _moment(
    text: Text,
    shelf: Shelf,
    review: LessonReview,
    clip: Clip | None,
    sight: Sight,
    shown: str,
    end_ms: int | None,
) -> Moment:
    lesson = shelf.lessons[text.lesson_id]
    codes, by, is_disputed = _codes(review, clip, sight)
    line, at_ms = text.utterance or 0, text.start_ms
    start_ms = None if at_ms is None else max(at_ms - BEFORE_MS, 0)
    until_ms = None
    if at_ms is not None:
        known = end_ms is not None and end_ms > at_ms
        until_ms = (end_ms or 0) + AFTER_MS if known else at_ms + UNKNOWN_MS
    return Moment(
        lesson.lesson_id,
        lesson.title,
        lesson.day,
        lesson.is_recorded_day,
        MomentKind(text.kind.value),
        text.text,
        shown,
        codes=codes,
        by=by,
        is_disputed=is_disputed,
        clip_id=clip.clip_id if clip else "",
        first=line,
        last=line,
        start_ms=start_ms,
        end_ms=until_ms,
        at_ms=at_ms,
    )


def _codes(
    review: LessonReview, clip: Clip | None, sight: Sight
) -> tuple[tuple[Code, ...], str, bool]:
    """Give the codes of a clip that stand and may be seen, who gave them, and whether disputed."""
    if clip is None or not sight.shows_labels(review, clip.clip_id):
        return (), "", False
    disputed = review.disputed_words(clip.clip_id)
    words = disputed or standing_words(review, clip.clip_id)
    codes = tuple(dict.fromkeys(code for word in words for code in word.codes))
    by = ", ".join(dict.fromkeys(word.author for word in words)) if codes else ""
    return codes, by, bool(disputed)
