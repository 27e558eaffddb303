import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from app.errors import Cancelled, MediaRefused
from views.notices import Kind, Notices, NoticeStrip


@pytest.fixture
def notices(qtbot):
    return Notices()


@pytest.fixture
def strip(notices, qtbot):
    made = NoticeStrip()
    qtbot.addWidget(made)
    notices.told.connect(made.show_notice)
    return made


def test_a_refusal_is_told_in_its_own_words(notices):
    notices.trouble(MediaRefused("maths.mp4 has no video stream.", "Choose another file."))
    told = notices.kept[-1]
    assert told.text == "maths.mp4 has no video stream. Choose another file."
    assert told.kind is Kind.TROUBLE


def test_a_fault_of_the_program_names_the_log_and_not_its_insides(notices, own_home):
    notices.trouble(KeyError("clip_7"))
    told = notices.kept[-1]
    assert str(own_home / "logs") in told.hint
    assert "clip_7" not in told.text


def test_what_a_person_stopped_is_no_trouble(notices):
    notices.trouble(Cancelled())
    assert notices.kept[-1].kind is Kind.NOTE


def test_the_strip_stands_until_it_is_dismissed_and_counts_earlier_ones(notices, strip, qtbot):
    notices.tell("One thing happened.")
    notices.tell("Another thing happened.", "Do this.")
    assert strip._message.text() == "Another thing happened."
    assert strip._earlier.text() == "1 earlier"
    with qtbot.waitSignal(strip.all_wanted):
        qtbot.mouseClick(strip._earlier, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(strip._dismiss, Qt.MouseButton.LeftButton)
    assert strip.isHidden()
    assert len(notices.kept) == 2


def test_a_notice_can_carry_what_to_do(notices, strip, qtbot):
    done = []
    notices.tell("The report is written.", action="Open report", act=lambda: done.append(1))
    button = next(b for b in strip.findChildren(QPushButton) if b.text() == "Open report")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert done == [1]


def test_a_screen_reader_hears_every_notice(notices, strip, monkeypatch):
    said = []
    monkeypatch.setattr(
        "views.notices.announce", lambda widget, text, urgent=False: said.append((text, urgent))
    )
    notices.tell("Done.", kind=Kind.DONE)
    notices.trouble(MediaRefused("It failed.", "Try again."))
    assert said == [("Done.", False), ("It failed. Try again.", True)]
