"""An event that was begun and not ended outlives the program, and stays with who began it."""

from __future__ import annotations

import pytest

from app.errors import StoreRefused
from views.learner.page import LearnerPage


@pytest.fixture
def opened(page, lesson_id):
    page.open_video(lesson_id)
    page.seek(7000)
    page.keys["add_event"].trigger()
    return page


def kept(desk, page):
    found = desk.library.learners.video(page.session.review.lesson_id).decisions
    return [(one.start_ms, one.end_ms) for one in found]


def test_an_event_that_was_begun_waits_for_its_end_when_the_video_is_opened_again(
    opened, desk, qtbot
):
    lesson_id = opened.session.review.lesson_id
    again = LearnerPage(desk, opened._background)
    qtbot.addWidget(again)
    said = []
    again.told.connect(lambda message, _hint: said.append(message))
    again.open_video(lesson_id)
    assert said == ["The event that you began at 0:07.0 has no end yet."]
    assert again.ui.side.add.text() == "End event begun at 0:07"
    again.seek(9000)
    again.keys["add_event"].trigger()
    assert kept(desk, again) == [(7000, 9000)]
    assert again.ui.side.add.text() == "Begin event"
    again.open_video(lesson_id)
    assert len(said) == 1
    again.close_media()


def test_an_event_is_given_up_by_nobody_but_who_began_it(opened, desk):
    lesson_id = opened.session.review.lesson_id
    desk.settings.author = "BM"
    opened.refresh()
    assert opened.ui.side.add.text() == "Begin event"
    opened.keys["leave_field"].trigger()
    desk.settings.author = "AK"
    opened.refresh()
    assert opened.ui.side.add.text() == "End event begun at 0:07"
    opened.keys["leave_field"].trigger()
    opened.open_video(lesson_id)
    assert opened.session.begun_ms is None


def test_an_event_that_could_not_be_kept_can_still_be_ended(opened, desk, monkeypatch):
    def full(*_arguments):
        raise StoreRefused("The disk is full.", "Make room.")

    opened.seek(9000)
    with monkeypatch.context() as broken:
        broken.setattr(desk.library.learners, "decide_event", full)
        opened.keys["add_event"].trigger()
    assert kept(desk, opened) == []
    opened.keys["add_event"].trigger()
    assert kept(desk, opened) == [(7000, 9000)]
