"""Sets of practices that hold the right one as often as they say.

Split conformal prediction (Vovk, Gammerman and Shafer 2005; Sadinle, Lei and Wasserman 2019 for
sets of labels). From clips that a person decided, with the scores the coder had given before, comes
a limit; of a new clip, every practice that scores at least as well is in the set. The set then
holds the practice the person will choose with the stated coverage, whatever the coder is like, as
long as new clips are like those decided. It is a statement over many clips, not about one clip.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, inf

from app.scoring.calibration import LEAST, too_few

COVERAGE = 0.9
TOO_MANY_NONE = "too many clips were decided to show none of the practices"

Scores = Sequence[tuple[str, float]]
"""How likely the coder holds each practice, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Decided:
    """A clip's scores as they were, and the practice a person chose."""

    scores: tuple[tuple[str, float], ...]
    practice: str
    """Empty when the person found none of the practices: such a clip is in no set, and counts
    against it."""


@dataclass(frozen=True, slots=True)
class Limit:
    """How unlikely a practice may be and still be in the set."""

    coverage: float
    """Share of clips whose set is to hold the right practice."""
    n: int
    """Decided clips it rests on."""
    most: float | None
    """Largest distance of a score from 1 that is let in; `None` where no set can be given."""
    reason: str = ""
    """Why there is no limit, in plain words."""


@dataclass(frozen=True, slots=True)
class PredictionSet:
    """The practices that may be the right one for a clip."""

    practices: tuple[str, ...] | None
    """The likeliest first. Empty when none scores as well as the right ones did before: a clip
    unlike those decided. `None` when no set can be given."""
    coverage: float
    n: int
    reason: str = ""


def set_limit(decided: Sequence[Decided], coverage: float = COVERAGE, least: int = LEAST) -> Limit:
    """Learn from decided clips how far down a set must reach.

    The limit is the ceil((n + 1) * coverage)-th smallest distance of the chosen practice's score
    from 1, counted in exact fractions.

    Args:
        decided: The decided clips; none of them may have been used to make or tune the coder.
        coverage: Above 0 and below 1.
        least: Clips below which no set is given.

    Raises:
        ValueError: The coverage does not lie between 0 and 1.
    """
    if not 0 < coverage < 1:
        raise ValueError(f"a coverage of {coverage} does not lie between 0 and 1")
    n = len(decided)
    if n < least:
        return Limit(coverage, n, None, too_few(n, least))
    rank = ceil((n + 1) * Fraction(str(coverage)))
    if rank > n:
        return Limit(coverage, n, None, _too_few_for(n, coverage))
    return _limit(coverage, n, sorted(map(_distance, decided))[rank - 1])


def sets_left_out(
    decided: Sequence[Decided], coverage: float = COVERAGE, least: int = LEAST
) -> list[PredictionSet]:
    """Give each decided clip the set that it would have got from all the others.

    A clip that helped to set the limit draws it towards itself, so that sets on the same clips
    say too little of how large sets on new ones are. Leave-one-out, for clips are few.

    Args:
        decided: The decided clips, in the order of the sets.
        coverage: As for `set_limit`.
        least: Decided clips below which no set is given; the clip itself is counted.
    """
    whole, others = set_limit(decided, coverage, least), len(decided) - 1
    if whole.most is None:
        return [PredictionSet(None, coverage, whole.n, whole.reason) for _ in decided]
    ordered = sorted(map(_distance, decided))
    rank = ceil((others + 1) * Fraction(str(coverage)))
    if rank > others:
        return [PredictionSet(None, coverage, others, _too_few_for(others, coverage))] * (
            others + 1
        )
    sets = []
    for clip in decided:
        # Without the clip, whatever lies behind it comes one place nearer.
        most = ordered[rank if _distance(clip) <= ordered[rank - 1] else rank - 1]
        limit = _limit(coverage, others, most)
        sets.append(prediction_set(limit, clip.scores))
    return sets


def prediction_set(limit: Limit, scores: Scores) -> PredictionSet:
    """Give the practices that may be the right one for a new clip."""
    if limit.most is None:
        return PredictionSet(None, limit.coverage, limit.n, limit.reason)
    if not scores:
        return PredictionSet(
            None, limit.coverage, limit.n, "the coder gave no scores for this clip"
        )
    let_in = [(score, practice) for practice, score in scores if 1 - score <= limit.most]
    ordered = sorted(let_in, key=lambda pair: (-pair[0], pair[1]))
    return PredictionSet(tuple(practice for _, practice in ordered), limit.coverage, limit.n)


def _limit(coverage: float, n: int, most: float) -> Limit:
    return Limit(coverage, n, None, TOO_MANY_NONE) if most == inf else Limit(coverage, n, most)


def _too_few_for(n: int, coverage: float) -> str:
    return f"{n} decided clips cannot promise a coverage of {100 * coverage:g}%"


def _distance(clip: Decided) -> float:
    """Give how unlikely the coder held what the person chose; endless if it was not on the list."""
    score = dict(clip.scores).get(clip.practice)
    return inf if score is None else 1 - score
