"""Drawing responses for experts: how many, from what; what comes of it is said first."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QSpinBox, QVBoxLayout, QWidget

from app.audit.expert_records import PER_AXIS
from app.audit_experts import AuditExperts, AxisDraw
from app.errors import ClerestoryError
from app.scoring.intervals import SEED
from views.common.controls import scrolling, text_label
from views.common.words import count_words

MOST_PER_AXIS = 400
ABOUT = (
    "Half of what is drawn of each axis are, as far as there are so many, responses that a judge "
    "did not pass: how many bad ones a judge finds can only be said when experts see bad ones. "
    "Families and strategies are as even as can be."
)
WHO = (
    "Two or more people score all of it, each alone and under their own name (Ctrl+U), without "
    "knowing whose responses they are or what judges gave. Then they talk it over."
)


class ExpertDrawDialog(QDialog):
    """Asks how much experts are given.

    Args:
        experts: Draws, and says what would be drawn.
        audit_id: The audit to draw from.
    """

    def __init__(self, experts: AuditExperts, audit_id: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._experts, self._audit_id = experts, audit_id
        self.setWindowTitle("Draw responses for experts")
        self.setMinimumSize(560, 330)
        self.per_axis, self.seed = QSpinBox(), QSpinBox()
        self.told = text_label(bold=True)
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.draw = self._buttons.addButton("Draw", QDialogButtonBox.ButtonRole.AcceptRole)
        self._lay_out()
        for spin in (self.per_axis, self.seed):
            spin.valueChanged.connect(lambda _value: self._plan())
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)
        self._plan()

    def _plan(self) -> None:
        """Say what would be drawn."""
        try:
            planned = self._experts.plan_draw(
                self._audit_id, self.per_axis.value(), self.seed.value()
            )
        except ClerestoryError as error:
            self.draw.setEnabled(False)
            self.told.setText(f"{error.message} {error.hint}")
            return
        self.draw.setEnabled(True)
        self.told.setText(drawn_words(planned))

    def _lay_out(self) -> None:
        self.per_axis.setRange(1, MOST_PER_AXIS)
        self.per_axis.setValue(PER_AXIS)
        self.per_axis.setAccessibleName("Responses of each axis")
        self.seed.setRange(0, 2**31 - 1)
        self.seed.setValue(SEED)
        self.seed.setAccessibleName("Seed; the same one draws the same responses again")
        form = QFormLayout()
        form.addRow("Responses of each axis", self.per_axis)
        form.addRow("Seed", self.seed)
        inside = QWidget()
        told = QVBoxLayout(inside)
        told.setContentsMargins(0, 0, 0, 0)
        for label in (self.told, text_label(ABOUT), text_label(WHO)):
            told.addWidget(label)
        told.addStretch()
        column = QVBoxLayout(self)
        column.addLayout(form)
        column.addWidget(scrolling(inside, "What would be drawn", by_keys=True), 1)
        column.addWidget(self._buttons)


def drawn_words(planned: Sequence[AxisDraw]) -> str:
    """Say what would be drawn: a line an axis, and how many that is for each expert."""
    told = [
        f"{one.axis.value.capitalize()}: {one.drawn} of {count_words(one.able, 'response')}, "
        f"{one.not_passed} of them not passed by a judge."
        for one in planned
    ]
    many = sum(one.drawn for one in planned)
    return "\n".join([*told, f"Each expert scores {count_words(many, 'response')}."])
