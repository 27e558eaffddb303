"""Clips that two or more people coded: what each said, and what they agree on afterwards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from app.coding.people import first_word
from app.coding.people_names import joined
from app.coding.pick import Pick
from app.coding.records import Citation, Decision, Stage, Verdict
from app.coding.review import LessonReview
from app.coding.sight import Sight
from app.lesson.clips import Clip


class Which(StrEnum):
    """Which clips to list."""

    OPEN = "Differing, not yet agreed"
    DIFFERING = "First words differ"
    ALL = "Coded by two or more"


@dataclass(frozen=True, slots=True)
class CodedClip:
    """One clip that two or more people coded on their own."""

    lesson_id: str
    title: str
    number: int
    clip: Clip
    words: tuple[Decision, ...]
    """Each person's first word, in the order in which they said it."""
    latest: tuple[Decision, ...]
    """Each person's latest word; it may have been said after seeing the others'."""
    stands: Decision | None
    """What stands now: the consensus, or what all say; `None` while they differ."""
    is_open: bool
    """Whether people differ and have not agreed since."""

    @property
    def people(self) -> tuple[str, ...]:
        """Who coded it."""
        return tuple(word.author for word in self.words)

    @property
    def differs(self) -> bool:
        """Whether the first words name another main code, or other codes beside it."""
        said = {(w.practice, w.level, frozenset(w.also)) for w in self.words}
        return len(said) > 1

    def is_among(self, which: Which) -> bool:
        """Say whether the clip belongs to a list."""
        if which is Which.OPEN:
            return self.is_open
        return which is Which.ALL or self.differs


def coded_clips(reviews: Iterable[LessonReview], sight: Sight) -> tuple[tuple[CodedClip, ...], int]:
    """Give the clips that two or more people coded, and how many of them are left out.

    Left out are those whose codes the reviewer may not see yet, since they still code them blind.
    """
    return in_sight(((review, coded_in(review)) for review in reviews), sight)


def coded_in(review: LessonReview) -> tuple[CodedClip, ...]:
    """Give the clips of a lesson that two or more people coded, whoever may see them."""
    found = (_coded(review, number, clip) for number, clip in enumerate(review.clips, 1))
    return tuple(coded for coded in found if coded is not None)


def in_sight(
    lessons: Iterable[tuple[LessonReview, tuple[CodedClip, ...]]], sight: Sight
) -> tuple[tuple[CodedClip, ...], int]:
    """Give those clips that a reviewer may see the codes of, and how many are left out."""
    found, hidden = [], 0
    for review, coded in lessons:
        shown = [one for one in coded if sight.shows_labels(review, one.clip.clip_id)]
        found += shown
        hidden += len(coded) - len(shown)
    return tuple(found), hidden


def begin_consensus(coded: CodedClip) -> Pick:
    """Give what the people already agree on, to start from: what stands, or what is the same."""
    if coded.stands is not None:
        return Pick(coded.stands.practice, coded.stands.level, coded.stands.also)
    practices = {word.practice for word in coded.latest}
    if len(practices) != 1:
        return Pick()
    levels = {word.level for word in coded.latest}
    return Pick(practices.pop(), levels.pop() if len(levels) == 1 else None)


def consensus(
    review: LessonReview, coded: CodedClip, pick: Pick, note: str, made_at: str
) -> Decision:
    """Make the decision that people come to together; what each said first stays beside it.

    The evidence is what those people cite who had the agreed practice among their codes.
    """
    prediction = review.prediction_for(coded.clip.clip_id)
    is_same = prediction is not None and prediction.practice == pick.practice
    is_same = is_same and prediction is not None and prediction.level == pick.level
    verdict = Verdict.ACCEPT if is_same else Verdict.CORRECT
    return Decision(
        clip=coded.clip,
        verdict=verdict if pick.practice else Verdict.REJECT,
        practice=pick.practice,
        level=pick.level if pick.practice else None,
        author=joined(coded.people),
        made_at=made_at,
        note=note,
        coder=prediction.coder if prediction else "",
        stage=Stage.CONSENSUS,
        also=pick.also if pick.practice else (),
        evidence=_shared_evidence(coded.latest, pick.practice),
    )


def _coded(review: LessonReview, number: int, clip: Clip) -> CodedClip | None:
    latest = review.own_decisions(clip.clip_id)
    if len(latest) < 2:
        return None
    places = {id(d): n for n, d in enumerate(review.decisions_for(clip.clip_id))}
    words = [first_word(review, clip.clip_id, person.author) or person for person in latest]
    words.sort(key=lambda word: places[id(word)])
    return CodedClip(
        review.lesson_id,
        review.title,
        number,
        clip,
        tuple(words),
        latest,
        review.decision_for(clip.clip_id),
        review.is_disputed(clip.clip_id),
    )


def _shared_evidence(words: Sequence[Decision], practice: str) -> tuple[Citation, ...]:
    cited = [
        citation
        for word in words
        if practice and practice in {code.practice for code in word.codes}
        for citation in word.evidence
    ]
    return tuple(dict.fromkeys(cited))
