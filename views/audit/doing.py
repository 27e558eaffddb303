"""What the Tutor audit page starts: settling audits, and all that models are asked for them."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QDialog, QWidget

from app.audit.choosing import AuditChoice
from app.audit.comparing import AuditComparison
from app.audit.items import Axis
from app.audit.outlook import PlannedAudit, StepPlan
from app.audit.ranking import ranked, ranks_table
from app.benchmark.words import Table
from app.errors import ClerestoryError, Paused
from app.imprint import now_in_seconds, program_name
from views.audit.new import BankChoice, NewAuditDialog
from views.audit.planned import PlannedAuditDialog, PlannedSelfCheckDialog
from views.background import Background, Job, Lane, Report
from views.common.words import count_words
from views.notices import Notices
from views.work import LessonWork
from views.written import tell_written

if TYPE_CHECKING:
    from app.desk import Desk

RUN, WRITE, SELF_CHECK = "audit", "audit-files", "audit-self-check"
"""Kinds of jobs: asking models for an audit, writing papers, planted tutors before judges."""


class AuditWork(QObject):
    """Starts work on audits and tells how it ended.

    Args:
        desk: What a reviewer can have done.
        background: Runs it.
        notices: Where it is told.
        work: Keeps jobs in the library.
        window: The window dialogs are asked over.

    Signals:
        begun: The number of an audit that was settled just now.
    """

    begun = Signal(int)

    def __init__(
        self,
        desk: Desk,
        background: Background,
        notices: Notices,
        work: LessonWork,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._desk, self._background, self._notices = desk, background, notices
        self._work, self._window = work, window

    def ask(self) -> None:
        """Let a person settle an audit, then show what it takes."""
        choice = self._chosen(is_self_check=False)
        if choice is not None:
            self.plan(choice)

    def ask_self_check(self) -> None:
        """Let a person choose judges, then show what putting planted tutors before them takes."""
        choice = self._chosen(is_self_check=True)
        if choice is not None:
            self.plan_self_check(choice)

    def _chosen(self, *, is_self_check: bool) -> AuditChoice | None:
        try:
            dialog = NewAuditDialog(
                self._desk.engines(),
                self._banks(),
                is_self_check=is_self_check,
                parent=self._window,
            )
        except ClerestoryError as error:
            self._notices.trouble(error)
            return None
        is_chosen = dialog.exec() == QDialog.DialogCode.Accepted
        choice = dialog.choice
        dialog.deleteLater()
        return choice if is_chosen else None

    def plan_self_check(self, choice: AuditChoice) -> None:
        """Reckon what a self-check takes and ask whether it is to begin."""
        self._background.start(
            Job("Reckon what a self-check takes", Lane.LOOK),
            lambda _report, _stop: self._desk.audit.plan_self_check(choice),
            partial(self._ask_to_check, choice),
            self._notices.trouble,
        )

    def self_check(self, choice: AuditChoice, agreed: Mapping[str, str]) -> None:
        """Put every planted tutor before the judges; started again, nothing is asked twice.

        Args:
            choice: The judges, and what is asked.
            agreed: Where a person agreed that words go, by judge.
        """
        self._work.start_kept(
            Job(f"Self-check of {' and '.join(choice.judges)}", Lane.LONG, kind=SELF_CHECK),
            partial(self._self_check, choice, agreed),
            "The self-check is done: what was seen stands with each planted tutor under Audits.",
            {**kept_of(choice), "goes_to": dict(agreed)},
        )

    def _self_check(
        self, choice: AuditChoice, agreed: Mapping[str, str], report: Report, stop: threading.Event
    ) -> None:
        for judge in choice.judges:
            self._desk.answering.require_place(judge, agreed.get(judge, ""))
        self._desk.audit.self_check(choice, report, stop)

    def _ask_to_check(self, choice: AuditChoice, steps: tuple[StepPlan, ...]) -> None:
        if self._is_wanted(PlannedSelfCheckDialog(steps, self._window)):
            self.self_check(choice, {step.model: step.goes_to for step in steps})

    def plan(self, choice: AuditChoice) -> None:
        """Reckon what an audit takes and ask whether it is to begin."""
        self._notices.tell(f"Reckoning what “{choice.title}” takes.")
        self._background.start(
            Job("Reckon what an audit takes", Lane.LOOK),
            lambda _report, _stop: self._desk.audit.plan(choice),
            self._ask_to_begin,
            self._notices.trouble,
        )

    def go_on(self, audit_id: int) -> None:
        """Reckon what is still missing of an audit and ask whether it is to go on."""
        self._background.start(
            Job("Reckon what is left of an audit", Lane.LOOK),
            lambda _report, _stop: self._desk.audit.left(audit_id),
            partial(self._ask_to_go_on, audit_id),
            self._notices.trouble,
        )

    def run(self, audit_id: int, title: str) -> None:
        """Ask all that is missing of an audit; started again, nothing is asked twice."""
        self._work.start_kept(
            Job(f"Audit: {title}", Lane.LONG, kind=RUN),
            partial(self._run, audit_id),
            f"“{title}” is done: every response is there and scored.",
            {"audit": audit_id},
        )

    def write(self, audit_id: int, title: str, folder: Path) -> None:
        """Write the report for a meeting, the figures, every response and a log for Inspect."""
        self._background.start(
            Job(f"Write the report on “{title}”", Lane.FILES, kind=WRITE),
            partial(self._write, audit_id, folder),
            partial(tell_written, self._notices, f"The report on “{title}” is", folder),
            self._notices.trouble,
        )

    def write_comparison(self, earlier: int, later: int, folder: Path) -> None:
        """Write two audits beside each other."""
        self._background.start(
            Job("Write the comparison of two audits", Lane.FILES, kind=WRITE),
            lambda report, stop: self._desk.audit.papers.write_comparison(
                earlier, later, folder, **_stamp(), report=report, stop=stop
            ),
            partial(tell_written, self._notices, "The comparison is", folder),
            self._notices.trouble,
        )

    def compare(self, earlier: int, later: int, then: Callable[[AuditComparison], None]) -> None:
        """Work out what changed between two audits and hand it over."""
        self._background.start(
            Job("Compare two audits", Lane.LOOK),
            lambda _report, _stop: self._desk.audit.results.compare(earlier, later),
            then,
            self._notices.trouble,
        )

    def rank(self, then: Callable[[Table], None], failed: Callable[[Exception], None]) -> None:
        """Work out in which order the axes put the tutors there are, and hand it over."""

        def work(_report: Report, _stop: threading.Event) -> Table:
            boards = self._desk.audit.results.latest_boards()
            return ranks_table(boards, ranked(boards))

        self._background.start(Job("Put tutors in order", Lane.LOOK), work, then, failed)

    def start_again(self, kind: str, kept: Mapping[str, object]) -> bool:
        """Start kept work of an earlier time again; says whether it is known here."""
        if kind == SELF_CHECK:
            told = kept.get("goes_to")
            agreed = {str(k): str(v) for k, v in told.items()} if isinstance(told, dict) else {}
            self.self_check(choice_of(kept), agreed)
            return True
        number = kept.get("audit")
        if kind != RUN or not isinstance(number, int):
            return False
        audits = {audit.audit_id: audit for audit in self._desk.library.audits.audits()}
        if number not in audits:
            return False
        self.run(number, audits[number].plan.title)
        return True

    def repeat(self, job: Job) -> bool:
        """Start work of this time again that was stopped or failed."""
        return self.start_again(job.kind, job.arguments)

    def _run(self, audit_id: int, report: Report, stop: threading.Event) -> None:
        missing = self._desk.audit.run_all(audit_id, report, stop)
        if missing:
            raise Paused(
                f"{count_words(missing, 'answer')} of this audit did not come.",
                "What came is kept, and only what is missing is asked again; resume it under Jobs.",
            )

    def _write(
        self, audit_id: int, folder: Path, report: Report, stop: threading.Event
    ) -> list[Path]:
        return self._desk.audit.papers.write_report(
            audit_id,
            folder,
            **_stamp(),
            report=report,
            stop=stop,
        )

    def _ask_to_begin(self, planned: PlannedAudit) -> None:
        if not self._is_wanted(PlannedAuditDialog(planned, is_new=True, parent=self._window)):
            return
        try:
            audit_id = self._desk.audit.begin(planned.plan)
        except ClerestoryError as error:
            self._notices.trouble(error)
            return
        self.begun.emit(audit_id)
        self.run(audit_id, planned.plan.title)

    def _ask_to_go_on(self, audit_id: int, planned: PlannedAudit) -> None:
        if self._is_wanted(PlannedAuditDialog(planned, is_new=False, parent=self._window)):
            self.run(audit_id, planned.plan.title)

    def _is_wanted(self, dialog: QDialog) -> bool:
        is_wanted = dialog.exec() == QDialog.DialogCode.Accepted
        dialog.deleteLater()
        return is_wanted

    def _banks(self) -> list[BankChoice]:
        """List the banks, the starter items first."""
        items, starter = self._desk.items, self._desk.items.starter()
        rows = sorted(items.banks(), key=lambda row: row.digest != starter)
        found = []
        for row in rows:
            bank, left_out = self._desk.library.audits.bank(row.digest), items.dropped(row.digest)
            counts = Counter(i.axis for i in bank.items if i.item_id not in left_out)
            title = "Starter items" if row.digest == starter else row.name
            found.append(BankChoice(row.digest, title, counts, items.mark(row.digest)))
        return found


def kept_of(choice: AuditChoice) -> dict[str, object]:
    """Write down of a choice what a self-check needs to be started again."""
    return {
        "judges": list(choice.judges),
        "axes": [axis.value for axis in choice.axes],
        "bank": choice.bank,
        "limit": choice.limit or 0,
        "families": dict(choice.families),
        "seed": choice.seed,
    }


def choice_of(kept: Mapping[str, object]) -> AuditChoice:
    """Read it back."""
    families, limit, seed = kept.get("families"), kept.get("limit"), kept.get("seed")
    return AuditChoice(
        "Self-check",
        "",
        _strings(kept.get("judges")),
        tuple(map(Axis, _strings(kept.get("axes")))),
        str(kept.get("bank", "")),
        limit if isinstance(limit, int) and limit > 0 else None,
        families=dict(families) if isinstance(families, dict) else {},
        seed=seed if isinstance(seed, int) else 0,
    )


def _strings(told: object) -> tuple[str, ...]:
    return tuple(map(str, told)) if isinstance(told, list) else ()


class _Stamp(TypedDict):
    made_at: str
    program: str


def _stamp() -> _Stamp:
    """Give what a paper says of when it was made and by what."""
    return {
        "made_at": now_in_seconds(),
        "program": program_name(),
    }
