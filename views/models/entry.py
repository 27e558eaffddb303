"""A field of a form, with what is wrong with it right below."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from views.common.controls import text_label
from views.common.signs import Sign, SignMark

FRAME_PX = 10
"""Border of a field that has the keyboard, above and below, with a little air; see the theme."""


class Entry(QWidget):
    """Holds a field; a sign and a sentence appear below it when it cannot be taken.

    Args:
        field: What is filled in.
        words: What it is called.
    """

    def __init__(self, field: QWidget, words: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = field
        field.setAccessibleName(words)
        self._sign, self._told = SignMark(Sign.WARNING, "wrong"), text_label()
        self._below = QWidget()
        line = QHBoxLayout(self._below)
        line.setContentsMargins(0, 0, 0, 4)
        line.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        line.addWidget(self._told, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(field)
        column.addWidget(self._below)
        self._below.hide()

    def show_trouble(self, words: str) -> None:
        """Say what is wrong; empty when nothing is. A screen reader says it with the field."""
        self._told.setText(words)
        self._below.setVisible(bool(words))
        self.field.setAccessibleDescription(words)

    def showEvent(self, event: QShowEvent) -> None:
        """Leave the field room for the wider border it has with the keyboard on it."""
        self.field.setMinimumHeight(self.field.fontMetrics().height() + FRAME_PX)
        super().showEvent(event)

    @property
    def trouble(self) -> str:
        """What is said to be wrong."""
        return self._told.text()
