"""The form of a model's answer about a window, and how it is read."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import Any

from app.confusion.records import Confidence, CueKind, Level
from app.errors import BadAnswer

MOST_CUES = 8
_YES, _NO = "yes", "no"
_LONGEST = 300
"""Letters of a model's words that are kept; it is asked for a few words."""


@dataclass(frozen=True, slots=True)
class ClaimedCue:
    """A sign that a model says it saw."""

    kind: CueKind
    frames: tuple[int, ...]
    """Numbers of the frames that show it, from 1."""
    words: str


@dataclass(frozen=True, slots=True)
class Claim:
    """What one draw says of a window; without a level where it saw no usable face."""

    level: Level | None = None
    confidence: Confidence | None = None
    cues: tuple[ClaimedCue, ...] = ()
    frames: tuple[int, ...] = ()
    """Numbers of the frames that the level rests on."""
    why: str = ""
    """What hinders the sight."""

    @property
    def is_visible(self) -> bool:
        """Whether a usable face was seen."""
        return self.level is not None


@cache
def schema_of(frames: int) -> str:
    """Give the JSON Schema of an answer about so many frames.

    An answer either says that nobody can be seen, and then has no place for a level, or gives
    cues, then the level. Frames are named by number, so that every moment that comes back is one
    that was shown. The choice lies under a field, since strict servers take none at the top, and
    is made by a word, since some take lists of allowed values for texts alone.
    """
    number = {"type": "integer", "minimum": 1, "maximum": frames}
    numbers = {"type": "array", "items": number, "maxItems": frames}
    cue = _object(
        cue={"type": "string", "enum": [kind.value for kind in CueKind]},
        frames={**numbers, "minItems": 1},
        words={"type": "string"},
    )
    hidden = _object(visible={"type": "string", "enum": [_NO]}, why={"type": "string"})
    seen = _object(
        visible={"type": "string", "enum": [_YES]},
        cues={"type": "array", "items": cue, "maxItems": MOST_CUES},
        level={"type": "string", "enum": [level.value for level in Level]},
        confidence={"type": "string", "enum": [sure.value for sure in Confidence]},
        frames=numbers,
    )
    return json.dumps(_object(window={"anyOf": [hidden, seen]}), separators=(",", ":"))


def read_claim(text: str) -> Claim:
    """Read an answer that keeps the schema.

    Raises:
        BadAnswer: A level above none rests on no frame.
    """
    said = json.loads(text)["window"]
    if said["visible"] == _NO:
        return Claim(why=_short(said["why"]))
    level = Level(said["level"])
    frames = _numbers(said["frames"])
    if level is not Level.NONE and not frames:
        raise BadAnswer(
            f"“window.level” is “{level}”, but “window.frames” names no frame that it rests on."
        )
    cues = tuple(
        ClaimedCue(CueKind(cue["cue"]), _numbers(cue["frames"]), _short(cue["words"]))
        for cue in said["cues"]
    )
    return Claim(level, Confidence(said["confidence"]), cues, frames)


def _numbers(told: list[int]) -> tuple[int, ...]:
    return tuple(sorted(set(told)))


def _short(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= _LONGEST else f"{plain[: _LONGEST - 1]}…"


def _object(**fields: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }
