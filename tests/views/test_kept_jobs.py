import threading

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton

from app.running.plan import make_plan
from app.running.questions import Message, Question
from app.running.run import run
from app.store.records import JobState
from engines.scripted import Fault, Scripted
from views.background import Background, Job, Lane, State
from views.jobs.page import JobsPage
from views.kept_jobs import tell_unfinished
from views.notices import Notices
from views.work import LessonWork

KIND = "code-model"
TITLE = "Code “Water” with small-4b"
QUESTIONS = [Question(f"clip {n}", (Message("user", (f"Clip {n}",)),), "") for n in range(6)]


class Program:
    """What a window puts together of the jobs, around a desk; `engine` is what is asked."""

    def __init__(self, desk):
        self.desk, self.engine = desk, Scripted([])
        self.background, self.notices, self.page = Background(), Notices(), JobsPage()
        self.work = LessonWork(desk, self.background, self.notices)
        self.work.learn(KIND, lambda lesson_id, _title, _kept: self.code(lesson_id))
        self.background.changed.connect(
            lambda job: self.page.show_job(job) if job.lane is not Lane.LOOK else None
        )
        self.page.pause_wanted.connect(self.background.pause)
        self.page.resume_wanted.connect(self.background.resume)
        self.page.again_wanted.connect(self.work.start_again)

    def code(self, lesson_id):
        def work(report, stop):
            engine, store = self.engine, self.desk.library.attempts
            plan = make_plan(TITLE, QUESTIONS, engine.facts())
            run(plan, engine, store, str, report, stop).require_done()

        job = Job(TITLE, Lane.LONG, lesson_id, KIND)
        return self.work.start_kept(job, work, "Coded.", {"lesson": lesson_id})

    def kept(self):
        return self.desk.library.jobs()[-1]

    def told(self):
        return " | ".join(notice.text for notice in self.notices.kept)

    def words(self):
        return " | ".join(
            label.text() for label in self.page.findChildren(QLabel) if not label.isHidden()
        )

    def button(self, text):
        return next(
            b for b in self.page.findChildren(QPushButton) if b.text() == text and not b.isHidden()
        )


@pytest.fixture
def start_program(qtbot):
    started = []

    def start(desk):
        program = Program(desk)
        qtbot.addWidget(program.page)
        program.page.show()
        started.append(program)
        return program

    yield start
    for program in started:
        assert program.background.close(5)


@pytest.fixture
def program(start_program, desk):
    return start_program(desk)


@pytest.fixture
def lesson_id(desk):
    return desk.library.add_lesson("Water", None, None, {})


def slow_after(count, go_on):
    """Answer at once, but from question `count` on only when it is told to."""
    asked = []

    def script(question, _draw):
        asked.append(question.name)
        if len(asked) > count:
            go_on.wait(10)
        return "2"

    return Scripted(script)


def names(engine):
    return [question.name for question, _draw in engine.asked]


def test_a_pause_keeps_the_answers_and_resuming_asks_only_the_rest(program, lesson_id, qtbot):
    go_on = threading.Event()
    program.engine = slow_after(2, go_on)
    job = program.code(lesson_id)
    qtbot.waitUntil(lambda: len(program.engine.asked) == 3)
    qtbot.mouseClick(program.button("Pause"), Qt.MouseButton.LeftButton)
    # Written before the job has come to rest: a power cut now still leaves a pause.
    assert program.kept().state is JobState.PAUSED
    qtbot.waitUntil(lambda: job.state is State.PAUSED)
    go_on.set()
    assert program.kept().state is JobState.PAUSED
    assert program.kept().share == pytest.approx(2 / 6)
    assert "paused as you asked" in program.told()
    qtbot.waitUntil(lambda: "2 calls to" in program.words())
    program.engine = Scripted(lambda _question, _draw: "3")
    qtbot.mouseClick(program.button("Resume"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: job.state is State.DONE)
    assert names(program.engine) == ["clip 2", "clip 3", "clip 4", "clip 5"]
    assert program.kept().state is JobState.DONE
    assert len(program.desk.library.jobs()) == 1
    qtbot.waitUntil(lambda: "6 calls to" in program.words())


def test_work_whose_engine_fails_again_and_again_rests_with_the_reason(program, lesson_id, qtbot):
    program.engine = Scripted(["2", *[Fault.CRASH] * 3])
    job = program.code(lesson_id)
    qtbot.waitUntil(lambda: job.state is State.PAUSED)
    assert "failed 3 times in a row" in program.words()
    assert "failed 3 times in a row" in program.kept().error
    assert "failed 3 times in a row" in program.told()
    qtbot.waitUntil(lambda: "3 failed outside the model" in program.words())
    program.engine = Scripted(lambda _question, _draw: "2")
    qtbot.mouseClick(program.button("Resume"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: job.state is State.DONE)
    assert program.kept().error == ""


def test_paused_work_is_paused_after_a_restart_and_goes_on_as_the_same_job(
    start_program, stand_in, desk, lesson_id, tmp_path, qtbot
):
    first = start_program(desk)
    first.engine = Scripted(["2", "2", *[Fault.CRASH] * 3])
    job = first.code(lesson_id)
    qtbot.waitUntil(lambda: job.state is State.PAUSED)
    assert first.background.close(5)
    desk.close()
    later = stand_in.StandInDesk(tmp_path)
    try:
        second = start_program(later)
        earlier = second.work.kept.earlier()
        assert [kept.state for kept in earlier] == [JobState.PAUSED]
        tell_unfinished(second.notices, earlier, lambda: None)
        assert f"{TITLE}: this is paused. It can be resumed under Jobs." in second.told()
        second.page.show_earlier(earlier)
        second.work.kept.asked_counted.connect(second.page.show_asked)
        second.work.kept.count_earlier(earlier)
        qtbot.waitUntil(lambda: "5 calls to" in second.words())
        second.engine = Scripted(lambda _question, _draw: "2")
        qtbot.mouseClick(second.button("Resume"), Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: second.kept().state is JobState.DONE)
        assert sorted(names(second.engine)) == ["clip 2", "clip 3", "clip 4", "clip 5"]
        assert len(later.library.jobs()) == 1
        assert len(second.kept().runs) == 2
        assert second.work.kept.earlier() == []
        assert second.background.close(5)
    finally:
        later.close()


def test_starting_the_same_work_resumes_the_one_that_is_paused(program, lesson_id, qtbot):
    program.engine = Scripted(["2", *[Fault.CRASH] * 3])
    job = program.code(lesson_id)
    qtbot.waitUntil(lambda: job.state is State.PAUSED)
    program.engine = Scripted(lambda _question, _draw: "2")
    assert program.code(lesson_id) is None
    qtbot.waitUntil(lambda: job.state is State.DONE)
    assert len(program.background.running()) == 0
    assert len(program.desk.library.jobs()) == 1


def test_work_of_an_earlier_time_that_is_left_is_waited_for_no_more(program, lesson_id):
    library = program.desk.library
    number = library.add_job(KIND, lesson_id, TITLE, {"lesson": lesson_id})
    library.update_job(number, state=JobState.PAUSED)
    program.work.kept.leave(program.work.kept.earlier()[0])
    assert program.kept().state is JobState.CANCELLED
    tell_unfinished(program.notices, program.work.kept.earlier(), lambda: None)
    assert program.told() == ""


def test_what_was_cut_off_is_told_with_what_starting_again_means(program, lesson_id):
    library = program.desk.library
    library.add_job("hear", lesson_id, "Write down “Water”", {"lesson": lesson_id})
    tell_unfinished(program.notices, program.work.kept.earlier(), lambda: None)
    assert "started again under Jobs. It starts from the beginning." in program.told()
