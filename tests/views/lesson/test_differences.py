"""What a clip says of draws, coders and conditions that differ, by hand-written answers."""

import pytest

from app.coding.probe_records import NOT_ASKED
from app.coding.records import Check, Citation, Evidence, Prediction, Said
from app.coding.review import LessonReview
from app.lesson.clips import Clip
from app.scoring.scored import Code
from reports.lesson_coders import grounding_table
from views.background import Background
from views.lesson.differences import (
    coders_differ_words,
    draws_differ_words,
    draws_words,
    others_words,
)
from views.lesson.grounding import MANY, Grounding

CLIP = Clip("a", 1, 2, 0, 9000)


def said_by(coder, practice="D1", level=2, status="ok", said=(), evidence=(), clip=CLIP):
    return Prediction(
        clip, coder, practice, level, None, tuple(evidence), status=status, said=tuple(said)
    )


def test_each_draw_is_told_with_the_share_of_the_usable_ones():
    draws = (
        Said(Code("D1", 2)),
        Said(Code("D3", 1)),
        Said(None, "schema-fail"),
        Said(Code("D1", 1), "retry-ok"),
    )
    shown = said_by("small T zero_shot x4", said=draws)
    assert draws_words(shown) == (
        "Asked 4 times: 1. D1, level 2; 2. D3, level 1; 3. no usable answer (not in the form "
        "asked for); 4. D1, level 1. D1 in 2 of 3 usable answers (67%)."
    )
    assert draws_differ_words(shown) == "Its own answers differ: D1 twice, D3 once."


def test_one_draw_has_no_share():
    assert draws_words(said_by("small T zero_shot", said=(Said(Code("D1", 2)),))) == ""


def test_coders_and_conditions_that_differ_are_named_with_what_they_say():
    told = coders_differ_words(
        (
            said_by("small T zero_shot", "D3", 2),
            said_by("small TV zero_shot", "D2", 1),
            said_by("evidence-finder/1", "", None),
            said_by("large T cot", "", None, "refusal"),
        )
    )
    assert told == (
        "Coders differ: small T zero_shot says D3, level 2; small TV zero_shot says D2, level 1; "
        "the evidence finder names no practice."
    )


def test_a_level_alone_is_said_to_be_the_level():
    pair = said_by("a T cot"), said_by("b T cot", level=1)
    assert coders_differ_words(pair).startswith("Coders differ on the level: a T cot says D1")


@pytest.mark.parametrize(
    ("status", "told"),
    [
        ("truncated", "Large T cot gave no usable answer (cut off)."),
        (NOT_ASKED, "Large T cot gave no answer, since it was not asked."),
    ],
)
def test_a_failure_neither_agrees_nor_differs(status, told):
    failed = said_by("large T cot", "", None, status)
    assert coders_differ_words((said_by("small T cot"), failed)) == ""
    assert others_words(said_by("small T cot"), (failed,)) == told


def cited(*checks):
    return tuple(Evidence(Citation("Why?"), check) for check in checks)


def test_the_grounding_of_a_run_is_that_of_the_report_and_follows_what_is_coded(qapp):
    clips = tuple(Clip(f"c{n}", n, n, n * 1000, n * 1000 + 900) for n in range(1, 4))
    checks = (
        (Check.VERIFIED, Check.NOT_FOUND),
        (Check.CLOSE,),
        (Check.VERIFIED, Check.VERIFIED, Check.SEEN),
    )
    said = [
        said_by("small T cot", evidence=cited(*found), clip=clip)
        for clip, found in zip(clips, checks, strict=True)
    ]
    review = LessonReview(
        "l", "Ice", "", None, False, None, None, clips=clips, predictions=tuple(said)
    )
    rate = grounding_table(review)[0][-1]
    percent, interval = rate.removesuffix(")").split(" (")
    made = Grounding(Background(), lambda: None)
    assert made.words(review, "small T cot") == (
        f"In this lesson: 4 of 6 pieces found, {percent} (95% interval {interval})."
    )
    assert percent == "67%"
    assert made.words(review, "nobody") == "In this lesson: no evidence cited."


def test_the_interval_of_many_clips_comes_later_and_holds_nothing_up(qtbot):
    clips = tuple(Clip(f"c{n}", n, n, n * 1000, n * 1000 + 900) for n in range(MANY + 1))
    said = tuple(
        said_by("a T cot", evidence=cited(Check.VERIFIED, Check.NOT_FOUND)[: n % 3], clip=clip)
        for n, clip in enumerate(clips)
    )
    review = LessonReview("l", "Ice", "", None, False, None, None, clips=clips, predictions=said)
    came = []
    made = Grounding(Background(), lambda: came.append(True))
    assert "not yet worked out" in made.words(review, "a T cot")
    qtbot.waitUntil(lambda: bool(came))
    assert grounding_table(review)[0][-1].split(" (")[1] in made.words(review, "a T cot")
