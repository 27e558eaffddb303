"""Moments to talk over: codes that people hold, with evidence that stands.

Only what people decided counts. Evidence is what a person cited, or what a coder cited for the
same practice and the check found word for word or nearly so; all of it is looked up once more in
the transcript as it stands now.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.coding.coaching import Looked
from app.coding.evidence import QuoteFinder
from app.coding.people_names import people_in
from app.coding.records import Check, Citation, Decision, Evidence, Prediction, Verdict
from app.coding.review import LessonReview
from app.errors import ReportRefused
from app.lesson.clips import Clip
from app.scoring.scored import Code

MOST_MOMENTS = 6
"""As many as an hour's talk can hold, and two pages; ours."""


@dataclass(frozen=True, slots=True)
class Quote:
    """What was said or seen in a moment, checked against the transcript as it stands."""

    words: str
    """The transcript's own wording, or what a person says was to be seen."""
    seen: bool
    speakers: tuple[str, ...]
    """In order, each once; empty where they are not known."""
    utterances: tuple[int, ...]
    start_ms: int | None
    end_ms: int | None


@dataclass(frozen=True, slots=True)
class Moment:
    """A practice that people hold to show in a clip, and what they rest it on."""

    place: int
    """The clip's place in the lesson, from 1."""
    clip: Clip
    """As it was when they decided."""
    code: Code
    quotes: tuple[Quote, ...]
    """At least one: what people cited first, then what coders did."""
    by: str
    """Who decided, as the decision names them."""


@dataclass(frozen=True, slots=True)
class Held:
    """What people decided on a lesson, as far as it can be talked over."""

    decisions: tuple[tuple[int, Decision], ...]
    """Place of the clip, from 1, and the decision that stands for it; disputed clips have none."""
    disputed: tuple[int, ...]
    """Places of clips that people coded differently and have not talked over."""
    people: tuple[str, ...]
    """Who decided, each name once, in order of the alphabet."""
    moments: tuple[Moment, ...]
    """In order of the lesson."""

    @property
    def looked(self) -> list[Looked]:
        """The clips people decided on, for `share_out`."""
        return [
            Looked(place, d.clip, tuple(dict.fromkeys(code.practice for code in d.codes)))
            for place, d in self.decisions
        ]


def what_people_hold(review: LessonReview) -> Held:
    """Gather the decisions that stand on the clips as they are, and the moments they give."""
    finder = QuoteFinder(review.transcript.utterances if review.transcript else ())
    decisions, disputed = [], []
    for place, clip in enumerate(review.clips, 1):
        decision = review.decision_for(clip.clip_id)
        if review.is_disputed(clip.clip_id):
            disputed.append(place)
        elif decision is not None:
            decisions.append((place, decision))
    moments = [
        moment
        for place, decision in decisions
        for moment in _moments(review, place, decision, finder)
    ]
    people = {
        name
        for _, decision in decisions
        for said in review.decisions_for(decision.clip.clip_id)
        for name in people_in(said.author)
    }
    return Held(tuple(decisions), tuple(disputed), tuple(sorted(people)), tuple(moments))


def require_moments(review: LessonReview, held: Held) -> None:
    """Refuse where there is nothing to talk over, and say what to do about it.

    Raises:
        ReportRefused: No code that people hold has evidence that stands.
    """
    if held.moments:
        return
    raise ReportRefused(
        f"There is no coaching page on “{review.title}” yet: it is written only from codes that "
        f"people accepted and evidence that stands, and {_lacking(review, held)}.",
        _what_to_do(review, held),
    )


def choose_moments(moments: Sequence[Moment], most: int = MOST_MOMENTS) -> tuple[Moment, ...]:
    """Choose what to talk over, in order of the lesson; a clip is taken once.

    First the highest level of each practice, then the lowest of each, then what is left, always
    the earliest of several: a talk begins with what was there and goes on to what could come.
    """
    practices = sorted({m.code.practice for m in moments})
    chosen: list[Moment] = []
    for highest in (True, False):
        for practice in practices:
            taken = {m.place for m in chosen}
            left = [m for m in moments if m.code.practice == practice and m.place not in taken]
            chosen += sorted(left, key=lambda m: _rank(m, highest=highest))[:1]
    for moment in moments:
        if moment.place not in {m.place for m in chosen}:
            chosen.append(moment)
    return tuple(sorted(chosen[:most], key=lambda m: m.place))


def _rank(moment: Moment, *, highest: bool) -> tuple[bool, int, int]:
    level = moment.code.level
    return level is None, -(level or 0) if highest else level or 0, moment.place


def _moments(
    review: LessonReview, place: int, decision: Decision, finder: QuoteFinder
) -> Iterator[Moment]:
    for code in dict.fromkeys(decision.codes):
        quotes = tuple(_quotes(review, decision, code.practice, finder))
        if quotes:
            yield Moment(place, decision.clip, code, quotes, decision.author)


def _quotes(
    review: LessonReview, decision: Decision, practice: str, finder: QuoteFinder
) -> Iterator[Quote]:
    """Give what stands for a practice in a clip, each passage once."""
    known: set[tuple[bool, object]] = set()
    for citation in _cited(review, decision, practice):
        found = finder.check(citation, decision.clip)
        quote = _quote(review, found)
        mark = (quote.seen, quote.utterances or (quote.start_ms, quote.end_ms)) if quote else None
        if quote is not None and mark is not None and mark not in known:
            known.add(mark)
            yield quote


def _cited(review: LessonReview, decision: Decision, practice: str) -> Iterator[Citation]:
    """Give what people cited for a practice in a clip, then what the coder they looked at did."""
    yield from decision.evidence
    for other in review.own_decisions(decision.clip.clip_id):
        if other != decision and practice in {code.practice for code in other.codes}:
            yield from other.evidence
    for prediction in _looked_at(review, decision, practice):
        for evidence in prediction.evidence:
            if evidence.check.supports and not evidence.weak:
                yield Citation(quote=evidence.found, utterances=evidence.utterances)


def _looked_at(review: LessonReview, decision: Decision, practice: str) -> list[Prediction]:
    """Give the latest words of coders on a clip that name a practice and were there to be seen.

    Of the coder that was on the screen; of any where none was, as after coding blind.
    """
    latest = {
        p.coder: p
        for p in review.predictions_for(decision.clip.clip_id)
        if (not decision.coder or p.coder == decision.coder) and _was_there(p, decision)
    }
    return [p for p in latest.values() if p.practice == practice]


def _was_there(prediction: Prediction, decision: Decision) -> bool:
    """Whether a prediction was in the library when the decision was made, as far as is known."""
    return not decision.coder or not prediction.made_at or prediction.made_at <= decision.made_at


def _quote(review: LessonReview, evidence: Evidence) -> Quote | None:
    if evidence.check is Check.SEEN:
        start_ms, end_ms = evidence.start_ms, evidence.end_ms
        return Quote(evidence.citation.seen, True, (), (), start_ms, end_ms)
    if not evidence.check.supports:
        return None
    lines = review.transcript.utterances if review.transcript else ()
    speakers = [line.speaker for line in lines if line.number in evidence.utterances]
    return Quote(
        evidence.found,
        False,
        tuple(dict.fromkeys(name for name in speakers if name)),
        evidence.utterances,
        evidence.start_ms,
        evidence.end_ms,
    )


def _lacking(review: LessonReview, held: Held) -> str:
    if not review.clips:
        return "no clips have been drawn"
    if not held.decisions and held.disputed:
        return "people differ on every clip that they decided on"
    if not held.decisions and review.withheld:
        return "what others decided is not shown to somebody who codes blind"
    if not held.decisions:
        return f"nobody has decided on any of its clips yet (0 of {len(review.clips)})"
    if all(d.verdict is Verdict.REJECT for _, d in held.decisions):
        decided = f"{len(held.decisions)} of {len(review.clips)}"
        return f"none of the clips that were decided on ({decided}) was given a practice"
    return "none of the codes that were accepted has a quote that stands in the transcript"


def _what_to_do(review: LessonReview, held: Held) -> str:
    if not review.clips:
        return "Open the lesson and have evidence looked for, or draw clips yourself."
    if not held.decisions and held.disputed:
        return "Talk these clips over and write down what you agree on."
    if not held.decisions and review.withheld:
        return "Code the clips yourself first."
    if not held.decisions or all(d.verdict is Verdict.REJECT for _, d in held.decisions):
        return "In the lesson, look at the evidence of a clip, then accept or correct its code."
    return "Open a clip with a code and cite the lines of the transcript that it rests on."
