"""The transcript under the player: follows it, seeks in it, can be searched and mended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, QModelIndex, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMenu,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from app.lesson.transcript.records import Role, Utterance
from views.common.controls import page_button
from views.lesson.line_painter import LinePainter
from views.lesson.lines import Column, Lines

AROUND_ROWS = 16
"""Rows measured on either side of one that is brought into sight."""


class TranscriptView(QTableView):
    """A table whose rows are as tall as their words; only rows in sight are ever measured."""

    def __init__(self, lines: Lines, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._painter = LinePainter(lines, self)
        self._measured: set[int] = set()
        """Rows whose height is that of their words at this width."""
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self._fit_rows)
        self.setModel(lines)
        self.setItemDelegate(self._painter)
        self.setAccessibleName("Transcript")
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.verticalHeader().hide()
        self.verticalHeader().setMinimumSectionSize(1)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeading)
        self.verticalScrollBar().valueChanged.connect(self._soon.start)
        lines.dataChanged.connect(self._measure_again)
        lines.modelReset.connect(self._measure_all_again)
        lines.layoutChanged.connect(self._measure_all_again)

    def bring(self, row: int) -> None:
        """Bring a row into the middle of the view."""
        self._measure(range(max(0, row - AROUND_ROWS), row + AROUND_ROWS))
        self.scrollTo(
            self.model().index(row, Column.WORDS), QAbstractItemView.ScrollHint.PositionAtCenter
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the width among the columns anew."""
        super().resizeEvent(event)
        self._share_width()

    def changeEvent(self, event: QEvent) -> None:
        """Share the width anew when the text becomes larger."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self._share_width()

    def _share_width(self) -> None:
        metrics = self.fontMetrics()
        time = metrics.horizontalAdvance("▸0:00:00") + 18
        speaker = min(metrics.horizontalAdvance("Student 12 M") + 14, self.viewport().width() // 4)
        words = max(80, self.viewport().width() - time - speaker)
        widths = {Column.TIME: time, Column.SPEAKER: speaker, Column.WORDS: words}
        for column, width in widths.items():
            self.setColumnWidth(column, width)
        self._painter.set_widths(widths)
        self.verticalHeader().setDefaultSectionSize(2 * metrics.height())
        self._measure_all_again()

    def _measure_again(self, first: QModelIndex, last: QModelIndex) -> None:
        self._measured.difference_update(range(first.row(), last.row() + 1))
        self._soon.start()

    def _measure_all_again(self) -> None:
        self._measured.clear()
        self._soon.start()

    def _fit_rows(self) -> None:
        """Give the rows in sight the height of their words."""
        first = max(0, self.rowAt(0))
        row, bottom = first, self.viewport().height()
        while row < self.model().rowCount() and self.rowViewportPosition(row) < bottom:
            self._measure(range(row, row + 1))
            row += 1

    def _measure(self, rows: range) -> None:
        for row in rows:
            if row >= self.model().rowCount():
                return
            if row in self._measured:
                continue
            self._measured.add(row)
            height = max(self.sizeHintForIndex(self.model().index(row, c)).height() for c in Column)
            if height != self.rowHeight(row):
                self.setRowHeight(row, height)


class TranscriptPanel(QWidget):
    """The transcript with its search box.

    Signals:
        moment_picked: A line was clicked; where it starts, in ms.
        text_typed: A line's number and its new words.
        speaker_typed: A line's number and its new speaker.
        role_picked: A speaker and the role chosen for them.
        speakers_wanted: The person asks for the list of speakers.
        cite_wanted: The chosen lines are to be cited for the clip.
    """

    moment_picked = Signal(int)
    text_typed = Signal(int, str)
    speaker_typed = Signal(int, str)
    role_picked = Signal(str, str)
    speakers_wanted = Signal()
    cite_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.lines = Lines(self)
        self.view = TranscriptView(self.lines)
        self._find = QLineEdit()
        self._found_words = QLabel()
        self._next = page_button("Next", "Next line with these words", "Enter")
        self._follow = QCheckBox("Follow")
        self._speakers = page_button("Speakers…", "Rename speakers and say who is the teacher")
        self._found: list[int] = []
        self._set_up()
        self._lay_out()
        self._connect()

    def show_transcript(self, lines: Sequence[Utterance], roles: Mapping[str, Role]) -> None:
        """Show the lines as they stand."""
        if self.lines.show_lines(lines, roles):
            self._search()

    def set_position(self, time_ms: int) -> None:
        """Mark the line spoken at a moment and, when following, bring it into sight."""
        row = self.lines.set_position(time_ms)
        is_editing = self.view.state() is QAbstractItemView.State.EditingState
        if row >= 0 and self._follow.isChecked() and not is_editing:
            self.view.bring(row)

    def go_to_line(self, number: int) -> None:
        """Move to a line by its number."""
        row = self.lines.row_of(number)
        if row >= 0:
            self.view.setCurrentIndex(self.lines.index(row, Column.WORDS))
            self.view.bring(row)

    def chosen_numbers(self) -> list[int]:
        """Give the numbers of the lines that are chosen, from top to bottom."""
        rows = sorted(index.row() for index in self.view.selectionModel().selectedRows())
        lines = [self.lines.line_at(row) for row in rows]
        return [line.number for line in lines if line is not None]

    def edit_line(self) -> None:
        """Let the words of the current line be typed over; the speaker, if that cell is current."""
        index = self.view.currentIndex()
        if not index.isValid() and self.lines.rowCount():
            index = self.lines.index(0, Column.WORDS)
        if index.isValid():
            wanted = Column.SPEAKER if index.column() == Column.SPEAKER else Column.WORDS
            index = self.lines.index(index.row(), wanted)
            self.view.setCurrentIndex(index)
            self.view.edit(index)

    def start_search(self) -> None:
        """Put the keyboard into the search box."""
        self._find.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._find.selectAll()

    def find_next(self) -> None:
        """Move to the next line that has the words searched for, round and round."""
        if not self._found:
            return
        here = self.view.currentIndex().row()
        row = next((r for r in self._found if r > here), self._found[0])
        self.view.setCurrentIndex(self.lines.index(row, Column.WORDS))
        self.view.bring(row)
        self._tell_found(self._found.index(row) + 1)

    def _set_up(self) -> None:
        self._find.setPlaceholderText("Find in transcript")
        self._find.setAccessibleName("Find in transcript")
        self._find.setClearButtonEnabled(True)
        self._follow.setChecked(True)
        self._follow.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._follow.setToolTip("Keep the line being spoken in sight")
        self._next.setEnabled(False)
        self._next.setShortcut(QKeySequence())

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.addWidget(self._find, 1)
        row.addWidget(self._found_words)
        row.addWidget(self._next)
        row.addWidget(self._follow)
        row.addWidget(self._speakers)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(row)
        column.addWidget(self.view, 1)

    def _connect(self) -> None:
        self._find.textChanged.connect(self._search)
        self._find.returnPressed.connect(self.find_next)
        self._next.clicked.connect(self.find_next)
        self._speakers.clicked.connect(self.speakers_wanted)
        self.view.clicked.connect(self._go)
        self.view.activated.connect(self._go)
        self.view.customContextMenuRequested.connect(self._offer)
        self.lines.looks_changed.connect(self.view.viewport().update)
        self.lines.text_typed.connect(self.text_typed)
        self.lines.speaker_typed.connect(self.speaker_typed)

    def _search(self) -> None:
        words = self._find.text().strip()
        self._found = self.lines.rows_with(words) if words else []
        self._next.setEnabled(bool(self._found))
        self._tell_found(0)

    def _tell_found(self, place: int) -> None:
        if not self._find.text().strip():
            self._found_words.setText("")
        elif place:
            self._found_words.setText(f"{place} of {len(self._found)}")
        else:
            self._found_words.setText(f"{len(self._found)} found")

    def _go(self, index: QModelIndex) -> None:
        line = self.lines.line_at(index.row())
        if line is not None and line.start_ms is not None:
            self.moment_picked.emit(line.start_ms)

    def _offer(self, at: QPoint) -> None:
        line = self.lines.line_at(self.view.indexAt(at).row())
        if line is None:
            return
        menu = QMenu(self)
        menu.addAction("Cite for the clip", self.cite_wanted.emit)
        menu.addAction("Edit words", self.edit_line)
        if line.speaker:
            roles = menu.addMenu(f"{line.speaker} is…")
            for role in (Role.TEACHER, Role.STUDENT, Role.OTHER):
                made = roles.addAction(role.value)
                made.triggered.connect(
                    lambda _on=False, who=line.speaker, what=role.value: self.role_picked.emit(
                        who, what
                    )
                )
        menu.addAction("Speakers…", self.speakers_wanted.emit)
        menu.exec(self.view.viewport().mapToGlobal(at))
