"""Whether the axes put the tutors of a library in one order."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from app.benchmark.words import Table
from app.errors import ClerestoryError
from views.benchmarks.table import TableView
from views.common.widgets import button

WAITING = "Counting…", "The boards of all tutors are looked at; this takes a moment."
WHY_EMPTY = "No two axes have figures of three tutors."


class RanksDialog(QDialog):
    """Shows the order of tutors on every two axes.

    Args:
        rank: Works it out in the background; takes who is told, and who is told of trouble.
        parent: The window it is shown over.

    Signals:
        trouble: A fault of the program; the dialog has closed itself.
    """

    trouble = Signal(object)

    def __init__(
        self,
        rank: Callable[[Callable[[Table], None], Callable[[Exception], None]], None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Order of tutors")
        self.setModal(True)
        self.table = TableView()
        self._close = button("Close", "Close", "Back to the page", "Esc")
        self._close.clicked.connect(self.reject)
        buttons = QHBoxLayout()
        buttons.addStretch()
        buttons.addWidget(self._close)
        column = QVBoxLayout(self)
        column.addWidget(self.table, 1)
        column.addLayout(buttons)
        self.resize(860, 420)
        self.table.show_empty(*WAITING)
        rank(self._show, self._trouble)

    def _show(self, table: Table) -> None:
        self.table.show_table(table, WHY_EMPTY)
        self.table.table.setFocus()

    def _trouble(self, error: Exception) -> None:
        if isinstance(error, ClerestoryError):
            self.table.show_empty(error.message, error.hint)
        else:
            self.trouble.emit(error)
            self.reject()
