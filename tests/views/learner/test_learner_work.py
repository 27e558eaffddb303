import threading
from dataclasses import dataclass, field

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDialog

from app.answering import EngineChoice
from app.confusion.reader_names import FACE_CUES, OneReader, ReaderChoice
from app.confusion.records import Confidence, Level, Reading
from app.confusion.screening import ScreeningPlan
from app.confusion_desk import ReadingPlan
from app.errors import Cancelled
from app.running.plan import Estimate
from views.background import State
from views.common.theme import apply_theme
from views.jobs.kinds import kind_of
from views.learner import work as work_module
from views.learner.choose import FACE_WORDS, NO_MODELS, ReaderDialog
from views.learner.work import READ
from views.places import LEARNER, LIBRARY
from views.window import MainWindow

LOCAL = EngineChoice("small-4b", "Small 4B", 8, "")
AWAY = EngineChoice("lab", "Lab server", 8, "https://lab.example/v1")
SCREENED = ReaderChoice(OneReader(FACE_CUES), OneReader("small-4b", 5))


def window_of(number, level=Level.NONE):
    start = number * 2000
    return Reading(start, start + 2000, True, level, Confidence.HIGH)


@dataclass
class StandInConfusion:
    """Reads ten windows one by one, from where it was stopped, when the test lets it."""

    desk: object
    models: tuple = (LOCAL, AWAY)
    estimate: Estimate | None = None
    screening: ScreeningPlan | None = None
    step: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    reports: list = field(default_factory=list)
    run: int = 0
    kept: int = 0

    def faces_so_far(self, lesson_id):
        return None

    def engines(self):
        return self.models

    def add_video(self, path, learner, report, stop):
        lesson_id = self.desk.library.add_lesson(path.stem, None, None)
        learners = self.desk.library.learners
        learners.add_video(lesson_id, learners.add_learner(learner))
        return lesson_id

    def plan(self, lesson_id, choice):
        return ReadingPlan(choice.name, 10, self.estimate, self.screening)

    def read(self, lesson_id, choice, report, stop):
        learners = self.desk.library.learners
        self.run = self.run or learners.start_run(lesson_id, choice.name, ())
        while self.kept < 10:
            while not self.step.acquire(timeout=0.01):
                if stop.is_set():
                    raise Cancelled
            learners.keep_readings(self.run, [window_of(self.kept)])
            self.kept += 1
            report(self.kept / 10, f"window {self.kept}")
        learners.end_run(self.run)

    def report(self, lesson_id, folder, *, full, blurred, report, stop):
        self.reports.append((full, blurred))
        page = folder / "robin.pdf"
        page.write_bytes(b"%PDF-1.7")
        return [page]


@pytest.fixture
def window(desk, qtbot, tmp_path, stand_in):
    apply_theme(QApplication.instance(), "light", 1.0)
    desk.confusion = StandInConfusion(desk)
    made = MainWindow(desk)
    with qtbot.waitActive(made):
        made.show()
        made.activateWindow()
    yield made
    made.close()
    made.deleteLater()


@pytest.fixture
def lesson_id(desk, stand_in, tmp_path):
    made = desk.library.add_lesson("Webcam", stand_in.media(tmp_path / "webcam.mp4"), None)
    desk.library.learners.add_video(made, desk.library.learners.add_learner("Robin"))
    return made


def shown_bands(window):
    return window.learner.ui.bands._bands


def test_a_learner_video_opens_on_its_own_page(window, lesson_id):
    window.show_lessons()
    words = window.library.lessons.index(0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert "Learner video of Robin" in words
    window.library.lesson_opened.emit(lesson_id, 4000)
    assert window._pages.currentIndex() == LEARNER
    assert window.learner.position_ms == 4000
    window.show_page(LIBRARY)
    assert not window.learner.coming.clock.isActive()


def test_a_video_is_added_with_a_pseudonym_and_opens(window, qtbot, tmp_path):
    window.following.add_video(tmp_path / "desk.mp4", "Kim")
    qtbot.waitUntil(lambda: window._pages.currentIndex() == LEARNER)
    assert window.learner.session.review.learner.name == "Kim"


def test_readings_come_while_it_reads_and_a_pause_loses_none(window, desk, lesson_id, qtbot):
    window.open_lesson(lesson_id)
    window.following.take(lesson_id, "Webcam", ReaderChoice(OneReader(FACE_CUES)))
    desk.confusion.step.release(3)
    qtbot.waitUntil(lambda: [len(band.starts) for band in shown_bands(window)] == [3])
    (job,) = window.background.running(lesson_id, READ)
    assert kind_of(job.kind).can_pause
    assert window.learner.ui.job.isVisible()
    qtbot.mouseClick(window.learner.ui.job._rest, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: job.state is State.PAUSED)
    assert shown_bands(window)[0].name == f"{FACE_CUES} (not complete)"
    qtbot.mouseClick(window.learner.ui.job._rest, Qt.MouseButton.LeftButton)
    desk.confusion.step.release(7)
    qtbot.waitUntil(lambda: job.state is State.DONE)
    qtbot.waitUntil(lambda: shown_bands(window)[0].name == FACE_CUES)
    assert len(shown_bands(window)[0].starts) == 10
    assert desk.confusion.kept == 10


def test_a_model_is_asked_only_after_its_plan_was_seen(window, desk, lesson_id, qtbot, monkeypatch):
    asked = []

    def ask(title, parts, where, *, leaves, remarks, parent):
        asked.append((title, where, leaves, remarks))
        return False

    monkeypatch.setattr(work_module, "ask_to_start", ask)
    desk.confusion.estimate = Estimate(50, 0, 1000, 100, None, None, "", False)
    desk.confusion.screening = ScreeningPlan(10, 2, 10, 50, 250)
    window.following.take(lesson_id, "Webcam", SCREENED)
    qtbot.waitUntil(lambda: bool(asked))
    title, where, leaves, remarks = asked[0]
    assert title == "Read “Webcam” with face-cues/1 then small-4b x5"
    assert where == ["Nothing leaves this computer."]
    assert not leaves
    assert "200 saved" in remarks[1]
    assert not window.background.running()
    window.following.take(lesson_id, "Webcam", ReaderChoice(OneReader("lab")))
    qtbot.waitUntil(lambda: len(asked) == 2)
    assert asked[1][1] == ["Frames of this learner go to Lab server, at https://lab.example/v1."]
    assert asked[1][2]


def test_the_dialog_names_what_it_takes_and_where_frames_go(qtbot):
    dialog = ReaderDialog("Webcam", (LOCAL, AWAY))
    qtbot.addWidget(dialog)
    assert dialog.choice == ReaderChoice(OneReader(FACE_CUES))
    assert dialog._about.text() == FACE_WORDS
    dialog.way.setCurrentIndex(1)
    dialog.draws.setValue(5)
    assert dialog.choice == SCREENED
    dialog.model.setCurrentIndex(1)
    assert "leave this computer for https://lab.example/v1" in dialog._about.text()
    again = ReaderDialog("Webcam", (LOCAL, AWAY), last=dialog.choice.name)
    qtbot.addWidget(again)
    assert again.choice == dialog.choice


def test_without_a_model_the_dialog_says_where_to_get_one(qtbot):
    dialog = ReaderDialog("Webcam", ())
    qtbot.addWidget(dialog)
    dialog.way.setCurrentIndex(2)
    assert dialog._about.text() == NO_MODELS
    assert not dialog.go_on.isEnabled()


def test_the_report_is_written_as_it_was_asked_for(
    window, desk, lesson_id, qtbot, tmp_path, monkeypatch
):
    monkeypatch.setattr(work_module.ReportDialog, "exec", lambda _self: QDialog.DialogCode.Accepted)
    monkeypatch.setattr(
        work_module.QFileDialog, "getExistingDirectory", lambda *_args: str(tmp_path)
    )
    window.open_lesson(lesson_id)
    window.learner.keys["write_report"].trigger()
    qtbot.waitUntil(lambda: "robin.pdf" in window._strip._message.text())
    # Faces are blurred unless somebody wants them seen.
    assert desk.confusion.reports == [(False, True)]
