"""Minutes and shares of practices, counted by hand."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from app.coding.coaching import Looked, covered, share_out, total_ms
from app.lesson.clips import Clip
from app.lesson.spans import Span
from app.scoring.proportions import Proportion

PRACTICES = ("BI", "D1", "D2", "D3")


def looked(place, start_s, end_s, *practices):
    clip = Clip(f"c{place}", place, place, start_s * 1000, end_s * 1000)
    return Looked(place, clip, practices)


def untimed(place, *practices):
    return Looked(place, Clip(f"c{place}", place, place, None, None), practices)


def shares(*ones, clips=()):
    found = share_out(ones, PRACTICES, [*[one.clip for one in ones], *clips])
    return found, {one.practice: one for one in found.practices}


def test_minutes_are_those_of_the_clips_and_shares_are_of_what_was_decided_on():
    found, by = shares(looked(1, 0, 60, "BI"), looked(2, 60, 180, "D1"), looked(3, 180, 240))
    assert (found.by_time, found.decided, found.clips) == (True, 240_000, 3)
    assert by["BI"].share == Proportion(60_000, 240_000)
    assert by["D1"].share == Proportion(120_000, 240_000)
    assert by["D2"].share == Proportion(0, 240_000)
    assert by["D2"].longest is None
    assert by["D1"].longest.span == Span(60_000, 180_000)


def test_a_gap_that_nobody_looked_at_is_in_no_denominator():
    found, by = shares(looked(1, 0, 60, "BI"), looked(3, 600, 660, "D1"))
    assert found.decided == 120_000
    assert by["BI"].share == Proportion(60_000, 120_000)


def test_overlapping_clips_count_each_moment_once_for_a_practice():
    found, by = shares(looked(1, 0, 60, "D1"), looked(2, 40, 100, "D1"), looked(3, 90, 120, "D3"))
    assert found.decided == 120_000
    assert by["D1"].share == Proportion(100_000, 120_000)
    assert by["D3"].share == Proportion(30_000, 120_000)
    assert by["D1"].longest.span == Span(0, 100_000)
    assert by["D1"].longest.clips == 2


def test_a_clip_with_two_codes_counts_for_both_and_the_shares_pass_the_whole():
    found, by = shares(looked(1, 0, 60, "D1", "D3"), looked(2, 60, 90, "D3"))
    assert [by[p].share.count for p in PRACTICES] == [0, 60_000, 0, 90_000]
    assert sum(by[p].share.share for p in PRACTICES) > 1
    assert found.shared_clips == 1


def test_a_practice_named_twice_in_a_clip_is_one():
    found, by = shares(looked(1, 0, 60, "D1", "D1"))
    assert by["D1"].share == Proportion(60_000, 60_000)
    assert (by["D1"].clips, found.shared_clips) == (1, 0)


def test_a_short_pause_does_not_end_a_stretch_and_is_not_counted_in_it():
    _, by = shares(looked(1, 0, 60, "D2"), looked(2, 70, 100, "D2"))
    longest = by["D2"].longest
    assert (longest.span, longest.time_ms) == (Span(0, 100_000), 90_000)
    assert (longest.first, longest.last, longest.clips) == (1, 2, 2)


def test_a_long_pause_ends_a_stretch():
    _, by = shares(looked(1, 0, 60, "D2"), looked(2, 71, 100, "D2"))
    assert by["D2"].longest.span == Span(0, 60_000)


def test_another_clip_in_the_pause_ends_a_stretch_even_when_nobody_decided_on_it():
    between = Clip("x", 2, 2, 62_000, 66_000)
    _, by = shares(looked(1, 0, 60, "D2"), looked(3, 68, 100, "D2"), clips=[between])
    assert by["D2"].longest.span == Span(0, 60_000)


def test_the_earlier_of_two_stretches_as_long_is_named():
    _, by = shares(looked(1, 0, 30, "D2"), looked(2, 30, 60, "D3"), looked(3, 60, 90, "D2"))
    assert by["D2"].longest.first == 1


def test_without_times_clips_are_counted():
    found, by = shares(untimed(1, "D1"), untimed(2, "D1"), untimed(4, "D1", "D3"), untimed(5))
    assert (found.by_time, found.decided, found.untimed) == (False, 4, 4)
    assert by["D1"].share == Proportion(3, 4)
    longest = by["D1"].longest
    assert (longest.first, longest.last, longest.clips, longest.time_ms) == (1, 2, 2, None)


def test_clips_without_times_among_others_are_told_and_stay_out_of_the_minutes():
    found, by = shares(looked(1, 0, 60, "D1"), untimed(2, "D1"))
    assert (found.decided, found.clips, found.untimed) == (60_000, 2, 1)
    assert by["D1"].clips == 2
    assert by["D1"].share == Proportion(60_000, 60_000)


def test_nothing_decided_shares_nothing():
    found, by = shares()
    assert (found.decided, found.clips) == (0, 0)
    assert by["BI"].share.share is None


SPANS = st.lists(
    st.tuples(st.integers(0, 60), st.integers(1, 30)).map(lambda p: Span(p[0], p[0] + p[1])),
    max_size=8,
)


@given(SPANS)
def test_covered_time_is_the_moments_that_any_stretch_holds(spans):
    moments = {t for span in spans for t in range(span.start_ms, span.end_ms)}
    assert total_ms(spans) == len(moments)
    joined = covered(spans)
    assert {t for span in joined for t in range(span.start_ms, span.end_ms)} == moments
    assert all(a.end_ms < b.start_ms for a, b in pairwise(joined))
