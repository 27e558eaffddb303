"""WebVTT, read as the WHATWG and W3C standard says, with what Zoom, Teams and YouTube do to it.

webvtt-py takes the numbers of a file without blank lines into the text, and pysubs2 glues NOTE
blocks and Teams' cue names to the words before them; so the block grammar of the standard is
written out here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from itertools import groupby

from app.errors import TranscriptRefused
from app.lesson.transcript.formats.drafts import Draft, Found, list_places, split_lines
from app.lesson.transcript.formats.markup import Piece, parse_cue, pieces, words_of
from app.lesson.transcript.formats.names import name_lines
from app.lesson.transcript.formats.rolling import Cue, is_rolling, unroll
from app.lesson.transcript.formats.vtt_times import Timings, read_timings
from app.lesson.transcript.records import Flag, Word

UNSURE_BELOW = 0.5
"""Below this, the confidence that Microsoft Stream writes beside a caption is flagged."""

_SIGNATURE = re.compile(r"WEBVTT(?=[ \t\r\n]|\Z)")
_NO_CAPTION = re.compile(r"(?:NOTE|STYLE|REGION|WEBVTT)\b", re.IGNORECASE)
_CONFIDENCE = re.compile(r"NOTE\s+Confidence:\s*([01](?:\.\d+)?)")
_NOTE_LANGUAGE = re.compile(r"NOTE\s+language:\s*([\w-]{2,12})")
_HEADER_LANGUAGE = re.compile(r"Language:\s*([\w-]{2,12})\s*$", re.MULTILINE)
_SHIFT = re.compile(r"^X-TIMESTAMP-MAP=(.*)$", re.MULTILINE)
_NO_SHIFT = re.compile(r"(?=.*MPEGTS:0+\b)(?=.*LOCAL:[0:.]+(?:,|$))")


@dataclass(slots=True)
class _Block:
    """A run of lines that the standard takes together."""

    line_number: int
    times_line: int = 0
    name: str = ""
    timings: Timings | None = None
    bad_times: bool = False
    text: list[str] = field(default_factory=list)


def looks_like_vtt(text: str) -> bool:
    """Say whether text begins with WebVTT's signature."""
    return _SIGNATURE.match(text) is not None


def read_vtt(text: str, name: str) -> Found:
    """Read a WebVTT file.

    Raises:
        TranscriptRefused: It has captions, but not one whose times can be read.
    """
    lines = split_lines(text)
    blocks = _blocks(lines)
    header = "\n".join(lines[: blocks[0].line_number - 1] if blocks else lines)
    found = Found("import:vtt", [], sort=True, line_name="caption")
    _read_header(header, found)
    cues, bad = _cues(blocks, found)
    _tell_bad_times(bad, bool(cues), name, found)
    _tell_untimed(blocks, found)
    if is_rolling(cues):
        cues = unroll(cues)
        found.notes.append("Captions that repeat the line before were read once each.")
    drafts = [draft for cue in cues for draft in _drafts(cue)]
    found.lines, notes = name_lines(drafts, thing="caption")
    found.notes.extend(notes)
    return found


def _blocks(lines: list[str]) -> list[_Block]:
    """Cut the file into blocks, as the standard's "collect a WebVTT block" does.

    One thing goes beyond it: where blank lines are missing, a number that counts on from the
    cue's own and stands right before the next times is that next cue's number, not speech.
    """
    blocks: list[_Block] = []
    index = _after_header(lines)
    while index < len(lines):
        if not lines[index]:
            index += 1
            continue
        block, index = _collect(lines, index)
        blocks.append(block)
    return blocks


def _after_header(lines: list[str]) -> int:
    index = 1
    while index < len(lines) and lines[index] and "-->" not in lines[index]:
        index += 1
    return index


def _collect(lines: list[str], index: int) -> tuple[_Block, int]:
    block = _Block(index + 1)
    first, seen_arrow = index, False
    while index < len(lines) and lines[index]:
        line = lines[index].replace("\0", "\ufffd")
        if "-->" not in line:
            block.text.append(line)
        elif not seen_arrow and index - first <= 1:
            seen_arrow = True
            block.name, block.text = "\n".join(block.text), []
            block.timings, block.times_line = read_timings(line), index + 1
            block.bad_times = block.timings is None
        else:
            if _counts_on(block):
                index -= 1
                block.text.pop()
            break
        index += 1
    return block, index


def _counts_on(block: _Block) -> bool:
    last = block.text[-1] if len(block.text) > 1 else ""
    numbers = last.isdecimal() and block.name.isdecimal() and len(last) < 10
    return numbers and int(last) == int(block.name[:10]) + 1


def _read_header(header: str, found: Found) -> None:
    language = _HEADER_LANGUAGE.search(header)
    found.language = language[1] if language else ""
    shift = _SHIFT.search(header)
    if shift and not _NO_SHIFT.match(shift[1]):
        found.notes.append(
            "The file was cut for streaming and may be shifted against the recording "
            f"({shift[1].strip()}); its times are kept as written: compare one line with the sound."
        )


def _cues(blocks: list[_Block], found: Found) -> tuple[list[Cue], list[_Block]]:
    cues: list[Cue] = []
    bad: list[_Block] = []
    confidence: float | None = None
    for block in blocks:
        if block.timings is not None:
            shown = [line for line in _shown_lines("\n".join(block.text)) if _has_text(line)]
            times = block.timings
            cues.append(Cue(times.start_ms, times.end_ms, shown, block.times_line, confidence))
            confidence = None
        elif block.bad_times:
            bad.append(block)
        else:
            confidence = _read_note("\n".join(block.text), found, confidence)
    return cues, bad


def _read_note(text: str, found: Found, confidence: float | None) -> float | None:
    language = _NOTE_LANGUAGE.match(text)
    if language:
        found.language = found.language or language[1]
    told = _CONFIDENCE.match(text)
    return float(told[1]) if told else confidence


def _tell_bad_times(bad: list[_Block], any_good: bool, name: str, found: Found) -> None:
    spoken = [block for block in bad if any(line.strip() for line in block.text)]
    if not spoken:
        return
    where = list_places([block.times_line for block in spoken], "line")
    if not any_good:
        raise TranscriptRefused(
            f"The times in {name}, {where}, are not written as WebVTT writes them.",
            "WebVTT wants 00:01:02.345 --> 00:01:04.000, with a point and three decimals. "
            "If it is really SubRip, delete the first line, WEBVTT, and import it again.",
        )
    found.notes.append(
        f"The times on {where} cannot be read; what is said there was left out. "
        "Correct them in the file and import it again."
    )


def _tell_untimed(blocks: list[_Block], found: Found) -> None:
    stray = [
        block.line_number
        for block in blocks
        if not block.times_line and not _NO_CAPTION.match(block.text[0])
    ]
    if stray:
        found.notes.append(
            f"The text from {list_places(stray, 'line')} on stands under no times; as the "
            "standard says, it was left out. Give it times in the file and import it again."
        )


def _shown_lines(text: str) -> list[list[Piece]]:
    """Lay a cue out line by line, each line in its pieces."""
    if "<" not in text and "&" not in text:
        return [[Piece(line, None, None)] for line in text.split("\n")]
    lines: list[list[Piece]] = [[]]
    for piece in pieces(parse_cue(text)):
        for number, part in enumerate(piece.text.split("\n")):
            if number:
                lines.append([])
            if part:
                lines[-1].append(Piece(part, piece.voice, piece.time_ms))
    return lines


def _has_text(line: list[Piece]) -> bool:
    return any(piece.text.strip() for piece in line)


def _drafts(cue: Cue) -> list[Draft]:
    """Make a cue into lines, one for each voice in it."""
    flat: list[Piece] = []
    for number, line in enumerate(cue.lines):
        if number and line:
            flat.append(Piece("\n", line[0].voice, flat[-1].time_ms if flat else None))
        flat.extend(line)
    if not flat:
        return [Draft("", cue.start_ms, cue.end_ms)]
    unsure = cue.confidence is not None and cue.confidence < UNSURE_BELOW
    drafts = []
    for voice, group in groupby(flat, key=lambda piece: piece.voice or ""):
        parts = list(group)
        draft = Draft("".join(part.text for part in parts), cue.start_ms, cue.end_ms, voice)
        draft.words = _inside(words_of(parts, cue.start_ms), cue)
        draft.flags = [Flag.LOW_PROBABILITY] if unsure else []
        drafts.append(draft)
    spoken = [draft for draft in drafts if draft.text.strip()]
    return spoken or drafts[:1]


def _inside(words: tuple[Word, ...], cue: Cue) -> tuple[Word, ...]:
    """Take away word times that lie outside their cue; they cannot be right."""
    return tuple(
        word
        if word.start_ms is None or cue.start_ms <= word.start_ms <= cue.end_ms
        else replace(word, start_ms=None)
        for word in words
    )
