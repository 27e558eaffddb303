import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.lesson.spans import Span
from app.scoring.coded_time import (
    CodedSpan,
    JointSpan,
    compare_cited,
    compare_over_time,
    joint_spans,
    line_overlap,
    pool_overlap,
    span_overlap,
)
from app.scoring.proportions import Proportion


def coded(*told):
    return [CodedSpan(Span(start, end), practice) for start, end, practice in told]


ONE = coded((0, 10_000, "D1"), (10_000, 20_000, "D3"), (30_000, 40_000, "BI"))
OTHER = coded((5_000, 12_000, "D1"), (12_000, 35_000, "D3"))


def test_joint_time_is_cut_where_either_coder_changes():
    assert joint_spans(ONE, OTHER) == (
        JointSpan(5_000, "D1", "D1"),
        JointSpan(2_000, "D3", "D1"),
        JointSpan(8_000, "D3", "D3"),
        JointSpan(5_000, "BI", "D3"),
    )


def test_agreement_over_time_by_hand():
    found = compare_over_time([(ONE, OTHER)])
    assert (found.same_ms, found.joint_ms) == (13_000, 20_000)
    assert (found.only_one_ms, found.only_other_ms) == (10_000, 10_000)
    assert (found.same.value, found.same.n) == (0.65, 4)
    # Shares of joint time: D1 5/20 and 7/20, D3 10/20 and 13/20, BI 5/20 and 0.
    chance = (5 * 7 + 10 * 13) / 400
    assert found.kappa.value == pytest.approx((0.65 - chance) / (1 - chance))
    assert found.same.interval.low <= 0.65 <= found.same.interval.high


def test_a_long_stretch_weighs_more_than_a_short_one():
    one = coded((0, 99_000, "D1"), (99_000, 100_000, "D3"))
    other = coded((0, 99_000, "D1"), (99_000, 100_000, "BI"))
    assert compare_over_time([(one, other)]).same.value == 0.99


def test_recordings_are_pooled_but_their_clocks_kept_apart():
    lesson_b = (coded((0, 1_000, "D2")), coded((0, 1_000, "D2")))
    found = compare_over_time([(ONE, OTHER), lesson_b])
    assert (found.same_ms, found.joint_ms) == (14_000, 21_000)


def test_no_joint_time_is_undefined():
    found = compare_over_time([(coded((0, 5, "D1")), coded((5, 9, "D1")))])
    assert (found.same.value, found.kappa.value, found.joint_ms) == (None, None, 0)
    assert found.same.reason == "there is no time that both coded"


def test_time_coded_the_same_throughout_has_a_share_but_no_kappa():
    found = compare_over_time([(coded((0, 5, "D1")), coded((0, 5, "D1")))])
    assert (found.same.value, found.kappa.value) == (1.0, None)
    assert "all ratings are the same" in found.kappa.reason


def test_overlapping_stretches_of_one_coder_are_a_mistake():
    with pytest.raises(ValueError, match="of one coder overlap"):
        joint_spans(coded((0, 6, "D1"), (5, 9, "D3")), OTHER)


def test_cited_moments_overlap_by_what_both_cite_over_what_either_does():
    one = [Span(0, 4_000), Span(3_000, 6_000)]
    other = [Span(5_000, 8_000)]
    assert span_overlap(one, other) == Proportion(1_000, 8_000)
    assert span_overlap(one, []) == Proportion(0, 6_000)
    assert span_overlap([], []).share is None


def test_spans_that_only_touch_share_nothing():
    assert span_overlap([Span(0, 5)], [Span(5, 9)]) == Proportion(0, 9)


def test_lines_stand_in_where_there_are_no_times():
    assert line_overlap([1, 2, 2], [2, 3]) == Proportion(1, 3)
    assert line_overlap([], []).share is None


def test_citations_are_pooled_over_clips_by_milliseconds():
    one = {
        "a": [Span(0, 1_000)],
        "b": [Span(0, 9_000)],
        "c": [],
        "d": [Span(0, 1_000)],
        "mine": [Span(0, 5)],
    }
    other = {"a": [Span(0, 1_000)], "b": [Span(8_000, 10_000)], "c": [], "d": []}
    found = compare_cited(one, other)
    assert dict(found.by_clip)["c"].share is None
    assert [clip for clip, _ in found.by_clip] == ["a", "b", "c", "d"]
    assert (found.pooled.value, found.pooled.n) == (2_000 / 12_000, 3)
    assert (found.only_one_cites, found.only_other_cites) == (1, 0)


def test_nobody_citing_anything_is_undefined():
    assert compare_cited({"a": []}, {"a": []}).pooled.reason == "neither cites any moment"
    assert pool_overlap([]).value is None


def test_the_interval_of_pooled_citations_draws_whole_clips():
    found = pool_overlap([Proportion(0, 1_000)] * 20 + [Proportion(1_000, 1_000)] * 20)
    # A plain share of clips: 0.5 and 1.96 * sqrt(0.25 / 40) = 0.155.
    assert (found.interval.low, found.interval.high) == pytest.approx((0.345, 0.655), abs=0.02)


spans = st.lists(
    st.tuples(st.integers(0, 60), st.integers(1, 20)).map(lambda p: Span(p[0], p[0] + p[1])),
    max_size=5,
)


@given(spans, spans)
def test_overlap_counts_every_millisecond_once(one, other):
    held = [
        {ms for span in cited for ms in range(span.start_ms, span.end_ms)} for cited in (one, other)
    ]
    assert span_overlap(one, other) == Proportion(len(held[0] & held[1]), len(held[0] | held[1]))


def apart(cuts):
    edges = sorted(set(cuts))
    return [
        CodedSpan(Span(a, b), "D1" if a % 2 else "D3")
        for a, b in zip(edges[::2], edges[1::2], strict=False)
    ]


@given(st.lists(st.integers(0, 50), max_size=10), st.lists(st.integers(0, 50), max_size=10))
def test_joint_time_equals_counting_milliseconds(one_cuts, other_cuts):
    one, other = apart(one_cuts), apart(other_cuts)
    at = [
        {ms: s.practice for s in coded_by for ms in range(s.span.start_ms, s.span.end_ms)}
        for coded_by in (one, other)
    ]
    joint = at[0].keys() & at[1].keys()
    found = joint_spans(one, other)
    assert sum(piece.length_ms for piece in found) == len(joint)
    assert sum(p.length_ms for p in found if p.one == p.other) == sum(
        at[0][ms] == at[1][ms] for ms in joint
    )
