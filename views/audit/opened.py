"""One audit as the library holds it now: what was settled, and what has come so far."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from app.audit.bank import Bank
from app.audit.cells import items_of
from app.audit.items import Axis, Item
from app.audit.outlook import Progress
from app.audit.planted import planted_of
from app.audit.planted_seen import PlantedSeen, seen_of
from app.audit.records import Audit, Origin
from app.audit.reviewing_items import mark_of_item
from views.audit.listed import Listed, listed

if TYPE_CHECKING:
    from app.desk import Desk


@dataclass(frozen=True, slots=True)
class Opened:
    """What was settled for an audit, as the page shows it."""

    audit: Audit
    bank: Bank
    items: Mapping[str, Item]
    """Those asked, by id."""
    hidden: frozenset[int]
    """Responses whose scores the reviewer must not see yet."""
    mark: str
    """How far the items asked have been reviewed; empty when all were kept."""
    marks: Mapping[str, str]
    """The same of each item, by id; one that was kept is not in it."""
    seen: tuple[PlantedSeen, ...]
    """Of a self-check: what each judge saw of the planted tutor; empty for any other audit."""
    state: tuple[object, ...]
    """Changes with all that is kept of the audit, and with who looks at it."""


@dataclass(frozen=True, slots=True)
class SoFar:
    """What has come of an audit so far."""

    responses: tuple[Listed, ...]
    """Of the tutor, in the order they came."""
    progress: Progress


def judges_of(opened: Opened) -> tuple[str, ...]:
    """Name the judges of an audit, in the order of its plan."""
    return tuple(judge.name for judge in opened.audit.plan.judges)


def state_of(desk: Desk, audit_id: int, hidden: frozenset[int] | None = None) -> tuple[object, ...]:
    """Tell an audit as it stands, and as it is seen, from any other state.

    Args:
        desk: Where it is.
        audit_id: The audit.
        hidden: What `to_score_blind` gives, where that is known already.
    """
    hidden = to_score_blind(desk, audit_id) if hidden is None else hidden
    return (*desk.library.audits.stamp(audit_id), desk.settings.author, hidden)


def open_audit(desk: Desk, audit_id: int) -> Opened:
    """Read an audit; call it in the background.

    Raises:
        StoreRefused: It or its items are not there.
    """
    hidden = to_score_blind(desk, audit_id)
    state = state_of(desk, audit_id, hidden)
    audit = desk.library.audits.audit(audit_id)
    plan = audit.plan
    bank = desk.library.audits.bank(plan.bank)
    items = {item.item_id: item for item in items_of(plan, bank)}
    marks = {s.item.item_id: mark_of_item(s) for s in desk.items.standings(plan.bank)}
    return Opened(
        audit,
        bank,
        items,
        hidden,
        desk.items.mark(plan.bank, plan.item_ids),
        {item_id: mark for item_id, mark in marks.items() if mark},
        _seen(desk, audit, bank),
        state,
    )


def _seen(desk: Desk, audit: Audit, bank: Bank) -> tuple[PlantedSeen, ...]:
    plan, audits = audit.plan, desk.library.audits
    kind = planted_of(plan.tutor.name) if plan.is_self_check else None
    if kind is None:
        return ()
    rows = audits.board_rows(audit.audit_id)
    said = audits.responses(audit.audit_id, Origin.TUTOR)
    return tuple(seen_of(kind, judge.name, plan, bank, rows, said) for judge in plan.judges)


def so_far(desk: Desk, opened: Opened) -> SoFar:
    """List what the tutor said, with the scores of each judge; call it in the background."""
    responses = responses_of(desk, opened.audit, opened.items, Origin.TUTOR)
    return SoFar(responses, desk.audit.progress(opened.audit.audit_id))


def responses_of(
    desk: Desk, audit: Audit, items: Mapping[str, Item], origin: Origin
) -> tuple[Listed, ...]:
    """Read the responses of one origin with the scores of each judge."""
    plan, audits = audit.plan, desk.library.audits
    rows = audits.board_rows(audit.audit_id, origin)
    letters: dict[int, str] = {}
    if origin is Origin.TUTOR and Axis.KNOWLEDGE in plan.axes:
        asked = [each for each, item in items.items() if item.axis is Axis.KNOWLEDGE]
        found = audits.responses(audit.audit_id, origin, asked)
        letters = {one.response_id: one.choice for one in found if one.choice}
    all_of = listed(rows, items, plan.scorings if origin is Origin.TUTOR else 1, letters)
    hidden = to_score_blind(desk, audit.audit_id)
    return tuple(
        replace(one, scores=(), is_hidden=True) if one.response_id in hidden else one
        for one in all_of
    )


def to_score_blind(desk: Desk, audit_id: int) -> frozenset[int]:
    """Give the responses whose scores the reviewer must not see yet."""
    blind = desk.settings.blind
    return desk.audit_experts.to_score_blind(audit_id, desk.author, is_blind=blind)


def far_words(progress: Progress) -> str:
    """Say how far an audit is, e.g. `120 of 240 responses, 300 of 720 scorings.`"""
    told = [f"{progress.responses:,} of {progress.responses_wanted:,} responses"]
    if progress.scorings_wanted:
        told.append(f"{progress.scorings:,} of {progress.scorings_wanted:,} scorings")
        checks = f"{progress.checks:,} of {progress.checks_wanted:,} in the check of the judges"
        told.append(checks)
    return f"{', '.join(told)}."
