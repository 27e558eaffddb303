"""Lines as a format reader finds them, and the one place where they become a transcript.

What every format has in common is settled here: cleaning of text, order, numbering, and which
times are doubtful. No reader makes an `Utterance` by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from app.errors import TranscriptRefused
from app.lesson.transcript.records import Flag, Transcript, Utterance, Word

DAY_MS = 24 * 60 * 60 * 1000
"""No lesson lasts a day: a later time cannot be right."""

_SPACES = re.compile(r"[^\S\n]+")
_UNPRINTED = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufeff]")
_UNCLEAN = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\xa0\ufeff\ud800-\udfff]|\s\s|\A\s|\s\Z|[^\S\n ]")
_HALF_CHARACTERS = re.compile(r"[\ud800-\udfff]")


@dataclass(slots=True)
class Draft:
    """One line of a transcript before it has a number. Times in milliseconds."""

    text: str
    start_ms: int | None = None
    end_ms: int | None = None
    speaker: str = ""
    words: tuple[Word, ...] = ()
    flags: list[Flag] = field(default_factory=list)
    doubt: str = ""
    """What is wrong with its times, as it stands behind a list of lines in a note."""


@dataclass(slots=True)
class Found:
    """All that a format reader has to say of a file."""

    source: str
    """What the transcript will name as its origin, e.g. `import:srt`."""
    lines: list[Draft]
    language: str = ""
    notes: list[str] = field(default_factory=list)
    sort: bool = False
    """Whether lines out of order are put in order of time; tables keep their own order."""
    line_name: str = "line"
    """What one entry is called in notes: `caption`, `row`, `line`."""


def clean_text(text: str) -> str:
    """Give text without control characters, with single spaces and no empty lines.

    Half characters, which JSON can smuggle in and no library file can store, become U+FFFD.
    """
    if not _UNCLEAN.search(text):
        return text
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = _HALF_CHARACTERS.sub("\ufffd", _UNPRINTED.sub("", text))
    lines = (_SPACES.sub(" ", line).strip() for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


def split_lines(text: str) -> list[str]:
    """Split at the line ends that subtitle files know, and at no other character."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def finish(found: Found, name: str, encoding: str = "", notes: Sequence[str] = ()) -> Transcript:
    """Number the lines, flag what is doubtful and say in notes what was left out.

    Args:
        found: What a format reader found.
        name: The file's name, for the message.
        encoding: Text encoding of the file; empty when it has none.
        notes: What is known of the file already; put before the reader's own notes.

    Raises:
        TranscriptRefused: There is no line with text.
    """
    lines = [line for line in found.lines if _cleaned(line)]
    said = [*notes, *found.notes]
    empty = len(found.lines) - len(lines)
    if not lines:
        raise TranscriptRefused(
            f"There is no speech in {name}.",
            "Check that it is the right file and that it was exported with its text.",
        )
    if empty:
        said.append(f"{_count(empty, found.line_name)} without text {_were(empty)} left out.")
    for line in lines:
        _check_times(line)
    if found.sort and not _in_order(lines):
        lines = _by_time(lines)
        said.append(f"Some {found.line_name}s stood out of order; they were put in order of time.")
    _flag_overlaps(lines)
    said.extend(_doubt_notes(lines))
    utterances = tuple(_utterance(number, line) for number, line in enumerate(lines, 1))
    return Transcript(
        utterances, found.source, found.language, encoding, tuple(dict.fromkeys(said))
    )


def _cleaned(line: Draft) -> bool:
    line.text = clean_text(line.text)
    line.speaker = clean_text(line.speaker).replace("\n", " ")
    return bool(line.text)


def _check_times(line: Draft) -> None:
    """Take away what cannot be a time, and flag it; nothing is put in its place."""
    start, end = line.start_ms, line.end_ms
    if start is not None and start < 0:
        start, end, line.doubt = (
            None,
            None,
            "would lie before the start of the recording (kept without a time)",
        )
    elif start is not None and end is not None and end < start:
        end, line.doubt = None, "would end before the start (kept without an end)"
    elif start is not None and start == end:
        line.doubt = "would end at the very moment of the start"
    elif max(start or 0, end or 0) >= DAY_MS:
        line.doubt = "would lie more than a day into the recording"
    if line.doubt:
        line.flags.append(Flag.DOUBTFUL_TIME)
    line.start_ms, line.end_ms = start, end if start is not None else None
    if start is None and Flag.DOUBTFUL_TIME not in line.flags:
        line.flags.append(Flag.NO_TIME)
    if start is not None and end is None and Flag.DOUBTFUL_TIME not in line.flags:
        line.flags.append(Flag.NO_END)
    line.words = tuple(_checked_word(word) for word in line.words)
    if any(word.start_ms is None for word in line.words):
        line.flags.append(Flag.UNTIMED_WORDS)


def _checked_word(word: Word) -> Word:
    """Take away a word's times where they run backwards or begin before the recording."""
    start_ms = word.start_ms if word.start_ms is not None else word.end_ms
    if start_ms is None or (start_ms >= 0 and (word.end_ms is None or word.end_ms >= start_ms)):
        return word
    return replace(word, start_ms=None, end_ms=None)


def _in_order(lines: Iterable[Draft]) -> bool:
    starts = [line.start_ms for line in lines if line.start_ms is not None]
    return all(a <= b for a, b in pairwise(starts))


def _by_time(lines: list[Draft]) -> list[Draft]:
    """Sort by start; a line without time stays behind the line it followed in the file."""
    keys, latest = [], 0
    for line in lines:
        latest = line.start_ms if line.start_ms is not None else latest
        keys.append(latest)
    return [lines[index] for index in sorted(range(len(lines)), key=keys.__getitem__)]


def _flag_overlaps(lines: list[Draft]) -> None:
    for above, line in pairwise(lines):
        if line.start_ms is None or above.end_ms is None or above.start_ms is None:
            continue
        if above.start_ms <= line.start_ms < above.end_ms:
            line.flags.append(Flag.OVERLAP)


def _doubt_notes(lines: Sequence[Draft]) -> list[str]:
    places: dict[str, list[int]] = {}
    for number, line in enumerate(lines, 1):
        if line.doubt:
            places.setdefault(line.doubt, []).append(number)
    return [
        f"Times that cannot be right: {list_places(numbers, 'utterance')} {doubt}."
        for doubt, numbers in places.items()
    ]


def _utterance(number: int, line: Draft) -> Utterance:
    return Utterance(
        number,
        line.text,
        line.start_ms,
        line.end_ms,
        line.speaker,
        line.words,
        tuple(dict.fromkeys(line.flags)),
    )


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number:,} {thing}s"


def _were(number: int) -> str:
    return "was" if number == 1 else "were"


def list_places(places: Sequence[int], thing: str, most: int = 5) -> str:
    """Name lines or rows in a sentence: `line 3`, `rows 3, 5 and 8`, `lines 1, 2, 3 and 9 more`.

    Args:
        places: Numbers to name; at least one.
        thing: What is numbered.
        most: How many are named before the rest is only counted.
    """
    if len(places) == 1:
        return f"{thing} {places[0]}"
    if len(places) > most:
        shown = ", ".join(map(str, places[:most]))
        return f"{thing}s {shown} and {len(places) - most:,} more"
    return f"{thing}s {', '.join(map(str, places[:-1]))} and {places[-1]}"
