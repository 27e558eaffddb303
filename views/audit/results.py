"""What came of an audit: one board a judge, never merged, and knowledge beside them."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QStackedLayout,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.audit.audit_judge_tables import experts_table, guards_table, quotes_table
from app.audit.audit_tables import gates_table, judge_tables, knowledge_tables, stale_table
from app.audit.audit_words import called
from app.audit.board import AuditBoard, JudgeBoard
from app.audit.records import Origin
from app.benchmark.words import Table
from app.scoring.audit_knowledge import StaleKeys
from views.audit.bars import YieldingBars
from views.audit.behind import Cell, Ground, behind
from views.audit.listed import Listed, only
from views.audit.opened import Opened
from views.audit.sheet import Sheet
from views.audit.short import short_lines
from views.audit.words import marks, seat_words
from views.benchmarks.table import TableView
from views.common.controls import page_button, text_label
from views.common.widgets import EmptyState
from views.common.words import count_words

SHORT = "short"
NAMES = {
    SHORT: "In short",
    "gates": "Gates",
    "guards": "Check of the judges",
    "quotes": "Words judges cite",
    "experts": "Beside experts",
    "attitude": "Family × condition",
    "effects": "Pressure, monitoring",
    "giving_way": "Giving way",
    "categories": "Categories",
    "skill": "Skill",
    "knowledge": "Knowledge",
    "disabilities": "By disability",
    "steadiness": "How steady",
    "stale": "Keys out of date?",
}
"""Names on the left, in any order; the title over a table says it whole."""
GIVING_WAY = "giving_way"
NOTHING_YET = (
    "Nothing came yet",
    "Figures stand here as soon as the tutor has answered and a judge has scored. Look under Jobs "
    "how far it is.",
)
NO_AUDIT = ("No audit is chosen", "Choose one under Audits, or begin a new one there.")
POINT = "Choose a number to read the responses behind it."
WHY_EMPTY = "Nothing of this was asked in this audit, or nothing is scored yet."


class ResultsView(QWidget):
    """Shows the boards of one audit.

    Signals:
        behind_wanted: The responses behind a number, `Behind`.
        write_wanted: The report is to be written.
        experts_wanted: Somebody wants to score, so that pass shares can be shown.
    """

    behind_wanted = Signal(object)
    write_wanted = Signal()
    experts_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._opened: Opened | None = None
        self._board: AuditBoard | None = None
        self._responses: tuple[Listed, ...] | None = None
        self._stale: StaleKeys | None = None
        self._tables: dict[str, Table] = {}
        self._shown: Table | None = None
        self._marks = text_label(bold=True)
        self.judge = QComboBox()
        self.judge.setAccessibleName("Whose board")
        self._judge_label = QLabel("&Board of")
        self._judge_label.setBuddy(self.judge)
        self.views = QListWidget()
        self.views.setAccessibleName("What to look at")
        self.table = TableView()
        self.sheet = Sheet("The audit in short")
        self._stack = QStackedWidget()
        for shown in (self.sheet, self.table):
            self._stack.addWidget(shown)
        self.bars = YieldingBars()
        self.bars.hide()
        self._point = text_label(POINT)
        self.open = page_button("Responses…", "Read the responses behind this number", "Enter")
        self.experts = page_button("Have experts score…", "Pass shares are shown after that")
        self.write = page_button("Write report…", "PDF for a meeting, tables, logs for Inspect")
        self._empty = EmptyState(*NO_AUDIT)
        self._pages = QStackedLayout(self)
        self._lay_out()
        self._connect()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Hand the keyboard to what is looked at."""
        self.views.setFocus(event.reason())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Open what stands behind a number by Enter."""
        if (
            isinstance(event, QKeyEvent)
            and event.type() is QEvent.Type.KeyPress
            and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        ):
            self._open()
            return True
        return super().eventFilter(watched, event)

    @property
    def judge_shown(self) -> JudgeBoard | None:
        """The judge whose board is in view; `None` where nothing is judged."""
        boards = self._board.judges if self._board else ()
        place = self.judge.currentIndex()
        return boards[place] if 0 <= place < len(boards) else None

    def show_waiting(self, opened: Opened | None) -> None:
        """Show that figures are being counted; without an audit, that one is to be chosen."""
        self._opened, self._board, self._responses = opened, None, None
        told = ("Counting…", "The figures of this audit are being worked out.")
        self._empty.say(*(told if opened is not None else NO_AUDIT))
        self._pages.setCurrentIndex(0)

    def show_board(self, opened: Opened, board: AuditBoard, stale: StaleKeys | None = None) -> None:
        """Show the boards of an audit; the same judge and table stay in view.

        Args:
            opened: The audit.
            board: Its figures.
            stale: Keys that every tutor contradicts, where knowledge was asked.
        """
        before = self._opened
        # Those listed before stand behind the numbers until they are listed anew.
        if before is None or _shows(before) != _shows(opened):
            self._responses = None
        self._opened, self._board, self._stale = opened, board, stale
        if not board.tutored.done:
            self._empty.say(*NOTHING_YET)
            self._pages.setCurrentIndex(0)
            return
        judge = max(self.judge.currentIndex(), 0)
        self.judge.blockSignals(True)
        self.judge.clear()
        self.judge.addItems([seat_words(one.judge) for one in board.judges])
        self.judge.setCurrentIndex(min(judge, len(board.judges) - 1))
        self.judge.blockSignals(False)
        for widget in (self.judge, self._judge_label):
            widget.setVisible(bool(board.judges))
        self._marks.setText(" ".join(marks(opened.audit.plan, opened.mark)))
        self._marks.setVisible(bool(self._marks.text()))
        self._show_judge()
        self._pages.setCurrentIndex(1)

    def show_responses(self, opened: Opened, responses: tuple[Listed, ...]) -> None:
        """Take the responses of the tutor that the numbers rest on; they come after the board."""
        if opened is self._opened:
            self._responses = responses
            self._show_point()

    def _show_judge(self) -> None:
        board, judge = self._board, self.judge_shown
        if board is None:
            return
        self._tables = {table.key: table for table in tables_of(board, judge, self._stale)}
        self.experts.setVisible(bool(judge and judge.withheld))
        chosen = self._chosen_view()
        self.views.blockSignals(True)
        self.views.clear()
        keys = [SHORT, *self._tables]
        for key in keys:
            item = QListWidgetItem(NAMES[key])
            item.setData(Qt.ItemDataRole.UserRole, key)
            self.views.addItem(item)
        self.views.setCurrentRow(keys.index(chosen) if chosen in keys else 0)
        self.views.blockSignals(False)
        self._show_table()

    def _chosen_view(self) -> str:
        item = self.views.currentItem()
        return str(item.data(Qt.ItemDataRole.UserRole)) if item is not None else ""

    def _show_table(self) -> None:
        table = self._tables.get(self._chosen_view())
        if table is None and self._board is not None:
            self.sheet.show_lines(short_lines(self._board))
            self.bars.hide()
        self._stack.setCurrentWidget(self.sheet if table is None else self.table)
        if table is not None and table == self._shown:
            self._show_bars(table)
        elif table is not None:
            grid = self.table.table
            place = grid.currentRow(), grid.currentColumn()
            is_same = self._shown is not None and self._shown.key == table.key
            self.table.show_table(table, WHY_EMPTY)
            self._shown = table
            self._show_bars(table)
            # Figures come anew while an audit goes on; what is pointed at stays pointed at.
            if is_same and place[0] < grid.rowCount() and place[1] < grid.columnCount():
                grid.setCurrentCell(*place)
        self._show_point()

    def _show_bars(self, table: Table) -> None:
        judge, board = self.judge_shown, self._board
        rows = {}
        if table.key == GIVING_WAY and judge is not None and board is not None:
            rows = {
                called(family, board.names): found.histogram
                for family, found in judge.giving_way.items()
            }
        self.bars.show_rows(rows)
        self.bars.setVisible(bool(rows))

    def cell(self) -> Cell | None:
        """Give the cell that is pointed at."""
        table = self._tables.get(self._chosen_view())
        row, column = self.table.table.currentRow(), self.table.table.currentColumn()
        if table is None or not (0 <= row < len(table.rows) and 0 <= column < len(table.heads)):
            return None
        return Cell(table, row, column)

    def _show_point(self) -> None:
        """Say how many responses stand behind the number pointed at."""
        cell, ground = self.cell(), self._ground()
        found = behind(cell, ground) if cell and ground else None
        self.open.setEnabled(found is not None)
        if found is None or ground is None:
            self._point.setText(POINT if cell is not None else "")
            return
        title = f"{found.title[:1].upper()}{found.title[1:]}"
        if found.origin is not Origin.TUTOR:
            self._point.setText(f"{title}. Enter reads them.")
            return
        count = count_words(len(only(found, ground.responses)), "response")
        self._point.setText(f"{title}: {count}. Enter reads them.")

    def _open(self) -> None:
        cell, ground = self.cell(), self._ground()
        found = behind(cell, ground) if cell and ground else None
        if found is not None:
            self.behind_wanted.emit(found)

    def _ground(self) -> Ground | None:
        if self._board is None or self._responses is None:
            return None
        judge = self.judge_shown
        name = judge.judge.name if judge is not None else ""
        return Ground(self._board, name, self._responses)

    def _connect(self) -> None:
        self.judge.currentIndexChanged.connect(self._show_judge)
        self.views.currentItemChanged.connect(self._show_table)
        self.table.table.currentCellChanged.connect(self._show_point)
        self.table.table.doubleClicked.connect(self._open)
        self.table.table.installEventFilter(self)
        self.open.clicked.connect(self._open)
        self.write.clicked.connect(self.write_wanted)
        self.experts.clicked.connect(self.experts_wanted)

    def _lay_out(self) -> None:
        left = QVBoxLayout()
        left.addWidget(self.views, 1)
        left.addWidget(self.experts)
        left.addWidget(self.write)
        whose = QHBoxLayout()
        whose.addWidget(self._judge_label)
        whose.addWidget(self.judge)
        whose.addStretch()
        below = QHBoxLayout()
        below.addWidget(self._point, 1)
        below.addWidget(self.open)
        right = QVBoxLayout()
        right.addWidget(self._marks)
        right.addLayout(whose)
        right.addWidget(self._stack, 1)
        right.addWidget(self.bars)
        right.addLayout(below)
        inside = QWidget()
        row = QHBoxLayout(inside)
        row.setContentsMargins(0, 6, 0, 0)
        row.addLayout(left)
        row.addLayout(right, 1)
        self._pages.addWidget(self._empty)
        self._pages.addWidget(inside)
        self.fit_text()

    def fit_text(self) -> None:
        """Make room for larger text."""
        wide = self.views.fontMetrics().horizontalAdvance("Pressure, monitoring ") + 44
        for widget in (self.views, self.experts, self.write):
            widget.setFixedWidth(wide)
        self.bars.updateGeometry()


def _shows(opened: Opened) -> tuple[int, frozenset[int]]:
    """Tell apart what may be seen of which audit."""
    return opened.audit.audit_id, opened.hidden


def tables_of(
    board: AuditBoard, judge: JudgeBoard | None, stale: StaleKeys | None = None
) -> list[Table]:
    """Give the tables of an audit with one judge that have rows, in the order of reading."""
    found = [gates_table(board), *(judge_tables(board, judge) if judge else ())]
    found += knowledge_tables(board)
    found += [stale_table(stale)] if stale is not None else []
    if board.judges:
        found += [guards_table(board), quotes_table(board), experts_table(board)]
    return [table for table in found if table.rows]
