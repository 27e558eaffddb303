"""A report shows no more than the window: not what readers found to somebody who works blind."""

from __future__ import annotations

import pytest

from app.confusion.blind import require_sight
from app.confusion.records import Bands, EventDecision, EventVerdict
from app.confusion.review import Learner, LearnerReview
from app.errors import ReportRefused


def video(bands: tuple[Bands, ...] = (), author: str = "RO") -> LearnerReview:
    own = EventDecision("e", EventVerdict.ADD, 0, 2_000, author, "")
    learner = Learner("l", "K.")
    return LearnerReview("v", "Monday", "", None, False, learner, bands=bands, decisions=(own,))


READ = (Bands("face-cues/1", ()),)


@pytest.mark.parametrize("review", [video(READ), video(author="somebody else")])
def test_who_works_blind_gets_no_report_on_what_others_found(review):
    with pytest.raises(ReportRefused, match="you work blind") as refused:
        require_sight(review, "RO", is_blind=True, marked_at="")
    assert "I have marked what I see" in refused.value.hint


@pytest.mark.parametrize(
    ("review", "is_blind", "marked_at"),
    [(video(READ), False, ""), (video(READ), True, "2026-11-30T10:00:00Z"), (video(), True, "")],
)
def test_a_report_on_what_may_be_seen_is_given(review, is_blind, marked_at):
    require_sight(review, "RO", is_blind=is_blind, marked_at=marked_at)
