"""The whole journey in the window, with the real engines: from first start to a report."""

from __future__ import annotations

import sys

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from app.__main__ import parts
from app.desk import Desk
from app.settings import Settings
from app.store.library import Library
from views.common.theme import apply_theme
from views.places import LESSON
from views.window import MainWindow

pytestmark = [
    pytest.mark.slow,
    pytest.mark.qt_log_ignore("This plugin does not support", "Failed to initialize QAudioDevice"),
]
ENGINES = {"av", "cv2", "onnxruntime", "faster_whisper", "ctranslate2", "typst", "matplotlib"}
PATIENCE_MS = 120_000


@pytest.fixture
def open_desk(tmp_path):
    made = []

    def open_one():
        library = Library.open(tmp_path / "journey.clerestory")
        made.append(Desk(library, parts(), Settings(author="AK")))
        return made[-1]

    return open_one


@pytest.fixture
def open_window(open_desk, qtbot):
    def open_one():
        apply_theme(QApplication.instance(), "light", 1.0)
        window = MainWindow(open_desk())
        with qtbot.waitActive(window):
            window.show()
            window.activateWindow()
        return window

    return open_one


def press(qtbot, key, modifier=Qt.KeyboardModifier.NoModifier):
    qtbot.keyClick(QApplication.focusWidget(), key, modifier)


def test_from_first_start_to_a_report_with_the_keyboard(open_window, tmp_path, qtbot):
    before = ENGINES & set(sys.modules)
    window = open_window()
    press(qtbot, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: window._pages.currentIndex() == LESSON, timeout=PATIENCE_MS)
    lesson = window.lesson
    assert lesson.session.review.transcript is not None
    window.work.code(lesson.session.review.lesson_id, "Sample lesson")
    qtbot.waitUntil(lambda: lesson.clip() is not None, timeout=PATIENCE_MS)
    for prediction in lesson.session.review.predictions:
        for piece in prediction.evidence:
            assert piece.check.supports
    lesson.ui.timeline.setFocus()
    for key in (Qt.Key.Key_1, Qt.Key.Key_C, Qt.Key.Key_N, Qt.Key.Key_X):
        if key == Qt.Key.Key_C:
            press(qtbot, Qt.Key.Key_2, Qt.KeyboardModifier.ShiftModifier)
        press(qtbot, key)
    decided = lesson.session.review.decisions
    assert [d.practice for d in decided] == ["BI", ""]
    window.work.write_report(lesson.session.review.lesson_id, "Sample lesson", tmp_path)
    qtbot.waitUntil(lambda: not window.background.running(), timeout=PATIENCE_MS)
    assert list(tmp_path.glob("*.pdf"))
    assert before == ENGINES & set(sys.modules)
    lesson_id = lesson.session.review.lesson_id
    window.close()
    again = open_window()
    again.open_lesson(lesson_id)
    assert again.lesson.session.review.decisions == decided
    again.close()
