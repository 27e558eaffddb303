import time

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton

from app.store.records import Job as KeptJob
from app.store.records import JobState
from views.background import Job, Lane, State
from views.jobs.page import JobsPage
from views.notices import Kind, Notice


@pytest.fixture
def page(qtbot):
    made = JobsPage()
    qtbot.addWidget(made)
    made.resize(700, 500)
    made.show()
    return made


def words_on(widget):
    return " | ".join(label.text() for label in widget.findChildren(QLabel) if not label.isHidden())


def buttons(widget, words):
    return [b for b in widget.findChildren(QPushButton) if b.text() == words and not b.isHidden()]


def test_an_empty_page_says_what_will_show_here(page):
    assert "Nothing is running" in words_on(page)


def test_a_running_job_tells_how_far_it_is_and_how_long_it_takes(page, qtbot):
    job = Job("Write down what is said in “Water”", Lane.LONG)
    job.state, job.share, job.doing = State.RUNNING, 0.25, "listening at 3:10"
    job.started_s = time.monotonic() - 60
    page.show_job(job)
    assert "Listening at 3:10; about 3 min left." in words_on(page)
    with qtbot.waitSignal(page.cancel_wanted) as wanted:
        qtbot.mouseClick(buttons(page, "Stop")[0], Qt.MouseButton.LeftButton)
    assert wanted.args == [job]


def test_a_job_that_is_over_says_how_it_ended_and_cannot_be_stopped(page):
    job = Job("Find evidence", Lane.LONG)
    job.state, job.outcome = State.FAILED, "There is no transcript. Add one."
    page.show_job(job)
    assert "Could not be done; There is no transcript. Add one." in words_on(page)
    assert not buttons(page, "Stop")


def kept(state):
    return KeptJob(7, "hear", "a", "Write down", state, "2026-01-02T10:11:12", "2026", {})


@pytest.mark.parametrize(
    ("state", "offered"),
    [(JobState.INTERRUPTED, True), (JobState.QUEUED, True), (JobState.DONE, False)],
)
def test_work_that_was_interrupted_can_be_started_again(page, qtbot, state, offered):
    page.show_earlier([kept(state)])
    found = buttons(page, "Start again")
    assert bool(found) == offered
    if found:
        with qtbot.waitSignal(page.again_wanted) as wanted:
            qtbot.mouseClick(found[0], Qt.MouseButton.LeftButton)
        assert wanted.args[0].job_id == 7


def test_notices_are_kept_with_the_latest_first(page):
    page.show_notice(Notice(Kind.NOTE, "One.", "", "10:00"))
    page.show_notice(Notice(Kind.NOTE, "Two.", "", "10:01"))
    assert page._notices.item(0).text() == "10:01  Two."
