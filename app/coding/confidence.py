"""How sure a coder is of a clip, as far as that was ever asked: counted, never made up.

A confidence is a share of something that was really said: of the draws of one model, or of the
conditions under which it was asked. Where only one thing was said there is none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

from app.coding.conditions import Condition, condition_of
from app.coding.probe_records import NOT_ASKED
from app.coding.records import Prediction, Said
from app.scoring.proportions import Proportion
from app.scoring.scored import ANSWERED

PRACTICE_IDS = ("BI", "D1", "D2", "D3")


class Source(StrEnum):
    """What a confidence was counted from."""

    DRAWS = "draws"
    """The same question asked several times."""
    CONDITIONS = "conditions"
    """The same model asked in several ways: T or TV, and by each prompting."""


@dataclass(frozen=True, slots=True)
class Confidence:
    """How sure a coder is of the practice it names, and where that is known from."""

    value: float | None
    """0 to 1; `None` where it was never asked."""
    of: int = 0
    """Draws or conditions it is a share of."""
    source: Source | None = None
    scores: tuple[tuple[str, float], ...] = ()
    """By practice, all four of them: the share each has."""
    reason: str = ""
    """Why there is none, in plain words; empty where there is one."""


@dataclass(frozen=True, slots=True)
class Vote:
    """One thing one coder said of a clip."""

    coder: str
    draw: int
    """From 0; 0 for a coder that asks no model."""
    practice: str
    """Empty for an answer without a code."""


@dataclass(frozen=True, slots=True)
class Share:
    """How many named a practice."""

    practice: str
    """Empty for "none of them"."""
    coders: Proportion
    """Each coder has one word: that of its prediction."""
    draws: Proportion
    """Of everything that was said, draw by draw; a coder asked five times counts five times."""


class Across(StrEnum):
    """Between what two predictions are compared; all else about them is the same."""

    INPUTS = "T and TV"
    PROMPTINGS = "promptings"
    MODELS = "models"


@dataclass(frozen=True, slots=True)
class Agreement:
    """How often pairs of predictions that differ in one thing name the same practice."""

    across: Across
    same: Proportion
    """Of the pairs there are; both naming none is the same too."""
    differing: tuple[tuple[str, str], ...]
    """The pairs of coders that do not agree."""


@dataclass(frozen=True, slots=True)
class ClipVotes:
    """Everything that coders said of one clip; failures are counted beside it."""

    votes: tuple[Vote, ...]
    shares: tuple[Share, ...]
    """The practice that most coders name first."""
    agreement: Proportion | None
    """Coders that name the practice most of them name; `None` with fewer than two."""
    across: tuple[Agreement, ...]
    """Only where there is a pair to compare."""
    failures: int
    """Draws, and predictions without draws, that gave no usable answer."""

    def between(self, across: Across) -> Agreement | None:
        """Give one of the comparisons; `None` where there is no pair."""
        return next((one for one in self.across if one.across is across), None)


def latest_of_each(predictions: Sequence[Prediction]) -> tuple[Prediction, ...]:
    """Give the last word of each coder, in the order in which they first spoke."""
    return tuple({prediction.coder: prediction for prediction in predictions}.values())


def votes_on(predictions: Sequence[Prediction]) -> ClipVotes:
    """Count what coders said of one clip; earlier words of a coder do not count."""
    latest = latest_of_each(predictions)
    usable = [p for p in latest if not p.is_failure]
    votes = tuple(vote for p in latest for vote in _votes(p))
    said = sum(max(len(p.said), 1) for p in latest)
    named = Counter(p.practice for p in usable)
    drawn = Counter(vote.practice for vote in votes)
    order = sorted({*named, *drawn}, key=lambda p: (-named[p], -drawn[p], p))
    return ClipVotes(
        votes,
        tuple(
            Share(p, Proportion(named[p], len(usable)), Proportion(drawn[p], len(votes)))
            for p in order
        ),
        Proportion(max(named.values()), len(usable)) if len(usable) > 1 else None,
        _comparisons(usable),
        said - len(votes),
    )


def confidences(
    prediction: Prediction, beside: Sequence[Prediction] = ()
) -> tuple[Confidence, ...]:
    """Give every confidence there is in what a prediction claims, each with its source.

    Args:
        prediction: The claim.
        beside: What coders said of the same clip, this prediction perhaps among them.

    Returns:
        At most one for each source, in the order of `Source`; none for failures, for clips
        without a code, and where nothing was asked twice.
    """
    if prediction.is_failure or not prediction.practice:
        return ()
    found = (
        of_draws(prediction),
        of_conditions(prediction, beside),
    )
    return tuple(one for one in found if one is not None)


def confidence_of(prediction: Prediction, beside: Sequence[Prediction] = ()) -> Confidence:
    """Give the confidence that goes furthest back to the clip itself, or why there is none."""
    for found in confidences(prediction, beside):
        return found
    if prediction.status == NOT_ASKED:
        return Confidence(None, reason="The model was not asked about this clip.")
    if prediction.is_failure:
        return Confidence(None, reason="The model gave no usable answer.")
    if not prediction.practice:
        return Confidence(None, reason="No practice is claimed.")
    if condition_of(prediction) is None:
        return Confidence(
            None, reason="This coder asks no model; its lead is not a share of anything said."
        )
    return Confidence(
        None,
        reason="The model was asked once, in one way, so that nobody knows how sure it is.",
    )


def of_draws(prediction: Prediction) -> Confidence | None:
    """Give the share of the draws that name the practice; `None` with fewer than two answers."""
    practices = [_practice(one) for one in prediction.said if one.status in ANSWERED]
    return _counted(prediction.practice, practices, Source.DRAWS)


def of_conditions(prediction: Prediction, beside: Sequence[Prediction]) -> Confidence | None:
    """Give the share of the conditions of the same model that name the practice.

    The prediction's own condition is one of them. Conditions asked another number of times are
    left out, and so are failures.
    """
    own = _asked(prediction)
    if own is None:
        return None
    engine, condition, draws = own
    practices = {condition: prediction.practice}
    for other in latest_of_each(beside):
        asked = _asked(other)
        if asked is None or other.is_failure or other.coder == prediction.coder:
            continue
        if (asked[0], asked[2]) == (engine, draws):
            practices[asked[1]] = other.practice
    return _counted(prediction.practice, list(practices.values()), Source.CONDITIONS)


def _counted(practice: str, said: Sequence[str], source: Source) -> Confidence | None:
    if len(said) < 2:
        return None
    counts = Counter(said)
    scores = tuple((name, counts[name] / len(said)) for name in PRACTICE_IDS)
    return Confidence(counts[practice] / len(said), len(said), source, scores)


def _votes(prediction: Prediction) -> list[Vote]:
    if not prediction.said:
        return [] if prediction.is_failure else [Vote(prediction.coder, 0, prediction.practice)]
    return [
        Vote(prediction.coder, draw, _practice(one))
        for draw, one in enumerate(prediction.said)
        if one.status in ANSWERED
    ]


def _practice(said: Said) -> str:
    return said.code.practice if said.code else ""


def _asked(prediction: Prediction) -> tuple[str, Condition, int] | None:
    """Give the model, the condition and the draws; `None` for a coder that asks no model."""
    found = condition_of(prediction)
    return None if found is None else (*found, max(len(prediction.said), 1))


def _comparisons(usable: Sequence[Prediction]) -> tuple[Agreement, ...]:
    pairs: dict[Across, list[tuple[Prediction, Prediction]]] = {across: [] for across in Across}
    for one, other in combinations(usable, 2):
        across = _across(one, other)
        if across is not None:
            pairs[across].append((one, other))
    found = []
    for across, compared in pairs.items():
        apart = [(a.coder, b.coder) for a, b in compared if a.practice != b.practice]
        if compared:
            same = Proportion(len(compared) - len(apart), len(compared))
            found.append(Agreement(across, same, tuple(apart)))
    return tuple(found)


def _across(one: Prediction, other: Prediction) -> Across | None:
    """Say in which single thing two predictions differ; `None` for more, or without a model."""
    first, second = _asked(one), _asked(other)
    if first is None or second is None or first[2] != second[2]:
        return None
    a, b = first[1], second[1]
    if first[0] != second[0]:
        return Across.MODELS if a == b else None
    if a.input != b.input:
        return Across.INPUTS if a.prompting == b.prompting else None
    return Across.PROMPTINGS if a.prompting != b.prompting else None
