"""Writing large files so that a whole one arrives or none: hashing, copying, space on the disk."""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from app.errors import Cancelled, Refused
from app.models import show_size
from app.running.protocols import Report

CHUNK = 1 << 20
RESERVE_BYTES = 64 << 20
"""Left free on the disk beside what is fetched, for everything else that is written there."""
_REPORT_EVERY_S = 0.2


class Progress:
    """Adds up bytes and tells of them a few times a second.

    Args:
        report: Takes the share and the words.
        doing: What is done, as the start of a line: `fetching Tiny`.
        total_bytes: All there is to do; 0 where not known.
    """

    def __init__(self, report: Report, doing: str, total_bytes: int) -> None:
        self._report = report
        self._doing = doing
        self._total = total_bytes
        self._last_s = 0.0
        self.done_bytes = 0

    def add(self, count: int) -> None:
        """Count bytes, or take some back when `count` is below 0."""
        self.done_bytes += count
        now = time.monotonic()
        if now - self._last_s >= _REPORT_EVERY_S:
            self._last_s = now
            self.tell()

    def tell(self) -> None:
        """Report where it stands."""
        share = min(self.done_bytes / self._total, 0.999) if self._total else 0.0
        of = f" of {show_size(self._total)}" if self._total else ""
        self._report(share, f"{self._doing}, {show_size(self.done_bytes)}{of}")


def sha256_of(path: Path, seen: Callable[[int], None], stop: threading.Event | None) -> str:
    """Give the SHA-256 of a file, read anew.

    Args:
        path: An existing file.
        seen: Takes how many bytes were read, again and again.
        stop: Ends the reading.

    Raises:
        Cancelled: `stop` was set.
        OSError: The file cannot be read.
    """
    found = hashlib.sha256()
    with path.open("rb") as file:
        while data := file.read(CHUNK):
            stop_here(stop)
            found.update(data)
            seen(len(data))
    return found.hexdigest()


def copy_file(
    source: Path, target: Path, seen: Callable[[int], None], stop: threading.Event | None
) -> str:
    """Copy a file down to the disk and give its SHA-256.

    Raises:
        Cancelled: `stop` was set.
        OSError: It cannot be read or written.
    """
    found = hashlib.sha256()
    with source.open("rb") as file, target.open("wb") as out:
        while data := file.read(CHUNK):
            stop_here(stop)
            out.write(data)
            found.update(data)
            seen(len(data))
        to_disk(out)
    return found.hexdigest()


def to_disk(file: BinaryIO) -> None:
    """Wait until what was written would survive a loss of power."""
    file.flush()
    os.fsync(file.fileno())


def stop_here(stop: threading.Event | None) -> None:
    """Raise `Cancelled` once a person has asked for it."""
    if stop is not None and stop.is_set():
        raise Cancelled


def see_space(folder: Path, needed_bytes: int) -> None:
    """See that a folder's disk has room.

    Raises:
        Refused: It has not; the message has both numbers.
    """
    free = shutil.disk_usage(folder).free
    if needed_bytes + RESERVE_BYTES > free:
        raise Refused(
            f"{show_size(needed_bytes)} are needed in {folder}, and only {show_size(free)} "
            "are free there.",
            "Free some space, or move the models to another disk with CLERESTORY_HOME.",
        )


def cannot_write(error: OSError, folder: Path) -> Refused:
    """Say in plain words why a file could not be written."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return Refused(
            f"The disk is full, or files in {folder} may not become so large.",
            "Free some space and ask again; what has arrived is kept.",
        )
    return Refused(
        f"Files in {folder} cannot be written or read: {error.strerror or error}.",
        "Look after that folder.",
    )
