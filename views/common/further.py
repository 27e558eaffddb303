"""Further practices of a clip that shows more than one, each with its level."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QGridLayout, QPushButton, QSizePolicy, QWidget

from app.coding.pick import Pick
from app.coding.practices import Practice
from app.scoring.scored import Code
from views.common.widgets import button

NO_LEVEL = "–"


class FurtherCodes(QWidget):
    """One button a practice to add it or take it out; beside each that is in, its level.

    Signals:
        toggled: The id of a practice to add or take out.
        level_picked: A practice's id and its level; 0 for none.
    """

    toggled = Signal(str)
    level_picked = Signal(str, int)

    def __init__(self, practices: Sequence[Practice], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._practices = tuple(practices)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(4)
        grid.setVerticalSpacing(3)
        self.buttons: dict[str, QPushButton] = {}
        self.levels: dict[str, QComboBox] = {}
        for place, practice in enumerate(self._practices):
            self.buttons[practice.id] = self._button(practice, place + 1)
            self.levels[practice.id] = self._level_box(practice)
            grid.addWidget(self.buttons[practice.id], 0, place)
            grid.addWidget(self.levels[practice.id], 1, place)
            grid.setColumnStretch(place, 1)

    def show_pick(self, pick: Pick) -> None:
        """Show which further practices are in; the main one cannot be."""
        held = {code.practice: code for code in pick.also}
        for practice in self._practices:
            self.buttons[practice.id].setChecked(practice.id in held)
            self.buttons[practice.id].setEnabled(practice.id != pick.practice)
            box = self.levels[practice.id]
            box.setVisible(practice.id in held)
            box.setCurrentIndex(held.get(practice.id, Code("")).level or 0)

    def _button(self, practice: Practice, place: int) -> QPushButton:
        made = button(
            practice.id,
            f"Also {practice.id}: {practice.title}",
            f"{practice.id} shows in this clip as well",
            f"Alt+{place}",
            stays=True,
        )
        made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        made.clicked.connect(lambda _on=False: self.toggled.emit(practice.id))
        return made

    def _level_box(self, practice: Practice) -> QComboBox:
        box = QComboBox()
        box.addItem(NO_LEVEL)
        box.addItems([str(level.level) for level in practice.levels])
        box.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        box.setAccessibleName(f"Level of {practice.id}, which shows as well")
        box.setToolTip(f"Level of {practice.id}; Alt+Shift+1 to 4 for the one added last")
        box.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        box.activated.connect(lambda level: self.level_picked.emit(practice.id, level))
        box.hide()
        return box
