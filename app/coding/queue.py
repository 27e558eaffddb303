"""Which clips are most worth a look, and why: the order of the review queue.

A clip's worth is a sum of weights, one for each reason that holds. They were set by hand so that a
label that may be wrong outweighs one that is merely unsure: a claim whose evidence cannot stand
(0.6 to 0.7) and coders that disagree (0.8) lie above draws that scatter (0.5), a narrow lead (0.4)
and a wide prediction set (0.3). A model that changes its mind over the frames adds 0.4 to what the
disagreement weighs: there the picture decides, and a person has to look at it.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from app.coding.calibration import Trust, set_for
from app.coding.conditions import condition_of
from app.coding.confidence import of_draws
from app.coding.evidence import grounding
from app.coding.proofs import flags_of
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
_WRONG_REASON = 0.7
_SCATTERED = 0.5
_INPUTS_DIFFER = 0.4
_WIDE_SET = 0.3

SCATTERED_UNDER = Fraction(3, 4)
"""Fewer of the draws than this for the practice that is named: they scatter."""
WIDE_SET = 3
"""So many practices, of four, in a prediction set tell hardly anything."""


@dataclass(frozen=True, slots=True)
class QueueItem:
    """A clip, how much a look at it is worth, and the reasons in plain words."""

    clip: Clip
    worth: float
    """0 for a clip that was decided; the highest first."""
    reasons: tuple[str, ...]


def review_queue(review: LessonReview, trusts: Sequence[Trust] = ()) -> tuple[QueueItem, ...]:
    """Put the clips of a lesson in the order in which a look is worth most.

    Args:
        review: The lesson.
        trusts: How far coders were right in this library, for the size of prediction sets; what
            is not known raises no clip.

    Clips that nobody has decided on come before those that were; within each, by worth, and
    where that is the same by time. A decision ends a clip's worth. The reasons name no practice,
    so that they can be shown to a reviewer who codes blind.
    """
    able = {trust.coder: trust for trust in trusts if trust.limit.most is not None}
    known = _Known(able, flags_of(review))
    items = [_item(review, clip, known) for clip in review.clips]
    return tuple(sorted(items, key=lambda item: -item.worth))


@dataclass(frozen=True, slots=True)
class _Known:
    trusts: Mapping[str, Trust]
    """By coder, those that can give a set."""
    flags: Container[int]
    """Numbers of predictions that may be right for the wrong reason."""


def _item(review: LessonReview, clip: Clip, known: _Known) -> QueueItem:
    if review.decision_for(clip.clip_id):
        return QueueItem(clip, 0.0, ("Already decided.",))
    if review.is_disputed(clip.clip_id):
        reason = "People coded it differently; it waits to be talked over on the Agreement page."
        return QueueItem(clip, _DISPUTED, (reason,))
    said = _latest(review, clip)
    found = [
        *_of_predictions(said),
        *_of_draws(said),
        *_of_evidence(said),
        *_of_probes(said, known.flags),
        *_of_sets(said, known.trusts),
        *_of_place(said, clip),
    ]
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
    if _inputs_differ(said):
        found.append((_INPUTS_DIFFER, "A model says another thing once it sees the frames."))
    margins = [p.margin for p in coded if p.margin is not None]
    if margins and min(margins) < LOW_MARGIN:
        found.append((_NARROW, "The practice named leads by little."))
    return found


def _inputs_differ(said: Sequence[Prediction]) -> bool:
    """Say whether a model given T and TV, all else the same, names different practices."""
    named: dict[tuple[str, str, int], str] = {}
    for prediction in said:
        asked = condition_of(prediction)
        if asked is None or prediction.is_failure:
            continue
        engine, condition = asked
        all_else = engine, condition.prompting, len(prediction.said)
        if named.setdefault(all_else, prediction.practice) != prediction.practice:
            return True
    return False


def _of_draws(said: Sequence[Prediction]) -> list[tuple[float, str]]:
    """Weigh whether a model that was asked several times keeps to what it says."""
    shares = [of_draws(p) for p in said if p.practice]
    low = [one for one in shares if one is not None and _is_scattered(one.value)]
    return [(_SCATTERED, "Asked several times, a model gives different answers.")] if low else []


def _is_scattered(value: float | None) -> bool:
    return value is not None and value < SCATTERED_UNDER


def _of_probes(said: Sequence[Prediction], flags: Container[int]) -> list[tuple[float, str]]:
    """Weigh whether a label may be right for the wrong reason."""
    if any(p.prediction_id in flags for p in said):
        return [(_WRONG_REASON, "A label may not rest on the evidence cited for it.")]
    return []


def _of_sets(said: Sequence[Prediction], known: Mapping[str, Trust]) -> list[tuple[float, str]]:
    """Weigh whether, by what people decided before, nearly any practice may be the right one."""
    sets = [set_for(known[p.coder], p, said) for p in said if p.coder in known and p.practice]
    if any(one.practices is not None and len(one.practices) >= WIDE_SET for one in sets):
        return [(_WIDE_SET, "By earlier decisions, nearly any practice may be the right one.")]
    return []


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
