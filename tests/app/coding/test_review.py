from dataclasses import replace

from app.coding.records import Decision, Prediction, Stage, Verdict
from app.coding.review import LessonReview
from app.lesson.clips import Clip
from app.scoring.scored import Code

CLIP = Clip("a", 1, 2, 0, 9000)
OTHER = Clip("b", 3, 4, 9000, 18_000)
BARE = LessonReview("1", "Water", "", None, False, None, None, clips=(CLIP, OTHER))


def said(author, practice="D1", level=2, *, blind=False, stage=Stage.OWN, also=(), clip=CLIP):
    verdict = Verdict.CORRECT if practice else Verdict.REJECT
    level = level if practice else None
    return Decision(
        clip, verdict, practice, level, author, "", blind=blind, stage=stage, also=tuple(also)
    )


def agreed(practice="D1", level=2):
    return said("AK & BM", practice, level, stage=Stage.CONSENSUS)


def review(*decisions):
    return replace(BARE, decisions=decisions)


def test_one_persons_latest_decision_stands():
    made = review(said("AK", "D1"), said("AK", "D3"))
    assert made.decision_for("a").practice == "D3"
    assert not made.is_disputed("a")


def test_two_people_who_say_the_same_do_not_dispute():
    made = review(said("AK"), said("BM"))
    assert made.decision_for("a").author == "BM"
    assert not made.is_disputed("a")


def test_two_people_who_differ_leave_nothing_standing():
    made = review(said("AK", "D1", blind=True), said("BM", "D3", 1, blind=True))
    assert made.decision_for("a") is None
    assert [d.author for d in made.disputed_words("a")] == ["AK", "BM"]
    assert made.unreviewed == (OTHER,)


def test_another_level_or_a_further_code_or_none_at_all_is_a_difference():
    for other in (said("BM", "D1", 3), said("BM", also=[Code("D3", 1)]), said("BM", "")):
        assert review(said("AK"), other).is_disputed("a")


def test_a_person_who_comes_round_ends_the_dispute():
    made = review(said("AK", "D1"), said("BM", "D3"), said("BM", "D1"))
    assert not made.is_disputed("a")
    assert [(d.author, d.practice) for d in made.own_decisions("a")] == [("AK", "D1"), ("BM", "D1")]


def test_a_consensus_stands_over_what_each_said_first():
    made = review(said("AK", "D1"), said("BM", "D3"), agreed("D2", 4))
    assert made.decision_for("a").practice == "D2"
    assert not made.is_disputed("a")
    assert [d.practice for d in made.own_decisions("a")] == ["D1", "D3"]


def test_a_third_person_who_codes_blind_does_not_upset_a_consensus():
    made = review(said("AK", "D1"), said("BM", "D3"), agreed("D1"), said("CO", "BI", 1, blind=True))
    assert made.decision_for("a").author == "AK & BM"
    assert not made.is_disputed("a")


def test_who_sees_the_consensus_and_decides_otherwise_replaces_it():
    made = review(said("AK", "D1"), said("BM", "D3"), agreed("D1"), said("AK", "D2"))
    assert made.decision_for("a").author == "AK"
    assert made.consensus_for("a").practice == "D1"
    against = replace(made, decisions=(*made.decisions, said("BM", "D3")))
    assert against.is_disputed("a")
    settled = replace(against, decisions=(*against.decisions, agreed("D3", 1)))
    assert settled.decision_for("a").practice == "D3"


def test_a_changed_review_looks_at_its_own_decisions():
    before = review(said("AK"))
    assert before.decision_for("a").practice == "D1"
    after = replace(before, decisions=(*before.decisions, said("AK", "D3")))
    assert after.decision_for("a").practice == "D3"
    assert replace(after, decisions=()).decision_for("a") is None


def test_predictions_are_found_by_clip_and_coder():
    first, second = (Prediction(CLIP, c, "D1", 1, None, ()) for c in ("x/1", "y/1"))
    made = replace(BARE, predictions=(first, second))
    assert made.prediction_for("a") is second
    assert made.prediction_for("a", "x/1") is first
    assert made.predictions_for("b") == ()


def test_another_note_on_an_earlier_word_leaves_the_consensus_standing():
    first = replace(said("AK", "D1"), made_at="2026-11-30T09:00:00.000+00:00")
    consensus = replace(agreed("D2", 4), made_at="2026-11-30T10:00:00.000+00:00")
    made = review(first, said("BM", "D3"), consensus, replace(first, note="see line 5"))
    assert made.decision_for("a") is consensus
    assert made.own_decisions("a")[-1].note == "see line 5"
