"""What a file is, and what belongs to it, by its name alone."""

from __future__ import annotations

from pathlib import Path

MEDIA_SUFFIXES = frozenset(
    ".mp4 .mov .m4v .mkv .webm .avi .wmv .flv .3gp .mpg .mpeg .ts .mts .ogv .asf "
    ".m4a .mp3 .wav .ogg .opus .flac .aac .wma".split()
)
"""Endings taken for recordings when a folder is searched; an opened file may have any ending."""
TRANSCRIPT_SUFFIXES = (".vtt", ".srt", ".eaf", ".TextGrid")
"""Endings under which a transcript is taken along when it has its recording's name.

Only formats that are always transcripts: a `.docx` of the same name may be the lesson plan.
"""


def transcript_beside(media: Path) -> Path | None:
    """Find a transcript of the same name beside a recording, the likeliest format first."""
    for suffix in TRANSCRIPT_SUFFIXES:
        for beside in (media.with_suffix(suffix), media.with_suffix(suffix.lower())):
            if beside != media and beside.is_file():
                return beside
    return None


def is_recording(path: Path) -> bool:
    """Say whether a file is, by its name, more likely a recording than a transcript."""
    return path.suffix.lower() in MEDIA_SUFFIXES


def recordings_in(place: Path) -> list[Path]:
    """Give the recordings in a folder and below it, or the one file that was named."""
    if place.is_file():
        return [place]
    return sorted(p for p in place.rglob("*") if p.is_file() and is_recording(p))
