"""What an audit will take, step by step, before anything is asked."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from app.audit.audit_words import gate_words
from app.audit.outlook import PlannedAudit, Step, StepPlan
from app.audit.planted import Planted
from app.audit.records import AuditPlan
from views.common.words import count_words
from views.plan.rows import PlanRowsDialog
from views.plan.where import STAYS
from views.plan.words import QUANTITIES, PlanPart, part_words, plan_notes, together_words

ORDER = (2, 3, 6, 0, 1, 4, 5)
"""Places of `QUANTITIES` as they stand here: what it comes to before what it is made of."""
HEADS = ("Step", "Words go to", *(QUANTITIES[place] for place in ORDER))
STEP_WORDS = {
    Step.CHECK: "Check of the judge",
    Step.TUTOR: "Tutor",
    Step.JUDGE: "Judge",
}
LOCKED = "The gates are locked with today’s date once you start: "
ALIKE = "Planted tutors often say the same, which is scored but once."
NO_GATES = "No gate is set; what would be good enough cannot be decided afterwards."


class PlannedAuditDialog(PlanRowsDialog):
    """Accepted when the audit is to begin, or to go on.

    Args:
        planned: What is settled and what it takes.
        is_new: Whether it begins now; otherwise it was settled before.
        parent: The window it is asked over.
    """

    def __init__(
        self, planned: PlannedAudit, *, is_new: bool, parent: QWidget | None = None
    ) -> None:
        parts = [PlanPart(step_words(step), step.estimate) for step in planned.steps]
        rows = [step_row(step) for step in planned.steps]
        if len(parts) > 1:
            rows.append(("Together", "", *_in_order(together_words(parts))))
        super().__init__(
            title_words(planned, is_new=is_new),
            HEADS,
            rows,
            where_words(planned.steps),
            [
                *map(_sentence, planned.notes),
                *_gates(planned.plan, is_new=is_new),
                *plan_notes(parts),
            ],
            leaves=bool(planned.places),
            words=2,
            parent=parent,
        )


class PlannedSelfCheckDialog(PlanRowsDialog):
    """Accepted when planted tutors are to be put before the judges.

    Args:
        steps: What each judge is asked, all planted tutors together.
        parent: The window it is asked over.
    """

    def __init__(self, steps: Sequence[StepPlan], parent: QWidget | None = None) -> None:
        parts = [PlanPart(step_words(step), step.estimate) for step in steps]
        judges = count_words(len(steps), "judge")
        super().__init__(
            f"Put {len(Planted)} planted tutors before {judges}",
            HEADS,
            [step_row(step) for step in steps],
            where_words(steps),
            [ALIKE, *plan_notes(parts)],
            leaves=any(step.goes_to for step in steps),
            words=2,
            parent=parent,
        )


def title_words(planned: PlannedAudit, *, is_new: bool) -> str:
    """Write what is about to be done, with its size."""
    counts = f"{planned.responses:,} responses"
    if planned.scorings:
        counts = f"{counts} and {planned.scorings:,} scorings"
    title = planned.plan.title
    return f"Begin “{title}”: {counts}" if is_new else f"Go on with “{title}”: {counts} in all"


def step_words(step: StepPlan) -> str:
    """Name a step with its model."""
    return f"{STEP_WORDS[step.step]}: {step.model}"


def step_row(step: StepPlan) -> tuple[str, ...]:
    """Write one step in the order of `HEADS`."""
    where = step.goes_to or "this computer alone"
    return step_words(step), where, *_in_order(part_words(step.estimate))


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:].rstrip('.')}."


def _in_order(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(words[place] for place in ORDER)


def where_words(steps: Sequence[StepPlan]) -> list[str]:
    """Say of each address what goes there."""
    told = []
    for place in dict.fromkeys(step.goes_to for step in steps if step.goes_to):
        own = [step for step in steps if step.goes_to == place]
        asks = any(step.step is Step.TUTOR for step in own)
        what = "Scenes and requests" if asks else "Scenes, requests and responses"
        if asks and len({step.step for step in own}) > 1:
            what = "Scenes, requests and responses"
        names = " and ".join(dict.fromkeys(step.model for step in own))
        told.append(f"{what} go to {names}, at {place}.")
    return told or [STAYS]


def _gates(plan: AuditPlan, *, is_new: bool) -> list[str]:
    if not is_new:
        return []
    if not plan.gates:
        return [NO_GATES]
    return [LOCKED + "; ".join(map(gate_words, plan.gates)) + "."]
