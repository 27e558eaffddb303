import time
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton

from app.running.questions import Status
from app.store.records import Job as KeptJob
from app.store.records import JobState
from app.store.tally import Tally
from views.background import Job, Lane, State
from views.jobs.page import JobsPage
from views.jobs.row import JobStrip
from views.notices import Kind, Notice

TALLY = Tally(("small-4b",), 2, ((Status.OK, 2),), 100, 20)


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


def test_a_paused_job_of_an_earlier_time_is_resumed_or_left(page, qtbot):
    job = replace(kept(JobState.PAUSED), share=0.4, error="The engine failed 3 times in a row.")
    page.show_earlier([job])
    assert "paused; what was done is kept, at 40 %. The engine failed" in words_on(page)
    with qtbot.waitSignal(page.again_wanted) as wanted:
        qtbot.mouseClick(buttons(page, "Resume")[0], Qt.MouseButton.LeftButton)
    assert wanted.args == [job]
    with qtbot.waitSignal(page.leave_wanted) as wanted:
        qtbot.mouseClick(buttons(page, "Leave it")[0], Qt.MouseButton.LeftButton)
    assert wanted.args == [job]


def test_unfinished_work_is_listed_however_much_came_after_it(page):
    later = [replace(kept(JobState.DONE), job_id=n) for n in range(100, 0, -1)]
    page.show_earlier([*later, replace(kept(JobState.PAUSED), job_id=0)])
    assert len(buttons(page, "Resume")) == 1


def test_calls_of_an_earlier_job_are_shown_once_they_are_counted(page):
    page.show_earlier([kept(JobState.DONE)])
    page.show_asked({7: TALLY, 8: TALLY})
    assert "2 calls to small-4b" in words_on(page)


def running(kind):
    job = Job("Get Middle 8B", Lane.MODELS, kind=kind)
    job.state, job.share, job.doing = State.RUNNING, 0.25, "1.0 of 4.0 GB"
    return job


def test_work_that_keeps_what_it_does_can_be_paused_and_resumed_on_one_button(page, qtbot):
    job = running("get-model")
    page.show_job(job)
    rest = buttons(page, "Pause")[0]
    assert rest.accessibleName() == "Pause: Get Middle 8B"
    rest.setFocus()
    with qtbot.waitSignal(page.pause_wanted) as wanted:
        qtbot.keyClick(rest, Qt.Key.Key_Space)
    assert wanted.args == [job]
    job.is_pausing, job.doing = True, "pausing"
    job.stop.set()
    page.show_job(job)
    assert rest.text() == "Pausing…"
    assert buttons(page, "Stop")[0].isEnabled()
    job.is_pausing, job.doing, job.state = False, "", State.PAUSED
    page.show_job(job)
    assert "Paused; what was done is kept." in words_on(page)
    assert rest.text() == "Resume"
    assert rest.hasFocus()
    with qtbot.waitSignal(page.resume_wanted):
        qtbot.keyClick(rest, Qt.Key.Key_Space)
    with qtbot.waitSignal(page.cancel_wanted):
        qtbot.mouseClick(buttons(page, "Stop")[0], Qt.MouseButton.LeftButton)


def test_work_that_a_stop_would_lose_offers_no_pause_and_says_so(page):
    page.show_job(running("hear"))
    assert not buttons(page, "Pause")
    assert buttons(page, "Stop (starts over next time)")


def test_work_that_paused_by_itself_tells_why_and_can_be_resumed(page):
    job = running("hear")
    job.state, job.outcome = State.PAUSED, "The engine failed 3 times in a row. Then resume."
    job.asked = TALLY
    page.show_job(job)
    told = words_on(page)
    assert "Paused; what was done is kept" in told
    assert "The engine failed 3 times in a row. Then resume." in told
    assert "2 calls to small-4b" in told
    assert buttons(page, "Resume")


def test_the_runner_s_own_time_left_is_not_said_twice(page):
    job = running("get-model")
    job.doing, job.started_s = "3 of 10 answered, about 5 min left", time.monotonic() - 60
    page.show_job(job)
    assert words_on(page).count(" left") == 1


def test_strips_of_other_pages_offer_no_pause(qtbot):
    strip = JobStrip()
    qtbot.addWidget(strip)
    strip.show()
    strip.show_job(running("get-model"))
    assert not buttons(strip, "Pause")
    assert buttons(strip, "Stop")


def test_notices_are_kept_with_the_latest_first(page):
    page.show_notice(Notice(Kind.NOTE, "One.", "", "10:00"))
    page.show_notice(Notice(Kind.NOTE, "Two.", "", "10:01"))
    assert page._notices.item(0).text() == "10:01  Two."
