"""Candidate clips and sets are reached from the list of learner videos, and left again."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from curated_stand_in import facts, readings
from PySide6.QtCore import Qt

from views.background import Background
from views.learner.page import LearnerPage


@pytest.fixture
def page(desk, qtbot):
    library = desk.library
    lesson_id = library.add_lesson("Task", facts(str(desk.folder / "gone.mp4")), None)
    library.learners.add_video(lesson_id, library.learners.add_learner("KL"))
    run = library.learners.start_run(lesson_id, "a/1", [])
    library.learners.keep_readings(run, readings("m----"))
    library.learners.end_run(run)
    desk.confusion = SimpleNamespace(faces_so_far=lambda _lesson_id: None)
    background = Background()
    made = LearnerPage(desk, background)
    qtbot.addWidget(made)
    made.resize(1000, 620)
    with qtbot.waitActive(made):
        made.show()
        made.activateWindow()
    made.refresh()
    made.setFocus()
    yield made
    made.close_media()
    background.close()


def test_curation_is_a_key_away_and_escape_comes_back(page, qtbot):
    mods = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(page.window().focusWidget(), Qt.Key.Key_J, mods)
    qtbot.waitUntil(lambda: page.is_curating and page.curation.material is not None)
    assert page.curation.tabs.tabText(0) == "Researchers (1)"
    qtbot.keyClick(page.window().focusWidget(), Qt.Key.Key_Escape)
    assert not page.is_curating
    assert page.shelf.isVisible()


def test_an_open_video_is_closed_for_it_and_can_be_opened_again(page, qtbot):
    lesson_id = page.shelf.chosen()
    assert page.open_video(lesson_id)
    page.show_curation()
    assert page.session.review is None
    assert page.is_curating
    assert page.open_video(lesson_id)
    assert not page.is_curating
