"""N goes to the clip that waits, and never calls reviewed what nobody could review."""

import pytest

from app.coding.records import Decision, Verdict
from app.lesson.transcript.records import Transcript, Utterance
from views.background import Background
from views.lesson.page import LessonPage

LINES = (Utterance(1, "We begin", 0, 1_000), Utterance(2, "and go on", 1_000, 2_000))


@pytest.fixture
def page(desk, qtbot):
    background = Background()
    made = LessonPage(desk, background)
    qtbot.addWidget(made)
    made.show()
    yield made
    made.close_media()
    background.close(5)


def told_by_n(page, qtbot):
    with qtbot.waitSignal(page.told) as told:
        page._doing.next_in_queue()
    return told.args


def test_a_lesson_without_clips_is_not_called_reviewed(page, desk, qtbot):
    page.open_lesson(desk.library.add_lesson("Towers", None, Transcript(LINES, "import:x")))
    message, hint = told_by_n(page, qtbot)
    assert message == "This lesson has no clips yet."
    assert "next step" in hint
    assert page.ui.side.isVisible()


def test_a_lesson_is_called_reviewed_once_every_clip_is_decided(page, desk, stand_in, qtbot):
    lesson_id = stand_in.add_sample(desk.library)
    for clip in desk.library.lesson(lesson_id).clips:
        made_at = "2026-01-01T00:00:00.000Z"
        word = Decision(clip, Verdict.REJECT, "", None, desk.author, made_at)
        desk.library.decide(lesson_id, word)
    page.open_lesson(lesson_id)
    message, _ = told_by_n(page, qtbot)
    assert message == "All clips of this lesson are reviewed."
