import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QInputDialog

from app.confusion.faces import FaceSeries
from app.confusion.records import Confidence, Cue, CueKind, EventVerdict, Level, Reading
from app.errors import StoreRefused
from views.learner.actions import SPECS
from views.learner.marks import EventState
from views.learner.page import LearnerPage
from views.learner.rows import REVIEWER
from views.learner.shown import FACE_CHOSEN, FACES_WORDS

FACE, MODEL = "face-cues/1", "model x5"
NO_MODIFIER = Qt.KeyboardModifier.NoModifier


def readings(*levels, sure=Confidence.HIGH, note=""):
    """Give one window a level; `None` for a window without a face."""
    made = []
    for number, level in enumerate(levels):
        start = number * 2000
        cues = (Cue(CueKind.BROW, (start + 500,), 0.4, 0.2), Cue(CueKind.SMILE, (), 0.1, 0.1, True))
        made.append(
            Reading(
                start,
                start + 2000,
                level is not None,
                level,
                sure if level else None,
                cues if level else (),
                (start + 500,) if level else (),
                "" if level else note or "no face is seen",
            )
        )
    return made


NONE, HIGH = Level.NONE, Level.HIGH
FOUND = (NONE, HIGH, HIGH, NONE, None, HIGH, NONE, NONE, HIGH, NONE)
"""Events at 2 to 6 s, 10 to 12 s beside a window without a face, and 16 to 18 s."""


def add_run(desk, lesson_id, reader, made, *, is_complete=True):
    learners = desk.library.learners
    run = learners.start_run(lesson_id, reader, ())
    learners.keep_readings(run, made)
    if is_complete:
        learners.end_run(run)
    return run


@pytest.fixture
def on_video(page, desk, lesson_id):
    add_run(desk, lesson_id, FACE, readings(*FOUND))
    page.open_video(lesson_id)
    return page


def press(qtbot, page, key, modifier=NO_MODIFIER):
    qtbot.keyClick(QApplication.focusWidget() or page, key, modifier)


def states(page):
    return [(one.start_ms, one.end_ms, one.state) for one in page.session.items]


def decisions(desk, page):
    return desk.library.learners.video(page.session.review.lesson_id).decisions


def test_without_a_video_the_page_says_what_to_do_first(page, qtbot):
    page.refresh()
    page.setFocus()
    with qtbot.waitSignal(page.video_wanted):
        press(qtbot, page, Qt.Key.Key_Space)


def test_the_shelf_names_the_learner_and_what_was_done(page, desk, lesson_id, qtbot):
    add_run(desk, lesson_id, FACE, readings(NONE))
    page.refresh()
    words = page.shelf.videos.item(0).text()
    assert "Robin" in words
    assert FACE in words
    assert "The recording was moved" in words
    page.setFocus()
    press(qtbot, page, Qt.Key.Key_Return)
    assert page.session.review is not None


def test_a_whole_review_with_the_keyboard_alone(on_video, desk, qtbot):
    page = on_video
    press(qtbot, page, Qt.Key.Key_N)
    # The event beside the window without a face is the least certain one.
    assert page.position_ms == 10_000
    press(qtbot, page, Qt.Key.Key_X)
    press(qtbot, page, Qt.Key.Key_N)
    assert page.position_ms == 2000
    press(qtbot, page, Qt.Key.Key_E)
    assert page.position_ms == 2500
    press(qtbot, page, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClicks(QApplication.focusWidget(), "a frown x")
    press(qtbot, page, Qt.Key.Key_Escape)
    press(qtbot, page, Qt.Key.Key_A)
    press(qtbot, page, Qt.Key.Key_N)
    page.seek(15_500)
    press(qtbot, page, Qt.Key.Key_BracketLeft)
    page.seek(18_500)
    press(qtbot, page, Qt.Key.Key_BracketRight)
    page.seek(20_000)
    press(qtbot, page, Qt.Key.Key_B)
    page.seek(25_000)
    press(qtbot, page, Qt.Key.Key_B)
    assert states(page) == [
        (2000, 6000, EventState.CONFIRMED),
        (10_000, 12_000, EventState.DISMISSED),
        (15_500, 18_500, EventState.ADJUSTED),
        (20_000, 25_000, EventState.ADDED),
    ]
    kept = decisions(desk, page)
    assert [one.note for one in kept if one.verdict is EventVerdict.CONFIRM] == ["a frown x"]
    adjusted = kept[-2]
    assert (adjusted.found_start_ms, adjusted.found_end_ms) == (16_000, 18_000)
    assert adjusted.reader == FACE


def test_a_note_begun_on_an_event_that_waits_is_not_lost(on_video, desk, qtbot):
    page, control = on_video, Qt.KeyboardModifier.ControlModifier
    press(qtbot, page, Qt.Key.Key_N)
    press(qtbot, page, Qt.Key.Key_Return, control)
    qtbot.keyClicks(QApplication.focusWidget(), "looks away")
    press(qtbot, page, Qt.Key.Key_Escape)
    press(qtbot, page, Qt.Key.Key_N)
    assert page.note() == ""
    # Another page on the same library is what the next start of the program finds.
    again = LearnerPage(desk, page._background)
    qtbot.addWidget(again)
    again.open_video(page.session.review.lesson_id)
    item = next(one for one in again.session.items if one.start_ms == 10_000)
    assert again.session.note_of(item) == "looks away"
    again.go_to_event(item.event_id)
    again.keys["dismiss"].trigger()
    assert decisions(desk, again)[0].note == "looks away"
    again.close_media()


def test_a_note_is_kept_while_it_is_being_typed(on_video, desk, qtbot):
    press(qtbot, on_video, Qt.Key.Key_N)
    press(qtbot, on_video, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClicks(QApplication.focusWidget(), "half a th")
    name = f"event notes of AK: {on_video.session.review.lesson_id}"
    qtbot.waitUntil(lambda: "half a th" in desk.library.setting(name), timeout=3000)


def test_no_menu_decides_while_the_page_is_out_of_view(on_video, desk, qtbot):
    press(qtbot, on_video, Qt.Key.Key_N)
    on_video.leave()
    on_video.keys["confirm"].trigger()
    assert decisions(desk, on_video) == ()
    on_video.refresh()
    on_video.keys["confirm"].trigger()
    assert len(decisions(desk, on_video)) == 1


def test_undo_and_redo_give_back_what_stood(on_video, desk, qtbot):
    page, control = on_video, Qt.KeyboardModifier.ControlModifier
    before = states(page)
    press(qtbot, page, Qt.Key.Key_N)
    press(qtbot, page, Qt.Key.Key_A)
    after = states(page)
    press(qtbot, page, Qt.Key.Key_Z, control)
    assert states(page) == before
    assert decisions(desk, page) == ()
    press(qtbot, page, Qt.Key.Key_Z, control | Qt.KeyboardModifier.ShiftModifier)
    assert states(page) == after


def test_nobody_takes_back_another_persons_word(on_video, desk, qtbot, told):
    press(qtbot, on_video, Qt.Key.Key_N)
    press(qtbot, on_video, Qt.Key.Key_A)
    desk.settings.author = "BM"
    on_video.refresh()
    press(qtbot, on_video, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert told == ["The last change to this video is a decision by AK."]
    assert len(decisions(desk, on_video)) == 1


def test_a_decision_never_touches_the_readings(on_video, desk, qtbot):
    before = desk.library.learners.video(on_video.session.review.lesson_id).bands
    for key in (Qt.Key.Key_N, Qt.Key.Key_X, Qt.Key.Key_N, Qt.Key.Key_A):
        press(qtbot, on_video, key)
    assert desk.library.learners.video(on_video.session.review.lesson_id).bands == before


def test_without_a_name_nothing_is_changed_and_it_is_said(on_video, desk, qtbot, told):
    desk.settings.author = ""
    press(qtbot, on_video, Qt.Key.Key_N)
    press(qtbot, on_video, Qt.Key.Key_A)
    assert decisions(desk, on_video) == ()
    assert "your name or initials are not set yet" in told[0]


def test_an_edge_that_cannot_lie_there_says_why(on_video, qtbot, told):
    press(qtbot, on_video, Qt.Key.Key_N)
    on_video.seek(30_000)
    press(qtbot, on_video, Qt.Key.Key_BracketLeft)
    assert "an event lasts at least 0.2 s" in told[0]


def test_a_drag_gives_the_event_other_edges(on_video, desk):
    on_video.go_to_event(on_video.session.items[0].event_id)
    on_video.ui.bands.edges_moved.emit(on_video.event_id, 2000, 7300)
    (kept,) = decisions(desk, on_video)
    assert (kept.verdict, kept.start_ms, kept.end_ms) == (EventVerdict.ADJUST, 2000, 7300)
    assert on_video.item().state is EventState.ADJUSTED


def test_readers_stay_hidden_until_the_own_marking_is_committed(page, desk, lesson_id, qtbot):
    add_run(desk, lesson_id, FACE, readings(*FOUND))
    desk.settings.blind = True
    page.open_video(lesson_id)
    assert page.session.items == ()
    assert "hidden" in page.ui.bands.accessibleDescription()
    assert page.ui.side.now.text() == ""
    press(qtbot, page, Qt.Key.Key_B)
    page.seek(4000)
    press(qtbot, page, Qt.Key.Key_B)
    # One event of one's own does not show the bands: the next could follow them.
    assert [one.state for one in page.session.items] == [EventState.ADDED]
    assert page.ui.blind.isVisible()
    both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    press(qtbot, page, Qt.Key.Key_M, both)
    assert any(one.waits for one in page.session.items)
    assert not page.ui.blind.isVisible()
    assert page.session.marked_at > decisions(desk, page)[0].made_at
    desk.settings.author = "BM"
    page.refresh()
    # Another reviewer who works blind sees neither readers nor what the first one said.
    assert page.session.items == ()


def test_several_faces_ask_for_the_learners(page, desk, lesson_id, qtbot, told):
    said = "several faces are in view: choose the learner's face (in 9 of 10 pictures)"
    add_run(desk, lesson_id, FACE, readings(None, None, None, note=said))
    page.open_video(lesson_id)
    assert page.ui.faces.isVisible()
    assert page.ui.faces.words.text() == FACES_WORDS
    assert page.session.items == ()
    page.ui.picker.picked.emit(0.25, 0.5)
    face = page.session.review.face
    assert (face.x, face.y, face.author) == (160, 180, "AK")
    # What was read before keeps to what it saw; the next step is to have it read again.
    assert page.ui.faces.words.text() == FACE_CHOSEN
    with qtbot.waitSignal(page.read_wanted):
        page.ui.faces.button.click()
    assert told == ["The learner's face is chosen."]


def test_no_face_at_all_is_said_and_gives_no_event(page, desk, lesson_id):
    add_run(desk, lesson_id, FACE, readings(None, None))
    page.open_video(lesson_id)
    assert f"{FACE} sees no usable face at all: no face is seen." in page.ui.notes.text()
    assert page.session.items == ()


def test_a_video_nobody_read_says_what_to_do(page, lesson_id, qtbot):
    page.open_video(lesson_id)
    assert page.ui.first.isVisible()
    with qtbot.waitSignal(page.read_wanted) as asked:
        press(qtbot, page, Qt.Key.Key_R)
    assert asked.args == [lesson_id]


def test_readings_appear_as_they_come(on_video, desk, qtbot):
    lesson_id = on_video.session.review.lesson_id
    run = add_run(desk, lesson_id, MODEL, readings(NONE), is_complete=False)
    qtbot.waitUntil(lambda: len(on_video.ui.bands._bands) == 2, timeout=3000)
    assert on_video.ui.bands._bands[1].name == f"{MODEL} (not complete)"
    desk.library.learners.keep_readings(run, readings(NONE, HIGH)[1:])
    qtbot.waitUntil(lambda: len(on_video.ui.bands._bands[1].starts) == 2, timeout=3000)


def test_suggestions_of_one_reader_can_be_listed_alone(on_video, desk, qtbot):
    lesson_id = on_video.session.review.lesson_id
    add_run(desk, lesson_id, MODEL, readings(NONE, HIGH, NONE))
    on_video.refresh()
    assert len(on_video.session.items) == 4
    press(qtbot, on_video, Qt.Key.Key_V)
    assert {one.reader for one in on_video.session.items} == {FACE}
    press(qtbot, on_video, Qt.Key.Key_V)
    assert [(one.reader, one.start_ms) for one in on_video.session.items] == [(MODEL, 2000)]


def test_reasons_come_before_the_level(on_video, qtbot):
    press(qtbot, on_video, Qt.Key.Key_N)
    words = on_video.ui.side._reasons.text()
    order = [words.index(part) for part in ("Speaks for it", "Speaks against it", "Windows:")]
    assert order == sorted(order)
    assert "brow lowered (up to 0.40, usual 0.20)" in words


def test_what_lies_under_the_playhead_is_written(on_video):
    on_video.seek(3000)
    words = on_video.ui.side.now.text()
    assert f"{FACE}: high, sureness high" in words
    assert "brow lowered 0.40 (usual 0.20)" in words
    on_video.seek(9000)
    assert f"{FACE}: not visible: no face is seen" in on_video.ui.side.now.text()


def test_three_cues_at_most_are_drawn(on_video):
    assert [curve.kind for curve in on_video.ui.bands._curves] == [CueKind.BROW]
    actions = {action.text(): action for action in on_video.ui.cue_menu.actions()}
    actions["smile"].trigger()
    assert {curve.kind for curve in on_video.ui.bands._curves} == {CueKind.BROW, CueKind.SMILE}


def two_faces():
    """Give 30 s of two faces, the left one calm, the right one with lowered brows."""
    times = np.repeat(np.arange(150) * 200, 2).astype(np.int64)
    names = ["browDownLeft", "browDownRight", "eyeSquintLeft", "eyeSquintRight"]
    names += ["mouthUpperUpLeft", "mouthUpperUpRight", "mouthPressLeft", "mouthPressRight"]
    names += ["mouthSmileLeft", "mouthSmileRight", "eyeBlinkLeft", "eyeBlinkRight"]
    names += [f"other{number}" for number in range(40)]
    shapes = np.zeros((300, 52), np.float32)
    shapes[1::2, :2] = 0.4
    shapes[:, 20] = 0.3 + 0.3 * np.sin(times / 700)
    box = np.tile(np.array([[60, 100, 100, 120], [380, 100, 100, 120]], np.float32), (150, 1))
    return FaceSeries(
        looked_ms=np.unique(times),
        time_ms=times,
        track=np.tile(np.array([1, 2], np.int32), 150),
        box=box,
        presence=np.full(300, 0.99, np.float32),
        blendshapes=shapes,
        pose_deg=np.zeros((300, 3), np.float32),
        covered=np.zeros((300, 3), np.float32),
        light=np.full((300, 2), 0.4, np.float32),
        eye_distance=np.full(300, 60.0, np.float32),
        names=tuple(names),
        frame_px=(640, 360),
    )


def test_faces_are_gone_through_with_the_keyboard_and_the_chosen_one_gives_curves(
    page, desk, lesson_id, qtbot
):
    said = "several faces are in view: choose the learner's face"
    add_run(desk, lesson_id, FACE, readings(None, None, note=said))
    desk.faces = two_faces()
    page.open_video(lesson_id)
    qtbot.waitUntil(lambda: len(page.faces.boxes_at(2000)) == 2)
    assert page.ui.bands._curves == ()
    page.ui.player.picture.show_picture(QImage(64, 36, QImage.Format.Format_RGB32), is_moving=False)
    page.ui.player.show()
    press(qtbot, page, Qt.Key.Key_F)
    press(qtbot, page, Qt.Key.Key_Tab)
    press(qtbot, page, Qt.Key.Key_Return)
    face = page.session.review.face
    assert (face.x, face.y) == pytest.approx((430, 160), abs=1)
    qtbot.waitUntil(lambda: page.ui.bands._curves != ())
    assert page.ui.bands._curves[0].at(2000) == pytest.approx(0.4)
    assert "Measured: brow lowered 0.40 (usual 0.40)" in page.ui.side.now.text()


def test_escape_gives_up_a_choice_of_face_and_a_drag_inside_the_page(on_video, desk, qtbot):
    page = on_video
    page.ui.player.picture.show_picture(QImage(64, 36, QImage.Format.Format_RGB32), is_moving=False)
    page.ui.player.show()
    press(qtbot, page, Qt.Key.Key_F)
    assert page.ui.picker.isVisible()
    press(qtbot, page, Qt.Key.Key_Escape)
    assert not page.ui.picker.isVisible()
    assert page.session.review.face is None
    bands = page.ui.bands
    page.go_to_event(page.session.items[0].event_id)
    row = bands._rows.named(REVIEWER).rect
    edge = QPoint(round(bands._x(6000)), row.center().y())
    qtbot.mousePress(bands, Qt.MouseButton.LeftButton, pos=edge)
    qtbot.mouseMove(bands, edge + QPoint(40, 0))
    assert bands._drag is not None
    press(qtbot, page, Qt.Key.Key_Escape)
    qtbot.mouseRelease(bands, Qt.MouseButton.LeftButton, pos=edge + QPoint(40, 0))
    assert decisions(desk, page) == ()


def test_measured_curves_stay_hidden_while_one_marks_blind(page, desk, lesson_id, qtbot):
    add_run(desk, lesson_id, FACE, readings(*FOUND))
    desk.settings.blind = True
    desk.faces = two_faces()
    page.open_video(lesson_id)
    qtbot.waitUntil(lambda: len(page.faces.boxes_at(2000)) == 2)
    page.ui.picker.picked.emit(0.67, 0.45)
    qtbot.waitUntil(lambda: page._shown._measured != ())
    assert page.ui.bands._curves == ()
    assert page.ui.side.now.text() == ""


def test_the_learner_gets_a_pseudonym(on_video, desk, qtbot, monkeypatch):
    monkeypatch.setattr(QInputDialog, "getText", lambda *_args, **_more: ("Kim", True))
    press(qtbot, on_video, Qt.Key.Key_F2)
    assert on_video.session.review.learner.name == "Kim"
    assert "Kim" in on_video.ui.title.text()


def test_a_refusal_of_the_library_is_told_and_changes_nothing(
    on_video, desk, qtbot, told, monkeypatch
):
    def refuse(*_args):
        raise StoreRefused("The library cannot be written.", "Free some space.")

    monkeypatch.setattr(type(desk.library.learners), "decide_event", refuse)
    press(qtbot, on_video, Qt.Key.Key_N)
    before = states(on_video)
    press(qtbot, on_video, Qt.Key.Key_A)
    assert told == ["The library cannot be written."]
    assert states(on_video) == before


def test_every_action_stands_in_the_menu_with_its_key(page):
    actions = [action for action in page.actions_in_menu if action is not None]
    assert len(actions) == len([spec for spec in SPECS if spec is not None])
    assert all(action.shortcuts() for action in actions)


def test_every_control_has_a_name(on_video):
    for button in (on_video.ui.side.confirm, on_video.ui.side.add, on_video.ui.readers):
        assert button.accessibleName()
    assert on_video.ui.picker.accessibleDescription()
