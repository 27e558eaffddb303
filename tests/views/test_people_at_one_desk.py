"""Two people at one desk, through the whole window: who typed what, and what a blind coder sees."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QLineEdit, QListWidget

from app.coding.records import Citation, Decision, Verdict
from app.scoring.scored import Code
from views.common.theme import apply_theme
from views.library.lessons import done_words, waiting_words
from views.places import AGREEMENT, LESSON
from views.window import MainWindow


@pytest.fixture
def window(desk, qtbot):
    apply_theme(QApplication.instance(), "light", 1.0)
    made = MainWindow(desk)
    with qtbot.waitActive(made):
        made.show()
        made.activateWindow()
    yield made
    made.close()
    made.deleteLater()


def press(qtbot, window, key, modifier=Qt.KeyboardModifier.NoModifier):
    qtbot.keyClick(QApplication.focusWidget() or window, key, modifier)


def told(window):
    """Give every word in sight, and what undo and redo are called."""
    found = [w.text() for w in window.findChildren(QLabel) if w.isVisible()]
    found += [w.text() for w in window.findChildren(QLineEdit) if w.isVisible()]
    buttons = [w for w in window.findChildren(QAbstractButton) if w.isVisible()]
    found += [f"{w.accessibleName()} {'is picked' if w.isChecked() else ''}" for w in buttons]
    for box in window.findChildren(QListWidget):
        found += [box.item(n).text() for n in range(box.count()) if box.isVisible()]
    found += [window.lesson.keys[name].text() for name in ("undo", "redo")]
    scene = window.lesson.ui.timeline._scene
    found += [f"{mark.label} {mark.words}" for mark in scene.clips.marks]
    found += [mark.text for mark in scene.decisions]
    return "\n".join(found)


def test_nothing_in_the_window_tells_a_blind_coder_what_another_said(window, desk, stand_in, qtbot):
    lesson_id = stand_in.add_sample(desk.library, coded=False)
    desk.library.propose_clips(lesson_id, stand_in.CLIPS)
    said = Decision(
        stand_in.CLIPS[0],
        Verdict.CORRECT,
        "D2",
        4,
        "BM",
        "2026-11-30T01:00:00.000+00:00",
        "surely a model",
        blind=True,
        also=(Code("BI", 3),),
        evidence=(Citation("where do you think the water comes from", (5,), 22_000, 29_000),),
    )
    desk.library.decide(lesson_id, said)
    window.choices.set_blind(True)
    window.open_lesson(lesson_id)
    window.lesson.go_to_clip(stand_in.CLIPS[0].clip_id)
    in_sight = told(window)
    for secret in ("D2, level 4", "D2·4", "surely", "BI, level 3", "is picked\nLevel 4", "BM set"):
        assert secret not in in_sight
    assert window.lesson.keys["undo"].text() == "Undo: the last change, by BM"
    assert window.lesson.ui.transcript.lines._cited == {}
    window.show_page(AGREEMENT)
    qtbot.waitUntil(lambda: window.people.gathering.is_read)
    assert "surely" not in told(window)
    # Once an own code is set, the other's may be seen.
    window.show_page(LESSON)
    window.lesson.ui.timeline.setFocus()
    press(qtbot, window, Qt.Key.Key_2)
    press(qtbot, window, Qt.Key.Key_2, Qt.KeyboardModifier.ShiftModifier)
    press(qtbot, window, Qt.Key.Key_C)
    assert "BM: D2, level 4, also BI, level 3; AK: D1, level 2" in told(window)
    own = desk.library.lesson(lesson_id).decisions[-1]
    assert (own.author, own.blind) == ("AK", True)


@pytest.mark.parametrize("code", [("D2", 4), ("BI", 1), ("", None)])
def test_a_lesson_in_the_list_looks_the_same_whatever_somebody_said_of_it(desk, stand_in, code):
    lesson_id = stand_in.add_sample(desk.library)
    verdict = Verdict.CORRECT if code[0] else Verdict.REJECT
    made = Decision(stand_in.CLIPS[0], verdict, *code, "BM", "")
    desk.library.decide(lesson_id, made)
    row = desk.library.lessons()[0]
    assert waiting_words(row) == "1 of 8 clips reviewed"
    assert done_words(row) == "Transcript alone. 8 clips, 8 looked at by the finder"


def test_a_note_being_typed_stays_with_who_typed_it_when_another_takes_over(
    window, desk, stand_in, qtbot
):
    window.open_lesson(stand_in.add_sample(desk.library))
    panel = window.lesson.ui.side.decision
    panel.focus_note()
    qtbot.keyClicks(panel._note, "look again")
    panel.codes.pick_practice(3)
    window.who.be("BM")
    assert desk.settings.author == "BM"
    assert (panel.note, panel.practice) == ("", "")
    window.who.be("AK")
    assert (panel.note, panel.practice) == ("look again", "D3")
    assert set(desk.library.reviewers()) == {"AK", "BM"}


def test_codes_and_citations_are_made_by_keys(window, desk, stand_in, qtbot):
    lesson_id = stand_in.add_sample(desk.library)
    window.open_lesson(lesson_id)
    clip = stand_in.CLIPS[0]
    window.lesson.go_to_clip(clip.clip_id)
    window.lesson.ui.transcript.go_to_line(clip.first + 1)
    window.lesson.ui.timeline.setFocus()
    alt, shift = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ShiftModifier
    press(qtbot, window, Qt.Key.Key_2)
    press(qtbot, window, Qt.Key.Key_2, shift)
    press(qtbot, window, Qt.Key.Key_4, alt)
    press(qtbot, window, Qt.Key.Key_3, alt | shift)
    press(qtbot, window, Qt.Key.Key_Q)
    window.lesson.show_position(clip.start_ms + 1000)
    press(qtbot, window, Qt.Key.Key_W)
    window.lesson.show_position(clip.start_ms + 6000)
    press(qtbot, window, Qt.Key.Key_W, shift)
    press(qtbot, window, Qt.Key.Key_C)
    made = desk.library.lesson(lesson_id).decisions[-1]
    assert made.codes == (Code("D1", 2), Code("D3", 3))
    line, seen = made.evidence
    assert line.utterances == (clip.first + 1,)
    assert (seen.start_ms, seen.end_ms) == (clip.start_ms + 1000, clip.start_ms + 6000)


def test_a_line_outside_the_clip_is_not_cited_and_why_is_told(window, desk, stand_in):
    window.open_lesson(stand_in.add_sample(desk.library))
    window.lesson.go_to_clip(stand_in.CLIPS[0].clip_id)
    window.lesson.ui.transcript.go_to_line(stand_in.CLIPS[1].first)
    heard = []
    window.lesson.told.connect(lambda message, hint: heard.append(f"{message} {hint}"))
    window.lesson._doing.cite_lines()
    assert "is not in this clip" in heard[0]
    assert window.lesson.ui.side.decision.pick.cites == ()


def test_the_menu_acts_on_nothing_that_is_out_of_sight(window):
    actions = [action for action in window.people.actions_in_menu if action is not None]
    assert not any(action.isEnabled() for action in actions)
    window.show_page(AGREEMENT)
    assert all(action.isEnabled() for action in actions)
