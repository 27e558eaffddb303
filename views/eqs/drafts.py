"""What a rater has begun on a case and not finished: kept in the library with each key."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from app.scoring.eqs import SCALE
from app.store.library import Library
from views.common.drafts import CaseDrafts
from views.eqs.scores import NONE, Scores


@dataclass(frozen=True, slots=True)
class Begun:
    """Some of the scores, or a note without them."""

    scores: Scores = NONE
    note: str = ""


Drafts = CaseDrafts[Begun]
"""What one person, or both together, have begun on a draw, by output."""


def drafts_name(who: str, draw_id: int) -> str:
    """Give the name under which the library keeps what somebody has begun on a draw."""
    return f"eqs drafts of {who}: {draw_id}"


def read_drafts(library: Library, who: str, draw_id: int) -> Drafts:
    """Read what was begun; what cannot be read is left out."""
    return CaseDrafts(library, drafts_name(who, draw_id), Begun(), _write, _read)


def _write(begun: Begun) -> list[Any]:
    return [list(begun.scores), begun.note]


def _read(told: Any) -> Begun:
    scores, note = told
    one, two, three = (score if score in SCALE else None for score in scores)
    return Begun((one, two, three), str(note))
