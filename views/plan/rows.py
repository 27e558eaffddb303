"""What something of several parts will take, one row a part, before anything is asked."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from views.benchmarks.table import CopyTable
from views.common.controls import text_label
from views.common.signs import Sign, SignMark
from views.common.widgets import button


class PlanRowsDialog(QDialog):
    """Accepted when it is to be started.

    Args:
        title: What is about to be done.
        heads: Names of the columns.
        rows: What each part takes.
        where: Full sentences on where words and frames go; at least one.
        notes: What else a person should know, in full sentences, each on a line.
        leaves: Whether anything leaves this computer.
        can_start: Whether there is anything to start.
        words: How many columns from the left hold words.
        parent: The window it is asked over.
    """

    def __init__(
        self,
        title: str,
        heads: Sequence[str],
        rows: Sequence[Sequence[str]],
        where: Sequence[str],
        notes: Sequence[str],
        *,
        leaves: bool,
        can_start: bool = True,
        words: int = 1,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Before it starts")
        self.setModal(True)
        self._title = text_label(title, bold=True, larger=1.15)
        self.table = CopyTable("What it will take")
        self.table.show_rows(heads, rows, words)
        sign = (Sign.WARNING, "leaves this computer") if leaves else (Sign.TICK, "stays here")
        self._sign = SignMark(*sign)
        self._where = text_label(" ".join(where), bold=True)
        self._notes = text_label("\n".join(notes))
        self.go = button("Start", "Start", "It can be paused and stopped under Jobs")
        self.go.setEnabled(can_start)
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
