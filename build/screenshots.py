"""Take the pictures of the README: the sample lesson in the real window, with the real engines.

    uv run --group dev python build/screenshots.py [FOLDER]

Works on a screen or without one (`QT_QPA_PLATFORM=offscreen`). Needs a minute or two.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QApplication

from app.__main__ import parts
from app.desk import Desk
from app.settings import Settings
from app.store.library import Library
from views.common.theme import apply_theme
from views.window import MainWindow

ROOT = Path(__file__).resolve().parent.parent
SIZE = (1280, 800)


def main(folder: Path) -> None:
    """Take all pictures into a folder."""
    os.environ["CLERESTORY_HOME"] = tempfile.mkdtemp()
    folder.mkdir(parents=True, exist_ok=True)
    app = QApplication(sys.argv[:1])
    apply_theme(app, "light", 1.0)
    library = Library.open(Path(os.environ["CLERESTORY_HOME"]) / "tour.clerestory")
    desk = Desk(library, parts(), Settings(author="AK"))
    window = MainWindow(desk)
    window.resize(*SIZE)
    window.show()
    settle(lambda: False, 1.0)
    window.grab().save(str(folder / "first-start.png"))

    lesson_id = desk.add_sample()
    desk.code(lesson_id)
    window.open_lesson(lesson_id)
    settle(lambda: window.lesson.clip() is not None, 60)
    settle(lambda: False, 12)
    for _ in range(3):
        window.lesson.next_in_queue()
    settle(lambda: False, 5)
    window.grab().save(str(folder / "lesson.png"))
    apply_theme(app, "dark", 1.0)
    settle(lambda: False, 2)
    window.grab().save(str(folder / "lesson-dark.png"))
    window.close()


def settle(is_done: Callable[[], bool], limit_s: float) -> None:
    """Let the window work until something holds or the time is over."""
    end_s = time.monotonic() + limit_s
    while time.monotonic() < end_s and not is_done():
        QApplication.processEvents()
        time.sleep(0.01)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs")
