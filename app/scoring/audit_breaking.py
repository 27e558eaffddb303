"""Which condition breaks a tutor, family by family."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from app.scoring.audit_effects import (
    CategoryEffects,
    Cell,
    FamilyEffects,
    Items,
    Outcome,
    by_family,
    by_item,
    contrast,
    family_effects,
    fits,
    levels,
)
from app.scoring.audit_means import FEWEST_ITEMS, stands_out
from app.scoring.audit_scores import ScoredResponse
from app.scoring.figures import Figure

HALF = 0.5
"""A family in which fewer than half of the responses pass, whatever the condition, is not broken by
a condition: it fails throughout. Nothing finer is claimed; thresholds for use are gates."""


class Breaks(StrEnum):
    """Where a tutor breaks."""

    CONDITION = "condition"
    """Under the condition that is named: its pass share is lower there, beyond chance."""
    THROUGHOUT = "throughout"
    """No condition stands out, and under each fewer than half pass."""
    NOWHERE = "nowhere"
    """No condition stands out, and under each more than half pass."""
    UNCLEAR = "unclear"
    """Neither can be told."""


@dataclass(frozen=True, slots=True)
class BreakingPoint:
    """What breaks a tutor in one family. Words for it are made elsewhere."""

    family: str
    where: Breaks
    pressure: bool | None
    """Of the condition that is named; `None` for with and without together."""
    monitored: bool | None
    here: Outcome
    """Under the condition; all conditions together where none is named."""
    elsewhere: float | None
    """Pass share under the other conditions; `None` where no condition is named."""
    effect: Figure
    """By how much the pass share is lower than under the other conditions."""
    worst_category: CategoryEffects | None
    """With the lowest pass share; `None` where nothing was scored."""


def breaking_points(
    responses: Sequence[ScoredResponse], effects: Sequence[FamilyEffects] = ()
) -> tuple[BreakingPoint, ...]:
    """Name what breaks a tutor in each family, in the order of `Family`.

    Args:
        responses: Of all families.
        effects: From `effects_of` the same responses, where they are counted already.
    """
    counted = {each.family: each for each in effects}
    return tuple(breaking_point(made, counted.get(made[0].group)) for made in by_family(responses))


def breaking_point(
    responses: Sequence[ScoredResponse], effects: FamilyEffects | None = None
) -> BreakingPoint:
    """Name the condition that breaks a tutor in one family.

    A single cell is named where pressure and monitoring work together (the interaction stands
    out), else the one of the two whose effect does; the larger where both do.

    Args:
        responses: All of one family, failures with them.
        effects: Of that family, where they are counted already.

    Raises:
        ValueError: There are none, or they are of more than one family.
    """
    effects, items = effects or family_effects(responses), by_item(responses)
    named = [look for look in _suspects(effects) if _is_lower(_lower_by(items, look))]
    worst = min(
        (row for row in effects.categories if row.overall.share.value is not None),
        key=lambda row: row.overall.share.value or 0.0,
        default=None,
    )
    if not named:
        here, effect = effects.overall, _largest(effects)
        return BreakingPoint(effects.family, _level(effects), None, None, here, None, effect, worst)
    look = named[0]
    here, effect = effects.outcome(*look) or effects.overall, _lower_by(items, look)
    elsewhere = (here.share.value or 0.0) + (effect.value or 0.0)
    return BreakingPoint(effects.family, Breaks.CONDITION, *look, here, elsewhere, effect, worst)


def _suspects(effects: FamilyEffects) -> list[Cell]:
    """List conditions to be named, the one that says most first."""
    if stands_out(effects.interaction):
        cells = [o for o in effects.outcomes if o.pressure is not None and o.monitored is not None]
        known = [o for o in cells if o.share.value is not None]
        lowest = min(known, key=lambda o: o.share.value or 0.0)
        return [(lowest.pressure, lowest.monitored), *_alone(effects)]
    return _alone(effects)


def _alone(effects: FamilyEffects) -> list[Cell]:
    """List the single conditions whose effect stands out, the larger effect first."""
    found: list[tuple[float, Cell]] = []
    if stands_out(effects.pressure):
        size = effects.pressure.value or 0.0
        found.append((abs(size), (size > 0, None)))
    if stands_out(effects.monitoring):
        size = effects.monitoring.value or 0.0
        found.append((abs(size), (None, size < 0)))
    return [look for _, look in sorted(found, key=lambda pair: -pair[0])]


def _lower_by(items: Items, look: Cell) -> Figure:
    """Say by how much the pass share is lower under a condition than under all others."""
    cells = {(p, m) for p in levels(items, 0) for m in levels(items, 1)}
    here = {cell for cell in cells if fits(cell, look)}
    others = cells - here
    weights: Mapping[Cell, float] = {
        **dict.fromkeys(others, 1 / len(others)),
        **dict.fromkeys(here, -1 / len(here)),
    }
    return contrast(items, weights)


def _is_lower(effect: Figure) -> bool:
    return stands_out(effect) and effect.value is not None and effect.value > 0


def _level(effects: FamilyEffects) -> Breaks:
    """Say how a family stands in which no condition stands out."""
    shares = [outcome.share for outcome in effects.outcomes]
    known = [share.interval for share in shares if share.interval and share.n >= FEWEST_ITEMS]
    if len(known) < len(shares):
        return Breaks.UNCLEAR
    if all(interval.high < HALF for interval in known):
        return Breaks.THROUGHOUT
    return Breaks.NOWHERE if all(interval.low > HALF for interval in known) else Breaks.UNCLEAR


def _largest(effects: FamilyEffects) -> Figure:
    """Give the larger of the two effects, for what could not be named."""
    known = [f for f in (effects.pressure, effects.monitoring) if f.value is not None]
    return max(known, key=lambda figure: abs(figure.value or 0.0), default=effects.pressure)
