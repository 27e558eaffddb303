"""Two audits beside each other: what got worse first, then every group and condition."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.audit.comparing import AuditComparison
from app.audit.comparison_tables import comparison_tables
from app.audit.records import Audit
from app.benchmark.words import Table
from views.audit.words import day_words
from views.benchmarks.table import TableView
from views.common.controls import text_label
from views.common.widgets import button

SAME = "Choose two different audits."
WAITING = "Comparing…", "Whole items are drawn 10,000 times; this takes a moment."
NOTHING = (
    "Nothing can be compared",
    "The two audits have no judge in common that scored the same items, worded the same.",
)
WHY_EMPTY = "Nothing of this changed."
WORSE = "worse_"


class CompareDialog(QDialog):
    """Lets a person choose two audits and read what changed.

    Args:
        audits: All there are, oldest first.
        later: Number of the one that is in view.
        compare: Works a comparison out in the background; takes both numbers and who is told.
        parent: The window it is shown over.

    Signals:
        write_wanted: The numbers of the earlier and the later audit, to be written.
        item_wanted: The number of the later audit and the id of an item whose responses to read.
    """

    write_wanted = Signal(int, int)
    item_wanted = Signal(int, str)

    def __init__(
        self,
        audits: Sequence[Audit],
        later: int,
        compare: Callable[[int, int, Callable[[AuditComparison], None]], None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Compare two audits")
        self.setModal(True)
        self._audits, self._compare = tuple(audits), compare
        self._tables: list[Table] = []
        self.earlier, self.later = QComboBox(), QComboBox()
        self.earlier.setAccessibleName("Earlier audit")
        self.later.setAccessibleName("Later audit")
        for box in (self.earlier, self.later):
            for audit in self._audits:
                box.addItem(choice_words(audit), audit.audit_id)
        self.views = QListWidget()
        self.views.setAccessibleName("What to look at")
        self.table = TableView()
        self._notes = text_label()
        self.read = button("Responses…", "Responses", "Read what was said to this item, now")
        self.write = button("Write…", "Write", "PDF and tables of the comparison")
        self._close = button("Close", "Close", "Back to the page", "Esc")
        self._choose(later)
        self._lay_out()
        self._connect()
        self._work_out()

    def show_comparison(self, found: AuditComparison) -> None:
        """Show what changed, unless two others have been chosen meanwhile."""
        if (found.earlier.audit_id, found.later.audit_id) != self._chosen():
            return
        self._tables = list(comparison_tables(found))
        self._notes.setText("\n".join(found.notes))
        self._notes.setVisible(bool(found.notes))
        with QSignalBlocker(self.views):
            self.views.clear()
            for table in self._tables:
                self.views.addItem(QListWidgetItem(table.title))
            self.views.setCurrentRow(0)
        self.write.setEnabled(bool(self._tables))
        self._show_table()

    def _chosen(self) -> tuple[int, int]:
        return int(self.earlier.currentData()), int(self.later.currentData())

    def _choose(self, later: int) -> None:
        """Begin with the audit in view, and the last one before it of the same tutor."""
        numbers = [audit.audit_id for audit in self._audits]
        tutors = {audit.audit_id: audit.plan.tutor.name for audit in self._audits}
        before = [n for n in numbers if n < later] or [n for n in numbers if n != later]
        alike = [n for n in before if tutors[n] == tutors.get(later)]
        self.later.setCurrentIndex(self.later.findData(later))
        self.earlier.setCurrentIndex(self.earlier.findData((alike or before)[-1]))

    def _work_out(self) -> None:
        earlier, later = self._chosen()
        self.views.clear()
        self._tables = []
        self._notes.hide()
        for made in (self.read, self.write):
            made.setEnabled(False)
        if earlier == later:
            self.table.show_empty(SAME, "")
            return
        self.table.show_empty(*WAITING)
        self._compare(earlier, later, self.show_comparison)

    def _show_table(self) -> None:
        row = self.views.currentRow()
        if not self._tables:
            self.table.show_empty(*NOTHING)
        elif row >= 0:
            self.table.show_table(self._tables[row], WHY_EMPTY)
        self.read.setEnabled(self._item() is not None)

    def _item(self) -> str | None:
        """Give the item of the row pointed at, where rows are items."""
        row, place = self.views.currentRow(), self.table.table.currentRow()
        if not 0 <= row < len(self._tables) or not self._tables[row].key.startswith(WORSE):
            return None
        rows = self._tables[row].rows
        return rows[place][0] if 0 <= place < len(rows) else None

    def _read(self) -> None:
        item_id = self._item()
        if item_id is not None:
            self.item_wanted.emit(self._chosen()[1], item_id)
            self.accept()

    def _connect(self) -> None:
        self.earlier.currentIndexChanged.connect(self._work_out)
        self.later.currentIndexChanged.connect(self._work_out)
        self.views.currentRowChanged.connect(self._show_table)
        self.table.table.doubleClicked.connect(self._read)
        self.read.clicked.connect(self._read)
        self.write.clicked.connect(lambda: self.write_wanted.emit(*self._chosen()))
        self._close.clicked.connect(self.reject)

    def _lay_out(self) -> None:
        form = QFormLayout()
        for words, box in (("&Earlier", self.earlier), ("&Later", self.later)):
            label = QLabel(words)
            label.setBuddy(box)
            form.addRow(label, box)
        self.views.setWordWrap(True)
        middle = QHBoxLayout()
        self.views.setFixedWidth(self.fontMetrics().horizontalAdvance("What got worse in") + 60)
        middle.addWidget(self.views)
        middle.addWidget(self.table, 1)
        buttons = QHBoxLayout()
        buttons.addWidget(self.read)
        buttons.addStretch()
        buttons.addWidget(self.write)
        buttons.addWidget(self._close)
        column = QVBoxLayout(self)
        column.addLayout(form)
        column.addLayout(middle, 1)
        column.addWidget(self._notes)
        column.addLayout(buttons)
        self.resize(960, 560)


def choice_words(audit: Audit) -> str:
    """Name an audit in a box."""
    return f"{audit.plan.title} – {audit.plan.tutor.name}, {day_words(audit.made_at)}"
