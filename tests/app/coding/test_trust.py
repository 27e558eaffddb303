"""A coder beside people's decisions; figures by hand or from the peers of app.scoring."""

import pytest

from app.coding.calibration import (
    decided_clips,
    decisions_words,
    set_for,
    trust_in,
    trust_in_coders,
)
from app.coding.conditions import CoderChoice, Condition
from app.coding.confidence import Source
from app.coding.records import Decision, Prediction, Said, Stage, Verdict
from app.coding.review import LessonReview
from app.lesson.clips import Clip
from app.scoring.proportions import Proportion
from app.scoring.scored import Code

CODER = CoderChoice("one", Condition(), 5).name


def clip(number, end=0):
    return Clip(f"c{number}", number, number, number * 1000, number * 1000 + 1000 + end)


def drawn(place, practices, status="ok"):
    said = tuple(
        Said(Code(p, 1), "ok") if p != "fail" else Said(None, "schema-fail")
        for p in practices.split()
    )
    practice = practices.split()[0] if status == "ok" else ""
    pairs = (("engine", "one"), ("input", "T"), ("prompting", "zero_shot"))
    return Prediction(place, CODER, practice, None, None, (), pairs, status=status, said=said)


def word(place, practice, *, author="AK", blind=True, coder=CODER, stage=Stage.OWN, also=()):
    verdict = Verdict.CORRECT if practice else Verdict.REJECT
    codes = tuple(Code(p, 1) for p in also)
    return Decision(
        place, verdict, practice, 1 if practice else None, author, "2026-01-01T00:00:00.000Z",
        blind=blind, coder=coder, stage=stage, also=codes,
    )  # fmt: skip


def lesson(*decisions):
    return LessonReview("l1", "A lesson", "", None, False, None, None, decisions=decisions)


def decided(pairs, person=""):
    """Make decided clips of pairs of predictions and decisions."""
    found = []
    for prediction, words in pairs:
        words = words if isinstance(words, tuple) else (words,)
        said = {prediction.clip.clip_id: (prediction,)}
        found += decided_clips(lesson(*words), said, person)
    return found


def many(count, practices="D1 D1 D1 D1 D3", given="D1", **how):
    return [(drawn(clip(n), practices), word(clip(n), given, **how)) for n in range(1, count + 1)]


def test_under_fifty_decisions_nothing_is_said_of_confidence():
    found = trust_in(decided(many(23)), CODER)
    assert (found.decisions, found.free, found.bins) == (23, 23, ())
    assert found.error.value is None
    assert "23 decided clips are too few" in found.error.reason
    assert found.limit.most is None
    assert decisions_words(found) == ("23 of 50 decisions, all made before a label was shown.")
    assert found.right.value == 1.0


def test_eighty_percent_sure_and_right_three_times_in_four():
    pairs = many(45) + [
        (drawn(clip(n), "D1 D1 D1 D1 D3"), word(clip(n), "D3")) for n in range(46, 61)
    ]
    found = trust_in(decided(pairs), CODER)
    assert found.source is Source.DRAWS
    assert (found.right.value, found.right.n) == (0.75, 60)
    assert found.error.value == pytest.approx(0.05)
    # 45 times (1 - 0.8)^2 and 15 times 0.8^2, over 60.
    assert found.brier.value == pytest.approx(0.19)
    (filled,) = [one for one in found.bins if one.n]
    assert filled.right == Proportion(45, 60)
    # The 55th of 60 distances is 0.8: that of D3, which people chose 15 times.
    assert found.limit.most == pytest.approx(0.8)
    assert found.sizes == ((2, 60),)
    assert found.mean_size == 2


def test_the_size_of_a_set_is_not_taken_from_the_clip_that_set_the_limit():
    pairs = many(54) + [
        (drawn(clip(n), "D1 D1 D1 D1 D3"), word(clip(n), "D3")) for n in range(55, 61)
    ]
    found = trust_in(decided(pairs), CODER)
    # Of all 60 distances, 54 times 0.2 and 6 times 0.8, the 55th is 0.8: two practices each.
    assert found.limit.most == pytest.approx(0.8)
    # Of 59 it is the 54th: without one of the 0.2 that is 0.8, without one of the 0.8 it is 0.2.
    assert found.sizes == ((1, 6), (2, 54))


def test_a_set_for_a_new_clip_holds_what_scores_as_well():
    found = trust_in(decided(many(60)), CODER)
    assert found.limit.most == pytest.approx(0.2)
    new = drawn(clip(99), "D2 D2 D2 D2 D1")
    assert set_for(found, new).practices == ("D2",)
    assert set_for(found, drawn(clip(99), "D2 D2 D1 BI D3")).practices == ()
    assert set_for(found, drawn(clip(99), "D2")).practices is None


def test_fifty_blind_decisions_push_those_that_followed_a_label_out():
    followed = [
        (drawn(clip(n), "D1 D1 D1 D1 D3"), word(clip(n), "D1", blind=False))
        for n in range(100, 140)
    ]
    both = trust_in(decided(many(49, given="D3") + followed), CODER)
    assert (both.decisions, both.free, both.is_anchored) == (89, 49, True)
    assert "only 49 of them" in decisions_words(both)
    enough = trust_in(decided(many(50, given="D3") + followed), CODER)
    assert (enough.decisions, enough.free, enough.is_anchored) == (50, 50, False)
    assert enough.right.value == 0.0


def test_a_decision_without_a_suggestion_on_the_screen_followed_none():
    found = trust_in(decided(many(3, blind=False, coder="")), CODER)
    assert (found.free, found.is_anchored) == (3, False)


def test_the_word_before_the_label_counts_not_the_one_after_it():
    before, after = word(clip(1), "D3"), word(clip(1), "D1", blind=False)
    found = trust_in(decided([(drawn(clip(1), "D1 D1"), (before, after))]), CODER)
    assert (found.decisions, found.right.value, found.is_anchored) == (1, 0.0, False)


def test_a_blind_word_after_a_seen_one_of_the_same_person_is_not_free():
    seen, blind = word(clip(1), "D1", blind=False), word(clip(1), "D1")
    found = trust_in(decided([(drawn(clip(1), "D1 D1"), (seen, blind))]), CODER)
    assert (found.decisions, found.free, found.is_anchored) == (1, 0, True)


def test_people_who_differ_count_once_they_agree():
    prediction = drawn(clip(1), "D1 D1")
    words = (word(clip(1), "D1"), word(clip(1), "D3", author="BM"))
    assert decided([(prediction, words)]) == []
    agreed = word(clip(1), "D3", author="AK and BM", stage=Stage.CONSENSUS, blind=False)
    found = trust_in(decided([(prediction, (*words, agreed))]), CODER)
    assert (found.decisions, found.free, found.right.value) == (1, 1, 0.0)


def test_one_reviewer_may_be_asked_about_alone():
    prediction = drawn(clip(1), "D1 D1")
    words = (word(clip(1), "D1"), word(clip(1), "D3", author="BM"))
    assert trust_in(decided([(prediction, words)], "BM"), CODER).right.value == 0.0
    assert trust_in(decided([(prediction, words)], "AK"), CODER).right.value == 1.0
    assert decided([(prediction, words)], "somebody else") == []


def test_any_code_that_people_accept_makes_a_claim_right():
    pair = (drawn(clip(1), "D1 D1 D3"), word(clip(1), "D3", also=("D1",)))
    assert trust_in(decided([pair]), CODER).right.value == 1.0


def test_a_claim_about_a_clip_people_rejected_is_wrong():
    found = trust_in(decided([(drawn(clip(1), "D1 D1"), word(clip(1), ""))]), CODER)
    assert (found.right.value, found.right.n) == (0.0, 1)


def test_failures_silence_and_moved_clips_are_counted_beside():
    pairs = [
        (drawn(clip(1), "fail fail", "schema-fail"), word(clip(1), "D1")),
        (drawn(clip(2), "D1 D1"), word(clip(2, end=500), "D1")),
        (Prediction(clip(3), CODER, "", None, None, ()), word(clip(3), "D1")),
        (drawn(clip(4), "D1"), word(clip(4), "D1")),
    ]
    found = trust_in(decided(pairs), CODER)
    assert (found.failures, found.moved, found.silent, found.no_confidence) == (1, 1, 1, 1)
    assert (found.decisions, found.source) == (1, None)
    assert found.error.reason == "nothing tells how sure this coder is"


def test_nothing_decided_says_so():
    found = trust_in([], CODER)
    assert found.right.value is None
    assert "nobody has decided" in found.right.reason


def test_every_coder_is_set_beside_the_same_decisions():
    pairs = decided(many(2))
    assert [one.coder for one in trust_in_coders(pairs)] == [CODER]
    assert trust_in_coders([]) == ()
