"""An endpoint of the settings that makes no sense: named, with the reason, and removable."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.endpoint_fields import UnreadableEndpoint
from views.common.controls import hairline, page_button, text_label
from views.common.signs import Sign, SignMark


class BrokenStrip(QWidget):
    """Shows one endpoint that cannot be read.

    Signals:
        remove_wanted: Its name.
    """

    remove_wanted = Signal(str)

    def __init__(self, broken: UnreadableEndpoint, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._remove = page_button("Remove…", "Take it out of the settings; asks first")
        self._remove.setAccessibleName(f"Remove: {broken.name}")
        self._remove.clicked.connect(lambda: self.remove_wanted.emit(broken.name))
        line = QHBoxLayout()
        line.addWidget(SignMark(Sign.WARNING, "cannot be read"), 0, Qt.AlignmentFlag.AlignTop)
        line.addWidget(text_label(f"It cannot be read, and is never asked. {broken.reason}"), 1)
        buttons = QHBoxLayout()
        buttons.addWidget(self._remove)
        buttons.addStretch()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 4)
        column.setSpacing(4)
        column.addWidget(text_label(broken.name, bold=True))
        column.addLayout(line)
        column.addLayout(buttons)
        column.addWidget(hairline())
