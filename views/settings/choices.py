"""What the reviewer chooses about the window: kept at once, and put into force at once."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication, QWidget

from app.errors import ClerestoryError
from app.settings import Settings
from views.common.theme import apply_theme
from views.settings.dialog import SCALES, SettingsDialog


class Choices(QObject):
    """Holds the settings and their dialog.

    Signals:
        changed: Something was chosen; the look is in force already.
        refused: Why the choice could not be kept; it holds until the program closes.
        author_picked: A reviewer was chosen or typed in the dialog.
        dialog_wanted: The dialog is about to be shown; it may be given who codes here.
    """

    changed = Signal()
    refused = Signal(object)
    author_picked = Signal(str)
    dialog_wanted = Signal()

    def __init__(self, settings: Settings, window: QWidget) -> None:
        super().__init__(window)
        self._settings = settings
        self.dialog = SettingsDialog(settings, window)
        self.dialog.changed.connect(self.take)
        self.dialog.author_picked.connect(self.author_picked)

    def show_dialog(self) -> None:
        """Open the settings."""
        self.dialog_wanted.emit()
        self.dialog.show_settings()
        self.dialog.show()
        self.dialog.raise_()

    def set_blind(self, on: bool) -> None:
        """Hide or show suggestions before an own code."""
        if self._settings.blind != on:
            self._settings.blind = on
            self.take()

    def set_author(self, author: str) -> None:
        """Take the reviewer's name or initials."""
        if author and author != self._settings.author:
            self._settings.author = author
            self.take()

    def set_theme(self, name: str) -> None:
        """Change the look."""
        self._settings.theme = name
        self.take()

    def scale_text(self, by: int) -> None:
        """Make text larger or smaller by some steps."""
        scale = self._settings.text_scale
        now = min(range(len(SCALES)), key=lambda place: abs(SCALES[place] - scale))
        self._settings.text_scale = SCALES[min(max(now + by, 0), len(SCALES) - 1)]
        self.take()

    def take(self) -> None:
        """Put the settings into force and keep them."""
        app = QApplication.instance()
        if isinstance(app, QApplication):
            apply_theme(app, self._settings.theme, self._settings.text_scale)
        self.dialog.show_settings()
        self.changed.emit()
        try:
            self._settings.save()
        except ClerestoryError as error:
            self.refused.emit(error)
