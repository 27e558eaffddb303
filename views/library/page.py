"""The library page: all lessons, what has been done for each, what waits for review."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QFocusEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QListView,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.coding.moments import Found, Term, Wanted
from app.coding.practices import Practice
from app.store.records import LessonRow
from views.common.controls import page_button
from views.library.asking import Asking
from views.library.groups import SetHead
from views.library.lessons import HEAD_ROLE, ROW_ROLE, LessonList, LessonPainter, missing_words
from views.library.results import Results
from views.library.welcome import Welcome


class LibraryPage(QWidget):
    """Shows the lessons and what a search found in them.

    Signals:
        lesson_opened: A lesson's id, and the moment to go to or -1.
        files_wanted: The person asks to choose files.
        files_dropped: Paths that were dropped on the page.
        sample_wanted: The sample lesson is asked for.
        media_wanted: A lesson whose recording the person wants to look for.
        retitled: A lesson's id and its new title.
        searched: What to look for, `Wanted`.
        term_wanted: The days of this term are to be said.
    """

    lesson_opened = Signal(str, int)
    files_wanted = Signal()
    files_dropped = Signal(list)
    sample_wanted = Signal()
    media_wanted = Signal(str)
    retitled = Signal(str, str)
    searched = Signal(object)
    term_wanted = Signal()

    def __init__(self, practices: Sequence[Practice] = (), parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAcceptDrops(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.lessons = LessonList(self)
        self.asking, self.results = Asking(practices), Results()
        self._open_file = page_button("Open file…", "Add a recording, a transcript, or both")
        self._sample = page_button("Add sample lesson", "Add the lesson that comes along")
        self._welcome = Welcome()
        self._list = QListView()
        self._open = page_button("Open lesson", "Review the chosen lesson", "Enter")
        self._find = page_button("Find it…", "Show where the recording of this lesson lies now")
        self._rename = page_button("Rename", "Give the chosen lesson another title", "F2")
        self._stack = QStackedWidget()
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
        self.lessons.unfold_for(lesson_id)
        place = self.lessons.place_of(lesson_id)
        if place is not None:
            self._list.setCurrentIndex(self.lessons.index(place))

    def chosen_lesson(self) -> str:
        """Give the id of the lesson moved to; empty without one."""
        row = self._chosen()
        return row.lesson_id if row else ""

    def show_choices(self, authors: Sequence[str], term: Term | None) -> None:
        """Offer people to filter by, and learn which days this term has."""
        self.asking.show_choices(authors, self.lessons.rows)
        self.asking.show_term(term)

    def show_found(self, wanted: Wanted, found: Found) -> None:
        """Show what a search found."""
        self.results.show_found(wanted, found)
        self._show_part()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Hand the keyboard to what the page is for: the lessons, or the first step."""
        has_lessons = self.lessons.rowCount() > 0
        (self._list if has_lessons else self._welcome).setFocus(event.reason())

    def start_search(self) -> None:
        """Put the keyboard into the search box."""
        self.asking.box.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.asking.box.selectAll()

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
        self._list.setModel(self.lessons)
        self._list.setItemDelegate(LessonPainter(self._list))
        self._list.setAccessibleName("Lessons")
        self._list.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self._list.setMinimumSize(QSize(200, 120))

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.addWidget(self.asking.box, 1)
        top.addWidget(self.asking.more)
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
        self._parts = (self._welcome, shelf, self.results)
        for part in self._parts:
            self._stack.addWidget(part)
        column = QVBoxLayout(self)
        column.addLayout(top)
        column.addWidget(self.asking)
        column.addWidget(self._stack, 1)

    def _connect(self) -> None:
        self.asking.asked.connect(self._ask)
        self.asking.entered.connect(self.results.focus_list)
        self.asking.term_wanted.connect(self.term_wanted)
        self.results.sorted.connect(lambda _order: self._ask(self.asking.wanted))
        self.results.opened.connect(self.lesson_opened)
        self._open_file.clicked.connect(self.files_wanted)
        self._sample.clicked.connect(self.sample_wanted)
        self._welcome.sample_wanted.connect(self.sample_wanted)
        self._welcome.files_wanted.connect(self.files_wanted)
        self._list.activated.connect(self._open_row)
        self._list.selectionModel().currentChanged.connect(self._show_actions)
        self._open.clicked.connect(self._open_chosen)
        self._find.clicked.connect(lambda: self.media_wanted.emit(self.chosen_lesson()))
        self._rename.clicked.connect(lambda: self._list.edit(self._list.currentIndex()))
        self.lessons.retitled.connect(self.retitled)

    def _ask(self, wanted: Wanted) -> None:
        if not wanted.is_empty:
            self.searched.emit(replace(wanted, order=self.results.wanted_order()))
        self._show_part()

    def _show_part(self) -> None:
        is_searching = not self.asking.wanted.is_empty
        has_lessons = self.lessons.rowCount() > 0
        for part_of_search in (self.asking, self.asking.box, self.asking.more):
            part_of_search.setVisible(has_lessons)
        if not is_searching:
            self.results.reel.stop()
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
        head: SetHead | None = index.data(HEAD_ROLE) if index.isValid() else None
        if head is not None:
            self._toggle(head.name)
        elif index.isValid():
            self.lesson_opened.emit(index.data(ROW_ROLE).lesson_id, -1)

    def _toggle(self, name: str) -> None:
        self.lessons.toggle(name)
        place = self.lessons.head_place(name)
        if place is not None:
            self._list.setCurrentIndex(self.lessons.index(place))
