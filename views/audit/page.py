"""The Tutor audit page: audits, what came of them, and the responses behind each figure."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QFocusEvent
from PySide6.QtWidgets import QFileDialog, QTabWidget, QVBoxLayout, QWidget

from app.audit.cases import Case
from app.audit.records import Audit, Origin
from app.audit.sample import add_sample_audit
from app.errors import ClerestoryError
from views.audit.audits import AuditsView
from views.audit.case_lines import case_lines
from views.audit.cases import ListedView
from views.audit.compare import CompareDialog
from views.audit.doing import RUN, SELF_CHECK, AuditWork
from views.audit.experts import ExpertPage
from views.audit.gathering import Counted, Gathering
from views.audit.items import ItemReviewPage
from views.audit.listed import Behind, Listed, only
from views.audit.opened import Opened, SoFar, judges_of, responses_of
from views.audit.ranks import RanksDialog
from views.audit.results import NO_AUDIT, ResultsView
from views.audit.reward import RewardPage
from views.audit.sheet import Line
from views.background import Background, Job, Lane
from views.common.controls import page_actions, view_action
from views.jobs.row import JobStrip
from views.notices import Notices
from views.work import LessonWork

if TYPE_CHECKING:
    from app.desk import Desk

AUDITS, RESULTS, CASES, EXPERTS, ITEMS, REWARD = range(6)
REFRESH_EVERY_S = 5.0
"""Least time between two looks at what came of an audit under way."""
TELLING = "What tells most"


class Guest(Protocol):
    """A view of its own on a tab; it is told when it comes into view and goes out of it."""

    actions_in_menu: list[QAction | None]

    def refresh(self) -> None:
        """Come into view, or be looked at by somebody else."""

    def leave(self) -> None:
        """Go out of view."""


class AuditPage(QWidget):
    """Audits of tutors in one library.

    Args:
        desk: What a reviewer can have done.
        background: Works things out.
        notices: Where things are told.
        work: Keeps jobs in the library.

    Signals:
        shown_wanted: The page has something to show and is to come into view.
    """

    shown_wanted = Signal()

    def __init__(
        self, desk: Desk, background: Background, notices: Notices, work: LessonWork
    ) -> None:
        super().__init__()
        self._desk, self._background, self._notices = desk, background, notices
        self.work = AuditWork(desk, background, notices, work, self)
        self.gathering = Gathering(desk, background, self)
        self.audit_id = 0
        """The audit in view; 0 takes the newest."""
        self._listed: tuple[Audit, ...] = ()
        self._pending: Behind | None = None
        """What to list once the audit that was chosen is there."""
        self._wanted = 0
        """The response to read out of it; 0 for the first."""
        self.opened: Opened | None = None
        self._telling: dict[int, Case] = {}
        """The cases that tell most, by response: each with why it was chosen."""
        self._ours: tuple[Listed, ...] = ()
        """Responses of ours among those."""
        self.so_far: SoFar | None = None
        """What has come of the audit in view; `None` until that is known."""
        self.audits = AuditsView()
        self.results = ResultsView()
        self.cases = ListedView(self._lines)
        self.experts = ExpertPage(desk, background)
        self.items = ItemReviewPage(desk, background)
        self.reward = RewardPage(desk, background)
        self._guests: dict[int, Guest] = {
            EXPERTS: self.experts,
            ITEMS: self.items,
            REWARD: self.reward,
        }
        """Views of their own, by tab."""
        self._read_s = 0.0
        self._strip = JobStrip(can_pause=True)
        self._strip.hide()
        self.tabs = QTabWidget()
        self._actions = self._make_actions()
        self._back = view_action(self.cases, "Back to the results", self.show_results, "Esc")
        self._back.setEnabled(False)
        self._lay_out()
        self._connect()

    @property
    def actions_in_menu(self) -> list[QAction | None]:
        """The actions for the menu, in order; `None` stands for a line."""
        return [
            *self._actions,
            self._back,
            *(a for guest in self._guests.values() for a in (None, *guest.actions_in_menu)),
        ]

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Hand the keyboard to the view in front."""
        shown = self.tabs.currentWidget()
        if shown is not None:
            shown.setFocus(event.reason())

    def refresh(self) -> None:
        """Bring the page up to date: it comes into view, or somebody else sits here."""
        self._back.setEnabled(self.tabs.currentIndex() == CASES)
        for tab, guest in self._guests.items():
            is_shown = tab == self.tabs.currentIndex()
            self._enable(guest, on=is_shown)
            if is_shown:
                guest.refresh()
        self._read_s = time.monotonic()
        self.gathering.refresh(self.audit_id)

    def leave(self) -> None:
        """Stand still, as the page goes out of view."""
        self.gathering.leave()
        self._back.setEnabled(False)
        for guest in self._guests.values():
            self._enable(guest, on=False)
            guest.leave()

    def _enable(self, guest: Guest, *, on: bool) -> None:
        """Let the keys of a view be heard while it is in front, and only then."""
        for action in guest.actions_in_menu:
            if action is not None:
                action.setEnabled(on)

    def close_media(self) -> None:
        """Keep what is being typed and let go of the rest, before the window goes."""
        self.leave()

    def fit_text(self) -> None:
        """Make room for larger text."""
        self.results.fit_text()

    def show_job(self, job: Job) -> None:
        """Show how far an audit is, and what came of it as it goes on."""
        if job.kind not in (RUN, SELF_CHECK):
            return
        self._strip.show_job(job)
        resting = self._background.paused_jobs("", job.kind)
        self._strip.setVisible(not job.is_over or job in resting)
        is_due = job.is_over or time.monotonic() - self._read_s >= REFRESH_EVERY_S
        if is_due and self.isVisible():
            self.refresh()

    # What people ask for

    def new_audit(self) -> None:
        """Ask what is to be audited, by whom, and on what terms."""
        self.tabs.setCurrentIndex(AUDITS)
        self.work.ask()

    def go_on(self) -> None:
        """Ask whether what is missing of the audit in view is to be asked."""
        opened = self.opened
        if opened is None:
            self._notices.tell(*NO_AUDIT)
        elif opened.audit.plan.is_sample:
            self._notices.tell("A sample is asked of nobody.", "Begin an audit of your own.")
        elif self.so_far is not None and self.so_far.progress.is_complete:
            self._notices.tell("Nothing is missing of this audit.", "")
        else:
            self.work.go_on(opened.audit.audit_id)

    def write_report(self) -> None:
        """Ask for a folder and write all that is known of the audit in view into it."""
        opened = self.opened
        if opened is None:
            self._notices.tell(*NO_AUDIT)
            return
        folder = QFileDialog.getExistingDirectory(self, "Folder for the report and its tables")
        if folder:
            self.work.write(opened.audit.audit_id, opened.audit.plan.title, Path(folder))

    def compare(self) -> None:
        """Let a person set the audit in view beside another one."""
        if len(self._listed) < 2:
            self._notices.tell("There are no two audits to compare yet.", "Run a second one.")
            return
        dialog = CompareDialog(self._listed, self.audit_id, self.work.compare, self)
        dialog.write_wanted.connect(self._write_comparison)
        dialog.item_wanted.connect(self._show_item)
        dialog.exec()
        dialog.deleteLater()

    def rank(self) -> None:
        """Show whether the axes put the tutors of the library in one order."""
        dialog = RanksDialog(self.work.rank, self)
        dialog.trouble.connect(self._notices.trouble)
        dialog.exec()
        dialog.deleteLater()

    def _write_comparison(self, earlier: int, later: int) -> None:
        folder = QFileDialog.getExistingDirectory(self, "Folder for the comparison")
        if folder:
            self.work.write_comparison(earlier, later, Path(folder))

    def _show_item(self, audit_id: int, item_id: str) -> None:
        """List what was said to an item, once its audit is there."""
        self._pending = Behind(item_id, item_ids=frozenset((item_id,)))
        self._choose(audit_id)

    def _show_response(self, audit_id: int, response_id: int) -> None:
        """Read one response out, among all that was said to its item."""
        self._wanted = response_id
        try:
            place = self._desk.library.audits.response(response_id).place
        except ClerestoryError as error:
            self._notices.trouble(error)
            return
        self._show_item(audit_id, place.item_id)

    def add_sample(self) -> None:
        """Add the audit that comes along, and show it."""
        self._background.start(
            Job("Add the sample audit", Lane.FILES, kind="add-audit"),
            lambda _report, _stop: add_sample_audit(self._desk.library, self._desk.items.starter()),
            self._choose,
            self._notices.trouble,
        )

    # What comes

    def _show_audits(self, audits: tuple[Audit, ...]) -> None:
        self._listed = audits
        if self.audit_id not in {audit.audit_id for audit in audits}:
            self.audit_id = max((audit.audit_id for audit in audits), default=0)
        self.audits.show_audits(audits, self.audit_id)
        self.experts.show_audit(self.audit_id)

    def _show_opened(self, opened: Opened) -> None:
        before = self.opened
        self.audit_id, self.opened = opened.audit.audit_id, opened
        if before is None or before.state != opened.state:
            self.so_far = None
        self.audits.show_opened(opened)
        if before is None or before.audit.audit_id != self.audit_id:
            self.results.show_waiting(opened)
            self.cases.show_responses("", ())
        pending, self._pending = self._pending, None
        if pending is not None:
            self.show_behind(pending)
            self.cases.choose(self._wanted)
            self._wanted = 0

    def _show_so_far(self, opened: Opened, come: SoFar) -> None:
        self.so_far = come
        self.audits.show_progress(opened.audit.plan, come.progress)
        self.results.show_responses(opened, come.responses)

    def _show_counted(self, counted: Counted) -> None:
        opened = counted.opened
        self.results.show_board(opened, counted.board, counted.stale)
        self._show_so_far(opened, counted.so_far)
        self._ours = counted.ours
        self._telling = {case.told.response.response_id: case for case in counted.telling}
        # Who reads a list is not torn away from it by what came meanwhile.
        if self.cases.what in ("", TELLING):
            self.show_telling()

    def show_telling(self) -> None:
        """List the cases that tell most."""
        opened = self.opened
        if opened is None:
            return
        said = self.so_far.responses if self.so_far is not None else ()
        known = {one.response_id: one for one in (*said, *self._ours)}
        found = [known[each] for each, case in self._telling.items() if _may_tell(case, known)]
        self.cases.show_responses(TELLING, found, judges_of(opened))

    def show_behind(self, behind: Behind) -> None:
        """List the responses behind a number."""
        opened = self.opened
        if opened is None:
            return
        if self.so_far is not None and behind.origin is Origin.TUTOR:
            responses = self.so_far.responses
        else:
            responses = responses_of(self._desk, opened.audit, opened.items, behind.origin)
        self.cases.show_responses(behind.title, only(behind, responses), judges_of(opened))
        self.tabs.setCurrentIndex(CASES)
        self.cases.setFocus()

    def show_results(self) -> None:
        """Bring what came of the audit in view to the front."""
        self.tabs.setCurrentIndex(RESULTS)
        self.results.setFocus()

    def show_experts(self) -> None:
        """Bring what experts score of the audit in view to the front."""
        self.tabs.setCurrentIndex(EXPERTS)
        self.experts.setFocus()

    def _choose(self, audit_id: int) -> None:
        self.audit_id = audit_id
        self.refresh()

    def _lines(self, one: Listed) -> list[Line]:
        opened = self.opened
        if opened is None:
            return []
        results = self._desk.audit.results
        telling = None if one.is_hidden else self._telling.get(one.response_id)
        case = telling or results.case(opened.audit.audit_id, one.response_id)
        return case_lines(case, one, opened.marks.get(one.item.item_id, ""))

    # How it is put together

    def _make_actions(self) -> list[QAction]:
        return page_actions(
            self,
            self.shown_wanted.emit,
            (
                ("New audit…", "Ctrl+Shift+A", self.new_audit),
                ("Go on with the audit…", "", self.go_on),
                ("Self-check of judges…", "", self.work.ask_self_check),
                ("Write the audit's report…", "", self.write_report),
                ("Compare two audits…", "", self.compare),
                ("Order of tutors…", "", self.rank),
                ("Add the sample audit", "", self.add_sample),
            ),
        )

    def _lay_out(self) -> None:
        self.tabs.setDocumentMode(True)
        self.tabs.setAccessibleName("Audits, results, cases, experts, items, reward model")
        self.tabs.addTab(self.audits, "Audits")
        self.tabs.addTab(self.results, "Results")
        self.tabs.addTab(self.cases, "Cases")
        self.tabs.addTab(self.experts, "Experts")
        self.tabs.addTab(self.items, "Items")
        self.tabs.addTab(self.reward, "Reward model")
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 6, 8, 6)
        column.addWidget(self._strip)
        column.addWidget(self.tabs, 1)

    def _connect(self) -> None:
        self.tabs.currentChanged.connect(self.refresh)
        for teller in (self.experts, self.items, self.reward):
            teller.told.connect(self._notices.tell)
            teller.trouble.connect(self._notices.trouble)
        self.audits.audit_chosen.connect(self._choose)
        self.audits.new_wanted.connect(self.new_audit)
        self.audits.self_check_wanted.connect(self.work.ask_self_check)
        self.audits.go_on_wanted.connect(self.go_on)
        self.audits.results_wanted.connect(self.show_results)
        self.audits.compare_wanted.connect(self.compare)
        self.audits.write_wanted.connect(self.write_report)
        self.results.experts_wanted.connect(self.show_experts)
        self.results.write_wanted.connect(self.write_report)
        self.experts.case_wanted.connect(self._show_response)
        self.results.behind_wanted.connect(self.show_behind)
        self.gathering.figures_came.connect(self.results.show_board)
        self.gathering.so_far_came.connect(self._show_so_far)
        self.gathering.board_came.connect(self._show_counted)
        self.gathering.audits_came.connect(self._show_audits)
        self.gathering.opened_came.connect(self._show_opened)
        self.gathering.trouble.connect(self._notices.trouble)
        self.work.begun.connect(self._choose)
        self._strip.steer(self._background)
        self._background.changed.connect(self.show_job)


def _may_tell(case: Case, known: Mapping[int, Listed]) -> bool:
    """Say whether a case can be listed: why it was chosen tells of scores, beside it are others."""
    beside = [case.beside.response.response_id] if case.beside is not None else []
    shown = [known.get(each) for each in (case.told.response.response_id, *beside)]
    return all(one is not None and not one.is_hidden for one in shown)
