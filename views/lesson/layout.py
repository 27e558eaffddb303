"""How the lesson page is laid out: player, timeline and transcript left, evidence right."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QSizePolicy,
    QSplitter,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from app.coding.practices import Practice
from views.common.controls import page_button, text_label
from views.jobs.row import JobStrip
from views.lesson.side import ReviewSide
from views.lesson.transcript import TranscriptPanel
from views.player import Player
from views.timeline import Timeline

NOTE_PAUSE_MS = 1000
"""A note is stored this long after the last key."""


TIMELINE_LINES = 6.8
"""Least height of the timeline: speech, clips, evidence, decisions and the clock."""


class LessonNote(QPlainTextEdit):
    """The note on the whole lesson; what is typed is handed on to be stored by itself.

    Signals:
        typed: The note as it stands, once the typing has paused or moved elsewhere.
    """

    typed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Note on the whole lesson")
        self.setPlaceholderText("Note on the whole lesson. It is kept as you type.")
        self.setTabChangesFocus(True)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(NOTE_PAUSE_MS)
        self._pause.timeout.connect(self.hand_on)
        self.textChanged.connect(self._pause.start)

    def show_note(self, text: str) -> None:
        """Show the note as stored; what is being typed is left alone."""
        if not self._pause.isActive() and text != self.toPlainText().strip():
            self.blockSignals(True)
            self.setPlainText(text)
            self.blockSignals(False)

    def hand_on(self) -> None:
        """Hand on what has been typed, now."""
        self._pause.stop()
        self.typed.emit(self.toPlainText().strip())

    def hand_on_if_typed(self) -> None:
        """Hand on what has been typed since the last time, if anything."""
        if self._pause.isActive():
            self.hand_on()


class LessonLayout(QWidget):
    """The widgets of the page and where they stand; what they do is connected elsewhere."""

    def __init__(self, practices: Sequence[Practice], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = QLabel()
        self.blind = QCheckBox("Blind")
        self.code = page_button("Find codes…", "Choose who codes the clips, and see what it takes")
        self.find_media = page_button("Find it…", "Show where the recording lies now")
        self.report = page_button("Write report…", "Write a page to talk over with the teacher")
        self.job = JobStrip(can_pause=True)
        self.notes = text_label()
        self.player = Player()
        self.timeline = Timeline()
        self.transcript = TranscriptPanel()
        self.note = LessonNote()
        self.tabs = QTabWidget()
        self.side = ReviewSide(practices)
        self._set_up()
        self.fit_text()
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 6, 8, 6)
        column.setSpacing(4)
        column.addLayout(self._head())
        column.addWidget(self.notes)
        column.addWidget(self.job)
        column.addWidget(self._body(), 1)

    def _set_up(self) -> None:
        font = self.title.font()
        font.setBold(True)
        self.title.setFont(font)
        self.title.setTextFormat(Qt.TextFormat.PlainText)
        self.title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.blind.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.blind.setAccessibleName("Blind mode")
        self.blind.setToolTip("Hide suggestions until you have set your own code for a clip")
        self.job.hide()
        self.notes.hide()
        self.tabs.setAccessibleName("Transcript and note")
        self.tabs.setDocumentMode(True)

    def fit_text(self) -> None:
        """Leave the timeline the height its rows need at this size of text."""
        self.timeline.setMinimumHeight(int(TIMELINE_LINES * self.fontMetrics().height()))

    def _head(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.addWidget(self.title, 1)
        for widget in (self.blind, self.find_media, self.code, self.report):
            row.addWidget(widget)
        return row

    def _body(self) -> QSplitter:
        self.tabs.addTab(self.transcript, "Transcript")
        self.tabs.addTab(self.note, "Lesson note")
        left = QSplitter(Qt.Orientation.Vertical)
        shares = (44, 26, 30)
        for widget, share in zip((self.player, self.timeline, self.tabs), shares, strict=True):
            left.addWidget(widget)
            left.setStretchFactor(left.count() - 1, share)
        left.setSizes([10 * share for share in shares])
        left.setChildrenCollapsible(False)
        both = QSplitter(Qt.Orientation.Horizontal)
        both.addWidget(left)
        both.addWidget(self.side)
        both.setStretchFactor(0, 5)
        both.setStretchFactor(1, 3)
        both.setChildrenCollapsible(False)
        self.side.setMinimumWidth(300)
        return both
