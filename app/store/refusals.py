"""Turn what SQLite and the disk report into sentences for people."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from app.errors import StoreRefused

_MESSAGES = {
    sqlite3.SQLITE_BUSY: (
        "{name} is being written by another program.",
        "Wait until it has finished, or close it, and try again.",
    ),
    sqlite3.SQLITE_LOCKED: (
        "{name} is being written by another program.",
        "Wait until it has finished, or close it, and try again.",
    ),
    sqlite3.SQLITE_FULL: (
        "There is no room left for {name}: the last change was not kept.",
        "Free some space on that disk and try again; everything before it is safe.",
    ),
    sqlite3.SQLITE_IOERR: (
        "The disk refused to read or write {name}: the last change was not kept.",
        "Check that the disk is connected and not full, and try again.",
    ),
    sqlite3.SQLITE_READONLY: (
        "{name} can be read but not written.",
        "Copy it to a folder that you may write to, and open the copy.",
    ),
    sqlite3.SQLITE_PERM: (
        "You may not write {name}.",
        "Copy it to a folder that you may write to, and open the copy.",
    ),
    sqlite3.SQLITE_CANTOPEN: (
        "{name} could not be opened.",
        "Check that its folder is there and that you may write to it.",
    ),
    sqlite3.SQLITE_CORRUPT: (
        "{name} is damaged.",
        "Put it aside and copy the newest file in {name}-backups to its place.",
    ),
    sqlite3.SQLITE_NOTADB: (
        "{name} is not a library.",
        "Choose another file, or copy the newest file in {name}-backups to its place.",
    ),
}


@contextmanager
def plain_refusals(path: Path) -> Iterator[None]:
    """Turn failures of the disk or of another program into `StoreRefused`.

    A broken constraint or wrong SQL is a bug of ours and passes through unchanged.
    """
    try:
        yield
    except sqlite3.Error as error:
        # The low byte is the kind of failure, the rest says where it happened.
        kind = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if kind not in _MESSAGES:
            raise
        message, hint = (text.format(name=path.name) for text in _MESSAGES[kind])
        raise StoreRefused(message, hint) from error
