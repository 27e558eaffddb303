"""Which clips are most worth a look, and why: the order of the review queue."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.coding.evidence import grounding
from app.coding.records import Check, Prediction
from app.coding.review import LessonReview
from app.lesson.clips import Clip

LOW_MARGIN = 0.1
"""A lead below this is called narrow; about half of the finder's leads lie above it."""

_UNDECIDED = 1.0
_DISPUTED = 0.5
"""After what nobody has decided on, before what is settled."""
_NO_PREDICTION = 0.5
_NO_CODE = -0.2
"""Below a claim that looks sound: there is nothing to check, and most such clips show nothing."""
_DISAGREE, _LEVELS_DIFFER = 0.8, 0.3
_UNVERIFIED, _SEEN_ONLY, _WEAK = 0.6, 0.4, 0.3
_NARROW = 0.4
_MOVED = 0.3


@dataclass(frozen=True, slots=True)
class QueueItem:
    """A clip, how much a look at it is worth, and the reasons in plain words."""

    clip: Clip
    worth: float
    """0 for a clip that was decided; the highest first."""
    reasons: tuple[str, ...]


def review_queue(review: LessonReview) -> tuple[QueueItem, ...]:
    """Put the clips of a lesson in the order in which a look is worth most.

    Clips that nobody has decided on come before those that were; within each, by worth, and
    where that is the same by time. A decision ends a clip's worth. The reasons name no practice,
    so that they can be shown to a reviewer who codes blind.
    """
    items = [_item(review, clip) for clip in review.clips]
    return tuple(sorted(items, key=lambda item: -item.worth))


def _item(review: LessonReview, clip: Clip) -> QueueItem:
    if review.decision_for(clip.clip_id):
        return QueueItem(clip, 0.0, ("Already decided.",))
    if review.is_disputed(clip.clip_id):
        reason = "People coded it differently; it waits to be talked over on the Agreement page."
        return QueueItem(clip, _DISPUTED, (reason,))
    said = _latest(review, clip)
    found = [*_of_predictions(said), *_of_evidence(said), *_of_place(said, clip)]
    found.sort(key=lambda one: -one[0])
    worth = _UNDECIDED + sum(weight for weight, _ in found)
    return QueueItem(clip, worth, ("Nobody has decided on it.", *(reason for _, reason in found)))


def _latest(review: LessonReview, clip: Clip) -> list[Prediction]:
    """Give the last word of each coder on a clip."""
    own = review.predictions_for(clip.clip_id)
    return list({prediction.coder: prediction for prediction in own}.values())


def _of_predictions(said: Sequence[Prediction]) -> list[tuple[float, str]]:
    """Weigh what the coders say: nothing, different things, or something by a narrow lead."""
    if not said:
        return [(_NO_PREDICTION, "No coder has looked at it.")]
    coded = [p for p in said if p.practice]
    if not coded:
        return [(_NO_CODE, "No coder found a practice in it.")]
    found = []
    if len({p.practice for p in coded}) > 1:
        found.append((_DISAGREE, "The coders disagree on the practice."))
    elif len(coded) < len(said):
        found.append((_LEVELS_DIFFER, "Some coders find a practice in it, some find none."))
    elif len({p.level for p in coded}) > 1:
        found.append((_LEVELS_DIFFER, "The coders agree on the practice, not on its level."))
    margins = [p.margin for p in coded if p.margin is not None]
    if margins and min(margins) < LOW_MARGIN:
        found.append((_NARROW, "The practice named leads by little."))
    return found


def _of_evidence(said: Sequence[Prediction]) -> list[tuple[float, str]]:
    """Weigh what the check made of the evidence for the codes that are claimed."""
    coded = [p for p in said if p.practice]
    cited = [e for p in coded for e in p.evidence]
    if not coded:
        return []
    rate = grounding(cited)
    if rate is None:
        return [(_UNVERIFIED, "No evidence is cited for it.")]
    failed = sum(e.check in (Check.NOT_FOUND, Check.OUTSIDE) for e in cited)
    found = []
    if failed:
        what = "1 piece" if failed == 1 else f"{failed} pieces"
        found.append((_UNVERIFIED, f"{what} of evidence, of {rate.of}, could not be verified."))
    if rate.count == 0 and not failed:
        found.append((_SEEN_ONLY, "All its evidence is to be seen, which only a person can check."))
    if any(e.weak for e in cited):
        found.append((_WEAK, "Some of its evidence needs a careful look."))
    return found


def _of_place(said: Sequence[Prediction], clip: Clip) -> list[tuple[float, str]]:
    """Weigh whether the clip is still the one that was coded."""
    was = {(p.clip.first, p.clip.last, p.clip.start_ms, p.clip.end_ms) for p in said}
    if said and (clip.first, clip.last, clip.start_ms, clip.end_ms) not in was:
        return [(_MOVED, "It was moved after it was coded.")]
    return []
