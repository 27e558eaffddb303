"""Two versions of one tutor on the same items: what changed, and what got worse first.

Every change is later less earlier, so that below 0 is worse, and is counted over the items that
both versions have whole. What only one of them has is counted beside.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from app.audit.items import KNOWLEDGE_CATEGORIES, Strategy
from app.scoring.audit_effects import (
    Cell,
    CellOfItem,
    Items,
    by_family,
    by_item,
    cells_under,
    looks_at,
    means_of,
)
from app.scoring.audit_knowledge import answered_by_item, right_share
from app.scoring.audit_means import macro_over_items, mean_over_items
from app.scoring.audit_scores import KnowledgeAnswer, ScoredResponse
from app.scoring.figures import Figure, undefined

NOTHING_SHARED = "no item was scored whole in both"
NOTHING_ANSWERED_TWICE = "no item was answered in both"
NO_SCORES = "knowledge is right or wrong and has no score"

Means = tuple[float, float]
"""Pass share and mean score of an item."""

Cells = Mapping[Cell, CellOfItem]
"""Of one item."""


@dataclass(frozen=True, slots=True)
class Change:
    """One family, strategy or category, under one condition; all over the items that both have."""

    group: str
    pressure: bool | None
    """`None` for with and without together, or where there is no such condition."""
    monitored: bool | None
    earlier: Figure
    """Pass share, 0 to 1; of knowledge the share right."""
    later: Figure
    share: Figure
    """Later less earlier, -1 to 1."""
    score: Figure
    """Change of the mean score, -9 to 9; none of knowledge."""
    left_out: int
    """Items that only one of the two has whole here."""


@dataclass(frozen=True, slots=True)
class ItemChange:
    """One item that both have."""

    item_id: str
    group: str
    category: str
    share: float
    """Change of its pass share over all its cells, -1 to 1; of knowledge of the share of draws
    that were right."""
    score: float
    """Change of its mean score, -9 to 9; 0 of knowledge."""
    pressure: bool | None = None
    """Of the cell that fell most, or rose least; `None` where there is no such condition."""
    monitored: bool | None = None

    @property
    def is_worse(self) -> bool:
        """Whether its pass share fell, or its score alone."""
        return (self.share, self.score) < (0, 0)

    @property
    def is_better(self) -> bool:
        """Whether its pass share rose, or its score alone."""
        return (self.share, self.score) > (0, 0)


@dataclass(frozen=True, slots=True)
class VersionComparison:
    """Two versions of a tutor on one axis."""

    changes: tuple[Change, ...]
    items: tuple[ItemChange, ...]
    """Those that both have, what got worse first: the largest fall of the pass share, then of the
    score."""
    only_earlier: int
    """Items that only the earlier version has whole."""
    only_later: int

    @property
    def worse(self) -> tuple[ItemChange, ...]:
        """Items that got worse, the worst first."""
        return tuple(item for item in self.items if item.is_worse)

    @property
    def better(self) -> tuple[ItemChange, ...]:
        """Items that got better, the best first."""
        return tuple(item for item in reversed(self.items) if item.is_better)


def compare_versions(
    earlier: Sequence[ScoredResponse], later: Sequence[ScoredResponse]
) -> VersionComparison:
    """Compare two versions of a tutor on attitude or skill, as one judge scored them.

    Args:
        earlier: Responses to one axis, failures and those to come with them.
        later: Likewise, to the same items as they are worded.
    """
    one, other = by_item(earlier), by_item(later)
    told = {response.item_id: response for response in (*earlier, *later)}
    shared = _shared(one, other, (None, None))
    items = [_item_change(told[item_id], one[item_id], other[item_id]) for item_id in shared]
    changes = []
    for made in by_family((*earlier, *later)):
        group = made[0].group
        before = by_item(response for response in earlier if response.group == group)
        after = by_item(response for response in later if response.group == group)
        changes += [_change(before, after, group, look) for look in looks_at(by_item(made))]
    return VersionComparison(
        tuple(changes), _worst_first(items), _whole(one) - len(shared), _whole(other) - len(shared)
    )


def skill_change(found: VersionComparison) -> Figure:
    """Give the change of the mean score over the eight strategies, each weighing the same."""
    groups = {str(s): [i.score for i in found.items if i.group == s] for s in Strategy}
    return macro_over_items(groups, NOTHING_SHARED, low=-9.0, high=9.0)


def compare_knowledge(
    earlier: Sequence[KnowledgeAnswer], later: Sequence[KnowledgeAnswer]
) -> VersionComparison:
    """Compare two versions of a tutor on knowledge, by category.

    Args:
        earlier: All its draws, failures with them.
        later: Likewise, of the same items.
    """
    one, other = answered_by_item(earlier), answered_by_item(later)
    shared = {
        item_id: (right_share(one[item_id]), right_share(other[item_id]))
        for item_id in one.keys() & other.keys()
    }
    group_of = {answer.item_id: answer.category for answer in (*earlier, *later)}
    items = [
        ItemChange(item_id, group_of[item_id], "", after - before, 0.0)
        for item_id, (before, after) in shared.items()
    ]
    changes = []
    for name in dict.fromkeys((*KNOWLEDGE_CATEGORIES, *sorted(group_of.values()))):
        own = [pair for item_id, pair in shared.items() if group_of[item_id] == name]
        alone = sum(group_of[item_id] == name for item_id in one.keys() ^ other.keys())
        changes.append(_change_of(name, (None, None), own, alone, undefined(NO_SCORES, len(own))))
    return VersionComparison(
        tuple(changes),
        _worst_first(items),
        len(one.keys() - other.keys()),
        len(other.keys() - one.keys()),
    )


def knowledge_change(found: VersionComparison) -> Figure:
    """Give the change of the share right over the four categories, each weighing the same."""
    groups = {
        name: [item.share for item in found.items if item.group == name]
        for name in KNOWLEDGE_CATEGORIES
    }
    return macro_over_items(groups, NOTHING_ANSWERED_TWICE, low=-1.0)


def _shared(one: Items, other: Items, look: Cell) -> dict[str, tuple[Means, Means]]:
    """Give the means of the items that both have whole, in the same cells, under a condition."""
    found = {}
    for item_id in one.keys() & other.keys():
        before, after = cells_under(one[item_id], look), cells_under(other[item_id], look)
        was, now = means_of(before), means_of(after)
        if was is not None and now is not None and before.keys() == after.keys():
            found[item_id] = (was, now)
    return found


def _whole(items: Items) -> int:
    return sum(means_of(cells) is not None for cells in items.values())


def _change(one: Items, other: Items, group: str, look: Cell) -> Change:
    shared = _shared(one, other, look)
    scores = [after[1] - before[1] for before, after in shared.values()]
    asked = {
        item_id
        for items in (one, other)
        for item_id, cells in items.items()
        if cells_under(cells, look)
    }
    return _change_of(
        group,
        look,
        [(before[0], after[0]) for before, after in shared.values()],
        len(asked) - len(shared),
        mean_over_items(scores, NOTHING_SHARED, low=-9.0, high=9.0),
    )


def _change_of(
    group: str, look: Cell, shares: Sequence[tuple[float, float]], left_out: int, score: Figure
) -> Change:
    return Change(
        group,
        *look,
        earlier=mean_over_items([before for before, _ in shares], NOTHING_SHARED),
        later=mean_over_items([after for _, after in shares], NOTHING_SHARED),
        share=mean_over_items(
            [after - before for before, after in shares], NOTHING_SHARED, low=-1.0
        ),
        score=score,
        left_out=left_out,
    )


def _item_change(told: ScoredResponse, before: Cells, after: Cells) -> ItemChange:
    """Say how one item that both have whole changed, and in which of its cells most."""
    moves = {cell: _move({cell: before[cell]}, {cell: after[cell]}) for cell in before}
    share, score = _move(before, after)
    worst = min(moves, key=lambda cell: (moves[cell], repr(cell)))
    return ItemChange(told.item_id, told.group, told.category, share, score, *worst)


def _move(before: Cells, after: Cells) -> Means:
    """Take the means before from those after."""
    was, now = means_of(before) or (0.0, 0.0), means_of(after) or (0.0, 0.0)
    return now[0] - was[0], now[1] - was[1]


def _worst_first(items: Iterable[ItemChange]) -> tuple[ItemChange, ...]:
    return tuple(sorted(items, key=lambda item: (item.share, item.score, item.item_id)))
