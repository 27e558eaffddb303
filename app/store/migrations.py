"""Numbered steps from an older library to this program's, each kept whole or not at all."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import TYPE_CHECKING

from app.store.asked_tables import lay_asked_tables
from app.store.audit_tables import lay_audit_tables, lay_kept_boards
from app.store.connections import transaction
from app.store.learner_tables import lay_learner_tables
from app.store.practice_tables import lay_practice_tables, lay_said_index
from app.store.schema import lay_tables

if TYPE_CHECKING:
    from sqlite_utils import Database

APPLICATION_ID = 0x434C5259
"""`CLRY` in the file's header: marks a library apart from other SQLite files."""

MIGRATIONS: tuple[Callable[[Database], None], ...] = (
    lay_tables,
    lay_asked_tables,
    lay_practice_tables,
    lay_learner_tables,
    lay_audit_tables,
    lay_said_index,
    lay_kept_boards,
)
"""Step n leads from version n to n + 1. Steps are only ever added at the end."""


def version_of(connection: sqlite3.Connection) -> int:
    """Give the version of a library; 0 when nothing was laid yet."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def newest_version() -> int:
    """Give the version that this program writes."""
    return len(MIGRATIONS)


def upgrade(connection: sqlite3.Connection) -> None:
    """Take the steps that are missing.

    Each is one transaction together with its number: a crash leaves the version before it. The
    version is read again inside, since another program may have been quicker.
    """
    if version_of(connection) >= newest_version():
        return
    # Not at the top: it takes longer to load than a library takes to open.
    from sqlite_utils import Database

    while version_of(connection) < newest_version():
        with transaction(connection):
            version = version_of(connection)
            if version < newest_version():
                # Without plug-ins: what others installed has no business in a library.
                MIGRATIONS[version](Database(connection, execute_plugins=False))
                connection.execute(f"PRAGMA user_version = {version + 1}")
