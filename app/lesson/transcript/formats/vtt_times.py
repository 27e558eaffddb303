"""WebVTT's times, exactly as strict as its standard: three decimals, two digits, no commas."""

from __future__ import annotations

import re
from dataclasses import dataclass

_TIME = r"(?:(\d+):([0-5]\d):([0-5]\d)|([0-5]\d):([0-5]\d))\.(\d{3})(?!\d)"
_ONE = re.compile(_TIME, re.ASCII)
_TIMINGS = re.compile(rf"[ \t\f\r]*{_TIME}[ \t\f\r]*-->[ \t\f\r]*{_TIME}", re.ASCII)
_MOST_HOURS = 9
"""Digits of hours beyond which a number is no time but a fault; ten digits are a million years."""


@dataclass(frozen=True, slots=True)
class Timings:
    """Start and end of a cue in milliseconds; the end may come first in a faulty file."""

    start_ms: int
    end_ms: int


def read_vtt_time(text: str) -> int | None:
    """Give the milliseconds of `mm:ss.mmm` or `h:mm:ss.mmm`, or `None`."""
    match = _ONE.fullmatch(text)
    return None if match is None else _milliseconds(match.groups())


def read_timings(line: str) -> Timings | None:
    """Read the line that gives a cue's times; what follows them does not matter."""
    match = _TIMINGS.match(line)
    if match is None:
        return None
    start, end = _milliseconds(match.groups()[:6]), _milliseconds(match.groups()[6:])
    return None if start is None or end is None else Timings(start, end)


def _milliseconds(groups: tuple[str | None, ...]) -> int | None:
    hours, minutes, seconds, short_minutes, short_seconds, thousandths = groups
    if len(hours or "") > _MOST_HOURS:
        return None
    whole = int(hours or 0) * 3600 + int(minutes or short_minutes or 0) * 60
    return (whole + int(seconds or short_seconds or 0)) * 1000 + int(thousandths or 0)
