"""All of an audit that its papers are written from, handed to whoever writes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from app.audit.board import AuditBoard
from app.audit.cases import Case
from app.audit.expert_records import ExpertWords
from app.audit.items import Item
from app.audit.records import ModelRun, Response, Scoring
from app.scoring.audit_knowledge import StaleKeys


@dataclass(frozen=True, slots=True)
class WholeAudit:
    """An audit from its boards down to each word."""

    board: AuditBoard
    cases: tuple[Case, ...]
    """The most telling ones."""
    items: tuple[Item, ...]
    """That were asked."""
    of_bank: int
    """Items that the bank has on the axes of the audit."""
    responses: tuple[Response, ...]
    """The tutor's and our own."""
    scorings: tuple[Scoring, ...]
    experts: Mapping[int, ExpertWords]
    """By response."""
    runs: tuple[ModelRun, ...]
    stale: StaleKeys | None = None
    """Keys that every tutor contradicts; `None` where the audit does not look at knowledge."""
    hidden: int = 0
    """Responses that whoever writes still scores blind; nothing that was given to them is here."""
