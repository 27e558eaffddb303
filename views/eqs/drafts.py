"""What a rater has begun on a case and not finished: kept in the library with each key."""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass, field

from app.errors import ClerestoryError
from app.scoring.eqs import SCALE
from app.store.library import Library
from views.eqs.scores import NONE, Scores

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Begun:
    """Some of the scores, or a note without them."""

    scores: Scores = NONE
    note: str = ""


@dataclass(slots=True)
class Drafts:
    """What one person, or both together, have begun on a draw; see `read_drafts`."""

    library: Library
    name: str
    begun: dict[int, Begun] = field(default_factory=dict)
    """By output."""

    def keep(self, prediction_id: int, begun: Begun) -> None:
        """Keep what is begun on an output; an empty one is let go.

        Raises:
            StoreRefused: It holds until the program ends, but could not be written.
        """
        if begun == self.begun.get(prediction_id, Begun()):
            return
        self.begun.pop(prediction_id, None)
        if begun != Begun():
            self.begun[prediction_id] = begun
        told = {str(number): [list(one.scores), one.note] for number, one in self.begun.items()}
        self.library.set_setting(self.name, json.dumps(told, ensure_ascii=False))


def drafts_name(who: str, draw_id: int) -> str:
    """Give the name under which the library keeps what somebody has begun on a draw."""
    return f"eqs drafts of {who}: {draw_id}"


def read_drafts(library: Library, who: str, draw_id: int) -> Drafts:
    """Read what was begun; what cannot be read is left out."""
    drafts = Drafts(library, drafts_name(who, draw_id))
    try:
        told = json.loads(library.setting(drafts.name) or "{}")
        drafts.begun = {int(n): Begun(_scores(s), str(note)) for n, (s, note) in told.items()}
    except (ClerestoryError, ValueError, TypeError, AttributeError) as error:
        log.warning("%s could not be read: %s", drafts.name, error)
    return drafts


def _scores(told: list[int | None]) -> Scores:
    one, two, three = (score if score in SCALE else None for score in told)
    return one, two, three
