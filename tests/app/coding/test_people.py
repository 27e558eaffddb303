"""Figures of agreement on lessons made by hand; every expected number is worked out on paper."""

from dataclasses import replace
from math import isclose

import pytest
from people_lessons import PRACTICES, agree, decide, decide_all, lesson, predict

from app.coding.people import (
    Side,
    agreement_report,
    alpha_of_people,
    first_word,
    sides_in,
    words_of,
)
from app.coding.records import Check, Citation, Evidence, Prediction
from app.lesson.clips import Clip
from app.lesson.spans import Span
from app.lesson.transcript.records import Transcript, Utterance
from app.scoring.coders import NOTHING_SHARED

AK, BM, CO = Side(False, "AK"), Side(False, "BM"), Side(False, "CO")
FINDER = Side(True, "finder/1")


def report(*reviews, first=AK, second=BM, **more):
    return agreement_report(reviews, first, second, PRACTICES, **more)


def close(value, expected):
    return isclose(value, expected, abs_tol=5e-5)


@pytest.fixture
def ten():
    """AK: six D1 and four D3. BM: five D1 and five D3. Both D1 on four, both D3 on three."""
    made = decide_all(lesson(10), "AK", "D1 D1 D1 D1 D3 D3 D3 D1 D1 D3")
    return decide_all(made, "BM", "D1 D1 D1 D1 D3 D3 D3 D3 D3 D1")


def test_kappa_is_the_one_worked_out_by_hand(ten):
    made = report(ten)
    # Agreement 7/10; by chance 0.6 x 0.5 + 0.4 x 0.5 = 0.5; kappa (0.7 - 0.5) / 0.5.
    assert (made.codes.percent.value, made.codes.percent.n) == (0.7, 10)
    assert close(made.codes.kappa.value, 0.4)
    # Of 20 ratings 11 are D1, 9 D3: expected disagreement 2 x 11 x 9 / (20 x 19); observed 3/10.
    assert close(made.codes.alpha.value, 1 - 0.3 / (2 * 11 * 9 / 380))
    assert made.codes.kappa.interval.low < 0.4 < made.codes.kappa.interval.high
    assert sum(not pair.is_same for pair in made.pairs) == 3


def test_each_practice_is_compared_with_the_rest(ten):
    d1 = next(p for p in report(ten).codes.by_practice if p.practice == "D1")
    assert (d1.both, d1.only_one, d1.only_other, d1.neither) == (4, 2, 1, 3)
    assert close(d1.kappa.value, 0.4)


def test_levels_are_those_of_the_fixture_where_the_practice_is_the_same():
    made = decide_all(lesson(7), "AK", "D1.1 D1.1 D1.2 D1.2 D1.3 D1.3 D2.4")
    made = decide_all(made, "BM", "D1.1 D1.1 D1.2 D1.3 D1.3 D1.3 D1.1")
    levels = report(made).codes.levels
    # reference_vectors.json, cohen_kappa "weights".
    assert close(levels.plain.value, 0.75)
    assert close(levels.quadratic.value, 0.8889)
    assert levels.quadratic.n == 6


def test_all_the_same_gives_no_kappa_and_says_why():
    made = decide_all(decide_all(lesson(3), "AK", "D1 D1 D1"), "BM", "D1 D1 D1")
    kappa = report(made).codes.kappa
    assert kappa.value is None
    assert "all ratings are the same" in kappa.reason


def test_without_a_shared_clip_every_figure_says_so():
    made = decide_all(decide_all(lesson(4), "AK", "D1 D1 . ."), "BM", ". . D1 D2")
    found = report(made)
    assert found.pairs == ()
    assert (found.codes.only_one, found.codes.only_other) == (2, 2)
    assert found.codes.percent.reason == NOTHING_SHARED
    assert found.time.same.value is None
    assert found.cited.pooled.value is None


def test_clips_of_the_same_id_in_two_lessons_are_two_clips():
    made = [decide_all(lesson(2, name), "AK", "D1 D2") for name in ("1", "2")]
    made = [decide_all(each, "BM", "D1 D3") for each in made]
    assert report(*made).codes.percent.n == 4
    assert report(*made).codes.percent.value == 0.5


def test_time_is_weighed_by_its_milliseconds():
    clips = (Clip("c0", 1, 1, 0, 10_000), Clip("c1", 2, 2, 10_000, 40_000))
    made = replace(lesson(2), clips=clips)
    made = decide_all(decide_all(made, "AK", "D1 D1"), "BM", "D1 D3")
    found = report(made)
    assert found.codes.percent.value == 0.5
    assert (found.time.same_ms, found.time.joint_ms) == (10_000, 40_000)
    assert found.time.same.value == 0.25


def test_a_clip_moved_since_counts_for_the_time_that_still_belongs_to_it():
    before = lesson(2)
    wide = replace(before.clips[0], end_ms=14_000)
    made = decide(before, "AK", 0, "D1", clip=wide)
    made = decide_all(made, "AK", ". D2")
    made = decide_all(made, "BM", "D1 D2")
    assert report(made).time.joint_ms == 20_000


def test_a_rejection_is_a_word_and_a_failure_is_none():
    made = predict(decide_all(lesson(4), "AK", "D1 - D1 D2"), "finder/1", "D1 - ! D3")
    found = report(made, second=FINDER)
    assert (found.codes.percent.value, found.codes.percent.n) == (2 / 3, 3)
    assert found.failures == 1


def test_a_later_prediction_takes_the_place_of_an_earlier_one():
    made = predict(predict(lesson(2), "finder/1", "D1 D1"), "finder/1", "D2 !")
    words = words_of(made, FINDER)
    assert [code.practice for code in words["c0"].codes] == ["D2"]
    assert "c1" not in words


def test_the_first_word_is_the_one_before_discussion():
    made = decide_all(lesson(1), "AK", "D1")
    made = decide_all(made, "AK", "D2", blind=False)
    assert first_word(made, "c0", "AK").practice == "D1"
    blind = decide_all(made, "AK", "D3", blind=True)
    assert first_word(blind, "c0", "AK").practice == "D3"
    later = decide(agree(lesson(1), 0, "D2"), "BM", 0, "D3")
    assert first_word(later, "c0", "BM") is None
    assert first_word(decide(later, "BM", 0, "D1", blind=True), "c0", "BM").practice == "D1"


def test_a_consensus_changes_nothing_about_the_agreement_before_it(ten):
    agreed = agree(agree(ten, 7, "D1"), 9, "D3")
    assert report(agreed).codes == report(ten).codes


def test_words_said_after_a_label_was_seen_can_be_left_out(ten):
    made = decide_all(lesson(3), "AK", "D1 D1 D2", blind=True)
    made = decide(decide_all(made, "BM", ". D1 D1", blind=True), "BM", 0, "D1")
    assert (report(made).codes.shared, report(made).both_blind) == (3, 2)
    strict = report(made, only_blind=True)
    assert (strict.codes.shared, strict.codes.percent.value) == (2, 0.5)
    assert report(ten, only_blind=True).codes.shared == 0


def test_cited_moments_overlap_by_the_millisecond_and_lines_by_number():
    lines = tuple(Utterance(n, "so", n * 1000, n * 1000 + 1000) for n in range(1, 5))
    made = replace(lesson(1), transcript=Transcript(lines, ""))
    mine = (Citation("so so", (1, 2)), Citation("", (), 2500, 3500, "a can"))
    made = decide(made, "AK", 0, "D1", evidence=mine)
    theirs = (Citation("so so", (2, 3), 2000, 4000),)
    made = decide(made, "BM", 0, "D1", evidence=theirs)
    found = report(made)
    # AK cites 1.0 to 3.5 s, BM 2.0 to 4.0 s: 1.5 of 3.0 s in common; line 2 of lines 1, 2, 3.
    assert (found.cited.pooled.value, found.cited.pooled.n) == (0.5, 1)
    assert close(found.lines.value, 1 / 3)


def test_what_the_check_did_not_find_is_no_citation_of_a_coder():
    made = lesson(1)
    pieces = (
        Evidence(Citation("so", (1,)), Check.VERIFIED, "so", (1,), 1000, 2000, 100.0),
        Evidence(Citation("balls", (9,)), Check.NOT_FOUND, start_ms=5000, end_ms=6000),
        Evidence(Citation("", (), 3000, 4000, "a can"), Check.SEEN, "", (), 3000, 4000),
    )
    said = Prediction(made.clips[0], "finder/1", "D1", 1, None, pieces)
    word = words_of(replace(made, predictions=(said,)), FINDER)["c0"]
    assert word.spans == (Span(1000, 2000), Span(3000, 4000))
    assert word.lines == {1}


def test_everybody_is_named_and_a_consensus_is_nobody():
    made = predict(agree(decide_all(lesson(1), "bm", "D1"), 0, "D1"), "finder/1", "D1")
    made = decide_all(made, "AK", "D1")
    assert sides_in([made]) == (AK, Side(False, "bm"), FINDER)


def test_alpha_over_three_people_is_that_of_the_fixture():
    made = decide_all(lesson(4), "AK", "D1 D2 D1 D2")
    made = decide_all(made, "BM", "D1 D2 D1 D2")
    made = decide_all(made, "CO", "D1 D2 D1 D1")
    # reference_vectors.json, "nominal three raters".
    assert close(alpha_of_people([made]).value, 1 - 132 / 420)
