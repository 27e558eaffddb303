"""What a reviewer may see: in blind mode no label before an own code is committed.

Pure rules, so that every part of the page hides the same things.
"""

from __future__ import annotations

from dataclasses import dataclass

from app.coding.records import Decision, Prediction
from app.coding.review import LessonReview
from app.lesson.clips import Clip


@dataclass(frozen=True, slots=True)
class Sight:
    """One reviewer's view of the labels."""

    author: str
    is_blind: bool

    def own_decision(self, review: LessonReview, clip_id: str) -> Decision | None:
        """Give the latest standing decision of this reviewer on a clip."""
        own = [d for d in review.decisions if d.clip.clip_id == clip_id and d.author == self.author]
        return own[-1] if own else None

    def shows_labels(self, review: LessonReview, clip_id: str) -> bool:
        """Say whether labels of coders and of other people may be shown for a clip."""
        return not self.is_blind or self.own_decision(review, clip_id) is not None

    def decision(self, review: LessonReview, clip_id: str) -> Decision | None:
        """Give the decision to show: another person's would give the label away."""
        if self.shows_labels(review, clip_id):
            return review.decision_for(clip_id)
        return None

    def prediction(self, review: LessonReview, clip_id: str) -> Prediction | None:
        """Give the prediction whose label may be shown."""
        return review.prediction_for(clip_id) if self.shows_labels(review, clip_id) else None

    def waiting(self, review: LessonReview) -> tuple[Clip, ...]:
        """Give the clips this reviewer still has to decide on, in order of time."""
        if not self.is_blind:
            return review.unreviewed
        return tuple(c for c in review.clips if self.own_decision(review, c.clip_id) is None)

    def undo_words(self, review: LessonReview, label: str | None) -> str:
        """Say what would be undone; another person's change could name a hidden label."""
        if not label:
            return ""
        standing = [change for change in review.history if not change.undone]
        is_own = bool(standing) and standing[-1].author == self.author
        return label if is_own or not self.is_blind else "the last change"
