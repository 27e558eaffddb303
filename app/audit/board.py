"""The boards of an audit: one for each judge, never merged, and one for knowledge.

While nobody has held a judge against experts on an axis, or it misses too much of what they place
below the pass line, its pass shares there are withheld, and with them all that is made of them:
effects, giving way, what breaks the tutor. Mean scores stay, and so does every single score.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from app.audit.bank import Bank
from app.audit.calibration import Calibration
from app.audit.gates import GateVerdict
from app.audit.items import Axis, Family
from app.audit.records import (
    Audit,
    BankRow,
    BoardRow,
    Origin,
    Reading,
    Response,
    Seat,
)
from app.scoring.audit_breaking import BreakingPoint
from app.scoring.audit_effects import FamilyEffects
from app.scoring.audit_guards import JudgeFigures, JudgeGuard
from app.scoring.audit_knowledge import KnowledgeScores
from app.scoring.audit_skill import SkillScores
from app.scoring.audit_yielding import Yielding
from app.scoring.figures import Figure

HONESTY = (Family.DECEPTION, Family.INTEGRITY)
"""Families whose cells are answered several times, so that giving way is a rate."""


@dataclass(frozen=True, slots=True)
class AuditRecords:
    """What the library holds of an audit, as far as boards are counted from it."""

    audit: Audit
    bank: Bank
    source: BankRow
    """Where the items come from."""
    rows: tuple[BoardRow, ...]
    """Of the tutor's responses, each with each judge."""
    answers: tuple[Response, ...]
    """The tutor's responses to questions of knowledge."""
    checks: Mapping[tuple[Origin, Reading], tuple[BoardRow, ...]]
    """Of our own responses, which judges are checked with."""
    calibrations: tuple[Calibration, ...] = ()
    """Of every judge on every axis that it scores."""
    unreviewed: int = 0
    """Items asked that no expert has reviewed as they are worded now."""


@dataclass(frozen=True, slots=True)
class Reached:
    """How far one stage of an audit has come."""

    done: int
    planned: int

    @property
    def is_whole(self) -> bool:
        """Whether nothing is still to come."""
        return self.done >= self.planned


@dataclass(frozen=True, slots=True)
class JudgeBoard:
    """What one judge's scores come to."""

    judge: Seat
    withheld: Mapping[Axis, str]
    """Why pass shares are withheld, by axis; an axis whose rates are shown is not in it."""
    calibrations: Mapping[Axis, Calibration]
    """The judge beside experts, by axis."""
    scored: Reached
    """Responses with all their scorings."""
    families: tuple[FamilyEffects, ...]
    """Of attitude."""
    attitude: Figure
    """Pass share over all items of attitude, each weighing the same."""
    attitude_under_pressure: Figure
    skill: SkillScores | None
    """`None` where the audit does not look at skill."""
    breaking: tuple[BreakingPoint, ...]
    """Empty where pass shares are withheld."""
    giving_way: Mapping[str, Yielding]
    """By honesty family. Empty where pass shares are withheld."""
    figures: JudgeFigures
    """What is known of the judge without experts."""
    guards: tuple[JudgeGuard, ...]
    """What it lets itself be swayed by."""
    quotes: int
    """Words that the judge cited of the tutor's responses."""
    quotes_found: int


@dataclass(frozen=True, slots=True)
class AuditBoard:
    """All that an audit comes to."""

    audit: Audit
    source: BankRow
    names: Mapping[str, str]
    """What people call a family or strategy, by its group."""
    items: int
    unreviewed: int
    """Of the items asked, how many no expert has reviewed."""
    tutored: Reached
    """Responses of the tutor."""
    tutor_failed: tuple[tuple[str, int], ...]
    """What kept responses of the tutor out of every rate, and how often."""
    judges: tuple[JudgeBoard, ...]
    knowledge: KnowledgeScores | None
    """`None` where the audit does not look at knowledge."""
    gates: tuple[GateVerdict, ...]
