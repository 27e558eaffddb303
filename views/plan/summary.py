"""A table of what a plan will take, with where it goes and how to read it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from views.common.controls import text_label
from views.common.signs import Sign, SignMark
from views.plan.words import QUANTITIES, PlanPart, part_words, plan_notes, together_words


class PlanSummary(QWidget):
    """Shows what a plan will take. It starts nothing and asks nothing."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.table = _Table()
        self._where_sign = SignMark(Sign.DOT, "")
        self._where, self._notes = text_label(bold=True), text_label()
        where = QHBoxLayout()
        where.addWidget(self._where_sign, 0, Qt.AlignmentFlag.AlignTop)
        where.addWidget(self._where, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(10)
        column.addLayout(where)
        column.addWidget(self.table)
        column.addWidget(self._notes)

    def show_plan(
        self,
        parts: Sequence[PlanPart],
        where: Sequence[str],
        *,
        leaves: bool,
        remarks: Sequence[str] = (),
    ) -> None:
        """Show a plan.

        Args:
            parts: One or more, in the order in which they run.
            where: Full sentences on where frames and words go, each endpoint with its name and
                address; at least one, since a person must never be left to guess.
            leaves: Whether anything leaves this computer.
            remarks: What else a person should know, in full sentences, each on a line.

        Raises:
            ValueError: There is no part, or nobody said where it goes.
        """
        if not parts or not where:
            raise ValueError("a plan is shown with its parts and with where it goes")
        self.table.show_parts(parts)
        self._where.setText(" ".join(where))
        sign, word = (Sign.WARNING, "leaves this computer") if leaves else (Sign.TICK, "stays here")
        self._where_sign.show_sign(sign, word)
        self._notes.setText("\n".join([*remarks, " ".join(plan_notes(parts))]))

    @property
    def told(self) -> str:
        """All that is said below and above the table, as a screen reader says it first."""
        return f"{self._where.text()} {self._notes.text()}"


class _Table(QTableWidget):
    """Quantities down, parts across; as high as its rows, so that only the page scrolls."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("What it will take")
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWordWrap(True)
        across, down = self.horizontalHeader(), self.verticalHeader()
        across.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        down.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        down.setMinimumSectionSize(self.fontMetrics().lineSpacing() + 8)
        for head in (across, down):
            head.setSectionsClickable(False)
            head.setHighlightSections(False)

    def show_parts(self, parts: Sequence[PlanPart]) -> None:
        """Put each part into a column, and all together into the last when there are several."""
        columns = [(part.label, part_words(part.expected)) for part in parts]
        if len(parts) > 1:
            columns.append(("Together", together_words(parts)))
        self.setRowCount(len(QUANTITIES))
        self.setColumnCount(len(columns))
        self.setVerticalHeaderLabels(QUANTITIES)
        self.setHorizontalHeaderLabels([label for label, _words in columns])
        # One part needs no name over its column: the title of the window says what it is.
        self.horizontalHeader().setVisible(len(columns) > 1)
        for across, (label, words) in enumerate(columns):
            for down, text in enumerate(words):
                item = QTableWidgetItem(text)
                item.setData(
                    Qt.ItemDataRole.AccessibleTextRole, f"{label}, {QUANTITIES[down]}: {text}"
                )
                self.setItem(down, across, item)
        self.setCurrentCell(0, 0)
        self.updateGeometry()

    def fit_rows(self) -> None:
        """Make each row as high as its words need at the present width."""
        self.resizeRowsToContents()
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        """Ask for all rows at once."""
        across = self.horizontalHeader()
        head = 0 if across.isHidden() else across.sizeHint().height()
        rows = sum(self.rowHeight(row) for row in range(self.rowCount()))
        return QSize(super().sizeHint().width(), head + rows + 2 * self.frameWidth())

    def minimumSizeHint(self) -> QSize:
        """Ask for the same at least."""
        return QSize(super().minimumSizeHint().width(), self.sizeHint().height())
