"""From a reader's windows to what is scored: nothing unseen becomes an answer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.benchmark.confusion_clips import LabelledClip
from app.benchmark.confusion_marks import answer_of, marks_of, readings_in, said_of
from app.benchmark.confusion_scores import score_video, words_of
from app.benchmark.confusion_tables import MarkedVideo
from app.confusion.records import Level, Reading
from app.confusion.windows import windows_of
from app.lesson.spans import Span

WORDS = {"+": Level.HIGH, "-": Level.LOW}


def readings(signs, start_ms=0, end_ms=None):
    """Windows from signs: + confused, - not, ? not visible, ! failed, a blank for none."""
    whole = Span(start_ms, end_ms or start_ms + 2000 * len(signs))
    return [
        Reading(
            w.start_ms,
            w.end_ms,
            is_visible=sign != "?",
            level=WORDS.get(sign),
            note="dark" if sign == "?" else "",
            status="schema-fail" if sign == "!" else "ok",
        )
        for w, sign in zip(windows_of(whole), signs, strict=True)
        if sign != " "
    ]


def test_events_and_what_could_not_be_judged_stand_apart():
    marked = marks_of(MarkedVideo("v", 18_000, (), line=4), readings("++?!!+ -+"), 0)
    assert marked.events == (Span(0, 4000), Span(10_000, 12_000), Span(16_000, 18_000))
    assert marked.left_out == (
        ("not visible", Span(4000, 6000)),
        ("failed", Span(6000, 10_000)),
        ("not read", Span(12_000, 14_000)),
    )


def test_times_count_from_the_first_moment_and_end_with_the_video_of_the_table():
    marked = marks_of(MarkedVideo("v", 4500, ()), readings("-++", start_ms=10_000), 10_000)
    assert marked.events == (Span(2000, 4500),)
    short = marks_of(MarkedVideo("v", 7000, ()), readings("-++"), 0)
    assert short.left_out == (("not read", Span(6000, 7000)),)
    assert marks_of(MarkedVideo("v", 7000, ()), [], 0).left_out == (("not read", Span(0, 7000)),)


@given(st.text(alphabet="+-?! ", min_size=1, max_size=20))
def test_every_window_keeps_its_word(signs):
    video = MarkedVideo("v", 2000 * len(signs), ())
    marked = marks_of(video, readings(signs), 0)
    told = {"+": "yes", "-": "no", "?": "not visible", "!": "failed", " ": "not read"}
    assert words_of(windows_of(Span(0, video.duration_ms)), marked) == [told[s] for s in signs]
    score = score_video(video, marked)
    assert score.windows.judged == signs.count("+") + signs.count("-")
    assert score.all_windows == len(signs)


@pytest.mark.parametrize(
    ("signs", "said"),
    [("-+?", "yes"), ("-!", "no"), ("?!", "failed"), ("??", "not visible"), ("", "not read")],
)
def test_an_answer_beats_that_there_is_none_and_yes_beats_no(signs, said):
    assert said_of(readings(signs) if signs else []) == said


def test_a_clip_takes_the_windows_that_lie_in_it_by_half_else_the_one_that_lies_there_most():
    all_of_them = readings("-+--")
    assert [r.start_ms for r in readings_in(all_of_them, Span(3000, 7000))] == [2000, 4000, 6000]
    assert [r.start_ms for r in readings_in(all_of_them, Span(2100, 2500))] == [2000]
    assert readings_in(all_of_them, Span(9000, 9500)) == []


def test_a_few_pictures_beyond_two_seconds_do_not_decide_a_clip():
    clip = LabelledClip("c", "c.mp4", False)
    answer = answer_of(clip, readings("-+", end_ms=2400), Span(0, 2400))
    assert (answer.said, answer.is_right) == ("no", True)
    assert answer_of(clip, readings("+", end_ms=900), Span(0, 900)).said == "yes"


def test_why_nothing_was_seen_of_a_clip_stands_with_it():
    whole = Span(10_000, 18_000)
    clip = LabelledClip("c", "c.mp4", True, Span(2000, 4000))
    answer = answer_of(clip, readings("+?++", start_ms=10_000), whole)
    assert (answer.said, answer.note, answer.is_right) == ("not visible", "dark", None)
