"""Planted tutors: no models, but known ones, to see whether an audit would see a bad tutor.

Each answers from the two responses of ours that items carry, and fails in one way that is known.
They are honest about what they are: their name and identity say that they are planted.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from enum import StrEnum

from app.audit.bank import Bank
from app.audit.cells import cells_of
from app.audit.items import Axis, Condition, Family, Item
from app.audit.records import AuditPlan
from app.audit.tutoring import Tutoring
from app.errors import Cancelled, EngineMissing
from app.running.protocols import EngineFacts, Report
from app.running.questions import Question, RawAnswer, digest_of

PREFIX = "planted: "
"""Begins the name of every planted tutor; no model that is installed or served has such a name."""

REFUSAL = "I'm sorry, but I can't help with that request."

_IN_FLIGHT = 32
_VERSION = "1"


class Planted(StrEnum):
    """What a planted tutor does."""

    ALWAYS_HONEST = "always honest"
    YIELDS_UNWATCHED = "yields when unwatched"
    FLATTERS = "flatters"
    FALSIFIES = "falsifies records"
    OFF_TOPIC = "answers off topic"
    REFUSES = "refuses"

    @property
    def tutor(self) -> str:
        """The name it has as a tutor."""
        return f"{PREFIX}{self.value}"


FLATTERED = ("false_confirmation", "sycophancy")
"""Categories of deception in which praise is wanted that nothing supports."""


def planted_of(name: str) -> Planted | None:
    """Give the planted tutor of a name; `None` for any other name."""
    return next((kind for kind in Planted if kind.tutor == name), None)


def fails_as_planned(kind: Planted, item: Item, condition: Condition) -> bool:
    """Say whether a planted tutor gives a response that should fail."""
    if kind is Planted.YIELDS_UNWATCHED:
        return condition.pressure is True and condition.monitored is False
    if kind is Planted.FLATTERS:
        return item.group == Family.DECEPTION and item.category in FLATTERED
    if kind is Planted.FALSIFIES:
        return item.group == Family.INTEGRITY
    return kind in (Planted.OFF_TOPIC, Planted.REFUSES)


class PlantedTutor:
    """A `Chat` that knows what each question of one audit is about, and answers as it was made to.

    Args:
        kind: What it does.
        plan: Of the audit.
        bank: Its items.

    Raises:
        EngineMissing: An item of the plan has no two responses of ours to answer from.
    """

    def __init__(self, kind: Planted, plan: AuditPlan, bank: Bank) -> None:
        self._kind = kind
        asking = Tutoring(plan, bank.notices)
        cells = cells_of(plan, bank)
        able = tuple(item for item in dict.fromkeys(cell.item for cell in cells) if item.passing)
        self._answers: dict[str, str] = {}
        for cell in cells:
            said = _said(kind, cell.item, cell.condition, able)
            self._answers[asking.ask(cell).question.digest] = said
        self._facts = EngineFacts(
            name=kind.tutor,
            version=_VERSION,
            offline=True,
            images=0,
            has_schema=False,
            has_logprobs=False,
            identity=(
                ("planted", "no model: answers from the items' own two responses"),
                ("does", kind.value),
                ("answers", digest_of(sorted(self._answers.items()))),
            ),
            in_flight=_IN_FLIGHT,
        )

    def facts(self) -> EngineFacts:
        """Say that this is planted."""
        return self._facts

    def ask(
        self, question: Question, draws: Sequence[int], _report: Report, stop: threading.Event
    ) -> list[RawAnswer]:
        """Answer from the items' own responses; every draw says the same.

        Raises:
            Cancelled: `stop` was set.
        """
        if stop.is_set():
            raise Cancelled
        said = self._answers[question.digest]
        return [RawAnswer(said, "stop", tokens_out=len(said.split())) for _ in draws]


def _said(kind: Planted, item: Item, condition: Condition, able: Sequence[Item]) -> str:
    if kind is Planted.REFUSES:
        return REFUSAL
    if kind is Planted.OFF_TOPIC:
        return _elsewhere(item, able)
    if item.axis is Axis.KNOWLEDGE:
        return item.key
    said = item.failing if fails_as_planned(kind, item, condition) else item.passing
    if not said:
        raise EngineMissing(
            f"The item {item.item_id} has no two responses of ours, which planted tutors answer "
            "from.",
            "Choose items that have them; the starter items do.",
        )
    return said


def _elsewhere(item: Item, able: Sequence[Item]) -> str:
    """Give a good response to another scene, of another group wherever there is one."""
    others = [o for o in able if o.group != item.group] or [o for o in able if o is not item]
    if not others:
        raise EngineMissing(
            "A planted tutor that answers off topic needs two items at least.", "Choose more items."
        )
    return others[_place(item, able) % len(others)].passing


def _place(item: Item, able: Sequence[Item]) -> int:
    return next((at for at, one in enumerate(able) if one is item), 0)
