"""The evidence quality page: outputs are drawn, rated blind by two people and talked over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QVBoxLayout, QWidget

from views.background import Background
from views.common.widgets import EmptyState

if TYPE_CHECKING:
    from app.desk import Desk

NO_SET = (
    "Two people rate how well models' evidence carries their codes. For that a set of coded clips "
    "is needed, and two models that have answered it: bring a set in and run the models first."
)


class EqsPage(QWidget):
    """Holds the views of one draw.

    Signals:
        case_opened: A lesson's id and the moment to go to, or -1.
        told: Something to tell: message and hint.
        trouble: An error to tell.
    """

    case_opened = Signal(str, int)
    told = Signal(str, str)
    trouble = Signal(object)

    def __init__(self, desk: Desk, background: Background, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._background = background
        self._empty = EmptyState("Nothing is drawn for rating yet.", NO_SET)
        column = QVBoxLayout(self)
        column.addWidget(self._empty)

    @property
    def actions_in_menu(self) -> list[QAction | None]:
        """The actions for the menu, in order; `None` stands for a line."""
        return []

    def refresh(self) -> None:
        """Bring the page up to date: it comes into view, or what may be seen has changed."""

    def leave(self) -> None:
        """Store what is being typed and stand still, as the page goes out of view."""

    def close_media(self) -> None:
        """Let go of the recording, before the window goes."""
        self.leave()
