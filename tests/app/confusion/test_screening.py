"""A fast reader screens for a stronger one: which windows are read again, and what that saves."""

import threading

import pytest
from window_material import material, recording, seen

from app.confusion.chat_reader import ChatReader
from app.confusion.reader_names import OneReader
from app.confusion.records import Confidence, Level, Reading
from app.confusion.screening import (
    ScreeningPlan,
    ScreeningReader,
    was_read_again,
    windows_to_reread,
)
from app.confusion.windows import windows_of
from app.errors import EngineMissing
from app.lesson.spans import Span
from app.running.protocols import no_report
from app.store.library import Library
from engines.scripted import Scripted

SIGNS = {"n": Level.NONE, "l": Level.LOW, "m": Level.MEDIUM, "h": Level.HIGH}
MINUTE = Span(0, 60_000)


class Fast:
    """Stands for a reader that asks nobody."""

    name = "fast/1"

    def refusal(self, _video):
        return None

    def provenance(self, _video):
        return (("reader", self.name),)


def said(told, span=MINUTE):
    """Give a reading for each window: n l m h, - for not visible, x for a failure."""
    found = []
    for sign, w in zip(told, windows_of(span), strict=True):
        if sign == "-":
            found.append(Reading(w.start_ms, w.end_ms, False, note="nobody"))
        elif sign == "x":
            found.append(Reading(w.start_ms, w.end_ms, True, status="refusal"))
        else:
            found.append(Reading(w.start_ms, w.end_ms, True, SIGNS[sign], Confidence.LOW))
    return found


@pytest.fixture
def library(tmp_path):
    with Library.open(tmp_path / "a.clerestory", "Ann") as opened:
        yield opened


def screened(library, first, engine, *, draws=1, read_first=None, known=True):
    strong = ChatReader(OneReader("strong", draws), engine, library.attempts)
    return ScreeningReader(
        Fast(),
        strong,
        read_first or (lambda _video, _report, _stop: first),
        lambda _video: first if known else None,
    )


def starts(windows):
    return [window.start_ms // 2000 for window in windows]


def test_all_five_windows_of_a_segment_with_a_positive_one_are_read_again():
    first = said("nnnnnnnmnnlllllnnnnh-----xxxxx")
    assert starts(windows_to_reread(first, MINUTE)) == [5, 6, 7, 8, 9, 15, 16, 17, 18, 19]


def test_nothing_is_read_again_where_nothing_is_positive():
    assert windows_to_reread(said("nl-x" + "n" * 26), MINUTE) == ()


def test_the_last_segment_may_be_short_and_segments_count_from_the_start_of_the_recording():
    span = Span(40, 13_540)
    first = said("nnnnnnm", span)
    assert windows_to_reread(first, span) == (Span(10_040, 12_040), Span(12_040, 13_540))


def test_what_the_fast_reader_says_stands_where_nothing_was_read_again(library):
    first = said("nnnnnnmnnnn-nnxnnnnnnnnnnnnnnn")
    engine = Scripted([seen("high", "high", (1,))] * 5)
    found = []
    reader = screened(library, first, engine)
    video = material(recording(60_000))
    reader.read(video, windows_of(MINUTE), found.extend, no_report, threading.Event())
    by_start = {reading.start_ms: reading for reading in found}
    assert len(engine.asked) == 5
    assert len(by_start) == len(found) == 30
    assert [was_read_again(by_start[2000 * n]) for n in range(30)] == [
        5 <= n < 10 for n in range(30)
    ]
    assert {by_start[2000 * n].level for n in range(5, 10)} == {Level.HIGH}
    assert by_start[0].note == "not read again"
    assert (by_start[22_000].is_visible, by_start[28_000].status) == (False, "refusal")
    assert by_start[22_000].note == "nobody; not read again"
    assert by_start[10_000].note == ""


def test_the_plan_says_how_many_calls_are_saved_and_how_many_at_most_before(library):
    first = said("nnnnnnmnnn" + "n" * 20)
    video = material(recording(60_000))
    known = screened(library, first, Scripted(), draws=5)
    assert known.screening(video) == ScreeningPlan(30, 1, 5, 25, 150)
    assert known.screening(video).saved == 125
    assert "25 of 150 calls, 125 saved" in known.screening(video).in_words
    assert len(known.plan(video, windows_of(MINUTE)).draws) == 25
    unknown = screened(library, first, Scripted(), draws=5, known=False)
    assert unknown.screening(video) == ScreeningPlan(30, None, 30, 150, 150)
    assert unknown.screening(video).in_words.startswith("At most 150 calls")


def test_its_name_and_grounds_are_those_of_both(library):
    reader = screened(library, [], Scripted(), draws=5)
    assert reader.name == "fast/1 then strong x5"
    told = dict(reader.provenance(material()))
    assert told["first: reader"] == "fast/1"
    assert told["then: draws"] == "5"


def test_a_model_that_sees_nothing_is_refused_before_the_fast_reader_begins(library):
    reader = screened(library, [], Scripted(images=0), read_first=pytest.fail)
    assert isinstance(reader.refusal(material()), EngineMissing)
