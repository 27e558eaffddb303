import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from app.lesson.spans import Span
from views.timeline.axis import Axis
from views.timeline.index import SpanIndex, coverage

spans = st.lists(
    st.tuples(st.integers(0, 500), st.integers(1, 300)).map(lambda p: Span(p[0], p[0] + p[1])),
    max_size=40,
)


@given(spans, st.integers(0, 600), st.integers(1, 200))
def test_what_shows_is_exactly_what_a_look_at_every_span_finds(marks, start, length):
    index = SpanIndex(marks)
    found = [index.marks[i] for i in index.between(start, start + length)]
    expected = [m for m in marks if m.start_ms < start + length and m.end_ms > start]
    assert sorted(found) == sorted(expected)


@given(spans, st.integers(0, 900))
def test_the_mark_at_a_moment_is_the_one_that_started_last(marks, time_ms):
    holding = [m for m in marks if m.holds(time_ms)]
    found = SpanIndex(marks).at(time_ms)
    assert (found is None) == (not holding)
    if found is not None:
        assert found.holds(time_ms)
        assert found.start_ms == max(m.start_ms for m in holding)


def test_a_long_span_under_many_short_ones_is_not_lost():
    index = SpanIndex([Span(0, 100_000), *(Span(s, s + 5) for s in range(10, 50_000, 10))])
    assert [index.marks[i] for i in index.between(90_000, 90_010)] == [Span(0, 100_000)]
    assert index.at(90_000) == Span(0, 100_000)


@given(spans)
def test_coverage_adds_up_to_the_time_that_is_covered(marks):
    axis = Axis.over(Span(0, 1000), 37)
    index = SpanIndex(marks)
    covered = coverage(index.starts, index.ends, axis)
    assert covered.shape == (37,)
    total_px = sum(m.duration_ms for m in marks) / axis.ms_per_px
    assert np.isclose(covered.sum(), total_px)


def test_coverage_of_one_span_by_hand():
    axis = Axis.over(Span(0, 100), 10)
    covered = coverage(np.array([15]), np.array([42]), axis)
    assert np.allclose(covered, [0, 0.5, 1, 1, 0.2, 0, 0, 0, 0, 0])
