"""The coaching page: for the talk with the teacher, only from what people accepted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from app.coding.coaching import PracticeShare, Shares, Stretch, share_out
from app.coding.coaching_moments import (
    Held,
    Moment,
    Quote,
    choose_moments,
    require_moments,
    what_people_hold,
)
from app.coding.coaching_questions import WHEN, Talk, choose_question, read_talk
from app.coding.practices import Practice
from app.coding.review import LessonReview
from app.lesson.spans import show_time
from app.palette import Palette, read_palette
from reports.coaching_strip import Strip, draw_strip
from reports.lesson_page import language_of
from reports.typesetting import set_page
from reports.wording import UNDEFINED, count, listed, show_date, show_length, show_place, some
from reports.writing import write_all
from resources import resource

PDF = "coaching-page.pdf"
_STRIP = "strip.svg"
_MOST_LETTERS = 240
"""In the quotes of one moment together, so that the page stays on two sheets."""
_CUT = " […]"
_NO_TIMES = "The lesson has no times, so clips are counted and the strip runs by lines."

Block = dict[str, Any]


def write_coaching_page(
    review: LessonReview,
    practices: tuple[Practice, ...],
    folder: Path,
    made_at: str,
    program: str,
) -> list[Path]:
    """Write the page as tagged PDF/UA-1. Call it in a child process.

    It has no pictures: it is handed round, and the quotes do without the children's faces.

    Args:
        review: The lesson as it stands.
        practices: The four practices.
        folder: Where to write; made if need be, an older page in it is replaced.
        made_at: ISO 8601, the date on the page.
        program: Name and version, e.g. `Clerestory 0.1.0`.

    Returns:
        The file written: `coaching-page.pdf`.

    Raises:
        ReportRefused: No code that people hold has evidence that stands; the folder cannot be
            written or the disk is full, and an older page is kept.
    """
    held = what_people_hold(review)
    require_moments(review, held)
    palette = read_palette(resource("palette.toml"))
    talk = read_talk(resource("coaching.toml"))
    strip = draw_strip(review, held, practices, palette)
    page = build_coaching(review, held, practices, palette, talk, strip)
    page["made"] = f"{show_date(made_at)}, by {program}"
    pdf = set_page(resource("reports/coaching.typ"), page, {_STRIP: strip.svg}, made_at)
    return write_all(folder, {PDF: pdf})


def build_coaching(
    review: LessonReview,
    held: Held,
    practices: Sequence[Practice],
    palette: Palette,
    talk: Talk,
    strip: Strip,
) -> Block:
    """Gather what the page prints, as plain data for the template."""
    shares = share_out(held.looked, [p.id for p in practices], review.clips)
    chosen = choose_moments(held.moments)
    return {
        "title": review.title or "Untitled lesson",
        "language": language_of(review),
        "rests": _rests(review, held, shares),
        "strip": {"file": _STRIP, "alt": _strip_alt(held, shares, practices)},
        "table": _table(shares, practices, palette),
        "notes": _share_notes(shares, strip),
        "moments": _moment_blocks(review, chosen, practices, palette, talk),
        "left": _left(held, chosen),
    }


def _rests(review: LessonReview, held: Held, shares: Shares) -> list[str]:
    """Say what the page rests on: how many clips, by whom, and what was left out."""
    total = len(review.clips)
    people = listed(held.people) or "somebody unnamed"
    told = [f"It rests on {shares.clips} of {count(total, 'clip')}, decided on by {people}."]
    if shares.by_time and review.media is not None:
        length = show_length(review.media.duration_ms)
        told.append(f"Together they are {show_length(shares.decided)} of a lesson of {length}.")
    open_clips = total - shares.clips - len(held.disputed) - len(review.withheld)
    if held.disputed:
        told.append(
            f"{_clips(held.disputed)}: people coded {_it(held.disputed)} differently and have "
            "not talked that over yet, so nothing here rests on that."
        )
    if review.withheld:
        told.append(
            f"What people decided on {count(len(review.withheld), 'clip')} is left out, for "
            "whoever asked for this page codes blind and has not coded them yet."
        )
    if open_clips:
        told.append(f"Nobody has decided so far on {count(open_clips, 'other clip')}.")
    return told


def _clips(places: Sequence[int]) -> str:
    return f"Clip{'s' if len(places) > 1 else ''} {some(places)}"


def _it(places: Sequence[int]) -> str:
    return "them" if len(places) > 1 else "it"


def _table(shares: Shares, practices: Sequence[Practice], palette: Palette) -> Block:
    by_id = {one.practice: one for one in shares.practices}
    unit = show_length(shares.decided) if shares.by_time else count(shares.clips, "clip")
    heads = ["Practice", "Clips", *(["Time"] if shares.by_time else []), f"Share of {unit}"]
    heads.append("Longest stretch" if shares.by_time else "Most clips in a row")
    rows = []
    for practice in practices:
        one = by_id[practice.id]
        length = [show_length(one.share.count) if one.share.count else UNDEFINED]
        rows.append(
            {
                "badge": _badge(practice, palette),
                "title": practice.title,
                "cells": [
                    str(one.clips),
                    *(length if shares.by_time else []),
                    _percent(one),
                    _stretch(one.longest),
                ],
            }
        )
    return {"heads": heads, "rows": rows}


def _percent(one: PracticeShare) -> str:
    share = one.share.share
    if share is None:
        return UNDEFINED
    if 0 < share < 0.01:
        return "under 1%"
    return f"{share * 100:.0f}%"


def _stretch(stretch: Stretch | None) -> str:
    if stretch is None:
        return UNDEFINED
    if stretch.span is None or stretch.time_ms is None:
        where = _clips(range(stretch.first, stretch.last + 1)).lower()
        return f"{stretch.clips} ({where})"
    where = f"{show_time(stretch.span.start_ms)} to {show_time(stretch.span.end_ms)}"
    return f"{show_length(stretch.time_ms)} ({where})"


def _share_notes(shares: Shares, strip: Strip) -> list[str]:
    told = ["Silence between clips is in no minutes." if shares.by_time else _NO_TIMES]
    if shares.shared_clips:
        told.append(
            f"In {count(shares.shared_clips, 'clip')} more than one practice shows; each counts, "
            "so the shares may add up to more than 100%."
        )
    if shares.by_time and shares.untimed:
        told.append(
            f"{count(shares.untimed, 'clip has', 'clips have')} no times: counted as clips, but "
            "not in the minutes."
        )
    if strip.left_out and not shares.untimed:
        told.append(f"{count(strip.left_out, 'clip has', 'clips have')} no place on the strip.")
    return told


def _strip_alt(held: Held, shares: Shares, practices: Sequence[Practice]) -> str:
    """Tell the strip in words: for each practice the clips in which it shows."""
    told = []
    for practice in practices:
        at = [p for p, d in held.decisions if practice.id in {c.practice for c in d.codes}]
        where = _clips(at).lower() if at else "nowhere"
        told.append(f"{practice.letter} {practice.title}: {where}")
    none = [p for p, d in held.decisions if not d.codes]
    told += [f"none of the four: {_clips(none).lower()}"] if none else []
    return f"{count(shares.clips, 'clip')} in order of the lesson. {'; '.join(told)}."


def _moment_blocks(
    review: LessonReview,
    chosen: Sequence[Moment],
    practices: Sequence[Practice],
    palette: Palette,
    talk: Talk,
) -> list[Block]:
    blocks, asked = [], list[str]()
    for moment in chosen:
        practice = next(p for p in practices if p.id == moment.code.practice)
        name = f"{review.lesson_id} {moment.clip.clip_id}"
        question = choose_question(talk, practice.id, moment.code.level, name, asked)
        asked.append(question)
        quotes = _shown(moment.quotes)
        blocks.append(
            {
                "place": f"Clip {moment.place}, {show_place(moment.clip)}",
                "quotes": [_quote_block(quote) for quote in quotes],
                "badge": _badge(practice, palette),
                "code": _code(practice, moment.code.level),
                "by": moment.by or "somebody unnamed",
                "question": question.replace(WHEN, _when(quotes[0], moment)),
                **_further(practice, moment.code.level),
            }
        )
    return blocks


def _shown(quotes: Sequence[Quote]) -> Sequence[Quote]:
    """Take the first quote, and the next one where both are short."""
    pair = quotes[:2]
    return pair if sum(len(quote.words) for quote in pair) <= _MOST_LETTERS else quotes[:1]


def _quote_block(quote: Quote) -> Block:
    words = quote.words
    if len(words) > _MOST_LETTERS:
        words = re.sub(r"\s+\S*$", "", words[:_MOST_LETTERS]) + _CUT
    when = [listed(quote.speakers)] if quote.speakers else []
    if quote.start_ms is not None:
        when.append(show_time(quote.start_ms))
    if quote.utterances:
        name = "line" if len(quote.utterances) == 1 else "lines"
        when.append(f"{name} {some(quote.utterances)}")
    return {"words": words, "seen": quote.seen, "where": ", ".join(when)}


def _when(quote: Quote, moment: Moment) -> str:
    """Say where a moment lies, for its question: `at 12:40`, `in line 30`."""
    if quote.start_ms is not None:
        return f"at {show_time(quote.start_ms)}"
    first, last = (quote.utterances or (moment.clip.first,))[0], (quote.utterances or (0,))[-1]
    return f"in lines {first} to {last}" if last > first else f"in line {first}"


def _code(practice: Practice, level: int | None) -> str:
    if level is None:
        return practice.title
    title = next((s.title for s in practice.levels if s.level == level), "")
    return f"{practice.title}: “{title}” (level {level} of {len(practice.levels)})"


def _further(practice: Practice, level: int | None) -> Block:
    """Give the next level as the practice describes it; empty at the last."""
    step = next((s for s in practice.levels if level is not None and s.level == level + 1), None)
    return {
        "further": step.title if step else "",
        "descriptor": step.descriptor if step else "",
    }


def _left(held: Held, chosen: Sequence[Moment]) -> str:
    left = len({m.place for m in held.moments} - {m.place for m in chosen})
    if not left:
        return ""
    return (
        f"{count(left, 'more clip has', 'more clips have')} accepted evidence; the lesson report "
        "shows it. Those above are, for each practice, the highest and the lowest level that "
        "people gave, the earliest of several."
    )


def _badge(practice: Practice, palette: Palette) -> Block:
    colours = palette.of(practice.id)
    return {"id": practice.letter, "fill": colours.fill, "ink": colours.ink}
