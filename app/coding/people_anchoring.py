"""Whether people move towards a coder once they have seen what it suggests.

Only clips count that a person coded blind and whose suggestion they saw afterwards: what they said
first was their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.coding.people import last_said
from app.coding.records import Decision, Prediction, Stage
from app.coding.review import LessonReview
from app.lesson.clips import Clip
from app.scoring.figures import Figure, figure_of
from app.scoring.paired import change_of_share
from app.scoring.proportions import Proportion

NONE_AGAIN = "no clip that was coded blind was decided again after the suggestion was shown"
NONE_BLIND = "no clip was coded blind before the suggestion was shown"


@dataclass(frozen=True, slots=True)
class AnchoredClip:
    """A clip coded blind, with what was said of it after its suggestion was shown."""

    lesson_id: str
    title: str
    number: int
    clip: Clip
    suggested: str
    """The coder's main practice; empty for none."""
    before: Decision
    after: Decision | None
    """`None` where the person left it as it was."""

    @property
    def agreed_before(self) -> bool:
        """Whether the blind code was the coder's practice."""
        return self.before.practice == self.suggested

    @property
    def agreed_after(self) -> bool:
        """Whether it was once the suggestion had been seen; left alone, it is as before."""
        return (self.after or self.before).practice == self.suggested


@dataclass(frozen=True, slots=True)
class Anchoring:
    """A person's agreement with a coder before and after seeing what it suggests."""

    person: str
    coder: str
    before: Figure
    """Over the clips that were decided again."""
    after: Figure
    before_all: Figure
    """Over all clips that were coded blind; those left alone count as unchanged. People decide
    again mostly where they change their mind, so that `before` and `after` alone overstate it."""
    after_all: Figure
    change: Figure
    """After minus before, over the clips that were decided again: -1 to 1."""
    change_all: Figure
    """The same over all clips that were coded blind."""
    toward: int
    """Clips that went from another practice to the coder's."""
    away: int
    """Clips that went from the coder's practice to another."""
    clips: tuple[AnchoredClip, ...]

    @property
    def again(self) -> tuple[AnchoredClip, ...]:
        """The clips that were decided again."""
        return tuple(clip for clip in self.clips if clip.after is not None)


def anchoring(reviews: Sequence[LessonReview], person: str, coder: str) -> Anchoring:
    """Compare a person with a coder before and after its suggestions were shown."""
    clips = tuple(clip for review in reviews for clip in _anchored(review, person, coder))
    again = [clip for clip in clips if clip.after is not None]
    return Anchoring(
        person,
        coder,
        _share([c.agreed_before for c in again], NONE_AGAIN),
        _share([c.agreed_after for c in again], NONE_AGAIN),
        _share([c.agreed_before for c in clips], NONE_BLIND),
        _share([c.agreed_after for c in clips], NONE_BLIND),
        _change(again, NONE_AGAIN),
        _change(clips, NONE_BLIND),
        sum(c.agreed_after and not c.agreed_before for c in clips),
        sum(c.agreed_before and not c.agreed_after for c in clips),
        clips,
    )


def _anchored(review: LessonReview, person: str, coder: str) -> Iterable[AnchoredClip]:
    for number, clip in enumerate(review.clips, 1):
        prediction = last_said(review, clip.clip_id, coder)
        if prediction is None or prediction.is_failure:
            continue
        found = _before_and_after(review.decisions_for(clip.clip_id), person, prediction)
        if found is not None:
            before, after = found
            yield AnchoredClip(
                review.lesson_id,
                review.title,
                number,
                clip,
                prediction.practice,
                before,
                after,
            )


def _before_and_after(
    decisions: Sequence[Decision], person: str, prediction: Prediction
) -> tuple[Decision, Decision | None] | None:
    """Find the first blind decision and the last seen one before any discussion."""
    before: Decision | None = None
    after: Decision | None = None
    for decision in decisions:
        if decision.stage is Stage.CONSENSUS:
            break
        if decision.author != person or decision.coder != prediction.coder:
            continue
        if decision.blind and before is None:
            before = decision
        elif before is not None and not decision.blind:
            after = decision
    return (before, after) if before is not None else None


def _share(met: Sequence[bool], reason: str) -> Figure:
    return figure_of(Proportion(sum(met), len(met)), reason)


def _change(clips: Sequence[AnchoredClip], reason: str) -> Figure:
    return change_of_share([(c.agreed_before, c.agreed_after) for c in clips], reason)
