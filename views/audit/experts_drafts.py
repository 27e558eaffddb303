"""What an expert has begun on a response and not kept as a score yet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from app.audit.items import BAND_POINTS
from app.store.library import Library
from views.common.drafts import CaseDrafts


@dataclass(frozen=True, slots=True)
class Begun:
    """A band, a point of it, a note, or none of them yet."""

    band: int | None = None
    upper: bool | None = None
    note: str = ""


def begun_of(score: int, note: str = "") -> Begun:
    """Give what stands of a score of 1 to 10: its band and point."""
    at = next(n for n, (_, high) in enumerate(BAND_POINTS) if score <= high)
    return Begun(at + 1, score == BAND_POINTS[at][1], note)


Drafts = CaseDrafts[Begun]
"""What one person, or all together, have begun on a draw, by response."""


def drafts_name(who: str, draw_id: int) -> str:
    """Give the name under which the library keeps what somebody has begun on a draw."""
    return f"expert drafts of {who.casefold()}: {draw_id}"


def read_drafts(library: Library, who: str, draw_id: int) -> Drafts:
    """Read what was begun; what cannot be read is left out."""
    return CaseDrafts(library, drafts_name(who, draw_id), Begun(), _write, _read)


def _write(begun: Begun) -> list[Any]:
    return [begun.band, begun.upper, begun.note]


def _read(told: Any) -> Begun:
    band, upper, note = told
    if band not in (None, 1, 2, 3, 4, 5) or upper not in (None, False, True):
        raise ValueError(f"no such band or point: {band}, {upper}")
    return Begun(band, upper, str(note))
