"""What an audit will take, by its steps, before anything is asked."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Sequence
from dataclasses import dataclass
from enum import StrEnum

from app.audit.bank import Bank
from app.audit.cells import cells_of
from app.audit.checks_of_judges import JUDGED
from app.audit.records import AuditPlan, Origin, Place, Response
from app.running.plan import CHARACTERS_A_TOKEN, Estimate, duration_in_words
from app.running.questions import Status

EXPECTED_TOKENS = 200
"""Tokens of a response until the tutor has been measured; it is asked for 150 words at most."""


class Step(StrEnum):
    """What is done in an audit, in this order."""

    CHECK = "check"
    """A judge scores responses of ours whose worth is known."""
    TUTOR = "tutor"
    JUDGE = "judge"


@dataclass(frozen=True, slots=True)
class StepPlan:
    """One step with one model."""

    step: Step
    model: str
    goes_to: str
    """Address that words leave this computer for; empty when they stay."""
    estimate: Estimate


@dataclass(frozen=True, slots=True)
class PlannedAudit:
    """What is settled, and what is still to be asked for it."""

    plan: AuditPlan
    steps: tuple[StepPlan, ...]
    responses: int
    """Of the tutor, all in all."""
    scorings: int
    """Of the tutor's responses, by all judges together."""
    notes: tuple[str, ...] = ()
    """What to know before it begins: pictures that are not shown, items nobody has reviewed."""

    @property
    def calls(self) -> int:
        """Answers still to be asked for."""
        return sum(step.estimate.calls for step in self.steps)

    @property
    def seconds(self) -> float | None:
        """How long it takes; `None` while one of its models has never answered here."""
        known = [step.estimate.seconds for step in self.steps]
        return None if None in known else sum(s for s in known if s is not None)

    @property
    def costs(self) -> tuple[tuple[str, float], ...]:
        """What it costs, as far as prices are known, by currency."""
        sums: defaultdict[str, float] = defaultdict(float)
        for step in self.steps:
            if step.estimate.cost is not None:
                sums[step.estimate.currency] += step.estimate.cost
        return tuple(sorted(sums.items()))

    @property
    def places(self) -> tuple[str, ...]:
        """The addresses that words leave this computer for."""
        return tuple(sorted({step.goes_to for step in self.steps if step.goes_to}))


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an audit has come. What an engine failed at is missing, and is asked again."""

    checks: int
    """Scorings in the check of the judges."""
    checks_wanted: int
    responses: int
    responses_wanted: int
    scorings: int
    scorings_wanted: int
    """Of the responses that have come; the tutor's failures need none."""

    @property
    def is_complete(self) -> bool:
        """Whether nothing is missing."""
        return (self.checks, self.responses, self.scorings) == (
            self.checks_wanted,
            self.responses_wanted,
            self.scorings_wanted,
        )


def planned_in_words(planned: PlannedAudit) -> tuple[str, ...]:
    """Say what an audit will take, a sentence or two a line."""
    told = [
        f"{planned.responses:,} responses of the tutor and {planned.scorings:,} scorings of them; "
        f"{planned.calls:,} answers are still to be asked for."
    ]
    if planned.calls:
        hours = planned.seconds
        told.append(
            f"It takes about {duration_in_words(hours)}."
            if hours is not None
            else "How long it takes is known once each model has answered something here."
        )
    told += [f"It costs about {cost:,.2f} {currency}." for currency, cost in planned.costs]
    told.append(
        f"Words leave this computer for {' and '.join(planned.places)}."
        if planned.places
        else "Nothing leaves this computer."
    )
    return (*told, *planned.notes)


def to_be_judged(
    plan: AuditPlan, bank: Bank, there: Container[Place], tokens: float | None
) -> tuple[Response, ...]:
    """Give stand-ins for the responses that are still to come and to be scored, to reckon with.

    Args:
        plan: What is settled.
        bank: Its items.
        there: Of responses that have come.
        tokens: Of a response, on average; `None` until that is known.
    """
    length = round((tokens or EXPECTED_TOKENS) * CHARACTERS_A_TOKEN)
    return tuple(
        _stand_in(place, length) for place in judged_places(plan, bank) if place not in there
    )


def judged_places(plan: AuditPlan, bank: Bank) -> Sequence[Place]:
    """Give every draw of every cell whose response judges score."""
    return [
        Place(cell.item.item_id, cell.condition, draw)
        for cell in cells_of(plan, bank)
        if cell.item.axis in JUDGED
        for draw in range(cell.draws)
    ]


def _stand_in(place: Place, length: int) -> Response:
    # Named by its place, so that no two are taken for the same question.
    name = f"{place.item_id} {place.condition.name} {place.draw} "
    return Response(0, Origin.TUTOR, place, Status.OK, name + "." * max(0, length - len(name)))
