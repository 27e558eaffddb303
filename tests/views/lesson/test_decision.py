from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QPushButton

from app.coding.pick import SEEN_HERE, Pick
from app.coding.practices import read_practices
from app.coding.records import Citation, Decision, Stage, Verdict
from app.lesson.clips import Clip
from app.scoring.scored import Code
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
    panel.codes.pick_practice(2)
    panel.codes.pick_level(4)
    assert (panel.practice, panel.level) == ("D2", 4)
    panel.codes.pick_practice(0)
    assert (panel.practice, panel.level) == ("BI", None)
    panel.codes.pick_level(4)
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


def test_further_practices_are_added_with_a_level_and_taken_out(panel, qtbot):
    panel.codes.pick_practice(1)
    with qtbot.waitSignal(panel.picked):
        panel.codes.pick_further(3)
    panel.codes.pick_further_level(4)
    assert panel.pick.also == (Code("D3", 4),)
    assert panel.codes.further.levels["D3"].isVisible()
    panel.codes.pick_further(1)
    assert panel.pick.also == (Code("D3", 4),)
    assert not panel.codes.further.buttons["D1"].isEnabled()
    qtbot.mouseClick(panel.codes.further.buttons["D3"], Qt.MouseButton.LeftButton)
    assert panel.pick.also == ()


def test_a_further_practice_has_only_the_levels_it_has(panel):
    panel.codes.pick_further(0)
    panel.codes.pick_further_level(4)
    assert panel.pick.also == (Code("BI"),)


def test_a_further_practice_that_becomes_the_main_one_is_no_longer_further(panel):
    panel.codes.pick_practice(1)
    panel.codes.pick_further(3)
    panel.codes.pick_practice(3)
    assert (panel.practice, panel.pick.also) == ("D3", ())


def test_what_is_cited_is_listed_described_and_taken_out(panel, qtbot):
    line = Citation("It leaks.", (3,), 2500, 4000)
    seen = Citation("", (), 1000, 4000, SEEN_HERE)
    panel.take(panel.pick.citing(line).citing(seen))
    field = panel.cites.rows[1].findChild(QLineEdit)
    qtbot.keyClicks(field, "a wet can")
    field.editingFinished.emit()
    assert panel.pick.cites == (line, replace(seen, seen="a wet can"))
    gone = panel.cites.rows[0].findChild(QPushButton)
    assert gone.accessibleName() == "Take out line 3: “It leaks.”"
    qtbot.mouseClick(gone, Qt.MouseButton.LeftButton)
    assert [c.seen for c in panel.pick.cites] == ["a wet can"]


def test_where_people_differ_no_code_is_said_to_stand(panel):
    one = Decision(CLIP, Verdict.CORRECT, "D3", 2, "AK", "", also=(Code("D1", 1),))
    other = Decision(CLIP, Verdict.REJECT, "", None, "BM", "")
    panel.show_clip(None, "", can_accept=True, pick=Pick("D3", 2), against=(one, other))
    told = panel._stands.text()
    assert "no code stands" in told
    assert "AK: D3, level 2, also D1, level 1; BM: no practice" in told


def test_a_consensus_is_said_with_its_note(panel):
    made = Decision(CLIP, Verdict.CORRECT, "D3", 2, "AK & BM", "", "line 5", stage=Stage.CONSENSUS)
    panel.show_clip(made, "", can_accept=True)
    assert "AK & BM agreed on D3, level 2. Note: line 5" in panel._stands.text()


def test_what_was_begun_is_told_apart_from_what_stands(panel):
    panel.show_clip(None, "", can_accept=True, pick=Pick("D3", 2), is_begun=True)
    assert panel._begun.isVisible()
    assert (panel.practice, panel.level) == ("D3", 2)
