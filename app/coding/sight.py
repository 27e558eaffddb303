"""What a reviewer may see: in blind mode no label before an own code is committed.

Pure rules, so that every page, the search and the command line hide the same things.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from app.coding.calibration import Trust
from app.coding.people_names import people_in
from app.coding.queue import review_queue
from app.coding.records import Decision, Prediction, Stage
from app.coding.review import LessonReview
from app.lesson.clips import Clip


@dataclass(frozen=True, slots=True)
class Sight:
    """One reviewer's view of the labels."""

    author: str
    is_blind: bool
    coder: str = ""
    """Whose predictions are looked at; empty, or one that says nothing of a clip: the latest."""

    def on_screen(self, review: LessonReview, clip_id: str) -> Prediction | None:
        """Give the prediction whose evidence is shown, whether its label may be seen or not."""
        chosen = review.prediction_for(clip_id, self.coder) if self.coder else None
        return chosen or review.prediction_for(clip_id)

    def own_decision(self, review: LessonReview, clip_id: str) -> Decision | None:
        """Give the latest standing decision that this reviewer made alone on a clip."""
        decisions = review.decisions_for(clip_id)
        own = [d for d in decisions if d.author == self.author and d.stage is Stage.OWN]
        return own[-1] if own else None

    def shows_labels(self, review: LessonReview, clip_id: str) -> bool:
        """Say whether labels of coders and of other people may be shown for a clip."""
        return not self.is_blind or self.own_decision(review, clip_id) is not None

    def decision(self, review: LessonReview, clip_id: str) -> Decision | None:
        """Give the decision to show: another person's would give the label away."""
        if self.shows_labels(review, clip_id):
            return review.decision_for(clip_id)
        return None

    def disputed_words(self, review: LessonReview, clip_id: str) -> tuple[Decision, ...]:
        """Give the decisions that stand against each other, where they may be seen."""
        return review.disputed_words(clip_id) if self.shows_labels(review, clip_id) else ()

    def prediction(self, review: LessonReview, clip_id: str) -> Prediction | None:
        """Give the prediction whose label may be shown."""
        return self.on_screen(review, clip_id) if self.shows_labels(review, clip_id) else None

    def only_seen(self, review: LessonReview) -> LessonReview:
        """Give a lesson without what may not be seen of it, for a page that is handed out.

        Of clips whose labels are hidden nothing stays that coders or people said; `withheld` names
        them, so that a page can say so instead of reading as if nobody had looked.
        """
        if not self.is_blind:
            return review
        predictions = tuple(
            p for p in review.predictions if self.shows_labels(review, p.clip.clip_id)
        )
        numbers = {p.prediction_id for p in predictions}
        return replace(
            review,
            predictions=predictions,
            decisions=tuple(
                d for d in review.decisions if self.shows_labels(review, d.clip.clip_id)
            ),
            probes=tuple(probe for probe in review.probes if probe.prediction_id in numbers),
            withheld=tuple(
                clip.clip_id for clip in review.clips if not self.shows_labels(review, clip.clip_id)
            ),
        )

    def waiting(self, review: LessonReview) -> tuple[Clip, ...]:
        """Give the clips this reviewer still has to decide on, in order of time."""
        if not self.is_blind:
            return review.unreviewed
        return tuple(c for c in review.clips if self.own_decision(review, c.clip_id) is None)

    def in_order(self, review: LessonReview, trusts: Sequence[Trust] = ()) -> tuple[Clip, ...]:
        """Give all clips in the order in which they are offered; `trusts` as for the queue.

        In blind mode by time: an order by worth would tell where coders found nothing, and what
        others have already decided.
        """
        if self.is_blind:
            return review.clips
        return tuple(item.clip for item in review_queue(review, trusts))

    def undo_words(self, review: LessonReview, label: str | None) -> str:
        """Say what would be undone; another person's change could name a hidden label."""
        if not label:
            return ""
        by = self.last_author(review)
        if self.author in people_in(by):
            return label
        return f"the last change, by {by}" if self.is_blind else f"{label}, by {by}"

    def last_author(self, review: LessonReview) -> str:
        """Name who made the last change that stands; empty for none."""
        standing = [change for change in review.history if not change.undone]
        return standing[-1].author if standing else ""

    def may_undo(self, review: LessonReview) -> bool:
        """Say whether undo is this reviewer's to use: nobody takes back another's decision."""
        standing = [change for change in review.history if not change.undone]
        if not standing or not standing[-1].is_decision:
            return True
        return self.author in people_in(standing[-1].author)
