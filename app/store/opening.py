"""What is looked at before a file is opened as a library, so that no other file is ever harmed."""

from __future__ import annotations

import os
import secrets
import sqlite3
from contextlib import closing
from pathlib import Path

from app.errors import StoreRefused
from app.store import migrations
from app.store.backups import backup_folder, sync
from app.store.connections import connect, transaction
from app.store.refusals import plain_refusals

_MAGIC = b"SQLite format 3\0"
_HEADER_BYTES = 100
_OLDEST_SQLITE = (3, 37, 0)
"""The first with STRICT tables; everything else here is older."""


def check_sqlite() -> None:
    """Refuse to work with a SQLite that lacks what the tables need.

    Raises:
        StoreRefused: It is too old.
    """
    if sqlite3.sqlite_version_info < _OLDEST_SQLITE:
        raise StoreRefused(
            f"This Python brings SQLite {sqlite3.sqlite_version}, which is too old.",
            "Use a Python with SQLite 3.37 or newer.",
        )


def check_file(path: Path) -> None:
    """Look at a file from outside: is it a library, and is all of it there?

    Not for a file that this program has open already: on Linux and macOS, closing any handle on a
    file gives away the locks that SQLite holds on it.

    Raises:
        StoreRefused: It is not; nothing was touched.
    """
    try:
        if path.is_dir():
            raise StoreRefused(f"{path.name} is a folder.", "Choose a library file.")
        with path.open("rb") as file:
            header = file.read(_HEADER_BYTES)
            size = file.seek(0, os.SEEK_END)
        # SQLite itself would notice late: it first writes only to the log beside the file.
        with path.open("r+b"):
            pass
    except PermissionError as error:
        raise StoreRefused(
            f"You may not write {path.name}.",
            "Copy it to a folder that you may write to, and open the copy.",
        ) from error
    except OSError as error:
        raise StoreRefused(
            f"{path.name} could not be read: {error.strerror or error}.",
            "Check that you may read it, and that its disk is connected.",
        ) from error
    if not header.startswith(_MAGIC[: max(len(header), 1)]):
        raise StoreRefused(f"{path.name} is not a library.", "Choose another file.")
    if len(header) < _HEADER_BYTES:
        raise _cut_off(path)
    if int.from_bytes(header[68:72], "big") != migrations.APPLICATION_ID:
        raise StoreRefused(
            f"{path.name} is a database of another program.", "Choose a library of this program."
        )
    # With a log beside it, the end of the file may still be in the log.
    if size < _stated_size(header) and not _has_log(path):
        raise _cut_off(path)


def check_version(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse what a newer program made: this one would not know what it destroys.

    Raises:
        StoreRefused: Both versions are named.
    """
    found, known = migrations.version_of(connection), migrations.newest_version()
    if found > known:
        raise StoreRefused(
            f"{path.name} was made by a newer program: it has version {found}, "
            f"and this program knows versions up to {known}.",
            "Install the newer program to open it; nothing was changed.",
        )


def check_writable(connection: sqlite3.Connection) -> None:
    """Ask for the right to write and give it back; SQLite refuses where there is none."""
    with transaction(connection):
        pass


def make_library(path: Path) -> None:
    """Make an empty library, which appears under its name only when it is whole.

    Raises:
        StoreRefused: The folder is missing, full or may not be written.
    """
    half_done = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with plain_refusals(path):
            _lay(half_done)
        sync(half_done)
        _give_name(half_done, path)
        sync(path.parent)
    except OSError as error:
        raise StoreRefused(
            f"{path.name} could not be made: {error.strerror or error}.",
            "Check that its folder is there and that you may write to it.",
        ) from error
    finally:
        for left in path.parent.glob(f"{half_done.name}*"):
            left.unlink(missing_ok=True)


def _lay(path: Path) -> None:
    with closing(connect(path, mode="rwc")) as connection:
        connection.execute(f"PRAGMA application_id = {migrations.APPLICATION_ID}")
        migrations.upgrade(connection)
        connection.execute("PRAGMA journal_mode = WAL")


def _give_name(half_done: Path, path: Path) -> None:
    """Rename without ever replacing: another program may have made the library meanwhile."""
    try:
        os.link(half_done, path)
    except FileExistsError:
        return
    except OSError:  # a disk without links, as on memory sticks
        if not path.exists():
            half_done.rename(path)


def _stated_size(header: bytes) -> int:
    page_size = int.from_bytes(header[16:18], "big")
    pages = int.from_bytes(header[28:32], "big")
    return (65536 if page_size == 1 else page_size) * pages


def _has_log(path: Path) -> bool:
    log = path.with_name(f"{path.name}-wal")
    return log.exists() and log.stat().st_size > 0


def _cut_off(path: Path) -> StoreRefused:
    return StoreRefused(
        f"{path.name} is cut off: a part of it is missing.",
        f"Put it aside and copy the newest file in {backup_folder(path).name} to its place.",
    )
