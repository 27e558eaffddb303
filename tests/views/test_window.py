import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QWidget

from app.coding.records import Verdict
from app.errors import StoreRefused
from app.lesson.transcript.records import Transcript
from views.places import JOBS, LESSON, LIBRARY, MODELS, PAGES


def press(qtbot, window, key, modifier=Qt.KeyboardModifier.NoModifier):
    """Press a key on whatever has the keyboard, as a person does."""
    qtbot.keyClick(QApplication.focusWidget() or window, key, modifier)


def type_words(qtbot, words):
    qtbot.keyClicks(QApplication.focusWidget(), words)


def all_words(widget):
    said = [child.text() for child in widget.findChildren(QLabel) if not child.isHidden()]
    return " | ".join([*said, *(child.accessibleName() for child in widget.findChildren(QWidget))])


def decision(window):
    lesson = window.lesson
    return lesson.session.review.decision_for(lesson.clip_id)


def test_the_status_bar_says_that_nothing_leaves_this_computer(window):
    assert window._network.text() == "Nothing leaves this computer"


def test_endpoints_in_use_are_named(make_window, desk, monkeypatch):
    monkeypatch.setattr(type(desk), "endpoints", lambda self: ("lab-server", "other"))
    assert make_window()._network.text() == "Sends data to: lab-server, other"


def test_the_first_steps_lead_to_the_sample_under_review(window, desk, qtbot):
    press(qtbot, window, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: window._pages.currentIndex() == LESSON)
    assert window.lesson.session.review.title == "Sample lesson"
    assert window.lesson.clip() is not None


def test_a_whole_review_with_the_keyboard_alone(on_sample, desk, qtbot):
    window, shift = on_sample, Qt.KeyboardModifier.ShiftModifier
    control = Qt.KeyboardModifier.ControlModifier
    first = window.lesson.clip_id
    press(qtbot, window, Qt.Key.Key_E)
    assert window.lesson.position_ms == window.lesson.ui.side.evidence.cards[0].evidence.start_ms
    press(qtbot, window, Qt.Key.Key_A)
    assert decision(window).verdict is Verdict.ACCEPT
    press(qtbot, window, Qt.Key.Key_N)
    assert window.lesson.clip_id != first
    press(qtbot, window, Qt.Key.Key_3)
    press(qtbot, window, Qt.Key.Key_4, shift)
    press(qtbot, window, Qt.Key.Key_Return, control)
    type_words(qtbot, "a1 x, they weigh two ideas")
    press(qtbot, window, Qt.Key.Key_Return)
    press(qtbot, window, Qt.Key.Key_C)
    made = decision(window)
    assert (made.practice, made.level) == ("D2", 4)
    assert made.note == "a1 x, they weigh two ideas"
    press(qtbot, window, Qt.Key.Key_Z, control)
    assert decision(window) is None
    press(qtbot, window, Qt.Key.Key_Z, control | shift)
    assert decision(window).practice == "D2"
    press(qtbot, window, Qt.Key.Key_N)
    press(qtbot, window, Qt.Key.Key_X)
    assert decision(window).verdict is Verdict.REJECT
    assert len(desk.library.lesson(window.lesson.session.review.lesson_id).decisions) == 3


def test_closing_and_opening_again_shows_the_same(on_sample, desk, make_window, stand_in, qtbot):
    press(qtbot, on_sample, Qt.Key.Key_A)
    on_sample.lesson.ui.note.setPlainText("A calm lesson.")
    before = on_sample.lesson.session.review
    on_sample.close()
    assert desk.is_closed
    again = stand_in.StandInDesk(desk.folder)
    window = make_window(again)
    window.open_lesson(before.lesson_id)
    after = window.lesson.session.review
    assert after.decisions == before.decisions
    assert after.note == "A calm lesson."
    assert window.lesson.ui.note.toPlainText() == "A calm lesson."


def test_blind_mode_shows_no_label_anywhere_before_an_own_code(make_window, desk, stand_in, qtbot):
    desk.settings.blind = True
    window = make_window()
    window.open_lesson(stand_in.add_sample(desk.library))
    page = window.lesson
    for _ in range(len(stand_in.CLIPS)):
        prediction = page.session.review.prediction_for(page.clip_id)
        code = f"{prediction.practice}, level {prediction.level}"
        assert code not in all_words(page.ui.side.suggestion)
        assert "suggests" not in all_words(page.ui)
        assert "leads by little" not in all_words(page.ui)
        assert page.ui.side.decision._accept.isHidden()
        page.ui.timeline.setFocus()
        press(qtbot, window, Qt.Key.Key_A)
        assert decision(window) is None
        press(qtbot, window, Qt.Key.Key_1)
        press(qtbot, window, Qt.Key.Key_1, Qt.KeyboardModifier.ShiftModifier)
        press(qtbot, window, Qt.Key.Key_C)
        assert decision(window).blind
        assert code in all_words(page.ui.side.suggestion)
        press(qtbot, window, Qt.Key.Key_N)


def test_keys_do_not_decide_while_words_are_typed(on_sample, qtbot):
    page = on_sample.lesson
    for field in (page.ui.transcript._find, page.ui.side.decision._note):
        field.setFocus()
        qtbot.keyClicks(field, "axcn 12 jkl,.[]")
        assert field.text() == "axcn 12 jkl,.[]"
    page.ui.tabs.setCurrentWidget(page.ui.note)
    page.ui.note.setFocus()
    qtbot.keyClicks(page.ui.note, "axcn 12")
    assert page.ui.note.toPlainText() == "axcn 12"
    assert not page.session.review.decisions


def test_space_presses_the_button_the_keyboard_is_on_and_plays_elsewhere(on_sample, qtbot):
    played = []
    on_sample.lesson.ui.player.toggle = lambda: played.append(1)
    on_sample.lesson.ui.timeline.setFocus()
    press(qtbot, on_sample, Qt.Key.Key_Space)
    assert played == [1]
    on_sample.lesson.ui.side.decision._reject.setFocus()
    press(qtbot, on_sample, Qt.Key.Key_Space)
    assert played == [1]
    assert decision(on_sample).verdict is Verdict.REJECT


def test_edges_split_and_merge_have_keys(on_sample, qtbot):
    page = on_sample.lesson
    clip = page.clip()
    page.seek(clip.start_ms + 5000)
    press(qtbot, on_sample, Qt.Key.Key_BracketLeft)
    assert page.clip().start_ms == clip.start_ms + 5000
    page.seek(clip.end_ms - 5000)
    press(qtbot, on_sample, Qt.Key.Key_BracketRight)
    assert page.clip().end_ms == clip.end_ms - 5000
    count = len(page.session.review.clips)
    page.seek((page.clip().start_ms + page.clip().end_ms) // 2)
    press(qtbot, on_sample, Qt.Key.Key_S)
    assert len(page.session.review.clips) == count + 1
    page.go_to_clip(page.session.review.clips[0].clip_id)
    press(qtbot, on_sample, Qt.Key.Key_M)
    assert len(page.session.review.clips) == count


def test_a_full_disk_keeps_what_was_picked_and_typed(on_sample, desk, monkeypatch, qtbot):
    def refuse(*_):
        raise StoreRefused("The library cannot be written: the disk is full.", "Free some space.")

    panel = on_sample.lesson.ui.side.decision
    press(qtbot, on_sample, Qt.Key.Key_2)
    press(qtbot, on_sample, Qt.Key.Key_3, Qt.KeyboardModifier.ShiftModifier)
    panel._note.setText("they build on Robin")
    monkeypatch.setattr(desk.library, "decide", refuse)
    press(qtbot, on_sample, Qt.Key.Key_C)
    assert "the disk is full" in on_sample._strip._message.text()
    assert (panel.practice, panel.level, panel.note) == ("D1", 3, "they build on Robin")
    assert decision(on_sample) is None


def test_without_a_name_the_reviewer_is_asked_and_nothing_is_decided(
    make_window, desk, stand_in, qtbot
):
    desk.settings.author = ""
    window = make_window()
    window.open_lesson(stand_in.add_sample(desk.library))
    window.lesson.ui.timeline.setFocus()
    press(qtbot, window, Qt.Key.Key_A)
    assert decision(window) is None
    assert QApplication.focusWidget() is window.lesson.ui.side.decision._author
    type_words(qtbot, "AK")
    press(qtbot, window, Qt.Key.Key_Return)
    press(qtbot, window, Qt.Key.Key_Escape)
    press(qtbot, window, Qt.Key.Key_A)
    assert decision(window).author == "AK"


def test_the_edit_menu_says_what_will_be_undone(on_sample, qtbot):
    undo = on_sample.lesson.keys["undo"]
    assert not undo.isEnabled()
    press(qtbot, on_sample, Qt.Key.Key_A)
    assert undo.isEnabled()
    assert "D1" in undo.text()


def test_a_search_hit_opens_the_lesson_at_the_moment(on_sample, qtbot):
    on_sample.show_page(LIBRARY)
    on_sample.library.asking.box.setText("leaking")
    on_sample.library.asking.ask()
    results = on_sample.library.results
    results._open_hit(results.hits.index(0))
    assert on_sample._pages.currentIndex() == LESSON
    assert on_sample.lesson.position_ms > 0


def test_larger_text_and_other_looks_keep_the_lesson_open(on_sample, desk):
    clip_id = on_sample.lesson.clip_id
    on_sample.choices.set_theme("dark")
    on_sample.choices.scale_text(1)
    assert on_sample.lesson.clip_id == clip_id
    assert (desk.settings.theme, desk.settings.text_scale) == ("dark", 1.1)


@pytest.mark.parametrize("page", [LIBRARY, LESSON, MODELS, JOBS])
def test_every_control_that_takes_the_keyboard_has_a_name(on_sample, page, qtbot):
    on_sample.show_page(page)
    on_sample.notices.tell("Something happened.", action="Do it", act=lambda: None)
    on_sample.choices.dialog.show_settings()
    on_sample.lesson.speakers.show_speakers(on_sample.lesson.session.review)
    nameless = [
        f"{type(widget).__name__} in {type(widget.parentWidget()).__name__}"
        for widget in on_sample.findChildren(QWidget)
        if widget.focusPolicy() != Qt.FocusPolicy.NoFocus
        and not widget.isHidden()
        and not widget.accessibleName()
        and not getattr(widget, "text", lambda: "")()
        and not widget.objectName().startswith("qt_")
        # The list that a combo box opens is read out as part of the box.
        and not isinstance(widget.parentWidget().parentWidget(), QComboBox)
    ]
    assert nameless == []


def test_every_action_of_the_menus_has_words_and_no_key_does_two_things_at_once(on_sample):
    keys = set()
    for page in range(len(PAGES)):
        on_sample.show_page(page)
        on_this_page = {}
        for menu in on_sample.menuBar().actions():
            for action in menu.menu().actions():
                assert action.isSeparator() or action.text()
                for key in action.shortcuts() if action.isEnabled() else ():
                    known = on_this_page.setdefault(key.toString(), action.text())
                    assert known == action.text()
        keys.update(on_this_page)
    for key in (
        "Space",
        "J",
        "K",
        "L",
        ",",
        ".",
        "[",
        "]",
        "1",
        "Shift+4",
        "A",
        "C",
        "X",
        "E",
        "N",
    ):
        assert key in keys


def test_the_window_is_usable_at_its_least_size_with_larger_text(on_sample, desk, qtbot):
    desk.settings.text_scale = 1.5
    on_sample.choices.take()
    on_sample.resize(1024, 640)
    assert (on_sample.width(), on_sample.height()) == (1024, 640)
    for place in on_sample._places._group.buttons():
        assert place.width() >= place.fontMetrics().horizontalAdvance(place.text()) + 20


def test_the_window_loads_no_decoder_and_no_engine(tmp_path):
    code = """
import sys
sys.path.insert(0, {tests!r})
from dataclasses import replace
from pathlib import Path
from PySide6.QtWidgets import QApplication
import desk_stand_in as stand_in
from views.window import MainWindow
app = QApplication([])
desk = stand_in.StandInDesk(Path({folder!r}))
window = MainWindow(desk)
window.show()
window.open_lesson(stand_in.add_sample(desk.library, with_media=True))
app.processEvents()
window.close()
heavy = {{"av", "cv2", "onnxruntime", "faster_whisper", "ctranslate2", "typst", "matplotlib"}}
sys.exit(", ".join(sorted(heavy & set(sys.modules))) or 0)
"""
    here = str(Path(__file__).parent)
    ran = subprocess.run(
        [sys.executable, "-c", code.format(tests=here, folder=str(tmp_path))],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=Path(here).parents[1],
    )
    assert ran.returncode == 0, ran.stderr[-2000:]


def test_tab_reaches_the_evidence_before_the_decision(on_sample, qtbot):
    met = []
    for _ in range(40):
        focused = QApplication.focusWidget()
        if focused in met:
            break
        met.append(focused)
        qtbot.keyClick(focused, Qt.Key.Key_Tab)
    side = on_sample.lesson.ui.side
    cards = [met.index(card) for card in side.evidence.cards]
    assert cards == sorted(cards)
    assert cards[-1] < met.index(side.decision._reject)
    assert on_sample.lesson.ui.blind in met


def test_a_transcript_without_times_is_reviewed_by_its_lines(window, desk, stand_in, qtbot):
    lines = tuple(replace(u, start_ms=None, end_ms=None) for u in stand_in.spoken().utterances)
    lesson_id = desk.library.add_lesson("No times", None, Transcript(lines, "import:txt"), {})
    clips = tuple(replace(c, start_ms=None, end_ms=None) for c in stand_in.CLIPS)
    desk.library.propose_clips(lesson_id, clips)
    piece = replace(stand_in.evidence(10), start_ms=None, end_ms=None)
    made = replace(stand_in.predictions()[1], clip=clips[1], evidence=(piece,))
    desk.library.add_run(lesson_id, stand_in.FINDER, (), [made])
    window.open_lesson(lesson_id)
    page = window.lesson
    assert page.ui.timeline.isHidden()
    assert page.ui.player.isHidden()
    page.go_to_clip(clips[1].clip_id)
    assert "lines 10 to 12" in page.ui.side._clip_words.text()
    page.ui.side.evidence.go_to_next()
    assert page.ui.transcript.view.currentIndex().row() == 9
    page.keys["accept"].trigger()
    assert decision(window).practice == made.practice
    page.ui.transcript.go_to_line(11)
    page.keys["split"].trigger()
    assert [(c.first, c.last) for c in page.session.review.clips[1:3]] == [(10, 10), (11, 12)]
