from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest

from app.coding.moments import MomentKind, Order, Term, Wanted
from app.coding.records import Check, Citation, Decision, Evidence, Prediction, Stage, Verdict
from app.coding.sight import Sight
from app.lesson.clips import Clip
from app.lesson.media.facts import MediaFacts
from app.lesson.transcript.records import Transcript, Utterance
from app.scoring.scored import Code
from app.store.records import MARK_END, MARK_START

TALK = (
    "What will happen to the ice?",
    "I think it melts.",
    "How do you know that it melts?",
    "Because the puddle was ice before.",
    "Big ideas first: everything is made of particles.",
    "We wrote it down.",
)
CLIPS = tuple(
    Clip(f"c{n}", 2 * n + 1, 2 * n + 2, n * 20_000, n * 20_000 + 19_000) for n in range(3)
)
SEEING = Sight("Ann", is_blind=False)


def lines(timed=True):
    return tuple(
        Utterance(n, text, (n - 1) * 10_000 if timed else None, None, "T")
        for n, text in enumerate(TALK, 1)
    )


@pytest.fixture
def lesson_id(library):
    made = library.add_lesson("Ice", None, Transcript(lines(), "import:srt"))
    library.propose_clips(made, CLIPS)
    return made


def decide(library, lesson_id, clip, practice, level=2, author="Ann", **more):
    verdict = Verdict.CORRECT if practice else Verdict.REJECT
    made = Decision(clip, verdict, practice, level if practice else None, author, "2026", **more)
    library.decide(lesson_id, made)


def claim(library, lesson_id, clip, practice, *evidence, coder="e/1", level=2):
    said = Prediction(clip, coder, practice, level, 0.5, evidence)
    library.add_run(lesson_id, coder, (), [said])


def quote(number, text="", check=Check.VERIFIED, **more):
    cited = Citation(text or TALK[number - 1], (number,))
    return Evidence(
        cited, check, text or TALK[number - 1], (number,), (number - 1) * 10_000, **more
    )


def find(library, sight=SEEING, **wanted):
    return library.moments.find(Wanted(**wanted), sight)


def clips_of(found):
    return [moment.clip_id for moment in found.moments]


def test_a_clip_is_found_by_the_code_that_stands_with_its_best_quote(library, lesson_id):
    claim(
        library,
        lesson_id,
        CLIPS[1],
        "D3",
        quote(4, score=95.0, check=Check.CLOSE),
        quote(3, score=100.0),
        Evidence(Citation("Nobody said this"), Check.NOT_FOUND),
    )
    decide(library, lesson_id, CLIPS[1], "D3")
    decide(library, lesson_id, CLIPS[0], "D1")
    (moment,) = find(library, practice="D3").moments
    assert (moment.title, moment.clip_id, moment.kind) == ("Ice", "c1", MomentKind.CODE)
    assert (moment.codes, moment.by) == ((Code("D3", 2),), "Ann")
    assert (moment.text, moment.at_ms) == (TALK[2], 20_000)
    assert (moment.start_ms, moment.end_ms) == (20_000, 39_000)


def test_what_a_person_cites_comes_before_what_a_coder_cites(library, lesson_id):
    claim(library, lesson_id, CLIPS[1], "D3", quote(3))
    cited = Citation(TALK[3], (4,), 30_000, 39_000)
    decide(library, lesson_id, CLIPS[1], "D3", evidence=(cited,))
    (moment,) = find(library, practice="D3").moments
    assert (moment.text, moment.at_ms) == (TALK[3], 30_000)


def test_evidence_for_another_practice_speaks_for_nothing(library, lesson_id):
    claim(library, lesson_id, CLIPS[1], "D1", quote(3))
    decide(library, lesson_id, CLIPS[1], "D3")
    (moment,) = find(library, practice="D3").moments
    assert (moment.text, moment.begins) == ("", TALK[2])


def test_further_codes_of_a_clip_count_as_well(library, lesson_id):
    decide(library, lesson_id, CLIPS[0], "D1", also=(Code("D3", 4),))
    assert clips_of(find(library, practice="D3")) == ["c0"]
    assert clips_of(find(library, practice="D3", level=4)) == ["c0"]
    assert clips_of(find(library, practice="D3", level=2)) == []
    assert clips_of(find(library, level=2)) == ["c0"]


def test_what_was_undone_or_rejected_or_overruled_is_not_found(library, lesson_id):
    decide(library, lesson_id, CLIPS[0], "D3")
    library.undo(lesson_id)
    decide(library, lesson_id, CLIPS[1], "D3")
    decide(library, lesson_id, CLIPS[1], "D1")
    decide(library, lesson_id, CLIPS[2], "")
    assert clips_of(find(library, practice="D3")) == []


def test_clips_that_were_split_away_are_not_found(library, lesson_id):
    decide(library, lesson_id, CLIPS[0], "D3")
    library.set_clips(lesson_id, CLIPS[1:], "Ann", "Split")
    assert clips_of(find(library, practice="D3")) == []


def test_people_who_say_the_same_are_all_named(library, lesson_id):
    decide(library, lesson_id, CLIPS[0], "D3")
    decide(library, lesson_id, CLIPS[0], "D3", author="Bo")
    (moment,) = find(library, practice="D3").moments
    assert (moment.by, moment.is_disputed) == ("Ann, Bo", False)
    assert len(find(library, author="Ann").moments) == 1
    assert find(library, author="Cy").moments == ()


def test_a_disputed_code_is_found_as_disputed(library, lesson_id):
    decide(library, lesson_id, CLIPS[0], "D3")
    decide(library, lesson_id, CLIPS[0], "D1", author="Bo")
    (moment,) = find(library, practice="D3").moments
    assert (moment.by, moment.codes, moment.is_disputed) == ("Ann", (Code("D3", 2),), True)
    decide(library, lesson_id, CLIPS[0], "D1", author="Ann & Bo", stage=Stage.CONSENSUS)
    assert clips_of(find(library, practice="D3")) == []
    (moment,) = find(library, practice="D1", author="Bo").moments
    assert (moment.by, moment.is_disputed) == ("Ann & Bo", False)


def test_suggestions_are_found_when_they_are_asked_for(library, lesson_id):
    claim(library, lesson_id, CLIPS[0], "D3", quote(1))
    claim(library, lesson_id, CLIPS[0], "D3", coder="model/1")
    claim(library, lesson_id, CLIPS[1], "D3", quote(3))
    claim(library, lesson_id, CLIPS[1], "D1", quote(4))
    claim(library, lesson_id, CLIPS[2], "D3", quote(5))
    decide(library, lesson_id, CLIPS[2], "")
    assert find(library, practice="D3").moments == ()
    (moment,) = find(library, practice="D3", with_suggestions=True).moments
    assert (moment.clip_id, moment.kind) == ("c0", MomentKind.SUGGESTION)
    assert (moment.by, moment.text) == ("e/1, model/1", TALK[0])
    assert find(library, practice="D3", with_suggestions=True, author="Ann").moments == ()


def test_words_beside_a_practice_must_be_in_the_clip(library, lesson_id):
    for clip in CLIPS:
        decide(library, lesson_id, clip, "D3", note="particles too" if clip is CLIPS[0] else "")
    assert clips_of(find(library, practice="D3", words="melts", order=Order.LESSON)) == ["c0", "c1"]
    found = find(library, practice="D3", words="particles")
    assert clips_of(found) == ["c0", "c2"]
    assert found.moments[0].text == "particles too"
    assert f"{MARK_START}particles{MARK_END}" in found.moments[1].snippet
    # The word stands in the title of the lesson, so that it holds for each clip.
    assert len(find(library, practice="D3", words="ice").moments) == 3


def test_words_alone_find_lines_with_the_code_of_their_clip(library, lesson_id):
    decide(library, lesson_id, CLIPS[1], "D3")
    claim(library, lesson_id, CLIPS[1], "D3", quote(3))
    first, second = find(library, words="melts").moments
    assert (first.kind, first.codes, first.clip_id) == (MomentKind.UTTERANCE, (), "c0")
    assert (second.codes, second.by) == ((Code("D3", 2),), "Ann")
    assert (second.start_ms, second.at_ms, second.end_ms) == (19_000, 20_000, 30_000)


def test_practice_names_in_the_words_are_words(library, lesson_id):
    decide(library, lesson_id, CLIPS[0], "BI")
    (moment,) = find(library, words="big idea").moments
    assert moment.text == TALK[4]


def test_nothing_asked_for_finds_nothing(library, lesson_id):
    decide(library, lesson_id, CLIPS[0], "BI")
    assert find(library).moments == ()
    assert find(library, words=" ", lesson_id=lesson_id).moments == ()


def test_a_blind_coder_is_given_no_code_away(library, lesson_id):
    decide(library, lesson_id, CLIPS[0], "D3", author="Bo", note="presses: why?")
    decide(library, lesson_id, CLIPS[1], "D3", author="Bo")
    decide(library, lesson_id, CLIPS[1], "D3", author="Cy")
    claim(library, lesson_id, CLIPS[2], "D3", quote(5))
    blind = Sight("Cy", is_blind=True)
    for practice in ("D3", "D1"):
        found = find(library, blind, practice=practice, with_suggestions=True)
        assert clips_of(found) == (["c1"] if practice == "D3" else [])
        # The number is the same whatever is asked for: it tells nothing of the codes.
        assert found.hidden_clips == 2
    texts = find(library, blind, words="melts").moments
    assert [moment.codes for moment in texts] == [(), (Code("D3", 2),)]
    noted = find(library, blind, words="presses")
    assert (noted.moments, noted.hidden_notes) == ((), 1)
    assert find(library, blind, words="presses", practice="D3").moments == ()
    assert len(find(library, Sight("Bo", is_blind=True), words="presses").moments) == 1


def test_a_lesson_is_found_by_the_day_of_its_recording_or_of_adding(library, lesson_id, recording):
    dated = replace(recording, recorded_at="2026-09-03T08:00:00+02:00")
    other = library.add_lesson("Recorded", dated, Transcript(lines(), "x"))
    library.propose_clips(other, CLIPS)
    for each in (lesson_id, other):
        decide(library, each, CLIPS[0], "D3")
    day = date(2026, 9, 3)
    (moment,) = find(library, practice="D3", first_day=day, last_day=day).moments
    assert (moment.title, moment.day, moment.is_recorded_day) == ("Recorded", day, True)
    (moment,) = find(library, practice="D3", first_day=day + timedelta(1)).moments
    assert (moment.title, moment.is_recorded_day) == ("Ice", False)
    assert [m.title for m in find(library, practice="D3").moments] == ["Recorded", "Ice"]
    assert [m.title for m in find(library, words="puddle", last_day=day).moments] == ["Recorded"]
    assert [m.title for m in find(library, words="puddle", lesson_id=lesson_id).moments] == ["Ice"]


def test_moments_come_in_order_of_time_or_of_relevance(library, lesson_id):
    decide(library, lesson_id, CLIPS[2], "D3")
    claim(library, lesson_id, CLIPS[0], "D3")
    by_time = find(library, practice="D3", with_suggestions=True)
    assert clips_of(by_time) == ["c0", "c2"]
    wanted = Wanted(practice="D3", with_suggestions=True, order=Order.RELEVANCE)
    assert clips_of(library.moments.find(wanted, SEEING)) == ["c2", "c0"]
    cut = library.moments.find(wanted, SEEING, limit=1)
    assert (clips_of(cut), cut.has_more) == (["c2"], True)


def test_a_lesson_without_times_gives_lines_to_read(library):
    made = library.add_lesson("Ice", None, Transcript(lines(timed=False), "x"))
    clips = tuple(Clip(f"c{n}", 2 * n + 1, 2 * n + 2, None, None) for n in range(3))
    library.propose_clips(made, clips)
    decide(library, made, clips[2], "D3")
    decide(library, made, clips[0], "D3")
    first, second = find(library, practice="D3").moments
    assert ((first.first, first.last), (second.first, second.last)) == ((1, 2), (5, 6))
    assert first.start_ms is None
    assert first.can_be_shown


def test_the_term_is_kept_in_the_library(library):
    assert library.moments.term() is None
    term = Term(date(2026, 9, 1), date(2026, 12, 18))
    library.moments.set_term(term)
    library.moments.set_term(term)
    assert library.moments.term() == term


def test_everybody_who_decided_is_named_once(library, lesson_id):
    decide(library, lesson_id, CLIPS[0], "D3", author="bo")
    decide(library, lesson_id, CLIPS[0], "D3", author="Ann & bo", stage=Stage.CONSENSUS)
    assert library.moments.authors() == ("Ann", "bo")


def test_a_lesson_tells_of_its_recording_without_being_read(library, recording, tmp_path):
    made = library.add_lesson("Ice", recording, Transcript(lines(), "x"))
    title, media, is_there = library.media(made)
    assert (title, is_there) == ("Ice", True)
    assert isinstance(media, MediaFacts)
    assert media == library.lesson(made).media
    bare = library.add_lesson("Bare", None, Transcript(lines(), "x"))
    assert library.media(bare) == ("Bare", None, False)
