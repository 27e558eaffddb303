"""Asks whether to start, once a person has seen what it will take and where it goes."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from views.common.controls import scrolling, text_label
from views.common.widgets import button
from views.plan.summary import PlanSummary
from views.plan.words import PlanPart

WIDTH_PX, WIDER_PX = 560, 720
"""For one part, and for several side by side."""


class PlanDialog(QDialog):
    """Accepted when the plan is to be started.

    Enter starts only while the keyboard is on “Start”; Esc leaves.

    Args:
        title: What is about to be done, e.g. `Code “Water” with small-4b`.
        parts: One or more, in the order in which they run.
        where: Full sentences on where frames and words go; at least one.
        leaves: Whether anything leaves this computer.
        remarks: What else a person should know, in full sentences.
        parent: The window it is asked over.

    Raises:
        ValueError: There is no part, or nobody said where it goes.
    """

    def __init__(
        self,
        title: str,
        parts: Sequence[PlanPart],
        where: Sequence[str],
        *,
        leaves: bool,
        remarks: Sequence[str] = (),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Before it starts")
        self.setModal(True)
        self.summary = PlanSummary()
        self.summary.show_plan(parts, where, leaves=leaves, remarks=remarks)
        self._start = button("Start", "Start", "It can be paused and stopped under Jobs")
        self._not_now = button("Not now", "Not now", "Nothing is asked and nothing is sent", "Esc")
        self._start.clicked.connect(self.accept)
        self._not_now.clicked.connect(self.reject)
        self._title = text_label(title, bold=True, larger=1.15)
        self.setAccessibleName(title)
        self.setAccessibleDescription(self.summary.told)
        self._inside = QWidget()
        self._area = scrolling(self._inside, "Before it starts", by_keys=True)
        self._lay_out()
        self.resize(WIDTH_PX if len(parts) == 1 else WIDER_PX, self.sizeHint().height())
        self.summary.table.setFocus()

    def showEvent(self, event: QShowEvent) -> None:
        """Take the height that all of it needs at this width, as far as the screen has it."""
        super().showEvent(event)
        self.ensurePolished()
        self.summary.table.fit_rows()
        shown = self._area.viewport()
        needed = max(
            self._inside.heightForWidth(shown.width()), self._inside.minimumSizeHint().height()
        )
        around = self.height() - shown.height()
        most = int(self.screen().availableSize().height() * 0.9)
        self.resize(self.width(), min(needed + around, most))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Let Enter press the button that has the keyboard, and nothing else."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            here = self.focusWidget()
            if isinstance(here, QPushButton):
                here.click()
            return
        super().keyPressEvent(event)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self._inside)
        # Room at the right, for a bar on a small screen.
        column.setContentsMargins(0, 0, 6, 0)
        column.addWidget(self._title)
        column.addWidget(self.summary)
        column.addStretch()
        buttons = QHBoxLayout()
        buttons.addStretch()
        buttons.addWidget(self._not_now)
        buttons.addWidget(self._start)
        whole = QVBoxLayout(self)
        whole.addWidget(self._area, 1)
        whole.addLayout(buttons)


def ask_to_start(
    title: str,
    parts: Sequence[PlanPart],
    where: Sequence[str],
    *,
    leaves: bool,
    remarks: Sequence[str] = (),
    parent: QWidget | None = None,
) -> bool:
    """Show what a plan will take and say whether it is to be started; see `PlanDialog`."""
    dialog = PlanDialog(title, parts, where, leaves=leaves, remarks=remarks, parent=parent)
    is_wanted = dialog.exec() == QDialog.DialogCode.Accepted
    dialog.deleteLater()
    return is_wanted
