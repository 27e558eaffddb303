"""Everything the lesson report prints, as plain data for the template."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any

from app.coding.evidence import stands
from app.coding.practices import Practice
from app.coding.queue import LOW_MARGIN
from app.coding.records import Decision, Prediction, Verdict
from app.coding.review import LessonReview
from app.lesson.clips import Clip
from app.lesson.spans import show_time
from app.palette import Palette
from reports.figures import Timeline, draw_timeline
from reports.lesson_evidence import Lines, counts, evidence_block
from reports.lesson_words import decided_table, provenance, reviewers, summary, unknowns
from reports.moments import evidence_times, poster_time, suggestions
from reports.wording import UNDEFINED, count, show_date, show_length, show_lines, show_place

_LANGUAGE = re.compile(r"^[a-z]{2,3}(?=$|[-_])")
_SAID = {Verdict.ACCEPT: "Accepted", Verdict.CORRECT: "Corrected", Verdict.REJECT: "Rejected"}

Block = dict[str, Any]


def build_page(
    review: LessonReview,
    practices: Sequence[Practice],
    palette: Palette,
    pictures: Mapping[int, str],
    made_at: str,
    program: str,
) -> tuple[Block, bytes | None]:
    """Gather the page.

    Args:
        review: The lesson.
        practices: The four practices.
        palette: Their colours on paper.
        pictures: Names of picture files that are there, by moment.
        made_at: ISO 8601.
        program: Name and version.

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
        "legend": [_badge(p.id, p.title, palette) for p in practices],
        "clips": _clip_blocks(review, practices, palette, lines, pictures),
        "unreviewed": _unreviewed(review),
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
    told = []
    for number, clip in enumerate(review.clips[:40], 1):
        prediction, decision = (
            review.prediction_for(clip.clip_id),
            review.decision_for(clip.clip_id),
        )
        suggested = _code(prediction.practice, prediction.level) if prediction else "nothing"
        decided = _outcome(decision) if decision else "not yet reviewed"
        told.append(f"clip {number}, {show_place(clip)}: suggested {suggested}, {decided}")
    if len(review.clips) > 40:
        told.append(f"and {len(review.clips) - 40} more, listed under Clips")
    return "Clips in order. " + "; ".join(told) + "."


def _clip_blocks(
    review: LessonReview,
    practices: Sequence[Practice],
    palette: Palette,
    lines: Lines,
    pictures: Mapping[int, str],
) -> list[Block]:
    times = evidence_times(review)
    blocks = []
    for number, clip in enumerate(review.clips, 1):
        shown = []
        for prediction in suggestions(review, clip.clip_id):
            evidence = [
                evidence_block(
                    e, lines, times.get((clip.clip_id, prediction.coder, place), ()), pictures
                )
                for place, e in enumerate(prediction.evidence)
            ]
            shown.append(
                {
                    **_suggestion(prediction, clip, practices, palette, lines),
                    "evidence": evidence,
                }
            )
        decision = review.decision_for(clip.clip_id)
        blocks.append(
            {
                "number": number,
                "place": show_place(clip),
                "extent": _extent(clip),
                "suggestions": shown,
                "decision": _decision(decision, clip, practices, palette) if decision else None,
            }
        )
    return blocks


def _extent(clip: Clip) -> str:
    if clip.span is None:
        return "no times"
    return f"{show_length(clip.span.duration_ms)}, {show_lines(clip)}"


def _suggestion(
    prediction: Prediction,
    clip: Clip,
    practices: Sequence[Practice],
    palette: Palette,
    lines: Lines,
) -> Block:
    notes = [prediction.note] if prediction.note else []
    if _moved(prediction.clip, clip):
        before = show_place(prediction.clip)
        notes.append(f"The clip was changed after this suggestion: then it was {before}.")
    if prediction.practice and not any(counts(e, lines) for e in prediction.evidence):
        notes.append("Nothing that was cited supports this suggestion.")
    elif prediction.practice and not stands(prediction.evidence):
        notes.append("What supports this suggestion is too weak to stand alone.")
    return {
        "coder": prediction.coder,
        "kind": "Finder’s suggestion" if "finder" in prediction.coder else "Suggestion",
        "badge": _badge(prediction.practice, "", palette) if prediction.practice else None,
        "code": _code_words(prediction.practice, prediction.level, practices),
        "margin": _margin(prediction),
        "notes": notes,
    }


def _margin(prediction: Prediction) -> str:
    if not prediction.practice:
        return ""
    if prediction.margin is None:
        return f"Lead over the next practice: {UNDEFINED} (this coder gives none)."
    size = "Narrow lead" if prediction.margin < LOW_MARGIN else "Lead"
    return f"{size} over the next practice: {prediction.margin:.2f} on a scale from 0 to 1."


def _decision(
    decision: Decision, clip: Clip, practices: Sequence[Practice], palette: Palette
) -> Block:
    rejected = decision.verdict is Verdict.REJECT
    how = "with the suggestion in view" if decision.coder else "without a suggestion to look at"
    if decision.blind:
        how = "blind, before any suggestion was shown"
    before = show_place(decision.clip)
    return {
        "word": _SAID[decision.verdict],
        "badge": None if rejected else _badge(decision.practice, "", palette),
        "code": "none of the four practices, or not to be coded"
        if rejected
        else _code_words(decision.practice, decision.level, practices),
        "by": f"{decision.author or 'somebody unnamed'}, {show_date(decision.made_at)}, {how}",
        "note": decision.note,
        "moved": f"The clip was changed after this decision: then it was {before}."
        if _moved(decision.clip, clip)
        else "",
    }


def _moved(then: Clip, now: Clip) -> bool:
    return (then.first, then.last, then.start_ms, then.end_ms) != (
        now.first,
        now.last,
        now.start_ms,
        now.end_ms,
    )


def _unreviewed(review: LessonReview) -> list[str]:
    left = {clip.clip_id for clip in review.unreviewed}
    told = []
    for number, clip in enumerate(review.clips, 1):
        if clip.clip_id in left:
            prediction = review.prediction_for(clip.clip_id)
            suggested = _code(prediction.practice, prediction.level) if prediction else "nothing"
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


def _outcome(decision: Decision) -> str:
    if decision.verdict is Verdict.REJECT:
        return "rejected"
    return f"{_SAID[decision.verdict].lower()}: {_code(decision.practice, decision.level)}"


def _code(practice: str, level: int | None) -> str:
    if not practice:
        return "nothing"
    return f"{practice} level {level}" if level is not None else practice


def _code_words(practice: str, level: int | None, practices: Sequence[Practice]) -> str:
    """Write a code out: `Pressing for explanation, level 2: What happened`."""
    if not practice:
        return "no practice: nothing to go by was found"
    known = next((p for p in practices if p.id == practice), None)
    title = known.title if known else practice
    if level is None:
        return f"{title}, level {UNDEFINED} (none was given)"
    step = next((s.title for s in known.levels if s.level == level), "") if known else ""
    return f"{title}, level {level}" + (f": {step}" if step else "")


def _badge(practice: str, title: str, palette: Palette) -> Block:
    colours = palette.of(practice)
    return {"id": practice, "title": title, "fill": colours.fill, "ink": colours.ink}


def _guide(practice: Practice, palette: Palette) -> Block:
    return {
        **_badge(practice.id, practice.title, palette),
        "descriptor": practice.descriptor,
        "levels": [[str(s.level), s.title, s.descriptor] for s in practice.levels],
    }


def language_of(review: LessonReview) -> str:
    """Give the transcript’s language as typst takes it, empty when it is not known."""
    named = review.transcript.language.lower() if review.transcript else ""
    found = _LANGUAGE.match(named)
    return found.group() if found else ""
