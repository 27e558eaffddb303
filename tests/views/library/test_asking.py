from datetime import date, timedelta

import pytest
from PySide6.QtCore import QDate, Qt

from app.coding.moments import Term
from app.coding.practices import read_practices
from app.store.records import LessonRow
from resources import resource
from views.library.asking import Asking
from views.library.term import TermDialog

TERM = Term(date(2026, 9, 1), date(2026, 12, 18))


@pytest.fixture
def asking(qtbot):
    made = Asking(read_practices(resource("practices.toml")))
    qtbot.addWidget(made)
    qtbot.addWidget(made.box)
    made.show()
    return made


def chips(asking):
    return [asking._chips.itemAt(i).widget() for i in range(asking._chips.count())]


def type_words(qtbot, asking, words):
    with qtbot.waitSignal(asking.asked) as asked:
        qtbot.keyClicks(asking.box, words)
    return asked.args[0]


def test_words_are_looked_for_as_words(qtbot, asking):
    wanted = type_words(qtbot, asking, "press for evidence")
    assert (wanted.words, wanted.practice) == ("press for evidence", "")


def test_a_practice_in_the_words_is_offered_and_taken_up_by_a_click(qtbot, asking):
    asking.show_term(TERM)
    type_words(qtbot, asking, "show me every press for evidence this term")
    told = "Look for clips coded D3 (pressing for explanation), this term instead"
    assert asking._offer.text() == told
    assert asking._offer.isVisible()
    qtbot.mouseClick(asking._offer, Qt.MouseButton.LeftButton)
    wanted = asking.wanted
    assert (wanted.words, wanted.practice) == ("", "D3")
    assert (wanted.first_day, wanted.last_day) == (TERM.first_day, TERM.last_day)
    assert not asking._offer.isVisible()
    assert [chip.text() for chip in chips(asking)] == [
        "D3  Pressing for explanation  ✕",
        "This term  ✕",
    ]


def test_a_chip_takes_its_filter_away(qtbot, asking):
    asking.filters.pick_code("D3", 2)
    practice, level = chips(asking)
    assert level.accessibleName() == "Take away the filter Level 2"
    with qtbot.waitSignal(asking.asked) as asked:
        qtbot.mouseClick(practice, Qt.MouseButton.LeftButton)
    assert (asked.args[0].practice, asked.args[0].level) == ("", 2)
    assert len(chips(asking)) == 1


def test_this_term_is_asked_for_once(qtbot, asking):
    type_words(qtbot, asking, "D1 this term")
    with qtbot.waitSignal(asking.term_wanted):
        qtbot.mouseClick(asking._offer, Qt.MouseButton.LeftButton)
    assert asking.wanted.first_day is None
    with qtbot.waitSignal(asking.asked) as asked:
        asking.show_term(TERM)
    assert asked.args[0].first_day == TERM.first_day


def test_every_filter_narrows(qtbot, asking):
    row = LessonRow("a", "Ice", "", False, None, "2026", 0, 0, 0, True, "")
    asking.show_choices(("Ann", "Bo"), [row])
    filters = asking.filters
    filters.codes.setCurrentIndex(1)
    filters.by.setCurrentIndex(2)
    filters.lesson.setCurrentIndex(1)
    filters.days.setCurrentIndex(3)
    filters.first_day.setDate(QDate(2026, 9, 1))
    filters.last_day.setDate(QDate(2026, 9, 3))
    wanted = asking.wanted
    assert (wanted.with_suggestions, wanted.author, wanted.lesson_id) == (True, "Bo", "a")
    assert (wanted.first_day, wanted.last_day) == (date(2026, 9, 1), date(2026, 9, 3))
    filters.days.setCurrentIndex(2)
    assert asking.wanted.last_day - asking.wanted.first_day == timedelta(29)
    asking.show_choices(("Ann", "Bo", "Cy"), [row])
    assert asking.wanted.author == "Bo"


def test_a_term_that_runs_backwards_is_not_kept(qtbot):
    dialog = TermDialog(TERM)
    qtbot.addWidget(dialog)
    dialog.last.setDate(QDate(2026, 1, 1))
    dialog._say()
    assert "before the first" in dialog._wrong.text()
    dialog.last.setDate(QDate(2026, 10, 1))
    with qtbot.waitSignal(dialog.said) as said:
        dialog._say()
    assert said.args == [Term(date(2026, 9, 1), date(2026, 10, 1))]
