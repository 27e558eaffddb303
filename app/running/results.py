"""From the answers that are there to results: what stands for each draw, and what is missing.

A result follows from the raw answers alone, in whatever order and over however many starts of the
program they came.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from app.errors import BadAnswer
from app.running.answers import Opened
from app.running.attempts import Judged, judge, judge_sound, second_question
from app.running.plan import Draw, Plan
from app.running.questions import Question, RawAnswer, ReadAnswer, Status

if TYPE_CHECKING:
    from app.store.attempts import Attempts


@dataclass(frozen=True, slots=True)
class Result:
    """What stands for one draw of a question."""

    question: Question
    draw: int
    key: str
    status: Status
    value: Any
    """What the reader made of the answer; `None` for every failure."""
    raw: RawAnswer
    """The answer that counts: the second one where there were two."""
    opened: Opened | None = None
    """The answer apart from what stood around it, also of some failures; `None` where there is
    none, and where the text is the answer as it is."""
    error: str = ""
    """Why there is no value."""
    answer_key: str = ""
    """Of the answer in `raw`, which has a key of its own where it is the second one."""

    @property
    def has_value(self) -> bool:
        """Whether the answer can be used."""
        return self.status in (Status.OK, Status.RETRY_OK)


@dataclass(frozen=True, slots=True)
class Wanted:
    """A call that is still to be made for a draw."""

    draw: Draw
    question: Question
    """As the model is to see it."""
    key: str
    """Of that question."""
    place: int


class Ledger:
    """Keeps what is known of every draw of a plan. Draws with the same key are one."""

    def __init__(self, plan: Plan, read: ReadAnswer) -> None:
        self._plan = plan
        self._read = read
        self._settled: dict[str, Result] = {}
        self._news: list[Result] = []
        self._again: dict[str, Wanted] = {}
        self._first = {draw.key: draw for draw in plan.draws}

    def look_up(self, store: Attempts) -> None:
        """Take in every answer that is there."""
        for key, (raw, is_sound) in store.standing(self._first).items():
            draw = self._first[key]
            if not is_sound or not self._settle_sound(draw, raw):
                self.take_standing(_first_call(draw), raw, is_sound)
        second = {call.key: call for call in self._again.values()}
        for key, (raw, is_sound) in store.standing(second).items():
            self.take_standing(second[key], raw, is_sound)

    def wanted(self) -> list[Wanted]:
        """Give the calls that are still to be made, in the order of the plan."""
        return [
            self._again.get(key) or _first_call(draw)
            for key, draw in self._first.items()
            if key not in self._settled
        ]

    def judge(self, call: Wanted, raw: RawAnswer, is_sound: bool = False) -> Judged:
        """Say what an answer is worth in its place; `is_sound` says that it passed the checks."""
        read = self._read
        judged = judge_sound(raw, read) if is_sound else judge(call.question, raw, read)
        if call.place == 2 and judged.status is Status.OK:
            return replace(judged, status=Status.RETRY_OK)
        return judged

    def take_standing(self, call: Wanted, raw: RawAnswer, is_sound: bool) -> Wanted | None:
        """Take in an answer that is in the store."""
        return self.take(call, raw, self.judge(call, raw, is_sound))

    def take(self, call: Wanted, raw: RawAnswer, judged: Judged) -> Wanted | None:
        """Take in an answer; gives the second call when one is to be made."""
        key = call.draw.key
        if judged.may_ask_again and call.place == 1:
            again = second_question(call.draw.question, raw, judged.error)
            model = self._plan.facts.identity
            found = Wanted(call.draw, again, again.key(model, call.draw.draw), 2)
            self._again[key] = found
            return found
        self._settle(
            Result(
                call.draw.question,
                call.draw.draw,
                key,
                judged.status,
                judged.value,
                raw,
                None if judged.is_sound else judged.opened,
                judged.error,
                call.key,
            )
        )
        return None

    def news(self) -> list[Result]:
        """Give what was settled since this was asked last."""
        found, self._news = self._news, []
        return found

    def _settle(self, result: Result) -> None:
        self._settled[result.key] = result
        self._news.append(result)

    def _settle_sound(self, draw: Draw, raw: RawAnswer) -> bool:
        """Take in what needs no check: the short way of `take`, for tens of thousands of them."""
        try:
            value = self._read(raw.text)
        except BadAnswer:
            return False
        self._settle(
            Result(draw.question, draw.draw, draw.key, Status.OK, value, raw, answer_key=draw.key)
        )
        return True

    @property
    def count(self) -> int:
        """Draws with a result, of those that differ."""
        return len(self._settled)

    @property
    def total(self) -> int:
        """Draws that differ."""
        return len(self._first)

    def results(self) -> tuple[Result, ...]:
        """Give the results there are, in the order of the plan."""
        return tuple(
            as_named(self._settled[draw.key], draw)
            for draw in self._plan.draws
            if draw.key in self._settled
        )


def read_results(plan: Plan, store: Attempts, read: ReadAnswer) -> tuple[Result, ...]:
    """Give the results that are there, in the order of the plan; asks nothing."""
    ledger = Ledger(plan, read)
    ledger.look_up(store)
    return ledger.results()


def _first_call(draw: Draw) -> Wanted:
    return Wanted(draw, draw.question, draw.key, 1)


def as_named(result: Result, draw: Draw) -> Result:
    """Give a result under the name of the question it is asked for."""
    if result.question is draw.question:
        return result
    return replace(result, question=draw.question)
