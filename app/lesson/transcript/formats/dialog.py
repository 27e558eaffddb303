"""Plain text in which people speak: Otter, Teams, Zoom, Word and what is typed by hand.

One grammar serves all of them, since their kinds of line are few: a heading of name and time, a
name alone before a spelt-out time, a line that begins with a time or a name, and speech.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from app.lesson.transcript.formats.clocks import read_clock, read_spelt
from app.lesson.transcript.formats.drafts import Draft, Found, split_lines
from app.lesson.transcript.formats.names import Names, find_names, tidy_name

_CLOCK = r"\d{1,3}:\d{2}(?::\d{2})?(?:[.,]\d{1,3})?"
_HEADINGS = (
    re.compile(rf"(?P<name>\S.{{0,60}}?)(?:\s{{2,}}|\t\s*){_CLOCK}\s*", re.ASCII),
    re.compile(rf"(?P<name>\S.{{0,60}}?)\s*[\[(]{_CLOCK}[\])]\s*:?\s*", re.ASCII),
    re.compile(rf"\[(?P<name>[^\[\]]{{1,60}})\]\s*{_CLOCK}\s*", re.ASCII),
)
_LONGEST_HEADING = 120
_FIND_CLOCK = re.compile(_CLOCK, re.ASCII)
_TIME_FIRST = re.compile(
    rf"\s*(?:[\[(](?P<in>{_CLOCK})[\])]|(?P<out>{_CLOCK}))"
    rf"(?:\s*(?:-|–|—|-->|to)\s*[\[(]?(?P<end>{_CLOCK})[\])]?)?\s*(?:[-–—|:]\s+|\s+|$)",
    re.ASCII,
)
_FOOTER = re.compile(
    r"\s*(?:transcribed by\s+)?(?:https?://)?(?:www\.)?otter\.ai\S*\s*|"
    r".{0,80}\b(?:started|stopped) transcription\s*",
    re.IGNORECASE,
)
_ASIDE = re.compile(r"\s*(?:\(.*\)|\[.*\])\s*")


@dataclass(slots=True)
class _Turn:
    """Speech under one heading or label, as it grows line by line."""

    speaker: str
    start_ms: int | None
    end_ms: int | None = None
    lines: list[str] = field(default_factory=list)
    closed: bool = False
    """Whether an empty line has ended a labelled turn, so that new text is a new line."""


def read_dialog(text: str, *, source: str = "import:text") -> Found:
    """Read plain text, each line or turn an utterance, with the names and times it gives."""
    lines = split_lines(text)
    spelt = [i for i in range(1, len(lines)) if read_spelt(lines[i]) is not None]
    if spelt:
        return _read_spelt(lines, spelt, "import:teams-text" if source == "import:text" else source)
    headings = {i: h for i, line in enumerate(lines) if (h := _heading(line)) is not None}
    if headings:
        own = "import:otter" if _has_footer(lines) else source
        return _read_headings(lines, headings, own)
    return _read_labels(lines, source)


def _has_footer(lines: Sequence[str]) -> bool:
    return any("otter.ai" in line and _FOOTER.fullmatch(line) for line in lines[-5:])


def _heading(line: str) -> tuple[str, int] | None:
    """Read a line that is nothing but a name and a time."""
    if len(line) > _LONGEST_HEADING:
        return None
    for pattern in _HEADINGS:
        match = pattern.fullmatch(line)
        if match is None:
            continue
        clocks = _FIND_CLOCK.findall(line)
        time_ms = read_clock(clocks[-1])
        name = tidy_name(match["name"])
        if time_ms is not None and name and not name[0].isdigit():
            return name, time_ms
    return None


def _read_headings(
    lines: Sequence[str], headings: dict[int, tuple[str, int]], source: str
) -> Found:
    turns = [_Turn("", None)]
    for index, line in enumerate(lines):
        if index in headings:
            turns.append(_Turn(*headings[index]))
        elif line.strip() and not _FOOTER.fullmatch(line):
            turns[-1].lines.append(line)
    return _found(turns, source, _preamble(turns))


def _preamble(turns: list[_Turn]) -> list[str]:
    """Leave out the title and date that stand before the first heading, and say so."""
    first = turns.pop(0)
    if not first.lines:
        return []
    return [f"What stands before the first speaker was left out: “{' '.join(first.lines)[:80]}”."]


def _read_spelt(lines: Sequence[str], spelt: Sequence[int], source: str) -> Found:
    """Read Teams' text: a name, `1 minute 11 seconds`, often the same as `1:11`, then speech."""
    starts = {index - 1: read_spelt(lines[index]) for index in spelt if lines[index - 1].strip()}
    names = {tidy_name(lines[index]) for index in starts}
    turns = [_Turn("", None)]
    skip = set(spelt)
    for index, line in enumerate(lines):
        if index in starts:
            turns.append(_Turn(tidy_name(line), starts[index]))
        elif index not in skip and line.strip() and not _is_noise(line, turns[-1], names):
            turns[-1].lines.append(line)
    return _found(turns, source, _preamble(turns))


def _is_noise(line: str, turn: _Turn, names: set[str]) -> bool:
    """Tell what Teams writes between turns from speech: the time again, a name alone."""
    is_time_again = not turn.lines and turn.start_ms is not None
    return (
        (is_time_again and read_clock(line) == turn.start_ms)
        or tidy_name(line) in names
        or _FOOTER.fullmatch(line) is not None
    )


def _read_labels(lines: Sequence[str], source: str) -> Found:
    """Read text whose lines may begin with a time, a name, both or neither."""
    timed = [_time_first(line) for line in lines]
    if sum(1 for start, _, _ in timed if start is not None) * 4 < sum(map(bool, lines)):
        # A clock at the start of a stray line is speech: "10:30 is when we go out."
        timed = [(None, None, line) for line in lines]
    names = find_names(rest for _, _, rest in timed)
    turns: list[_Turn] = []
    for line, (start_ms, end_ms, rest) in zip(lines, timed, strict=True):
        if not line.strip():
            if turns:
                turns[-1].closed = True
        elif not _FOOTER.fullmatch(line):
            _take_line(turns, names, start_ms, end_ms, rest)
    return _found(turns, source, [])


def _take_line(
    turns: list[_Turn], names: Names, start_ms: int | None, end_ms: int | None, rest: str
) -> None:
    name, speech = names.split(rest)
    above = turns[-1] if turns else None
    if name is not None or start_ms is not None:
        turns.append(_Turn(name or "", start_ms, end_ms, [speech]))
    elif above is None or not names.known:
        is_under_time = above is not None and not above.closed and above.start_ms is not None
        if above is not None and is_under_time:
            above.lines.append(rest)
        else:
            turns.append(_Turn("", None, None, [rest]))
    elif above.closed:
        # A new paragraph goes on with the same speaker, unless it tells what happens.
        speaker = "" if _ASIDE.fullmatch(rest) else above.speaker
        turns.append(_Turn(speaker, None, None, [rest]))
    else:
        above.lines.append(rest)


def _time_first(line: str) -> tuple[int | None, int | None, str]:
    match = _TIME_FIRST.match(line)
    start_ms = read_clock(match["in"] or match["out"]) if match else None
    if match is None or start_ms is None:
        return None, None, line
    end_ms = read_clock(match["end"]) if match["end"] else None
    return start_ms, end_ms, line[match.end() :]


def _found(turns: Sequence[_Turn], source: str, notes: list[str]) -> Found:
    lines = [Draft("\n".join(t.lines), t.start_ms, t.end_ms, t.speaker) for t in turns]
    found = Found(source, lines, notes=notes)
    if lines and not any(line.start_ms is not None for line in lines):
        found.notes.append("The file gives no times; lines can be read and coded, not played.")
    return found
