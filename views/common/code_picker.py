"""Where codes are picked: a practice, its level, and further practices."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QGridLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.coding.pick import Pick
from app.coding.practices import Practice
from views.common.controls import text_label
from views.common.further import FurtherCodes
from views.common.widgets import button

MOST_LEVELS = 4


class CodePicker(QWidget):
    """Shows a pick and lets it be changed; decides nothing itself.

    Signals:
        picked: Something else is picked.
    """

    picked = Signal()

    def __init__(self, practices: Sequence[Practice], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._practices = tuple(practices)
        self._pick = Pick()
        self._code_buttons = [self._code_button(i) for i in range(len(self._practices))]
        self._level_buttons = [self._level_button(n) for n in range(1, MOST_LEVELS + 1)]
        self._codes, self._levels = QButtonGroup(self), QButtonGroup(self)
        self.further = FurtherCodes(practices)
        self._told = text_label()
        self._lay_out()
        self._connect()

    @property
    def pick(self) -> Pick:
        """All that is picked."""
        return self._pick

    def show_pick(self, pick: Pick) -> None:
        """Show what is picked, without telling of it."""
        self._pick = pick
        most = self._most_levels(pick.practice)
        for group in (self._codes, self._levels):
            _clear(group)
        for number, made in enumerate(self._level_buttons, 1):
            made.setEnabled(number <= most)
            made.setChecked(number == pick.level)
        for made, practice in zip(self._code_buttons, self._practices, strict=True):
            made.setChecked(practice.id == pick.practice)
        self.further.show_pick(pick)
        self._told.setText(self._pick_words(most))

    def take(self, pick: Pick) -> None:
        """Pick something else, and tell of it if it differs."""
        if pick != self._pick:
            self.show_pick(pick)
            self.picked.emit()

    def pick_practice(self, place: int) -> None:
        """Pick the practice at a place, from 0; a level it does not have is dropped."""
        if place < len(self._practices):
            practice, level = self._practices[place], self._pick.level
            kept = level if level is not None and level <= len(practice.levels) else None
            self.take(self._pick.with_practice(practice.id, kept))

    def pick_level(self, level: int) -> None:
        """Pick a level, if the picked practice has it."""
        if level <= self._most_levels(self._pick.practice):
            self.take(self._pick.with_practice(self._pick.practice, level))

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

    def _most_levels(self, practice_id: str) -> int:
        found = [len(p.levels) for p in self._practices if p.id == practice_id]
        return found[0] if found else MOST_LEVELS

    def _pick_words(self, most: int) -> str:
        practice = next((p for p in self._practices if p.id == self._pick.practice), None)
        if practice is None:
            return "Pick a practice and a level to set your own code."
        level = next((lv for lv in practice.levels if lv.level == self._pick.level), None)
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

    def _lay_out(self) -> None:
        for place, made in enumerate(self._code_buttons):
            self._codes.addButton(made, place)
        for level, made in enumerate(self._level_buttons, 1):
            self._levels.addButton(made, level)
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
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(5)
        column.addLayout(grid)
        column.addWidget(self._told)

    def _connect(self) -> None:
        self._codes.idClicked.connect(self.pick_practice)
        self._levels.idClicked.connect(self.pick_level)
        self.further.toggled.connect(lambda practice: self.take(self._pick.with_further(practice)))
        self.further.level_picked.connect(
            lambda practice, level: self.take(
                self._pick.with_further_level(practice, level or None)
            )
        )


def _clear(group: QButtonGroup) -> None:
    group.setExclusive(False)
    for made in group.buttons():
        made.setChecked(False)
    group.setExclusive(True)
