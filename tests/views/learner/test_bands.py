import time
from functools import partial

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage

from app.confusion.records import Bands, Confidence, Cue, CueKind, Level, Reading
from app.lesson.spans import Span
from views.common.colours import contrast
from views.common.theme import THEMES, apply_theme, current_theme
from views.learner.bands import BandsTimeline
from views.learner.bands_view import HIDDEN_WORDS, drag_words
from views.learner.colours import band_colours
from views.learner.marks import (
    BandMarks,
    EventMark,
    EventState,
    Show,
    band_marks,
    curves_of,
    merged,
)
from views.learner.painting import columns
from views.learner.rows import REVIEWER, TIME
from views.learner.words import reading_words, tip
from views.timeline.axis import Axis

VIDEO = Span(0, 120_000)


def reading(number, level=Level.NONE, *, visible=True, status="ok", cues=(), note=""):
    answered = visible and status == "ok"
    return Reading(
        number * 2000,
        number * 2000 + 2000,
        visible,
        level if answered else None,
        Confidence.HIGH if answered else None,
        cues,
        note=note,
        status=status,
    )


def bands(readings, name="face-cues/1", **more):
    return Bands(name, tuple(readings), **more)


def some():
    """Give ten seconds none, ten high, ten without a face, one failure, then none again."""
    for number in range(60):
        if 5 <= number < 10:
            yield reading(number, Level.HIGH)
        elif 10 <= number < 15:
            yield reading(number, visible=False, note="no face found")
        elif number == 15:
            yield reading(number, status="schema-fail", note="no JSON")
        else:
            yield reading(number)


@pytest.fixture
def shown(qtbot, qapp):
    apply_theme(qapp, "light")
    made = BandsTimeline()
    qtbot.addWidget(made)
    made.show_span(VIDEO)
    made.show_bands([band_marks(bands(some()), "r1")])
    made.show_events(
        [
            EventMark("e1", 10_000, 20_000, EventState.SUGGESTED, "r1"),
            EventMark("e2", 40_000, 60_000, EventState.ADDED),
        ]
    )
    made.resize(made._rows.names_px + 600, 200)  # 200 ms a pixel
    made.show()
    qtbot.waitExposed(made)
    return made


def at(shown, key, time_ms):
    rect = shown._rows.named(key).rect
    return QPoint(round(rect.left() + shown._axis.x_of(time_ms)), rect.center().y())


def test_a_window_without_a_face_never_shows_a_level():
    marks = band_marks(bands([reading(0, visible=False)]), "r")
    assert list(marks.shows) == [Show.NOT_VISIBLE]
    assert "not visible" in reading_words(marks.readings[0])


def test_a_failure_is_neither_a_level_nor_not_visible():
    marks = band_marks(bands([reading(0, status="schema-fail", note="no JSON")]), "r")
    assert list(marks.shows) == [Show.FAILED]
    assert reading_words(marks.readings[0]) == "failed: no JSON"


def test_windows_that_are_alike_are_joined_and_gaps_stay():
    one = band_marks(bands([reading(0), reading(1), reading(3), reading(4, Level.HIGH)]), "r")
    starts, ends, shows = merged(one)
    assert list(zip(starts, ends, shows, strict=True)) == [
        (0, 4000, Show.NONE),
        (6000, 8000, Show.NONE),
        (8000, 10_000, Show.HIGH),
    ]


def test_one_confused_window_of_an_hour_is_not_lost_when_all_is_in_view():
    marks = band_marks(
        bands(reading(n, Level.HIGH if n == 900 else Level.NONE) for n in range(1800)), "r"
    )
    found = columns(marks, Axis.over(Span(0, 3_600_000), 300), 300)
    assert list(np.flatnonzero(found == Show.HIGH)) == [150]
    assert (found[np.arange(300) != 150] == Show.NONE).all()


def test_pixels_where_nothing_was_read_stay_empty():
    marks = band_marks(bands([reading(0)]), "r")
    found = columns(marks, Axis.over(Span(0, 4000), 4), 4)
    assert list(found) == [Show.NONE, Show.NONE, -1, -1]


def test_no_readings_at_all_paint_nothing():
    empty = np.empty(0, np.int64)
    marks = BandMarks("r", "r", empty, empty, np.empty(0, np.int8))
    assert (columns(marks, Axis.over(VIDEO, 10), 10) == -1).all()


def test_levels_patterns_and_failures_look_different_without_colour(shown):
    picture = shown.grab().toImage().convertToFormat(QImage.Format.Format_Grayscale8)
    rect = shown._rows.named("r1").rect
    ground = QColor(current_theme().base).lightness()

    def filled(time_ms):
        x = rect.left() + round(shown._axis.x_of(time_ms))
        # Beside the words that stand in the middle of a stretch.
        down = range(rect.top() + 1, rect.bottom())
        return [abs(picture.pixelColor(x, y).lightness() - ground) > 12 for y in down]

    none, high, hidden = filled(2000), filled(10_500), filled(20_500)
    assert sum(none) < 0.25 * len(none)
    assert all(high)
    assert 0 < sum(hidden) < 0.7 * len(hidden)


def test_the_reviewers_events_are_red_and_readers_are_blue(shown):
    picture = shown.grab().toImage()
    event, window = at(shown, REVIEWER, 50_100), at(shown, "r1", 10_500)
    red, blue = picture.pixelColor(event), picture.pixelColor(window)
    assert red.red() > red.blue() + 60
    assert blue.blue() > blue.red() + 60


@pytest.mark.parametrize("look", THEMES)
def test_rows_and_curves_can_be_told_from_the_ground(look):
    theme = THEMES[look]
    colours = band_colours(theme)
    assert contrast(colours.reviewer, theme.base) >= 4.5
    assert contrast(colours.reader, theme.base) >= 4.5
    assert all(contrast(ink, theme.base) >= 3 for ink in colours.curves)


def test_a_click_seeks_and_picks_the_event_under_it(qtbot, shown):
    click = partial(qtbot.mouseClick, shown, Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(shown.event_picked) as picked:
        click(pos=at(shown, REVIEWER, 50_000))
    with qtbot.waitSignal(shown.moment_picked) as moved:
        click(pos=at(shown, REVIEWER, 50_000))
    assert picked.args == ["e2"]
    assert moved.args == [50_000]


def test_a_dragged_edge_holds_at_windows_and_is_told_once_let_go(qtbot, shown):
    shown.select_event("e1")
    qtbot.mousePress(shown, Qt.MouseButton.LeftButton, pos=at(shown, REVIEWER, 20_000))
    qtbot.mouseMove(shown, at(shown, REVIEWER, 24_400))
    assert shown._drag is not None
    assert shown._drag.span == Span(10_000, 24_000)
    with qtbot.waitSignal(shown.edges_moved) as told:
        qtbot.mouseRelease(shown, Qt.MouseButton.LeftButton, pos=at(shown, REVIEWER, 24_400))
    assert told.args == ["e1", 10_000, 24_000]


def test_an_edge_that_holds_at_a_window_says_so(shown):
    assert drag_words(24_000, shown._stops) == "0:24.0 · edge of a window"
    assert drag_words(24_100, shown._stops) == "0:24.1"


def test_escape_gives_a_drag_up(qtbot, shown):
    shown.select_event("e2")
    qtbot.mousePress(shown, Qt.MouseButton.LeftButton, pos=at(shown, REVIEWER, 60_000))
    qtbot.mouseMove(shown, at(shown, REVIEWER, 80_000))
    with qtbot.assertNotEmitted(shown.edges_moved):
        qtbot.keyClick(shown, Qt.Key.Key_Escape)
        qtbot.mouseRelease(shown, Qt.MouseButton.LeftButton, pos=at(shown, REVIEWER, 80_000))


def test_the_keyboard_moves_zooms_and_picks(qtbot, shown):
    shown.set_position(30_000)
    with qtbot.waitSignal(shown.moment_picked) as moved:
        qtbot.keyClick(shown, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert moved.args == [40_000]
    qtbot.keyClicks(shown, "+")
    assert shown.part.duration_ms == 80_000
    qtbot.keyClicks(shown, "0")
    assert shown.part == VIDEO
    with qtbot.waitSignal(shown.event_picked) as picked:
        qtbot.keyClick(shown, Qt.Key.Key_Down)
    assert picked.args == ["e2"]


def test_what_lies_under_the_playhead_is_said(shown):
    shown.set_position(21_000)
    said = shown.accessibleDescription()
    assert "no event of yours" in said
    assert "face-cues/1: not visible: no face found" in said


def test_a_hidden_row_says_so_and_tells_nothing(shown):
    hidden = band_marks(bands(some()), "r1", is_hidden=True)
    shown.show_bands([hidden])
    assert "face-cues/1: hidden" in shown.accessibleDescription()
    assert "high" not in shown.tip_at(QPointF(at(shown, "r1", 11_000)))
    assert curves_of(hidden) == ()
    assert HIDDEN_WORDS


def test_the_tip_gives_reasons_and_what_speaks_against(shown):
    cues = (
        Cue(CueKind.BROW, (11_000,), 0.41, 0.2),
        Cue(CueKind.SMILE, (11_000,), 0.3, None, True, "a smile"),
    )
    said = tip(band_marks(bands([reading(5, Level.MEDIUM, cues=cues)]), "r"), 11_000)
    assert "medium, sureness high" in said
    assert "brow lowered 0.41 (usual 0.20)" in said
    assert "against: smile 0.30: a smile" in said


def test_curves_break_where_nothing_was_measured_and_keep_the_usual():
    cue = Cue(CueKind.BROW, (), 0.4, 0.25)
    one = [reading(0, cues=(cue,)), reading(1, visible=False), reading(2, cues=(cue,))]
    (curve,) = curves_of(band_marks(bands(one), "r"))
    assert curve.kind is CueKind.BROW
    assert curve.usual == 0.25
    assert list(np.isnan(curve.values)) == [False, True, False]


def test_the_names_of_rows_are_whole_in_the_tip(shown):
    place = shown._rows.named("r1").rect
    assert shown.tip_at(QPointF(3, place.center().y())) == "face-cues/1"
    assert shown._rows.named(TIME) is not None


def test_an_hour_of_four_readers_paints_smoothly(qtbot, shown):
    def hour(seed):
        levels = list(Level)
        cue = Cue(CueKind.BROW, (), 0.3, 0.2)
        return [reading(n, levels[(n // 3 + seed) % 4], cues=(cue,)) for n in range(1800)]

    marks = [band_marks(bands(hour(seed), f"reader {seed}"), f"r{seed}") for seed in range(4)]
    shown.show_span(Span(0, 3_600_000))
    shown.show_bands(marks)
    shown.show_curves(curves_of(marks[0]))
    shown.grab()
    spent = []
    for _ in range(9):
        shown.zoom(1.01, 1000)
        started = time.perf_counter()
        shown.grab()
        spent.append(time.perf_counter() - started)
    # 26 to 42 ms on two busy cores; ten times that would still not be a wait.
    assert sorted(spent)[4] < 0.4
