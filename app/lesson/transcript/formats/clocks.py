"""Times as people and programs write them, as whole milliseconds."""

from __future__ import annotations

import re
from dataclasses import dataclass

_CLOCK = re.compile(r"(?:(\d{1,4}):)?(\d{1,4}):(\d{1,2})(?:[.,](\d{1,9}))?", re.ASCII)
_SECONDS = re.compile(r"(\d{1,9})(?:[.,](\d{1,9}))?\s*s?", re.ASCII)
_SPELT = re.compile(
    r"(?:(\d{1,3})\s*(?:hours?|hrs?|h)[\s,]*)?"
    r"(?:(\d{1,4})\s*(?:minutes?|mins?|m)[\s,]*)?"
    r"(?:(\d{1,4})\s*(?:seconds?|secs?|s))?",
    re.ASCII | re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Clock:
    """A time in its parts, before it is settled what the parts mean."""

    first: int
    """Hours; in some files really minutes. May be 24 or more in what Excel stored."""
    second: int
    third: int
    milliseconds: int
    parts: int
    """How many of the three the file wrote: 2 for `5:33`, 3 for `0:05:33`."""

    @property
    def as_hours_ms(self) -> int:
        """Read as hours, minutes, seconds."""
        whole = (self.first * 60 + self.second) * 60 + self.third
        return whole * 1000 + self.milliseconds

    @property
    def as_minutes_ms(self) -> int:
        """Read as minutes and seconds with two noughts behind them."""
        return (self.first * 60 + self.second) * 1000


def split_clock(text: str) -> Clock | None:
    """Read `h:mm:ss`, `m:ss`, with or without a fraction, or give `None`.

    Minutes and seconds after an hour must be below 60; alone, minutes may be more.
    """
    match = _CLOCK.fullmatch(text.strip())
    if match is None:
        return None
    hours, minutes, seconds = int(match[1] or 0), int(match[2]), int(match[3])
    if seconds > 59 or (match[1] is not None and minutes > 59):
        return None
    parts = 3 if match[1] is not None else 2
    return Clock(hours, minutes, seconds, thousandths(match[4]), parts)


def read_clock(text: str) -> int | None:
    """Give the milliseconds of `h:mm:ss.mmm` or `m:ss`, or `None`."""
    clock = split_clock(text)
    return None if clock is None else clock.as_hours_ms


def read_seconds(text: str) -> int | None:
    """Give the milliseconds of `12`, `12.5` or `12,5 s`, or `None`."""
    match = _SECONDS.fullmatch(text.strip())
    return None if match is None else int(match[1]) * 1000 + thousandths(match[2])


def read_spelt(text: str) -> int | None:
    """Give the milliseconds of `1 hour 0 minutes 5 seconds` in any of its short forms."""
    match = _SPELT.fullmatch(text.strip())
    if match is None or not any(match.groups()):
        return None
    hours, minutes, seconds = (int(part or 0) for part in match.groups())
    return ((hours * 60 + minutes) * 60 + seconds) * 1000


def thousandths(digits: str | None) -> int:
    """Give the milliseconds of a decimal fraction's digits, cut off after the third."""
    return int((digits or "0")[:3].ljust(3, "0"))
