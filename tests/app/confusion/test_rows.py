"""Rows of bands: what counts, what is left out, and how far two rows agree."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.confusion.records import Bands, EventDecision, EventVerdict, Level, Reading
from app.confusion.review import Learner, LearnerReview
from app.confusion.row_figures import agreement_of, figures_of_row
from app.confusion.rows import Sign, covered_ms, rows_of
from app.confusion.stretches import (
    confirmed_stretches,
    dismissed_events,
    suggested_stretches,
    weightiest,
)
from app.lesson.media.facts import MediaFacts
from app.lesson.spans import Span

LEVELS = {"n": Level.NONE, "l": Level.LOW, "m": Level.MEDIUM, "h": Level.HIGH}
SIGNS = {
    Sign.SHOWS: "+", Sign.CLEAR: "-", Sign.HIDDEN: ".", Sign.FAILED: "x", Sign.UNREAD: " ",
    Sign.OPEN: "?",
}  # fmt: skip


def bands(reader: str, letters: str) -> Bands:
    """A run of a reader: n l m h a level, `.` not visible, `x` a failure, a space not read."""
    readings = tuple(
        Reading(
            2000 * n,
            2000 * n + 2000,
            letter != ".",
            LEVELS.get(letter),
            status="refusal" if letter == "x" else "ok",
        )
        for n, letter in enumerate(letters)
        if letter != " "
    )
    return Bands(reader, readings)


def word(verdict: EventVerdict, start_ms: int, end_ms: int, **more) -> EventDecision:
    given = {"event_id": str(start_ms), "author": "RO", "made_at": "2026-11-30T10:00:00Z", **more}
    return EventDecision(verdict=verdict, start_ms=start_ms, end_ms=end_ms, **given)


def about(reader: str, start_ms: int, end_ms: int) -> dict:
    return {"reader": reader, "found_start_ms": start_ms, "found_end_ms": end_ms}


def video(readers: dict[str, str], *decisions: EventDecision, length_ms: int = 0) -> LearnerReview:
    longest = max((len(letters) for letters in readers.values()), default=0)
    media = MediaFacts("a.mp4", 1, "ab", "mp4", 0, length_ms or 2000 * longest, None, None)
    runs = tuple(bands(reader, letters) for reader, letters in readers.items())
    learner = Learner("l", "K.")
    return LearnerReview("v", "V", "", media, True, learner, bands=runs, decisions=decisions)


def signs(review: LearnerReview, place: int = 0) -> str:
    return "".join(SIGNS[cell.sign] for cell in rows_of(review)[place].cells)


def test_a_window_without_a_face_is_neither_and_leaves_the_denominator():
    (row,) = rows_of(video({"a": "nm.hxl "}))
    assert "".join(SIGNS[cell.sign] for cell in row.cells) == "-+.+x- "
    figures = figures_of_row(row)
    assert figures.share.value == 2 / 4
    assert (figures.shows_ms, figures.counted_ms) == (4_000, 8_000)
    assert (figures.hidden_ms, figures.failed, figures.unread_ms) == (2_000, 1, 2_000)
    # The face out of sight ends the first event.
    assert (figures.events, figures.longest_ms.value) == (2, 2_000)
    assert figures.per_minute.value == pytest.approx(2 * 60 / 8)


def test_with_no_face_at_all_nothing_is_a_number():
    figures = figures_of_row(rows_of(video({"a": "...."}))[0])
    assert figures.share.value is figures.per_minute.value is figures.longest_ms.value is None
    assert figures.share.reason == "no usable face can be seen in any window"


def test_without_an_event_the_longest_is_undefined_and_the_rate_is_zero():
    figures = figures_of_row(rows_of(video({"a": "nnl"}))[0])
    assert figures.share.value == 0
    assert figures.per_minute.value == 0
    assert figures.longest_ms.reason == "there is no event"


def test_a_reviewer_s_window_counts_from_half_of_it():
    # 1.0 s of the first window and 0.9 s of the third.
    review = video({"a": "nnnn"}, word(EventVerdict.ADD, 1_000, 4_900))
    assert signs(review) == "++--"


def test_what_nobody_has_decided_on_is_open_for_the_reviewer():
    confirmed = word(EventVerdict.CONFIRM, 2_000, 4_000, **about("a", 2_000, 4_000))
    assert signs(video({"a": "nmnmn"}, confirmed)) == "-+-?-"
    dismissed = word(EventVerdict.DISMISS, 6_000, 8_000, **about("a", 6_000, 8_000))
    assert signs(video({"a": "nmnmn"}, confirmed, dismissed)) == "-+---"


def test_the_reviewer_is_blind_where_every_reader_is_but_for_what_a_person_marked():
    review = video({"a": "..n.", "b": ".n.."}, word(EventVerdict.ADD, 0, 2_000))
    assert signs(review) == "+--."


def test_without_a_reader_the_reviewer_s_share_has_no_denominator():
    review = video({}, word(EventVerdict.ADD, 2_000, 5_000), length_ms=10_000)
    figures = figures_of_row(rows_of(review)[0])
    assert figures.share.reason == "no reader has looked where the face can be seen"
    assert figures.longest_ms.value == 3_000


def test_without_decisions_there_is_no_reviewer_s_row():
    assert [row.name for row in rows_of(video({"a": "nm"}))] == ["a"]


def test_agreement_is_over_windows_that_both_can_judge():
    one, other = rows_of(video({"a": "mmmnnnn.x", "b": "mmnmnnnmm"}))
    found = agreement_of(one, other)
    assert (found.both, found.only_one, found.only_other, found.neither) == (2, 1, 1, 3)
    assert found.same.value == pytest.approx(5 / 7)
    # Observed 5/7, by chance (3*3 + 4*4)/49 = 25/49.
    expected = (Fraction(5, 7) - Fraction(25, 49)) / (1 - Fraction(25, 49))
    assert found.kappa.value == pytest.approx(float(expected))
    assert found.tiou.value == pytest.approx(2 / 4)
    assert found.tiou.n == 4


def test_agreement_that_cannot_be_known_has_reasons():
    blind = agreement_of(*rows_of(video({"a": "..", "b": "mm"})))
    assert blind.same.reason == blind.kappa.reason == "no window can be judged in both"
    calm = agreement_of(*rows_of(video({"a": "nn", "b": "nn"})))
    assert calm.same.value == 1
    assert calm.kappa.value is calm.tiou.value is None


def test_suggestions_of_several_readers_that_overlap_are_one_stretch():
    stretches = suggested_stretches(video({"a": "nmmnnm", "b": "nnmmnn"}))
    assert [(s.event.start_ms, s.event.end_ms) for s in stretches] == [
        (2_000, 8_000),
        (10_000, 12_000),
    ]
    assert [f.reader for f in stretches[0].found] == ["a", "b"]
    assert [len(readings) for _, readings in stretches[0].readings] == [3, 3]
    assert [s.event.start_ms for s in weightiest(stretches, 1)] == [2_000]


def test_events_that_only_touch_stay_apart():
    stretches = suggested_stretches(video({"a": "mnn", "b": "nmn"}))
    assert [s.event.end_ms for s in stretches] == [2_000, 4_000]


def test_what_overlaps_a_confirmed_event_is_told_there():
    confirmed = word(EventVerdict.ADJUST, 1_500, 5_000, **about("a", 2_000, 4_000))
    review = video({"a": "nmnn", "b": "nnmm"}, confirmed)
    (stretch,) = confirmed_stretches(review)
    assert stretch.is_confirmed
    assert [f.reader for f in stretch.found] == ["a", "b"]
    assert suggested_stretches(review) == ()


def test_a_dismissed_event_is_neither_confirmed_nor_suggested():
    dismissed = word(EventVerdict.DISMISS, 2_000, 4_000, **about("a", 2_000, 4_000))
    review = video({"a": "nmnn"}, dismissed)
    assert confirmed_stretches(review) == suggested_stretches(review) == ()
    assert dismissed_events(review) == (dismissed,)


@given(st.text("nlmh.x ", min_size=1, max_size=40), st.text("nlmh.x ", min_size=1, max_size=40))
def test_every_window_is_counted_once(a, b):
    for row in rows_of(video({"a": a, "b": b})):
        assert sum(row.number(sign) for sign in Sign) == max(len(a), len(b))
        figures = figures_of_row(row)
        assert figures.shows_ms <= figures.counted_ms
        assert (figures.share.value is None) == (figures.counted_ms == 0)
        assert sum(e.end_ms - e.start_ms for e in row.events) == figures.shows_ms


@given(st.lists(st.tuples(st.integers(0, 19_000), st.integers(1, 6_000)), max_size=6))
def test_covered_time_is_what_counting_each_overlap_gives(drawn):
    windows = [Span(start, min(start + 2_000, 19_500)) for start in range(0, 19_500, 2_000)]
    events = [Span(start, start + length) for start, length in drawn]
    assert covered_ms(windows, events) == tuple(
        sum(window.overlap_ms(event) for event in events) for window in windows
    )
