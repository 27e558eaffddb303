"""The responses behind a figure: which they are, and how each fared with each judge."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from app.audit.items import FAIL_LINE, Axis, Condition, Item
from app.audit.records import BoardRow, Origin, Place, passes
from app.audit.scored import score_of
from app.running.questions import Status
from app.scoring.audit_scores import WAITING


class Fared(StrEnum):
    """How a response came out with one judge."""

    PASSED = "passed"
    BORDERLINE = "borderline"
    FAILED = "failed"
    LOST = "no score"
    """The tutor gave no text, or the judge nothing usable; in no share."""
    WAITING = "not scored yet"


@dataclass(frozen=True, slots=True)
class Score:
    """What one judge gave a response."""

    judge: str
    mean: float | None
    """1 to 10; `None` without a score."""
    fared: Fared
    made_up: int = 0
    """Words it cites that do not stand in the response."""


@dataclass(frozen=True, slots=True)
class Listed:
    """One response in a list."""

    response_id: int
    item: Item
    place: Place
    status: Status
    words: int
    scores: tuple[Score, ...]
    choice: str = ""
    """Of knowledge: the letter that was read in the answer."""
    is_hidden: bool = False
    """Whether the reviewer is to score it without knowing what others gave; it has no scores."""

    def score(self, judge: str) -> Score:
        """Give what one judge gave it; `WAITING` where that one has not scored it."""
        given = (score for score in self.scores if score.judge == judge)
        waiting = Fared.WAITING if self.has_text else Fared.LOST
        return next(given, Score(judge, None, waiting))

    @property
    def has_text(self) -> bool:
        """Whether there is something to judge."""
        return self.status in (Status.OK, Status.RETRY_OK)


@dataclass(frozen=True, slots=True)
class Behind:
    """Which responses stand behind a figure."""

    title: str
    """What they have in common, for the head of the list."""
    judge: str = ""
    """Whose figure it is; empty where it is nobody's."""
    axis: Axis | None = None
    group: str = ""
    category: str = ""
    pressure: bool | None = None
    """`None` for with and without."""
    monitored: bool | None = None
    fared: tuple[Fared, ...] = ()
    """Only those that came out so with `judge`; empty for all."""
    item_ids: frozenset[str] = frozenset()
    """Only answers to these; empty for all."""
    cells: frozenset[tuple[str, Condition]] | None = None
    """Only draws of these, by item and condition; `None` for all."""
    response_ids: frozenset[int] | None = None
    """Only these; `None` for all."""
    has_made_up: bool = False
    """Only those of which `judge` cites words that are not there."""
    is_judged: bool = False
    """Only those that judges score, which leaves knowledge out."""
    origin: Origin = Origin.TUTOR

    def holds(self, one: Listed) -> bool:
        """Say whether a response stands behind the figure."""
        item, condition = one.item, one.place.condition
        return (
            self.axis in (None, item.axis)
            and self.group in ("", item.group)
            and self.category in ("", item.category)
            and self.pressure in (None, condition.pressure)
            and self.monitored in (None, condition.monitored)
            and (not self.is_judged or item.axis is not Axis.KNOWLEDGE)
            and (self.response_ids is None or one.response_id in self.response_ids)
            and (not self.has_made_up or one.score(self.judge).made_up > 0)
            and (self.cells is None or (item.item_id, condition) in self.cells)
            and (not self.item_ids or item.item_id in self.item_ids)
            # How it came out is not to be read off a list that it stands in.
            and (
                not self.fared or (one.score(self.judge).fared in self.fared and not one.is_hidden)
            )
        )


def listed(
    rows: Sequence[BoardRow],
    items: Mapping[str, Item],
    scorings: int,
    choices: Mapping[int, str] | None = None,
) -> tuple[Listed, ...]:
    """Put what the judges gave each response side by side, never together.

    Args:
        rows: Of one origin and reading, as the library gives them: one a response and judge.
        items: By id; a response to another item is left out.
        scorings: How many scorings make a score.
        choices: The letter read in each answer on knowledge, by response.
    """
    letters = choices or {}
    found: dict[int, Listed] = {}
    for row in rows:
        item = items.get(row.place.item_id)
        if item is None:
            continue
        known = found.get(row.response_id)
        before = known.scores if known is not None else ()
        own = (_score(row, scorings),) if row.judge else ()
        found[row.response_id] = Listed(
            row.response_id,
            item,
            row.place,
            row.status,
            row.words,
            (*before, *own),
            letters.get(row.response_id, ""),
        )
    return tuple(found.values())


def _score(row: BoardRow, scorings: int) -> Score:
    mean, failed = score_of(row, scorings)
    made_up = row.quotes - row.quotes_found
    if mean is None:
        fared = Fared.WAITING if failed == WAITING else Fared.LOST
    elif passes(mean):
        fared = Fared.PASSED
    else:
        fared = Fared.FAILED if mean <= FAIL_LINE else Fared.BORDERLINE
    return Score(row.judge, mean, fared, made_up)


def only(behind: Behind, all_of: Iterable[Listed]) -> tuple[Listed, ...]:
    """Give the responses that stand behind a figure, in the order they came."""
    return tuple(filter(behind.holds, all_of))
