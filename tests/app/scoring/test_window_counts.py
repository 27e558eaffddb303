"""Windows against events: half of a window is enough, and what nobody could see is in no count."""

from hypothesis import given
from hypothesis import strategies as st

from app.confusion.windows import windows_of
from app.lesson.spans import Span
from app.scoring.windows import WindowCounts, count_windows, merged, mostly_in

WINDOWS = windows_of(Span(0, 7000))
some_spans = st.lists(
    st.tuples(st.integers(0, 60), st.integers(1, 20)).map(lambda at: Span(at[0], sum(at)))
)


def test_a_window_is_positive_when_at_least_half_of_it_lies_in_events():
    assert mostly_in(WINDOWS, [Span(1000, 3000)]) == (True, True, False, False)
    assert mostly_in(WINDOWS, [Span(1001, 2999)]) == (False, False, False, False)


def test_half_of_the_shortened_last_window_is_half_of_what_there_is():
    assert mostly_in(WINDOWS, [Span(6500, 7000)])[-1]
    assert not mostly_in(WINDOWS, [Span(6501, 7000)])[-1]


def test_two_short_events_in_one_window_count_together():
    assert mostly_in(WINDOWS[:1], [Span(0, 600), Span(900, 1300)]) == (True,)


def test_windows_that_could_not_be_judged_are_in_no_count():
    truth, predicted = [Span(0, 4000)], [Span(2000, 6000)]
    assert count_windows(WINDOWS, truth, predicted) == WindowCounts(tp=1, fp=1, fn=1, tn=1)
    out = [Span(0, 1000), Span(4000, 4999)]
    assert count_windows(WINDOWS, truth, predicted, out) == WindowCounts(tp=1, fp=1, fn=0, tn=1)


def test_ratios_without_anything_to_divide_by_are_undefined():
    none = WindowCounts(tn=5)
    assert none.accuracy.share == 1.0
    assert [r.share for r in (none.precision, none.recall, none.f1, none.tiou)] == [None] * 4
    missed = WindowCounts(fn=3, tn=2)
    assert (missed.precision.share, missed.recall.share, missed.f1.share) == (None, 0.0, 0.0)


@given(some_spans, some_spans)
def test_each_moment_counts_once(windows_from, stretches):
    windows = merged(windows_from)
    for window, found in zip(windows, mostly_in(windows, stretches), strict=True):
        moments = range(window.start_ms, window.end_ms)
        inside = sum(any(s.holds(at) for s in stretches) for at in moments)
        assert found == (2 * inside >= len(moments))
