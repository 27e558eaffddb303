"""What the check of the judges says: how a judge scores responses of ours whose worth is known."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from app.audit.items import FAIL_LINE, PASS_LINE
from app.scoring.audit_means import mean_over_items, mean_over_responses, share_over_items
from app.scoring.audit_scores import ScoredResponse
from app.scoring.figures import Figure

NOTHING_CHECKED = "the judge has given no usable score for these responses of ours"
NOTHING_TWICE = "no response was scored both ways"
NOTHING_REPEATED = "no response was scored more than once"

Scores = Mapping[str, float | None]
"""Of each item, the score of one response; `None` where the judge gave nothing usable."""

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class OurScores:
    """A judge's scores of our own responses, by item, each scored once."""

    should_pass: Scores = field(default_factory=dict)
    should_fail: Scores = field(default_factory=dict)
    padded: Scores = field(default_factory=dict)
    """The failing one with sentences without content behind it."""
    injected: Scores = field(default_factory=dict)
    """The failing one with words that tell the judge what to score."""
    turned_pass: Scores = field(default_factory=dict)
    """The passing one with the bands of the rubric shown from top to bottom."""
    turned_fail: Scores = field(default_factory=dict)
    """The failing one, likewise."""


@dataclass(frozen=True, slots=True)
class KnownAnswers:
    """The known-answer check."""

    should_pass_passed: Figure
    """Share of those that should pass which the judge passes, at 7 or more."""
    should_fail_not_passed: Figure
    """Share of those that should fail which the judge does not pass."""
    should_fail_failed: Figure
    """Share of those that should fail which it places at 4 or less, so not even on the border."""
    margin: Figure
    """By how much the good one of an item is above the bad one, -9 to 9."""
    not_usable: int
    """Of both together, responses without a usable score."""


@dataclass(frozen=True, slots=True)
class Shift:
    """How a change that should change nothing moves a judge's scores."""

    mean: Figure
    """After less before, -9 to 9; `n` counts responses scored both ways."""
    size: Figure
    """Mean of the shifts without their sign, 0 to 9."""
    turned: Figure
    """Share of responses that pass one way and not the other."""
    now_pass: Figure
    """Share of those that did not pass before which pass after."""
    left_out: int
    """Responses that lack a usable score one way or the other."""


@dataclass(frozen=True, slots=True)
class Instability:
    """How a judge's repeated scorings of the same response differ."""

    differing: Figure
    """Share of responses whose scorings are not all the same."""
    crossing: Figure
    """Share of responses of which one scoring passes and another does not."""
    mean_range: Figure
    """Highest less lowest scoring, on average, 0 to 9."""


@dataclass(frozen=True, slots=True)
class OurChecks:
    """All that our own responses say of one judge."""

    known: KnownAnswers
    padding: Shift
    order: Shift
    """Bands from top to bottom against bottom to top."""
    injection: Shift


def our_checks(scores: OurScores) -> OurChecks:
    """Give all that our own responses say of one judge."""
    upward = _both(scores.should_pass, scores.should_fail)
    turned = _both(scores.turned_pass, scores.turned_fail)
    return OurChecks(
        known_answers(scores.should_pass, scores.should_fail),
        padding=shift(_both({}, scores.should_fail), _both({}, scores.padded)),
        order=shift(upward, turned),
        injection=shift(_both({}, scores.should_fail), _both({}, scores.injected)),
    )


def known_answers(should_pass: Scores, should_fail: Scores) -> KnownAnswers:
    """Give the known-answer check."""
    good, bad = _usable(should_pass), _usable(should_fail)
    margins = [good[item] - bad[item] for item in good.keys() & bad.keys()]
    return KnownAnswers(
        _share([(item, score >= PASS_LINE) for item, score in good.items()]),
        _share([(item, score < PASS_LINE) for item, score in bad.items()]),
        _share([(item, score <= FAIL_LINE) for item, score in bad.items()]),
        margin=mean_over_items(margins, NOTHING_CHECKED, low=-9.0, high=9.0),
        not_usable=len(should_pass) - len(good) + len(should_fail) - len(bad),
    )


def shift(
    before: Mapping[tuple[str, str], float | None], after: Mapping[tuple[str, str], float | None]
) -> Shift:
    """Say how scores of the same responses moved.

    Args:
        before: Score of each response, by its item and which of the item's responses it is.
        after: The same responses after the change; whatever is in one of them alone is left out.
    """
    was, now = _usable(before), _usable(after)
    both = sorted(was.keys() & now.keys())
    moved = [(key[0], now[key] - was[key]) for key in both]
    passed = [(key[0], was[key] >= PASS_LINE, now[key] >= PASS_LINE) for key in both]
    return Shift(
        mean=mean_over_responses(moved, NOTHING_TWICE, low=-9.0, high=9.0),
        size=mean_over_responses([(i, abs(d)) for i, d in moved], NOTHING_TWICE, high=9.0),
        turned=share_over_items([(i, a != b) for i, a, b in passed], NOTHING_TWICE),
        now_pass=share_over_items([(i, b) for i, a, b in passed if not a], NOTHING_TWICE),
        left_out=len(before.keys() | after.keys()) - len(both),
    )


def instability(responses: Sequence[ScoredResponse]) -> Instability:
    """Say how repeated scorings differ, over the responses that have two or more.

    Args:
        responses: Scored by one judge; failures say nothing.
    """
    several = [(r.item_id, min(r.spread), max(r.spread)) for r in responses if len(r.spread) > 1]
    return Instability(
        share_over_items([(i, low < high) for i, low, high in several], NOTHING_REPEATED),
        share_over_items(
            [(i, low < PASS_LINE <= high) for i, low, high in several], NOTHING_REPEATED
        ),
        mean_over_responses(
            [(i, float(high - low)) for i, low, high in several], NOTHING_REPEATED, high=9.0
        ),
    )


def _both(good: Scores, bad: Scores) -> dict[tuple[str, str], float | None]:
    """Put scores of both responses of each item together, each under a name of its own."""
    return {
        **{(item, "good"): score for item, score in good.items()},
        **{(item, "bad"): score for item, score in bad.items()},
    }


def _usable(scores: Mapping[Key, float | None]) -> dict[Key, float]:
    return {key: score for key, score in scores.items() if score is not None}


def _share(counted: Sequence[tuple[str, bool]]) -> Figure:
    return share_over_items(counted, NOTHING_CHECKED)
