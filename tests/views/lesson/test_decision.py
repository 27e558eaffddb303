import pytest
from PySide6.QtCore import Qt

from app.coding.practices import read_practices
from app.coding.records import Decision, Verdict
from app.lesson.clips import Clip
from resources import resource
from views.lesson.decision import DecisionPanel

CLIP = Clip("a", 1, 2, 0, 9000)


@pytest.fixture
def panel(qtbot):
    made = DecisionPanel(read_practices(resource("practices.toml")))
    qtbot.addWidget(made)
    made.show_clip(None, "", can_accept=True)
    made.show()
    return made


def test_nothing_is_picked_before_the_reviewer_picks(panel):
    assert (panel.practice, panel.level) == ("", None)


def test_a_level_that_the_practice_does_not_have_cannot_be_picked(panel):
    panel.pick_practice(2)
    panel.pick_level(4)
    assert (panel.practice, panel.level) == ("D2", 4)
    panel.pick_practice(0)
    assert (panel.practice, panel.level) == ("BI", None)
    panel.pick_level(4)
    assert panel.level is None


def test_what_stands_is_said_and_picked(panel):
    made = Decision(CLIP, Verdict.CORRECT, "D3", 2, "AK", "", blind=True)
    panel.show_clip(made, "a note", can_accept=True)
    assert "AK set D3, level 2, before seeing the suggestion" in panel._stands.text()
    assert (panel.practice, panel.level, panel.note) == ("D3", 2, "a note")


def test_without_a_suggestion_there_is_nothing_to_accept(panel):
    panel.show_clip(None, "", can_accept=False)
    assert panel._accept.isHidden()
    assert panel._correct.text() == "Set my code"


def test_a_note_being_typed_is_not_replaced_and_is_handed_on_after_a_pause(panel, qtbot):
    qtbot.keyClicks(panel._note, "why")
    panel.show_clip(None, "", can_accept=True)
    assert panel.note == "why"
    with qtbot.waitSignal(panel.note_typed):
        pass


def test_a_click_does_not_leave_the_keyboard_on_the_button(panel, qtbot):
    panel._note.setFocus()
    qtbot.mouseClick(panel._accept, Qt.MouseButton.LeftButton)
    assert not panel._accept.hasFocus()
