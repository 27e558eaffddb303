"""Which pictures a lesson report asks for."""

from __future__ import annotations

from dataclasses import replace

from reports.lesson import picture_times
from reports.moments import MOST_PICTURES, evidence_times


def test_the_poster_and_the_middle_of_each_quote_are_asked_for(make_review, suggest_for):
    review = make_review(2)
    one = suggest_for(review, review.clips[0], "D1", 2, "What do you notice here?")
    other = suggest_for(review, review.clips[1], "D3", 2, "Why would that be so?")
    review = replace(review, predictions=(one, other))
    # 30 s long: a fifth is 6 s. Line 1 runs from 0 to 4 s, line 6 from 25 to 29 s.
    assert picture_times(review) == (2_000, 6_000, 27_000)


def test_a_long_stretch_gets_two_pictures_and_neighbours_share_one(make_review, suggest_for):
    review = make_review(1)
    all_lines = " ".join(u.text for u in review.transcript.utterances)
    quotes = (all_lines, "The drops are clear.", "What do you notice here?")
    review = replace(review, predictions=(suggest_for(review, review.clips[0], "D1", 2, *quotes),))
    times = evidence_times(review)
    # 0 to 14 s gives 3.5 and 10.5 s; line 2 is at 7 s; line 1 at 2 s is 1.5 s from the first.
    assert times == {
        ("clip-0", "evidence-finder/1", 0): (3_500, 10_500),
        ("clip-0", "evidence-finder/1", 1): (7_000,),
        ("clip-0", "evidence-finder/1", 2): (2_000,),
    }


def test_what_was_not_found_gets_no_picture(make_review, suggest_for):
    review = make_review(1)
    invented = suggest_for(review, review.clips[0], "D1", 2, "Nobody ever said such a thing")
    assert picture_times(replace(review, predictions=(invented,))) == (3_000,)


def test_nothing_is_asked_of_a_recording_that_is_not_there(make_review):
    assert picture_times(make_review(1, media_found=False)) == ()
    assert picture_times(make_review(1, timed=False)) == ()


def test_sound_alone_has_no_pictures(make_review):
    review = make_review(1)
    assert picture_times(replace(review, media=replace(review.media, video=None))) == ()


def test_only_the_latest_suggestion_of_a_coder_is_pictured(make_review, suggest_for):
    review = make_review(1)
    old = suggest_for(review, review.clips[0], "D1", 2, "Why would that be so?")
    new = suggest_for(review, review.clips[0], "D1", 2, "What do you notice here?")
    assert picture_times(replace(review, predictions=(old, new))) == (2_000, 3_000)


def test_a_very_long_lesson_keeps_one_picture_a_clip(make_review, suggest_for):
    review = make_review(130)
    quotes = ("What do you notice here?", "Why would that be so?")
    review = replace(
        review, predictions=tuple(suggest_for(review, c, "D1", 2, *quotes) for c in review.clips)
    )
    times = evidence_times(review)
    assert len(times) == 130 <= MOST_PICTURES
    assert {place for _, _, place in times} == {0}
