"""What a run over coded clips will take, one row a condition, before anything is asked."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from app.benchmark.run import Planned
from views.common.words import coder_words, count_words
from views.plan.rows import PlanRowsDialog
from views.plan.words import QUANTITIES, PlanPart, part_words, plan_notes, together_words

NOTE = "What to know"
HEADS = ("Condition", "Clips", *QUANTITIES[1:7], NOTE)
NO_MODEL = ("–", "none", "under a minute", "–", "–", "none")


class PlannedDialog(PlanRowsDialog):
    """Accepted when the run is to be started.

    Args:
        name: Of the set.
        planned: What each condition takes, with the reason where it cannot run.
        where: Full sentences on where words and frames go; at least one.
        leaves: Whether anything leaves this computer.
        parent: The window it is asked over.
    """

    def __init__(
        self,
        name: str,
        planned: Sequence[Planned],
        where: Sequence[str],
        *,
        leaves: bool,
        parent: QWidget | None = None,
    ) -> None:
        able = [each for each in planned if each.clips and not each.outcome.reason]
        parts = [PlanPart(p.outcome.coder, p.expected) for p in able if p.expected]
        rows = [plan_row(each) for each in planned]
        if len(parts) > 1:
            rows.append(("Together", "", *together_words(parts)[1:7], ""))
        super().__init__(
            f"Run {count_words(len(able), 'condition')} over “{name}”",
            HEADS,
            rows,
            where,
            _notes(planned, able, parts),
            leaves=leaves,
            can_start=bool(able),
            parent=parent,
        )
        self._put_notes_left()

    def _put_notes_left(self) -> None:
        """The last column holds a sentence, and no figure."""
        last = self.table.columnCount() - 1
        for row in range(self.table.rowCount()):
            item = self.table.item(row, last)
            if item is not None:
                item.setTextAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)


def plan_row(each: Planned) -> tuple[str, ...]:
    """Write one condition in the order of `HEADS`."""
    outcome = each.outcome
    if outcome.reason:
        blank = ("–",) * 6
        return coder_words(outcome.coder), "0", *blank, f"Cannot run: {outcome.reason}"
    words = part_words(each.expected)[1:7] if each.expected else NO_MODEL
    told = "" if each.expected else "Asks no model."
    if outcome.left_out:
        count = count_words(len(outcome.left_out), "clip")
        told = f"{told} {count} left out: {outcome.left_out[0][1]}".strip()
    return coder_words(outcome.coder), str(each.clips), *words, told


def _notes(
    planned: Sequence[Planned], able: Sequence[Planned], parts: Sequence[PlanPart]
) -> list[str]:
    told = list(plan_notes(parts)) if parts else []
    if not able:
        told.append("None of these can run; the reasons stand beside them.")
    elif len(able) < len(planned):
        told.append("What cannot run is left out, and named in the results with its reason.")
    return told
