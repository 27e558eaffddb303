"""What was agreed to for each learner video, as somebody noted it; and names kept out of sets."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass

from app.errors import Refused

MOST_LETTERS = 500
_SHORTEST = 3
"""A pseudonym of one or two letters stands in any text."""
_PLAIN = frozenset(
    ("camera", "clip", "learner", "lesson", "recording", "sample", "session", "video", "webcam")
)
"""Titles that name nobody, and that a note may well hold."""


@dataclass(frozen=True, slots=True)
class Consent:
    """What a person noted about the consent to use a video. Printed on the data card."""

    note: str
    """Such as `guardian signed for research, form of 2026-03-02`; names nobody."""
    by: str
    """Who noted it; never leaves the library."""
    at: str
    """UTC, ISO 8601."""


def consent_setting(lesson_id: str) -> str:
    """Give the name under which a library keeps the consent to a video."""
    return f"consent: {lesson_id}"


def read_consent(kept: str) -> Consent | None:
    """Read what a library keeps; `None` where nothing, or an empty note, was kept."""
    consent = Consent(**json.loads(kept)) if kept else None
    return consent if consent is not None and consent.note else None


def write_consent(note: str, by: str, at: str, names: Iterable[str]) -> str:
    """Write a note as a library keeps it; an empty one takes the consent back.

    Args:
        note: As typed.
        by: Who noted it.
        at: When.
        names: What must not stand in it: learners' names and titles of recordings.

    Raises:
        Refused: The note is too long, or names a learner.
    """
    sound = " ".join(note.split())
    if len(sound) > MOST_LETTERS:
        raise Refused(
            f"The note on consent is longer than {MOST_LETTERS} letters.",
            "Keep the form itself elsewhere, and note here what it allows.",
        )
    refuse_names(sound, names, "The note on consent")
    return json.dumps(asdict(Consent(sound, by, at)), ensure_ascii=False)


def refuse_names(text: str, names: Iterable[str], what: str) -> None:
    """Let a text through only when it names no learner.

    Raises:
        Refused: It does.
    """
    found = name_in(text, names)
    if found:
        raise Refused(
            f"{what} holds “{found}”, which is a learner’s name or a recording’s title.",
            "It would be printed on the data card. Say it without the name.",
        )


def name_in(text: str, names: Iterable[str]) -> str:
    """Give the first of several names that stands in a text as words of its own; else nothing."""
    for name in names:
        known = " ".join(name.split())
        if len(known) < _SHORTEST or known.casefold() in _PLAIN:
            continue
        if re.search(rf"(?<!\w){re.escape(known)}(?!\w)", text, re.IGNORECASE):
            return known
    return ""
