"""Hands the results of a run over part by part, as soon as each part is complete.

A part is what belongs together for whoever asked: the questions of a lesson, or of a window.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from app.running.plan import Draw, Plan
from app.running.questions import Question, Status
from app.running.results import Result, as_named

LOOK_S = 5.0
"""How often parts that are complete are handed over, unless somebody wants them sooner."""

Part = tuple[int, list[Result]]
"""Place of a part, and the results of all its draws in the order of the plan."""


class HandingOver:
    """Hands over each part of a plan once, when all its draws have a result.

    Args:
        plan: What is asked.
        parts: The questions of each part; a part without any is complete from the start.
        hand: Takes parts that are complete, by their places; called on the thread of the run.
        look_s: How often to hand over; `LOOK_S` if nothing is said.
    """

    def __init__(
        self,
        plan: Plan,
        parts: Sequence[Iterable[Question]],
        hand: Callable[[Sequence[Part]], None],
        look_s: float | None = None,
    ) -> None:
        self._hand, self._look_s = hand, LOOK_S if look_s is None else look_s
        places = {id(question): place for place, own in enumerate(parts) for question in own}
        self._results: list[list[Result | None]] = [[] for _ in parts]
        self._wanted: defaultdict[str, list[tuple[int, int, Draw]]] = defaultdict(list)
        for draw in plan.draws:
            place = places[id(draw.question)]
            self._wanted[draw.key].append((place, len(self._results[place]), draw))
            self._results[place].append(None)
        self._left = [len(own) for own in self._results]
        self._waiting = [place for place, left in enumerate(self._left) if not left]
        """Complete, and not handed over yet."""
        self._failed: set[int] = set()
        """Complete, but the engine failed at some of it."""
        self._looked = time.monotonic()

    def take(self, results: Iterable[Result]) -> None:
        """Take in results as the run settles them; draws with the same key are settled together."""
        for result in results:
            for place, at, draw in self._wanted.pop(result.key, ()):
                self._results[place][at] = as_named(result, draw)
                self._left[place] -= 1
                if not self._left[place]:
                    self._sort_in(place)

    def look(self) -> None:
        """Hand over what is complete; asked often, it does so now and then."""
        if time.monotonic() - self._looked >= self._look_s:
            self.hand_over(complete_only=True)
            self._looked = time.monotonic()

    def hand_over(self, *, complete_only: bool) -> None:
        """Hand over what is complete, now.

        Args:
            complete_only: Leave parts for later in which the engine failed: they are asked again
                when the run is resumed.
        """
        ready = self._waiting if complete_only else [*self._waiting, *self._failed]
        if not ready:
            return
        self._hand([(place, self._own(place)) for place in sorted(ready)])
        self._waiting = []
        if not complete_only:
            self._failed = set()

    def _sort_in(self, place: int) -> None:
        failed = any(result.status is Status.BACKEND_ERROR for result in self._own(place))
        if failed:
            self._failed.add(place)
        else:
            self._waiting.append(place)

    def _own(self, place: int) -> list[Result]:
        return [result for result in self._results[place] if result is not None]
