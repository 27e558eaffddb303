"""How far to trust what a coder says of itself, by what people decided about the same clips.

Nothing is assumed of a coder: its confidence is set beside people's decisions in this library.
Decisions that followed a shown label are anchored, so that those made without one are used alone
as soon as there are enough of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from app.coding.confidence import Confidence, Source, confidences
from app.coding.records import Decision, Prediction, Stage
from app.coding.review import LessonReview
from app.lesson.clips import Clip
from app.scoring.calibration import (
    LEAST,
    Bin,
    Claim,
    brier_score,
    expected_calibration_error,
    reliability_bins,
)
from app.scoring.conformal import (
    COVERAGE,
    Decided,
    Limit,
    PredictionSet,
    prediction_set,
    set_limit,
    sets_left_out,
)
from app.scoring.figures import Figure, figure_of, undefined
from app.scoring.proportions import Proportion

NO_CLAIM = "nobody has decided on a clip in which this coder names a practice"


@dataclass(frozen=True, slots=True)
class DecidedClip:
    """A clip that people decided on, with the last word of each coder on it."""

    lesson_id: str
    clip_id: str
    stands: Decision | None
    """What counts now; `None` where people differ and have not agreed."""
    free: Decision | None
    """What was decided before any label was shown; `None` where nothing was, or people differ."""
    predictions: tuple[Prediction, ...]


@dataclass(frozen=True, slots=True)
class Trust:
    """One coder beside people's decisions."""

    coder: str
    decisions: int
    """Decisions that the figures rest on."""
    free: int
    """Decisions there are that were made before any label was shown."""
    is_anchored: bool
    """Whether some of `decisions` followed a shown label, so that it looks better than it is."""
    right: Figure
    """Share of the named practices that people accept."""
    source: Source | None
    """What its confidence is counted from; `None` where there is none to be had."""
    bins: tuple[Bin, ...]
    """For the reliability plot; empty with too few decisions, or without a confidence."""
    error: Figure
    """Expected calibration error; `n` says how many decisions it rests on."""
    brier: Figure
    limit: Limit
    """What a prediction set needs; `limit.n` counts the decisions it rests on."""
    sizes: tuple[tuple[int, int], ...]
    """Practices in a set, and how many sets: of the decided clips, each by a limit learned from
    all the others. Clips for which no set can be given that way are in none."""
    no_confidence: int
    """Decided clips on which it names a practice but nothing tells how sure it is."""
    silent: int
    """Decided clips on which it found no practice."""
    failures: int
    """Decided clips for which it gave no usable answer: counted beside, never in."""
    moved: int
    """Clips left out because their ends lay elsewhere when one of the two was said."""

    @property
    def mean_size(self) -> float | None:
        """Practices in a set on average; `None` without sets."""
        count = sum(times for _, times in self.sizes)
        return sum(size * times for size, times in self.sizes) / count if count else None


def decided_clips(
    review: LessonReview, predictions: Mapping[str, Sequence[Prediction]], person: str = ""
) -> list[DecidedClip]:
    """Give the clips of a lesson that people decided on.

    Args:
        review: With its decisions.
        predictions: The last word of each coder, by clip.
        person: Whose decisions count, those made alone; empty for what stands among all.
    """
    found = []
    for clip_id in dict.fromkeys(d.clip.clip_id for d in review.decisions):
        stands = _word_that_stands(review, clip_id, person)
        free = _free_word(review, clip_id, person)
        if stands is not None or free is not None:
            said = tuple(predictions.get(clip_id, ()))
            found.append(DecidedClip(review.lesson_id, clip_id, stands, free, said))
    return found


def trust_in_coders(decided: Sequence[DecidedClip], least: int = LEAST) -> tuple[Trust, ...]:
    """Set every coder beside the decisions, in order of name.

    Args:
        decided: Of the whole library.
        least: Decisions below which no figure of confidence is given.
    """
    own: dict[str, list[DecidedClip]] = {}
    for clip in decided:
        for coder in {prediction.coder for prediction in clip.predictions}:
            own.setdefault(coder, []).append(clip)
    return tuple(trust_in(own[coder], coder, least) for coder in sorted(own))


def trust_in(decided: Sequence[DecidedClip], coder: str, least: int = LEAST) -> Trust:
    """Set one coder beside the decisions; takes about a tenth of a second for its intervals."""
    pairs = _Pairs(decided, coder, least)
    source = _source_of(pairs.named)
    sure = [(pair, pair.sure.get(source) if source else None) for pair in pairs.named]
    known = [(pair, found) for pair, found in sure if found is not None]
    claims = [Claim(found.value or 0.0, pair.is_right) for pair, found in known]
    settled = [Decided(found.scores, pair.chosen(found)) for pair, found in known]
    limit = set_limit(settled, COVERAGE, least)
    sets = [one.practices for one in sets_left_out(settled, COVERAGE, least)]
    sizes = Counter(len(practices) for practices in sets if practices is not None)
    right = Proportion(sum(pair.is_right for pair in pairs.named), len(pairs.named))
    return Trust(
        coder,
        decisions=len(pairs.named),
        free=pairs.free,
        is_anchored=pairs.is_anchored,
        right=figure_of(right, NO_CLAIM),
        source=source,
        bins=reliability_bins(claims, least=least),
        error=_or_none(expected_calibration_error(claims, least=least), source),
        brier=_or_none(brier_score(claims, least=least), source),
        limit=limit,
        sizes=tuple(sorted(sizes.items())),
        no_confidence=len(sure) - len(known),
        silent=pairs.silent,
        failures=pairs.failures,
        moved=pairs.moved,
    )


def set_for(
    trust: Trust, prediction: Prediction, beside: Sequence[Prediction] = ()
) -> PredictionSet:
    """Give the practices that may be the right one for a clip, with the coverage this coder has
    earned; without a set where too little was decided or nothing tells how sure it is.
    """
    found = next((c for c in confidences(prediction, beside) if c.source is trust.source), None)
    return prediction_set(trust.limit, found.scores if found else ())


def decisions_words(trust: Trust, least: int = LEAST) -> str:
    """Say what the figures of a coder rest on, in plain sentences."""
    told = [f"{trust.decisions} of {least} decisions"] if trust.decisions < least else []
    told = told or [f"{trust.decisions} decisions"]
    if trust.is_anchored:
        free = f"only {trust.free}" if trust.free else "none"
        told.append(
            f"{free} of them made before a label was shown, so that the coder looks better here "
            "than it is"
        )
    elif trust.decisions:
        told.append("all made before a label was shown")
    return ", ".join(told) + "."


@dataclass(frozen=True)
class _Pair:
    prediction: Prediction
    decision: Decision
    beside: tuple[Prediction, ...]

    @property
    def accepted(self) -> set[str]:
        return {code.practice for code in self.decision.codes}

    @property
    def is_right(self) -> bool:
        return self.prediction.practice in self.accepted

    @cached_property
    def sure(self) -> dict[Source, Confidence]:
        found = confidences(self.prediction, self.beside)
        return {one.source: one for one in found if one.source}

    def chosen(self, found: Confidence) -> str:
        """Give the accepted practice that a set reaches first; empty where none is accepted."""
        scores = dict(found.scores)
        return max(sorted(self.accepted), key=lambda p: scores.get(p, 0.0), default="")


class _Pairs:
    """A coder's predictions beside the decisions that count for them."""

    def __init__(self, decided: Sequence[DecidedClip], coder: str, least: int) -> None:
        self.failures = self.silent = self.moved = 0
        own = [(clip, p) for clip in decided for p in clip.predictions if p.coder == coder]
        free = [_Pair(p, c.free, c.predictions) for c, p in own if c.free is not None]
        usable = [pair for pair in free if _is_claim(pair)]
        self.free = len(usable)
        use_free = len(usable) >= least
        if not use_free:
            standing = [_Pair(p, c.stands, c.predictions) for c, p in own if c.stands is not None]
            # A word said before any label was shown stands in the place of a later one.
            first = {id(pair.prediction): pair for pair in free}
            standing = [first.pop(id(pair.prediction), pair) for pair in standing]
            free = [*standing, *first.values()]
        self.named: list[_Pair] = []
        for pair in free:
            self._sort(pair)
        self.is_anchored = len(self.named) > self.free

    def _sort(self, pair: _Pair) -> None:
        if pair.prediction.is_failure:
            self.failures += 1
        elif not _is_same_stretch(pair.prediction.clip, pair.decision.clip):
            self.moved += 1
        elif not pair.prediction.practice:
            self.silent += 1
        else:
            self.named.append(pair)


def _is_claim(pair: _Pair) -> bool:
    return (
        not pair.prediction.is_failure
        and bool(pair.prediction.practice)
        and _is_same_stretch(pair.prediction.clip, pair.decision.clip)
    )


def _is_same_stretch(one: Clip, other: Clip) -> bool:
    return (one.first, one.last, one.span) == (other.first, other.last, other.span)


def _source_of(pairs: Sequence[_Pair]) -> Source | None:
    """Choose one source for all clips, since shares of different things are not compared."""
    counted = Counter(source for pair in pairs for source in pair.sure)
    return max(Source, key=lambda source: counted[source]) if counted else None


def _or_none(figure: Figure, source: Source | None) -> Figure:
    if source is None:
        return undefined("nothing tells how sure this coder is", figure.n)
    return figure


def _word_that_stands(review: LessonReview, clip_id: str, person: str) -> Decision | None:
    if not person:
        return review.decision_for(clip_id)
    own = [d for d in review.own_decisions(clip_id) if d.author == person]
    return own[-1] if own else None


def _free_word(review: LessonReview, clip_id: str, person: str) -> Decision | None:
    """Give what was decided before a label was shown; each person's first such word counts.

    Where several people say different things, a consensus among them speaks; nothing does without.
    """
    first: dict[str, Decision] = {}
    for decision in review.decisions_for(clip_id):
        if decision.stage is Stage.OWN and person in ("", decision.author):
            # An earlier word that followed a label makes every later one of that person follow it.
            first.setdefault(decision.author, decision)
    words = [d for d in first.values() if d.blind or not d.coder]
    if len({(d.practice, frozenset(code.practice for code in d.also)) for d in words}) < 2:
        return words[0] if words else None
    stands = review.decision_for(clip_id)
    return stands if stands is not None and stands.stage is Stage.CONSENSUS else None
