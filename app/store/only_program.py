"""Tell whether this is the only program that has a library open.

The system lets go of a lock when its program dies, however it dies; so a lock that can be taken
proves that nobody else is there. SQLite's own lock on an empty file works on every system.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path


class OnlyProgram:
    """A lock that the first program to open a library holds until it closes or dies."""

    def __init__(self, library: Path) -> None:
        self._path = library.with_name(f"{library.name}-lock")
        self._connection: sqlite3.Connection | None = None

    def take(self) -> bool:
        """Try to be the only one; says whether that worked."""
        connection = sqlite3.connect(
            self._path, timeout=0, isolation_level=None, check_same_thread=False
        )
        try:
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError:
            connection.close()
            return False
        self._connection = connection
        return True

    def release(self) -> None:
        """Let another program be the first."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
