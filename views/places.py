"""The pages of the window, named on its left side."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QToolButton, QVBoxLayout, QWidget

from views.common.icons import icon
from views.common.theme import current_theme

LIBRARY, LESSON, LEARNER, AUDIT, AGREEMENT, BENCHMARKS, MODELS, JOBS = range(8)
PAGES = (
    ("Library", "library", "Ctrl+1"),
    ("Lesson", "lesson", "Ctrl+2"),
    ("Learner", "learner", "Ctrl+3"),
    ("Tutor audit", "audit", "Ctrl+4"),
    ("Agreement", "agreement", "Ctrl+5"),
    ("Benchmarks", "benchmarks", "Ctrl+6"),
    ("Models", "models", "Ctrl+7"),
    ("Jobs", "jobs", "Ctrl+8"),
)
"""Title, icon and key of each page there is; a page that leads nowhere yet is not named."""


class Places(QWidget):
    """One button for each page.

    Signals:
        picked: The number of the page that was asked for.
    """

    picked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._group = QButtonGroup(self)
        self._group.idClicked.connect(self.picked)
        column = QVBoxLayout(self)
        column.setContentsMargins(6, 6, 6, 6)
        for number, (title, _icon, key) in enumerate(PAGES):
            place = QToolButton()
            place.setText(title)
            place.setToolTip(f"{title} ({key})")
            place.setAccessibleName(f"{title} page")
            place.setCheckable(True)
            place.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
            place.setIconSize(QSize(24, 24))
            place.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            self._group.addButton(place, number)
            column.addWidget(place)
        column.addStretch()
        self._paint_icons()
        self.fit_text()

    def show_page(self, page: int) -> None:
        """Mark the page in view."""
        self._group.button(page).setChecked(True)

    def allow(self, page: int, *, on: bool) -> None:
        """Let a page be asked for, or not yet."""
        self._group.button(page).setEnabled(on)

    def fit_text(self) -> None:
        """Make room for larger text; Qt keeps the old measure of a tool button."""
        places = self._group.buttons()
        widest = max(p.fontMetrics().horizontalAdvance(p.text()) for p in places)
        for place in places:
            place.setMinimumWidth(widest + 34)

    def changeEvent(self, event: QEvent) -> None:
        """Draw the icons anew in the colours of another look."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.PaletteChange:
            self._paint_icons()

    def _paint_icons(self) -> None:
        theme = current_theme()
        for number, (_title, name, _key) in enumerate(PAGES):
            place = self._group.button(number)
            if place is not None:
                place.setIcon(icon(name, theme.text, theme.on_accent))
