"""Skill: the mean score of each strategy, of the two branches, and over all eight."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum

from app.audit.items import Strategy
from app.scoring.audit_means import macro_over_items, mean_over_items
from app.scoring.audit_scores import Counts, ScoredResponse, count_scores
from app.scoring.figures import Figure

NOTHING_SCORED = "no response to this strategy has been scored"


@dataclass(frozen=True, slots=True)
class StrategyScore:
    """One strategy."""

    strategy: str
    branch: str
    """`RI` or `MT`; empty for a strategy that is none of the eight."""
    score: Figure
    """Mean score, 1 to 10, items weighing the same."""
    share: Figure
    """Pass share, 0 to 1; to be shown only where the judge is good enough for it
    (`app.scoring.audit_judges.pass_rates_stand`)."""
    counts: Counts


@dataclass(frozen=True, slots=True)
class SkillScores:
    """The axis of skill with one judge."""

    strategies: tuple[StrategyScore, ...]
    """All eight in their order; those of other names behind."""
    macro: Figure
    """Mean over the eight, each weighing the same; none where one of them has no score."""
    branches: tuple[tuple[str, Figure], ...]
    """`RI` and `MT`, likewise over their four."""
    macro_share: Figure
    """Pass share over the eight, likewise; with the same reservation as `StrategyScore.share`."""
    counts: Counts


def skill_scores(responses: Sequence[ScoredResponse]) -> SkillScores:
    """Give the scores of skill.

    Args:
        responses: Of skill, failures with them; several draws of an item count as their mean.
    """
    groups: dict[str, list[ScoredResponse]] = defaultdict(list)
    for response in responses:
        groups[response.group].append(response)
    eight = [str(strategy) for strategy in Strategy]
    names = (*eight, *sorted(groups.keys() - set(eight)))
    scores = {name: _by_item(groups.get(name, ()), passes=False) for name in names}
    shares = {name: _by_item(groups.get(name, ()), passes=True) for name in names}
    return SkillScores(
        tuple(_strategy(name, groups.get(name, ()), scores[name], shares[name]) for name in names),
        macro=_macro(scores, eight),
        branches=tuple(
            (branch, _macro(scores, [str(s) for s in Strategy if s.branch == branch]))
            for branch in ("RI", "MT")
        ),
        macro_share=macro_over_items({name: shares[name] for name in eight}, NOTHING_SCORED),
        counts=count_scores(responses),
    )


def _strategy(
    name: str,
    made: Sequence[ScoredResponse],
    scores: Sequence[float],
    shares: Sequence[float],
) -> StrategyScore:
    return StrategyScore(
        name,
        Strategy(name).branch if name in list(Strategy) else "",
        score=mean_over_items(scores, NOTHING_SCORED, low=1.0, high=10.0),
        share=mean_over_items(shares, NOTHING_SCORED),
        counts=count_scores(made),
    )


def _macro(scores: Mapping[str, Sequence[float]], names: Sequence[str]) -> Figure:
    chosen = {name: scores[name] for name in names}
    return macro_over_items(chosen, NOTHING_SCORED, low=1.0, high=10.0)


def _by_item(made: Sequence[ScoredResponse], *, passes: bool) -> list[float]:
    """Give the mean score, or the pass share, of each item that has a scored response."""
    items: dict[str, list[float]] = defaultdict(list)
    for response in made:
        if response.score is not None:
            items[response.item_id].append(float(response.passed) if passes else response.score)
    return [fsum(values) / len(values) for values in items.values()]
