"""The coaching page from the menu: refused with a reason until something was accepted."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QFileDialog

from app.coding.records import Citation, Decision, Verdict
from views.window import MainWindow


@pytest.fixture
def on_sample(desk, stand_in, qtbot):
    window = MainWindow(desk)
    window.open_lesson(stand_in.add_sample(desk.library))
    yield window
    window.close()


def accept(desk, review):
    clip = next(c for c in review.clips if c.first)
    line = next(u for u in review.transcript.utterances if u.number == clip.first)
    decision = Decision(
        clip, Verdict.ACCEPT, "D1", 2, "AK", "2026-11-30T10:00:00.000Z",
        evidence=(Citation(quote=line.text, utterances=(line.number,)),),
    )  # fmt: skip
    desk.library.decide(review.lesson_id, decision)


def test_before_anything_was_accepted_no_folder_is_asked_for(on_sample, monkeypatch, qtbot):
    monkeypatch.setattr(
        QFileDialog, "getExistingDirectory", lambda *_: pytest.fail("asked for a folder")
    )
    on_sample._coaching.trigger()
    qtbot.waitUntil(lambda: "no coaching page" in on_sample._strip._message.text())


def test_the_page_is_written_and_can_be_opened(on_sample, desk, monkeypatch, tmp_path, qtbot):
    accept(desk, on_sample.lesson.session.review)
    on_sample.lesson.session.reload()

    def write(_lesson_id, folder, _report, _stop):
        page = folder / "coaching-page.pdf"
        page.write_bytes(b"%PDF-1.7")
        return [page]

    monkeypatch.setattr(desk, "write_coaching", write, raising=False)
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path))
    assert on_sample._coaching.isEnabled()
    on_sample._coaching.trigger()
    qtbot.waitUntil(lambda: "coaching-page.pdf" in on_sample._strip._message.text())
    assert on_sample._strip._act.text() == "Open page"


def test_without_a_lesson_there_is_nothing_to_write(desk, qtbot):
    window = MainWindow(desk)
    assert not window._coaching.isEnabled()
    window.close()
