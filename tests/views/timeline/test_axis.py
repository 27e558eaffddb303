import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.lesson.spans import Span
from views.timeline.axis import LEAST_PART_MS, Axis

HOUR = Span(10_000, 3_610_000)


def test_the_whole_lesson_lies_over_the_whole_width():
    axis = Axis.over(HOUR, 1000)
    assert (axis.x_of(10_000), axis.x_of(3_610_000)) == (0, 1000)
    assert axis.time_at(500) == 1_810_000


def test_a_click_past_the_end_stays_inside_the_lesson():
    axis = Axis.over(HOUR, 1000)
    assert (axis.time_at(-5), axis.time_at(1400)) == (10_000, 3_609_999)


@given(st.floats(0.2, 40), st.integers(10_000, 3_609_999))
def test_zooming_leaves_the_moment_where_it_was_unless_an_end_is_in_the_way(factor, around_ms):
    axis = Axis.over(HOUR, 1000).zoomed(8, 1_800_000)
    closer = axis.zoomed(factor, around_ms)
    assert closer.start_ms >= HOUR.start_ms
    assert closer.end_ms <= HOUR.end_ms + 1e-6
    if HOUR.start_ms < closer.start_ms and closer.end_ms < HOUR.end_ms - 1e-6:
        assert closer.x_of(around_ms) == pytest.approx(axis.x_of(around_ms), abs=1e-6)


def test_nothing_zooms_closer_than_half_a_second_or_out_of_the_lesson():
    axis = Axis.over(HOUR, 1000)
    assert axis.zoomed(1e9, 20_000).ms_per_px * 1000 == pytest.approx(LEAST_PART_MS)
    assert axis.zoomed(1e-9, 20_000) == axis


def test_panning_stops_at_both_ends():
    axis = Axis.over(HOUR, 1000).zoomed(10, 1_810_000)
    assert axis.panned(-1e9).start_ms == 10_000
    assert axis.panned(1e9).end_ms == 3_610_000


def test_a_recording_shorter_than_the_closest_zoom_still_shows():
    axis = Axis.over(Span(0, 120), 600)
    assert axis.zoomed(2, 60) == axis
    assert axis.showing(Span(10, 20)) == axis


def test_ruler_steps_are_round_and_wide_enough():
    axis = Axis.over(HOUR, 1000)
    step = axis.step_for(80)
    assert step == 300_000
    assert list(axis.steps(step))[:3] == [0, 300_000, 600_000]


def test_ruler_steps_go_on_for_a_day():
    axis = Axis.over(Span(0, 48 * 3_600_000), 200)
    assert axis.step_for(80) % 3_600_000 == 0
