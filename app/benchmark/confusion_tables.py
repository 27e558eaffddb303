"""Tables of events in videos: people's and readers', read whole or refused whole.

The form is described in README-confusion-benchmark.md. A table that is wrong anywhere is not
scored, since nobody could say what its figures mean.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from app.benchmark.csv_text import csv_records, text_of
from app.benchmark.problems import Problem
from app.errors import Refused
from app.lesson.spans import Span
from app.scoring.localization import LEFT_OUT

COLUMNS = ("video", "duration_ms", "start_ms", "end_ms")
EVENT = "event"
MOST_MS = 7 * 24 * 3_600_000
"""No video is longer than a week; a larger number is a slip."""

_WHOLE = re.compile(r"-?[0-9]{1,15}")


@dataclass(frozen=True, slots=True)
class MarkedVideo:
    """A video with the stretches that somebody marked in it.

    Times count from the first moment of the video, whatever its own clock says.
    """

    video: str
    duration_ms: int
    events: tuple[Span, ...]
    """In order of time, none overlapping another."""
    left_out: tuple[tuple[str, Span], ...] = ()
    """Stretches that a reader could not judge, each with its reason of `LEFT_OUT`; between the
    events, never over them."""
    line: int = 0
    """Where it is first named in its table."""


@dataclass(frozen=True, slots=True)
class TableProblem:
    """One thing that is wrong with one of several tables."""

    table: str
    problem: Problem

    def __str__(self) -> str:
        if self.problem.line:
            return f"{self.table}, line {self.problem.line}: {self.problem.what}"
        return f"{self.table}: {self.problem.what}"


class TablesRefused(Refused):
    """Tables cannot be scored; nothing was.

    Args:
        problems: All that is wrong, in the order in which it is told.
    """

    def __init__(self, problems: Iterable[TableProblem]) -> None:
        self.problems = tuple(dict.fromkeys(problems))
        count = len(self.problems)
        found = "there is 1 problem" if count == 1 else f"there are {count:,} problems"
        tables = " and ".join(dict.fromkeys(each.table for each in self.problems))
        told = "\n".join(f"  {problem}" for problem in self.problems)
        super().__init__(
            f"Nothing was scored: {found} in {tables}.", f"Put these right and try again:\n{told}"
        )


@dataclass(frozen=True, slots=True)
class _Row:
    line: int
    video: str
    duration_ms: int
    what: str
    span: Span | None
    """`None` in the row of a video without events, and where it makes no sense."""
    is_sound: bool = True

    def __str__(self) -> str:
        name = "event" if self.what == EVENT else f"stretch “{self.what}”"
        span = self.span
        return f"{name} from {span.start_ms} to {span.end_ms} ms" if span else name


def read_marked(path: Path, *, is_truth: bool) -> tuple[list[MarkedVideo], list[Problem]]:
    """Read a table of events, and everything that is wrong with it.

    Args:
        path: The table.
        is_truth: People's table, in which nothing is left out.

    Returns:
        The videos in the order in which they are named, with what is sound of them (a length that
        makes no sense is 0); all problems.
    """
    text = text_of(path)
    if isinstance(text, Problem):
        return [], [text]
    problems: list[Problem] = []
    records = csv_records(text, problems)
    if not records:
        return [], problems or [Problem(0, "The table is empty.")]
    line, names = records[0]
    known = (*COLUMNS, "note") if is_truth else (*COLUMNS, "what", "note")
    columns = check_columns(names, line, COLUMNS, known, problems)
    if not all(column in columns for column in COLUMNS):
        return [], sorted(problems)
    rows = [_row(at, columns, record, problems) for at, record in records[1:]]
    if len(records) == 1:
        problems.append(Problem(0, "The table has no rows."))
    return _videos(rows, problems), sorted(set(problems))


def read_both(truth: Path, predicted: Path) -> tuple[list[MarkedVideo], list[MarkedVideo]]:
    """Read people's events and a reader's of the same videos, in the order of the first.

    Raises:
        TablesRefused: Anything is wrong with either, or they are not about the same videos.
    """
    true, wrong = read_marked(truth, is_truth=True)
    given, also_wrong = read_marked(predicted, is_truth=False)
    one, other = names_apart(truth, predicted)
    if true and given:
        also_wrong = sorted([*also_wrong, *check_same(true, given, one)])
    problems = [TableProblem(one, each) for each in wrong]
    problems += [TableProblem(other, each) for each in also_wrong]
    if problems:
        raise TablesRefused(problems)
    by_name = {each.video: each for each in given}
    return true, [by_name[each.video] for each in true]


def check_same(
    truth: Sequence[MarkedVideo], predicted: Sequence[MarkedVideo], name: str
) -> list[Problem]:
    """Say what keeps two tables from being about the same videos.

    Args:
        truth: People's events.
        predicted: A reader's.
        name: Of the first table, for the words; lines are those of the second.
    """
    known = {each.video: each for each in truth}
    problems = []
    for each in predicted:
        true = known.get(each.video)
        if true is None:
            problems.append(Problem(each.line, f"Video “{each.video}” is not in {name}."))
        elif 0 < true.duration_ms != each.duration_ms > 0:
            what = (
                f"Video “{each.video}” is {each.duration_ms} ms long here and "
                f"{true.duration_ms} ms in {name}, line {true.line}."
            )
            problems.append(Problem(each.line, what))
    there = {each.video for each in predicted}
    for missing in [each for each in truth if each.video not in there]:
        what = (
            f"Video “{missing.video}” of {name}, line {missing.line}, is not in this table. A "
            "video in which nothing was found has one row without times."
        )
        problems.append(Problem(0, what))
    return problems


def names_apart(one: Path, other: Path) -> tuple[str, str]:
    """Give the names of two files, with their folders where they are called alike."""
    return (str(one), str(other)) if one.name == other.name else (one.name, other.name)


def check_columns(
    names: Sequence[str],
    line: int,
    needed: Sequence[str],
    known: Sequence[str],
    problems: list[Problem],
) -> list[str]:
    """Give the columns of a table by their plain names; what is wrong is added to `problems`."""
    columns = [name.strip().lower().replace(" ", "_") for name in names]
    for column, name in zip(columns, names, strict=True):
        if not column:
            problems.append(Problem(line, "A column has no name."))
        elif columns.count(column) > 1:
            problems.append(Problem(line, f"There are two columns “{name.strip()}”."))
        elif column not in known:
            told = ", ".join(known)
            what = f"There is no meaning for the column “{name.strip()}”. Known are: {told}."
            problems.append(Problem(line, what))
    for column in needed:
        if column not in columns:
            problems.append(Problem(line, f"There is no column “{column}”."))
    return columns


def cells_of(
    line: int, columns: Sequence[str], record: Sequence[str], problems: list[Problem]
) -> dict[str, str]:
    """Give the cells of a row by column, trimmed; missing ones are empty."""
    if len(record) > len(columns):
        what = f"There are {len(record)} cells under {len(columns)} columns."
        problems.append(Problem(line, what))
    cells = dict.fromkeys(columns, "")
    return cells | {c: _plain(v.strip()) for c, v in zip(columns, record, strict=False)}


def _plain(cell: str) -> str:
    """Take off the sign with which our own tables keep a spreadsheet from seeing a formula."""
    return cell[1:] if cell[:1] == "'" and cell[1:2] in ("=", "+", "-", "@") else cell


def whole(line: int, column: str, cell: str, problems: list[Problem]) -> int | None:
    """Read a whole number of milliseconds."""
    if _WHOLE.fullmatch(cell):
        return int(cell)
    shown = f"“{cell}”" if cell else "empty"
    what = f"{column} is {shown}; it has to be a whole number of milliseconds."
    problems.append(Problem(line, what))
    return None


def span_of(
    line: int, cells: Mapping[str, str], duration_ms: int, video: str, problems: list[Problem]
) -> Span | None:
    """Read where something lies in a video; `None` where that makes no sense."""
    start = whole(line, "start_ms", cells["start_ms"], problems)
    end = whole(line, "end_ms", cells["end_ms"], problems)
    if start is None or end is None:
        return None
    what = ""
    if start == end:
        what = f"The event at {start} ms has no length."
    elif start > end:
        what = f"The event from {start} to {end} ms runs backwards."
    if what:
        problems.append(Problem(line, what))
    if start < 0 or max(start, end) > duration_ms:
        lies = f"The event from {start} to {end} ms lies outside video “{video}”"
        problems.append(Problem(line, f"{lies}, which runs from 0 to {duration_ms} ms."))
        return None
    return None if what else Span(start, end)


def _row(line: int, columns: Sequence[str], record: Sequence[str], problems: list[Problem]) -> _Row:
    cells = cells_of(line, columns, record, problems)
    video, what = cells["video"], cells.get("what", "").lower() or EVENT
    if not video:
        problems.append(Problem(line, "The row names no video."))
    if what not in (EVENT, *LEFT_OUT):
        told = ", ".join((EVENT, *LEFT_OUT))
        problems.append(Problem(line, f"“{cells['what']}” has no meaning here; there are {told}."))
    duration = whole(line, "duration_ms", cells["duration_ms"], problems)
    if duration is not None and not 0 < duration <= MOST_MS:
        problems.append(Problem(line, f"A video cannot be {duration} ms long."))
        duration = None
    if duration is None:
        return _Row(line, video, 0, what, None, is_sound=False)
    if not cells["start_ms"] and not cells["end_ms"] and what == EVENT:
        return _Row(line, video, duration, what, None)
    span = span_of(line, cells, duration, video, problems)
    return _Row(line, video, duration, what, span, is_sound=span is not None)


def _videos(rows: Sequence[_Row], problems: list[Problem]) -> list[MarkedVideo]:
    by_video: dict[str, list[_Row]] = {}
    for row in rows:
        if row.video:
            by_video.setdefault(row.video, []).append(row)
    for own in by_video.values():
        problems += [*_lengths(own), *_twice(own), *_not_none(own), *_overlaps(own)]
    return [_video(own) for own in by_video.values()]


def _video(rows: Sequence[_Row]) -> MarkedVideo:
    marked = [(row.what, row.span) for row in rows if row.span is not None]
    return MarkedVideo(
        rows[0].video,
        next((row.duration_ms for row in rows if row.duration_ms), 0),
        tuple(sorted(span for what, span in marked if what == EVENT)),
        tuple(sorted((m for m in marked if m[0] != EVENT), key=lambda m: m[1])),
        rows[0].line,
    )


def _lengths(rows: Sequence[_Row]) -> Iterable[Problem]:
    known = [row for row in rows if row.duration_ms]
    for row in known:
        first = known[0]
        if row.duration_ms != first.duration_ms:
            what = (
                f"Video “{row.video}” is {row.duration_ms} ms long here and {first.duration_ms} ms "
                f"in line {first.line}."
            )
            yield Problem(row.line, what)


def _twice(rows: Sequence[_Row]) -> Iterable[Problem]:
    seen: dict[tuple[str, Span | None], int] = {}
    for row in [row for row in rows if row.is_sound]:
        before = seen.setdefault((row.what, row.span), row.line)
        if before != row.line:
            yield Problem(row.line, f"The same stands in line {before} already.")


def _not_none(rows: Sequence[_Row]) -> Iterable[Problem]:
    """Find rows that say that a video has no events although it has some."""
    event = next((row for row in rows if row.span is not None and row.what == EVENT), None)
    for row in rows:
        if row.is_sound and row.span is None and event is not None:
            what = (
                f"Without times this row says that video “{row.video}” has no events; there is one "
                f"in line {event.line}."
            )
            yield Problem(row.line, what)


def _overlaps(rows: Sequence[_Row]) -> Iterable[Problem]:
    latest: _Row | None = None
    placed = [(row.span, row) for row in rows if row.span is not None]
    for span, row in sorted(placed, key=lambda pair: (pair[0], pair[1].line)):
        before = latest.span if latest is not None else None
        if latest is not None and before is not None and span.start_ms < before.end_ms:
            if (latest.what, before) != (row.what, span):  # the same twice is told already
                first, second = sorted([latest, row], key=lambda r: r.line)
                what = f"The {second} overlaps the {first} in line {first.line}."
                yield Problem(second.line, what)
            if span.end_ms <= before.end_ms:
                continue
        latest = row
