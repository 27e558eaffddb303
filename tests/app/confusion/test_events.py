from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from app.confusion.boundaries import (
    SHORTEST_MS,
    Edge,
    Moved,
    drag,
    end_here,
    new_event,
    start_here,
)
from app.confusion.events import (
    decision_on,
    events_of,
    found_events,
    reviewer_events,
    standing_decisions,
)
from app.confusion.records import (
    Bands,
    Confidence,
    Event,
    EventDecision,
    EventVerdict,
    Level,
    Reading,
)
from app.lesson.spans import Span

VIDEO = Span(0, 20_000)
SAID = {"n": Level.NONE, "l": Level.LOW, "m": Level.MEDIUM, "h": Level.HIGH}


def readings(told):
    """Make a window of 2 s for each sign: n l m h, - for not visible, x for a failure."""
    found = []
    for place, sign in enumerate(told):
        start = 2000 * place
        if sign == "-":
            found.append(Reading(start, start + 2000, False))
        elif sign == "x":
            found.append(Reading(start, start + 2000, True, status="refusal"))
        else:
            level = SAID[sign]
            evidence = (start + 500, start)
            found.append(Reading(start, start + 2000, True, level, Confidence.LOW, (), evidence))
    return found


def word(event_id, verdict, start_ms, end_ms, made_at="2026-01-01", **more):
    return EventDecision(event_id, verdict, start_ms, end_ms, "Ann", made_at, **more)


def test_runs_of_positive_windows_are_events():
    assert events_of(readings("nmhlmn")) == (Event(2000, 6000), Event(8000, 10_000))
    assert events_of(readings("hh")) == (Event(0, 4000),)
    assert events_of(readings("nl-x")) == ()
    assert events_of([]) == ()


def test_what_nobody_saw_and_what_failed_ends_an_event():
    assert events_of(readings("h-h")) == (Event(0, 2000), Event(4000, 6000))
    assert events_of(readings("hxh")) == (Event(0, 2000), Event(4000, 6000))


def test_a_gap_ends_an_event_and_the_order_of_windows_does_not_matter():
    held = readings("hhhh")
    assert events_of([held[0], held[2], held[3]]) == (Event(0, 2000), Event(4000, 8000))
    assert events_of(held[::-1]) == (Event(0, 8000),)


@given(st.text("nlmh-x", max_size=30))
def test_events_hold_the_positive_windows_and_no_others(told):
    held = readings(told)
    events = events_of(held)
    for reading in held:
        inside = [e for e in events if e.start_ms <= reading.start_ms < e.end_ms]
        assert bool(inside) == (reading.is_positive is True)
    assert all(a.end_ms < b.start_ms for a, b in pairwise(events))


def test_an_event_comes_with_its_windows_and_their_evidence():
    (found,) = found_events(Bands("face-cues/1", tuple(readings("nmh"))))
    assert found.event == Event(2000, 6000)
    assert [r.start_ms for r in found.readings] == [2000, 4000]
    assert found.evidence_ms == (2000, 2500, 4000, 4500)


def test_the_last_word_on_each_event_stands():
    said = [
        word("b", EventVerdict.ADD, 8000, 9000),
        word("a", EventVerdict.CONFIRM, 0, 4000),
        word("a", EventVerdict.ADJUST, 500, 3000),
        word("c", EventVerdict.DISMISS, 5000, 6000),
    ]
    assert [d.event_id for d in standing_decisions(said)] == ["a", "c", "b"]
    assert reviewer_events(said) == (Event(500, 3000), Event(8000, 9000))
    assert reviewer_events([*said, word("a", EventVerdict.DISMISS, 500, 3000)]) == (
        Event(8000, 9000),
    )


def test_overlapping_confirmed_events_of_two_readers_are_one_and_touching_ones_are_two():
    said = [
        word("a", EventVerdict.CONFIRM, 0, 4000, reader="one"),
        word("b", EventVerdict.CONFIRM, 2000, 6000, reader="two"),
        word("c", EventVerdict.ADD, 6000, 7000),
    ]
    assert reviewer_events(said) == (Event(0, 6000), Event(6000, 7000))


def test_the_word_on_a_readers_event_is_found_by_its_own_boundaries():
    found = {"reader": "one", "found_start_ms": 0, "found_end_ms": 4000}
    said = [
        word("a", EventVerdict.CONFIRM, 0, 4000, "2026-01-01", **found),
        word("a", EventVerdict.ADJUST, 100, 3000, "2026-01-02", **found),
    ]
    assert decision_on(Event(0, 4000), "one", said) == said[1]
    assert decision_on(Event(0, 4000), "two", said) is None
    assert decision_on(Event(0, 2000), "one", said) is None


def test_a_boundary_lies_where_it_was_put_to_the_millisecond():
    event = Event(4000, 8000)
    assert start_here(event, 4321, VIDEO) == Moved(Event(4321, 8000))
    assert end_here(event, 7777, VIDEO) == Moved(Event(4000, 7777))


def test_a_boundary_that_cannot_lie_there_says_so():
    event = Event(4000, 8000)
    assert start_here(event, -50, VIDEO) == Moved(Event(0, 8000), "The video starts at 0:00.0.")
    assert end_here(event, 99_000, VIDEO) == Moved(Event(4000, 20_000), "The video ends at 0:20.0.")
    behind = start_here(event, 9000, VIDEO)
    assert behind.event == Event(7800, 8000)
    assert behind.note == "The start was set to 0:07.8: an event lasts at least 0.2 s."


def test_a_boundary_snaps_only_where_that_is_wanted_and_says_so():
    event = Event(4000, 8000)
    assert drag(event, Edge.END, 6100, VIDEO) == Moved(Event(4000, 6100))
    assert drag(event, Edge.END, 6100, VIDEO, (6000, 10_000), 150) == Moved(
        Event(4000, 6000), "Set to 0:06.0, the nearest edge."
    )
    assert drag(event, Edge.END, 6200, VIDEO, (6000,), 150) == Moved(Event(4000, 6200))
    assert drag(event, Edge.END, 6000, VIDEO, (6000,), 150) == Moved(Event(4000, 6000))


def test_a_new_event_may_be_marked_backwards():
    assert new_event(5000, 3000, VIDEO) == Moved(Event(3000, 5000))
    told = "An event lies inside the video and lasts at least 0.2 s."
    assert new_event(20_000, 20_000, VIDEO) == Moved(Event(19_800, 20_000), told)


EDGES = st.sampled_from(Edge)
TIMES = st.integers(-5000, 25_000)


def test_a_boundary_that_lands_where_it_was_wanted_has_nothing_to_say():
    # An edge near by would hold it, and the shortest event sends it back.
    event = Event(0, 200)
    assert drag(event, Edge.START, 0, VIDEO, [1], 1) == Moved(event, "")


@given(TIMES, TIMES, EDGES, TIMES, st.lists(TIMES, max_size=3), st.integers(0, 500))
def test_a_moved_event_lies_in_the_video_and_only_one_boundary_moves(
    one, other, edge, time_ms, near, reach_ms
):
    event = new_event(one, other, VIDEO).event
    moved = drag(event, edge, time_ms, VIDEO, near, reach_ms)
    now = moved.event
    assert VIDEO.start_ms <= now.start_ms <= now.end_ms - SHORTEST_MS <= VIDEO.end_ms
    if edge is Edge.START:
        assert now.end_ms == event.end_ms
        placed = now.start_ms
    else:
        assert now.start_ms == event.start_ms
        placed = now.end_ms
    assert bool(moved.note) == (placed != time_ms)
