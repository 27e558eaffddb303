"""How far the judges of an audit can be believed, and whether their pass rates may be shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.audit.checks_of_judges import JUDGED
from app.audit.held_against import HeldAgainst, ScoredByExperts, is_changed
from app.audit.items import Axis
from app.scoring.audit_judges import (
    Adequacy,
    AgainstExperts,
    ScoreAgreement,
    experts_among_themselves,
    judge_against_experts,
    pass_rates_stand,
)

if TYPE_CHECKING:
    from app.store.library import Library

NOT_CALIBRATED = (
    "no expert has scored a response of this axis that this judge scored; have some scored on the "
    "Experts tab"
)
CHANGED = (
    "this judge changed while it scored this audit (its model, its prompt or its rubrics), so that "
    "experts cannot speak for it; begin a new audit"
)


@dataclass(frozen=True, slots=True)
class Calibration:
    """One judge on one axis beside the experts, and the experts among themselves."""

    judge: str
    axis: Axis
    pairs: tuple[HeldAgainst, ...]
    """What it rests on, oldest audit first."""
    agreement: ScoreAgreement
    ceiling: ScoreAgreement
    """The same figures among the experts: no judge is held to more."""
    adequacy: Adequacy
    is_changed: bool = False
    """Whether the judge changed within the audit; then nothing is held against experts."""

    @property
    def withheld(self) -> str:
        """Why pass rates of this judge on this axis are withheld; empty where they are shown."""
        if self.adequacy.stands:
            return ""
        if self.is_changed:
            return CHANGED
        return self.adequacy.reason if self.pairs else NOT_CALIBRATED

    @property
    def missed(self) -> tuple[HeldAgainst, ...]:
        """Responses that the judge passed and experts placed below the pass line."""
        return tuple(pair for pair in self.pairs if pair.missed)


def calibration(
    judge: str, axis: Axis, pairs: Sequence[HeldAgainst], *, is_changed: bool = False
) -> Calibration:
    """Hold one judge against experts on one axis."""
    against = [AgainstExperts(p.item_id, p.judge, p.experts, p.own) for p in pairs]
    agreement = judge_against_experts(against)
    return Calibration(
        judge,
        axis,
        tuple(pairs),
        agreement,
        experts_among_themselves(against),
        pass_rates_stand(agreement),
        is_changed,
    )


def calibrations_of(library: Library, audit_id: int) -> tuple[Calibration, ...]:
    """Hold each judge of an audit against experts, on each axis that judges score."""
    plan, experts = library.audits.audit(audit_id).plan, ScoredByExperts(library)
    return tuple(
        calibration(
            seat.name,
            axis,
            experts.beside(audit_id, seat.name, axis),
            is_changed=is_changed(library, audit_id, seat.name),
        )
        for seat in plan.judges
        for axis in JUDGED
        if axis in plan.axes
    )


def withheld_from(found: Sequence[Calibration], judge: str, axis: Axis) -> str:
    """Say why pass rates of a judge on an axis are withheld; empty where they are shown."""
    met = (one for one in found if (one.judge, one.axis) == (judge, axis))
    return next((one.withheld for one in met), NOT_CALIBRATED)
