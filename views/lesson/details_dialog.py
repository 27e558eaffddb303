"""Shows how a suggestion came about, to be read and copied."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from views.common.widgets import button

WIDTH_PX, HEIGHT_PX = 760, 560


class DetailsDialog(QDialog):
    """Text that can be selected with mouse and keyboard; Esc closes.

    Args:
        title: What it is about.
        text: All of it.
        parent: The window it stands over.
    """

    def __init__(self, title: str, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.text = QPlainTextEdit(text)
        self.text.setReadOnly(True)
        # A caret, so that parts of it can be selected without a mouse.
        self.text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByKeyboard
            | Qt.TextInteractionFlag.TextSelectableByMouse
        )
        self.text.setTabChangesFocus(True)
        self.text.setAccessibleName(title)
        self.copy = button("Copy all", "Copy all", "Put all of it on the clipboard", "Alt+C")
        self.copy.setShortcut("Alt+C")
        self.copy.clicked.connect(self._copy)
        shut = button("Close", "Close", "Close this", "Esc")
        shut.clicked.connect(self.reject)
        row = QHBoxLayout()
        row.addWidget(self.copy)
        row.addStretch()
        row.addWidget(shut)
        column = QVBoxLayout(self)
        column.addWidget(self.text, 1)
        column.addLayout(row)
        self.resize(WIDTH_PX, HEIGHT_PX)
        self.text.setFocus()

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text.toPlainText())
        self.copy.setText("Copied")
        self.copy.setAccessibleName("Copied")
