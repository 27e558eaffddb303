"""How far a judge can be believed: its scores beside those of experts.

Experts are never held to a number that they do not reach among themselves: the same figures among
the experts are the ceiling (SpecialEduBench, section 3.5). Alpha and the share within one point
always stand together, with bias and spread.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import fsum, sqrt

import numpy as np

from app.audit.items import PASS_LINE
from app.scoring.agreement import ALL_THE_SAME, NO_PAIRS, krippendorff_alpha
from app.scoring.audit_means import mean_over_responses, share_over_items, sums_by_item
from app.scoring.figures import Figure, undefined
from app.scoring.intervals import Floats, bootstrap_sums, divide

LEAST_RECALL = 0.8
"""Share of the responses that experts placed below the pass line which a judge must place there
too, for its pass rates to be shown (protocol, part 3)."""

NOBODY_SCORED = "no expert has scored a response that this judge scored"
ONE_EXPERT = "no response was scored by two experts"
NONE_BELOW = "experts placed none of these responses below the pass line"
NONE_PASSING = "experts placed none of these responses at the pass line or above"
NO_DIRECTION = "no expert is held against another as the one who is right"


@dataclass(frozen=True, slots=True)
class AgainstExperts:
    """One response that experts have scored, and a judge as well."""

    item_id: str
    judge: float | None
    """Mean of its scorings, 1 to 10; `None` when it gave nothing usable."""
    experts: float
    """What they agreed on, or the mean of their scores while they have not; 1 to 10."""
    own: tuple[float, ...] = ()
    """What each of them gave it alone, before they talked it over."""


@dataclass(frozen=True, slots=True)
class ScoreAgreement:
    """How far scores of the same responses agree."""

    responses: int
    """That the figures rest on."""
    items: int
    not_scored: int
    """Responses that the judge gave nothing usable for, or fewer than two experts scored."""
    within_one: Figure
    """Share no more than one point apart; of several experts, the two furthest from each other."""
    alpha: Figure
    """Krippendorff's, interval. All figures draw whole items for their intervals."""
    bias: Figure
    """By how much the judge is above the experts on average, -9 to 9."""
    spread: Figure
    """Standard deviation of the differences, 0 or more."""
    recall: Figure
    """Share of the responses that experts placed below the pass line that are placed there."""
    passes_kept: Figure
    """Share of the responses that experts let pass that pass."""


@dataclass(frozen=True, slots=True)
class Adequacy:
    """Whether a judge's pass rates on an axis may be shown."""

    stands: bool
    reason: str
    """Why they are withheld, in plain words; empty when they may be shown."""
    recall: Figure


def judge_against_experts(pairs: Sequence[AgainstExperts]) -> ScoreAgreement:
    """Hold a judge's scores against the experts' scores of the same responses."""
    known = [(p.item_id, p.judge, p.experts) for p in pairs if p.judge is not None]
    apart = [(item, judge - experts) for item, judge, experts in known]
    return ScoreAgreement(
        responses=len(known),
        items=len({item for item, _, _ in known}),
        not_scored=len(pairs) - len(known),
        within_one=share_over_items([(i, abs(d) <= 1) for i, d in apart], NOBODY_SCORED),
        alpha=alpha_over_items([(item, (judge, experts)) for item, judge, experts in known]),
        bias=mean_over_responses(apart, NOBODY_SCORED, low=-9.0, high=9.0),
        spread=_spread(apart, NOBODY_SCORED),
        recall=_same_side(known, below=True),
        passes_kept=_same_side(known, below=False),
    )


def experts_among_themselves(pairs: Iterable[AgainstExperts]) -> ScoreAgreement:
    """Give the same figures among the experts, which are the ceiling for a judge.

    Recall is that of their own scores, each against what they agreed on; the spread is that of all
    pairs of experts. There is no bias, since no expert is held against another.
    """
    listed = list(pairs)
    several = [(p.item_id, p.own, p.experts) for p in listed if len(p.own) > 1]
    ranges = [(item, max(own) - min(own) <= 1) for item, own, _ in several]
    alone = [(item, score, agreed) for item, own, agreed in several for score in own]
    both_ways = [
        (item, sign * (a - b))
        for item, own, _ in several
        for a, b in combinations(own, 2)
        for sign in (1, -1)
    ]
    return ScoreAgreement(
        responses=len(several),
        items=len({item for item, _, _ in several}),
        not_scored=len(listed) - len(several),
        within_one=share_over_items(ranges, ONE_EXPERT),
        alpha=alpha_over_items([(item, own) for item, own, _ in several]),
        bias=undefined(NO_DIRECTION, len(several)),
        spread=_spread(both_ways, ONE_EXPERT),
        recall=_same_side(alone, below=True),
        passes_kept=_same_side(alone, below=False),
    )


def pass_rates_stand(found: ScoreAgreement | None) -> Adequacy:
    """Say whether a judge's pass rates on an axis may be shown, by the rule of the protocol.

    Args:
        found: The judge against experts on that axis; `None` when nobody has scored for it.
    """
    scored = found is not None and found.responses > 0
    recall = found.recall if found and scored else undefined(NOBODY_SCORED)
    if recall.value is None:
        return Adequacy(False, recall.reason, recall)
    if recall.value >= LEAST_RECALL:
        return Adequacy(True, "", recall)
    missed = recall.n - round(recall.value * recall.n)
    reason = (
        f"it passed {missed} of the {recall.n} responses that experts placed below the pass line, "
        f"and it may pass a fifth at most"
    )
    return Adequacy(False, reason, recall)


def alpha_over_items(units: Sequence[tuple[str, Sequence[float]]]) -> Figure:
    """Give Krippendorff's interval alpha with its interval, drawing whole items.

    Args:
        units: Of each response, its item and its scores; those with fewer than two say nothing.
    """
    paired = [(item, tuple(map(float, own))) for item, own in units if len(own) > 1]
    value = krippendorff_alpha([own for _, own in paired], "interval")
    if value is None:
        return undefined(ALL_THE_SAME if paired else NO_PAIRS, len(paired))
    middle = fsum(score for _, own in paired for score in own) / sum(len(o) for _, o in paired)
    parts = [_alpha_sums([score - middle for score in own]) for _, own in paired]
    sums = sums_by_item([item for item, _ in paired], *zip(*parts, strict=True))
    return Figure(value, len(paired), bootstrap_sums(sums, _alphas))


def _alpha_sums(scores: Sequence[float]) -> tuple[float, ...]:
    """Give what one unit adds: scores, their sum, their squares, and squares apart inside it."""
    count, total, squares = len(scores), fsum(scores), fsum(s * s for s in scores)
    return (float(count), total, squares, (count * squares - total**2) / (count - 1))


def _alphas(sums: Floats) -> Floats:
    """Give alpha of each draw: 1 less observed over expected squared distance (Krippendorff 2011),
    with both written as sums, since (a - b)^2 over all pairs is n times squares less total^2.
    """
    count, total, squares, inside = sums.T
    return 1 - divide((count - 1) * inside, count * squares - total**2)


def _spread(apart: Sequence[tuple[str, float]], reason: str) -> Figure:
    """Give the standard deviation of all differences about their mean."""
    if not apart:
        return undefined(reason)
    columns = [1.0] * len(apart), [d for _, d in apart], [d * d for _, d in apart]
    whole = np.array([[fsum(column) for column in columns]])
    sums = sums_by_item([item for item, _ in apart], *columns)
    return Figure(
        sqrt(max(float(_variances(whole)[0]), 0.0)),
        len(apart),
        bootstrap_sums(sums, lambda s: np.sqrt(np.maximum(_variances(s), 0.0))),
    )


def _variances(sums: Floats) -> Floats:
    count, total, squares = sums.T
    return divide(squares, count) - divide(total, count) ** 2


def _same_side(known: Sequence[tuple[str, float, float]], *, below: bool) -> Figure:
    """Count, of the responses that experts placed on one side of the pass line, those that were
    scored on the same side.
    """
    chosen = [(i, score) for i, score, experts in known if (experts < PASS_LINE) is below]
    counted = [(item, (score < PASS_LINE) is below) for item, score in chosen]
    return share_over_items(counted, NONE_BELOW if below else NONE_PASSING)
