"""What stands on the library page before there is any lesson."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from views.common.controls import page_button, scrolling, text_label

WIDEST_PX = 640
"""Longer lines than this are hard to read."""


class Welcome(QWidget):
    """Offers the sample lesson and opening a file, and says what a model would add.

    Signals:
        sample_wanted: The sample lesson is asked for.
        files_wanted: The person asks to choose files.
    """

    sample_wanted = Signal()
    files_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sample = page_button(
            "Try the sample lesson", "A short made-up lesson, ready to review"
        )
        self._files = page_button(
            "Open a recording or transcript…", "Choose files from this computer"
        )
        self._sample.clicked.connect(self.sample_wanted)
        self._files.clicked.connect(self.files_wanted)
        inside = QWidget()
        inside.setLayout(self._words())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(scrolling(inside, "Welcome"))

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Hand the keyboard to the first step."""
        self._sample.setFocus(event.reason())

    def _words(self) -> QHBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(10)
        column.addStretch()
        column.addWidget(
            text_label("Review a lesson with the evidence beside you", bold=True, larger=1.5)
        )
        column.addWidget(
            text_label(
                "Clerestory shows which moments of a lesson may show a teaching practice, together "
                "with the words and pictures that say so. You decide. Nothing leaves this computer."
            )
        )
        column.addSpacing(8)
        for made, told in (
            (
                self._sample,
                "Four minutes with drawn pictures and computer voices. A good way to "
                "learn the keys.",
            ),
            (
                self._files,
                "A video or sound recording, a transcript, or both together. You can "
                "also drop files here. Files stay where they are; nothing is copied.",
            ),
        ):
            row = QHBoxLayout()
            row.addWidget(made)
            row.addStretch()
            column.addLayout(row)
            column.addWidget(text_label(told))
            column.addSpacing(4)
        column.addWidget(text_label("What a model would add", bold=True))
        column.addWidget(
            text_label(
                "The evidence finder that comes along looks for wording like that of the four "
                "practices; it does not judge. A language model can also weigh a whole clip and "
                "cite what it goes by. None is needed: fetch one, or turn an endpoint on, under "
                "Models, then choose it with “Find codes…” on a lesson."
            )
        )
        column.addStretch()
        frame = QHBoxLayout()
        frame.addStretch(1)
        holder = QWidget()
        holder.setLayout(column)
        holder.setMaximumWidth(WIDEST_PX)
        frame.addWidget(holder, 8)
        frame.addStretch(1)
        frame.setAlignment(Qt.AlignmentFlag.AlignVCenter)
        return frame
