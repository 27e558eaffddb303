"""Asks how the student confusion report is to be, before a folder is chosen."""

from __future__ import annotations

from PySide6.QtWidgets import QCheckBox, QDialog, QHBoxLayout, QVBoxLayout, QWidget

from views.common.controls import text_label
from views.common.widgets import button

WORDS = (
    "The report has the bands over time, what was confirmed and what is only suggested, and a "
    "plain sentence on what it can and cannot say. It is for a conversation, and for no decision "
    "with consequences."
)


class ReportDialog(QDialog):
    """Accepted when a folder is to be chosen next.

    Args:
        learner: Whose report it is.
        parent: The window it is asked over.
    """

    def __init__(self, learner: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(f"Student confusion report on {learner}")
        self.setModal(True)
        self.full = QCheckBox("All pages: each event, and readers compared with the reviewer")
        self.blurred = QCheckBox("Blur faces in the pictures")
        self.blurred.setChecked(True)
        go_on = button("Choose a folder…", "Choose a folder", "The report is written into it")
        go_on.setDefault(True)
        leave = button("Cancel", "Cancel", "Nothing is written", "Esc")
        go_on.clicked.connect(self.accept)
        leave.clicked.connect(self.reject)
        row = QHBoxLayout()
        row.addStretch()
        row.addWidget(leave)
        row.addWidget(go_on)
        column = QVBoxLayout(self)
        for widget in (text_label(WORDS), self.full, self.blurred):
            column.addWidget(widget)
        column.addLayout(row)
        self.setMinimumWidth(480)
        self.setAccessibleDescription(WORDS)
