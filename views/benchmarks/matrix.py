"""The confusion matrix of one coder, or of several added up; each cell leads to its clips."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QSizePolicy,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.benchmark.condition_results import PRACTICES
from app.benchmark.results import BenchmarkResults
from app.scoring.tables import Matrix
from views.benchmarks.table import CopyTable
from views.common.colours import ink_on, mix
from views.common.controls import page_button, text_label
from views.common.theme import current_theme
from views.common.words import coder_words, count_words

COLUMNS = (*PRACTICES, "")
HINT = (
    "Rows: what people say. Columns: what was given. Arrow keys move; Enter, or a click, lists the "
    "clips behind a number. A clip with several accepted codes stands in the row of the one that "
    "was given, else in that of its main code."
)
DEEPEST = 0.55
"""Share of the accent in a cell that holds all clips of its row; the numbers stay legible."""


class MatrixView(QWidget):
    """Shows one matrix at a time.

    Signals:
        cell_chosen: Coder (empty for all added up), row and column of a cell.
        failures_wanted: Coder whose failures are to be listed.
    """

    cell_chosen = Signal(str, str, str)
    failures_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._results: BenchmarkResults | None = None
        self.coder = QComboBox()
        self.coder.setAccessibleName("Whose matrix")
        self.coder.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.coder.setMinimumContentsLength(24)
        self.grid = _Grid()
        self._told = text_label(HINT)
        self._failures = page_button("Failures", "List the clips without a usable answer")
        self._failures.hide()
        self.coder.currentIndexChanged.connect(self._show)
        self.grid.chosen.connect(self._choose)
        self._failures.clicked.connect(lambda: self.failures_wanted.emit(self._who()))
        self._lay_out()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Hand the keyboard to the matrix."""
        self.grid.setFocus(event.reason())

    def show_results(self, results: BenchmarkResults) -> None:
        """Show other results, staying with the coder in view."""
        self._results = results
        before = self.coder.currentData()
        names = [each.coder for each in results.conditions if each.kinds]
        self.coder.blockSignals(True)
        self.coder.clear()
        if len(results.matrix_of) > 1:
            told = f"All {len(results.matrix_of)} zero-shot runs on transcripts, added up"
            self.coder.addItem(told, "")
        for name in names:
            self.coder.addItem(coder_words(name), name)
        at = self.coder.findData(before) if before is not None else 0
        self.coder.setCurrentIndex(max(at, 0))
        self.coder.blockSignals(False)
        self._show()

    def choose(self, true: str, given: str) -> None:
        """Choose a cell, as a click on it does."""
        self.grid.setCurrentCell(PRACTICES.index(true), COLUMNS.index(given))
        self._choose(PRACTICES.index(true), COLUMNS.index(given))

    def paint_anew(self) -> None:
        """Follow another look."""
        self._show()

    def _who(self) -> str:
        return str(self.coder.currentData() or "")

    def _choose(self, down: int, across: int) -> None:
        self.cell_chosen.emit(self._who(), PRACTICES[down], COLUMNS[across])

    def _show(self) -> None:
        results = self._results
        if results is None or self.coder.currentIndex() < 0:
            return
        who = self._who()
        own = [each for each in results.conditions if each.coder == who]
        self.grid.show_matrix(own[0].matrix if own else results.matrix)
        among = own or [c for c in results.conditions if c.coder in results.matrix_of]
        failed = sum(each.scores.failed for each in among)
        words = f"{count_words(failed, 'failure')} beside"
        self._failures.setText(f"{words}…")
        self._failures.setAccessibleName(words)
        self._failures.setVisible(bool(failed))

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        label = QLabel("&Matrix of")
        label.setBuddy(self.coder)
        row.addWidget(label)
        row.addWidget(self.coder)
        row.addWidget(self._failures)
        row.addStretch()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(row)
        column.addWidget(self.grid)
        column.addWidget(self._told)
        column.addStretch()


class _Grid(CopyTable):
    """The cells. Signals `chosen` with row and column."""

    chosen = Signal(int, int)

    def __init__(self) -> None:
        super().__init__("Confusion matrix")
        self.cellClicked.connect(self.chosen)
        self.verticalHeader().show()
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_matrix(self, matrix: Matrix) -> None:
        """Fill the cells, tinted by their share of the row."""
        here = max(self.currentRow(), 0), max(self.currentColumn(), 0)
        self.setRowCount(len(PRACTICES))
        self.setColumnCount(len(COLUMNS))
        self.setHorizontalHeaderLabels([*(f"given {p}" for p in PRACTICES), "no code"])
        totals = {true: sum(matrix[true].values()) for true in PRACTICES}
        self.setVerticalHeaderLabels([f"{true} ({totals[true]})" for true in PRACTICES])
        for down, true in enumerate(PRACTICES):
            for across, given in enumerate(COLUMNS):
                self.setItem(down, across, _cell(true, given, matrix[true][given], totals[true]))
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.setCurrentCell(*here)
        self.updateGeometry()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Choose the cell by Enter."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.chosen.emit(self.currentRow(), self.currentColumn())
            return
        super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        """Ask for all rows at once."""
        rows = sum(self.rowHeight(row) for row in range(self.rowCount()))
        height = self.horizontalHeader().sizeHint().height() + rows + 2 * self.frameWidth()
        return QSize(super().sizeHint().width(), height)

    def minimumSizeHint(self) -> QSize:
        """Ask for the same at least."""
        return QSize(super().minimumSizeHint().width(), self.sizeHint().height())


def _cell(true: str, given: str, count: int, of: int) -> QTableWidgetItem:
    theme = current_theme()
    share = count / of if of else 0.0
    percent = f"  {100 * share:.0f}%" if count else ""
    item = QTableWidgetItem(f"{count}{percent}")
    item.setTextAlignment(Qt.AlignmentFlag.AlignCenter)
    fill = mix(theme.base, theme.accent, DEEPEST * share)
    item.setBackground(QColor(fill))
    item.setForeground(QColor(ink_on(fill)))
    if true == given:
        font = item.font()
        font.setBold(True)
        item.setFont(font)
    what = f"given {given}" if given else "no code given"
    item.setData(
        Qt.ItemDataRole.AccessibleTextRole, f"people say {true}, {what}: {count} of {of} clips"
    )
    return item
