"""The Learner page on a library with one video."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from views.background import Background
from views.common.theme import apply_theme
from views.learner.page import LearnerPage


@pytest.fixture
def lesson_id(desk, stand_in, tmp_path):
    made = desk.library.add_lesson("Webcam", stand_in.media(tmp_path / "webcam.mp4"), None)
    desk.library.learners.add_video(made, desk.library.learners.add_learner("Robin"))
    return made


@pytest.fixture
def page(desk, qtbot, qapp):
    apply_theme(qapp, "light")
    background = Background()
    desk.confusion = SimpleNamespace(faces_so_far=lambda _lesson_id: desk.faces)
    desk.faces = None
    made = LearnerPage(desk, background)
    qtbot.addWidget(made)
    made.resize(1100, 720)
    with qtbot.waitActive(made):
        made.show()
        made.activateWindow()
    yield made
    made.close_media()
    background.close()


@pytest.fixture
def told(page):
    said = []
    page.told.connect(lambda message, _hint: said.append(message))
    page.trouble.connect(lambda error: said.append(error.message))
    return said
