"""Where people set what they agree on, after talking a clip over."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from app.coding.pick import Pick
from app.coding.practices import Practice
from views.common.code_picker import CodePicker
from views.common.controls import page_button, text_label

NOTE_PAUSE_MS = 600


class ConsensusPanel(QFrame):
    """Takes the agreed codes and a note on the discussion.

    Signals:
        agreed: The picked code is what people agree on.
        none_agreed: People agree that no practice shows.
        begun: Something was picked or typed that is not agreed yet.
    """

    agreed = Signal()
    none_agreed = Signal()
    begun = Signal()

    def __init__(self, practices: Sequence[Practice], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.codes = CodePicker(practices)
        self._head = text_label(bold=True)
        self._stands = text_label()
        self._note = QLineEdit()
        self._note.setPlaceholderText("What was said in the discussion")
        self._note.setAccessibleName("Note on the discussion")
        self._agree = page_button("Agree", "Keep the picked code as the consensus", "Enter")
        self._none = page_button("No practice", "Agree that none of the four practices shows", "X")
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(NOTE_PAUSE_MS)
        self._lay_out()
        self._connect()

    @property
    def pick(self) -> Pick:
        """The codes picked."""
        return self.codes.pick

    @property
    def note(self) -> str:
        """The note as typed."""
        return self._note.text().strip()

    def show_clip(self, people: str, stands: str, pick: Pick, note: str) -> None:
        """Show where the discussion of a clip stands.

        Args:
            people: Who agrees, as one author.
            stands: What stands now, in words.
            pick: The codes to start from, or that were begun.
            note: The note to start from, or that was begun.
        """
        self._head.setText(f"Consensus of {people}")
        self._stands.setText(stands)
        self.codes.show_pick(pick)
        self._note.setText(note)

    def finish_typing(self) -> None:
        """Hand on a note that is still being typed."""
        if self._pause.isActive():
            self._pause.stop()
            self.begun.emit()

    def focus_note(self) -> None:
        """Put the keyboard into the note."""
        self._note.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _lay_out(self) -> None:
        pressed = QHBoxLayout()
        pressed.addWidget(self._agree, 1)
        pressed.addWidget(self._none, 1)
        right = QVBoxLayout()
        right.addWidget(self._head)
        right.addWidget(self._stands)
        right.addWidget(self._note)
        right.addLayout(pressed)
        right.addStretch()
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 6, 8, 8)
        row.setSpacing(12)
        row.addWidget(self.codes, 1)
        row.addLayout(right, 1)

    def _connect(self) -> None:
        self._agree.clicked.connect(self.agreed)
        self._none.clicked.connect(self.none_agreed)
        self.codes.picked.connect(self.begun)
        self._note.textEdited.connect(lambda _text: self._pause.start())
        self._pause.timeout.connect(self.begun)
