from dataclasses import replace

import pytest

from app.coding.records import Decision, Verdict
from views.lesson.sight import Sight


@pytest.fixture
def review(stand_in, tmp_path):
    with stand_in.Library.open(tmp_path / "a.clerestory") as library:
        yield library.lesson(stand_in.add_sample(library))


def decided(review, clip, author):
    made = Decision(clip, Verdict.CORRECT, "D2", 1, author, "2026-01-01T10:00:00.000+00:00")
    return replace(review, decisions=(*review.decisions, made))


def test_without_blind_mode_every_label_is_seen(review):
    sight = Sight("AK", is_blind=False)
    assert all(sight.shows_labels(review, clip.clip_id) for clip in review.clips)
    assert sight.prediction(review, review.clips[0].clip_id).practice == "D1"


def test_blind_mode_hides_a_label_until_an_own_code_is_committed(review):
    sight, clip = Sight("AK", is_blind=True), review.clips[0]
    assert sight.prediction(review, clip.clip_id) is None
    after = decided(review, clip, "AK")
    assert sight.prediction(after, clip.clip_id).practice == "D1"
    assert sight.prediction(after, review.clips[1].clip_id) is None


def test_blind_mode_hides_what_others_decided_as_well(review):
    sight, clip = Sight("AK", is_blind=True), review.clips[0]
    after = decided(review, clip, "BM")
    assert not sight.shows_labels(after, clip.clip_id)
    assert sight.decision(after, clip.clip_id) is None
    assert clip in sight.waiting(after)
    assert Sight("AK", is_blind=False).waiting(after) == after.clips[1:]
