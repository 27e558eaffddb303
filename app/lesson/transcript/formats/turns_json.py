"""JSON in which each turn is an object with text, speaker and times, under whatever names.

Also the annotations of a IIIF manifest, which is how archives publish a film's transcript.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from app.errors import TranscriptRefused
from app.lesson.transcript.formats.clocks import read_clock, read_seconds
from app.lesson.transcript.formats.drafts import Draft, Found
from app.lesson.transcript.formats.names import tidy_name
from app.lesson.transcript.formats.whisper_json import is_whisper, read_whisper

_TEXT = ("dialogue", "dialog", "text", "utterance", "sentence", "transcript", "content", "caption")
_SPEAKER = ("speaker", "speaker_name", "speakername", "name", "participant", "who", "role")
_START = ("start", "start_time", "starttime", "begin", "from", "timestamp", "time", "start_ms")
_END = ("end", "stop", "end_time", "endtime", "finish", "to", "end_ms")
_FRAGMENT = re.compile(r"#(?:.*&)?t=(?:npt:)?([\d.]+)(?:,([\d.]+))?", re.ASCII)
_SLOWEST = 0.1
"""Words a second; whole numbers that would mean slower speech are taken for milliseconds."""
_DEEPEST = 60
_LARGEST_MS = 10**12


def looks_like_json(text: str) -> bool:
    """Say whether text begins as a JSON object or list does."""
    return text.lstrip()[:1] in ("{", "[") and text.rstrip()[-1:] in ("}", "]")


def read_json(text: str, name: str) -> Found:
    """Read a JSON transcript of any shape that is known.

    Raises:
        TranscriptRefused: It is not JSON, or there is no transcript in it.
    """
    try:
        data = json.loads(text)
    except (json.JSONDecodeError, RecursionError, ValueError) as error:
        line = f" from line {error.lineno} on" if isinstance(error, json.JSONDecodeError) else ""
        raise TranscriptRefused(
            f"{name} cannot be read as JSON{line}.",
            "It may be cut off; export or copy it again.",
        ) from error
    _refuse_codings(data, name)
    if is_whisper(data):
        return read_whisper(data)
    if isinstance(data, Mapping) and "iiif" in str(data.get("@context", "")):
        return Found("import:iiif", list(_annotations(data, 0)), line_name="annotation")
    for turns in _lists(data, 0):
        found = _read_turns(turns)
        if found is not None:
            return found
    raise TranscriptRefused(
        f"There is no transcript in {name}.",
        "What can be read is a list of turns with text, speaker and times, or what Whisper writes.",
    )


def _refuse_codings(data: Any, name: str) -> None:
    if isinstance(data, Mapping) and "observations" in data and "behaviors_conf" in data:
        raise TranscriptRefused(
            f"{name} is a BORIS project: it holds coded events, but not what was said.",
            "Import the transcript of the lesson instead.",
        )


def _lists(data: Any, depth: int) -> Iterator[list[Mapping[str, Any]]]:
    """Give every list of objects, the outermost first."""
    if depth > _DEEPEST:
        return
    if isinstance(data, list):
        maps = [item for item in data if isinstance(item, Mapping)]
        if maps:
            yield maps
    children = data.values() if isinstance(data, Mapping) else data
    if isinstance(data, (Mapping, list)):
        for child in children:
            yield from _lists(child, depth + 1)


def _read_turns(turns: list[Mapping[str, Any]]) -> Found | None:
    keys: dict[str, str] = {}
    for turn in turns[:50]:
        for key in turn:
            keys.setdefault(str(key).replace("-", "_").lower(), str(key))
    text = _first(keys, _TEXT)
    speaker, start, end = _first(keys, _SPEAKER), _first(keys, _START), _first(keys, _END)
    if not text or not (speaker or start):
        return None
    lines = [
        Draft(
            _string(turn.get(text)),
            _time(turn.get(start)),
            _time(turn.get(end)),
            tidy_name(_string(turn.get(speaker))),
        )
        for turn in turns
    ]
    found = Found("import:json", lines, line_name="turn")
    _settle_unit(found, [turn.get(start) for turn in turns], start.endswith(("ms", "Ms")))
    return found


def _first(keys: Mapping[str, str], wanted: tuple[str, ...]) -> str:
    return next((keys[name] for name in wanted if name in keys), "")


def _settle_unit(found: Found, starts: list[Any], says_ms: bool) -> None:
    """Whole numbers may be seconds or milliseconds; a name or the pace of speech tells which."""
    numbers = [s for s in starts if isinstance(s, int) and not isinstance(s, bool)]
    if not numbers or len(numbers) < sum(1 for s in starts if s is not None):
        return
    words = sum(len(line.text.split()) for line in found.lines)
    too_slow = max(numbers) > 60 and words < _SLOWEST * max(numbers)
    if not says_ms and not too_slow:
        return
    for line in found.lines:
        line.start_ms = None if line.start_ms is None else line.start_ms // 1000
        line.end_ms = None if line.end_ms is None else line.end_ms // 1000
    if not says_ms:
        found.notes.append(
            "Times are whole numbers without a unit; they were read as milliseconds, because as "
            "seconds nobody would speak for minutes on end."
        )


def _annotations(data: Any, depth: int) -> Iterator[Draft]:
    """Give the annotations that carry text for a stretch of time."""
    if depth > _DEEPEST:
        return
    if isinstance(data, Mapping):
        draft = _annotation(data)
        if draft is not None:
            yield draft
    if isinstance(data, (Mapping, list)):
        for child in data.values() if isinstance(data, Mapping) else data:
            yield from _annotations(child, depth + 1)


def _annotation(data: Mapping[str, Any]) -> Draft | None:
    body, target = data.get("body"), data.get("target")
    if isinstance(body, list) and body:
        body = body[0]
    if not isinstance(body, Mapping) or body.get("type") != "TextualBody":
        return None
    match = _FRAGMENT.search(target) if isinstance(target, str) else None
    if match is None:
        return None
    return Draft(_string(body.get("value")), read_seconds(match[1]), read_seconds(match[2] or ""))


def _string(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        return ""
    return str(value)[:1_000_000] if isinstance(value, str) or abs(value) < 10**12 else ""


def _time(value: Any) -> int | None:
    if isinstance(value, str):
        clock = read_clock(value)
        return clock if clock is not None else read_seconds(value)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return round(value * 1000) if abs(value) < _LARGEST_MS else None
