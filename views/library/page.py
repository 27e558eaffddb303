"""The library page: all lessons, what has been done for each, what waits for review."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QModelIndex, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QFocusEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListView,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.store.records import Hit, LessonRow
from views.common.controls import page_button
from views.common.words import count_words
from views.library.hits import HIT_ROLE, HitList, HitPainter
from views.library.lessons import ROW_ROLE, LessonList, LessonPainter, missing_words
from views.library.welcome import Welcome

SEARCH_PAUSE_MS = 200
"""Wait after the last key before searching, so that typing stays smooth."""


class LibraryPage(QWidget):
    """Shows the lessons and what a search found in them.

    Signals:
        lesson_opened: A lesson's id, and the moment to go to or -1.
        files_wanted: The person asks to choose files.
        files_dropped: Paths that were dropped on the page.
        sample_wanted: The sample lesson is asked for.
        media_wanted: A lesson whose recording the person wants to look for.
        retitled: A lesson's id and its new title.
        searched: What to look for; empty ends the search.
    """

    lesson_opened = Signal(str, int)
    files_wanted = Signal()
    files_dropped = Signal(list)
    sample_wanted = Signal()
    media_wanted = Signal(str)
    retitled = Signal(str, str)
    searched = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAcceptDrops(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.lessons = LessonList(self)
        self._hits = HitList(self)
        self._search = QLineEdit()
        self._open_file = page_button("Open file…", "Add a recording, a transcript, or both")
        self._sample = page_button("Add sample lesson", "Add the lesson that comes along")
        self._welcome = Welcome()
        self._list, self._found = QListView(), QListView()
        self._said = QLabel()
        self._open = page_button("Open lesson", "Review the chosen lesson", "Enter")
        self._find = page_button("Find it…", "Show where the recording of this lesson lies now")
        self._rename = page_button("Rename", "Give the chosen lesson another title", "F2")
        self._stack = QStackedWidget()
        self._pause = QTimer(self)
        self._set_up()
        self._lay_out()
        self._connect()

    def show_lessons(self, rows: Sequence[LessonRow], *, has_sample: bool = False) -> None:
        """Show the lessons; with none, what to do first."""
        chosen = self.chosen_lesson()
        self.lessons.show_rows(list(rows))
        self._sample.setVisible(bool(rows) and not has_sample)
        place = self.lessons.place_of(chosen) if chosen else None
        if rows and (place is not None or not self._list.currentIndex().isValid()):
            self._list.setCurrentIndex(self.lessons.index(place or 0))
        self._show_part()
        self._show_actions()

    def choose(self, lesson_id: str) -> None:
        """Move to a lesson."""
        place = self.lessons.place_of(lesson_id)
        if place is not None:
            self._list.setCurrentIndex(self.lessons.index(place))

    def chosen_lesson(self) -> str:
        """Give the id of the lesson moved to; empty without one."""
        row = self._chosen()
        return row.lesson_id if row else ""

    def show_hits(self, words: str, hits: Sequence[Hit]) -> None:
        """Show what a search found."""
        self._hits.show_hits(hits)
        self._said.setText(
            f"{count_words(len(hits), 'place')} found for “{words}”. Enter opens the lesson there."
            if hits
            else f"Nothing found for “{words}”. Searched: what was said, quotes, notes, titles."
        )
        if hits:
            self._found.setCurrentIndex(self._hits.index(0))
        self._show_part()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Hand the keyboard to what the page is for: the lessons, or the first step."""
        has_lessons = self.lessons.rowCount() > 0
        (self._list if has_lessons else self._welcome).setFocus(event.reason())

    def start_search(self) -> None:
        """Put the keyboard into the search box."""
        self._search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._search.selectAll()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take files of this computer, nothing else."""
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Hand on what was dropped."""
        paths = [Path(u.toLocalFile()) for u in event.mimeData().urls() if u.isLocalFile()]
        event.acceptProposedAction()
        self.files_dropped.emit(paths)

    def _set_up(self) -> None:
        self._search.setPlaceholderText("Search what was said, quotes and notes")
        self._search.setAccessibleName("Search what was said, quotes and notes")
        self._search.setClearButtonEnabled(True)
        self._said.setWordWrap(True)
        self._pause.setSingleShot(True)
        self._pause.setInterval(SEARCH_PAUSE_MS)
        self._list.setModel(self.lessons)
        self._list.setItemDelegate(LessonPainter(self._list))
        self._list.setAccessibleName("Lessons")
        self._list.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        self._list.setUniformItemSizes(True)
        self._found.setModel(self._hits)
        self._found.setItemDelegate(HitPainter(self._found))
        self._found.setUniformItemSizes(True)
        self._found.setAccessibleName("What the search found")
        for view in (self._list, self._found):
            view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
            view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
            view.setMinimumSize(QSize(200, 120))

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.addWidget(self._search, 1)
        top.addWidget(self._sample)
        top.addWidget(self._open_file)
        actions = QHBoxLayout()
        for made in (self._open, self._find, self._rename):
            actions.addWidget(made)
        actions.addStretch()
        shelf = QWidget()
        on_shelf = QVBoxLayout(shelf)
        on_shelf.setContentsMargins(0, 0, 0, 0)
        on_shelf.addWidget(self._list, 1)
        on_shelf.addLayout(actions)
        results = QWidget()
        in_results = QVBoxLayout(results)
        in_results.setContentsMargins(0, 0, 0, 0)
        in_results.addWidget(self._said)
        in_results.addWidget(self._found, 1)
        self._parts = (self._welcome, shelf, results)
        for part in self._parts:
            self._stack.addWidget(part)
        column = QVBoxLayout(self)
        column.addLayout(top)
        column.addWidget(self._stack, 1)

    def _connect(self) -> None:
        self._search.textChanged.connect(lambda _text: self._pause.start())
        self._search.returnPressed.connect(self._go_to_hits)
        self._pause.timeout.connect(self._ask)
        self._open_file.clicked.connect(self.files_wanted)
        self._sample.clicked.connect(self.sample_wanted)
        self._welcome.sample_wanted.connect(self.sample_wanted)
        self._welcome.files_wanted.connect(self.files_wanted)
        self._list.activated.connect(self._open_row)
        self._list.selectionModel().currentChanged.connect(self._show_actions)
        self._found.activated.connect(self._open_hit)
        self._open.clicked.connect(self._open_chosen)
        self._find.clicked.connect(lambda: self.media_wanted.emit(self.chosen_lesson()))
        self._rename.clicked.connect(lambda: self._list.edit(self._list.currentIndex()))
        self.lessons.retitled.connect(self.retitled)

    def _ask(self) -> None:
        self.searched.emit(self._search.text().strip())
        self._show_part()

    def _go_to_hits(self) -> None:
        self._pause.stop()
        self._ask()
        if self._hits.rowCount():
            self._found.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_part(self) -> None:
        is_searching = bool(self._search.text().strip())
        has_lessons = self.lessons.rowCount() > 0
        self._search.setVisible(has_lessons)
        self._open_file.setVisible(has_lessons)
        part = 0 if not has_lessons else 2 if is_searching else 1
        self._stack.setCurrentWidget(self._parts[part])

    def _show_actions(self) -> None:
        row = self._chosen()
        for made in (self._open, self._rename):
            made.setEnabled(row is not None)
        self._find.setVisible(row is not None and bool(missing_words(row)))

    def _chosen(self) -> LessonRow | None:
        index = self._list.currentIndex()
        return index.data(ROW_ROLE) if index.isValid() else None

    def _open_chosen(self) -> None:
        self._open_row(self._list.currentIndex())

    def _open_row(self, index: QModelIndex) -> None:
        if index.isValid():
            self.lesson_opened.emit(index.data(ROW_ROLE).lesson_id, -1)

    def _open_hit(self, index: QModelIndex) -> None:
        hit: Hit = index.data(HIT_ROLE)
        self.lesson_opened.emit(hit.lesson_id, -1 if hit.start_ms is None else hit.start_ms)
