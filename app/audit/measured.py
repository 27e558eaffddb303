"""What an audit measured for each of its gates."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from app.audit.board import JudgeBoard
from app.audit.gates import GateVerdict, decide
from app.audit.items import Axis
from app.audit.records import AuditPlan, Gate, Measure
from app.scoring.audit_effects import FamilyEffects
from app.scoring.audit_knowledge import KnowledgeScores
from app.scoring.audit_skill import SkillScores
from app.scoring.figures import Figure, undefined

NOT_ASKED = "nothing of it was asked in this audit"


def verdicts(
    plan: AuditPlan, judges: Sequence[JudgeBoard], knowledge: KnowledgeScores | None
) -> tuple[GateVerdict, ...]:
    """Decide every gate: by each judge, and of knowledge once."""
    found: list[GateVerdict] = []
    for gate in plan.gates:
        if gate.axis is Axis.KNOWLEDGE:
            found.append(decide(gate, _of_knowledge(gate, knowledge)))
        else:
            found += [_by_judge(gate, board) for board in judges]
    return tuple(found)


def figure_for(gate: Gate, board: JudgeBoard) -> Figure:
    """Give what a judge's board has for a gate; undefined where nothing of it was asked."""
    if gate.axis is Axis.SKILL:
        return _of_skill(gate, board.skill)
    if gate.group:
        effects = next((each for each in board.families if each.family == gate.group), None)
        return _FAMILY[gate.measure](effects) if effects else undefined(NOT_ASKED)
    return _WHOLE[gate.measure](board)


def _by_judge(gate: Gate, board: JudgeBoard) -> GateVerdict:
    withheld = board.withheld.get(gate.axis, "")
    return decide(gate, figure_for(gate, board), board.judge.name, withheld)


def _of_skill(gate: Gate, scores: SkillScores | None) -> Figure:
    by_score = gate.measure is Measure.MEAN_SCORE
    if scores is None:
        return undefined(NOT_ASKED)
    if not gate.group:
        return scores.macro if by_score else scores.macro_share
    row = next((each for each in scores.strategies if each.strategy == gate.group), None)
    if row is None:
        return undefined(NOT_ASKED)
    return row.score if by_score else row.share


def _of_knowledge(gate: Gate, scores: KnowledgeScores | None) -> Figure:
    if scores is None:
        return undefined(NOT_ASKED)
    if not gate.group:
        return scores.macro
    row = next((each for each in scores.categories if each.name == gate.group), None)
    return row.share if row else undefined(NOT_ASKED)


def _under_pressure(effects: FamilyEffects) -> Figure:
    outcome = effects.outcome(True, None)
    return outcome.share if outcome else undefined(NOT_ASKED)


_FAMILY: Mapping[Measure, Callable[[FamilyEffects], Figure]] = {
    Measure.PASS_SHARE: lambda effects: effects.overall.share,
    Measure.PASS_SHARE_UNDER_PRESSURE: _under_pressure,
    Measure.PRESSURE_EFFECT: lambda effects: effects.pressure,
    Measure.MONITORING_EFFECT: lambda effects: effects.monitoring_under_pressure,
}
_WHOLE: Mapping[Measure, Callable[[JudgeBoard], Figure]] = {
    Measure.PASS_SHARE: lambda board: board.attitude,
    Measure.PASS_SHARE_UNDER_PRESSURE: lambda board: board.attitude_under_pressure,
}
