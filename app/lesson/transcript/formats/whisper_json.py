"""What the Whisper family writes as JSON: five shapes for the same thing.

Seconds in `segments` (OpenAI's own program and service, whisper-timestamped, WhisperX), whole
milliseconds in `offsets` (whisper.cpp), pairs in `chunks` (Hugging Face). Words may lack times;
the last end may be missing. What is not in the file is not made up.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from app.lesson.transcript.formats.drafts import Draft, Found, clean_text
from app.lesson.transcript.records import Flag, Word

TOO_REPETITIVE = 2.4
"""Text that zlib shrinks more than this is a loop: Whisper's own threshold for the ratio."""
NO_SPEECH = 0.6
"""Whisper's own `no_speech_threshold`."""
TOO_UNLIKELY = -1.0
"""Whisper's own `logprob_threshold`; with `NO_SPEECH` it means that nobody spoke."""
UNSURE_BELOW = 0.5
"""Mean probability of a word below which a line is flagged as unsure."""
SAME_AGAIN = 4
"""So many equal lines in a row are taken for a loop of the engine."""
PAUSE_MS = 1000
"""A silence this long ends a line where the file gives words and no lines."""
_LONGEST_S = 1_000_000.0

_CREDITS = (
    "thanks for watching",
    "thank you for watching",
    "please subscribe",
    "subscribe to",
    "subtitles by",
    "amara.org",
    "sous-titres",
    "untertitel",
    "ご視聴ありがとうございました",
)
"""What Whisper says over silence, learnt from the credits of films (whisper issues 928, 1783)."""


def is_whisper(data: Any) -> bool:
    """Say whether parsed JSON has one of the shapes that Whisper programs write."""
    if not isinstance(data, Mapping):
        return False
    return any(
        _maps(data.get(key))
        and any(mark in item for item in _maps(data.get(key)) for mark in marks)
        for key, marks in _SHAPES.items()
    )


_SHAPES = {
    "segments": ("start", "end", "words"),
    "transcription": ("offsets", "timestamps"),
    "chunks": ("timestamp",),
    "word_segments": ("word",),
}


def read_whisper(data: Mapping[str, Any]) -> Found:
    """Read any of the shapes into lines."""
    if _maps(data.get("transcription")):
        found = _read_cpp(data)
    elif _maps(data.get("chunks")):
        found = _read_chunks(data)
    elif _maps(data.get("segments")):
        found = _read_segments(data)
    else:
        found = _by_words(_words(data.get("word_segments")), "import:whisperx")
    _flag_loops(found.lines)
    found.sort = True
    return found


def _read_cpp(data: Mapping[str, Any]) -> Found:
    result = data.get("result")
    language = _text(result.get("language")) if isinstance(result, Mapping) else ""
    lines = []
    for item in _maps(data.get("transcription")):
        offsets = item.get("offsets")
        offsets = offsets if isinstance(offsets, Mapping) else {}
        lines.append(
            Draft(
                _text(item.get("text")),
                _whole(offsets.get("from")),
                _whole(offsets.get("to")),
                _text(item.get("speaker")),
            )
        )
    return Found("import:whisper.cpp", lines, language)


def _read_chunks(data: Mapping[str, Any]) -> Found:
    chunks = _maps(data.get("chunks"))
    texts = [_text(chunk.get("text")).strip() for chunk in chunks]
    times = [_pair(chunk.get("timestamp")) for chunk in chunks]
    language = _text(chunks[0].get("language"))
    if len(chunks) > 5 and all(len(text.split()) <= 1 for text in texts):
        words = [Word(text, *time) for text, time in zip(texts, times, strict=True) if text]
        return _by_words(words, "import:whisper-hf", language)
    lines = [Draft(text, *time) for text, time in zip(texts, times, strict=True)]
    return Found("import:whisper-hf", lines, language)


def _read_segments(data: Mapping[str, Any]) -> Found:
    segments = _maps(data.get("segments"))
    has_speakers = "word_segments" in data or any("speaker" in item for item in segments)
    source = "import:whisperx" if has_speakers else "import:whisper"
    spare = [] if any(_maps(item.get("words")) for item in segments) else _words(data.get("words"))
    lines = [_segment(item, spare) for item in segments]
    return Found(source, lines, _text(data.get("language")))


def _segment(item: Mapping[str, Any], spare: Sequence[Word]) -> Draft:
    line = Draft(
        _text(item.get("text")),
        _milliseconds(item.get("start")),
        _milliseconds(item.get("end")),
        _text(item.get("speaker")) or _one_speaker(_maps(item.get("words"))),
    )
    line.words = tuple(_words(item.get("words")) or _inside(spare, line))
    line.flags = _doubts(item, line.text)
    return line


def _inside(words: Sequence[Word], line: Draft) -> list[Word]:
    """Give the words of the whole file that start within a line, if they spell that line."""
    if line.start_ms is None or line.end_ms is None:
        return []
    own = [w for w in words if w.start_ms is not None and line.start_ms <= w.start_ms < line.end_ms]
    return own if _letters("".join(w.text for w in own)) == _letters(line.text) else []


def _letters(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def _one_speaker(words: Sequence[Mapping[str, Any]]) -> str:
    """Give the speaker whom all words of a line name; nobody when they differ."""
    names = {_text(word.get("speaker")) for word in words} - {""}
    return names.pop() if len(names) == 1 else ""


def _words(items: Any) -> list[Word]:
    found = []
    for item in _maps(items):
        text = clean_text(_text(item.get("word", item.get("text"))))
        start, end = _milliseconds(item.get("start")), _milliseconds(item.get("end"))
        if text:
            found.append(Word(text, start, end, _probability(item)))
    return found


def _probability(item: Mapping[str, Any]) -> float | None:
    for key in ("probability", "score", "confidence"):
        value = _number(item.get(key))
        if value is not None and 0 <= value <= 1:
            return value
    return None


def _doubts(item: Mapping[str, Any], text: str) -> list[Flag]:
    flags = []
    logprob, silent = _number(item.get("avg_logprob")), _number(item.get("no_speech_prob"))
    if logprob is not None and silent is not None and silent > NO_SPEECH and logprob < TOO_UNLIKELY:
        flags.append(Flag.INVENTED)
    if _is_credits(text) and (silent is None or silent > NO_SPEECH / 2):
        flags.append(Flag.INVENTED)
    if _shrinks(text) > TOO_REPETITIVE:
        flags.append(Flag.REPEATED)
    sure = _number(item.get("confidence"))
    if sure is None and logprob is not None:
        sure = math.exp(min(logprob, 0.0))
    if sure is not None and sure < UNSURE_BELOW:
        flags.append(Flag.LOW_PROBABILITY)
    return flags


def _is_credits(text: str) -> bool:
    folded = text.casefold()
    return len(folded) < 60 and any(words in folded for words in _CREDITS)


def _shrinks(text: str) -> float:
    stored = text.encode("utf-8", "replace")
    return len(stored) / len(zlib.compress(stored))


def _flag_loops(lines: Sequence[Draft]) -> None:
    for said, group in groupby(lines, key=lambda line: _letters(line.text)):
        same = list(group)
        if said and len(same) >= SAME_AGAIN:
            for line in same:
                line.flags.append(Flag.REPEATED)


def _by_words(words: Sequence[Word], source: str, language: str = "") -> Found:
    """Make lines of a file that gives words only: a line ends at a full stop or a pause."""
    groups: list[list[Word]] = []
    for word in words:
        if not groups or _ends_line(groups[-1][-1], word):
            groups.append([])
        groups[-1].append(word)
    lines = [
        Draft(" ".join(w.text for w in own), own[0].start_ms, own[-1].end_ms, words=tuple(own))
        for own in groups
    ]
    note = "The file gives single words; they were put into lines at full stops and pauses of 1 s."
    return Found(source, lines, language, [note])


def _ends_line(last: Word, following: Word) -> bool:
    if last.text[-1:] in ".?!。？！":
        return True
    if last.end_ms is None or following.start_ms is None:
        return False
    return following.start_ms - last.end_ms >= PAUSE_MS


def _maps(value: Any) -> list[Mapping[str, Any]]:
    if not isinstance(value, list):
        return []
    return [item for item in value if isinstance(item, dict)]


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return float(value) if abs(value) < _LONGEST_S * 1000 else None


def _milliseconds(value: Any) -> int | None:
    number = _number(value)
    if number is None or not abs(number) < _LONGEST_S:
        return None
    return round(number * 1000)


def _whole(value: Any) -> int | None:
    number = _number(value)
    return None if number is None or math.isnan(number) else round(number)


def _pair(value: Any) -> tuple[int | None, int | None]:
    if not isinstance(value, list) or len(value) != 2:
        return None, None
    return _milliseconds(value[0]), _milliseconds(value[1])
