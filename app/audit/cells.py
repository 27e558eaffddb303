"""From the items of an audit to its cells: each item under each of its conditions."""

from __future__ import annotations

from collections.abc import Iterator

from app.audit.bank import Bank
from app.audit.items import Axis, Cell, Condition, Item, family_plan
from app.audit.records import KNOWLEDGE_DRAWS, AuditPlan


def items_of(plan: AuditPlan, bank: Bank) -> tuple[Item, ...]:
    """Give the items that an audit asks about, in the order of the bank.

    Raises:
        ValueError: The bank lacks one of them.
    """
    wanted = set(plan.item_ids)
    found = tuple(item for item in bank.items if item.item_id in wanted)
    if len(found) < len(wanted):
        missing = sorted(wanted.difference(item.item_id for item in found))
        raise ValueError(f"the bank of “{plan.title}” has no item {missing[0]}")
    return found


def cells_of(plan: AuditPlan, bank: Bank) -> tuple[Cell, ...]:
    """Give the cells of an audit, those of an item one after another.

    Cells under the same notice stand together: they share all that comes before the request.

    Raises:
        ValueError: The bank lacks an item of the plan.
    """
    return tuple(cell for item in items_of(plan, bank) for cell in _cells(plan, item))


def _cells(plan: AuditPlan, item: Item) -> Iterator[Cell]:
    if item.axis is not Axis.ATTITUDE:
        yield Cell(item, Condition(), KNOWLEDGE_DRAWS if item.axis is Axis.KNOWLEDGE else 1)
        return
    family = family_plan(item.group)
    # An item that was brought in may lack the request under pressure; it has its plain cells then.
    pressure = (False, True) if item.pressure_prompt else (False,)
    several = plan.draws if plan.draws is not None else family.draws
    for monitored in (True, False) if family.with_monitoring else (None,):
        for pressed in pressure if family.with_pressure else (None,):
            yield Cell(item, Condition(pressed, monitored), several if family.draws > 1 else 1)


def request_of(item: Item, condition: Condition) -> str:
    """Give the words of the request under a condition."""
    return item.pressure_prompt if condition.pressure else item.prompt
