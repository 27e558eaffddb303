"""Subtitle formats of old players. pysubs2 reads most of them.

Not TMPlayer, whose captions before the start pysubs2 drops and whose ends it makes up.
"""

from __future__ import annotations

import re

import pysubs2

from app.errors import TranscriptRefused
from app.lesson.transcript.formats.drafts import Draft, Found, split_lines
from app.lesson.transcript.formats.names import name_lines

_MPL2 = re.compile(r"\[-?\d+\]\[-?\d*\]")
_MICRODVD = re.compile(r"\{\d+\}\{\d*\}")
_TMPLAYER = re.compile(r"(-?)(\d{1,2}):(\d{2}):(\d{2})[:=](.*)", re.ASCII)
_SSA = re.compile(r"\s*\[Script Info\]", re.IGNORECASE)


def find_old_format(text: str) -> str:
    """Name the old format of a text by its first lines, or give an empty string."""
    if _SSA.match(text):
        return "ass"
    lines = [line for line in split_lines(text[:20_000]) if line.strip()][:20]
    for name, pattern in (("mpl2", _MPL2), ("microdvd", _MICRODVD), ("tmp", _TMPLAYER)):
        if lines and sum(1 for line in lines if pattern.match(line)) * 2 > len(lines):
            return name
    return ""


def read_old(text: str, name: str, kind: str) -> Found:
    """Read one of the formats that `find_old_format` names.

    Raises:
        TranscriptRefused: pysubs2 cannot make sense of it.
    """
    drafts = _tmplayer(text) if kind == "tmp" else _by_pysubs2(text, name, kind)
    lines, notes = name_lines(drafts, thing="caption")
    if kind == "tmp":
        notes.append("TMPlayer files give only the start of each caption.")
    source = "import:tmplayer" if kind == "tmp" else f"import:{kind}"
    return Found(source, lines, notes=notes, sort=True, line_name="caption")


def _tmplayer(text: str) -> list[Draft]:
    drafts = []
    for line in split_lines(text):
        match = _TMPLAYER.fullmatch(line.strip())
        if match is None:
            continue
        hours, minutes, seconds = int(match[2]), int(match[3]), int(match[4])
        start_ms = ((hours * 60 + minutes) * 60 + seconds) * 1000
        drafts.append(Draft(_broken(match[5]), -start_ms if match[1] else start_ms))
    return drafts


def _by_pysubs2(text: str, name: str, kind: str) -> list[Draft]:
    try:
        found = pysubs2.SSAFile.from_string(text, format_=kind)
    except (pysubs2.Pysubs2Error, ValueError, OverflowError, IndexError, KeyError) as error:
        raise TranscriptRefused(
            f"{name} looks like {kind.upper()} subtitles, but cannot be read as such.",
            "Save it as SubRip (.srt) or WebVTT (.vtt) where it was made, and import that.",
        ) from error
    return [
        Draft(_broken(event.plaintext), event.start, event.end, event.name or "")
        for event in found
        if not event.is_comment
    ]


def _broken(text: str) -> str:
    """Put line ends where these formats write a bar, and drop the slash of italics."""
    return "\n".join(line.removeprefix("/") for line in text.replace("|", "\n").split("\n"))
