"""Everything that is wrong with a folder of coded clips, in one list that can be copied."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QFocusEvent, QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QHeaderView, QVBoxLayout, QWidget

from app.benchmark.problems import CodedSetRefused
from views.benchmarks.table import CopyTable
from views.common.controls import page_button, text_label
from views.common.signs import Sign, SignMark

HEADS = ("Line", "What is wrong")


class ProblemsView(QWidget):
    """Shows why a set was not brought in.

    Signals:
        again_wanted: Another folder is to be chosen, or the same once it was put right.
        closed: The list is no longer needed.
    """

    again_wanted = Signal()
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title, self._hint = text_label(bold=True, larger=1.15), text_label()
        self.table = CopyTable("Problems, with their lines")
        self._copy = page_button("Copy the list", "Copy all problems, one a line")
        self._again = page_button("Choose a folder…", "Bring in a folder of coded clips")
        self._close = page_button("Close the list", "Go back to the sets")
        self._copy.clicked.connect(self.copy)
        self._again.clicked.connect(self.again_wanted)
        self._close.clicked.connect(self.closed)
        self._lay_out()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Hand the keyboard to the list."""
        self.table.setFocus(event.reason())

    def show_problems(self, error: CodedSetRefused) -> None:
        """Show what is wrong."""
        self._title.setText(error.message)
        self._hint.setText(
            "Put these right in the table or the folder, and bring it in again. A line is that of "
            "the table; “–” means the table as a whole."
        )
        rows = [(str(p.line) if p.line else "–", p.what) for p in error.problems]
        self.table.show_rows(HEADS, rows, words=2)
        self.table.horizontalHeader().setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        self._copy.setText(f"Copy the list ({len(rows)})")

    def copy(self) -> None:
        """Put all problems on the clipboard."""
        self.table.clearSelection()
        QGuiApplication.clipboard().setText(self.table.text_to_copy())

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.addWidget(SignMark(Sign.WARNING, "not brought in"))
        head.addWidget(self._title, 1)
        buttons = QHBoxLayout()
        for made in (self._copy, self._again, self._close):
            buttons.addWidget(made)
        buttons.addStretch()
        column = QVBoxLayout(self)
        column.addLayout(head)
        column.addWidget(self._hint)
        column.addWidget(self.table, 1)
        column.addLayout(buttons)
