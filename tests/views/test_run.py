import sys

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from views.run import open_window
from views.window import MainWindow


@pytest.fixture
def in_window(qtbot):
    """Do something once the window is up, then close it."""
    seen = {}

    def when_up(act):
        def run():
            window = next(
                (
                    w
                    for w in QApplication.topLevelWidgets()
                    if isinstance(w, MainWindow) and w.isVisible()
                ),
                None,
            )
            if window is None:
                QTimer.singleShot(50, run)
                return
            try:
                act(window, seen)
            finally:
                # The last window ends the loop; a second call to quit would end later loops too.
                window.close()

        QTimer.singleShot(0, run)
        return seen

    return when_up


def test_a_lesson_that_is_named_is_open_at_once(desk, stand_in, in_window):
    lesson_id = stand_in.add_sample(desk.library)
    seen = in_window(
        lambda window, seen: seen.update(
            title=window.lesson.session.review and window.lesson.session.review.title
        )
    )
    assert open_window(desk, lesson_id) == 0
    assert seen["title"] == "Sample lesson"
    assert desk.is_closed


def test_what_nobody_caught_becomes_a_notice_and_the_hook_is_given_back(
    desk, in_window, own_home, caplog
):
    before = sys.excepthook

    def act(window, seen):
        error = KeyError("inside")
        sys.excepthook(KeyError, error, None)
        seen["told"] = window.notices.kept[-1].text

    seen = in_window(act)
    open_window(desk)
    assert "inside the program" in seen["told"]
    assert str(own_home / "logs") in seen["told"]
    assert "KeyError" in caplog.text
    assert sys.excepthook is before


def test_a_lesson_that_is_not_there_is_refused_in_the_window(desk, in_window):
    seen = in_window(lambda window, seen: seen.update(told=len(window.notices.kept)))
    open_window(desk, "nosuch")
    assert seen["told"] == 1
