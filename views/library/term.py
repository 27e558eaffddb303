"""Asks once which days this term has."""

from __future__ import annotations

from datetime import date

from PySide6.QtCore import QDate, Signal
from PySide6.QtWidgets import QDateEdit, QDialog, QDialogButtonBox, QFormLayout, QWidget

from app.coding.moments import Term
from views.common.controls import text_label
from views.library.filters import day_in


class TermDialog(QDialog):
    """First and last day of this term.

    Signals:
        said: The days, `Term`.
    """

    said = Signal(object)

    def __init__(self, term: Term | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("This term")
        today = date.today()
        shown = term or Term(today.replace(day=1), today)
        self.first, self.last = _edit(shown.first_day), _edit(shown.last_day)
        self._wrong = text_label()
        self._wrong.hide()
        ends = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel
        )
        ends.accepted.connect(self._say)
        ends.rejected.connect(self.reject)
        form = QFormLayout(self)
        form.addRow(text_label("Kept in this library, and asked for once."))
        form.addRow("First day", self.first)
        form.addRow("Last day", self.last)
        form.addRow(self._wrong)
        form.addRow(ends)
        self.resize(360, self.sizeHint().height())

    def _say(self) -> None:
        term = Term(day_in(self.first), day_in(self.last))
        if term.first_day > term.last_day:
            self._wrong.setText("The last day lies before the first. Change one of them.")
            self._wrong.show()
            return
        self.accept()
        self.said.emit(term)


def _edit(day: date) -> QDateEdit:
    made = QDateEdit(QDate(day.year, day.month, day.day))
    made.setCalendarPopup(True)
    made.setDisplayFormat("d MMMM yyyy")
    return made
