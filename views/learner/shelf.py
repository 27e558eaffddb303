"""The learner videos there are, and what to do while there is none."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.confusion.review import LearnerVideoRow
from views.common.controls import page_button, text_label
from views.common.widgets import EmptyState
from views.common.words import count_words, length_words
from views.learner.words import LIMITS

NONE_YET = (
    "Follow one learner",
    "Add a video in which one learner's face can be seen, such as a webcam recording. Readers then "
    "say when signs of confusion show and why, and where nobody can know; you confirm, correct or "
    "dismiss, and write a report to talk over. Nothing leaves this computer unless you choose a "
    "reader elsewhere.",
    "Add a learner video…",
)


class LearnerShelf(QWidget):
    """Lists the learner videos.

    Signals:
        opened: The id of the video to open.
        add_wanted: A video is to be added.
        find_wanted: The id of a video whose recording is to be looked for.
        curation_wanted: Candidate clips are to be judged, or sets made.
    """

    opened = Signal(str)
    add_wanted = Signal()
    find_wanted = Signal(str)
    curation_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[LearnerVideoRow, ...] = ()
        self.videos = QListWidget()
        self._empty = EmptyState(*NONE_YET)
        self._stack = QStackedWidget()
        self._add = page_button(
            "Add a learner video…", "Choose a recording of one learner", "Ctrl+Shift+O"
        )
        self._open = page_button("Open", "Review the chosen video", "Enter")
        self._find = page_button("Find it…", "Show where the recording lies now")
        self._curate = page_button(
            "Candidate clips and sets…",
            "Judge the windows that readers found, and make sets of clips and videos for others",
            "Ctrl+Shift+J",
        )
        self.videos.setAccessibleName("Learner videos")
        self.videos.setWordWrap(True)
        self._lay_out()
        self._empty.asked.connect(self.add_wanted)
        self._add.clicked.connect(self.add_wanted)
        self._open.clicked.connect(self._open_chosen)
        self._curate.clicked.connect(self.curation_wanted)
        self._find.clicked.connect(lambda: self.find_wanted.emit(self.chosen()))
        self.videos.itemActivated.connect(self._open_chosen)
        self.videos.currentRowChanged.connect(self._show_actions)

    def show_rows(self, rows: Sequence[LearnerVideoRow]) -> None:
        """Show the videos; the chosen one stays so."""
        chosen = self.chosen()
        self._rows = tuple(rows)
        self.videos.clear()
        for row in rows:
            item = QListWidgetItem(row_words(row))
            item.setData(Qt.ItemDataRole.UserRole, row.lesson_id)
            self.videos.addItem(item)
        ids = [row.lesson_id for row in rows]
        if rows:
            self.videos.setCurrentRow(ids.index(chosen) if chosen in ids else 0)
        self._stack.setCurrentIndex(1 if rows else 0)
        self._show_actions()

    def chosen(self) -> str:
        """Give the id of the video moved to; empty without one."""
        item = self.videos.currentItem()
        return str(item.data(Qt.ItemDataRole.UserRole)) if item is not None else ""

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Hand the keyboard to the list, or to the first step."""
        target = self.videos if self._rows else self._empty.findChild(QPushButton)
        if target is not None:
            target.setFocus(event.reason())

    def _lay_out(self) -> None:
        shelf = QWidget()
        column = QVBoxLayout(shelf)
        column.setContentsMargins(0, 0, 0, 0)
        top = QHBoxLayout()
        top.addWidget(text_label("Learner videos", bold=True, larger=1.2), 1)
        top.addWidget(self._add)
        actions = QHBoxLayout()
        for made in (self._open, self._find):
            actions.addWidget(made)
        actions.addStretch()
        actions.addWidget(self._curate)
        column.addLayout(top)
        column.addWidget(self.videos, 1)
        column.addLayout(actions)
        column.addWidget(text_label(LIMITS))
        self._stack.addWidget(self._empty)
        self._stack.addWidget(shelf)
        whole = QVBoxLayout(self)
        whole.addWidget(self._stack)

    def _open_chosen(self) -> None:
        if self.chosen():
            self.opened.emit(self.chosen())

    def _show_actions(self) -> None:
        row = next((row for row in self._rows if row.lesson_id == self.chosen()), None)
        self._open.setEnabled(row is not None)
        self._find.setVisible(row is not None and bool(row.media_path) and not row.media_found)


def row_words(row: LearnerVideoRow) -> str:
    """Write a video in two lines: what and whose it is, then what has been done."""
    readers = f"Read by {', '.join(row.readers)}" if row.readers else "Not read yet"
    decided = f"{count_words(row.decided, 'event')} decided" if row.decided else "nothing decided"
    gone = "" if row.media_found or not row.media_path else " The recording was moved: find it."
    return (
        f"{row.title}  ·  {row.learner.name}  ·  {length_words(row.duration_ms)}\n"
        f"{readers}; {decided}.{gone}"
    )
