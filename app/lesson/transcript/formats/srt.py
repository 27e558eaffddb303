"""SubRip, as it is met: without numbers, hours, milliseconds or blank lines, and with bad times.

pysubs2 refuses a file whose times have no milliseconds, ignores the minus of a negative time and
glues a caption without times to the one before it; webvtt-py stops where a number is missing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from app.errors import TranscriptRefused
from app.lesson.transcript.formats.drafts import Draft, Found, list_places, split_lines
from app.lesson.transcript.formats.markup import Piece, plain_subrip
from app.lesson.transcript.formats.names import name_lines
from app.lesson.transcript.formats.rolling import Cue, is_rolling, unroll

_TIME = r"(-?)\s*(?:(\d{1,3}):)?(-?\d{1,2}):(\d{1,3})(?:[.,](\d{3})(?!\d)|(?![.,:\d]))"
_TIMES = re.compile(rf"\s*{_TIME}\s*--+>\s*{_TIME}(?=\s|$)", re.ASCII)
_LONGEST_TIMES = 200
_ARROW = re.compile(r"--+>")
_MAYBE_TIME = re.compile(r"\d\s*:\s*\d")


@dataclass(slots=True)
class _Entry:
    """A caption by the lines of the file, counted from 0."""

    times_line: int
    times: tuple[int, int] | None
    end: int = 0
    """First line that is no longer its own."""
    has_thousandths: bool = True


def looks_like_srt(text: str) -> bool:
    """Say whether there is a line of SubRip times near the top."""
    return any(_read_times(line) for line in split_lines(text[:20_000])[:200])


def read_srt(text: str, name: str) -> Found:
    """Read a SubRip file.

    Raises:
        TranscriptRefused: There is no caption whose times can be read.
    """
    lines = split_lines(text)
    entries = _entries(lines)
    if not any(entry.times for entry in entries):
        where = f", line {entries[0].times_line + 1}," if entries else ""
        raise TranscriptRefused(
            f"No caption in {name}{where} has times that can be read.",
            "SubRip wants lines such as 00:01:02,345 --> 00:01:04,000.",
        )
    found = Found("import:srt", [], sort=True, line_name="caption")
    cues = [_cue(lines, entry, found) for entry in entries if entry.times]
    _tell_faults(entries, lines, found)
    if is_rolling(cues):
        cues = unroll(cues)
        found.notes.append("Captions that repeat the line before were read once each.")
    drafts = [_draft(cue) for cue in cues]
    found.lines, notes = name_lines(drafts, thing="caption")
    found.notes.extend(notes)
    return found


def _entries(lines: list[str]) -> list[_Entry]:
    """Find the line of times of each caption, and where its own lines end."""
    entries: list[_Entry] = []
    for index, line in enumerate(lines):
        if not _ARROW.search(line):
            continue
        times = _read_times(line)
        if times is not None or _was_meant_as_times(lines, index, entries):
            entries.append(_Entry(index, times, has_thousandths=_has_thousandths(line)))
    for entry, following in pairwise(entries):
        entry.end = _before_number(lines, entry, following.times_line)
    if entries:
        entries[-1].end = len(lines)
    return entries


def _read_times(line: str) -> tuple[int, int] | None:
    match = _TIMES.match(line) if len(line) < _LONGEST_TIMES else None
    if match is None:
        return None
    start, end = _milliseconds(match.groups()[:5]), _milliseconds(match.groups()[5:])
    return None if start is None or end is None else (start, end)


def _milliseconds(groups: tuple[str | None, ...]) -> int | None:
    sign, hours, minutes, seconds, fraction = groups
    minus = bool(sign) or (minutes or "").startswith("-")
    whole_minutes, whole_seconds = abs(int(minutes or 0)), int(seconds or 0)
    if whole_seconds > 59 or (hours is not None and whole_minutes > 59):
        return None
    total = (int(hours or 0) * 3600 + whole_minutes * 60 + whole_seconds) * 1000
    total += int(fraction or 0)
    return -total if minus else total


def _was_meant_as_times(lines: list[str], index: int, entries: list[_Entry]) -> bool:
    """Tell a broken line of times from an arrow that somebody wrote into the speech."""
    above = lines[index - 1].strip() if index else ""
    starts_block = not above or above.isdecimal()
    after_times = bool(entries) and entries[-1].times_line == index - 1
    return (starts_block and not after_times) or bool(_MAYBE_TIME.search(lines[index]))


def _has_thousandths(line: str) -> bool:
    match = _TIMES.match(line) if len(line) < _LONGEST_TIMES else None
    return match is None or (match[5] is not None and match[10] is not None)


def _before_number(lines: list[str], entry: _Entry, next_times: int) -> int:
    """Give where a caption ends: before the number of the next, when that has one.

    A number right under the line of times is speech: somebody counts.
    """
    above = next_times - 1
    is_number = lines[above].strip().isdecimal() and above > entry.times_line + 1
    return above if is_number else next_times


def _cue(lines: list[str], entry: _Entry, found: Found) -> Cue:
    start_ms, end_ms = entry.times or (0, 0)
    own = lines[entry.times_line + 1 : entry.end]
    kept, lost = _own_text(own)
    if lost is not None:
        found.notes.append(
            f"The caption on line {entry.times_line + lost + 2} has no times; it was left out. "
            "Give it times in the file and import it again."
        )
    text, speaker = plain_subrip("\n".join(kept))
    shown = [[Piece(line, speaker or None, None)] for line in text.split("\n") if line.strip()]
    return Cue(start_ms, end_ms, shown, entry.times_line + 1)


def _own_text(own: list[str]) -> tuple[list[str], int | None]:
    """Take a caption's text up to a numbered block that has no times of its own.

    A blank line inside the text is kept as text; only a number above words starts another
    caption.
    """
    for index in range(1, len(own) - 1):
        is_number = own[index].strip().isdecimal() and not own[index - 1].strip()
        if is_number and own[index + 1].strip():
            return own[:index], index
    kept = list(own)
    while kept and not kept[-1].strip():
        kept.pop()
    if len(kept) > 1 and kept[-1].strip().isdecimal() and not kept[-2].strip():
        kept.pop()  # the number of a caption that the file ends before
    return kept, None


def _tell_faults(entries: list[_Entry], lines: list[str], found: Found) -> None:
    bad = [entry.times_line + 1 for entry in entries if entry.times is None]
    if bad:
        found.notes.append(
            f"The times on {list_places(bad, 'line')} cannot be read; what is said there was left "
            "out. Correct them in the file and import it again."
        )
    coarse = [e.times_line + 1 for e in entries if e.times and not e.has_thousandths]
    if coarse:
        found.notes.append(
            f"The times on {list_places(coarse, 'line')} have no milliseconds; they are right "
            "to the second only."
        )


def _draft(cue: Cue) -> Draft:
    speaker = cue.lines[0][0].voice if cue.lines else None
    return Draft("\n".join(cue.texts), cue.start_ms, cue.end_ms, speaker or "")
