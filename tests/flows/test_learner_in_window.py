"""A learner's video in the window, with the real face engine: from the file to the report."""

from __future__ import annotations

import sys

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from app.__main__ import parts
from app.confusion.reader_names import FACE_CUES, OneReader, ReaderChoice
from app.confusion.records import EventVerdict
from app.desk import Desk
from app.settings import Settings
from app.store.library import Library
from resources import resource
from views.common.theme import apply_theme
from views.learner.marks import EventState
from views.places import LEARNER
from views.window import MainWindow

pytestmark = [
    pytest.mark.slow,
    pytest.mark.qt_log_ignore("This plugin does not support", "Failed to initialize QAudioDevice"),
]
ENGINES = {"av", "cv2", "onnxruntime", "typst", "matplotlib"}
PATIENCE_MS = 120_000


@pytest.fixture
def open_window(tmp_path, qtbot):
    def open_one():
        apply_theme(QApplication.instance(), "light", 1.0)
        library = Library.open(tmp_path / "learner.clerestory")
        window = MainWindow(Desk(library, parts(), Settings(author="AK")))
        with qtbot.waitActive(window):
            window.show()
            window.activateWindow()
        return window

    return open_one


def press(qtbot, key, modifier=Qt.KeyboardModifier.NoModifier):
    qtbot.keyClick(QApplication.focusWidget(), key, modifier)


def test_from_a_file_to_a_report_on_a_learner(open_window, tmp_path, qtbot):
    before = ENGINES & set(sys.modules)
    window = open_window()
    window.following.add_video(resource("sample/learner.mp4"), "Robin")
    qtbot.waitUntil(lambda: window._pages.currentIndex() == LEARNER, timeout=PATIENCE_MS)
    page = window.learner
    lesson_id = page.session.review.lesson_id
    window.following.take(lesson_id, page.session.review.title, ReaderChoice(OneReader(FACE_CUES)))

    def is_read():
        bands = page.session.review.bands_of(FACE_CUES)
        return bands is not None and bands.is_complete

    qtbot.waitUntil(is_read, timeout=PATIENCE_MS)
    bands = page.session.review.bands_of(FACE_CUES)
    assert len(bands.readings) == 16
    # Whatever was measured is drawn at every picture, also where no sign counted.
    qtbot.waitUntil(
        lambda: [len(one.times) > 140 for one in page.ui.bands._curves] == [True, True],
        timeout=PATIENCE_MS,
    )
    page.seek(8000)
    press(qtbot, Qt.Key.Key_B)
    page.seek(12_000)
    press(qtbot, Qt.Key.Key_B)
    assert [one.state for one in page.session.items if not one.waits] == [EventState.ADDED]
    window.following.write_into(lesson_id, "Robin", tmp_path, False, True)
    qtbot.waitUntil(lambda: bool(list(tmp_path.glob("*.pdf"))), timeout=PATIENCE_MS)
    qtbot.waitUntil(lambda: not window.background.running(), timeout=PATIENCE_MS)
    assert ENGINES & set(sys.modules) == before
    window.close()
    again = open_window()
    again.open_lesson(lesson_id)
    (kept,) = again.learner.session.review.decisions
    assert (kept.verdict, kept.start_ms, kept.end_ms) == (EventVerdict.ADD, 8000, 12_000)
    assert again.learner.session.review.bands_of(FACE_CUES) == bands
    again.close()
