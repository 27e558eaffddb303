"""The line of the status bar that says where frames and words may go."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent
from PySide6.QtGui import QResizeEvent

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

    def show_endpoints(self, names: Sequence[str], here: Sequence[str]) -> None:
        """Name the endpoints that are turned on, and those of them on this computer."""
        self.setText(network_words(names, here))
        self.setAccessibleName(self.text())
        self._grow()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Take the lines that the width asks for; a status bar does not see to it."""
        super().resizeEvent(event)
        self._grow()

    def changeEvent(self, event: QEvent) -> None:
        """Take more room for larger text."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self._grow()

    def _grow(self) -> None:
        self.setMinimumHeight(self.heightForWidth(max(self.width(), 1)))
