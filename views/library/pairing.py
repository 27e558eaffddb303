"""Make lessons out of the files that were dropped: recordings, transcripts, or both together."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from app.lesson.file_names import MEDIA_SUFFIXES


@dataclass(frozen=True, slots=True)
class Found:
    """Files that make one lesson; at least one of the two is given."""

    media: Path | None
    transcript: Path | None


def pair_files(paths: Sequence[Path]) -> list[Found]:
    """Pair recordings with transcripts of the same name; one of each is a pair whatever the names.

    A transcript may add to the name, as programs do: `lesson.en.vtt`, `lesson_transcript.txt`.
    """
    media = [p for p in paths if p.suffix.lower() in MEDIA_SUFFIXES]
    texts = [p for p in paths if p not in media]
    if len(media) == len(texts) == 1:
        return [Found(media[0], texts[0])]
    found = []
    for recording in media:
        text = _of_same_name(recording, texts)
        if text is not None:
            texts.remove(text)
        found.append(Found(recording, text))
    return [*found, *(Found(None, text) for text in texts)]


def _of_same_name(recording: Path, texts: Sequence[Path]) -> Path | None:
    stem = _folded(recording.stem)
    starting = [t for t in texts if _starts(_folded(t.stem), stem)]
    return min(starting, key=lambda t: len(t.stem)) if starting else None


def _starts(name: str, stem: str) -> bool:
    """`lesson1` must not take the transcript of `lesson10`: a letter or digit may not follow."""
    return name.startswith(stem) and not name[len(stem) : len(stem) + 1].isalnum()


def _folded(name: str) -> str:
    # A Mac writes é as two characters, other systems as one.
    return unicodedata.normalize("NFC", name).casefold()
