"""How much of what one coder cites in a lesson was found: the report's rate, beside the clip."""

from __future__ import annotations

from app.coding.evidence import run_grounding
from app.coding.records import Prediction
from app.coding.review import LessonReview
from app.scoring.intervals import bootstrap_mean
from views.common.words import count_words


class Grounding:
    """Says the rate of a coder; worked out once for what it has said so far."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[list[Prediction], str]] = {}

    def words(self, review: LessonReview, coder: str) -> str:
        """Say how much of the evidence of a coder was found in all clips as they are now."""
        latest = [review.prediction_for(clip.clip_id, coder) for clip in review.clips]
        said = [prediction for prediction in latest if prediction is not None]
        known = self._known.get(coder)
        if known is None or not _same(known[0], said):
            known = self._known[coder] = (said, grounding_words(said))
        return known[1]


def grounding_words(said: list[Prediction]) -> str:
    """Say the rate with its denominator and interval, as the report words it.

    Found is verified and close of all that was cited; the interval draws whole clips, since a
    clip gives several citations (protocols, part 1).
    """
    rate = run_grounding(said)
    if rate is None or rate.share is None:
        return "In this lesson: no evidence cited."
    held = [[float(e.check.supports) for e in p.evidence] for p in said if p.evidence]
    interval = bootstrap_mean(held)
    # An interval without width, from clips that are all alike, says nothing and is left open.
    is_open = interval is None or interval.low == interval.high
    reach = (
        "–"
        if interval is None or is_open
        else f"{interval.low * 100:.0f} to {interval.high * 100:.0f}%"
    )
    return (
        f"In this lesson: {rate.count} of {count_words(rate.of, 'piece')} found, "
        f"{rate.share * 100:.0f}% (95% interval {reach})."
    )


def _same(before: list[Prediction], now: list[Prediction]) -> bool:
    """Say whether these are the very same records; comparing what is in them would take long."""
    return len(before) == len(now) and all(a is b for a, b in zip(before, now, strict=True))
