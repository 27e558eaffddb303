"""What the tests of the window share."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication

from views.background import Background
from views.common.theme import apply_theme

HERE = Path(__file__).parent
OFFSCREEN_CHATTER = "This plugin does not support propagateSizeHints"
"""Written by Qt's offscreen platform for any window with a least size; says nothing about us."""


def pytest_collection_modifyitems(items):
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.qt_log_ignore(OFFSCREEN_CHATTER))


@pytest.fixture(autouse=True)
def nothing_left_over(monkeypatch):
    """Let widgets go that a test closed, which Qt does only once an event loop runs again.

    Left over, they are styled anew with every change of look: up to half a minute for one test.
    Work that is still under way ends first, and what it found is handed over, as its page is there.
    """
    made = []
    begin = Background.__init__

    def begin_known(self, *args, **kwargs):
        begin(self, *args, **kwargs)
        made.append(self)

    monkeypatch.setattr(Background, "__init__", begin_known)
    yield
    for background in made:
        if shiboken6.isValid(background):
            background.close(5)
    QCoreApplication.sendPostedEvents()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def stand_in():
    """Give the module with a desk that has a real library and no engines."""
    spec = importlib.util.spec_from_file_location("desk_stand_in", HERE / "desk_stand_in.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["desk_stand_in"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def desk(stand_in, tmp_path):
    """Give a desk with an empty library of its own."""
    made = stand_in.StandInDesk(tmp_path)
    yield made
    if not made.is_closed:
        made.close()


@pytest.fixture
def make_window(desk, qtbot):
    """Give a function that opens the window on a desk, in front and in light looks."""
    # Not at the top: it loads every page, and most tests here are about one.
    from views.window import MainWindow

    made = []

    def make(used=desk):
        apply_theme(QApplication.instance(), "light", 1.0)
        window = MainWindow(used)
        made.append(window)
        with qtbot.waitActive(window):
            window.show()
            window.activateWindow()
        return window

    yield make
    for window in made:
        window.close()
        window.deleteLater()
    apply_theme(QApplication.instance(), "light", 1.0)


@pytest.fixture
def window(make_window):
    """Give the window on the empty desk."""
    return make_window()


@pytest.fixture
def on_sample(window, desk, stand_in, qtbot):
    """Give the window with the sample lesson open."""
    window.open_lesson(stand_in.add_sample(desk.library))
    window.lesson.ui.timeline.setFocus()
    return window
