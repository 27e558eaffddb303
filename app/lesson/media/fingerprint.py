"""A short name for a file's content, so that a recording that was moved is found again."""

from __future__ import annotations

import hashlib
from pathlib import Path

from app.errors import MediaRefused

_PART = 256 * 1024


def fingerprint(path: str | Path) -> str:
    """Give SHA-256, hex, of a file's size and of its first, middle and last 256 KiB.

    Reads no more than that, so that a file of many gigabytes takes no longer than a small one.
    Files of up to 768 KiB are read whole.

    Raises:
        MediaRefused: The file cannot be read.
    """
    try:
        with Path(path).open("rb") as file:
            size = file.seek(0, 2)
            digest = hashlib.sha256(f"{size}:".encode())
            for start in _starts(size):
                file.seek(start)
                digest.update(file.read(_PART))
    except (OSError, ValueError) as error:
        raise MediaRefused(
            f"{Path(path).name} cannot be read.", "Check that it is there and may be opened."
        ) from error
    return digest.hexdigest()


def _starts(size: int) -> list[int]:
    if size <= 3 * _PART:
        return list(range(0, size, _PART))
    return [0, (size - _PART) // 2, size - _PART]
