import pytest
from PySide6.QtWidgets import QInputDialog, QWidget

from app.coding.records import Decision, Verdict
from views.people.who import Who
from views.settings.choices import Choices


@pytest.fixture
def who(desk, qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    made = Who(desk, Choices(desk.settings, window), window)
    made.troubles = []
    made.trouble.connect(made.troubles.append)
    window.show()
    made.keeps = window
    return made


def offered(who):
    who._fill()
    return [action.text() for action in who._menu.actions() if action.text()]


def test_everybody_who_has_decided_can_be_chosen(who, desk, stand_in, qtbot):
    lesson_id = stand_in.add_sample(desk.library)
    made = Decision(stand_in.CLIPS[0], Verdict.CORRECT, "D1", 1, "BM", "")
    desk.library.decide(lesson_id, made)
    assert offered(who) == ["BM", "AK", "Add a reviewer…"]
    with qtbot.waitSignal(who.leaving):
        who._menu.actions()[0].trigger()
    assert desk.settings.author == "BM"
    assert who.text() == "You are: BM"


def test_somebody_new_is_added_and_takes_over(who, desk, monkeypatch):
    monkeypatch.setattr(QInputDialog, "getText", lambda *_: (" Zoe ", True))
    who.add()
    assert desk.settings.author == "Zoe"
    assert desk.library.reviewers() == ("AK", "Zoe")


def test_typed_differently_it_is_still_the_same_person(who, desk, qtbot):
    with qtbot.assertNotEmitted(who.leaving):
        who.be("AK")
    desk.library.add_reviewer("Zoe")
    who.be("zoe")
    assert desk.settings.author == "Zoe"


def test_a_name_that_misleads_is_refused_and_nobody_takes_over(who, desk):
    who.be("AK & BM")
    assert "two people" in who.troubles[0].message
    assert desk.settings.author == "AK"


def test_the_settings_offer_who_codes_here_and_hand_a_choice_on(who, desk):
    desk.library.add_reviewer("Zoe")
    who._choices.dialog_wanted.emit()
    box = who._choices.dialog._author
    assert [box.itemText(n) for n in range(box.count())] == ["Zoe", "AK"]
    assert box.currentText() == "AK"
    box.setCurrentIndex(0)
    box.activated.emit(0)
    assert desk.settings.author == "Zoe"


def test_without_a_name_the_question_is_asked(desk, qtbot):
    desk.settings.author = ""
    window = QWidget()
    qtbot.addWidget(window)
    who = Who(desk, Choices(desk.settings, window), window)
    assert who.text() == "Who are you?"
