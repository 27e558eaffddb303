"""What a run over coded clips will take, one row a condition, before anything is asked."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from app.benchmark.run import Planned
from views.benchmarks.table import CopyTable
from views.common.controls import text_label
from views.common.signs import Sign, SignMark
from views.common.widgets import button
from views.common.words import coder_words, count_words
from views.plan.words import QUANTITIES, PlanPart, part_words, plan_notes, together_words

NOTE = "What to know"
HEADS = ("Condition", "Clips", *QUANTITIES[1:7], NOTE)
NO_MODEL = ("–", "none", "under a minute", "–", "–", "none")


class PlannedDialog(QDialog):
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
        super().__init__(parent)
        self.setWindowTitle("Before it starts")
        self.setModal(True)
        able = [each for each in planned if each.clips and not each.outcome.reason]
        parts = [PlanPart(p.outcome.coder, p.expected) for p in able if p.expected]
        title = f"Run {count_words(len(able), 'condition')} over “{name}”"
        self._title = text_label(title, bold=True, larger=1.15)
        self.table = CopyTable("What it will take")
        rows = [plan_row(each) for each in planned]
        if len(parts) > 1:
            rows.append(("Together", "", *together_words(parts)[1:7], ""))
        self.table.show_rows(HEADS, rows, words=1)
        _left(self.table)
        sign = (Sign.WARNING, "leaves this computer") if leaves else (Sign.TICK, "stays here")
        self._sign = SignMark(*sign)
        self._where = text_label(" ".join(where), bold=True)
        self._notes = text_label(" ".join(_notes(planned, able, parts)))
        self.go = button("Start", "Start", "It can be paused and stopped under Jobs")
        self.go.setEnabled(bool(able))
        self._not_now = button("Not now", "Not now", "Nothing is asked and nothing is sent", "Esc")
        self.go.clicked.connect(self.accept)
        self._not_now.clicked.connect(self.reject)
        self.setAccessibleName(title)
        self.setAccessibleDescription(f"{self._where.text()} {self._notes.text()}")
        self._lay_out()
        self.table.setFocus()

    def _lay_out(self) -> None:
        where = QHBoxLayout()
        where.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        where.addWidget(self._where, 1)
        buttons = QHBoxLayout()
        buttons.addStretch()
        buttons.addWidget(self._not_now)
        buttons.addWidget(self.go)
        column = QVBoxLayout(self)
        column.setSpacing(10)
        column.addWidget(self._title)
        column.addLayout(where)
        column.addWidget(self.table, 1)
        column.addWidget(self._notes)
        column.addLayout(buttons)
        self.resize(980, 420)


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


def _left(table: CopyTable) -> None:
    last = table.columnCount() - 1
    for row in range(table.rowCount()):
        item = table.item(row, last)
        if item is not None:
            item.setTextAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
