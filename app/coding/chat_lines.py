"""The lines of a clip as a model is given them, and how many of them fit."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.coding.prompts import Prompt, written_line
from app.lesson.clips import Clip
from app.lesson.spans import show_time
from app.lesson.transcript.records import Flag, Role, Utterance

_NAMES = {Role.TEACHER: "teacher", Role.STUDENT: "student"}
_OTHERS = "speaker"


@dataclass(frozen=True, slots=True)
class Line:
    """One utterance, written out."""

    number: int
    text: str


def lines_of(
    prompt: Prompt, utterances: Sequence[Utterance], clip: Clip, roles: Mapping[str, Role]
) -> tuple[Line, ...]:
    """Write the lines of a clip that a coder may use, as `evidence` does; others are left out.

    Speakers are named by what they are in the lesson, never by the names in the transcript, which
    are those of children and might be sent to a server.
    """
    if not clip.first:
        return ()
    inside = [u for u in utterances if clip.first <= u.number <= clip.last and u.is_sound]
    inside = [u for u in inside if u.text.strip()]
    who = _who([u.speaker for u in inside], roles)
    return tuple(Line(u.number, _written(prompt, u, who[u.speaker])) for u in inside)


def safe_tokens(text: str) -> int:
    """Say how many tokens a text has at most, without the model's own vocabulary.

    A rough figure on the safe side, for deciding what fits: three letters a token where English
    has four, each digit by itself, three tokens for two signs beyond ASCII. Measured beside the
    tokenizer of Qwen2.5: 1.2 times what lines of a transcript take, 1.3 to 1.4 times what the
    words around them do, 1.3 to 3 times for Spanish, Hindi, Chinese and Russian.
    """
    plain = sum(sign.isascii() for sign in text)
    digits = sum(sign.isascii() and sign.isdigit() for sign in text)
    return math.ceil(digits + (plain - digits) / 3 + (len(text) - plain) * 1.5)


def fitting(lines: Sequence[Line], room_tokens: int | None) -> tuple[Line, ...]:
    """Give the lines from the start of a clip on that fit; all of them where room is unknown."""
    if room_tokens is None:
        return tuple(lines)
    kept = []
    for line in lines:
        room_tokens -= safe_tokens(line.text) + 1
        if room_tokens < 0:
            break
        kept.append(line)
    return tuple(kept)


def _written(prompt: Prompt, line: Utterance, who: str) -> str:
    time = prompt.say("lines", "untimed") if line.start_ms is None else show_time(line.start_ms)
    if Flag.LOW_PROBABILITY in line.flags:
        who = f"{who}, {prompt.say('lines', 'unsure')}"
    return written_line(line.number, time, who, line.text)


def _who(speakers: Sequence[str], roles: Mapping[str, Role]) -> dict[str, str]:
    """Name speakers by role, with a number in order of speech where there are several."""
    kinds: dict[str, list[str]] = {}
    for speaker in dict.fromkeys(speakers):
        kinds.setdefault(_NAMES.get(roles.get(speaker, Role.UNKNOWN), _OTHERS), []).append(speaker)
    return {
        speaker: kind if len(same) == 1 else f"{kind} {place}"
        for kind, same in kinds.items()
        for place, speaker in enumerate(same, 1)
    }
