"""A table to read and to copy from, with its title and what one should know of it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QFocusEvent, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStackedLayout,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.benchmark.words import Table
from views.common.controls import text_label
from views.common.widgets import EmptyState

WIDEST_PX = 360
"""A column of sentences is no wider; they run over several lines instead."""


class CopyTable(QTableWidget):
    """Cells that can be walked by arrow keys and copied; without a choice all of it is copied.

    Args:
        name: What a screen reader calls it.
    """

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self.setWordWrap(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        for head in (self.horizontalHeader(), self.verticalHeader()):
            head.setHighlightSections(False)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.verticalHeader().hide()

    def show_rows(self, heads: Sequence[str], rows: Sequence[Sequence[str]], words: int) -> None:
        """Show other rows.

        Args:
            heads: Names of the columns.
            rows: What stands in the cells.
            words: How many columns from the left hold words; figures stand to the right.
        """
        self.setUpdatesEnabled(False)
        self.clear()
        self.setRowCount(len(rows))
        self.setColumnCount(len(heads))
        self.setHorizontalHeaderLabels(list(heads))
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for down, row in enumerate(rows):
            for across, text in enumerate(row):
                item = QTableWidgetItem(text)
                if across >= words:
                    item.setTextAlignment(right)
                told = f"{row[0]}, {heads[across]}: {text}"
                item.setData(Qt.ItemDataRole.AccessibleTextRole, told)
                self.setItem(down, across, item)
        self.resizeColumnsToContents()
        for across in range(len(heads)):
            self.setColumnWidth(across, min(self.columnWidth(across) + 8, WIDEST_PX))
        if rows:
            self.setCurrentCell(0, 0)
            self.clearSelection()
        self.setUpdatesEnabled(True)

    def text_to_copy(self) -> str:
        """Give the chosen cells as a spreadsheet takes them; all with their heads without any."""
        chosen = self.selectedRanges()
        if len(chosen) == 1 and chosen[0].rowCount() * chosen[0].columnCount() > 1:
            part = chosen[0]
            down = range(part.topRow(), part.bottomRow() + 1)
            across = range(part.leftColumn(), part.rightColumn() + 1)
            return "\n".join("\t".join(self._text(d, a) for a in across) for d in down)
        named = map(self.horizontalHeaderItem, range(self.columnCount()))
        heads = [item.text() if item is not None else "" for item in named]
        lines = [
            "\t".join(self._text(d, a) for a in range(self.columnCount()))
            for d in range(self.rowCount())
        ]
        return "\n".join(["\t".join(heads), *lines])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy by the usual key."""
        if event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self.text_to_copy())
            return
        super().keyPressEvent(event)

    def _text(self, down: int, across: int) -> str:
        item = self.item(down, across)
        return item.text() if item is not None else ""


class TableView(QWidget):
    """One table of a benchmark, or why there is none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title, self._notes = text_label(bold=True), text_label()
        self.table = CopyTable("Table")
        self._empty = EmptyState("", "")
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._title)
        column.addWidget(self.table, 1)
        column.addWidget(self._notes)
        self._pages = QStackedLayout(self)
        self._pages.addWidget(inside)
        self._pages.addWidget(self._empty)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Hand the keyboard to the table."""
        self.table.setFocus(event.reason())

    def show_table(self, table: Table, why_empty: str) -> None:
        """Show a table; one without rows says why."""
        if not table.rows:
            self.show_empty(table.title, why_empty)
            return
        self._pages.setCurrentIndex(0)
        self._title.setText(table.title)
        self._notes.setText("\n".join(table.notes))
        self._notes.setVisible(bool(table.notes))
        self.table.setAccessibleName(table.title)
        self.table.show_rows(table.heads, table.rows, table.words)

    def show_empty(self, title: str, why: str) -> None:
        """Say why there is nothing."""
        self._empty.say(title, why)
        self._pages.setCurrentIndex(1)
