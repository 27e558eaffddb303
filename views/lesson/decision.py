"""Where the reviewer says what a clip shows: pick a code, accept, correct or reject."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.coding.practices import Practice
from app.coding.records import Decision
from views.common.controls import page_button, text_label
from views.common.widgets import button
from views.common.words import decision_words

MOST_LEVELS = 4
NOTE_PAUSE_MS = 600
"""A note is handed on this long after the last key."""


class DecisionPanel(QFrame):
    """Takes a practice, a level and a note; says what was pressed, decides nothing itself.

    Signals:
        accepted: The suggestion is to be accepted.
        corrected: The picked code is to be set.
        rejected: No practice is to be set.
        note_kept: The note is to be stored with the decision that stands.
        note_typed: The typing of a note has paused.
        author_named: The reviewer typed a name or initials.
    """

    accepted = Signal()
    corrected = Signal()
    rejected = Signal()
    note_kept = Signal()
    note_typed = Signal()
    author_named = Signal(str)

    def __init__(self, practices: Sequence[Practice], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self._practices = tuple(practices)
        self._stands = text_label()
        self._code_buttons = [self._code_button(i) for i in range(len(self._practices))]
        self._level_buttons = [self._level_button(n) for n in range(1, MOST_LEVELS + 1)]
        self._codes, self._levels = QButtonGroup(self), QButtonGroup(self)
        self._told = text_label()
        self._note = QLineEdit()
        self._keep_note = page_button("Keep note", "Store this note with your decision")
        self._author = QLineEdit()
        self._pause = QTimer(self)
        self._author_row = QWidget()
        self._accept = page_button("Accept", "The suggestion is right", "A")
        self._correct = page_button("Correct", "Set the practice and level picked above", "C")
        self._reject = page_button("Reject", "None of the four practices shows here", "X")
        self._set_up()
        self._lay_out()
        self._connect()

    @property
    def practice(self) -> str:
        """The practice picked; empty for none."""
        at = self._codes.checkedId()
        return self._practices[at].id if at >= 0 else ""

    @property
    def level(self) -> int | None:
        """The level picked."""
        at = self._levels.checkedId()
        return at if at > 0 else None

    @property
    def note(self) -> str:
        """The note as typed."""
        return self._note.text().strip()

    def show_clip(self, decision: Decision | None, note: str, *, can_accept: bool) -> None:
        """Show what stands for a clip.

        Args:
            decision: The decision that stands, or `None`.
            note: The note typed so far.
            can_accept: Whether there is a suggestion on the screen to accept.
        """
        self._stands.setText(
            f"Stands: {decision_words(decision)}." if decision else "You have not decided yet."
        )
        self._accept.setVisible(can_accept)
        words = "Correct" if can_accept else "Set my code"
        self._correct.setText(words)
        self._correct.setAccessibleName(words)
        self._clear(self._codes)
        self._clear(self._levels)
        if decision is not None and decision.practice:
            self.pick_practice_id(decision.practice)
            if decision.level is not None:
                self.pick_level(decision.level)
        if not self._pause.isActive():
            self._note.setText(note)
            self._keep_note.hide()
        self._show_pick()

    def ask_author(self, *, wanted: bool) -> None:
        """Ask for a name or initials as long as there is none."""
        self._author_row.setVisible(wanted)

    def focus_author(self) -> None:
        """Put the keyboard where the name is typed."""
        self._author.setFocus(Qt.FocusReason.OtherFocusReason)

    def focus_note(self) -> None:
        """Put the keyboard into the note."""
        self._note.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def finish_typing(self) -> None:
        """Hand on a note that is still being typed, before the clip changes."""
        if self._pause.isActive():
            self._pause.stop()
            self.note_typed.emit()

    def pick_practice(self, place: int) -> None:
        """Pick the practice at a place, from 0; a level it does not have is dropped."""
        if place < len(self._code_buttons):
            self._code_buttons[place].setChecked(True)
            if self.level is not None and self.level > self._levels_of_pick():
                self._clear(self._levels)
            self._show_pick()

    def pick_practice_id(self, practice_id: str) -> None:
        """Pick a practice by its id."""
        for place, practice in enumerate(self._practices):
            if practice.id == practice_id:
                self.pick_practice(place)

    def pick_level(self, level: int) -> None:
        """Pick a level, if the picked practice has it."""
        if level <= self._levels_of_pick():
            self._level_buttons[level - 1].setChecked(True)
            self._show_pick()

    def _levels_of_pick(self) -> int:
        at = self._codes.checkedId()
        return len(self._practices[at].levels) if at >= 0 else MOST_LEVELS

    def _show_pick(self) -> None:
        most = self._levels_of_pick()
        for number, made in enumerate(self._level_buttons, 1):
            made.setEnabled(number <= most)
        at = self._codes.checkedId()
        if at < 0:
            self._told.setText("Pick a practice and a level to set your own code.")
            return
        practice = self._practices[at]
        level = next((lv for lv in practice.levels if lv.level == self.level), None)
        self._told.setText(
            f"{practice.title}. Level {level.level}: {level.title}."
            if level
            else f"{practice.title}. Now pick a level, 1 to {most}."
        )

    def _code_button(self, place: int) -> QPushButton:
        practice = self._practices[place]
        made = button(
            practice.id,
            f"{practice.id}: {practice.title}",
            practice.descriptor,
            str(place + 1),
            stays=True,
        )
        made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return made

    def _level_button(self, level: int) -> QPushButton:
        made = button(
            str(level),
            f"Level {level}",
            f"Level {level} of the picked practice",
            f"Shift+{level}",
            stays=True,
        )
        made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return made

    def _set_up(self) -> None:
        for place, made in enumerate(self._code_buttons):
            self._codes.addButton(made, place)
        for level, made in enumerate(self._level_buttons, 1):
            self._levels.addButton(made, level)
        self._note.setPlaceholderText("Note on this clip")
        self._note.setAccessibleName("Note on this clip")
        self._author.setAccessibleName("Your name or initials")
        self._author.setPlaceholderText("Your name or initials, kept with each decision")
        self._keep_note.hide()
        self._pause.setSingleShot(True)
        self._pause.setInterval(NOTE_PAUSE_MS)

    def _lay_out(self) -> None:
        asked = QHBoxLayout(self._author_row)
        asked.setContentsMargins(0, 0, 0, 0)
        asked.addWidget(self._author, 1)
        grid = QGridLayout()
        grid.setHorizontalSpacing(4)
        rows = (("Practice", self._code_buttons), ("Level", self._level_buttons))
        for row, (word, picks) in enumerate(rows):
            grid.addWidget(QLabel(word), row, 0)
            for place, one in enumerate(picks, 1):
                grid.addWidget(one, row, place)
                grid.setColumnStretch(place, 1)
        noted = QHBoxLayout()
        noted.addWidget(self._note, 1)
        noted.addWidget(self._keep_note)
        pressed = QHBoxLayout()
        for made in (self._accept, self._correct, self._reject):
            pressed.addWidget(made, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 6, 8, 8)
        column.setSpacing(5)
        column.addWidget(text_label("Your decision", bold=True))
        column.addWidget(self._stands)
        column.addWidget(self._author_row)
        column.addLayout(grid)
        column.addWidget(self._told)
        column.addLayout(noted)
        column.addLayout(pressed)

    def _connect(self) -> None:
        self._accept.clicked.connect(self.accepted)
        self._correct.clicked.connect(self.corrected)
        self._reject.clicked.connect(self.rejected)
        self._keep_note.clicked.connect(self.note_kept)
        self._note.returnPressed.connect(self.note_kept)
        self._note.textEdited.connect(self._typing)
        self._pause.timeout.connect(self.note_typed)
        self._author.editingFinished.connect(
            lambda: self.author_named.emit(self._author.text().strip())
        )
        self._codes.idClicked.connect(self.pick_practice)
        self._levels.idClicked.connect(lambda _level: self._show_pick())

    def _typing(self) -> None:
        self._keep_note.show()
        self._pause.start()

    @staticmethod
    def _clear(group: QButtonGroup) -> None:
        group.setExclusive(False)
        for made in group.buttons():
            made.setChecked(False)
        group.setExclusive(True)
