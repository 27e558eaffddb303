"""Where a recording lies: beside the library when both moved together, else where it was."""

from __future__ import annotations

import os
from pathlib import Path


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
