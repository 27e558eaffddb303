"""Where the reviewer says what a clip shows: pick a code, accept, correct or reject."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from app.coding.pick import Pick, pick_of
from app.coding.practices import Practice
from app.coding.records import Decision, Stage
from views.common.code_picker import CodePicker
from views.common.controls import page_button, text_label
from views.common.words import decision_words, disputed_words
from views.lesson.cites import Cites

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
        self._stands = text_label()
        self._begun = text_label("What is picked below is not set yet.")
        self.codes, self.cites = CodePicker(practices), Cites()
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
        return self.codes.pick

    @property
    def practice(self) -> str:
        """The practice picked; empty for none."""
        return self.pick.practice

    @property
    def level(self) -> int | None:
        """The level picked."""
        return self.pick.level

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
        self._show_pick(pick if pick is not None else pick_of(decision, author))
        if not self._pause.isActive():
            self._note.setText(note)
            self._keep_note.hide()

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

    def take(self, pick: Pick) -> None:
        """Pick something else, and tell of it if it differs."""
        self.codes.take(pick)

    def _show_pick(self, pick: Pick) -> None:
        self.codes.show_pick(pick)
        self.cites.show_cites(pick.cites)

    def _picked(self) -> None:
        self.cites.show_cites(self.pick.cites)
        self.picked.emit()

    def _set_up(self) -> None:
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
        column.addWidget(self.codes)
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
        self.codes.picked.connect(self._picked)
        self.cites.removed.connect(lambda place: self.take(self.pick.without_cite(place)))
        self.cites.described.connect(
            lambda place, words: self.take(self.pick.with_seen(place, words))
        )

    def _typing(self) -> None:
        self._keep_note.show()
        self._pause.start()


def _stands_words(decision: Decision | None, against: Sequence[Decision]) -> str:
    if against:
        return f"People differ, so no code stands. {disputed_words(against)}."
    if decision is None:
        return "You have not decided yet."
    note = decision.note if decision.stage is Stage.CONSENSUS else ""
    return f"Stands: {decision_words(decision)}." + (f" Note: {note}" if note else "")
