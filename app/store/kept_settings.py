"""Settings that belong to a library and move with it: short texts by name."""

from __future__ import annotations

import sqlite3

from app.store.rows import sound_text


def read_setting(connection: sqlite3.Connection, name: str) -> str | None:
    """Give a setting; `None` where nobody ever set it."""
    row = connection.execute("SELECT value FROM setting WHERE name = ?", (name,)).fetchone()
    return None if row is None else str(row[0])


def keep_setting(connection: sqlite3.Connection, name: str, value: str) -> None:
    """Keep a setting in the place of what stood there."""
    connection.execute(
        "INSERT INTO setting (name, value) VALUES (?, ?) "
        "ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        (name, sound_text(value)),
    )
