"""The line of the status bar that says where frames and words may go."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy

from views.common.controls import TextLabel


def network_words(names: Sequence[str], here: Sequence[str]) -> str:
    """Say where frames and words may go now.

    Args:
        names: Every endpoint that is turned on.
        here: Those of them where everything stays on this computer.
    """
    away = [name for name in names if name not in here]
    leaves = f"Sends data to: {', '.join(away)}" if away else "Nothing leaves this computer"
    stays = f"; in use on this computer: {', '.join(here)}" if here else ""
    return f"{leaves}{stays}"


class NetworkLine(TextLabel):
    """Names every endpoint in use, on as many lines as that takes: none may be cut off."""

    def __init__(self) -> None:
        super().__init__()
        # A status bar asks for the least height alone, and knows nothing of lines that wrap.
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_endpoints(self, names: Sequence[str], here: Sequence[str]) -> None:
        """Name the endpoints that are turned on, and those of them on this computer."""
        self.setText(network_words(names, here))
        self.setAccessibleName(self.text())

    def hasHeightForWidth(self) -> bool:
        """Keep the status bar from taking the height that its narrowest width would need."""
        return False

    def sizeHint(self) -> QSize:
        """Ask for the lines that the text takes at the width there is."""
        line = self.fontMetrics().lineSpacing()
        # Before it has been laid out, its width says nothing.
        wide_enough = self.width() > line * 10
        return QSize(0, self.heightForWidth(self.width()) if wide_enough else line)

    def minimumSizeHint(self) -> QSize:
        """Ask for the same at least."""
        return self.sizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Have the status bar ask again: another width may take another number of lines."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()
