"""Events are matched one to one, as many as can be, in whole milliseconds."""

import json
from fractions import Fraction
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.lesson.spans import Span
from app.scoring.events import (
    THRESHOLDS,
    EventCounts,
    add_events,
    count_events,
    match_events,
    overlaps_enough,
)

VECTORS = json.loads(
    (Path(__file__).parents[2] / "data" / "scoring" / "reference_vectors.json").read_text("utf-8")
)["event_matching"]


def spans(pairs):
    return [Span(start, end) for start, end in pairs]


some_events = st.lists(
    st.tuples(st.integers(0, 40), st.integers(1, 20)).map(lambda at: Span(at[0], sum(at))),
    max_size=5,
)


@pytest.mark.parametrize("vector", VECTORS, ids=[v["note"][:40] for v in VECTORS])
def test_reference_vectors_are_met(vector):
    share = Fraction(str(vector["threshold"]))
    found = match_events(spans(vector["gt_ms"]), spans(vector["pred_ms"]), share)
    assert len(found) == vector["matched"]


@given(some_events, some_events, st.sampled_from(THRESHOLDS))
def test_no_larger_matching_exists(truth, predicted, share):
    found = match_events(truth, predicted, share)
    assert len({t for t, _ in found}) == len({p for _, p in found}) == len(found)
    assert all(overlaps_enough(truth[t], predicted[p], share) for t, p in found)
    fewer, more = sorted([truth, predicted], key=len)
    best = max(
        sum(overlaps_enough(a, b, share) for a, b in zip(fewer, order, strict=True))
        for order in permutations(more, len(fewer))
    )
    assert len(found) == best


def test_a_long_chain_of_overlaps_is_matched_whole():
    truth = [Span(at * 1000, at * 1000 + 1000) for at in range(3000)]
    predicted = [Span(at * 1000 + 500, at * 1000 + 1500) for at in range(3000)]
    assert len(match_events(truth, predicted, Fraction(3, 10))) == 3000


def test_one_event_more_moves_the_whole_chain_along():
    truth = [Span(0, 10), Span(10, 20), Span(20, 30)]
    predicted = [Span(15, 25), Span(5, 15), Span(25, 35)]
    found = match_events(truth, predicted, Fraction(3, 10))
    assert found == ((0, 1), (1, 0), (2, 2))


def test_an_event_that_just_reaches_the_threshold_is_matched_and_one_below_is_not():
    assert overlaps_enough(Span(0, 1000), Span(0, 300), Fraction(3, 10))
    assert not overlaps_enough(Span(0, 1000), Span(0, 299), Fraction(3, 10))
    assert not overlaps_enough(Span(0, 10), Span(10, 20), Fraction(1, 10))


def test_time_that_could_not_be_judged_speaks_neither_for_nor_against():
    truth, predicted = [Span(0, 10_000)], [Span(8000, 10_000)]
    assert count_events(truth, predicted).matched == (1, 0)
    assert count_events(truth, predicted, [Span(0, 8000)]).matched == (1, 1)


def test_an_event_nobody_could_see_is_counted_apart():
    counts = count_events([Span(0, 4000), Span(6000, 8000)], [], [Span(0, 5000)])
    assert (counts.truth, counts.unseen, counts.predicted) == (1, 1, 0)


def test_counts_are_pooled():
    added = add_events([EventCounts(4, 10, (4, 2)), EventCounts(11, 19, (10, 7), unseen=1)])
    assert added == EventCounts(15, 29, (14, 9), 1)
    assert added.f1(0).share == 28 / 44
    with pytest.raises(ValueError, match="matches of"):
        EventCounts(1, 5, (2, 0))
