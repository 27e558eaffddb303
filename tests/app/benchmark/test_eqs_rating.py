"""Rating evidence: what is drawn, what a rater may see, and what counts afterwards."""

from __future__ import annotations

import sqlite3
from dataclasses import fields

import pytest

from app.benchmark.eqs import cards_for, make_draw, plan_draw, results_of_draw
from app.benchmark.eqs_progress import open_results, progress_of
from app.benchmark.eqs_records import DrawSettings, RatingCard
from app.benchmark.eqs_words import about_eqs, coders_of_truth_words
from app.benchmark.records import LessonDraft, SetDraft
from app.coding.records import Check, Citation, Decision, Evidence, Prediction, Verdict
from app.errors import Refused, StoreRefused
from app.lesson.clips import Clip
from app.lesson.transcript.records import Transcript, Utterance
from app.scoring.scored import Code
from app.store.library import Library

PRACTICES = ("BI", "D1", "D2", "D3")
CLIPS = tuple(Clip(f"c{n}", n, n, n * 1000, n * 1000 + 900) for n in range(1, 9))
TRUTH = {clip.clip_id: (Code(PRACTICES[n % 4], 1),) for n, clip in enumerate(CLIPS)}
QUOTE = Citation("What do you think?", (1,), 1000, 1900)
MADE_UP = Evidence(QUOTE, Check.NOT_FOUND, reason="nobody said this")


def said(clip, coder, practice, status="ok"):
    level = 1 if practice else None
    return Prediction(clip, coder, practice, level, None, (MADE_UP,), status=status)


@pytest.fixture
def coded(library):
    """Two models over eight clips: the first four right, the other four wrong."""
    lines = tuple(Utterance(n, "What do you think?", n * 1000, n * 1000 + 900) for n in range(1, 9))
    lesson = LessonDraft("Ice", None, Transcript(lines, "import:srt", "en"), {}, CLIPS)
    library.add_coded_set(SetDraft("set", "folder", "d" * 64, (lesson,), TRUTH))
    (found,) = library.coded_sets()
    for coder in ("one", "two"):
        right = [said(c, coder, TRUTH[c.clip_id][0].practice) for c in CLIPS[:4]]
        wrong = [said(c, coder, PRACTICES[(n + 1) % 4]) for n, c in enumerate(CLIPS)][4:]
        library.add_run(found.lesson_ids[0], coder, (), [*right, *wrong])
    return found


@pytest.fixture
def draw(library, coded):
    return library.ratings.draw(make_draw(library, coded, ("one", "two"), per_cell=2))


def rate_all(library, draw, rater, scores=(3, 3, 3)):
    for output in draw.outputs:
        library.ratings.rate(draw.draw_id, output.prediction_id, rater, scores)


def test_a_draw_holds_as_many_right_as_wrong_of_each_model(draw):
    cells = sorted((output.coder, output.is_right) for output in draw.outputs)
    assert cells == [
        *[("one", False)] * 2, *[("one", True)] * 2, *[("two", False)] * 2, *[("two", True)] * 2
    ]  # fmt: skip
    assert draw.settings.coders == ("one", "two")
    assert draw.settings.shortages == ()


def test_what_a_draw_is_short_of_is_kept_with_it(library, coded):
    draw = library.ratings.draw(make_draw(library, coded, ("one", "two")))
    assert len(draw.outputs) == 16
    assert "right outputs of one: 4 of 15" in draw.settings.shortages


def test_the_same_seed_draws_the_same(library, coded, draw):
    again = library.ratings.draw(make_draw(library, coded, ("one", "two"), per_cell=2))
    assert again.outputs == draw.outputs
    assert [one.draw_id for one in library.ratings.draws()] == [draw.draw_id, again.draw_id]


def test_failures_and_answers_without_a_code_are_not_drawn(library, coded):
    predictions = [said(CLIPS[0], "three", "", "schema-fail"), said(CLIPS[1], "three", "")]
    library.add_run(coded.lesson_ids[0], "three", (), predictions)
    with pytest.raises(Refused, match="three has no answer with a code"):
        make_draw(library, coded, ("one", "three"))
    assert library.ratings.draws() == []


def test_a_draw_of_answers_outside_the_set_is_refused_whole(library, coded):
    elsewhere = library.add_lesson("Air", None, None)
    library.add_run(elsewhere, "one", (), [said(CLIPS[0], "one", "BI")])
    outside = library.lesson(elsewhere).predictions[0].prediction_id
    for wrong in (outside, 999):
        with pytest.raises(StoreRefused, match="not answers to clips of this set"):
            library.ratings.add_draw("x", DrawSettings(coded.set_id, ("one",), 1, 1), [wrong])
    assert library.ratings.draws() == []


def test_a_rater_sees_neither_model_nor_truth_nor_check(draw):
    assert {field.name for field in fields(RatingCard)} == {
        "prediction_id", "lesson_id", "clip", "practice", "cited"
    }  # fmt: skip
    assert {card.cited for card in cards_for(draw, "AK")} == {(QUOTE,)}


def test_each_rater_has_an_order_of_their_own_that_stays(draw):
    first, second = cards_for(draw, "AK"), cards_for(draw, "BM")
    assert first != second
    assert sorted(c.prediction_id for c in first) == sorted(c.prediction_id for c in second)
    assert cards_for(draw, "ak") == first


def test_a_revised_rating_counts_and_the_first_stays_in_the_store(library, draw):
    output = draw.outputs[0].prediction_id
    library.ratings.rate(draw.draw_id, output, "AK", (1, 1, 1))
    library.ratings.rate(draw.draw_id, output, "ak", (2, 3, 1), "clearer on a second look")
    (latest,) = library.ratings.own(draw.draw_id, "AK")
    assert (latest.rater, latest.scores) == ("AK", (2, 3, 1))
    with sqlite3.connect(library.path) as connection:
        assert connection.execute("SELECT count(*) FROM eqs_rating").fetchone() == (2,)
    connection.close()


def test_a_rating_is_there_after_opening_the_library_again(library, draw):
    library.ratings.rate(draw.draw_id, draw.outputs[0].prediction_id, "AK", (3, 2, 1))
    library.close()
    with Library.open(library.path) as again:
        assert [one.scores for one in again.ratings.own(draw.draw_id)] == [(3, 2, 1)]


def test_a_third_rater_is_refused(library, draw):
    output = draw.outputs[0].prediction_id
    for rater in ("AK", "BM"):
        library.ratings.rate(draw.draw_id, output, rater, (3, 3, 3))
    with pytest.raises(Refused, match="third"):
        library.ratings.rate(draw.draw_id, output, "CN", (3, 3, 3))
    assert library.reviewers() == ("AK", "BM")


def test_a_score_off_the_scale_is_an_error(library, draw):
    with pytest.raises(ValueError, match="not 1, 2 or 3"):
        library.ratings.rate(draw.draw_id, draw.outputs[0].prediction_id, "AK", (0, 1, 2))


def test_nothing_is_talked_over_before_both_have_rated_everything(library, draw):
    output = draw.outputs[0].prediction_id
    rate_all(library, draw, "AK")
    with pytest.raises(Refused, match="1 of 2 people"):
        library.ratings.agree(draw.draw_id, output, (3, 3, 3))
    library.ratings.rate(draw.draw_id, output, "BM", (1, 1, 1))
    with pytest.raises(Refused, match="BM has rated 1 of 8"):
        library.ratings.agree(draw.draw_id, output, (3, 3, 3))


def test_ratings_made_alone_are_closed_once_talk_began(library, draw):
    rate_all(library, draw, "AK")
    rate_all(library, draw, "BM", (1, 1, 1))
    output = draw.outputs[0].prediction_id
    library.ratings.agree(draw.draw_id, output, (2, 2, 2))
    with pytest.raises(Refused, match="closed"):
        library.ratings.rate(draw.draw_id, output, "AK", (1, 1, 1))
    (agreed,) = library.ratings.agreed(draw.draw_id)
    assert (agreed.rater, agreed.scores) == ("AK & BM", (2, 2, 2))


def test_only_what_both_rated_counts(library, draw):
    rate_all(library, draw, "AK")
    assert results_of_draw(library, draw.draw_id).rated == 0
    library.ratings.rate(draw.draw_id, draw.outputs[0].prediction_id, "BM", (2, 2, 2))
    results = results_of_draw(library, draw.draw_id)
    assert (results.rated, results.agreed) == (1, 0)


def test_results_sort_mistakes_by_their_evidence(library, draw):
    for rater in ("AK", "BM"):
        for output in draw.outputs:
            scores = (1, 1, 1) if output.is_right else (3, 3, 3)
            library.ratings.rate(draw.draw_id, output.prediction_id, rater, scores)
    results = results_of_draw(library, draw.draw_id)
    assert [one.plain.value for one in results.agreement] == [1.0, 1.0, 1.0]
    assert results.rated == 8
    assert [row.mean.value for row in results.models] == [2.0, 2.0]
    assert set(results.reasonable_mistakes) == {o for o in draw.outputs if not o.is_right}
    assert set(results.right_for_wrong_reasons) == {o for o in draw.outputs if o.is_right}


def test_what_was_agreed_counts_and_kappa_stays_from_before(library, draw):
    rate_all(library, draw, "AK", (3, 3, 3))
    rate_all(library, draw, "BM", (1, 1, 1))
    before = results_of_draw(library, draw.draw_id)
    assert {row.mean.value for row in before.models} == {2.0}
    for output in draw.outputs:
        library.ratings.agree(draw.draw_id, output.prediction_id, (3, 3, 3))
    after = results_of_draw(library, draw.draw_id)
    assert after.agreed == 8
    assert {row.mean.value for row in after.models} == {3.0}
    assert after.agreement == before.agreement


def test_who_coded_the_drawn_clips_is_counted_over_clips_and_not_over_decisions(library, draw):
    lesson_id = draw.outputs[0].lesson_id
    clips = sorted({one.clip.clip_id: one.clip for one in draw.outputs}.items())
    (_, first), (_, second) = clips[:2]
    alone = Decision(first, Verdict.REJECT, "", None, "AK", "2026")
    library.decide(lesson_id, alone)
    library.decide(lesson_id, alone)
    library.decide(lesson_id, Decision(second, Verdict.REJECT, "", None, "AK & CN", "2026"))
    assert library.ratings.coded_by(draw.draw_id) == {"AK": 2, "CN": 1}
    assert coders_of_truth_words(("AK", "BM"), {"AK": 2, "CN": 1})[0].startswith(
        "AK has also coded 2"
    )


def test_a_draw_that_is_planned_is_the_one_that_is_kept(library, coded):
    given = library.said_of_set(coded.set_id).given
    planned = plan_draw(coded, given, ("one", "two"), per_cell=3, seed=5)
    kept = library.ratings.draw(make_draw(library, coded, ("one", "two"), per_cell=3, seed=5))
    assert [int(o.output_id) for o in planned.outputs] == [o.prediction_id for o in kept.outputs]
    assert tuple(map(str, planned.shortages)) == kept.settings.shortages


def test_where_a_rating_stands(library, draw):
    state = progress_of(library, draw.draw_id)
    assert (state.raters, state.is_rated, state.is_closed) == ((), False, False)
    assert state.may_rate("AK")
    rate_all(library, draw, "AK")
    first = draw.outputs[0].prediction_id
    library.ratings.rate(draw.draw_id, first, "BM", (1, 1, 1))
    state = progress_of(library, draw.draw_id)
    assert not state.is_rated
    assert (state.differing, state.to_agree) == ((first,), (first,))
    assert [state.may_rate(name) for name in ("ak", "BM", "CN")] == [True, True, False]
    assert len(state.rated_by("ak")) == 8
    rate_all(library, draw, "BM")
    library.ratings.rate(draw.draw_id, first, "BM", (1, 1, 1))
    library.ratings.agree(draw.draw_id, first, (2, 2, 2))
    state = progress_of(library, draw.draw_id)
    assert state.is_rated
    assert state.is_closed
    assert (state.differing, state.to_agree) == ((first,), ())


def test_that_the_names_came_into_view_is_kept_with_what_was_left_to_agree_on(library, draw):
    rate_all(library, draw, "AK")
    rate_all(library, draw, "BM", (1, 1, 1))
    open_results(library, progress_of(library, draw.draw_id), "AK")
    state = progress_of(library, draw.draw_id)
    assert (state.opened.by, state.opened.left) == ("AK", 8)
    assert state.is_closed
    open_results(library, state, "BM")
    results = results_of_draw(library, draw.draw_id)
    assert results.opened.by == "AK"
    assert "AK looked at the models’ names while 8 outputs" in about_eqs(results)[-1]


def test_once_the_names_were_opened_nobody_rates_alone_whatever_page_or_program_asks(library, draw):
    rate_all(library, draw, "AK")
    rate_all(library, draw, "BM", (1, 1, 1))
    first = draw.outputs[0].prediction_id
    before = library.ratings.own(draw.draw_id)
    with Library.open(library.path, "CN") as other:
        open_results(other, progress_of(other, draw.draw_id), "AK")
    with pytest.raises(Refused, match="the models’ names have been opened"):
        library.ratings.rate(draw.draw_id, first, "BM", (3, 3, 3))
    assert library.ratings.own(draw.draw_id) == before
    library.ratings.agree(draw.draw_id, first, (2, 2, 2))
    assert [one.scores for one in library.ratings.agreed(draw.draw_id)] == [(2, 2, 2)]


def test_the_names_of_a_draw_that_is_not_there_are_not_opened(library):
    with pytest.raises(StoreRefused, match="no draw 7"):
        library.ratings.open_names(7, "AK", 0)
