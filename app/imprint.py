"""What stands on every page and in every file we write: when, and by which program."""

from __future__ import annotations

from datetime import UTC, datetime
from importlib.metadata import version


def now_in_seconds() -> str:
    """Give the present in UTC, ISO 8601 to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def program_name() -> str:
    """Give name and version, e.g. `Clerestory 0.1.0`."""
    return f"Clerestory {version('clerestory')}"
