"""The researchers' checklist: five criteria, and one reason to drop that is none of them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QVBoxLayout, QWidget

from app.confusion.curation import CRITERIA, NEIGHBOUR
from views.common.controls import text_label


class Checklist(QWidget):
    """Five lines to tick, each with what is looked for, and a sixth for neighbours."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.boxes: dict[str, QCheckBox] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        for number, one in enumerate(CRITERIA, 1):
            self._add(column, one.id, f"{number}  {one.title}", one.looked_for)
        self._add(
            column,
            NEIGHBOUR,
            "6  Like its neighbour",
            "much the same as the clip beside it: a reason to drop one of the two",
        )

    @property
    def ticked(self) -> tuple[str, ...]:
        """What is ticked, in the order of the list."""
        return tuple(name for name, box in self.boxes.items() if box.isChecked())

    def show_ticked(self, names: Sequence[str]) -> None:
        """Tick these and no others."""
        for name, box in self.boxes.items():
            box.setChecked(name in names)

    def toggle(self, number: int) -> None:
        """Tick or untick a line by its number, from 1."""
        list(self.boxes.values())[number - 1].toggle()

    def _add(self, column: QVBoxLayout, name: str, title: str, looked_for: str) -> None:
        box = QCheckBox(title)
        # The keyboard ticks by number from anywhere; a click must not take Space from the player.
        box.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        box.setAccessibleDescription(looked_for)
        told = text_label(looked_for)
        told.setContentsMargins(24, 0, 0, 4)
        self.boxes[name] = box
        column.addWidget(box)
        column.addWidget(told)
