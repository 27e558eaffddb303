"""What two people's ratings come to: agreement, Table 5, the four cells, and the cases behind."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QListWidget,
    QListWidgetItem,
    QStackedWidget,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.benchmark.eqs import EqsResults
from app.benchmark.eqs_records import DrawnOutput
from app.benchmark.eqs_words import (
    about_eqs,
    agreement_words,
    cells_words,
    output_words,
    scores_words,
)
from app.benchmark.words import Table
from views.common.controls import page_button, scrolling, text_label
from views.common.widgets import EmptyState
from views.eqs.case import cited_words

LIST_PX = 130
MOST_LETTERS = 110
NAMES_TOLD = (
    "Table 5, the four cells and the lists name the models and tell right from wrong. Bring them "
    "into view once you have talked over what you differ on: from then on nobody rates or agrees "
    "blind, and the page says so."
)


class TableView(QWidget):
    """A table with its title and notes, as high as its rows."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title, self._notes = text_label(bold=True), text_label()
        self.table = QTableWidget()
        # Until it shows something it is still met by the keyboard.
        self.table.setAccessibleName("Table")
        self.table.verticalHeader().hide()
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setTabKeyNavigation(False)
        self.table.setShowGrid(False)
        self.table.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.horizontalScrollBar().rangeChanged.connect(lambda _a, _b: self._fit_height())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 6, 0, 0)
        column.setSpacing(3)
        for widget in (self._title, self.table, self._notes):
            column.addWidget(widget)

    def show_table(self, table: Table) -> None:
        """Replace what is shown."""
        self._title.setText(table.title)
        self._notes.setText(" ".join(table.notes))
        self.table.setAccessibleName(table.title)
        self.table.setColumnCount(len(table.heads))
        self.table.setHorizontalHeaderLabels(table.heads)
        self.table.setRowCount(len(table.rows))
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for at, row in enumerate(table.rows):
            for column, text in enumerate(row):
                item = QTableWidgetItem(text)
                item.setToolTip(text)
                if column >= table.words:
                    item.setTextAlignment(right)
                self.table.setItem(at, column, item)
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        for column in range(len(table.heads)):
            head = self.table.horizontalHeaderItem(column)
            if head is not None:
                head.setTextAlignment(left if column < table.words else right)
        self._fit(table.words)

    def _fit(self, words: int) -> None:
        head = self.table.horizontalHeader()
        for column in range(self.table.columnCount()):
            mode = QHeaderView.ResizeMode
            head.setSectionResizeMode(
                column, mode.Stretch if column < words else mode.ResizeToContents
            )
        self.table.resizeRowsToContents()
        self._fit_height()

    def _fit_height(self) -> None:
        """Be as high as the rows, with room for a bar only where one is needed."""
        rows = sum(self.table.rowHeight(at) for at in range(self.table.rowCount()))
        bar = self.table.horizontalScrollBar()
        below = bar.sizeHint().height() if bar.maximum() else 0
        head = self.table.horizontalHeader().sizeHint().height()
        self.table.setFixedHeight(head + rows + below + 2 * self.table.frameWidth() + 2)


class CaseList(QWidget):
    """Cases of one kind; a row opens its clip.

    Signals:
        opened: The output whose row was chosen.
    """

    opened = Signal(object)

    def __init__(self, title: str, told: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title, self._told = title, told
        self._head = text_label(bold=True)
        self.list = QListWidget()
        self.list.setWordWrap(True)
        self.list.setMinimumHeight(LIST_PX)
        self.list.setSpacing(2)
        self.list.setAlternatingRowColors(True)
        self.list.setAccessibleName(f"{title}. Enter opens a case on its lesson")
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.itemActivated.connect(
            lambda item: self.opened.emit(item.data(Qt.ItemDataRole.UserRole))
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 6, 0, 0)
        column.addWidget(self._head)
        column.addWidget(text_label(told))
        column.addWidget(self.list, 1)

    def show_cases(self, results: EqsResults, outputs: Sequence[DrawnOutput]) -> None:
        """Replace the rows."""
        self._head.setText(f"{self._title}: {len(outputs)} of {results.rated}")
        self.list.clear()
        for output in outputs:
            cited = cited_words(output.cited[0]) if output.cited else "Nothing is cited."
            item = QListWidgetItem(f"{output_words(results, output)}\n{shortened(cited)}")
            item.setData(Qt.ItemDataRole.UserRole, output)
            self.list.addItem(item)


class ResultsView(QStackedWidget):
    """Shows the figures, or why there are none yet.

    Signals:
        case_opened: A lesson's id and the moment of the clip, or -1.
        names_wanted: The models' names are to come into view.
        export_wanted: The page and the tables are to be saved.
    """

    case_opened = Signal(str, int)
    names_wanted = Signal()
    export_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._empty = EmptyState("", "")
        self._about = text_label()
        self.agreement, self.scores, self.cells = TableView(), TableView(), TableView()
        self.mistakes = CaseList(
            "Reasonable mistakes", "Wrong codes on good evidence. Enter opens the case."
        )
        self.wrong_reasons = CaseList(
            "Right for the wrong reasons", "Right codes on poor evidence. Enter opens the case."
        )
        self.names = page_button(
            "Show models and what is right", "Bring models and right and wrong into view"
        )
        self.export = page_button("Save page and tables…", "Save as PDF and CSV into a folder")
        self._hidden, self._shown = QWidget(), QWidget()
        self._lay_out()
        self.names.clicked.connect(self.names_wanted)
        self.export.clicked.connect(self.export_wanted)
        for cases in (self.mistakes, self.wrong_reasons):
            cases.opened.connect(self._open)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Hand the keyboard to what comes next here."""
        (self.export if self.names.isHidden() else self.names).setFocus(event.reason())

    def show_nothing(self, title: str, text: str) -> None:
        """Say why there are no figures yet, and what to do."""
        self._empty.say(title, text)
        self.setCurrentIndex(0)

    def show_results(self, results: EqsResults) -> None:
        """Show the figures: agreement at once, the rest once the names may be seen."""
        is_open = results.opened is not None
        self.setCurrentIndex(1)
        self.agreement.show_table(agreement_words(results))
        self._hidden.setVisible(not is_open)
        if is_open and self.names.hasFocus():
            # Otherwise the keyboard would leave the page with the button.
            self.agreement.table.setFocus(Qt.FocusReason.OtherFocusReason)
        self.names.setVisible(not is_open)
        self._shown.setVisible(is_open)
        self.export.setEnabled(is_open)
        self.export.setToolTip(
            "Save as PDF and CSV into a folder" if is_open else "Once the models are in view"
        )
        self._about.setText(" ".join(about_eqs(results)) if is_open else "")
        self._about.setVisible(is_open)
        if is_open:
            self.scores.show_table(scores_words(results))
            self.cells.show_table(cells_words(results))
            self.mistakes.show_cases(results, results.reasonable_mistakes)
            self.wrong_reasons.show_cases(results, results.right_for_wrong_reasons)

    def _open(self, output: DrawnOutput) -> None:
        start_ms = output.clip.start_ms
        self.case_opened.emit(output.lesson_id, -1 if start_ms is None else start_ms)

    def _lay_out(self) -> None:
        on_hidden = QVBoxLayout(self._hidden)
        on_hidden.setContentsMargins(0, 12, 0, 0)
        on_hidden.addWidget(text_label(NAMES_TOLD))
        on_hidden.addWidget(self.names, 0, Qt.AlignmentFlag.AlignLeft)
        lists = QHBoxLayout()
        lists.addWidget(self.mistakes, 1)
        lists.addWidget(self.wrong_reasons, 1)
        on_shown = QVBoxLayout(self._shown)
        on_shown.setContentsMargins(0, 0, 0, 0)
        on_shown.addWidget(self.scores)
        on_shown.addWidget(self.cells)
        on_shown.addLayout(lists)
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(4, 4, 8, 8)
        head = QHBoxLayout()
        head.addWidget(self._about, 1)
        head.addStretch()
        head.addWidget(self.export, 0, Qt.AlignmentFlag.AlignTop)
        column.addLayout(head)
        for widget in (self.agreement, self._hidden, self._shown):
            column.addWidget(widget)
        column.addStretch()
        self.addWidget(self._empty)
        self.addWidget(scrolling(inside, "Figures of rated evidence"))


def shortened(words: str) -> str:
    """Give the beginning of a long text."""
    return words if len(words) <= MOST_LETTERS else f"{words[:MOST_LETTERS].rstrip()}…"
