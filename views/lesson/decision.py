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

from app.coding.pick import Pick, pick_of
from app.coding.practices import Practice
from app.coding.records import Decision, Stage
from views.common.controls import page_button, text_label
from views.common.widgets import button
from views.common.words import decision_words, disputed_words
from views.lesson.cites import Cites
from views.lesson.further import FurtherCodes

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
        picked: What is picked has changed: codes, levels or citations.
    """

    accepted = Signal()
    corrected = Signal()
    rejected = Signal()
    note_kept = Signal()
    note_typed = Signal()
    author_named = Signal(str)
    picked = Signal()

    def __init__(self, practices: Sequence[Practice], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self._practices = tuple(practices)
        self._stands = text_label()
        self._begun = text_label("What is picked below is not set yet.")
        self._code_buttons = [self._code_button(i) for i in range(len(self._practices))]
        self._level_buttons = [self._level_button(n) for n in range(1, MOST_LEVELS + 1)]
        self._codes, self._levels = QButtonGroup(self), QButtonGroup(self)
        self.further, self.cites = FurtherCodes(practices), Cites()
        self._pick = Pick()
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
    def pick(self) -> Pick:
        """All that is picked."""
        return self._pick

    @property
    def practice(self) -> str:
        """The practice picked; empty for none."""
        return self._pick.practice

    @property
    def level(self) -> int | None:
        """The level picked."""
        return self._pick.level

    @property
    def note(self) -> str:
        """The note as typed."""
        return self._note.text().strip()

    def show_clip(
        self,
        decision: Decision | None,
        note: str,
        *,
        can_accept: bool,
        pick: Pick | None = None,
        against: Sequence[Decision] = (),
        is_begun: bool = False,
    ) -> None:
        """Show what stands for a clip.

        Args:
            decision: The decision that stands, or `None`.
            note: The note typed so far.
            can_accept: Whether there is a suggestion on the screen to accept.
            pick: What is picked; without it, what the decision says.
            against: Decisions of people who differ; none of them stands then.
            is_begun: Whether the pick was begun and not committed.
        """
        self._stands.setText(_stands_words(decision, against))
        self.show_begun(begun=is_begun)
        self._accept.setVisible(can_accept)
        words = "Correct" if can_accept else "Set my code"
        self._correct.setText(words)
        self._correct.setAccessibleName(words)
        author = decision.author if decision else ""
        self._pick = pick if pick is not None else pick_of(decision, author)
        if not self._pause.isActive():
            self._note.setText(note)
            self._keep_note.hide()
        self._show_pick()

    def show_begun(self, *, begun: bool) -> None:
        """Say whether something is picked that was not committed yet."""
        self._begun.setVisible(begun)

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
        if place < len(self._practices):
            practice, level = self._practices[place], self.level
            kept = level if level is not None and level <= len(practice.levels) else None
            self.take(self._pick.with_practice(practice.id, kept))

    def pick_level(self, level: int) -> None:
        """Pick a level, if the picked practice has it."""
        if level <= self._most_levels(self.practice):
            self.take(self._pick.with_practice(self.practice, level))

    def pick_further(self, place: int) -> None:
        """Add the practice at a place as a further one, or take it out again."""
        if place < len(self._practices):
            self.take(self._pick.with_further(self._practices[place].id))

    def pick_further_level(self, level: int) -> None:
        """Give the further practice that was added last a level, if it has it."""
        if self._pick.also:
            practice = self._pick.also[-1].practice
            if level <= self._most_levels(practice):
                self.take(self._pick.with_further_level(practice, level))

    def take(self, pick: Pick) -> None:
        """Pick something else, and tell of it if it differs."""
        if pick != self._pick:
            self._pick = pick
            self._show_pick()
            self.picked.emit()

    def _most_levels(self, practice_id: str) -> int:
        found = [len(p.levels) for p in self._practices if p.id == practice_id]
        return found[0] if found else MOST_LEVELS

    def _show_pick(self) -> None:
        most = self._most_levels(self.practice)
        self._clear(self._codes)
        self._clear(self._levels)
        for number, made in enumerate(self._level_buttons, 1):
            made.setEnabled(number <= most)
            made.setChecked(number == self.level)
        for made, practice in zip(self._code_buttons, self._practices, strict=True):
            made.setChecked(practice.id == self.practice)
        self.further.show_pick(self._pick)
        self.cites.show_cites(self._pick.cites)
        self._told.setText(self._pick_words(most))

    def _pick_words(self, most: int) -> str:
        practice = next((p for p in self._practices if p.id == self.practice), None)
        if practice is None:
            return "Pick a practice and a level to set your own code."
        level = next((lv for lv in practice.levels if lv.level == self.level), None)
        if level is None:
            return f"{practice.title}. Now pick a level, 1 to {most}."
        return f"{practice.title}. Level {level.level}: {level.title}."

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
        grid.addWidget(QLabel("Also"), len(rows), 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(self.further, len(rows), 1, 1, MOST_LEVELS)
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
        column.addWidget(self._begun)
        column.addWidget(self._author_row)
        column.addLayout(grid)
        column.addWidget(self._told)
        column.addWidget(self.cites)
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
        self._levels.idClicked.connect(self.pick_level)
        self.further.toggled.connect(lambda practice: self.take(self._pick.with_further(practice)))
        self.further.level_picked.connect(
            lambda practice, level: self.take(
                self._pick.with_further_level(practice, level or None)
            )
        )
        self.cites.removed.connect(lambda place: self.take(self._pick.without_cite(place)))
        self.cites.described.connect(
            lambda place, words: self.take(self._pick.with_seen(place, words))
        )

    def _typing(self) -> None:
        self._keep_note.show()
        self._pause.start()

    @staticmethod
    def _clear(group: QButtonGroup) -> None:
        group.setExclusive(False)
        for made in group.buttons():
            made.setChecked(False)
        group.setExclusive(True)


def _stands_words(decision: Decision | None, against: Sequence[Decision]) -> str:
    if against:
        return f"People differ, so no code stands. {disputed_words(against)}."
    if decision is None:
        return "You have not decided yet."
    note = decision.note if decision.stage is Stage.CONSENSUS else ""
    return f"Stands: {decision_words(decision)}." + (f" Note: {note}" if note else "")
