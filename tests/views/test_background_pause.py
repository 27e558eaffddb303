import threading

import pytest

from app.errors import Cancelled, Paused
from views.background import Background, Job, Lane, State


@pytest.fixture
def background(qtbot):
    made = Background()
    yield made
    assert made.close(5)


class Work:
    """Does ten steps, of which each is kept; stops where it is told to."""

    def __init__(self):
        self.kept, self.asked = 0, []
        self.go_on = threading.Event()
        self.done, self.failed = [], []

    def __call__(self, report, stop):
        while self.kept < 10:
            report(self.kept / 10, f"{self.kept} of 10 answered")
            if self.kept == 4 and not self.go_on.is_set():
                while not self.go_on.wait(0.005):
                    # Told again and again: reports that follow each other too fast are dropped.
                    report(0.4, "4 of 10 answered")
                    if stop.is_set():
                        raise Cancelled
            self.asked.append(self.kept)
            self.kept += 1
        return self.kept

    def start(self, background, lane=Lane.LONG):
        job = Job("Code “Water”", lane, "lesson", "get-model")
        return background.start(job, self, self.done.append, self.failed.append)


def test_a_paused_job_goes_on_from_what_is_kept_as_the_same_job(background, qtbot):
    work = Work()
    job = work.start(background)
    qtbot.waitUntil(lambda: job.share == 0.4)
    with qtbot.waitSignal(background.paused) as told:
        background.pause(job)
    assert told.args == [job]
    assert job.state is State.PAUSED
    assert job.share == 0.4
    assert work.done == work.failed == []
    assert background.running() == []
    work.go_on.set()
    background.resume(job)
    qtbot.waitUntil(lambda: job.state is State.DONE)
    assert work.asked == list(range(10))
    assert work.done == [10]
    assert background.jobs == [job]


def test_a_pause_hands_the_engine_to_the_job_that_waits(background, qtbot):
    work, ran = Work(), []
    job = work.start(background)
    other = background.start(
        Job("Other", Lane.LONG), lambda report, stop: ran.append(1), print, print
    )
    qtbot.waitUntil(lambda: job.share == 0.4)
    assert other.state is State.WAITING
    background.pause(job)
    qtbot.waitUntil(lambda: other.state is State.DONE)
    assert job.state is State.PAUSED


def test_a_job_that_waits_rests_at_once_and_does_not_begin_behind_the_back(background, qtbot):
    first, second = Work(), Work()
    busy = first.start(background)
    qtbot.waitUntil(lambda: busy.share == 0.4)
    waiting = second.start(background)
    background.pause(waiting)
    assert waiting.state is State.PAUSED
    first.go_on.set()
    qtbot.waitUntil(lambda: busy.state is State.DONE)
    assert second.asked == []
    second.go_on.set()
    background.resume(waiting)
    qtbot.waitUntil(lambda: waiting.state is State.DONE)


def test_a_waiting_job_that_was_paused_and_resumed_runs_once(background, qtbot):
    first, second = Work(), Work()
    second.go_on.set()
    busy = first.start(background)
    waiting = second.start(background)
    for _ in range(3):
        background.pause(waiting)
        background.resume(waiting)
    first.go_on.set()
    qtbot.waitUntil(lambda: busy.is_over and waiting.state is State.DONE)
    assert second.asked == list(range(10))
    assert second.done == [10]


def test_work_that_comes_to_rest_by_itself_says_why(background, qtbot):
    def work(report, stop):
        raise Paused("The engine failed 3 times in a row.", "Look into the log, then resume.")

    heard = []
    job = background.start(Job("Code", Lane.LONG), work, heard.append, heard.append)
    qtbot.waitUntil(lambda: job.state is State.PAUSED)
    assert job.outcome == ("The engine failed 3 times in a row. Look into the log, then resume.")
    assert heard == []


def test_a_paused_job_can_be_stopped_for_good(background, qtbot):
    work = Work()
    job = work.start(background)
    qtbot.waitUntil(lambda: job.share == 0.4)
    background.pause(job)
    qtbot.waitUntil(lambda: job.state is State.PAUSED)
    background.cancel(job)
    assert job.state is State.STOPPED
    assert [type(error) for error in work.failed] == [Cancelled]
    background.resume(job)
    assert job.state is State.STOPPED


def test_a_stop_while_it_is_pausing_is_a_stop(background, qtbot):
    work = Work()
    job = work.start(background)
    qtbot.waitUntil(lambda: job.share == 0.4)
    background.pause(job)
    background.cancel(job)
    qtbot.waitUntil(lambda: job.is_over)
    assert job.state is State.STOPPED


def test_a_pause_that_comes_too_late_leaves_the_job_done(background, qtbot):
    go_on = threading.Event()
    job = background.start(
        Job("Code", Lane.LONG), lambda report, stop: go_on.wait(5), lambda _: None, print
    )
    qtbot.waitUntil(lambda: job.state is State.RUNNING)
    background.pause(job)
    assert job.doing == "pausing"
    go_on.set()
    qtbot.waitUntil(lambda: job.is_over)
    assert job.state is State.DONE


def test_what_was_there_before_says_nothing_about_the_time_left():
    job = Job("Code", Lane.LONG)
    job.state, job.started_s = State.RUNNING, 100.0
    job.share_before, job.share = 0.5, 0.75
    assert job.left_s(160.0) == pytest.approx(60.0)
    job.share_before = None
    assert job.left_s(160.0) is None


def test_closing_while_jobs_are_paused_waits_for_nobody(qtbot):
    background, work = Background(), Work()
    job = work.start(background)
    qtbot.waitUntil(lambda: job.share == 0.4)
    background.pause(job)
    qtbot.waitUntil(lambda: job.state is State.PAUSED)
    assert background.close(1)
