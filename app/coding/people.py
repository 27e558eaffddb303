"""How far people, and people and coders, agree before they talk it over.

What is compared is each person's first word on a clip: the first standing decision they made on
their own, before a consensus, and the one made blind where there is one. A coder's word is its
latest prediction that did not fail. Clips are those that stand now.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from app.coding.records import Check, Citation, Decision, Prediction, Stage
from app.coding.review import LessonReview
from app.lesson.clips import Clip
from app.lesson.spans import Span
from app.lesson.transcript.records import Utterance, span_of
from app.scoring.coded_time import (
    CitedAgreement,
    CodedSpan,
    TimeAgreement,
    compare_cited,
    compare_over_time,
    line_overlap,
    pool_overlap,
)
from app.scoring.coders import CoderAgreement, alpha_of_coders, compare_coders
from app.scoring.figures import Figure
from app.scoring.scored import Code


@dataclass(frozen=True, slots=True, order=True)
class Side:
    """One of two who are compared: a person or a coder."""

    is_coder: bool
    name: str


@dataclass(frozen=True, slots=True)
class Word:
    """What one side said of one clip."""

    codes: tuple[Code, ...]
    """The main code first; empty for "none of the practices"."""
    is_blind: bool
    """Whether a person said it before seeing any label."""
    stretch: Span | None
    """The time it was said of, as far as it still belongs to the clip."""
    spans: tuple[Span, ...] = ()
    """The moments cited for it."""
    lines: frozenset[int] = frozenset()
    """The utterances cited for it."""


@dataclass(frozen=True, slots=True)
class ClipPair:
    """A clip that both sides coded."""

    lesson_id: str
    title: str
    number: int
    """Place of the clip in its lesson, from 1."""
    clip: Clip
    first: Word
    second: Word

    @property
    def key(self) -> str:
        """Names the clip among those of all lessons."""
        return clip_key(self.lesson_id, self.clip.clip_id)

    @property
    def is_same(self) -> bool:
        """Whether both gave the same main practice, or both none."""
        return _main(self.first) == _main(self.second)


@dataclass(frozen=True, slots=True)
class AgreementReport:
    """Two sides over all clips that both coded."""

    first: Side
    second: Side
    pairs: tuple[ClipPair, ...]
    codes: CoderAgreement
    time: TimeAgreement
    cited: CitedAgreement
    lines: Figure
    """Utterances cited by both out of those cited by either: also without times."""
    both_blind: int
    """Clips on which neither person had seen a label; a coder never has."""
    failures: int
    """Clips a coder was asked about without a usable answer: counted beside, never compared."""


def clip_key(lesson_id: str, clip_id: str) -> str:
    """Name a clip among those of all lessons; two lessons may hold clips of the same id."""
    return f"{lesson_id} {clip_id}"


def sides_in(reviews: Iterable[LessonReview]) -> tuple[Side, ...]:
    """Name everybody who coded a clip alone, by name, then every coder, by name."""
    found: set[Side] = set()
    for review in reviews:
        found.update(Side(False, d.author) for d in review.decisions if d.stage is Stage.OWN)
        found.update(Side(True, p.coder) for p in review.predictions)
    return in_order(found)


def in_order(sides: Iterable[Side]) -> tuple[Side, ...]:
    """Put people by name before coders by name."""
    return tuple(sorted(sides, key=lambda side: (side.is_coder, side.name.casefold(), side.name)))


def first_word(review: LessonReview, clip_id: str, person: str) -> Decision | None:
    """Give what a person said of a clip on their own, before it was talked over.

    A blind decision made after a consensus counts: who makes it does not know of the consensus.
    """
    before, agreed = [], False
    for decision in review.decisions_for(clip_id):
        if decision.stage is Stage.CONSENSUS:
            agreed = True
        elif decision.author == person and (decision.blind or not agreed):
            before.append(decision)
    blind = [decision for decision in before if decision.blind]
    return next(iter(blind or before), None)


def last_said(review: LessonReview, clip_id: str, coder: str) -> Prediction | None:
    """Give the latest prediction of a coder for a clip, also one that failed."""
    return review.prediction_for(clip_id, coder)


def agreement_report(
    reviews: Sequence[LessonReview],
    first: Side,
    second: Side,
    practices: Sequence[str],
    *,
    only_blind: bool = False,
) -> AgreementReport:
    """Compare two sides over the clips that both coded, in all these lessons.

    Args:
        reviews: The lessons.
        first: A person or a coder.
        second: Another one.
        practices: All practices there are, in order.
        only_blind: Whether words of people who had seen a label are left out.
    """
    said = [
        (review, words_of(review, first, only_blind), words_of(review, second, only_blind))
        for review in reviews
    ]
    pairs = [pair for review, one, other in said for pair in _pairs(review, one, other)]
    cited = (
        {pair.key: list(pair.first.spans) for pair in pairs},
        {pair.key: list(pair.second.spans) for pair in pairs},
    )
    return AgreementReport(
        first=first,
        second=second,
        pairs=tuple(pairs),
        codes=compare_coders(_codes(said, 1), _codes(said, 2), practices),
        time=compare_over_time([(_stretches(one), _stretches(other)) for _, one, other in said]),
        cited=compare_cited(*cited),
        lines=pool_overlap([line_overlap(p.first.lines, p.second.lines) for p in pairs]),
        both_blind=sum(
            all(w.is_blind or s.is_coder for w, s in ((p.first, first), (p.second, second)))
            for p in pairs
        ),
        failures=sum(failures_of(review, side) for review in reviews for side in (first, second)),
    )


def alpha_of_people(reviews: Sequence[LessonReview], *, only_blind: bool = False) -> Figure:
    """Give Krippendorff's alpha of the main practice over all people at once, gaps allowed."""
    people = [side for side in sides_in(reviews) if not side.is_coder]
    return alpha_of_coders(
        [
            {
                clip_key(review.lesson_id, clip_id): word.codes
                for review in reviews
                for clip_id, word in words_of(review, person, only_blind).items()
            }
            for person in people
        ]
    )


def words_of(review: LessonReview, side: Side, only_blind: bool = False) -> dict[str, Word]:
    """Give what one side said of each clip of a lesson that stands, by clip."""
    lines = review.transcript.utterances if review.transcript else ()
    found = {}
    for clip in review.clips:
        if side.is_coder:
            prediction = last_said(review, clip.clip_id, side.name)
            if prediction is not None and not prediction.is_failure:
                found[clip.clip_id] = _of_prediction(clip, prediction)
            continue
        decision = first_word(review, clip.clip_id, side.name)
        if decision is not None and (decision.blind or not only_blind):
            found[clip.clip_id] = of_decision(clip, decision, lines)
    return found


def failures_of(review: LessonReview, side: Side) -> int:
    """Count the clips on which a coder's latest asking gave no usable answer."""
    if not side.is_coder:
        return 0
    said = [last_said(review, clip.clip_id, side.name) for clip in review.clips]
    return sum(prediction is not None and prediction.is_failure for prediction in said)


def of_decision(clip: Clip, decision: Decision, lines: Sequence[Utterance]) -> Word:
    """Give a person's decision as a word on a clip."""
    spans = (_cited_span(cited, lines) for cited in decision.evidence)
    return Word(
        decision.codes,
        decision.blind,
        _still_inside(decision.clip, clip),
        tuple(span for span in spans if span is not None),
        frozenset(n for cited in decision.evidence for n in cited.utterances),
    )


def _of_prediction(clip: Clip, prediction: Prediction) -> Word:
    """Give a prediction as a word; what the check did not find is not cited at all."""
    counts = [e for e in prediction.evidence if e.check.supports or e.check is Check.SEEN]
    spans = [_span(e.start_ms, e.end_ms) for e in counts]
    return Word(
        (prediction.code,) if prediction.code else (),
        False,
        _still_inside(prediction.clip, clip),
        tuple(span for span in spans if span is not None),
        frozenset(n for e in counts for n in e.utterances),
    )


def _pairs(
    review: LessonReview, one: Mapping[str, Word], other: Mapping[str, Word]
) -> Iterable[ClipPair]:
    for number, clip in enumerate(review.clips, 1):
        if clip.clip_id in one and clip.clip_id in other:
            first, second = one[clip.clip_id], other[clip.clip_id]
            yield ClipPair(review.lesson_id, review.title, number, clip, first, second)


def _codes(
    said: Sequence[tuple[LessonReview, Mapping[str, Word], Mapping[str, Word]]], which: int
) -> dict[str, tuple[Code, ...]]:
    found = {}
    for review, one, other in said:
        for clip_id, word in (one if which == 1 else other).items():
            found[clip_key(review.lesson_id, clip_id)] = word.codes
    return found


def _stretches(words: Mapping[str, Word]) -> list[CodedSpan]:
    """Give the time that was coded; it cannot overlap, since clips that stand do not."""
    return [CodedSpan(w.stretch, _main(w)) for w in words.values() if w.stretch is not None]


def _main(word: Word) -> str:
    return word.codes[0].practice if word.codes else ""


def _still_inside(then: Clip, now: Clip) -> Span | None:
    """Give the time of a clip as it was that it still holds: what was said was said of that."""
    if then.span is None or now.span is None or not then.span.overlap_ms(now.span):
        return None
    return Span(max(then.span.start_ms, now.span.start_ms), min(then.span.end_ms, now.span.end_ms))


def _cited_span(cited: Citation, lines: Sequence[Utterance]) -> Span | None:
    span = _span(cited.start_ms, cited.end_ms)
    return span or (span_of(lines, cited.utterances) if cited.utterances else None)


def _span(start_ms: int | None, end_ms: int | None) -> Span | None:
    if start_ms is None or end_ms is None or start_ms >= end_ms:
        return None
    return Span(start_ms, end_ms)
