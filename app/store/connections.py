"""One SQLite connection a thread, and the two ways to use it: reading and writing."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from app.errors import StoreRefused
from app.store.refusals import plain_refusals

WAIT_MS = 10_000
"""How long a write waits for another program before it gives up."""


def connect(path: Path, wait_ms: int = WAIT_MS, *, mode: str = "rw") -> sqlite3.Connection:
    """Open an existing file, or make one with `mode="rwc"`, the way every part here expects.

    A change is on the disk when its commit returns: `synchronous=FULL`, and `fullfsync` for
    macOS, where an ordinary sync stops at the drive's own memory.
    """
    connection = sqlite3.connect(
        f"{uri_of(path)}?mode={mode}",
        uri=True,
        timeout=wait_ms / 1000,
        isolation_level=None,
        check_same_thread=False,
    )
    for pragma in (
        "foreign_keys = ON",
        "recursive_triggers = ON",  # so that INSERT OR REPLACE meets the triggers against DELETE
        "synchronous = FULL",
        "fullfsync = ON",
        "checkpoint_fullfsync = ON",
    ):
        connection.execute(f"PRAGMA {pragma}")
    return connection


def uri_of(path: Path) -> str:
    """Give a file's name as SQLite wants it, whatever signs and drives are in it.

    `Path.as_uri` names the server of a Windows share in a way that SQLite refuses.
    """
    text = path.absolute().as_posix()
    rooted = text if text.startswith("/") else f"/{text}"
    return f"file://{quote(os.fsencode(rooted))}"


def write_ahead(connection: sqlite3.Connection, wait_ms: int = WAIT_MS) -> None:
    """Switch a file to the write-ahead log, so that reading never waits for writing."""
    until_s = time.monotonic() + wait_ms / 1000
    while connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            # SQLite does not wait by itself here, where two programs open one file at once.
            busy = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
            if not busy or time.monotonic() > until_s:
                raise
            time.sleep(0.02)


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Keep everything inside together or nothing of it; durable when the block ends."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


class _Held:
    """Closes a thread's connection when the thread ends and lets go of it."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def __del__(self) -> None:
        self.connection.close()


class Connections:
    """The connections of one open library, one for each thread that asks."""

    def __init__(self, path: Path, wait_ms: int = WAIT_MS) -> None:
        self.path = path
        self._wait_ms = wait_ms
        self._local = threading.local()
        self._all: weakref.WeakSet[_Held] = weakref.WeakSet()
        self._guard = threading.Lock()
        self._closed = False

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Give a connection that sees one unchanging state of the library."""
        with plain_refusals(self.path):
            connection = self._mine()
            if connection.in_transaction:
                yield connection
                return
            connection.execute("BEGIN")
            try:
                yield connection
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Give a connection whose changes are kept together, durably, when the block ends.

        Raises:
            StoreRefused: Another program writes for too long, or the disk refuses; nothing of
                the block is kept.
        """
        with plain_refusals(self.path):
            connection = self._mine()
            with transaction(connection):
                yield connection

    @contextmanager
    def plain(self) -> Iterator[sqlite3.Connection]:
        """Give a connection outside any transaction, for what must not stand in one."""
        with plain_refusals(self.path):
            yield self._mine()

    def close(self) -> None:
        """Close the connections of all threads."""
        with self._guard:
            self._closed = True
            held = list(self._all)
        for each in held:
            each.connection.close()

    def _mine(self) -> sqlite3.Connection:
        held: _Held | None = getattr(self._local, "held", None)
        if held is not None and not self._closed:
            return held.connection
        with self._guard:
            if self._closed:
                raise StoreRefused(f"{self.path.name} is closed.", "Open the library again.")
            held = _Held(connect(self.path, self._wait_ms))
            self._all.add(held)
            self._local.held = held
        return held.connection
