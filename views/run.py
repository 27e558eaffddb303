"""Open the window and keep it until it is closed."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication

from views.common.icons import icon
from views.common.theme import apply_theme
from views.trouble import view_trouble
from views.window import MainWindow

if TYPE_CHECKING:
    from app.desk import Desk

__all__ = ["open_window", "view_trouble"]

log = logging.getLogger(__name__)


def open_window(desk: Desk, lesson_id: str | None = None, first_start: bool = False) -> int:
    """Show the window until it is closed, and close the desk with it.

    Args:
        desk: What the window works on.
        lesson_id: A lesson to open at once, if any.
        first_start: Whether to begin on the library page even so, where the first steps are.

    Returns:
        The exit code for the command line: 0.
    """
    app = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(app, QApplication)
    app.setApplicationName("Clerestory")
    app.setDesktopFileName("clerestory")
    app.setWindowIcon(icon("clerestory"))
    apply_theme(app, desk.settings.theme, desk.settings.text_scale)
    window = MainWindow(desk)
    before = sys.excepthook
    sys.excepthook = _hook(window)
    try:
        window.show()
        if lesson_id is not None and not first_start:
            window.open_lesson(lesson_id)
        return app.exec()
    finally:
        sys.excepthook = before


def _hook(window: MainWindow) -> Callable[..., None]:
    """Make what takes errors that no one caught: told and logged, never a crash."""

    def take(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if isinstance(error, KeyboardInterrupt):
            window.close()
            return
        log.error("not caught", exc_info=(kind, error, trace))
        if isinstance(error, Exception):
            window.notices.trouble(error)

    return take
