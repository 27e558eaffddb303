"""What a search over the library reads of lessons, clips, decisions and predictions."""

from __future__ import annotations

import json
import sqlite3
from bisect import bisect_right
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import date

from app.coding.moments import Wanted
from app.coding.records import Decision
from app.coding.review import LessonReview
from app.lesson.clips import Clip
from app.lesson.media.dated import day_of
from app.lesson.spans import Span
from app.scoring.scored import Code
from app.store import lessons, rows
from app.store.clip_sets import PERSON_FIRST

_LESSONS = """
    SELECT l.lesson_id, l.added_at, json_extract(m.facts, '$.recorded_at')
    FROM lesson AS l LEFT JOIN media AS m ON m.media_id = (
        SELECT max(media_id) FROM media WHERE media.lesson_id = l.lesson_id
    ) ORDER BY l.rowid
"""
_CLIPS = f"""
    WITH undone AS MATERIALIZED ({lessons.UNDONE_ANYWHERE}),
    wanted AS (SELECT value AS lesson_id FROM json_each(:among)),
    shown AS (
        SELECT lesson_id, (
            SELECT set_id FROM clip_set AS c
            WHERE c.lesson_id = wanted.lesson_id AND
                (change_id IS NULL OR change_id NOT IN (SELECT target FROM undone))
            ORDER BY {PERSON_FIRST} LIMIT 1
        ) AS set_id FROM wanted
    )
    SELECT shown.lesson_id, {rows.CLIP_COLUMNS}
    FROM shown JOIN clip ON clip.set_id = shown.set_id ORDER BY shown.set_id, clip.place
"""
_DECISIONS = f"""
    WITH undone AS MATERIALIZED ({lessons.UNDONE_ANYWHERE})
    SELECT lesson_id, {rows.DECISION_COLUMNS} FROM decision
    WHERE lesson_id IN (SELECT value FROM json_each(:among))
        AND change_id NOT IN (SELECT target FROM undone)
    ORDER BY change_id
"""
_CLAIMS = """
    SELECT prediction_id, lesson_id, clip_id, coder, practice, level FROM prediction
    WHERE prediction_id IN (
        SELECT max(prediction_id) FROM prediction
        WHERE lesson_id IN (SELECT value FROM json_each(:among))
        GROUP BY lesson_id, clip_id, coder
    ) AND practice <> '' AND :practice IN ('', practice) ORDER BY prediction_id
"""


@dataclass(frozen=True, slots=True)
class LessonOnShelf:
    """What a moment tells of its lesson."""

    lesson_id: str
    title: str
    day: date
    is_recorded_day: bool


@dataclass(frozen=True, slots=True)
class Shelf:
    """The lessons that may be looked in, in the order they were added."""

    lessons: dict[str, LessonOnShelf]
    is_whole: bool
    """Whether these are all lessons of the library."""


@dataclass(frozen=True, slots=True)
class Claim:
    """The latest code that one coder gives a clip."""

    prediction_id: int
    coder: str
    code: Code


@dataclass(slots=True)
class Claims:
    """Latest claims by lesson and clip, oldest first."""

    of_clip: dict[tuple[str, str], list[Claim]] = field(default_factory=dict)

    def on(self, lesson_id: str, clip_id: str) -> list[Claim]:
        """Give the claims on one clip."""
        return self.of_clip.get((lesson_id, clip_id), [])


def read_shelf(connection: sqlite3.Connection, wanted: Wanted) -> Shelf:
    """Give the lessons that fit what is asked for."""
    titles = lessons.titles(connection)
    found, count = {}, 0
    for lesson_id, added_at, recorded_at in connection.execute(_LESSONS):
        count += 1
        day = day_of(recorded_at or added_at)
        if wanted.lesson_id not in ("", lesson_id):
            continue
        if wanted.first_day is not None and day < wanted.first_day:
            continue
        if wanted.last_day is not None and day > wanted.last_day:
            continue
        found[lesson_id] = LessonOnShelf(lesson_id, titles[lesson_id], day, bool(recorded_at))
    return Shelf(found, len(found) == count)


def read_reviews(connection: sqlite3.Connection, among: Collection[str]) -> dict[str, LessonReview]:
    """Give the clips and decisions of lessons as they stand; nothing else of them is read."""
    named = {"among": json.dumps(sorted(among))}
    clips: dict[str, list[Clip]] = {}
    for lesson_id, *row in connection.execute(_CLIPS, named):
        clips.setdefault(lesson_id, []).append(rows.clip_from_row(tuple(row)))
    decided: dict[str, list[Decision]] = {}
    for lesson_id, *row in connection.execute(_DECISIONS, named):
        decided.setdefault(lesson_id, []).append(rows.decision_from_row(tuple(row)))
    return {
        lesson_id: LessonReview(
            lesson_id,
            title="",
            added_at="",
            media=None,
            media_found=False,
            transcript=None,
            original=None,
            clips=tuple(clips.get(lesson_id, ())),
            decisions=tuple(decided.get(lesson_id, ())),
        )
        for lesson_id in among
    }


def read_claims(connection: sqlite3.Connection, among: Collection[str], practice: str) -> Claims:
    """Give the code that each coder gives each clip now; of one practice, or empty for any."""
    claims = Claims()
    named = {"among": json.dumps(sorted(among)), "practice": practice}
    for prediction_id, lesson_id, clip_id, coder, claimed, level in connection.execute(
        _CLAIMS, named
    ):
        claims.of_clip.setdefault((lesson_id, clip_id), []).append(
            Claim(prediction_id, coder, Code(claimed, level))
        )
    return claims


class ClipPlaces:
    """Finds the clip in which a line or a moment lies."""

    def __init__(self, review: LessonReview) -> None:
        spoken = (clip for clip in review.clips if clip.first)
        timed = [(clip.span, clip) for clip in review.clips if clip.span]
        self._by_line = sorted(spoken, key=_first)
        self._by_time = sorted(timed, key=_start_ms)

    def at(self, line: int | None, time_ms: int | None) -> Clip | None:
        """Give the clip that holds a line; without a line, the one that holds a moment."""
        if line is not None:
            place = bisect_right(self._by_line, line, key=_first) - 1
            clip = self._by_line[place] if place >= 0 else None
            return clip if clip and clip.last >= line else None
        if time_ms is None:
            return None
        place = bisect_right(self._by_time, time_ms, key=_start_ms) - 1
        span, clip = self._by_time[place] if place >= 0 else (None, None)
        return clip if span and span.holds(time_ms) else None


def _first(clip: Clip) -> int:
    return clip.first


def _start_ms(timed: tuple[Span, Clip]) -> int:
    return timed[0].start_ms
