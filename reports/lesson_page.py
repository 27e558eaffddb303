"""Everything the lesson report prints, as plain data for the template."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any

from app.coding.practices import Practice
from app.coding.review import LessonReview
from app.lesson.spans import show_time
from app.palette import Palette
from reports.figures import Timeline, draw_timeline
from reports.lesson_changes import changes
from reports.lesson_clips import SAID, ClipPage, badge, clip_blocks
from reports.lesson_coders import coder_blocks, grounding_table, name_coders, outcomes_table
from reports.lesson_differences import (
    code_name,
    coders_apart,
    codes_name,
    draws_apart,
    people_apart,
    who_decided,
)
from reports.lesson_evidence import Lines
from reports.lesson_words import decided_table, provenance, reviewers, summary, unknowns
from reports.moments import evidence_times, poster_time
from reports.wording import UNDEFINED, count, show_date, show_length, show_place

_LANGUAGE = re.compile(r"^[a-z]{2,3}(?=$|[-_])")

Block = dict[str, Any]


def build_page(
    review: LessonReview,
    practices: Sequence[Practice],
    palette: Palette,
    pictures: Mapping[int, str],
    made_at: str,
    program: str,
    flags: Mapping[int, str] | None = None,
) -> tuple[Block, bytes | None]:
    """Gather the page.

    Args:
        review: The lesson.
        practices: The four practices.
        palette: Their colours on paper.
        pictures: Names of picture files that are there, by moment.
        made_at: ISO 8601.
        program: Name and version.
        flags: What the probes of the evidence say against a suggestion, as a full sentence, by
            the number of the prediction: “Right for the wrong reason? …”.

    Returns:
        The data for the template, and the timeline as SVG when there are clips.
    """
    lines = Lines(review.transcript.utterances if review.transcript else ())
    heads, rows = decided_table(review, practices)
    timeline = None
    if review.clips:
        timeline = draw_timeline(review, palette, {p.id: p.letter for p in practices})
    page = {
        "title": review.title or "Untitled lesson",
        "language": language_of(review),
        "facts": _facts(review, made_at),
        "poster": _poster(review, pictures),
        "note": review.note,
        "summary": summary(review, lines),
        "decided": {"heads": heads, "rows": rows},
        "timeline": _timeline_block(review, timeline),
        "legend": [badge(p.id, p.title, palette) for p in practices],
        "clips": clip_blocks(
            ClipPage(review, practices, palette, lines, pictures, name_coders(review), flags or {})
        ),
        "unreviewed": _unreviewed(review),
        "changes": changes(review),
        "people_apart": people_apart(review),
        "coders_apart": coders_apart(review),
        "draws_apart": draws_apart(review),
        "grounding": grounding_table(review),
        "outcomes": outcomes_table(review),
        "coders": coder_blocks(review),
        "unknown": [*unknowns(review), *_picture_gaps(review, pictures)],
        "provenance": provenance(review, made_at, program),
        "guide": [_guide(p, palette) for p in practices],
    }
    return page, timeline.svg if timeline else None


def _facts(review: LessonReview, made_at: str) -> list[list[str]]:
    length = (
        show_length(review.media.duration_ms) if review.media else f"{UNDEFINED} (no recording)"
    )
    source = PurePath(review.media.path).name if review.media else f"{UNDEFINED} (no recording)"
    return [
        ["Length", length],
        ["Recording", source],
        ["Reviewed by", reviewers(review)],
        ["Page made", show_date(made_at)],
    ]


def _poster(review: LessonReview, pictures: Mapping[int, str]) -> Block | None:
    time_ms = poster_time(review)
    if time_ms is None or time_ms not in pictures:
        return None
    return {"file": pictures[time_ms], "time": show_time(time_ms)}


def _timeline_block(review: LessonReview, timeline: Timeline | None) -> Block | None:
    if timeline is None:
        return None
    notes = []
    if timeline.by_lines:
        notes.append("The lesson has no times, so the figure runs by lines of the transcript.")
    if timeline.unlettered:
        boxes = count(timeline.unlettered, "box is", "boxes are")
        notes.append(f"{boxes} too narrow for a letter; the list of clips names each.")
    if timeline.left_out:
        notes.append(f"{count(timeline.left_out, 'clip has', 'clips have')} no time and no place.")
    return {"alt": _timeline_alt(review), "notes": notes}


def _timeline_alt(review: LessonReview) -> str:
    told = [
        f"clip {number}, {show_place(clip)}: suggested {_suggested(review, clip.clip_id)}, "
        f"{_decided(review, clip.clip_id)}"
        for number, clip in enumerate(review.clips[:40], 1)
    ]
    if len(review.clips) > 40:
        told.append(f"and {len(review.clips) - 40} more, listed under Clips")
    return "Clips in order. " + "; ".join(told) + "."


def _suggested(review: LessonReview, clip_id: str) -> str:
    prediction = review.prediction_for(clip_id)
    return code_name(prediction.code) if prediction and prediction.code else "nothing"


def _decided(review: LessonReview, clip_id: str) -> str:
    decision = review.decision_for(clip_id)
    if decision is not None:
        codes = f": {codes_name(decision)}" if decision.codes else ""
        return f"{SAID[decision.verdict].lower()}{codes}"
    apart = review.disputed_words(clip_id)
    if apart:
        return f"people differ ({'; '.join(map(who_decided, apart))})"
    return "not yet reviewed"


def _unreviewed(review: LessonReview) -> list[str]:
    left = {clip.clip_id for clip in review.unreviewed}
    told = []
    for number, clip in enumerate(review.clips, 1):
        if clip.clip_id in left:
            suggested = _suggested(review, clip.clip_id)
            told.append(f"Clip {number}, {show_place(clip)}: {suggested} suggested")
    return told


def _picture_gaps(review: LessonReview, pictures: Mapping[int, str]) -> list[str]:
    wanted = {t for times in evidence_times(review).values() for t in times}
    poster = poster_time(review)
    lost = wanted - set(pictures)
    told = []
    if lost:
        told.append(
            f"{len(lost)} of {count(len(wanted), 'picture')} of the evidence could not be had "
            "from the recording."
        )
    if poster is not None and poster not in pictures:
        told.append("The picture for the top of the page could not be had from the recording.")
    return told


def _guide(practice: Practice, palette: Palette) -> Block:
    return {
        **badge(practice.id, practice.title, palette),
        "descriptor": practice.descriptor,
        "levels": [[str(s.level), s.title, s.descriptor] for s in practice.levels],
    }


def language_of(review: LessonReview) -> str:
    """Give the transcript’s language as typst takes it, empty when it is not known."""
    named = review.transcript.language.lower() if review.transcript else ""
    found = _LANGUAGE.match(named)
    return found.group() if found else ""
