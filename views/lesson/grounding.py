"""How much of what one coder cites in a lesson was found: the report's rate, beside the clip."""

from __future__ import annotations

import logging
from collections.abc import Callable

from app.coding.evidence import run_grounding
from app.coding.records import Prediction
from app.coding.review import LessonReview
from app.scoring.intervals import bootstrap_mean
from views.background import Background, Job, Lane
from views.common.words import count_words

log = logging.getLogger(__name__)


MANY = 100
"""Clips above which the interval, ten thousand draws of all of them, is worked out meanwhile."""


class Grounding:
    """Says the rate of a coder; worked out once for what it has said so far.

    Args:
        background: Works out the interval of many clips.
        came: Called once that is known.
    """

    def __init__(self, background: Background, came: Callable[[], None]) -> None:
        self._background, self._came = background, came
        self._known: dict[str, tuple[list[Prediction], str]] = {}

    def words(self, review: LessonReview, coder: str) -> str:
        """Say how much of the evidence of a coder was found in all clips as they are now."""
        latest = [review.prediction_for(clip.clip_id, coder) for clip in review.clips]
        said = [prediction for prediction in latest if prediction is not None]
        known = self._known.get(coder)
        if known is None or not _same(known[0], said):
            is_short = len(said) <= MANY
            reach = reach_words(said) if is_short else "not yet worked out"
            known = self._known[coder] = (said, grounding_words(said, reach))
            if not is_short:
                self._ask(coder, said)
        return known[1]

    def _ask(self, coder: str, said: list[Prediction]) -> None:
        def take(reach: str) -> None:
            if _same(self._known[coder][0], said):
                self._known[coder] = (said, grounding_words(said, reach))
                self._came()

        self._background.start(
            Job("Work out an interval", Lane.LOOK),
            lambda _report, _stop: reach_words(said),
            take,
            # The rate stands without it.
            lambda error: log.info("an interval is not worked out: %s", error),
        )


def grounding_words(said: list[Prediction], reach: str) -> str:
    """Say the rate with its denominator and interval, as the report words it.

    Args:
        said: Of one coder; found is verified and close of all that was cited.
        reach: The interval, from `reach_words`.
    """
    rate = run_grounding(said)
    if rate is None or rate.share is None:
        return "In this lesson: no evidence cited."
    return (
        f"In this lesson: {rate.count} of {count_words(rate.of, 'piece')} found, "
        f"{rate.share * 100:.0f}% (95% interval {reach})."
    )


def reach_words(said: list[Prediction]) -> str:
    """Write the interval of the rate; a dash where there is none.

    It draws whole clips, since a clip gives several citations (protocols, part 1). One without
    width, from clips that are all alike, says nothing and is left open.
    """
    interval = bootstrap_mean(
        [[float(e.check.supports) for e in p.evidence] for p in said if p.evidence]
    )
    if interval is None or interval.low == interval.high:
        return "–"
    return f"{interval.low * 100:.0f} to {interval.high * 100:.0f}%"


def _same(before: list[Prediction], now: list[Prediction]) -> bool:
    """Say whether these are the very same records; comparing what is in them would take long."""
    return len(before) == len(now) and all(a is b for a, b in zip(before, now, strict=True))
