"""What may be talked over: codes people hold, with evidence that stands, and nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.coding.coaching_moments import choose_moments, require_moments, what_people_hold
from app.coding.evidence import check_evidence
from app.coding.records import Citation, Decision, Prediction, Stage, Verdict
from app.coding.review import LessonReview
from app.errors import ReportRefused
from app.lesson.clips import Clip
from app.lesson.transcript.records import Transcript, Utterance
from app.scoring.scored import Code

WORDS = ("Why do you think so?", "The can is cold.", "Who has another idea?", "I saw drops.")
LINES = tuple(
    Utterance(n, words, n * 10_000, n * 10_000 + 5_000, "Ms Linden" if n % 2 else "Robin")
    for n, words in enumerate(WORDS, 1)
)
CLIPS = tuple(Clip(f"c{n}", n, n, n * 10_000, n * 10_000 + 9_000) for n in range(1, 5))


def lesson(*decisions, predictions=(), **changes) -> LessonReview:
    words = Transcript(LINES, "import:vtt")
    review = LessonReview("l1", "A can", "2026-11-29", None, False, words, words)
    return replace(review, clips=CLIPS, predictions=predictions, decisions=decisions, **changes)


def decided(clip, practice="D3", level=2, verdict=Verdict.ACCEPT, **more):
    settings = {"author": "AB", "made_at": "2026-11-30T10:00:00.000Z", **more}
    return Decision(clip, verdict, practice, level, **settings)


def said(clip, practice, *quotes, coder="finder/1", **more):
    found = check_evidence([Citation(quote=quote) for quote in quotes], LINES, clip)
    return Prediction(clip, coder, practice, 2, None, found, **more)


def words_of(review) -> list[list[str]]:
    return [[q.words for q in m.quotes] for m in what_people_hold(review).moments]


def test_a_quote_the_check_found_counts_once_a_person_accepts_the_code():
    found = said(CLIPS[0], "D3", WORDS[0])
    assert words_of(lesson(predictions=(found,))) == []
    review = lesson(decided(CLIPS[0], coder="finder/1"), predictions=(found,))
    (moment,) = what_people_hold(review).moments
    assert moment.code == Code("D3", 2)
    (quote,) = moment.quotes
    assert (quote.words, quote.speakers, quote.start_ms) == (WORDS[0], ("Ms Linden",), 10_000)


def test_a_made_up_quote_and_one_from_outside_never_come_in():
    found = said(CLIPS[0], "D3", "We went to the moon by rocket", WORDS[3])
    cited = (Citation(quote="Nobody said these words at all"), Citation(quote=WORDS[3]))
    review = lesson(decided(CLIPS[0], coder="finder/1", evidence=cited), predictions=(found,))
    assert words_of(review) == []


def test_evidence_for_another_practice_is_none_for_the_corrected_code():
    found = said(CLIPS[0], "D3", WORDS[0])
    corrected = decided(CLIPS[0], "D1", 2, Verdict.CORRECT, coder="finder/1")
    assert words_of(lesson(corrected, predictions=(found,))) == []
    level_only = decided(CLIPS[0], "D3", 4, Verdict.CORRECT, coder="finder/1")
    assert words_of(lesson(level_only, predictions=(found,))) == [[WORDS[0]]]


def test_only_the_coder_that_was_on_the_screen_is_quoted():
    other = said(CLIPS[0], "D3", WORDS[0], coder="model T zero_shot")
    review = lesson(decided(CLIPS[0], coder="finder/1"), predictions=(other,))
    assert words_of(review) == []
    blind = lesson(decided(CLIPS[0], blind=True), predictions=(other,))
    assert words_of(blind) == [[WORDS[0]]]


def test_what_a_coder_said_after_the_decision_was_not_accepted_by_it():
    before = said(CLIPS[0], "D3", made_at="2026-11-30T09:00:00.000Z")
    after = said(CLIPS[0], "D3", WORDS[0], made_at="2026-11-30T11:00:00.000Z")
    review = lesson(decided(CLIPS[0], coder="finder/1"), predictions=(before, after))
    assert words_of(review) == []


def test_a_person_may_cite_words_and_what_is_to_be_seen():
    cited = (
        Citation(quote="the can is COLD"),
        Citation(seen="Drops on the can", start_ms=21_000, end_ms=23_000),
    )
    (moment,) = what_people_hold(lesson(decided(CLIPS[1], evidence=cited))).moments
    assert [(q.words, q.seen) for q in moment.quotes] == [
        ("The can is cold.", False),
        ("Drops on the can", True),
    ]


def test_what_people_cite_comes_first_and_a_passage_only_once():
    clip = replace(CLIPS[0], last=3, end_ms=39_000)
    found = said(clip, "D3", WORDS[2], WORDS[0])
    mine = decided(clip, coder="finder/1", evidence=(Citation(quote=WORDS[0]),))
    assert words_of(lesson(mine, predictions=(found,))) == [[WORDS[0], WORDS[2]]]


def test_a_quote_edited_away_since_is_gone():
    found = said(CLIPS[0], "D3", WORDS[0])
    review = lesson(decided(CLIPS[0], coder="finder/1"), predictions=(found,))
    edited = (replace(LINES[0], text="What do you hear?"), *LINES[1:])
    review = replace(review, transcript=Transcript(edited, "import:vtt"))
    assert words_of(review) == []


def test_words_too_weak_to_stand_alone_are_not_quoted():
    found = said(CLIPS[0], "D3", WORDS[0])
    weak = replace(found, evidence=(replace(found.evidence[0], weak=True),))
    assert words_of(lesson(decided(CLIPS[0], coder="finder/1"), predictions=(weak,))) == []


def test_clips_people_differ_on_are_left_out_and_named():
    cited = (Citation(quote=WORDS[0]),)
    one = decided(CLIPS[0], evidence=cited)
    other = decided(CLIPS[0], "D1", 2, author="CD", evidence=cited)
    held = what_people_hold(lesson(one, other))
    assert (held.moments, held.disputed, held.decisions) == ((), (1,), ())


def test_a_consensus_brings_the_evidence_its_people_cited_for_the_same_practice():
    one = decided(CLIPS[0], evidence=(Citation(quote=WORDS[0]),))
    other = decided(CLIPS[0], "D1", 2, author="CD")
    agreed = decided(CLIPS[0], "D3", 3, author="AB & CD", stage=Stage.CONSENSUS)
    held = what_people_hold(lesson(one, other, agreed))
    assert [(m.code, m.by) for m in held.moments] == [(Code("D3", 3), "AB & CD")]
    assert held.people == ("AB", "CD")
    assert [q.words for q in held.moments[0].quotes] == [WORDS[0]]


def test_a_clip_with_two_codes_is_a_moment_of_both():
    cited = (Citation(quote=WORDS[0]),)
    both = decided(CLIPS[0], also=(Code("D1", 3),), evidence=cited)
    held = what_people_hold(lesson(both))
    assert [m.code for m in held.moments] == [Code("D3", 2), Code("D1", 3)]
    assert held.looked[0].practices == ("D3", "D1")
    assert len(choose_moments(held.moments)) == 1


@pytest.mark.parametrize(
    ("review", "told", "hint"),
    [
        (replace(lesson(), clips=()), "no clips have been drawn", "draw clips"),
        (lesson(), "nobody has decided on any of its clips yet (0 of 4)", "accept or correct"),
        (
            lesson(decided(CLIPS[0], "", None, Verdict.REJECT)),
            "none of the clips that were decided on (1 of 4) was given a practice",
            "accept or correct",
        ),
        (lesson(decided(CLIPS[0])), "has a quote that stands", "cite the lines"),
        (
            lesson(decided(CLIPS[0]), decided(CLIPS[0], "D1", 2, author="CD")),
            "people differ on every clip",
            "Talk these clips over",
        ),
    ],
)
def test_without_accepted_evidence_there_is_a_refusal_that_says_what_to_do(review, told, hint):
    with pytest.raises(ReportRefused) as refused:
        require_moments(review, what_people_hold(review))
    assert told in refused.value.message
    assert hint in refused.value.hint


def test_the_highest_of_each_practice_comes_before_the_lowest_and_a_clip_only_once():
    cited = (Citation(quote="so it goes"),)
    levels = [("D1", 1), ("D1", 3), ("D1", 2), ("D3", 4), ("D3", None), ("D1", 3)]
    lines = tuple(Utterance(n, "So it goes.", n * 1000) for n in range(1, 7))
    clips = tuple(Clip(f"c{n}", n, n, n * 1000, n * 1000 + 900) for n in range(1, 7))
    decisions = tuple(
        decided(clip, practice, level, evidence=cited)
        for clip, (practice, level) in zip(clips, levels, strict=True)
    )
    words = Transcript(lines, "import:vtt")
    review = LessonReview("l", "t", "", None, False, words, words, {}, clips, (), decisions)
    moments = what_people_hold(review).moments
    assert [m.place for m in choose_moments(moments, most=2)] == [2, 4]
    assert [m.place for m in choose_moments(moments, most=4)] == [1, 2, 4, 5]
    assert [m.place for m in choose_moments(moments)] == [1, 2, 3, 4, 5, 6]
