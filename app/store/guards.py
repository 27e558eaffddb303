"""Guards in the database itself: tables whose rows are only ever added."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlite_utils import Database


def only_add_to(db: Database, tables: Iterable[str]) -> None:
    """Refuse from now on that a row of these tables is changed or removed, whoever asks."""
    for name in tables:
        for event in ("UPDATE", "DELETE"):
            db.execute(
                f"CREATE TRIGGER {name}_no_{event.lower()} BEFORE {event} ON {name} "
                f"BEGIN SELECT RAISE(ABORT, '{name} is only ever added to'); END"
            )
