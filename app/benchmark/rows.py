"""Rows of a coded table as clips: what each cell means, and everything that is wrong with it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.benchmark.problems import Problem
from app.benchmark.table import Row
from app.lesson.spans import Span, show_time
from app.lesson.transcript.formats.clocks import read_clock, read_seconds
from app.lesson.transcript.records import Utterance
from app.scoring.scored import Code

Levels = Mapping[str, Sequence[int]]
"""The levels of each practice."""

NO_PRACTICE = "none"
"""What stands in a table for a clip that people coded and found none of the four in."""

_CODE = re.compile(r"(?P<practice>[A-Za-z0-9]+)(?:\s*[:/ ]\s*(?:level\s*|L)?(?P<level>\S+))?")
_OF_A_LINE = frozenset({"number", "speaker", "text", "start_ms", "end_ms"})
_LONGEST_ID = 200
_LONGEST_MS = 100 * 3600 * 1000
_WHOLE = re.compile(r"[0-9]{1,12}", re.ASCII)

Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Wanted:
    """One clip as a table asks for it; the files it names have not been looked at yet."""

    line: int
    clip_id: str
    media: str
    """As the table names it; empty for a clip without a recording."""
    transcript: str
    """As the table names it; empty when the words stand in the table or beside the recording."""
    span: Span | None
    """Where the table says that it lies; `None` for all of the recording or transcript."""
    lines: tuple[int, int] | None
    """First and last utterance, where the table says it by number."""
    codes: tuple[Code, ...]
    """What people accept, the main one first; none where they found none of the four."""
    utterances: tuple[Utterance, ...] = ()
    """The words, where they stand in the table."""
    split: str = ""


def levels_of(practices: Sequence[Any]) -> dict[str, tuple[int, ...]]:
    """Give the levels of each practice, as `resources/practices.toml` has them."""
    return {p.id: tuple(level.level for level in p.levels) for p in practices}


def check_rows(rows: Sequence[Row], levels: Levels) -> tuple[list[Wanted], list[Problem]]:
    """Read every cell; a row with problems gives all of them, and still names its files."""
    wanted: list[Wanted] = []
    problems: list[Problem] = []
    seen: dict[str, int] = {}
    for row in rows:
        found: list[str] = []
        clip = _clip(row, levels, found.append)
        earlier = seen.setdefault(clip.clip_id, row.line) if clip.clip_id else row.line
        if earlier != row.line:
            found.append(f"The id “{clip.clip_id}” stands in line {earlier} already.")
        problems += [Problem(row.line, what) for what in found]
        wanted.append(clip)
    return wanted, problems


def _clip(row: Row, levels: Levels, tell: Tell) -> Wanted:
    cells = row.cells
    media = _name(cells.get("media"), "media", tell)
    transcript = _name(cells.get("transcript"), "transcript", tell)
    utterances = _utterances(cells["utterances"], tell) if "utterances" in cells else ()
    if not {"media", "transcript", "utterances"} & cells.keys():
        tell("No media, no transcript and no utterances are named, so there is nothing to code.")
    if transcript and "utterances" in cells:
        tell("Both a transcript and utterances are given; leave one out.")
    return Wanted(
        row.line,
        _id(cells.get("id"), tell),
        media,
        transcript,
        _span(cells, tell),
        _line_numbers(cells, tell),
        _codes(cells.get("codes"), levels, tell),
        utterances,
        str(cells.get("split", "")),
    )


def _id(cell: Any, tell: Tell) -> str:
    if cell is None:
        tell("The clip has no id.")
        return ""
    if not isinstance(cell, str | int) or isinstance(cell, bool):
        tell("The id is neither a word nor a whole number.")
        return ""
    name = str(cell).strip()
    if len(name) > _LONGEST_ID or not _is_text(name):
        tell(f"The id “{_shown(name)}” is too long or holds signs that no name may have.")
    return name


def _name(cell: Any, column: str, tell: Tell) -> str:
    if cell is None:
        return ""
    if not isinstance(cell, str) or not _is_text(cell):
        tell(f"“{_shown(cell)}” under {column} is no file name.")
        return ""
    return cell.strip()


def _is_text(text: str) -> bool:
    return not any(unicodedata.category(sign) in ("Cc", "Cs") for sign in text)


def _shown(cell: object) -> str:
    text = str(cell).encode("utf-8", "replace").decode()
    return text if len(text) <= 60 else f"{text[:59]}…"


def _codes(cell: Any, levels: Levels, tell: Tell) -> tuple[Code, ...]:
    if cell is None:
        tell(f"No code is given; write “{NO_PRACTICE}” where people found none of the practices.")
        return ()
    if isinstance(cell, str):
        if cell.strip().lower() == NO_PRACTICE:
            return ()
        given = [_written_code(part.strip(), tell) for part in re.split(r"[;|]", cell)]
    elif isinstance(cell, list):
        given = [_listed_code(part, tell) for part in cell]
    else:
        tell("The codes are neither text nor a list.")
        return ()
    codes: list[Code] = []
    for practice, level in filter(None, given):
        code = _known(practice, level, levels, tell)
        if code is not None and code.practice in {c.practice for c in codes}:
            tell(f"The code {code.practice} is given twice.")
        elif code is not None:
            codes.append(code)
    return tuple(codes)


def _written_code(text: str, tell: Tell) -> tuple[str, Any] | None:
    found = _CODE.fullmatch(text)
    if found is None:
        tell(f"“{_shown(text)}” is no code; write it as D1:2, several with “|” between them.")
        return None
    return found["practice"], found["level"]


def _listed_code(part: Any, tell: Tell) -> tuple[str, Any] | None:
    if isinstance(part, str):
        return _written_code(part.strip(), tell)
    if isinstance(part, dict) and set(part) <= {"practice", "level"} and "practice" in part:
        return str(part["practice"]), part.get("level")
    tell(f"“{_shown(part)}” is no code; write it as {{“practice”: “D1”, “level”: 2}}.")
    return None


def _known(practice: str, level: Any, levels: Levels, tell: Tell) -> Code | None:
    name = practice.upper()
    if name not in levels:
        tell(f"“{_shown(practice)}” is no practice; there are {', '.join(levels)}.")
        return None
    if level is None:
        return Code(name)
    number = _number(level)
    if number not in levels[name]:
        tell(f"{name} has no level {_shown(level)}; its levels are {_listed(levels[name])}.")
        return None
    return Code(name, number)


def _listed(levels: Sequence[int]) -> str:
    return f"{min(levels)} to {max(levels)}"


def _number(cell: Any) -> int | None:
    """Give a whole number; `None` for anything else, `True` and `2.0` among it."""
    if isinstance(cell, int) and not isinstance(cell, bool):
        return cell
    return int(cell) if isinstance(cell, str) and _WHOLE.fullmatch(cell.strip()) else None


def _span(cells: Mapping[str, Any], tell: Tell) -> Span | None:
    given = [name for name in ("start", "start_ms", "end", "end_ms") if name in cells]
    if not given:
        return None
    starts = [name for name in given if name.startswith("start")]
    ends = [name for name in given if name.startswith("end")]
    if len(starts) != 1 or len(ends) != 1:
        what = "A start and an end are needed, each once"
        tell(f"{what}; given are {', '.join(given)}.")
        return None
    start_ms = _moment(cells[starts[0]], starts[0], tell)
    end_ms = _moment(cells[ends[0]], ends[0], tell)
    if start_ms is None or end_ms is None:
        return None
    if start_ms >= end_ms:
        shown = f"{show_time(start_ms, tenths=True)} to {show_time(end_ms, tenths=True)}"
        reason = "has no length" if start_ms == end_ms else "runs backwards"
        tell(f"The clip from {shown} {reason}.")
        return None
    return Span(start_ms, end_ms)


def _moment(cell: Any, column: str, tell: Tell) -> int | None:
    found: int | None = None
    if column.endswith("_ms"):
        found = _number(cell)
    elif isinstance(cell, str):
        clock = read_clock(cell)
        found = read_seconds(cell) if clock is None else clock
    elif isinstance(cell, int | float) and not isinstance(cell, bool):
        found = round(cell * 1000) if abs(cell) < _LONGEST_MS else None
    if found is None or not 0 <= found <= _LONGEST_MS:
        form = "whole milliseconds" if column.endswith("_ms") else "m:ss, h:mm:ss or seconds"
        tell(f"“{_shown(cell)}” under {column} is no time; write {form}.")
        return None
    return found


def _line_numbers(cells: Mapping[str, Any], tell: Tell) -> tuple[int, int] | None:
    given = [name for name in ("first", "last") if name in cells]
    if not given:
        return None
    if any(name in cells for name in ("start", "end", "start_ms", "end_ms")):
        tell("Both times and numbers of utterances are given; leave one out.")
        return None
    if len(given) == 1:
        tell("A first and a last utterance are needed, not one of them.")
        return None
    first, last = _number(cells["first"]), _number(cells["last"])
    if first is None or last is None or first < 1:
        shown = f"“{_shown(cells['first'])}” and “{_shown(cells['last'])}”"
        tell(f"{shown} are no numbers of utterances, which count from 1.")
        return None
    if first > last:
        tell(f"The clip from utterance {first} to {last} runs backwards.")
        return None
    return first, last


def _utterances(cell: Any, tell: Tell) -> tuple[Utterance, ...]:
    if not isinstance(cell, list) or not cell:
        tell("The utterances are no list of objects.")
        return ()
    lines = [_utterance(part, number, tell) for number, part in enumerate(cell, 1)]
    return tuple(line for line in lines if line is not None)


def _utterance(part: Any, number: int, tell: Tell) -> Utterance | None:
    if not isinstance(part, dict) or not _has_words(part.get("text")) or set(part) - _OF_A_LINE:
        names = ", ".join(sorted(_OF_A_LINE))
        tell(f"Utterance {number} is no object with a text; it may have {names}.")
        return None
    if part.get("number", number) != number:
        tell(f"Utterance {number} is numbered {_shown(part['number'])}; they count from 1.")
        return None
    speaker = part.get("speaker") or ""
    times = [part.get("start_ms"), part.get("end_ms")]
    if not isinstance(speaker, str) or any(t is not None and _number(t) is None for t in times):
        tell(f"Utterance {number} has a speaker or a time that cannot be read.")
        return None
    try:
        return Utterance(number, part["text"], _number(times[0]), _number(times[1]), speaker)
    except ValueError:
        tell(f"Utterance {number} ends before it starts.")
        return None


def _has_words(text: Any) -> bool:
    return isinstance(text, str) and bool(text.strip())
