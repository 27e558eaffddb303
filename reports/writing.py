"""Put finished files into a folder: each appears whole, or the old one stays."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from app.errors import ReportRefused


def write_all(folder: Path, files: Mapping[str, bytes]) -> list[Path]:
    """Write files into a folder, made if need be; all are on disk before the first is replaced.

    Returns:
        Their paths, in the order given.

    Raises:
        ReportRefused: The folder cannot be written, or the disk is full. Older files are kept.
    """
    waiting: list[tuple[Path, Path]] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, data in files.items():
            waiting.append((_aside(folder, data), folder / name))
        for aside, place in waiting:
            aside.replace(place)
    except OSError as error:
        for aside, _ in waiting:
            aside.unlink(missing_ok=True)
        raise _refusal(folder, error) from error
    return [place for _, place in waiting]


def _aside(folder: Path, data: bytes) -> Path:
    handle, name = tempfile.mkstemp(prefix=".clerestory-", suffix=".part", dir=folder)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        # mkstemp makes files that only their owner can read; a page is made to be passed on.
        Path(name).chmod(0o644)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
    return Path(name)


def _refusal(folder: Path, error: OSError) -> ReportRefused:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return ReportRefused(
            f"The page could not be written to {folder}: the disk is full.",
            "Free some space, or choose a folder on another disk.",
        )
    if isinstance(error, PermissionError) or error.errno == errno.EROFS:
        return ReportRefused(
            f"The page could not be written: {folder} does not allow it.",
            "Choose another folder, or close the page if it is open in another program.",
        )
    if isinstance(error, FileExistsError | NotADirectoryError):
        return ReportRefused(
            f"The page could not be written: {folder} is not a folder.", "Choose a folder."
        )
    return ReportRefused(
        f"The page could not be written to {folder}: {error.strerror or error}.",
        "Choose another folder.",
    )
