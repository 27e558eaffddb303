"""When a recording was made, as far as the file says."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime

_KEYS = ("com.apple.quicktime.creationdate", "creation_time")
"""The first knows the clock of the place; the second is in UTC (Apple's and ISO's own notes)."""
_FIRST_YEAR = 1990
"""Cameras whose clock was never set write 1904 or 1970."""


def recorded_at(metadata: Mapping[str, str]) -> str:
    """Give the moment a file says it was recorded, ISO 8601 with its offset; empty without one."""
    for key in _KEYS:
        try:
            moment = datetime.fromisoformat(metadata.get(key, ""))
        except ValueError:
            continue
        if moment.year >= _FIRST_YEAR:
            moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
            return moment.isoformat(timespec="seconds")
    return ""


def day_of(moment: str) -> date:
    """Give the day of a moment, ISO 8601: on the clock it was written by, or on this computer's.

    A moment in UTC was written by a program, not read off a clock on a wall.

    Raises:
        ValueError: It is not such a moment.
    """
    read = datetime.fromisoformat(moment)
    if read.tzinfo is None:
        return read.date()
    return (read.astimezone() if not read.utcoffset() else read).date()
