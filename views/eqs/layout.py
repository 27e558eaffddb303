"""How a case is rated or talked over: the case left, the scores right, or why there is none."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeySequence
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

from app.benchmark.eqs_records import RatingCard
from views.background import Background
from views.common.controls import page_button, scrolling, text_label
from views.common.widgets import EmptyState
from views.eqs.case import CaseView
from views.eqs.scores import ScorePicker, Scores

if TYPE_CHECKING:
    from app.desk import Desk

NOTE_PAUSE_MS = 600


class CaseLayout(QStackedWidget):
    """The widgets and where they stand; what they do is connected elsewhere.

    Signals:
        begun: A score was picked, or a note typed.
        stepped: Another case is wanted: 1 for the next, -1 for the one before.
        done: The case is done; Enter, or the button.
        asked: What is offered where there is no case was chosen.
        trouble: An error to tell.
    """

    begun = Signal()
    stepped = Signal(int)
    done = Signal()
    asked = Signal()
    trouble = Signal(object)

    def __init__(
        self, desk: Desk, background: Background, done: str, done_tip: str, note: str
    ) -> None:
        super().__init__()
        self.empty = EmptyState("", "")
        self.case = CaseView(desk, background)
        self.picker = ScorePicker()
        self._place, self._told = QLabel(), text_label()
        self._note = QLineEdit()
        self._note.setPlaceholderText(note)
        self._note.setAccessibleName(note)
        self._note.setMaxLength(2000)
        self._before = page_button("Back", "The case before", "P")
        self._after = page_button("Skip", "The next case, without finishing this one", "N")
        self._done = page_button(done, done_tip, "Enter")
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(NOTE_PAUSE_MS)
        self._lay_out()
        self._connect()

    @property
    def note(self) -> str:
        """The note as typed."""
        return self._note.text().strip()

    def show_nothing(self, title: str, text: str, action: str = "") -> None:
        """Say why there is no case here, and what to do."""
        self.case.leave()
        self.empty.say(title, text, action)
        self.setCurrentIndex(0)

    def show_case(
        self, card: RatingCard, scores: Scores, note: str, told: tuple[str, str, str]
    ) -> None:
        """Show a case with what was begun on it."""
        self.setCurrentIndex(1)
        self.case.show_card(card)
        self.picker.show_scores(scores, told)
        self._note.setText(note)

    def say(self, place: str, told: str) -> None:
        """Say where in the pile this is, and how far things stand."""
        self._place.setText(place)
        self._told.setText(told)

    def let_score(self, *, on: bool) -> None:
        """Let scores and notes be given, or only be read."""
        self.picker.let_pick(on=on)
        self._note.setReadOnly(not on)

    def bring(self) -> None:
        """Put the keyboard on the scores, or on what is offered instead."""
        if self.currentIndex():
            self.picker.bring()
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

    def _lay_out(self) -> None:
        font = self._place.font()
        font.setBold(True)
        self._place.setFont(font)
        head = QHBoxLayout()
        head.addWidget(self._place)
        head.addWidget(self._told, 1)
        pressed = QHBoxLayout()
        pressed.addWidget(self._before)
        pressed.addWidget(self._after)
        pressed.addWidget(self._done, 1)
        right = QFrame()
        on_right = QVBoxLayout(right)
        on_right.setContentsMargins(4, 0, 0, 0)
        scores = scrolling(self.picker, "Scores")
        self.picker.went.connect(scores.ensureWidgetVisible)
        on_right.addWidget(scores, 1)
        on_right.addWidget(self._note)
        on_right.addLayout(pressed)
        both = QSplitter(Qt.Orientation.Horizontal)
        both.addWidget(self.case)
        both.addWidget(right)
        both.setSizes([620, 380])
        both.setStretchFactor(0, 1)
        both.setChildrenCollapsible(False)
        work = QWidget()
        column = QVBoxLayout(work)
        column.setContentsMargins(0, 4, 0, 0)
        column.addLayout(head)
        column.addWidget(both, 1)
        self.addWidget(self.empty)
        self.addWidget(work)

    def _connect(self) -> None:
        self.picker.scored.connect(self.begun)
        self._note.textEdited.connect(lambda _text: self._pause.start())
        self._pause.timeout.connect(self.begun)
        self._before.clicked.connect(lambda: self.stepped.emit(-1))
        self._after.clicked.connect(lambda: self.stepped.emit(1))
        self._done.clicked.connect(self.done)
        self.empty.asked.connect(self.asked)
        self.case.trouble.connect(self.trouble)


def case_actions(layout: CaseLayout, done: str) -> list[QAction | None]:
    """Make the actions of a case, in the order of the menu; `None` stands for a line."""

    def made(text: str, keys: tuple[str, ...], act: Callable[[], object]) -> QAction:
        action = QAction(text, layout)
        action.setShortcuts([QKeySequence(key) for key in keys])
        # The same keys mean other things on other pages: these work only inside this view.
        action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        action.triggered.connect(lambda _on=False: act())
        layout.addAction(action)
        return action

    return [
        *(made(f"Score {n}", (str(n),), partial(layout.picker.pick, n)) for n in (1, 2, 3)),
        None,
        made(done, ("Return", "Enter"), layout.done.emit),
        made("Next case", ("N",), partial(layout.stepped.emit, 1)),
        made("Case before", ("P",), partial(layout.stepped.emit, -1)),
        made("Play or pause the clip", ("Space",), layout.case.play),
        made("Note", ("Ctrl+Return",), layout.focus_note),
        made("To the scores", ("S",), layout.picker.bring),
    ]
