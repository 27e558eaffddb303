"""Transcripts laid out as a table: which column holds the words, the speaker and the times.

Headings are known by their words; without headings the columns are told by what is in them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from typing import TypeGuard

from app.errors import TranscriptRefused
from app.lesson.transcript.formats.column_times import Cell, Settled, is_time, settle
from app.lesson.transcript.formats.drafts import Draft, Found, list_places
from app.lesson.transcript.formats.names import name_lines, tidy_name
from app.lesson.transcript.records import Flag

_WORDS = {
    "text": "sentence sentences text utterance utterances transcript transcription dialogue dialog "
    "content speech said caption subtitle talk words message line",
    "speaker": "speaker speakers speakername name who participant person role voice speakerid "
    "spokenby",
    "start": "timestamp time start starttime begin begintime from in timein onset timecode "
    "startms starts startseconds starttimestamp",
    "end": "end endtime stop stoptime to out timeout finish endms ends endseconds endtimestamp",
}
_COLUMN_OF = {word: column for column, words in _WORDS.items() for word in words.split()}
_NOT_LETTERS = re.compile(r"[^a-z]+")
_UNIT = re.compile(r"\(.*?\)|\[.*?\]")
_RANGE = re.compile(r"\s*(?:-->|–|—|\s-\s|-(?=\d))\s*")
_HEADING_ROWS = 30
_TAG_WORDS = ("tag", "act", "uptake", "reasoning", "question", "label", "talktime", "code")


@dataclass(slots=True)
class Layout:
    """Which columns hold what; `None` where there is no such column."""

    text: int
    speaker: int | None = None
    start: int | None = None
    end: int | None = None
    heading_row: int | None = None
    """Index of the row of headings."""
    unread: list[str] = field(default_factory=list)
    """Headings of columns that are not used."""
    is_talkmoves: bool = False
    in_milliseconds: bool = False


def find_layout(rows: Sequence[Sequence[Cell]]) -> Layout | None:
    """Find the columns of a table, by headings or else by content."""
    for index, row in enumerate(rows[:_HEADING_ROWS]):
        layout = _by_headings(row)
        if layout is not None:
            layout.heading_row = index
            return layout
    return _by_content(rows)


def refuse_codings(rows: Sequence[Sequence[Cell]], name: str) -> None:
    """Refuse tables that hold codes or training pairs, which look like transcripts.

    Raises:
        TranscriptRefused: It is an export from BORIS, or labelled pairs of sentences.
    """
    for row in rows[:_HEADING_ROWS]:
        heads = {str(cell).strip().lower() for cell in row if isinstance(cell, str)}
        if "behavior" in heads and heads & {"subject", "media file", "media file path"}:
            raise TranscriptRefused(
                f"{name} is an export from BORIS: it holds coded events, but not what was said.",
                "Import the transcript of the lesson instead.",
            )
        if {"text_a", "text_b"} <= heads:
            raise TranscriptRefused(
                f"{name} holds pairs of sentences with labels, taken from many lessons, and is "
                "not the transcript of one.",
                "Import the transcript of a lesson, with one row for each utterance.",
            )


def read_rows(rows: Sequence[Sequence[Cell]], layout: Layout, source: str) -> Found:
    """Turn the rows of a table into lines."""
    first = 0 if layout.heading_row is None else layout.heading_row + 1
    body = rows[first:]
    found = Found(source, [], line_name="row")
    texts = [_as_text(_at(row, layout.text)) for row in body]
    starts, ends = _times(body, texts, layout, first + 1)
    speakers = _speakers(body, layout, first + 1, found)
    for index, text in enumerate(texts):
        line = Draft(text, starts.times_ms[index], ends.times_ms[index], speakers[index])
        if index in starts.doubtful or index in ends.doubtful:
            line.flags.append(Flag.DOUBTFUL_TIME)
        found.lines.append(line)
    found.notes = [*starts.notes, *ends.notes, *found.notes, *_more_notes(layout, found.lines)]
    if layout.speaker is None:
        found.lines, notes = name_lines(found.lines, thing="row")
        found.notes.extend(notes)
    return found


def _more_notes(layout: Layout, lines: Sequence[Draft]) -> list[str]:
    notes = []
    starts = [line.start_ms for line in lines if line.start_ms is not None]
    if not starts:
        notes.append("The file gives no times; lines can be read and coded, not played.")
    elif len(set(starts)) < len(starts):
        notes.append("Rows that share a time have the time of their whole turn.")
    if layout.unread:
        notes.append(f"Columns not read: {', '.join(layout.unread)}.")
    return notes


def _by_headings(row: Sequence[Cell]) -> Layout | None:
    places: dict[str, int] = {}
    unread: list[str] = []
    for index, cell in enumerate(row):
        if not isinstance(cell, str) or not cell.strip():
            continue
        column = _COLUMN_OF.get(_NOT_LETTERS.sub("", _UNIT.sub("", cell.lower())))
        if column is None or column in places:
            unread.append(cell.strip())
        else:
            places[column] = index
    if "text" not in places or (len(places) < 2 and len([c for c in row if c]) > 1):
        return None
    heads = " ".join(str(cell).lower() for cell in row if isinstance(cell, str))
    kept = [head for head in unread if any(word in head.lower() for word in _TAG_WORDS)]
    return Layout(
        places["text"],
        places.get("speaker"),
        places.get("start"),
        places.get("end"),
        unread=kept,
        is_talkmoves="teacher tag" in heads and "student tag" in heads,
        in_milliseconds="millisec" in heads or re.search(r"\bms\b|_ms\b", heads) is not None,
    )


def _by_content(rows: Sequence[Sequence[Cell]]) -> Layout | None:
    """Tell columns by what is in them: long texts, times that grow, few short names."""
    width = max((len(row) for row in rows), default=0)
    columns = {i: [_at(row, i) for row in rows if not _is_blank(_at(row, i))] for i in range(width)}
    columns = {i: cells for i, cells in columns.items() if len(cells) * 2 >= len(rows) > 0}
    times = [i for i, cells in columns.items() if _are_times(cells)]
    texts = [i for i in columns if i not in times and _all_text(columns[i])]
    if not texts:
        return None
    text = max(texts, key=lambda i: _mean_length(columns[i]))
    others = [i for i in texts if i != text and _are_names(columns[i])]
    if not times and not others:
        return None
    start = times[0] if times else None
    end = times[1] if len(times) > 1 else None
    return Layout(text, others[0] if others else None, start, end)


def _are_times(cells: Sequence[Cell]) -> bool:
    return all(is_time(cell) for cell in cells)


def _all_text(cells: Sequence[Cell]) -> bool:
    """Say whether a column could be speech or names: text throughout, nearly all with letters."""
    lettered = sum(1 for cell in cells if any(c.isalpha() for c in str(cell)))
    return all(isinstance(cell, str) for cell in cells) and lettered * 5 >= 4 * len(cells)


def _are_names(cells: Sequence[Cell]) -> bool:
    names = {str(cell).strip() for cell in cells}
    few = len(names) <= max(3, len(cells) // 3) and len(cells) > 1
    return few and all(len(name) <= 40 for name in names)


def _mean_length(cells: Sequence[Cell]) -> float:
    return sum(len(str(cell)) for cell in cells) / len(cells)


def _times(
    body: Sequence[Sequence[Cell]], texts: Sequence[str], layout: Layout, first_row: int
) -> tuple[Settled, Settled]:
    words = [len(text.split()) for text in texts]
    unit_ms = 1 if layout.in_milliseconds else 1000
    starts = [_at(row, layout.start) for row in body]
    ends = [_at(row, layout.end) for row in body]
    if layout.end is None:
        starts, ends = _split_ranges(starts)
    return settle(starts, words, first_row, unit_ms), settle(ends, words, first_row, unit_ms)


def _split_ranges(cells: Sequence[Cell]) -> tuple[list[Cell], list[Cell]]:
    """Part cells such as `0:03 - 0:10` into start and end."""
    starts: list[Cell] = []
    ends: list[Cell] = []
    for cell in cells:
        parts = _RANGE.split(cell.strip().strip("[]()")) if _is_short(cell) else []
        is_range = len(parts) == 2 and all(is_time(part) for part in parts)
        starts.append(parts[0] if is_range else cell)
        ends.append(parts[1] if is_range else None)
    return starts, ends


def _is_short(cell: Cell) -> TypeGuard[str]:
    return isinstance(cell, str) and len(cell) < 60


def _speakers(
    body: Sequence[Sequence[Cell]], layout: Layout, first_row: int, found: Found
) -> list[str]:
    """Read the speakers' column; a stray number among names is no speaker."""
    names = [tidy_name(_as_text(_at(row, layout.speaker))) for row in body]
    numbers = [i for i, name in enumerate(names) if name.isdecimal()]
    if not numbers or len(numbers) * 5 > len([name for name in names if name]):
        return names
    found.notes.append(
        f"The speaker in {list_places([i + first_row for i in numbers], 'row')} is a bare number "
        "among names; those lines are kept without a speaker."
    )
    return ["" if name.isdecimal() else name for name in names]


def _at(row: Sequence[Cell], index: int | None) -> Cell:
    return row[index] if index is not None and index < len(row) else None


def _is_blank(cell: Cell) -> bool:
    return cell is None or (isinstance(cell, str) and not cell.strip())


def _as_text(cell: Cell) -> str:
    """Write a cell as a person sees it; Excel keeps the answer `14` as 14.0."""
    if cell is None:
        return ""
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15:
        return str(int(cell))
    if isinstance(cell, datetime):
        return cell.isoformat(" ")
    if isinstance(cell, (time, timedelta)):
        return str(cell)
    return str(cell)
