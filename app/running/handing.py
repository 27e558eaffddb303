"""Hands the results of a run over part by part, as soon as each part is complete.

A part is what belongs together for whoever asked: the questions of a lesson, or of a window.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, takewhile
from typing import TYPE_CHECKING

from app.running.plan import Draw, Plan
from app.running.questions import Question, ReadAnswer, Status
from app.running.results import Result, read_results

if TYPE_CHECKING:
    from app.store.attempts import Attempts

LOOK_S = 5.0
"""How often a run looks whether a part is complete, unless somebody wants it sooner."""

_AT_ONCE = 200
"""Draws looked up at once while a run is under way."""

Part = tuple[int, list[Result]]
"""Place of a part, and the results of all its draws in the order of the plan."""


class HandingOver:
    """Hands over each part of a plan once, when all its draws have a result.

    Args:
        plan: Questions in the order of their parts.
        parts: The questions of each part; a part without any is complete from the start.
        attempts: Where answers are.
        read: Reads an answer.
        hand: Takes parts that are complete, by their places; called on the thread of the run.
        look_s: How often to look; `LOOK_S` if nothing is said.
    """

    def __init__(
        self,
        plan: Plan,
        parts: Sequence[Iterable[Question]],
        attempts: Attempts,
        read: ReadAnswer,
        hand: Callable[[Sequence[Part]], None],
        look_s: float | None = None,
    ) -> None:
        self._plan, self._attempts, self._read = plan, attempts, read
        self._hand, self._look_s = hand, LOOK_S if look_s is None else look_s
        places = {id(question): place for place, own in enumerate(parts) for question in own}
        self._draws: list[list[Draw]] = [[] for _ in parts]
        for draw in plan.draws:
            self._draws[places[id(draw.question)]].append(draw)
        self._places = places
        self._waiting = list(range(len(parts)))
        self._looked = time.monotonic()

    def look(self) -> None:
        """Hand over what is complete, from the front; asked often, it looks now and then.

        Questions are put in the order of the parts, so that behind one that is not complete there
        is hardly one that is.
        """
        if time.monotonic() - self._looked < self._look_s:
            return
        complete: list[Part] = []
        for places in self._batches():
            found = self._stored(places)
            good = list(takewhile(self._is_complete, found))
            complete += good
            if len(good) < len(found):
                break
        self._give(complete)
        self._looked = time.monotonic()

    def hand_over(self, results: Sequence[Result] | None = None, *, complete_only: bool) -> None:
        """Hand over the rest, at the end of a run.

        Args:
            results: Of the whole run; read from the store when not given.
            complete_only: Leave parts for later in which the engine failed: they are asked again
                when the run is resumed.
        """
        if results is None:
            found = self._stored(self._waiting)
        else:
            found = [(place, []) for place in self._waiting]
            own = dict(found)
            for result in results:
                place = self._places[id(result.question)]
                if place in own:
                    own[place].append(result)
        self._give(
            [
                part
                for part in found
                if self._is_complete(part)
                or (not complete_only and len(part[1]) == len(self._draws[part[0]]))
            ]
        )

    def _batches(self) -> Iterator[list[int]]:
        """Give the parts that wait, so many at a time that few draws are looked up at once."""
        sizes, total = {}, 0
        for place in self._waiting:
            sizes[place] = total // _AT_ONCE
            total += len(self._draws[place])
        for _, batch in groupby(sizes, key=sizes.__getitem__):
            yield list(batch)

    def _stored(self, places: Sequence[int]) -> list[Part]:
        draws = tuple(draw for place in places for draw in self._draws[place])
        plan = Plan(self._plan.title, self._plan.facts, draws)
        found: dict[int, list[Result]] = {place: [] for place in places}
        for result in read_results(plan, self._attempts, self._read):
            found[self._places[id(result.question)]].append(result)
        return list(found.items())

    def _is_complete(self, part: Part) -> bool:
        place, results = part
        failed = any(result.status is Status.BACKEND_ERROR for result in results)
        return len(results) == len(self._draws[place]) and not failed

    def _give(self, parts: Sequence[Part]) -> None:
        if parts:
            gone = {place for place, _ in parts}
            self._hand(parts)
            self._waiting = [place for place in self._waiting if place not in gone]
