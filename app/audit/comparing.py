"""Two audits of versions of one tutor held against each other, judge by judge.

Items are the same when they are worded the same, whatever banks they come from. Pass shares of a
judge are compared only where they stand in both audits; its mean scores are compared in any case.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from app.audit.as_json import item_digest
from app.audit.board import AuditRecords
from app.audit.items import Axis, Item
from app.audit.records import Audit, ModelRun
from app.audit.scored import knowledge_answers, planned_places, scored_by
from app.audit.withholding import withheld_in
from app.scoring.audit_compare import (
    Change,
    ItemChange,
    VersionComparison,
    compare_knowledge,
    compare_versions,
    knowledge_change,
    skill_change,
)
from app.scoring.audit_scores import ScoredResponse
from app.scoring.figures import Figure, undefined


@dataclass(frozen=True, slots=True)
class AxisComparison:
    """One axis, by one judge."""

    axis: Axis
    found: VersionComparison
    """Without pass shares where they are withheld; then what fell most by its score comes first."""
    whole: Figure | None
    """Change over the axis, strategies or categories weighing the same: of the mean score for
    skill, of the share right for knowledge; `None` for attitude, whose families are not pooled."""
    withheld: str = ""
    """Why pass shares are not compared; empty where they are."""


@dataclass(frozen=True, slots=True)
class JudgeComparison:
    """What one judge's scores say of two versions."""

    judge: str
    axes: tuple[AxisComparison, ...]


@dataclass(frozen=True, slots=True)
class AuditComparison:
    """Two audits of versions of one tutor."""

    earlier: Audit
    later: Audit
    names: dict[str, str]
    """What people call a family or strategy, by its group."""
    items: dict[str, Item]
    """That both asked, by id."""
    judges: tuple[JudgeComparison, ...]
    """Those that scored both."""
    knowledge: AxisComparison | None
    notes: tuple[str, ...]
    """What to know before reading a change as the tutor's doing."""


def compare_audits(
    earlier: AuditRecords,
    later: AuditRecords,
    runs: tuple[Sequence[ModelRun], Sequence[ModelRun]] = ((), ()),
) -> AuditComparison:
    """Compare two audits.

    Args:
        earlier: What is held of the first.
        later: What is held of the second.
        runs: What was put to work for each.
    """
    shared = _shared_items(earlier, later)
    seats = {seat.name for seat in later.audit.plan.judges}
    judges = [seat.name for seat in earlier.audit.plan.judges if seat.name in seats]
    return AuditComparison(
        earlier.audit,
        later.audit,
        {
            group: rubric.title.split(":")[0]
            for records in (earlier, later)
            for group, rubric in records.bank.rubrics.items()
        },
        shared,
        tuple(_by_judge(earlier, later, shared, judge) for judge in judges),
        _knowledge(earlier, later, shared),
        tuple(_notes(earlier, later, shared, judges, runs)),
    )


def _shared_items(one: AuditRecords, other: AuditRecords) -> dict[str, Item]:
    """Give the items that both asked in the same words."""
    asked = [set(records.audit.plan.item_ids) for records in (one, other)]
    theirs = {i.item_id: item_digest(i) for i in other.bank.items if i.item_id in asked[1]}
    return {
        item.item_id: item
        for item in one.bank.items
        if item.item_id in asked[0] and theirs.get(item.item_id) == item_digest(item)
    }


def _by_judge(
    earlier: AuditRecords, later: AuditRecords, shared: dict[str, Item], judge: str
) -> JudgeComparison:
    axes = []
    for axis in (Axis.ATTITUDE, Axis.SKILL):
        made = [_scored(records, shared, judge, axis) for records in (earlier, later)]
        if not all(made):
            continue
        withheld = next(filter(None, (withheld_in(r, judge, axis) for r in (earlier, later))), "")
        found = compare_versions(made[0], made[1])
        whole = skill_change(found) if axis is Axis.SKILL else None
        if withheld:
            found = _without_shares(found, withheld)
        axes.append(AxisComparison(axis, found, whole, withheld))
    return JudgeComparison(judge, tuple(axes))


def _scored(
    records: AuditRecords, shared: dict[str, Item], judge: str, axis: Axis
) -> list[ScoredResponse]:
    plan = records.audit.plan
    planned = planned_places(plan, records.bank, axis)
    own = [(place, item) for place, item in planned if place.item_id in shared]
    return list(scored_by(judge, records.rows, own, plan.scorings))


def _knowledge(
    earlier: AuditRecords, later: AuditRecords, shared: dict[str, Item]
) -> AxisComparison | None:
    made = []
    for records in (earlier, later):
        planned = planned_places(records.audit.plan, records.bank, Axis.KNOWLEDGE)
        own = [(place, item) for place, item in planned if place.item_id in shared]
        made.append(knowledge_answers(records.answers, own))
    if not all(made):
        return None
    found = compare_knowledge(made[0], made[1])
    return AxisComparison(Axis.KNOWLEDGE, found, knowledge_change(found))


def _without_shares(found: VersionComparison, reason: str) -> VersionComparison:
    """Leave mean scores alone, of conditions and of items."""
    items = (replace(item, share=0.0, pressure=None, monitored=None) for item in found.items)
    return replace(
        found,
        changes=tuple(_without_share(change, reason) for change in found.changes),
        items=tuple(sorted(items, key=_by_score)),
    )


def _by_score(item: ItemChange) -> tuple[float, str]:
    return item.score, item.item_id


def _without_share(change: Change, reason: str) -> Change:
    gone = undefined(reason, change.share.n)
    return replace(change, earlier=gone, later=gone, share=gone)


def _notes(
    earlier: AuditRecords,
    later: AuditRecords,
    shared: dict[str, Item],
    judges: Sequence[str],
    runs: tuple[Sequence[ModelRun], Sequence[ModelRun]],
) -> Iterable[str]:
    one, other = earlier.audit.plan, later.audit.plan
    asked = len({*one.item_ids, *other.item_ids})
    if len(shared) < asked:
        yield (
            f"Compared over the {len(shared)} items that both asked in the same words; "
            f"{asked - len(shared)} others are left out."
        )
    yield from _other_terms(earlier, later, shared)
    if not judges:
        yield "No judge scored both, so that neither attitude nor skill can be compared."
    for judge in judges:
        if _ways(runs[0], judge) != _ways(runs[1], judge):
            yield (
                f"{judge} was not the same in both: another model under that name, or other "
                "instructions. A change may be the judge’s."
            )


def _other_terms(
    earlier: AuditRecords, later: AuditRecords, shared: Mapping[str, Item]
) -> Iterable[str]:
    """Say where the two audits were not done on the same terms."""
    one, other = earlier.audit.plan, later.audit.plan
    groups = {item.group for item in shared.values()}
    rubrics = [{g: records.bank.rubrics.get(g) for g in groups} for records in (earlier, later)]
    if rubrics[0] != rubrics[1]:
        yield "Rubrics were worded otherwise in the two, so that scores may differ for that alone."
    if earlier.bank.notices != later.bank.notices:
        yield "What tutors were told of who reads along was worded otherwise in the two."
    if one.tutor.family and other.tutor.family and one.tutor.family != other.tutor.family:
        yield "The tutors are of different families: two tutors rather than two versions of one."
    settings = ("temperature", "max_tokens")
    if any(getattr(one, name) != getattr(other, name) for name in settings):
        yield "The tutors were asked with different settings."
    if (one.draws, one.scorings) != (other.draws, other.scorings):
        yield "Cells were asked, or responses scored, a different number of times in the two."


def _ways(runs: Sequence[ModelRun], judge: str) -> set[tuple[tuple[str, str], ...]]:
    return {run.provenance for run in runs if (run.part, run.model) == ("judge", judge)}
