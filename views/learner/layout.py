"""How a learner video under review is laid out: player over the bands, events at the right."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QMenu,
    QSizePolicy,
    QSplitter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from views.common.controls import page_button, scrolling, text_label
from views.jobs.row import JobStrip
from views.learner.bands import BandsTimeline
from views.learner.face_picker import FacePicker
from views.learner.side import LearnerSide
from views.learner.words import LIMITS, LIMITS_SHORT
from views.player import Player

BLIND = (
    "Blind mode: what readers found is hidden. Mark what you see yourself (B), then say so here. "
    "Nothing to mark is an answer too."
)
FIRST = (
    "No reader has looked at this video yet. Have it read, or mark what you see yourself: B begins "
    "an event at the playhead, and ends it."
)


class Banner(QWidget):
    """One sentence that asks for a step, with the button that takes it."""

    def __init__(self, words: str, action: str, tip: str, key: str) -> None:
        super().__init__()
        self.words = text_label(words)
        self.button = page_button(action, tip, key)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.words, 1)
        row.addWidget(self.button)
        self.hide()

    def say(self, words: str, action: str) -> None:
        """Ask for another step."""
        self.words.setText(words)
        self.button.setText(action)
        self.button.setAccessibleName(action.rstrip("…"))


class LearnerLayout(QWidget):
    """The widgets of the page and where they stand; what they do is connected elsewhere."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = QLabel()
        self.back = page_button("All videos", "Back to the list of learner videos", "Ctrl+L")
        self.learner = page_button("Learner…", "Say whose video this is", "F2")
        self.read = page_button("Read…", "Choose a reader, and see what it takes", "R")
        self.report = page_button(
            "Write report…", "Write the student confusion report", "Ctrl+Shift+W"
        )
        self.find_media = page_button("Find it…", "Show where the recording lies now")
        self.job = JobStrip(can_pause=True)
        self.notes = text_label()
        self.faces = Banner("", "Choose the face…", "Point at the learner's face", "F")
        self.first = Banner(FIRST, "Have it read…", "Choose a reader, and see what it takes", "R")
        self.blind = Banner(
            BLIND, "I have marked what I see", "Show what readers found", "Ctrl+Shift+M"
        )
        self.player = Player()
        self.picker = FacePicker(self.player.picture)
        self.bands = BandsTimeline()
        self.readers = QComboBox()
        self.cues = QToolButton()
        self.cue_menu = QMenu(self.cues)
        self.limits = text_label(LIMITS_SHORT)
        self.side = LearnerSide()
        self._set_up()
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 6, 8, 6)
        column.setSpacing(4)
        column.addLayout(self._head())
        for widget in (self.notes, self.faces, self.first, self.blind, self.job):
            column.addWidget(widget)
        column.addWidget(self._body(), 1)
        column.addWidget(self.limits)

    def _set_up(self) -> None:
        font = self.title.font()
        font.setBold(True)
        self.title.setFont(font)
        self.title.setTextFormat(Qt.TextFormat.PlainText)
        self.title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.readers.setAccessibleName("Whose suggestions are listed")
        self.readers.setToolTip("Whose suggestions are listed, and whose cues are drawn")
        self.readers.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.readers.setMinimumContentsLength(12)
        self.readers.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.cues.setText("Cues")
        self.cues.setAccessibleName("Cues that are drawn as curves")
        self.cues.setToolTip("Choose up to three cues that are drawn as curves")
        self.cues.setMenu(self.cue_menu)
        self.cues.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.cues.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.limits.setToolTip(LIMITS)
        self.limits.setAccessibleDescription(LIMITS)
        self.job.hide()
        self.notes.hide()

    def _head(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.addWidget(self.title, 1)
        for widget in (self.find_media, self.back, self.learner, self.read, self.report):
            row.addWidget(widget)
        return row

    def _body(self) -> QSplitter:
        lower = QWidget()
        below = QVBoxLayout(lower)
        below.setContentsMargins(0, 0, 0, 0)
        below.setSpacing(3)
        choices = QHBoxLayout()
        choices.addWidget(self.readers)
        choices.addWidget(self.cues)
        choices.addStretch()
        below.addLayout(choices)
        self.rows = scrolling(self.bands, "Bands of confusion and their rows")
        below.addWidget(self.rows, 1)
        left = QSplitter(Qt.Orientation.Vertical)
        left.addWidget(self.player)
        left.addWidget(lower)
        left.setSizes([400, 400])
        left.setStretchFactor(0, 1)
        left.setStretchFactor(1, 1)
        both = QSplitter(Qt.Orientation.Horizontal)
        both.addWidget(left)
        both.addWidget(self.side)
        both.setStretchFactor(0, 5)
        both.setStretchFactor(1, 2)
        both.setSizes([700, 320])
        for splitter in (left, both):
            splitter.setChildrenCollapsible(False)
        self.side.setMinimumWidth(270)
        return both
