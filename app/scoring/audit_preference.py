"""Does a judge favour tutors of its own family?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import fsum

from app.scoring.audit_means import mean_over_items
from app.scoring.figures import Figure

NO_ITEM = "no item has both a response of the tutor and one of ours that both judges scored"


@dataclass(frozen=True, slots=True)
class BothScored:
    """One response as two judges scored it."""

    item_id: str
    judge: float | None
    """Of the judge that is looked at."""
    other: float | None
    """Of the other one. `None` where there is nothing usable."""


@dataclass(frozen=True, slots=True)
class SelfPreference:
    """How much a judge is above another on a tutor, beyond how much it is above it anyway."""

    preference: Figure
    """The gap on the tutor's responses less that on ours, -18 to 18; `n` counts items."""
    tutor_gap: Figure
    """Judge less other on the tutor's responses, over the same items."""
    our_gap: Figure
    """Judge less other on our own responses, over the same items."""
    left_out: int
    """Items that lack one or the other."""


def self_preference(tutor: Sequence[BothScored], ours: Sequence[BothScored]) -> SelfPreference:
    """Compare how far two judges are apart on a tutor's responses and on ours.

    A judge that is simply milder is so on ours as well, and that is taken off. Our responses are
    clearly good or clearly bad, where two judges may lie closer together than in between; the
    figure is a reason to look, not a proof.

    Args:
        tutor: The tutor's responses.
        ours: Our responses that should pass and that should fail.
    """
    theirs, own = _gaps(tutor), _gaps(ours)
    items = sorted(theirs.keys() & own.keys())
    return SelfPreference(
        mean_over_items([theirs[i] - own[i] for i in items], NO_ITEM, low=-18.0, high=18.0),
        mean_over_items([theirs[i] for i in items], NO_ITEM, low=-9.0, high=9.0),
        mean_over_items([own[i] for i in items], NO_ITEM, low=-9.0, high=9.0),
        left_out=len({r.item_id for r in (*tutor, *ours)}) - len(items),
    )


def _gaps(responses: Iterable[BothScored]) -> dict[str, float]:
    """Give the mean gap of each item that has a response scored by both."""
    items: dict[str, list[float]] = defaultdict(list)
    for one in responses:
        if one.judge is not None and one.other is not None:
            items[one.item_id].append(one.judge - one.other)
    return {item: fsum(gaps) / len(gaps) for item, gaps in items.items()}
