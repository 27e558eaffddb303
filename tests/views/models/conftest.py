"""The window with the Models page in view."""

from __future__ import annotations

import pytest
from models_window import HERE, Person, button
from PySide6.QtWidgets import QApplication

from views.common.theme import apply_theme
from views.models.page import TRY
from views.places import MODELS
from views.window import MainWindow


@pytest.fixture
def person():
    return Person()


@pytest.fixture
def window(desk, qtbot, person):
    apply_theme(QApplication.instance(), "light", 1.0)
    made = MainWindow(desk)
    made.models_work.confirm = person
    with qtbot.waitActive(made):
        made.show()
        made.activateWindow()
    made.show_page(MODELS)
    qtbot.waitUntil(lambda: button(made, "Check Small 4B") is not None)
    yield made
    desk.go_on.set()
    made.close()
    made.deleteLater()
    apply_theme(QApplication.instance(), "light", 1.0)


@pytest.fixture
def trying(window, desk):
    desk.servers.keep(HERE)
    desk.servers.turn("here", on=True)
    window.models_work.show_endpoints()
    window.models.show_part(TRY)
    window.models.trying._whom.setCurrentText("here")
    return window.models.trying
