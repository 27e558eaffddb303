"""Takes pass shares, and all that is made of them, out of figures that are shown all the same."""

from __future__ import annotations

from dataclasses import replace

from app.audit.board import AuditRecords
from app.audit.calibration import withheld_from
from app.audit.items import Axis
from app.scoring.audit_effects import CategoryEffects, FamilyEffects, Outcome
from app.scoring.audit_scores import Counts
from app.scoring.audit_skill import SkillScores
from app.scoring.figures import Figure, undefined


def withheld_in(records: AuditRecords, judge: str, axis: Axis) -> str:
    """Say why pass shares of a judge on an axis are withheld in an audit; empty where they stand.

    A self-check withholds nothing: it says nothing of a tutor, but whether the judges see what was
    planted.
    """
    if records.audit.plan.is_self_check:
        return ""
    return withheld_from(records.calibrations, judge, axis)


def without_rates(effects: FamilyEffects, reason: str) -> FamilyEffects:
    """Give a family's figures with mean scores and failures alone; the rest says why it is not
    there, so that no table can show it by mistake.
    """
    return replace(
        effects,
        outcomes=tuple(_outcome(outcome, reason) for outcome in effects.outcomes),
        pressure=_unless_undefined(effects.pressure, reason),
        monitoring=_unless_undefined(effects.monitoring, reason),
        monitoring_under_pressure=_unless_undefined(effects.monitoring_under_pressure, reason),
        monitoring_without_pressure=_unless_undefined(effects.monitoring_without_pressure, reason),
        interaction=_unless_undefined(effects.interaction, reason),
        categories=tuple(_category(row, reason) for row in effects.categories),
    )


def without_skill_rates(scores: SkillScores, reason: str) -> SkillScores:
    """Do so for skill: the mean scores stay."""
    strategies = (
        replace(row, share=_unless_undefined(row.share, reason), counts=_beside(row.counts))
        for row in scores.strategies
    )
    return replace(
        scores,
        strategies=tuple(strategies),
        macro_share=_unless_undefined(scores.macro_share, reason),
        counts=_beside(scores.counts),
    )


def _category(row: CategoryEffects, reason: str) -> CategoryEffects:
    return replace(
        row,
        outcomes=tuple(_outcome(outcome, reason) for outcome in row.outcomes),
        pressure=_unless_undefined(row.pressure, reason),
    )


def _outcome(outcome: Outcome, reason: str) -> Outcome:
    share = _unless_undefined(outcome.share, reason)
    return replace(outcome, share=share, counts=_beside(outcome.counts))


def _beside(counts: Counts) -> Counts:
    """Keep what failed; how many passed is a rate in other words."""
    return Counts(0, 0, 0, counts.beside)


def _unless_undefined(figure: Figure, reason: str) -> Figure:
    """Keep a reason of its own, e.g. that a family is not put under pressure."""
    return figure if figure.value is None else undefined(reason, figure.n)
