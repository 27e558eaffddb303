"""Everything the student confusion report prints, as plain data for the template."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from app.confusion.records import Level
from app.confusion.review import LearnerReview
from app.confusion.rows import Row, Sign, rows_of
from app.lesson.spans import show_time
from app.scoring.rounding import printed
from reports.confusion_bands import (
    LINE_MS,
    draw_axis,
    draw_band,
    draw_key,
    draw_lines,
    lines_of,
)
from reports.confusion_events import event_blocks
from reports.confusion_figures import (
    Gathered,
    agreement_block,
    figures_table,
    name_block,
    table_notes,
)
from reports.confusion_words import cut, not_seen, shortened
from reports.wording import UNDEFINED, count, listed, show_date, show_length

Block = dict[str, Any]

_LINE_WIDTH_PT = 482.0
_KEY_WORDS = {
    "marked": "marked by a person",
    "open": "suggested, not yet checked",
    "high": "clear signs (high)",
    "medium": "signs (medium)",
    "low": "faint signs (low), not counted",
    "hidden": "face not visible: nothing is known",
    "failed": "no usable answer",
    "unread": "not read",
}
_MOST_IN_ALT = 20


def build_page(
    gathered: Gathered,
    pictures: Mapping[int, str],
    made_at: str,
    program: str,
    *,
    full: bool,
    blurred: bool,
) -> tuple[Block, dict[str, bytes]]:
    """Gather the page.

    Args:
        gathered: Rows and figures.
        pictures: Names of the picture files that are there, by moment.
        made_at: ISO 8601.
        program: Name and version.
        full: Whether all is told, or what fits one page.
        blurred: Whether faces in the pictures were blurred.

    Returns:
        The data for the template, and the figures by file name.
    """
    review = gathered.review
    bands, drawn = band_blocks(gathered)
    events = event_blocks(review, rows_of(review), pictures, full=full)
    lines, drawn_lines = _detail(gathered) if full else ([], {})
    page = {
        "full": full,
        "learner": review.learner.name,
        "video": review.title or "Untitled video",
        "facts": _facts(gathered, made_at),
        "made": f"{show_date(made_at)}, by {program}",
        "glance": _glance(gathered, events),
        "note": review.note if full else cut(review.note, 160),
        "bands": bands,
        "key": key_blocks(gathered, drawn),
        "table": figures_table(gathered),
        "table_notes": table_notes(gathered),
        "lines": lines,
        "events": events,
        "agreement": agreement_block(gathered, everyone=full),
        "blurred": blurred and bool(pictures),
        "unseen": _unseen(gathered),
        "provenance": _provenance(review),
    }
    return page, {**drawn, **drawn_lines}


def band_blocks(gathered: Gathered, width: float = 360.0) -> tuple[Block, dict[str, bytes]]:
    """Give the rows of bands for a template, and their figures by file name."""
    drawn = {"axis.svg": draw_axis(gathered.span, width)}
    blocks = []
    for place, row in enumerate(gathered.rows):
        name = f"band-{place}.svg"
        drawn[name] = draw_band(gathered.rows, place, gathered.span, width)
        blocks.append({**name_block(gathered, place), "file": name, "alt": _alt(row)})
    ends = f"{show_time(gathered.span.start_ms)} to {show_time(gathered.span.end_ms)}"
    return {"axis": "axis.svg", "axis_alt": f"Times from {ends}", "rows": blocks}, drawn


def key_blocks(gathered: Gathered, drawn: dict[str, bytes]) -> list[Block]:
    """Give the samples of the legend that occur in these rows, and add their figures."""
    occurs = {(cell.sign, cell.level) for row in gathered.rows for cell in row.cells}
    signs, levels = {sign for sign, _ in occurs}, {level for _, level in occurs}
    wanted = {
        "marked": any(row.is_reviewer for row in gathered.rows),
        "open": Sign.OPEN in signs,
        "high": Level.HIGH in levels,
        "medium": Level.MEDIUM in levels,
        "low": Level.LOW in levels,
        "hidden": Sign.HIDDEN in signs,
        "failed": Sign.FAILED in signs,
        "unread": Sign.UNREAD in signs,
    }
    blocks = []
    for key, sample in draw_key(gathered.rows).items():
        if wanted[key]:
            drawn[f"key-{key}.svg"] = sample
            blocks.append({"file": f"key-{key}.svg", "words": _KEY_WORDS[key]})
    return blocks


def _facts(gathered: Gathered, made_at: str) -> list[list[str]]:
    review = gathered.review
    media = review.media
    recorded = show_date(media.recorded_at).split(",")[0] if media and media.recorded_at else ""
    length = show_length(gathered.span.duration_ms)
    people = gathered.rows[0].name if gathered.rows[0].is_reviewer else "nobody yet"
    return [
        ["Video", shortened(review.title or "Untitled video", 90)],
        ["Recorded", recorded or f"{UNDEFINED} (the file does not say)"],
        ["Looked over by", shortened(people, 90)],
        ["Length", length],
    ]


def _glance(gathered: Gathered, events: Block) -> list[str]:
    """Tell the main thing in two or three sentences."""
    confirmed, suggested = events["confirmed_in_all"], events["suggested_in_all"]
    readers = [row for row in gathered.rows if not row.is_reviewer]
    seen_ms = _seen_ms(readers)
    told = []
    if confirmed:
        told.append(
            f"A person confirmed signs of confusion in {count(confirmed, 'stretch', 'stretches')}."
        )
    elif gathered.rows[0].is_reviewer:
        told.append("A person looked over what was found and confirmed no stretch.")
    if suggested:
        more = "more " if confirmed else ""
        check = "" if confirmed else " These are hints to look, no findings."
        told.append(
            f"Readers, which are programs that look at the face, suggest "
            f"{count(suggested, f'{more}stretch', f'{more}stretches')} that no person has checked "
            f"yet.{check}"
        )
    if not confirmed and not suggested and seen_ms:
        told.append(
            "No signs of confusion are held or suggested. Confusion does not always show in a face."
        )
    told.append(_visible(gathered, readers, seen_ms))
    return told


def _visible(gathered: Gathered, readers: Sequence[Row], seen_ms: int) -> str:
    whole = gathered.span.duration_ms
    length = show_length(whole)
    if not readers:
        return "No reader has looked at the face, so it is not known for how long it can be seen."
    if not seen_ms:
        return (
            f"The learner’s face could not be judged at any moment of the {length}, so nothing can "
            "be said about confusion. That is no sign that there was none."
        )
    share = printed(100 * seen_ms / whole, 0)
    if seen_ms == whole:
        return f"The learner’s face could be judged all the time, {length}."
    return (
        f"The learner’s face could be judged for {show_length(seen_ms)} of {length} ({share}%); "
        "of the rest nothing is known."
    )


def _seen_ms(readers: Sequence[Row]) -> int:
    """Add up the windows that at least one reader could judge."""
    return sum(
        cells[0].span.duration_ms
        for cells in zip(*(row.cells for row in readers), strict=True)
        if any(cell.sign.counts for cell in cells)
    )


def _alt(row: Row) -> str:
    """Tell a band in words: its events, and for how long nothing could be seen."""
    who = "Reviewer" if row.is_reviewer else f"Reader {row.name}"
    places = [f"{show_time(e.start_ms)} to {show_time(e.end_ms)}" for e in row.events]
    told = listed(places[:_MOST_IN_ALT]) or "none"
    if len(places) > _MOST_IN_ALT:
        told = f"{', '.join(places[:_MOST_IN_ALT])} and {len(places) - _MOST_IN_ALT} more"
    hidden = row.time_ms(Sign.HIDDEN)
    tail = f" Face not visible for {show_length(hidden)}." if hidden else ""
    return f"{who}. Signs of confusion: {told}.{tail}"


def _detail(gathered: Gathered) -> tuple[list[Block], dict[str, bytes]]:
    """Draw a long recording line by line; a short one has its bands on the first page."""
    if gathered.span.duration_ms <= LINE_MS:
        return [], {}
    drawn, blocks = {}, []
    for number, line in enumerate(lines_of(gathered.span)):
        name = f"line-{number}.svg"
        drawn[name] = draw_lines(gathered.rows, line, _LINE_WIDTH_PT)
        place = f"{show_time(line.start_ms)} to {show_time(line.end_ms)}"
        blocks.append({"file": name, "alt": f"All rows from {place}; the events are listed below."})
    return blocks, drawn


def _unseen(gathered: Gathered) -> list[Block]:
    by_name = {bands.reader: bands for bands in gathered.review.latest_bands}
    blocks = []
    for place, row in enumerate(gathered.rows):
        if not row.is_reviewer:
            told = not_seen(row, by_name[row.name].readings)
            blocks.append({**name_block(gathered, place), "told": told})
    return blocks


def _provenance(review: LearnerReview) -> list[Block]:
    return [
        {
            "name": bands.reader,
            "made": show_date(bands.made_at) if bands.made_at else UNDEFINED,
            "pairs": [[name, value] for name, value in bands.provenance],
        }
        for bands in review.latest_bands
    ]
