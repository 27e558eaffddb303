from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage, QWheelEvent
from PySide6.QtWidgets import QApplication

from app.coding.records import Check, Verdict
from app.lesson.spans import Span
from views.common.theme import apply_theme, current_theme
from views.timeline import Timeline
from views.timeline.layout import Lane
from views.timeline.marks import ClipMark, ClipState, DecisionMark, EvidenceMark, TurnMark
from views.timeline.words import tip

LESSON = Span(0, 600_000)


@pytest.fixture
def timeline(qtbot, qapp):
    apply_theme(qapp, "light")
    made = Timeline()
    qtbot.addWidget(made)
    names_px = made._layout.names_px
    made.resize(names_px + 600, 220)  # a second a pixel
    made.show_span(LESSON)
    made.show_clips(
        [
            ClipMark("c1", 60_000, 180_000, "D1", 2),
            ClipMark("c2", 240_000, 360_000, "BI", 1, ClipState.DECIDED),
            ClipMark("c3", 400_000, 500_000, "D3", 4, is_hidden=True),
        ]
    )
    made.show_turns([TurnMark(70_000, 80_000, "Ms Okoro", True, "Why do you think so?")])
    made.show_evidence([EvidenceMark(70_000, Check.VERIFIED, "c1", "Why do you think so?")])
    made.show_decisions([DecisionMark(300_000, Verdict.ACCEPT, "c2", "AB accepted BI, level 1")])
    made.show()
    qtbot.waitExposed(made)
    return made


def at(timeline, lane, time_ms):
    rect = timeline._layout.lanes[lane]
    return QPoint(round(rect.left() + timeline._axis.x_of(time_ms)), rect.center().y())


def click(qtbot, timeline, lane, time_ms):
    qtbot.mouseClick(timeline, Qt.MouseButton.LeftButton, pos=at(timeline, lane, time_ms))


def wheel(timeline, lane, time_ms, turned, keys=Qt.KeyboardModifier.NoModifier):
    place = QPointF(at(timeline, lane, time_ms))
    event = QWheelEvent(
        place,
        QPointF(timeline.mapToGlobal(place.toPoint())),
        QPoint(),
        QPoint(0, turned),
        Qt.MouseButton.NoButton,
        keys,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(timeline, event)


def test_a_click_seeks_to_the_moment_under_it(qtbot, timeline):
    with qtbot.waitSignal(timeline.moment_picked) as picked:
        click(qtbot, timeline, Lane.SPEECH, 300_000)
    assert picked.args == [300_000]


def test_a_click_on_a_clip_picks_it_and_seeks(qtbot, timeline):
    with qtbot.waitSignals([timeline.clip_picked, timeline.moment_picked]) as _:
        click(qtbot, timeline, Lane.CLIPS, 300_000)


def test_a_click_near_evidence_goes_to_the_evidence_and_its_clip(qtbot, timeline):
    with (
        qtbot.waitSignal(timeline.clip_picked) as clip,
        qtbot.waitSignal(timeline.moment_picked) as moment,
    ):
        click(qtbot, timeline, Lane.EVIDENCE, 74_000)
    assert (clip.args, moment.args) == (["c1"], [70_000])


def test_a_click_on_a_recording_that_starts_late_gives_its_own_clock(qtbot, timeline):
    timeline.show_span(Span(10_000, 610_000))
    with qtbot.waitSignal(timeline.moment_picked) as picked:
        click(qtbot, timeline, Lane.RULER, 310_000)
    assert picked.args == [310_000]


def test_dragging_an_edge_of_the_selected_clip_moves_it_and_snaps(qtbot, timeline):
    timeline.select_clip("c1")
    qtbot.mousePress(timeline, Qt.MouseButton.LeftButton, pos=at(timeline, Lane.CLIPS, 60_000))
    qtbot.mouseMove(timeline, at(timeline, Lane.CLIPS, 66_000))
    with qtbot.waitSignal(timeline.clip_edges_moved) as moved:
        qtbot.mouseRelease(
            timeline, Qt.MouseButton.LeftButton, pos=at(timeline, Lane.CLIPS, 66_000)
        )
    assert moved.args == ["c1", 70_000, 180_000]


def test_escape_gives_a_drag_up(qtbot, timeline):
    timeline.select_clip("c1")
    start, target = at(timeline, Lane.CLIPS, 180_000), at(timeline, Lane.CLIPS, 200_000)
    qtbot.mousePress(timeline, Qt.MouseButton.LeftButton, pos=start)
    qtbot.mouseMove(timeline, target)
    qtbot.keyClick(timeline, Qt.Key.Key_Escape)
    with qtbot.assertNotEmitted(timeline.clip_edges_moved):
        qtbot.mouseRelease(timeline, Qt.MouseButton.LeftButton, pos=target)


def test_an_edge_of_a_clip_that_is_not_selected_is_not_dragged(qtbot, timeline):
    start = at(timeline, Lane.CLIPS, 240_000)
    with qtbot.assertNotEmitted(timeline.clip_edges_moved):
        qtbot.mousePress(timeline, Qt.MouseButton.LeftButton, pos=start)
        qtbot.mouseMove(timeline, start + QPoint(30, 0))
        qtbot.mouseRelease(timeline, Qt.MouseButton.LeftButton, pos=start + QPoint(30, 0))


def test_scrubbing_ends_at_the_moment_where_the_button_was_let_go(qtbot, timeline):
    picked = []
    timeline.moment_picked.connect(picked.append)
    qtbot.mousePress(timeline, Qt.MouseButton.LeftButton, pos=at(timeline, Lane.RULER, 100_000))
    for time_ms in range(101_000, 161_000, 1_000):
        qtbot.mouseMove(timeline, at(timeline, Lane.RULER, time_ms))
    qtbot.mouseRelease(timeline, Qt.MouseButton.LeftButton, pos=at(timeline, Lane.RULER, 160_000))
    qtbot.waitUntil(lambda: picked[-1] == 160_000)
    assert len(picked) < 30


@pytest.mark.parametrize(
    ("key", "keys", "expected"),
    [
        (Qt.Key.Key_Left, Qt.KeyboardModifier.NoModifier, 299_000),
        (Qt.Key.Key_Right, Qt.KeyboardModifier.NoModifier, 301_000),
        (Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier, 310_000),
        (Qt.Key.Key_Home, Qt.KeyboardModifier.NoModifier, 0),
        (Qt.Key.Key_End, Qt.KeyboardModifier.NoModifier, 599_999),
    ],
)
def test_keys_move_along_the_lesson(qtbot, timeline, key, keys, expected):
    timeline.set_position(300_000)
    with qtbot.waitSignal(timeline.moment_picked) as picked:
        qtbot.keyClick(timeline, key, keys)
    assert picked.args == [expected]


def test_down_and_up_go_from_clip_to_clip(qtbot, timeline):
    timeline.set_position(200_000)
    with qtbot.waitSignal(timeline.clip_picked) as after:
        qtbot.keyClick(timeline, Qt.Key.Key_Down)
    timeline.select_clip("c2")
    with qtbot.waitSignal(timeline.clip_picked) as before:
        qtbot.keyClick(timeline, Qt.Key.Key_Up)
    assert (after.args, before.args) == (["c2"], ["c1"])


def test_keys_zoom_around_the_playhead_and_back_to_all(qtbot, timeline):
    timeline.set_position(300_000)
    with qtbot.waitSignal(timeline.view_changed) as closer:
        qtbot.keyClicks(timeline, "+")
    assert closer.args == [100_000, 500_000]
    with qtbot.waitSignal(timeline.view_changed) as all_of_it:
        qtbot.keyClicks(timeline, "0")
    assert all_of_it.args == [0, 600_000]


def test_the_wheel_with_ctrl_zooms_around_the_pointer_and_without_moves_along(timeline):
    wheel(timeline, Lane.CLIPS, 120_000, 240, Qt.KeyboardModifier.ControlModifier)
    part = timeline.part
    assert part.duration_ms == pytest.approx(600_000 / 2.25, abs=2)
    assert part.start_ms == pytest.approx(120_000 - 120_000 / 2.25, abs=500)
    wheel(timeline, Lane.CLIPS, part.start_ms + 1000, -120)
    assert timeline.part.start_ms > part.start_ms


def test_the_view_turns_the_page_only_while_it_follows(timeline):
    timeline.show_part(Span(0, 60_000))
    timeline.follow = False
    timeline.set_position(200_000)
    assert timeline.part == Span(0, 60_000)
    timeline.follow = True
    timeline.set_position(200_100)
    assert timeline.part.holds(200_100)


class Watched(Timeline):
    """Keeps which parts of the widget Qt asked it to paint."""

    def __init__(self):
        super().__init__()
        self.painted = []

    def paintEvent(self, event):  # noqa: N802 - Qt's own name
        self.painted.append(event.region().boundingRect().width())
        super().paintEvent(event)


def test_a_moving_playhead_paints_only_its_strips_and_no_lane_again(qtbot):
    timeline = Watched()
    qtbot.addWidget(timeline)
    timeline.resize(800, 220)
    timeline.show_span(LESSON)
    timeline.show()
    qtbot.waitExposed(timeline)
    qtbot.waitUntil(lambda: timeline._picture is not None)
    kept = timeline._picture
    timeline.painted.clear()
    timeline.set_position(1_000)
    qtbot.waitUntil(lambda: bool(timeline.painted))
    assert max(timeline.painted) < 40
    assert timeline._picture is kept


def test_a_screen_reader_hears_what_lies_under_the_playhead_but_no_hidden_code(timeline):
    timeline.set_position(75_000)
    assert timeline.accessibleDescription() == (
        "At 1:15 of 10:00; Ms Okoro speaks (teacher); clip 1:00 to 3:00, D1, level 2, not reviewed."
    )
    timeline.set_position(450_000)
    assert "code hidden" in timeline.accessibleDescription()
    assert "D3" not in timeline.accessibleDescription()


def test_tips_name_time_speaker_and_check_but_no_hidden_code(timeline):
    say = partial(tip, timeline._scene, reach_ms=8_000)
    assert say(Lane.SPEECH, 72_000) == "1:12.0  Ms Okoro: Why do you think so?"
    assert say(Lane.EVIDENCE, 72_000).endswith("verified: said word for word")
    assert "D3" not in say(Lane.CLIPS, 450_000)
    assert say(Lane.DECISIONS, 300_000) == "5:00.0  AB accepted BI, level 1"
    assert say(Lane.PICTURES, 9_000) == "0:09.0"


def test_hidden_clips_have_neither_colour_nor_letters_of_their_practice(timeline):
    timeline.show_part(Span(400_000, 500_000))
    shown = timeline.grab().toImage()
    lane = timeline._layout.lanes[Lane.CLIPS]
    colours = {
        shown.pixelColor(x, y).name()
        for x in range(lane.left(), lane.right())
        for y in range(lane.top(), lane.bottom())
    }
    assert current_theme().practice("D3").lower() not in colours


def test_pictures_of_the_part_in_view_are_asked_for_once_it_is_still(qtbot, timeline, tmp_path):
    asked = []
    timeline.thumbnails_wanted.connect(asked.append)
    qtbot.waitUntil(lambda: bool(asked))
    asked.clear()
    with qtbot.waitSignal(timeline.thumbnails_wanted):
        for _ in range(5):
            timeline.zoom(1.2, 300_000)
    assert len(asked) == 1
    part = timeline.part
    step = asked[0][1] - asked[0][0]
    assert all(part.start_ms - step < time_ms < part.end_ms for time_ms in asked[0])


def test_pictures_that_came_are_drawn_and_not_asked_for_again(qtbot, timeline, tmp_path):
    with qtbot.waitSignal(timeline.thumbnails_wanted) as wanted:
        timeline.fit()
        timeline.zoom(2, 300_000)
    image = QImage(160, 90, QImage.Format.Format_RGB32)
    image.fill(QColor("#ff00ff"))
    image.save(str(tmp_path / "a.png"))
    timeline.show_thumbnails(dict.fromkeys(wanted.args[0], tmp_path / "a.png"))
    rect = timeline._layout.lanes[Lane.PICTURES]

    def is_drawn():
        x = rect.left() + round(timeline._axis.x_of(wanted.args[0][1])) + 5
        return timeline.grab().toImage().pixelColor(x, rect.center().y()).name() == "#ff00ff"

    qtbot.waitUntil(is_drawn)


def test_before_any_lesson_it_says_what_it_is_and_takes_no_harm(qtbot):
    empty = Timeline()
    qtbot.addWidget(empty)
    empty.resize(600, 200)
    empty.show()
    qtbot.mouseClick(empty, Qt.MouseButton.LeftButton, pos=QPoint(100, 50))
    qtbot.keyClick(empty, Qt.Key.Key_Right)
    empty.set_position(5_000)
    empty.zoom(2, 0)
    empty.fit()
    assert empty.part is None
    assert empty.accessibleDescription() == "Nothing to show yet."
    assert not empty.grab().isNull()


@pytest.mark.parametrize("height", [120, 140, 200, 260])
@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_lanes_never_overlap_nor_leave_the_widget_at_ordinary_text(qapp, timeline, height, scale):
    apply_theme(qapp, "light", scale)
    timeline.show_waveform(np.zeros((10, 2), np.float32), 0, 600_000)
    timeline.show_thumbnails({0: "none.jpg"})
    timeline.resize(700, height)
    rects = list(timeline._layout.lanes.values())
    assert all(a.bottom() < b.top() for a, b in pairwise(rects))
    if scale == 1.0:
        assert rects[-1].bottom() <= timeline.height()
    apply_theme(qapp, "light")


def test_twenty_thousand_calls_of_painting_do_not_end_the_process(timeline):
    timeline.resize(1600, 220)
    timeline.show_clips(
        [ClipMark(f"c{i}", i * 2_000, i * 2_000 + 1_900, "D2", 1) for i in range(300)]
    )
    # Each clip takes a fill, a frame and a text: 300 clips in 23 repaints are 20,700 calls.
    for _ in range(23):
        timeline._redraw()
        timeline.grab()
    assert not timeline.grab().isNull()
