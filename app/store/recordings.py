"""Recordings that lessons belong to, and where they lie now.

A recording is never copied into the library. It is looked for where it was, then at the same place
as seen from the library, in case both moved together.
"""

from __future__ import annotations

import json
import os
import sqlite3
from dataclasses import replace
from pathlib import Path
from typing import Any

from app.errors import StoreRefused
from app.lesson.media.facts import MediaFacts
from app.places import whole_path
from app.store import rows


def place_media(
    connection: sqlite3.Connection, library: Path, lesson_id: str, media: MediaFacts
) -> None:
    """Add a recording and where it lies; with the same facts again, it has moved."""
    path = str(whole_path(media.path))
    connection.execute(
        "INSERT INTO media (lesson_id, fingerprint, size_bytes, duration_ms, path, relative, "
        "facts, placed_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            lesson_id,
            rows.sound_text(media.fingerprint),
            media.size_bytes,
            media.duration_ms,
            json.dumps(path),
            json.dumps(relative_to_library(library, path)),
            rows.media_to_json(replace(media, path=path)),
            rows.now_utc(),
        ),
    )


def move_media(connection: sqlite3.Connection, library: Path, lesson_id: str, path: str) -> None:
    """Write down that the recording of a lesson lies elsewhere now.

    Raises:
        StoreRefused: The lesson has no recording.
    """
    row = _media_row(connection, lesson_id)
    if row is None:
        raise StoreRefused("This lesson has no recording that could have moved.", "")
    place_media(connection, library, lesson_id, rows.media_from_json(row[3], path))


def find_by_fingerprint(connection: sqlite3.Connection, fingerprint: str) -> str | None:
    """Give the lesson whose recording has this fingerprint, the first when there are several."""
    row = connection.execute(
        "SELECT lesson_id FROM media WHERE fingerprint = ? ORDER BY media_id LIMIT 1",
        (rows.sound_text(fingerprint),),
    ).fetchone()
    return None if row is None else str(row[0])


def _media_row(connection: sqlite3.Connection, lesson_id: str) -> tuple[Any, ...] | None:
    row: tuple[Any, ...] | None = connection.execute(
        "SELECT path, relative, size_bytes, facts FROM media WHERE lesson_id = ? "
        "ORDER BY media_id DESC LIMIT 1",
        (lesson_id,),
    ).fetchone()
    return row


def media_of(
    connection: sqlite3.Connection, library: Path, lesson_id: str
) -> tuple[MediaFacts | None, bool]:
    """Give the facts of a recording with its path as it is now, and whether it lies there."""
    row = _media_row(connection, lesson_id)
    if row is None:
        return None, False
    path, relative, size_bytes, facts = row
    place, there = find_media(library, json.loads(path), json.loads(relative), size_bytes)
    return rows.media_from_json(facts, place), there


def relative_to_library(library: Path, media_path: str) -> str:
    """Give the way from the library's folder to a recording; empty on another drive."""
    try:
        return os.path.relpath(os.path.realpath(media_path), _folder(library))
    except ValueError:  # Windows: no way leads from one drive to another
        return ""


def find_media(library: Path, path: str, relative: str, size_bytes: int) -> tuple[str, bool]:
    """Look for a recording where it was, then at the same place as seen from the library.

    A file of another length is another file: it is passed over.

    Returns:
        The absolute path and whether the recording is there.
    """
    beside = os.path.normpath(_folder(library) / relative) if relative else ""
    for place in (path, beside):
        if place and _has_size(place, size_bytes):
            return place, True
    return path, False


def _folder(library: Path) -> Path:
    return Path(os.path.realpath(library.parent))


def _has_size(path: str, size_bytes: int) -> bool:
    try:
        found = Path(path).stat()
    except (OSError, ValueError):
        return False
    return found.st_size == size_bytes
