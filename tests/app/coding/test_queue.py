from dataclasses import replace

import pytest

from app.coding.calibration import trust_in
from app.coding.conditions import CoderChoice, Condition, Input
from app.coding.confidence import Source
from app.coding.probe_records import Answered, ProbeKind
from app.coding.queue import review_queue
from app.coding.records import Check, Citation, Decision, Evidence, Prediction, Said, Verdict
from app.coding.review import LessonReview
from app.lesson.clips import Clip
from app.scoring.conformal import Limit
from app.scoring.scored import Code

CLIPS = tuple(Clip(name, n, n, n * 60_000, n * 60_000 + 60_000) for n, name in enumerate("abcd", 1))
A, B, C, D = CLIPS
GOOD = Evidence(Citation("why"), Check.VERIFIED)


def said(clip, practice="D1", level=2, *, coder="one/1", margin=0.5, evidence=(GOOD,)):
    return Prediction(clip, coder, practice, level, margin, evidence)


def decided(clip):
    return Decision(clip, Verdict.ACCEPT, "D1", 2, "me", "2026-11-30T00:00:00.000Z")


def lesson(*predictions, decisions=(), clips=CLIPS):
    return LessonReview(
        "l", "Lesson", "2026-11-30", None, False, None, None,
        clips=clips, predictions=predictions, decisions=decisions,
    )  # fmt: skip


def order(review):
    return [item.clip.clip_id for item in review_queue(review)]


def reasons(review, clip):
    (item,) = [i for i in review_queue(review) if i.clip.clip_id == clip.clip_id]
    return " ".join(item.reasons)


def test_clips_that_are_worth_the_same_stand_in_order_of_time():
    assert order(lesson(*map(said, CLIPS))) == ["a", "b", "c", "d"]


def test_decided_clips_come_last_and_are_worth_nothing():
    queue = review_queue(lesson(*map(said, CLIPS), decisions=(decided(A), decided(C))))
    assert [item.clip.clip_id for item in queue] == ["b", "d", "a", "c"]
    assert [item.worth for item in queue[2:]] == [0.0, 0.0]


def test_coders_that_disagree_come_first_then_doubtful_evidence_then_a_narrow_lead():
    review = lesson(
        said(A),
        said(B, margin=0.02),
        said(C, evidence=(GOOD, Evidence(Citation("made up"), Check.NOT_FOUND))),
        said(D),
        said(D, "D3", coder="two/1"),
    )
    assert order(review) == ["d", "c", "b", "a"]
    assert "disagree on the practice" in reasons(review, D)
    assert "1 piece of evidence, of 2, could not be verified" in reasons(review, C)
    assert "leads by little" in reasons(review, B)


def test_a_clip_that_no_coder_saw_is_worth_more_than_one_without_doubt():
    review = lesson(said(A), said(B), said(C))
    assert order(review)[0] == "d"
    assert "No coder has looked at it." in reasons(review, D)


def test_a_clip_in_which_no_practice_was_found_is_told_so():
    nothing = said(A, practice="", level=None, margin=None, evidence=())
    assert "No coder found a practice" in reasons(lesson(nothing), A)
    assert "some find none" in reasons(lesson(nothing, said(A, coder="two/1")), A)


def test_only_the_latest_word_of_a_coder_counts():
    review = lesson(said(A, "D3"), said(A, "D1"))
    assert "disagree" not in reasons(review, A)


def test_levels_that_differ_are_told():
    review = lesson(said(A, level=1), said(A, level=3, coder="two/1"))
    assert "not on its level" in reasons(review, A)


def test_a_code_without_evidence_or_with_weak_evidence_is_told():
    assert "No evidence is cited" in reasons(lesson(said(A, evidence=())), A)
    weak = replace(GOOD, weak=True)
    assert "careful look" in reasons(lesson(said(A, evidence=(weak,))), A)
    seen = Evidence(Citation(seen="a hand"), Check.SEEN)
    assert "only a person can check" in reasons(lesson(said(A, evidence=(seen,))), A)


def test_a_clip_that_was_moved_since_is_told():
    moved = replace(A, end_ms=A.end_ms - 5_000)
    assert "moved after it was coded" in reasons(lesson(said(A), clips=(moved,)), moved)
    assert "moved" not in reasons(lesson(said(A)), A)


def test_an_empty_lesson_has_an_empty_queue():
    assert review_queue(lesson(clips=())) == ()


def test_no_reason_gives_away_a_label_to_a_reviewer_who_codes_blind():
    review = lesson(
        said(A), said(A, "D3", coder="two/1"), said(B, level=1), said(B, level=3, coder="two/1"),
        said(C), said(C, "", level=None, margin=None, evidence=(), coder="two/1"),
    )  # fmt: skip
    told = " ".join(reason for item in review_queue(review) for reason in item.reasons)
    assert not any(code in told for code in ("BI", "D1", "D2", "D3"))


def test_a_claim_to_check_comes_before_a_clip_without_any():
    nothing = said(A, practice="", level=None, margin=None, evidence=())
    assert order(lesson(nothing, said(B), clips=(A, B))) == ["b", "a"]


def asked(clip, *practices, what=Input.T, number=0):
    """Give what a model said, once for each practice."""
    pairs = (("engine", "one"), ("input", str(what)), ("prompting", "zero_shot"))
    coder = CoderChoice("one", Condition(what), len(practices)).name
    draws = tuple(Said(Code(p, 2)) for p in practices)
    return Prediction(
        clip, coder, practices[0], 2, None, (GOOD,), pairs, said=draws, prediction_id=number
    )


def test_a_model_that_scatters_over_its_draws_raises_a_clip():
    review = lesson(
        asked(A, *["D1"] * 5), asked(B, *["D1"] * 3, "D3", "BI"), asked(C, *["D1"] * 4, "D3")
    )
    assert order(review) == ["b", "d", "a", "c"]
    assert "gives different answers" in reasons(review, B)
    assert "different answers" not in reasons(review, C)


def test_a_model_that_changes_its_mind_over_the_frames_comes_before_models_that_differ():
    review = lesson(
        said(A), said(A, "D3", coder="two/1"), asked(B, "D1"), asked(B, "D3", what=Input.TV)
    )
    assert order(review)[:2] == ["b", "a"]
    assert "once it sees the frames" in reasons(review, B)


@pytest.mark.parametrize(
    ("alone", "masked", "is_flagged"),
    [("D3", "D1", True), ("D1", "D1", False), ("D3", "D3", False)],
)
def test_a_label_that_may_be_right_for_the_wrong_reason_raises_a_clip(alone, masked, is_flagged):
    probes = (
        Answered(7, ProbeKind.SUFFICIENCY, Code(alone), "ok"),
        Answered(7, ProbeKind.NECESSITY, Code(masked), "ok"),
    )
    review = replace(lesson(asked(A, "D1"), asked(B, "D1", number=7)), probes=probes)
    told = "may not rest on the evidence" in reasons(review, B)
    assert told is is_flagged
    assert (order(review)[0] == "b") is is_flagged


def test_a_prediction_set_that_tells_hardly_anything_raises_a_clip():
    three, two = asked(A, "D1", "D3", "BI", "D1", "D1"), asked(B, *["D1"] * 4, "D3")
    review = lesson(three, two, clips=(A, B))
    trust = replace(trust_in([], three.coder), limit=Limit(0.9, 60, 0.8), source=Source.DRAWS)
    worth = {i.clip.clip_id: i.worth for i in review_queue(review)}
    with_sets = {i.clip.clip_id: i for i in review_queue(review, [trust])}
    assert with_sets["a"].worth == pytest.approx(worth["a"] + 0.3)
    assert with_sets["b"].worth == worth["b"]
    assert "nearly any practice" in " ".join(with_sets["a"].reasons)


def test_too_few_decisions_for_a_set_raise_nothing():
    prediction = asked(A, "D1", "D3", "BI", "D1", "D1")
    review = lesson(prediction, clips=(A,))
    trust = trust_in([], prediction.coder)
    assert review_queue(review, [trust]) == review_queue(review)


def test_no_reason_names_a_practice():
    probes = (
        Answered(7, ProbeKind.SUFFICIENCY, Code("D3"), "ok"),
        Answered(7, ProbeKind.NECESSITY, Code("D1"), "ok"),
    )
    review = replace(
        lesson(asked(A, "D1", "D3", "BI", number=7), asked(A, "D3", what=Input.TV), clips=(A,)),
        probes=probes,
    )
    told = reasons(review, A)
    assert not any(name in told for name in ("BI", "D1", "D2", "D3"))
