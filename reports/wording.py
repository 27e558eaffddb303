"""Small turns of phrase that every page needs: counts, dates, lists, undefined values."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from app.lesson.clips import Clip
from app.lesson.spans import show_time

UNDEFINED = "–"


def count(number: int, thing: str, things: str = "") -> str:
    """Write a number with its noun: `1 clip`, `2 clips`, `1,204 utterances`."""
    return f"{number:,} {thing if number == 1 else things or thing + 's'}"


def listed(parts: Sequence[str]) -> str:
    """Join parts as a person would: `a`, `a and b`, `a, b and c`."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def some(numbers: Sequence[int], most: int = 12) -> str:
    """List line numbers, the first few when there are many: `3, 7 and 9`, `1, 2, … (40 in all)`."""
    if len(numbers) <= most:
        return listed([str(n) for n in numbers])
    return f"{', '.join(str(n) for n in numbers[:most])}, … ({len(numbers):,} in all)"


def some_names(names: Sequence[str], most: int = 12) -> str:
    """List names, the first ones when there are many: `a, b, c, … (40 in all)`."""
    if len(names) <= most:
        return listed(names)
    return f"{', '.join(names[:most])}, … ({len(names):,} in all)"


def show_date(moment: str) -> str:
    """Write an ISO 8601 moment as `30 November 2026, 14:05 UTC`; unreadable ones as they are."""
    try:
        when = datetime.fromisoformat(moment)
    except ValueError:
        return moment or UNDEFINED
    zone = when.tzname() or ""
    return f"{when.day} {when:%B %Y, %H:%M} {zone}".strip()


def show_length(duration_ms: int) -> str:
    """Write a length: `3 min 48 s`, `2 h 5 min`."""
    whole_s = duration_ms // 1000
    hours, minutes, seconds = whole_s // 3600, whole_s // 60 % 60, whole_s % 60
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {seconds} s" if minutes else f"{seconds} s"


def show_place(clip: Clip) -> str:
    """Say where a clip lies: its times, else its lines."""
    if clip.start_ms is not None:
        return f"{show_time(clip.start_ms)} to {show_time(clip.end_ms)}"
    return show_lines(clip)


def show_lines(clip: Clip) -> str:
    """Say which lines of the transcript a clip holds."""
    if not clip.first:
        return "no speech"
    if clip.first == clip.last:
        return f"line {clip.first}"
    return f"lines {clip.first} to {clip.last}"
