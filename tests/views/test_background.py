import logging
import threading

import pytest

from app.errors import MediaRefused
from views.background import Background, Job, Lane, State, show_left


@pytest.fixture
def background(qtbot):
    made = Background()
    yield made
    assert made.close(5)


class Heard:
    def __init__(self):
        self.done, self.failed = [], []


@pytest.fixture
def heard():
    return Heard()


def start(background, heard, work, lane=Lane.FILES):
    return background.start(
        Job("A job", lane, "lesson"), work, heard.done.append, heard.failed.append
    )


def test_what_work_returns_comes_back_on_the_window_s_thread(background, heard, qtbot):
    threads = []
    job = background.start(
        Job("A job", Lane.FILES),
        lambda report, stop: threading.get_ident(),
        lambda result: threads.extend((result, threading.get_ident())),
        heard.failed.append,
    )
    qtbot.waitUntil(lambda: job.is_over)
    worker, window = threads
    assert window == threading.get_ident() != worker
    assert job.state is State.DONE


def test_progress_is_told_but_never_more_than_ten_times_a_second(background, heard, qtbot):
    told = []
    background.changed.connect(lambda job: told.append((job.share, job.doing)))

    def work(report, stop):
        for step in range(20_000):
            report(step / 20_000, "reading")
        report(1.0, "ready")

    job = start(background, heard, work)
    qtbot.waitUntil(lambda: job.is_over)
    assert "reading" in {doing for _, doing in told}
    assert len(told) < 100


def test_a_known_refusal_is_handed_on_and_leaves_no_error_in_the_log(
    background, heard, qtbot, caplog
):
    def work(report, stop):
        raise MediaRefused("maths.mp4 has no sound.", "Choose another file.")

    job = start(background, heard, work)
    qtbot.waitUntil(lambda: job.is_over)
    assert [error.message for error in heard.failed] == ["maths.mp4 has no sound."]
    assert job.outcome == "maths.mp4 has no sound. Choose another file."
    assert not caplog.records


def test_a_fault_of_the_program_is_logged_with_its_trace(background, heard, qtbot, caplog):
    caplog.set_level(logging.ERROR)
    job = start(background, heard, lambda report, stop: 1 / 0)
    qtbot.waitUntil(lambda: job.is_over)
    assert job.state is State.FAILED
    assert "ZeroDivisionError" in caplog.text


def test_long_jobs_run_one_at_a_time_and_a_waiting_one_can_be_stopped(background, heard, qtbot):
    go_on = threading.Event()
    first = start(background, heard, lambda report, stop: go_on.wait(10), Lane.LONG)
    second = start(background, heard, lambda report, stop: heard.done.append("ran"), Lane.LONG)
    qtbot.waitUntil(lambda: first.state is State.RUNNING)
    assert second.state is State.WAITING
    background.cancel(second)
    go_on.set()
    qtbot.waitUntil(lambda: second.is_over)
    assert second.state is State.STOPPED
    assert "ran" not in heard.done


def test_pictures_do_not_wait_behind_long_jobs_and_are_not_listed(background, heard, qtbot):
    go_on = threading.Event()
    start(background, heard, lambda report, stop: go_on.wait(10), Lane.LONG)
    look = start(background, heard, lambda report, stop: "picture", Lane.LOOK)
    qtbot.waitUntil(lambda: look.is_over)
    assert [job.lane for job in background.jobs] == [Lane.LONG]
    go_on.set()


def test_the_time_left_is_only_told_once_it_means_something():
    job = Job("A job", Lane.LONG)
    job.state, job.started_s, job.share = State.RUNNING, 100.0, 0.25
    assert job.left_s(101.0) is None
    assert job.left_s(160.0) == pytest.approx(180.0)
    job.share = 0.0
    assert job.left_s(160.0) is None


@pytest.mark.parametrize(
    ("left_s", "words"),
    [
        (None, ""),
        (20, "less than a minute left"),
        (185, "about 3 min left"),
        (3600 + 120, "about 1 h 2 min left"),
    ],
)
def test_the_time_left_is_written_as_people_say_it(left_s, words):
    assert show_left(left_s) == words
