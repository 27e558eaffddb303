"""Single responses with all that is known of them, as they are laid before people.

Scores behind cases are shown also where a judge's pass shares are withheld: a reader can hold them
against the words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from app.audit.bank import Bank
from app.audit.cells import request_of
from app.audit.expert_records import ExpertWords
from app.audit.items import Condition, Item
from app.audit.records import Origin, Reading, Response, Scoring
from app.audit.telling import Pick

Scorings = Callable[[int], Sequence[Scoring]]
"""Gives every scoring of a response, by its number."""


@dataclass(frozen=True, slots=True)
class JudgedBy:
    """What one judge gave a response, in the order of its scorings."""

    judge: str
    scorings: tuple[Scoring, ...]

    @property
    def mean(self) -> float | None:
        """Mean of the scorings; `None` where one of them gave nothing usable."""
        scores = [one.score for one in self.scorings if one.score is not None]
        return fmean(scores) if scores and len(scores) == len(self.scorings) else None

    @property
    def nearest(self) -> Scoring:
        """The scoring nearest to the mean, which is read for its reasons; the first of several."""
        mean = self.mean
        if mean is None:
            return self.scorings[0]
        return min(self.scorings, key=lambda one: abs((one.score or 0) - mean))


@dataclass(frozen=True, slots=True)
class Told:
    """A response with its scores."""

    response: Response
    judged: tuple[JudgedBy, ...]
    """In the order of the judges of the plan; one that gave no score is left out."""


@dataclass(frozen=True, slots=True)
class Case:
    """A response with all that is known of it."""

    item: Item
    request: str
    """What the tutor was asked, under the condition."""
    notice: str
    """What it was told of who reads along; empty where nothing was said."""
    told: Told
    experts: ExpertWords | None = None
    pick: Pick | None = None
    """Why it was chosen; `None` for one that somebody opened."""
    beside: Told | None = None
    """The response that it is held against."""


class CaseBook:
    """Puts cases together.

    Args:
        bank: Items, rubrics and notices of the audit.
        judges: Their names, in the order of the plan.
        response: Gives a response by its number.
        scorings: Gives its scorings.
        experts: What experts said, by response.
    """

    def __init__(
        self,
        bank: Bank,
        judges: Sequence[str],
        response: Callable[[int], Response],
        scorings: Scorings,
        experts: Mapping[int, ExpertWords],
    ) -> None:
        self._items = {item.item_id: item for item in bank.items}
        self._notices, self._judges = bank.notices, tuple(judges)
        self._response, self._scorings, self._experts = response, scorings, experts

    def open(self, response_id: int, pick: Pick | None = None) -> Case:
        """Give the case of a response; with a pick, what it is held against as well.

        Raises:
            StoreRefused: There is no such response.
        """
        told = self._told(response_id)
        place = told.response.place
        item = self._items[place.item_id]
        return Case(
            item,
            request_of(item, place.condition),
            self._notice(told.response, place.condition),
            told,
            self._experts.get(response_id),
            pick,
            self._told(pick.beside_id) if pick and pick.beside_id else None,
        )

    def _told(self, response_id: int) -> Told:
        scorings = [one for one in self._scorings(response_id) if one.reading is Reading.UPWARD]
        judged = (
            JudgedBy(judge, own)
            for judge in self._judges
            if (own := tuple(one for one in scorings if one.judge == judge))
        )
        return Told(self._response(response_id), tuple(judged))

    def _notice(self, response: Response, condition: Condition) -> str:
        if response.origin is not Origin.TUTOR or condition.monitored is None:
            return ""
        return self._notices.monitored if condition.monitored else self._notices.unmonitored
