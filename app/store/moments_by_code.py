"""Clips of the whole library by the code that stands, each with its best evidence."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.coding.moments import Found, Moment, MomentKind, Wanted
from app.coding.people_names import people_in
from app.coding.records import Check, Decision, Stage
from app.coding.review import LessonReview
from app.coding.sight import Sight
from app.lesson.clips import Clip
from app.scoring.scored import Code
from app.store import search
from app.store.moments_read import Claims, Shelf, read_claims, read_reviews
from app.store.records import HitKind


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A clip whose code fits."""

    lesson_id: str
    clip: Clip
    words: tuple[Decision, ...]
    """The decisions that fit; empty for a suggestion."""
    codes: tuple[Code, ...]
    by: str
    is_disputed: bool = False
    claims: tuple[int, ...] = ()
    """Predictions that claim one of the codes."""


@dataclass(frozen=True, slots=True)
class _Quote:
    text: str
    snippet: str
    at_ms: int | None = None


def moments_by_code(
    connection: sqlite3.Connection, shelf: Shelf, wanted: Wanted, sight: Sight, limit: int
) -> Found:
    """Give the clips whose code fits, in the order in which they fit best."""
    reviews = read_reviews(connection, shelf.lessons)
    claims = read_claims(connection, shelf.lessons, wanted.practice)
    candidates, hidden = _candidates(reviews, claims, wanted, sight)
    candidates.sort(key=lambda c: (not c.words, c.is_disputed))
    quotes: dict[tuple[str, str], _Quote] = {}
    if wanted.words.strip():
        candidates, quotes = _with_words(connection, shelf, wanted.words, candidates)
    shown = candidates[:limit]
    cited = _best_evidence(connection, shown)
    begins = _first_lines(connection, shown)
    moments = [_moment(c, shelf, quotes, cited, begins) for c in shown]
    return Found(tuple(moments), len(candidates) > limit, hidden)


def _candidates(
    reviews: dict[str, LessonReview], claims: Claims, wanted: Wanted, sight: Sight
) -> tuple[list[_Candidate], int]:
    """Give the clips that fit, and how many could not be looked at."""
    found, hidden = [], 0
    for review in reviews.values():
        for clip in review.clips:
            if not sight.shows_labels(review, clip.clip_id):
                hidden += 1
                continue
            candidate = _decided(review, clip, claims, wanted)
            if candidate is None and wanted.with_suggestions and not wanted.author:
                candidate = _suggested(review, clip, claims, wanted)
            if candidate is not None:
                found.append(candidate)
    return found, hidden


def _decided(review: LessonReview, clip: Clip, claims: Claims, wanted: Wanted) -> _Candidate | None:
    disputed = review.disputed_words(clip.clip_id)
    words = [
        word
        for word in disputed or standing_words(review, clip.clip_id)
        if any(_fits(code, wanted) for code in word.codes)
        and (not wanted.author or wanted.author in people_in(word.author))
    ]
    if not words:
        return None
    codes = tuple(dict.fromkeys(code for word in words for code in word.codes))
    practices = {code.practice for code in codes if _fits(code, wanted)}
    support = [
        claim.prediction_id
        for claim in claims.on(review.lesson_id, clip.clip_id)
        if claim.code.practice in practices
    ]
    by = ", ".join(dict.fromkeys(word.author for word in words))
    return _Candidate(
        review.lesson_id, clip, tuple(words), codes, by, bool(disputed), tuple(support)
    )


def standing_words(review: LessonReview, clip_id: str) -> tuple[Decision, ...]:
    """Give the decision that stands, and those of other people who said the same on their own."""
    stands = review.decision_for(clip_id)
    if stands is None or stands.stage is Stage.CONSENSUS:
        return (stands,) if stands else ()
    own = review.own_decisions(clip_id)
    return tuple(d for d in own if set(d.codes) == set(stands.codes)) or (stands,)


def _suggested(
    review: LessonReview, clip: Clip, claims: Claims, wanted: Wanted
) -> _Candidate | None:
    if review.decisions_for(clip.clip_id):
        return None
    fitting = [
        claim for claim in claims.on(review.lesson_id, clip.clip_id) if _fits(claim.code, wanted)
    ]
    if not fitting:
        return None
    codes = tuple(dict.fromkeys(claim.code for claim in fitting))
    by = ", ".join(dict.fromkeys(claim.coder for claim in fitting))
    support = tuple(claim.prediction_id for claim in fitting)
    return _Candidate(review.lesson_id, clip, (), codes, by, claims=support)


def _fits(code: Code, wanted: Wanted) -> bool:
    return wanted.practice in ("", code.practice) and wanted.level in (None, code.level)


def _with_words(
    connection: sqlite3.Connection, shelf: Shelf, query: str, candidates: Sequence[_Candidate]
) -> tuple[list[_Candidate], dict[tuple[str, str], _Quote]]:
    """Keep the clips that hold the words, those that hold them in most lines first.

    The words may stand in a line of the clip, in a quote or a note on it, or in the lesson's title.
    """
    words = search.words_of(query)
    stretches = [(c.lesson_id, c.clip.first, c.clip.last) for c in candidates]
    lines = search.first_in_stretches(connection, words, stretches)
    cited = search.quotes_holding(connection, words, [n for c in candidates for n in c.claims])
    numbers = {place: number for place, (number, _) in lines.items()}
    for place, candidate in enumerate(candidates):
        quoted = next((cited[n] for n in candidate.claims if n in cited), None)
        if quoted is not None:
            numbers.setdefault(place, quoted)
    texts = search.texts_at(connection, numbers.values())
    titled = {i for i, lesson in shelf.lessons.items() if search.holds_all(lesson.title, words)}
    kept, quotes = [], {}
    for place, candidate in enumerate(candidates):
        text = texts[numbers[place]] if place in numbers else _said_by_people(candidate, words)
        if text is not None:
            quotes[_key(candidate)] = _Quote(text[0], search.snippet(text[0], words), text[1])
        if text is not None or candidate.lesson_id in titled:
            kept.append((-lines.get(place, (0, 0))[1], place, candidate))
    return [candidate for _, _, candidate in sorted(kept, key=lambda k: k[:2])], quotes


def _said_by_people(candidate: _Candidate, words: Sequence[str]) -> tuple[str, int | None] | None:
    """Give what a person wrote or cited for the code that holds the words, and its moment."""
    for word in candidate.words:
        pieces = [(piece.quote or piece.seen, piece.start_ms) for piece in word.evidence]
        for text, at_ms in [*pieces, (word.note, candidate.clip.start_ms)]:
            if text and search.holds_all(text, words):
                return text, at_ms
    return None


def _best_evidence(
    connection: sqlite3.Connection, shown: Iterable[_Candidate]
) -> dict[int, _Quote]:
    """Give for each prediction the quote that supports it best."""
    wanted = [number for candidate in shown for number in candidate.claims]
    rows = connection.execute(
        """SELECT prediction_id, CASE found WHEN '' THEN quote ELSE found END, start_ms
        FROM evidence WHERE prediction_id IN (SELECT value FROM json_each(?))
            AND checked IN (?, ?) AND quote <> ''
        ORDER BY weak, checked <> ?, score DESC, evidence_id""",
        (json.dumps(wanted), Check.VERIFIED, Check.CLOSE, Check.VERIFIED),
    )
    best: dict[int, _Quote] = {}
    for prediction_id, text, start_ms in rows:
        best.setdefault(prediction_id, _Quote(text, text, start_ms))
    return best


def _first_lines(
    connection: sqlite3.Connection, shown: Iterable[_Candidate]
) -> dict[tuple[str, int], str]:
    """Give the line with which each clip begins, as it reads now."""
    wanted = [[c.lesson_id, c.clip.first] for c in shown if c.clip.first]
    rows = connection.execute(
        """SELECT s.lesson_id, s.ref, s.text FROM json_each(?) AS w JOIN search_text AS s
            ON s.lesson_id = json_extract(w.value, '$[0]') AND s.kind = ?
                AND s.ref = json_extract(w.value, '$[1]')""",
        (json.dumps(wanted), HitKind.UTTERANCE.value),
    )
    return {(lesson_id, number): text for lesson_id, number, text in rows}


def _moment(
    candidate: _Candidate,
    shelf: Shelf,
    quotes: dict[tuple[str, str], _Quote],
    cited: dict[int, _Quote],
    begins: dict[tuple[str, int], str],
) -> Moment:
    lesson, clip = shelf.lessons[candidate.lesson_id], candidate.clip
    quote = quotes.get(_key(candidate)) or _cited_by_people(candidate.words)
    if quote is None:
        quote = next((cited[n] for n in reversed(candidate.claims) if n in cited), _Quote("", ""))
    return Moment(
        lesson.lesson_id,
        lesson.title,
        lesson.day,
        lesson.is_recorded_day,
        MomentKind.CODE if candidate.words else MomentKind.SUGGESTION,
        quote.text,
        quote.snippet,
        begins.get((lesson.lesson_id, clip.first), "") if not quote.text else "",
        candidate.codes,
        candidate.by,
        candidate.is_disputed,
        clip.clip_id,
        clip.first,
        clip.last,
        clip.start_ms,
        clip.end_ms,
        quote.at_ms if quote.at_ms is not None else clip.start_ms,
    )


def _cited_by_people(words: Iterable[Decision]) -> _Quote | None:
    """Give what a person cites first for a code: words before what is seen."""
    pieces = [piece for word in words for piece in word.evidence]
    for piece in sorted(pieces, key=lambda p: not p.quote):
        text = piece.quote or (f"seen: {piece.seen}" if piece.seen else "")
        if text:
            return _Quote(text, text, piece.start_ms)
    return None


def _key(candidate: _Candidate) -> tuple[str, str]:
    return candidate.lesson_id, candidate.clip.clip_id
