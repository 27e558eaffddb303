import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.lesson.spans import Span, show_time


def test_a_span_holds_its_start_and_not_its_end():
    span = Span(1_000, 2_000)
    assert span.holds(1_000)
    assert not span.holds(2_000)
    assert span.duration_ms == 1_000


@pytest.mark.parametrize(("start_ms", "end_ms"), [(5, 5), (6, 5)])
def test_a_span_cannot_be_empty_or_run_backwards(start_ms, end_ms):
    with pytest.raises(ValueError, match="cannot run"):
        Span(start_ms, end_ms)


def test_neighbours_share_nothing():
    assert Span(0, 1_000).overlap_ms(Span(1_000, 2_000)) == 0
    assert Span(0, 1_001).overlap_ms(Span(1_000, 2_000)) == 1


def test_a_span_contains_itself_and_not_what_sticks_out():
    assert Span(0, 10).contains(Span(0, 10))
    assert not Span(0, 10).contains(Span(0, 11))


@pytest.mark.parametrize(
    ("time_ms", "shown"),
    [
        (0, "0:00"),
        (7_999, "0:07"),
        (760_000, "12:40"),
        (3_723_000, "1:02:03"),
        (-1_500, "-0:01"),
        (None, "–"),
    ],
)
def test_times_are_written_as_a_person_reads_them(time_ms, shown):
    assert show_time(time_ms) == shown


def test_tenths_are_cut_off_and_not_rounded_up():
    assert show_time(59_999, tenths=True) == "0:59.9"


spans = st.builds(
    lambda start, length: Span(start, start + length), st.integers(-50, 50), st.integers(1, 50)
)


@given(spans, spans)
def test_overlap_counts_the_moments_that_both_hold(one, other):
    shared = sum(one.holds(t) and other.holds(t) for t in range(-60, 110))
    assert one.overlap_ms(other) == other.overlap_ms(one) == shared
