from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.confusion.windows import segment_of, windows_of
from app.lesson.spans import Span

SPANS = st.builds(
    lambda start, length: Span(start, start + length),
    st.integers(0, 50_000),
    st.integers(1, 120_000),
)


def test_a_video_of_five_seconds_has_two_whole_windows_and_a_shorter_one():
    assert windows_of(Span(0, 5000)) == (Span(0, 2000), Span(2000, 4000), Span(4000, 5000))


def test_a_recording_whose_clock_starts_later_is_cut_from_its_own_start():
    assert windows_of(Span(10_040, 13_000)) == (Span(10_040, 12_040), Span(12_040, 13_000))


def test_the_segment_of_a_window_is_the_ten_seconds_it_starts_in():
    whole = Span(40, 24_040)
    assert segment_of(Span(8040, 10_040), whole) == Span(40, 10_040)
    assert segment_of(Span(10_040, 12_040), whole) == Span(10_040, 20_040)
    assert segment_of(Span(22_040, 24_040), whole) == Span(20_040, 24_040)


def test_a_window_outside_the_recording_has_no_segment():
    with pytest.raises(ValueError, match="outside the recording"):
        segment_of(Span(30_000, 32_000), Span(0, 24_000))


@given(SPANS)
def test_windows_hold_every_moment_once(span):
    windows = windows_of(span)
    assert windows[0].start_ms == span.start_ms
    assert windows[-1].end_ms == span.end_ms
    assert all(a.end_ms == b.start_ms for a, b in itertools.pairwise(windows))
    assert all(window.duration_ms == 2000 for window in windows[:-1])


@given(SPANS)
def test_every_window_lies_inside_its_segment(span):
    for window in windows_of(span):
        segment = segment_of(window, span)
        assert segment.contains(window)
        assert span.contains(segment)
        assert segment.duration_ms <= 10_000
