"""The models page: models on this computer, endpoints, and a box for trying them."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QTabWidget, QVBoxLayout, QWidget

from views.models.endpoints_view import EndpointsView
from views.models.memory import MemoryStrip
from views.models.shelf_view import ShelfView
from views.models.try_view import TryView

SHELF, ENDPOINTS, TRY = range(3)


class ModelsPage(QWidget):
    """Holds the three parts, each of which speaks for itself, and below them what is in memory."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.shelf, self.endpoints, self.trying = ShelfView(), EndpointsView(), TryView()
        self._tabs = QTabWidget()
        self._tabs.setAccessibleName("Models")
        self._tabs.tabBar().setAccessibleName("Parts of the models page")
        self._tabs.addTab(self.shelf, "On this computer")
        self._tabs.addTab(self.endpoints, "Endpoints")
        self._tabs.addTab(self.trying, "Try it")
        self._tabs.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.memory = MemoryStrip()
        column = QVBoxLayout(self)
        column.addWidget(self._tabs)
        column.addWidget(self.memory)
        self.trying.endpoints_wanted.connect(lambda: self.show_part(ENDPOINTS))

    def show_part(self, part: int) -> None:
        """Bring a part into view and give it the keyboard."""
        self._tabs.setCurrentIndex(part)
        self.focus_part()

    def focus_part(self) -> None:
        """Give the keyboard to the part in view."""
        self._tabs.currentWidget().setFocus(Qt.FocusReason.OtherFocusReason)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Hand the keyboard to the part in view."""
        self.focus_part()

    def fit_text(self) -> None:
        """Make room for larger text."""
        self.trying.fit_text()
