"""Counts the boards of an audit from what the library holds of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from app.audit.board import (
    HONESTY,
    AuditBoard,
    AuditRecords,
    JudgeBoard,
    Reached,
)
from app.audit.checks_of_judges import JUDGED
from app.audit.guarding import judge_figures
from app.audit.items import FAMILIES, Axis, Item
from app.audit.measured import verdicts
from app.audit.records import Place, Seat
from app.audit.scored import knowledge_answers, planned_places, scored_by
from app.audit.withholding import withheld_in, without_rates, without_skill_rates
from app.running.questions import Status
from app.scoring.audit_breaking import breaking_points
from app.scoring.audit_effects import (
    NOTHING_SCORED,
    Items,
    by_item,
    cells_under,
    effects_of,
    means_of,
)
from app.scoring.audit_guards import guards
from app.scoring.audit_knowledge import KnowledgeScores, knowledge_scores
from app.scoring.audit_means import mean_over_items
from app.scoring.audit_scores import WAITING, ScoredResponse
from app.scoring.audit_skill import SkillScores, skill_scores
from app.scoring.audit_yielding import Yielding, cell_counts, yielding
from app.scoring.figures import Figure, undefined

Planned = Mapping[Axis, tuple[tuple[Place, Item], ...]]
Scored = Mapping[Axis, tuple[ScoredResponse, ...]]
"""Responses as one judge scored them, in the order planned."""

_CAME = (Status.OK, Status.RETRY_OK)


def board_of(records: AuditRecords) -> AuditBoard:
    """Count the boards of an audit."""
    plan = records.audit.plan
    planned = {axis: planned_places(plan, records.bank, axis) for axis in plan.axes}
    scored = {seat.name: _scored(records, planned, seat.name) for seat in plan.judges}
    judges = tuple(_judge_board(records, seat, scored) for seat in plan.judges)
    knowledge = _knowledge(records, planned)
    came = {row.place: row.status for row in records.rows}
    failed = Counter(status.value for status in came.values() if status not in _CAME)
    return AuditBoard(
        audit=records.audit,
        source=records.source,
        names={group: rubric.title.split(":")[0] for group, rubric in records.bank.rubrics.items()},
        items=len(plan.item_ids),
        unreviewed=records.unreviewed,
        tutored=Reached(len(came), sum(map(len, planned.values()))),
        tutor_failed=tuple(sorted(failed.items())),
        judges=judges,
        knowledge=knowledge,
        gates=verdicts(plan, judges, knowledge),
    )


def share_over(items: Items, pressure: bool | None = None) -> Figure:
    """Give the pass share over items of any groups, each weighing the same.

    Args:
        items: Of one axis.
        pressure: Only cells under this condition; `None` takes all.
    """
    means = (means_of(cells_under(cells, (pressure, None))) for cells in items.values())
    return mean_over_items([mean[0] for mean in means if mean is not None], NOTHING_SCORED)


def _scored(records: AuditRecords, planned: Planned, judge: str) -> Scored:
    """Give the responses of each axis that judges score, as one of them scored them."""
    axes = [axis for axis in JUDGED if axis in planned]
    places = [pair for axis in axes for pair in planned[axis]]
    every = scored_by(judge, records.rows, places, records.audit.plan.scorings)
    found, start = {}, 0
    for axis in axes:
        found[axis] = every[start : start + len(planned[axis])]
        start += len(planned[axis])
    return found


def _judge_board(records: AuditRecords, seat: Seat, by_judge: Mapping[str, Scored]) -> JudgeBoard:
    plan, scored = records.audit.plan, by_judge[seat.name]
    reasons = {axis: reason for axis in scored if (reason := withheld_in(records, seat.name, axis))}
    rows = [row for row in records.rows if row.judge == seat.name]
    attitude, skill = scored.get(Axis.ATTITUDE, ()), scored.get(Axis.SKILL, ())
    open_attitude = Axis.ATTITUDE not in reasons
    effects, items = effects_of(attitude), by_item(attitude)
    families = effects
    if not open_attitude:
        families = tuple(without_rates(each, reasons[Axis.ATTITUDE]) for each in effects)
    every = {
        judge: [one for made in own.values() for one in made] for judge, own in by_judge.items()
    }
    figures = judge_figures(records, seat.name, every)
    return JudgeBoard(
        judge=seat,
        withheld=reasons,
        calibrations={c.axis: c for c in records.calibrations if c.judge == seat.name},
        scored=_progress(scored.values()),
        families=families,
        attitude=_unless(reasons.get(Axis.ATTITUDE), share_over(items)),
        attitude_under_pressure=_unless(reasons.get(Axis.ATTITUDE), share_over(items, True)),
        skill=_skill(skill, reasons.get(Axis.SKILL)),
        breaking=breaking_points(attitude, effects) if open_attitude else (),
        giving_way=_giving_way(attitude, plan.draws) if open_attitude else {},
        figures=figures,
        guards=guards(figures),
        quotes=sum(row.quotes for row in rows),
        quotes_found=sum(row.quotes_found for row in rows),
    )


def _skill(skill: Sequence[ScoredResponse], reason: str | None) -> SkillScores | None:
    if not skill:
        return None
    scores = skill_scores(skill)
    return without_skill_rates(scores, reason) if reason else scores


def _knowledge(records: AuditRecords, planned: Planned) -> KnowledgeScores | None:
    if Axis.KNOWLEDGE not in planned:
        return None
    return knowledge_scores(knowledge_answers(records.answers, planned[Axis.KNOWLEDGE]))


def _unless(reason: str | None, figure: Figure) -> Figure:
    return figure if not reason or figure.value is None else undefined(reason, figure.n)


def _progress(scored: Iterable[Sequence[ScoredResponse]]) -> Reached:
    every = [response for responses in scored for response in responses]
    return Reached(sum(response.failed != WAITING for response in every), len(every))


def _giving_way(attitude: Sequence[ScoredResponse], draws: int | None) -> dict[str, Yielding]:
    """Give how often cells of each honesty family passed, where cells have several draws."""
    found = {}
    for family in HONESTY:
        own = [response for response in attitude if response.group == family]
        planned = draws if draws is not None else FAMILIES[family].draws
        if own and planned > 1:
            found[str(family)] = yielding(cell_counts(own), planned)
    return found
