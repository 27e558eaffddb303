from dataclasses import replace

import pytest

from app.coding.probe_records import Answered, ProbeKind
from app.coding.queue import review_queue
from app.coding.records import Check, Citation, Decision, Evidence, Prediction, Stage, Verdict
from app.coding.review import Change, LessonReview
from app.coding.sight import Sight
from app.lesson.clips import Clip

CLIPS = tuple(Clip(f"c{n}", n, n, n * 1000, n * 1000 + 900) for n in range(1, 5))
FOUND = Evidence(Citation("so", (1,)), Check.VERIFIED, "so", (1,), 1000, 1900, 100.0)
SAID = tuple(
    Prediction(clip, "finder/1", practice, 1 if practice else None, margin, (FOUND,))
    for clip, practice, margin in zip(
        CLIPS, ("", "D1", "D2", "D3"), (None, 0.5, 0.02, 0.5), strict=True
    )
)
REVIEW = LessonReview("1", "W", "", None, False, None, None, clips=CLIPS, predictions=SAID)
BLIND = Sight("AK", is_blind=True)
OPEN = Sight("AK", is_blind=False)


def decided(review, author, clip=CLIPS[0], practice="D2", *, stage=Stage.OWN):
    made = Decision(clip, Verdict.CORRECT, practice, 1, author, "", stage=stage)
    change = Change(len(review.history) + 1, f"Correct to {practice}", author, "", False, True)
    return replace(
        review,
        decisions=(*review.decisions, made),
        history=(*review.history, change),
    )


def test_without_blind_mode_every_label_is_seen():
    assert all(OPEN.shows_labels(REVIEW, clip.clip_id) for clip in CLIPS)
    assert OPEN.prediction(REVIEW, "c2").practice == "D1"


def test_blind_mode_hides_a_label_until_an_own_code_is_committed():
    assert BLIND.prediction(REVIEW, "c2") is None
    after = decided(REVIEW, "AK", CLIPS[1])
    assert BLIND.prediction(after, "c2").practice == "D1"
    assert BLIND.prediction(after, "c3") is None


def test_blind_mode_hides_what_others_decided_as_well():
    after = decided(REVIEW, "BM")
    assert not BLIND.shows_labels(after, "c1")
    assert BLIND.decision(after, "c1") is None
    assert CLIPS[0] in BLIND.waiting(after)
    assert OPEN.waiting(after) == CLIPS[1:]


def test_a_consensus_among_others_is_hidden_and_is_no_own_code():
    after = decided(REVIEW, "AK & BM", stage=Stage.CONSENSUS)
    assert BLIND.own_decision(after, "c1") is None
    assert BLIND.decision(after, "c1") is None


def test_a_dispute_is_hidden_from_who_has_not_coded_yet():
    both = decided(decided(REVIEW, "BM", practice="D1"), "CO", practice="D3")
    assert BLIND.disputed_words(both, "c1") == ()
    assert [d.author for d in OPEN.disputed_words(both, "c1")] == ["BM", "CO"]
    own = decided(both, "AK", practice="D3")
    assert BLIND.decision(own, "c1") is None
    assert len(BLIND.disputed_words(own, "c1")) == 3


def test_blind_mode_offers_clips_by_time_since_an_order_by_worth_would_tell():
    by_worth = [item.clip.clip_id for item in review_queue(REVIEW)]
    assert by_worth == ["c3", "c2", "c4", "c1"]
    assert [clip.clip_id for clip in OPEN.in_order(REVIEW)] == by_worth
    assert BLIND.in_order(REVIEW) == CLIPS
    assert BLIND.in_order(decided(REVIEW, "BM")) == CLIPS


def test_a_disputed_clip_comes_after_the_undecided_and_says_why():
    both = decided(decided(REVIEW, "BM", practice="D1"), "CO", practice="D3")
    items = {item.clip.clip_id: item for item in review_queue(both)}
    assert 0 < items["c1"].worth < min(items[c].worth for c in ("c2", "c3", "c4"))
    assert "differently" in items["c1"].reasons[0]


@pytest.mark.parametrize("sight", [BLIND, OPEN])
def test_the_own_change_is_named_in_full(sight):
    assert sight.undo_words(decided(REVIEW, "AK"), "Correct to D2") == "Correct to D2"
    agreed = decided(REVIEW, "AK & BM", stage=Stage.CONSENSUS)
    assert sight.undo_words(agreed, "Agree on D2") == "Agree on D2"


def test_another_persons_change_gives_no_label_away_in_blind_mode():
    after = decided(REVIEW, "BM")
    assert BLIND.undo_words(after, "Correct to D2") == "the last change, by BM"
    assert OPEN.undo_words(after, "Correct to D2") == "Correct to D2, by BM"
    assert OPEN.undo_words(REVIEW, None) == ""


def test_nobody_takes_back_the_decision_of_somebody_else():
    assert not OPEN.may_undo(decided(REVIEW, "BM"))
    assert OPEN.may_undo(decided(REVIEW, "AK"))
    assert OPEN.may_undo(decided(REVIEW, "AK & BM", stage=Stage.CONSENSUS))
    renamed = replace(REVIEW, history=(Change(1, "Rename speaker", "BM", ""),))
    assert OPEN.may_undo(renamed)
    assert OPEN.may_undo(REVIEW)


def test_another_coder_can_be_looked_at_and_the_latest_is_the_first_choice():
    clip = Clip("a", 1, 2, 0, 1000)
    said = (
        Prediction(clip, "finder/1", "D1", 1, None, ()),
        Prediction(clip, "model T zero_shot", "D3", 2, None, ()),
    )
    review = LessonReview("l", "Water", "", None, False, None, None, predictions=said)
    assert Sight("AK", False).on_screen(review, "a") == said[1]
    assert Sight("AK", False, "finder/1").prediction(review, "a") == said[0]
    assert Sight("AK", False, "another").on_screen(review, "a") == said[1]
    blind = Sight("AK", True, "finder/1")
    assert blind.prediction(review, "a") is None
    assert blind.on_screen(review, "a") == said[0]


def test_a_page_for_somebody_who_codes_blind_leaves_out_what_the_window_hides():
    said = tuple(replace(p, prediction_id=n) for n, p in enumerate(SAID, 1))
    probes = tuple(Answered(n, ProbeKind.NECESSITY, None, "ok") for n in (1, 2))
    review = replace(REVIEW, predictions=said, probes=probes)
    review = decided(decided(review, "BM", CLIPS[0]), "BM", CLIPS[1], "D1")
    review = decided(review, "AK & BM", CLIPS[0], "D3", stage=Stage.CONSENSUS)
    own = decided(review, "AK", CLIPS[1], "D3")
    found = BLIND.only_seen(own)
    assert [(d.author, d.clip.clip_id) for d in found.decisions] == [("BM", "c2"), ("AK", "c2")]
    assert [p.clip.clip_id for p in found.predictions] == ["c2"]
    assert [p.prediction_id for p in found.probes] == [2]
    assert found.withheld == ("c1", "c3", "c4")
    assert OPEN.only_seen(own) is own
