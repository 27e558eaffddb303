"""What a person who works blind has said of a learner video before readers come into view."""

from __future__ import annotations

from app.confusion.review import LearnerReview
from app.errors import ReportRefused


def marking_name(author: str, lesson_id: str) -> str:
    """Name the setting of the library that keeps when somebody said “I have marked what I see”."""
    return f"confusion marked by {author}: {lesson_id}"


def require_sight(review: LearnerReview, author: str, *, is_blind: bool, marked_at: str) -> None:
    """See to it that a page shows no more than the window does.

    Args:
        review: What the page would show.
        author: Who wants it.
        is_blind: Whether that person works blind.
        marked_at: When that person said that their own marking is done; empty if never.

    Raises:
        ReportRefused: It would show what readers or other people said to somebody who has not yet
            said what they see themselves.
    """
    others = any(decision.author != author for decision in review.decisions)
    if is_blind and not marked_at and (review.bands or others):
        raise ReportRefused(
            f"A report on “{review.title}” would show what readers found, and you work blind.",
            "Mark what you see on the Learner page and say “I have marked what I see” there, or "
            "turn blind mode off.",
        )
