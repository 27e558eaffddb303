"""How one case after another is scored: the case left, the scores right, or why there is none."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from views.common.controls import page_button, scrolling, text_label
from views.common.widgets import EmptyState

NOTE_PAUSE_MS = 600


class Picker(QWidget):
    """Where scores of a case are picked.

    Signals:
        scored: Something was picked.
        went: What the keys have come to, which is to be in sight.
    """

    scored = Signal()
    went = Signal(QWidget)

    def bring(self) -> None:
        """Put the keyboard on what is scored next."""
        self.setFocus(Qt.FocusReason.TabFocusReason)


@dataclass(frozen=True, slots=True)
class CaseWords:
    """What stands on the controls of a case, and the keys beside."""

    done: str
    done_tip: str
    note: str
    """What the note is on."""
    back_key: str = "P"
    skip_key: str = "N"


class CaseShell(QStackedWidget):
    """The widgets and where they stand; what they do is connected elsewhere.

    Args:
        case: Shows the case.
        picker: Takes its scores.
        words: What stands on the controls.
        widths: Of case and scores, to begin with.

    Signals:
        begun: A score was picked, or a note typed.
        stepped: Another case is wanted: 1 for the next, -1 for the one before.
        done: The case is done; Enter, or the button.
        asked: What is offered where there is no case was chosen.
    """

    begun = Signal()
    stepped = Signal(int)
    done = Signal()
    asked = Signal()

    def __init__(
        self, case: QWidget, picker: Picker, words: CaseWords, widths: tuple[int, int] = (620, 380)
    ) -> None:
        super().__init__()
        self._scored = picker
        self.empty = EmptyState("", "")
        self._place, self._told = QLabel(), text_label()
        self._note = QLineEdit()
        self._note.setPlaceholderText(words.note)
        self._note.setAccessibleName(words.note)
        self._note.setMaxLength(2000)
        self._before = page_button("Back", "The case before", words.back_key)
        self._after = page_button(
            "Skip", "The next case, without finishing this one", words.skip_key
        )
        self._done = page_button(words.done, words.done_tip, "Enter")
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(NOTE_PAUSE_MS)
        self._lay_out(case, widths)
        self._connect()

    @property
    def note(self) -> str:
        """The note as typed."""
        return self._note.text().strip()

    def set_note(self, note: str) -> None:
        """Show another note."""
        self._pause.stop()
        self._note.setText(note)

    def let_note(self, *, on: bool) -> None:
        """Let a note be typed, or only be read."""
        self._note.setReadOnly(not on)

    def show_nothing(self, title: str, text: str, action: str = "") -> None:
        """Say why there is no case here, and what to do."""
        self.empty.say(title, text, action)
        self.setCurrentIndex(0)

    def say(self, place: str, told: str) -> None:
        """Say where in the pile this is, and how far things stand."""
        self._place.setText(place)
        self._told.setText(told)

    def bring(self) -> None:
        """Put the keyboard on the scores, or on what is offered instead."""
        if self.currentIndex():
            self._scored.bring()
        else:
            self.empty.focusNextChild()

    def finish_typing(self) -> None:
        """Hand on a note that is still being typed."""
        if self._pause.isActive():
            self._pause.stop()
            self.begun.emit()

    def focus_note(self) -> None:
        """Put the keyboard into the note."""
        self._note.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _lay_out(self, case: QWidget, widths: tuple[int, int]) -> None:
        font = self._place.font()
        font.setBold(True)
        self._place.setFont(font)
        head = QHBoxLayout()
        head.addWidget(self._place)
        head.addWidget(self._told, 1)
        both = QSplitter(Qt.Orientation.Horizontal)
        both.addWidget(case)
        both.addWidget(self._right())
        both.setSizes(list(widths))
        both.setStretchFactor(0, 1)
        both.setChildrenCollapsible(False)
        work = QWidget()
        column = QVBoxLayout(work)
        column.setContentsMargins(0, 4, 0, 0)
        column.addLayout(head)
        column.addWidget(both, 1)
        self.addWidget(self.empty)
        self.addWidget(work)

    def _right(self) -> QFrame:
        pressed = QHBoxLayout()
        pressed.addWidget(self._before)
        pressed.addWidget(self._after)
        pressed.addWidget(self._done, 1)
        right = QFrame()
        on_right = QVBoxLayout(right)
        on_right.setContentsMargins(4, 0, 0, 0)
        scores = scrolling(self._scored, "Scores")
        self._scored.went.connect(scores.ensureWidgetVisible)
        on_right.addWidget(scores, 1)
        on_right.addWidget(self._note)
        on_right.addLayout(pressed)
        return right

    def _connect(self) -> None:
        self._scored.scored.connect(self.begun)
        self._note.textEdited.connect(lambda _text: self._pause.start())
        self._pause.timeout.connect(self.begun)
        self._before.clicked.connect(lambda: self.stepped.emit(-1))
        self._after.clicked.connect(lambda: self.stepped.emit(1))
        self._done.clicked.connect(self.done)
        self.empty.asked.connect(self.asked)
