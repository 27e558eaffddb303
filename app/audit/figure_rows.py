"""Every figure of an audit as a row of a long table, for files and for programs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from app.audit.board import AuditBoard, JudgeBoard
from app.audit.gates import GateVerdict
from app.audit.items import Axis, Condition
from app.scoring.audit_effects import CategoryEffects, FamilyEffects, Outcome
from app.scoring.audit_judges import ScoreAgreement
from app.scoring.audit_knowledge import KnowledgeScores
from app.scoring.audit_skill import SkillScores
from app.scoring.figures import Figure, figure_json


@dataclass(frozen=True, slots=True)
class FigureRow:
    """One figure: whose, of what, and how much."""

    judge: str
    """Empty for knowledge."""
    axis: str
    """Empty for what is known of a judge as such."""
    group: str
    """Family, strategy or category of knowledge; empty for the whole axis."""
    category: str
    condition: str
    """As in `Condition.name`; empty for all together."""
    measure: str
    figure: Figure


def figure_row_json(row: FigureRow) -> dict[str, Any]:
    """Give a row as JSON can hold it."""
    return {
        "judge": row.judge or None,
        "axis": row.axis or None,
        "group": row.group or None,
        "category": row.category or None,
        "condition": row.condition or None,
        "measure": row.measure,
        **figure_json(row.figure),
    }


def gate_json(verdict: GateVerdict) -> dict[str, Any]:
    """Give what came of a gate as JSON can hold it."""
    gate = verdict.gate
    return {
        "measure": gate.measure.value,
        "axis": gate.axis.value,
        "group": gate.group or None,
        "at_least": gate.at_least,
        "at_most": gate.at_most,
        "judge": verdict.judge or None,
        "verdict": verdict.state.value,
        "measured": figure_json(verdict.figure),
        "why": verdict.why or None,
    }


def figure_rows(board: AuditBoard, *, beside_experts: bool = True) -> Iterator[FigureRow]:
    """Give every figure of an audit; withheld ones are rows without a value, with the reason.

    Args:
        board: What came of it.
        beside_experts: Whether judges beside experts are among them; not for whoever still scores
            blind.
    """
    for judge in board.judges:
        yield from _attitude(judge)
        if judge.skill is not None:
            yield from _skill(judge.judge.name, judge.skill)
        if beside_experts:
            yield from _experts(judge)
        for guard in judge.guards:
            name = f"check_{guard.guard.value}"
            yield FigureRow(judge.judge.name, "", "", "", "", name, guard.figure)
    if board.knowledge is not None:
        yield from _knowledge(board.knowledge)


def _attitude(board: JudgeBoard) -> Iterator[FigureRow]:
    judge, axis = board.judge.name, Axis.ATTITUDE.value
    if board.families:
        pressed = Condition(pressure=True).name
        yield FigureRow(judge, axis, "", "", "", "pass_share", board.attitude)
        yield FigureRow(judge, axis, "", "", pressed, "pass_share", board.attitude_under_pressure)
    for effects in board.families:
        yield from _family(judge, effects)
        found = board.giving_way.get(effects.family)
        if found is not None:
            for name in ("pass_all", "fail_all", "split"):
                figure = getattr(found, name)
                yield FigureRow(judge, axis, effects.family, "", "", f"cells_{name}", figure)


def _family(judge: str, effects: FamilyEffects) -> Iterator[FigureRow]:
    axis, group = Axis.ATTITUDE.value, effects.family
    for outcome in effects.outcomes:
        yield from _outcome(judge, group, "", outcome)
    for name, figure in (
        ("pressure_effect", effects.pressure),
        ("monitoring_effect", effects.monitoring),
        ("monitoring_effect_under_pressure", effects.monitoring_under_pressure),
        ("monitoring_effect_without_pressure", effects.monitoring_without_pressure),
        ("pressure_x_monitoring", effects.interaction),
    ):
        yield FigureRow(judge, axis, group, "", "", name, figure)
    for row in effects.categories:
        yield from _category(judge, group, row)


def _category(judge: str, group: str, row: CategoryEffects) -> Iterator[FigureRow]:
    for outcome in row.outcomes:
        yield from _outcome(judge, group, row.category, outcome)
    axis = Axis.ATTITUDE.value
    yield FigureRow(judge, axis, group, row.category, "", "pressure_effect", row.pressure)


def _outcome(judge: str, group: str, category: str, outcome: Outcome) -> Iterator[FigureRow]:
    under = Condition(outcome.pressure, outcome.monitored)
    name = "" if under == Condition() else under.name
    axis = Axis.ATTITUDE.value
    yield FigureRow(judge, axis, group, category, name, "pass_share", outcome.share)
    yield FigureRow(judge, axis, group, category, name, "mean_score", outcome.score)


def _skill(judge: str, scores: SkillScores) -> Iterator[FigureRow]:
    axis = Axis.SKILL.value
    yield FigureRow(judge, axis, "", "", "", "mean_score", scores.macro)
    yield FigureRow(judge, axis, "", "", "", "pass_share", scores.macro_share)
    for branch, figure in scores.branches:
        yield FigureRow(judge, axis, branch, "", "", "mean_score", figure)
    for row in scores.strategies:
        yield FigureRow(judge, axis, row.strategy, "", "", "mean_score", row.score)
        yield FigureRow(judge, axis, row.strategy, "", "", "pass_share", row.share)


def _knowledge(scores: KnowledgeScores) -> Iterator[FigureRow]:
    axis = Axis.KNOWLEDGE.value
    yield FigureRow("", axis, "", "", "", "right", scores.macro)
    for row in scores.categories:
        yield FigureRow("", axis, row.name, "", "", "right", row.share)
    for row in scores.disabilities:
        yield FigureRow("", axis, "", row.name, "", "right_by_disability", row.share)
    yield FigureRow("", axis, "", "", "", "alike_in_every_draw", scores.always_the_same)
    yield FigureRow("", axis, "", "", "", "pairs_of_draws_alike", scores.pairs_the_same)


def _experts(board: JudgeBoard) -> Iterator[FigureRow]:
    for axis, found in board.calibrations.items():
        for whose, agreement in (("experts", found.agreement), ("ceiling", found.ceiling)):
            for name, figure in _agreement(agreement):
                measure = f"{whose}_{name}"
                yield FigureRow(board.judge.name, axis.value, "", "", "", measure, figure)


def _agreement(found: ScoreAgreement) -> tuple[tuple[str, Figure], ...]:
    return (
        ("within_one", found.within_one),
        ("alpha", found.alpha),
        ("bias", found.bias),
        ("spread", found.spread),
        ("recall_below_pass", found.recall),
        ("passes_kept", found.passes_kept),
    )
