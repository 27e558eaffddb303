"""What a person chooses for an audit, and the plan that it settles into."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice, zip_longest

from app.audit.bank import Bank
from app.audit.checks_of_judges import JUDGED
from app.audit.items import Axis, Item
from app.audit.planted import Planted
from app.audit.records import SCORINGS, AuditPlan, Gate, Seat
from app.errors import Refused


@dataclass(frozen=True, slots=True)
class AuditChoice:
    """An audit as a person wants it; models by the names they have here."""

    title: str
    tutor: str
    judges: tuple[str, ...] = ()
    axes: tuple[Axis, ...] = tuple(Axis)
    bank: str = ""
    """Digest of a bank in the library; empty for the starter items."""
    limit: int | None = None
    """Most items of each axis, spread over its groups; `None` for all."""
    gates: tuple[Gate, ...] = ()
    families: Mapping[str, str] = field(default_factory=dict)
    """By model, where a person knows better than its name tells."""
    draws: int | None = None
    scorings: int = SCORINGS
    seed: int = 0
    max_tokens: int = 1024
    left_out: frozenset[str] | None = None
    """Items that are not to be asked; `None` leaves out those that reviewers dropped."""


def self_check_of(choice: AuditChoice, kind: Planted) -> AuditChoice:
    """Give the choice of the audit that a planted tutor goes through."""
    return replace(choice, title=f"Self-check: {kind.value}", tutor=kind.tutor, gates=())


def settle(
    choice: AuditChoice, digest: str, bank: Bank, seats: Mapping[str, Seat], **more: bool
) -> AuditPlan:
    """Give the plan of an audit.

    Args:
        choice: What is wanted.
        digest: Of the bank.
        bank: What is asked from.
        seats: Of every model that is named, by name.
        more: `is_self_check`, `is_sample`.

    Raises:
        Refused: It cannot be done so; the message says why.
    """
    left_out = choice.left_out or frozenset()
    items = tuple(item for item in bank.items if item.item_id not in left_out)
    axes = tuple(axis for axis in Axis if axis in choice.axes)
    chosen = {item.item_id for axis in axes for item in _some(items, axis, choice.limit)}
    _check(choice, axes, [item for item in items if item.item_id in chosen], bank)
    return AuditPlan(
        choice.title.strip(),
        seats[choice.tutor],
        tuple(seats[judge] for judge in choice.judges),
        axes,
        digest,
        tuple(item.item_id for item in items if item.item_id in chosen),
        choice.gates,
        choice.seed,
        max_tokens=choice.max_tokens,
        draws=choice.draws,
        scorings=choice.scorings,
        **more,
    )


def _some(items: Sequence[Item], axis: Axis, limit: int | None) -> list[Item]:
    """Give items of an axis: all, or so many, spread over its groups and their categories."""
    own = [item for item in items if item.axis is axis]
    if limit is None:
        return own
    groups: defaultdict[str, defaultdict[str, list[Item]]] = defaultdict(lambda: defaultdict(list))
    for item in own:
        groups[item.group][item.category].append(item)
    in_turn = _in_turn([list(_in_turn(group.values())) for group in groups.values()])
    return list(islice(in_turn, limit))


def _in_turn(lists: Iterable[Sequence[Item]]) -> Iterator[Item]:
    """Give the first of each list, then the second, and so on."""
    return (one for one in chain.from_iterable(zip_longest(*lists)) if one is not None)


def _check(choice: AuditChoice, axes: Sequence[Axis], items: Sequence[Item], bank: Bank) -> None:
    if not choice.title.strip():
        raise Refused("The audit has no title.", "Give it one, by which you find it again.")
    if not axes:
        raise Refused("No axis is chosen.", f"Choose among {', '.join(Axis)}.")
    for axis in axes:
        if not any(item.axis is axis for item in items):
            raise Refused(f"These items have none on {axis}.", "Leave the axis out.")
    judged = [item for item in items if item.axis in JUDGED]
    if judged and not choice.judges:
        raise Refused(
            "Responses on skill and attitude are scored by judges, and none is chosen.",
            "Choose two models as judges, or the axis knowledge alone.",
        )
    if len(set(choice.judges)) < len(choice.judges):
        raise Refused("A judge is chosen twice.", "Choose two different models.")
    for item in judged:
        if item.group not in bank.rubrics:
            raise Refused(
                f"The item {item.item_id} cannot be scored: there is no rubric for {item.group}.",
                "Bring in a rubric with the items.",
            )
    if choice.scorings < 1 or (choice.draws is not None and choice.draws < 1):
        raise Refused("A response is drawn and scored once at least.", "Choose 1 or more.")
