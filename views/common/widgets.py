"""Small widgets that more than one page uses."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)


def button(text: str, name: str, tip: str, key: str = "", *, stays: bool = False) -> QPushButton:
    """Make a button that says what it does to everyone.

    Args:
        text: What stands on it; may be a sign such as `▶`.
        name: What a screen reader says; words, never a sign.
        tip: One sentence on what happens.
        key: The key that does the same, added to the tip as people read it: `Space`.
        stays: Whether it stays down until it is pressed again.
    """
    made = QPushButton(text)
    made.setAccessibleName(name)
    told = f"{tip} ({key})" if key else tip
    made.setToolTip(told)
    made.setAccessibleDescription(told)
    made.setCheckable(stays)
    # Enter belongs to forms; keys of the page must not be swallowed by whatever was clicked last.
    made.setAutoDefault(False)
    return made


MOST_LETTERS = 100
"""Of a line in the middle of a page: longer ones are hard to follow across a wide window."""


class EmptyState(QWidget):
    """Says in plain words that there is nothing yet, and offers the next step.

    Signals:
        asked: The offered step was chosen.
    """

    asked = Signal()

    def __init__(
        self, title: str, text: str, action: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._title, self._text = QLabel(title), QLabel(text)
        self._action = button(action, action, action)
        self._action.clicked.connect(self.asked)
        font = self._title.font()
        font.setBold(True)
        self._title.setFont(font)
        self._inside = QWidget()
        column = QVBoxLayout(self._inside)
        column.addStretch()
        for label in (self._title, self._text):
            label.setWordWrap(True)
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
            column.addWidget(label)
        column.addWidget(self._action, alignment=Qt.AlignmentFlag.AlignHCenter)
        column.addStretch()
        self._action.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addStretch(1)
        row.addWidget(self._inside, MOST_LETTERS)
        row.addStretch(1)
        self._fit()
        self.say(title, text, action)

    def changeEvent(self, event: QEvent) -> None:
        """Keep lines as short at another size of text."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self._fit()

    def _fit(self) -> None:
        self._inside.setMaximumWidth(self.fontMetrics().averageCharWidth() * MOST_LETTERS)

    def say(self, title: str, text: str, action: str = "") -> None:
        """Change what is said; without an action there is no button."""
        self._title.setText(title)
        self._text.setText(text)
        self._action.setText(action)
        self._action.setAccessibleName(action)
        self._action.setToolTip(action)
        self._action.setVisible(bool(action))
