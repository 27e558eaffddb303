"""Work that the window starts: it is told, can be stopped, goes on later, and tears nobody away."""

import threading
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from app.coding.conditions import CoderChoice, Condition
from app.errors import StoreRefused
from app.store.library import Library
from views.places import JOBS, LESSON, LIBRARY


def test_writing_down_runs_as_a_job_that_can_be_stopped(window, desk, qtbot):
    lesson_id = desk.library.add_lesson("Water", None, None, {})
    window.open_lesson(lesson_id)
    desk.go_on.clear()
    window.work.hear(lesson_id, "Water")
    job = window.background.jobs[-1]
    qtbot.waitUntil(lambda: job.share == 0.5)
    assert window.lesson.ui.job.isVisible()
    assert "50 %" in window._busy.text()
    window.background.cancel(job)
    qtbot.waitUntil(lambda: job.is_over)
    assert [kept.state.value for kept in desk.library.jobs()] == ["cancelled"]
    desk.go_on.set()
    window.work.hear(lesson_id, "Water")
    qtbot.waitUntil(lambda: window.lesson.session.review.transcript is not None)


def test_evidence_is_found_from_the_empty_state(window, desk, stand_in, qtbot):
    lesson_id = stand_in.add_sample(desk.library, coded=False)
    window.open_lesson(lesson_id)
    button = next(b for a, b in window.lesson.ui.side.step._buttons.items() if a == "Find evidence")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.lesson.clip() is not None)
    assert window.lesson.session.review.predictions


def test_work_that_was_interrupted_is_offered_again(make_window, desk, stand_in, qtbot):
    lesson_id = stand_in.add_sample(desk.library, coded=False)
    desk.library.add_job("code", lesson_id, "Find evidence in “Sample lesson”", {})
    window = make_window()
    assert "was not finished" in window._strip._message.text()
    window._again.start_again(window.work.kept.earlier()[0])
    qtbot.waitUntil(lambda: desk.library.lesson(lesson_id).predictions != ())
    qtbot.waitUntil(lambda: not window.background.running())


def test_a_report_is_written_and_can_be_opened(on_sample, desk, tmp_path, qtbot):
    review = on_sample.lesson.session.review
    on_sample.work.write_report(review.lesson_id, review.title, tmp_path)
    qtbot.waitUntil(lambda: "report.pdf" in on_sample._strip._message.text())
    assert on_sample._strip._act.text() == "Open report"


def test_a_refused_file_becomes_a_notice(window, desk, qtbot):
    desk.refuse = StoreRefused("The library is full.", "Free some space.")
    window.files.add_files([Path("/lessons/maths.mp4")])
    qtbot.waitUntil(lambda: "The library is full." in window._strip._message.text())
    assert window._pages.currentIndex() == LIBRARY


def test_closing_stops_waiting_work(window, desk, qtbot):
    lesson_id = desk.library.add_lesson("Water", None, None, {})
    desk.go_on.clear()
    window.work.hear(lesson_id, "Water")
    window.close()
    assert desk.is_closed
    with Library.open(desk.folder / "test.clerestory") as library:
        assert library.jobs()[0].state.value in ("queued", "running", "interrupted", "cancelled")


def test_stopped_work_says_so_and_starts_again_where_it_stands(window, desk, qtbot):
    lesson_id = desk.library.add_lesson("Water", None, None, {})
    desk.go_on.clear()
    window.work.hear(lesson_id, "Water")
    job = window.background.jobs[-1]
    qtbot.waitUntil(lambda: job.share == 0.5)
    window.background.cancel(job)
    qtbot.waitUntil(lambda: job.is_over)
    assert "Water”: stopped as you asked." in window._strip._message.text()
    desk.go_on.set()
    window.show_page(JOBS)
    again = next(
        button
        for button in window.jobs.findChildren(QPushButton)
        if button.text() == "Start again" and not button.isHidden()
    )
    qtbot.mouseClick(again, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: desk.library.lesson(lesson_id).transcript is not None)
    qtbot.waitUntil(lambda: not window.background.running())


def test_a_lesson_added_later_does_not_tear_the_reviewer_away(on_sample, desk, qtbot):
    open_now = on_sample.lesson.session.review.lesson_id
    on_sample.files.add_files([Path("/lessons/other.vtt")])
    qtbot.waitUntil(lambda: not on_sample.background.running())
    qtbot.waitUntil(lambda: "other" in on_sample._strip._message.text())
    assert on_sample.lesson.session.review.lesson_id == open_now
    assert on_sample._pages.currentIndex() == LESSON


def test_a_moved_recording_is_looked_for_and_the_outcome_told(
    window, desk, stand_in, tmp_path, qtbot
):
    lesson_id = desk.library.add_lesson(
        "Water", stand_in.media(tmp_path / "gone.mp4"), stand_in.spoken(), {}
    )
    window.open_lesson(lesson_id)
    assert window.lesson.ui.find_media.isVisible()
    assert window.lesson.ui.player.isHidden()
    window.work.find_media(lesson_id, "Water", tmp_path)
    qtbot.waitUntil(lambda: "is not in" in window._strip._message.text())
    assert ("find_media", lesson_id, tmp_path) in desk.calls


def test_several_coders_for_one_lesson_run_one_after_another(
    on_sample, desk, stand_in, qtbot, monkeypatch
):
    held, asked = threading.Event(), []

    def code(lesson_id, coder, report, stop):
        asked.append(coder.name)
        assert held.wait(10)

    monkeypatch.setattr(desk, "code", code)
    lesson_id = on_sample.lesson.session.review.lesson_id
    first, second = (CoderChoice(name, Condition()) for name in ("small-4b", "text-1b"))
    on_sample.work.code_with(lesson_id, "Sample lesson", first)
    on_sample.work.code_with(lesson_id, "Sample lesson", second)
    assert "when the one before it is done" in on_sample._strip._message.text()
    on_sample.work.code_with(lesson_id, "Sample lesson", second)
    assert "under way already" in on_sample._strip._message.text()
    qtbot.waitUntil(lambda: asked == [first.name])
    assert len(on_sample.background.running(lesson_id)) == 2
    held.set()
    qtbot.waitUntil(lambda: not on_sample.background.running())
    assert asked == [first.name, second.name]


def test_the_button_over_the_lesson_asks_who_codes(on_sample, qtbot, monkeypatch):
    asked = []
    monkeypatch.setattr(on_sample.coding, "ask", asked.append)
    button = on_sample.lesson.ui.code
    assert button.isVisible()
    assert button.text() == "Find codes…"
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert asked == [on_sample.lesson.session.review.lesson_id]
