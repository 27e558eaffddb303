"""Reads audits and works out their figures in the background, what is quick first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, Signal

from app.audit.board import AuditBoard
from app.audit.cases import Case
from app.audit.items import Axis
from app.audit.records import Audit, Origin
from app.errors import Cancelled
from app.scoring.audit_knowledge import StaleKeys
from views.audit.listed import Listed
from views.audit.opened import (
    Opened,
    SoFar,
    open_audit,
    responses_of,
    so_far,
    state_of,
)
from views.background import Background, Job, Lane

if TYPE_CHECKING:
    from app.desk import Desk


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Counted:
    """The figures of an audit in one state, and the cases that tell most."""

    opened: Opened
    board: AuditBoard
    so_far: SoFar
    telling: tuple[Case, ...]
    ours: tuple[Listed, ...]
    """Responses of ours that tell the judge what to score, for cases among them."""
    stale: StaleKeys | None
    """Keys that every tutor contradicts; `None` where knowledge was not asked."""


@dataclass(frozen=True, slots=True)
class _Read:
    audits: tuple[Audit, ...]
    opened: Opened | None


class Gathering(QObject):
    """Gives audits and their figures.

    Args:
        desk: Where they are.
        background: Works them out.

    Signals:
        audits_came: The audits there are, oldest first.
        opened_came: The audit in view, as `Opened`.
        figures_came: It and its `AuditBoard`, as soon as that is counted.
        so_far_came: It and what has come of it, as `SoFar`.
        board_came: All that is worked out of it, as `Counted`.
        trouble: An error to tell.
    """

    audits_came = Signal(object)
    opened_came = Signal(object)
    figures_came = Signal(object, object)
    so_far_came = Signal(object, object)
    board_came = Signal(object)
    trouble = Signal(object)

    def __init__(self, desk: Desk, background: Background, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._desk, self._background = desk, background
        self._opened: dict[int, Opened] = {}
        self._counted: dict[int, Counted] = {}
        self._job: Job | None = None

    def refresh(self, audit_id: int) -> None:
        """Bring an audit up to date; 0 takes the newest."""
        self.leave()
        self._begin("Read the audit", lambda: self._read(audit_id), self._take)

    def leave(self) -> None:
        """Let go of what is being worked out."""
        if self._job is not None:
            self._job.stop.set()
        self._job = None

    def forget(self) -> None:
        """Read everything anew from now on."""
        self._opened.clear()
        self._counted.clear()

    def _begin(self, name: str, work: Callable[[], T], take: Callable[[Job, T], None]) -> None:
        """Work out one thing after the other; `take` is told which job it was."""
        self._job = job = Job(name, Lane.LOOK)
        self._background.start(
            job,
            lambda _report, _stop: work(),
            partial(take, job),
            partial(self._failed, job),
        )

    def _read(self, audit_id: int) -> _Read:
        library = self._desk.library
        audits = library.audits.audits()
        there = {audit.audit_id for audit in audits}
        wanted = audit_id if audit_id in there else max(there, default=0)
        if not wanted:
            return _Read(audits, None)
        known = self._opened.get(wanted)
        if known is not None and known.state == state_of(self._desk, wanted):
            return _Read(audits, known)
        return _Read(audits, open_audit(self._desk, wanted))

    def _take(self, job: Job, read: _Read) -> None:
        if job is not self._job:
            return
        self.audits_came.emit(read.audits)
        if read.opened is not None:
            self._opened[read.opened.audit.audit_id] = read.opened
            self.opened_came.emit(read.opened)
        # Whoever was told may have left the page.
        if read.opened is not None and job is self._job:
            self._count(read.opened)

    def _count(self, opened: Opened) -> None:
        known = self._counted.get(opened.audit.audit_id)
        if known is not None and known.opened.state == opened.state:
            self.board_came.emit(known)
            return
        self._begin(
            "Count the boards of the audit",
            lambda: self._desk.audit.results.board(opened.audit.audit_id),
            partial(self._take_board, opened),
        )

    def _take_board(self, opened: Opened, job: Job, board: AuditBoard) -> None:
        if job is not self._job:
            return
        self.figures_came.emit(opened, board)
        # Whoever was told may have left the page.
        if job is not self._job:
            return
        self._begin(
            "List the responses of the audit",
            lambda: so_far(self._desk, opened),
            partial(self._take_so_far, opened),
        )

    def _take_so_far(self, opened: Opened, job: Job, come: SoFar) -> None:
        if job is not self._job:
            return
        self.so_far_came.emit(opened, come)
        if job is not self._job:
            return
        self._begin(
            "Find the cases of the audit that tell most",
            lambda: self._work_out(opened, come),
            self._take_counted,
        )

    def _work_out(self, opened: Opened, come: SoFar) -> Counted:
        audit_id, results = opened.audit.audit_id, self._desk.audit.results
        results.keep_board(audit_id)
        asks = Axis.KNOWLEDGE in opened.audit.plan.axes
        return Counted(
            opened,
            results.board(audit_id),
            come,
            results.telling(audit_id, hidden=opened.hidden),
            responses_of(self._desk, opened.audit, opened.items, Origin.INJECTED),
            results.stale_keys(audit_id) if asks else None,
        )

    def _take_counted(self, job: Job, counted: Counted) -> None:
        self._counted[counted.opened.audit.audit_id] = counted
        if job is self._job:
            self.board_came.emit(counted)

    def _failed(self, job: Job, error: Exception) -> None:
        if job is self._job and not isinstance(error, Cancelled):
            self.trouble.emit(error)
