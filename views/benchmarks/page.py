"""The Benchmarks page: coded clips brought in, coders run over them, and what came of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QFocusEvent
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QStackedWidget,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from app.benchmark.behind import Behind
from app.benchmark.cases import Case
from app.benchmark.problems import CodedSetRefused
from app.benchmark.records import CodedSet
from app.coding.calibration import Trust
from app.errors import Cancelled
from views.background import Background, Job, Lane
from views.benchmarks.doing import RUN, BenchmarkWork
from views.benchmarks.gathering import Drawn, Gathering
from views.benchmarks.problems import ProblemsView
from views.benchmarks.results import ResultsView
from views.benchmarks.seen import Seeing, note_seen
from views.benchmarks.side import SetsSide
from views.common.controls import page_actions, scrolling, text_label
from views.common.widgets import EmptyState
from views.eqs.page import EqsPage
from views.jobs.row import JobStrip
from views.notices import Notices
from views.trust.panel import TrustPanel
from views.work import LessonWork

if TYPE_CHECKING:
    from app.desk import Desk

NO_SETS = (
    "No coded clips yet",
    "Bring in a folder of clips that people have coded: a table named clips.csv, clips.json or "
    "clips.jsonl with one row a clip, and the recordings or transcripts it names. Then run coders "
    "over them and compare.",
    "Bring in a folder…",
)
LATER = "Intervals of macro-F1, gains of frames and pairs are still being worked out."
RESULTS, QUALITY, TRUST = range(3)


class BenchmarksPage(QWidget):
    """Three views: results of sets, the quality of evidence, how far to trust each coder.

    Args:
        desk: What a reviewer can have done.
        background: Works things out.
        notices: Where things are told.
        work: Keeps jobs in the library.

    Signals:
        lesson_opened: A lesson's id and the moment to go to, or -1.
        lesson_changed: The id of a lesson of which labels were seen here.
        lessons_added: Coded clips came, and lessons with them.
        shown_wanted: The page has something to show and is to come into view.
    """

    lesson_opened = Signal(str, int)
    lesson_changed = Signal(str)
    lessons_added = Signal()
    shown_wanted = Signal()

    def __init__(
        self, desk: Desk, background: Background, notices: Notices, work: LessonWork
    ) -> None:
        super().__init__()
        self._desk, self._background, self._notices = desk, background, notices
        self.work = BenchmarkWork(desk, background, notices, work, self)
        self.gathering = Gathering(desk, background, self)
        self._seeing = Seeing(desk)
        self._sets: dict[int, CodedSet] = {}
        self._set_id = 0
        self._drawn: Drawn | None = None
        self.side = SetsSide()
        self.results = ResultsView(self._case, self._seeing.may_show)
        self.problems = ProblemsView()
        self._empty = EmptyState(*NO_SETS)
        self._quality: EqsPage | None = None
        self._quality_room = QVBoxLayout()
        self.trust = TrustPanel()
        self._strip = JobStrip(can_pause=True)
        self._strip.hide()
        self._later = text_label(LATER)
        self._later.hide()
        self._middle = QStackedWidget()
        self.tabs = QTabWidget()
        self._actions = self._make_actions()
        self._lay_out()
        self._connect()
        self._show_sets(())

    @property
    def actions_in_menu(self) -> list[QAction | None]:
        """The actions for the menu, in order; `None` stands for a line."""
        return [*self._actions]

    @property
    def quality(self) -> EqsPage:
        """The pages of evidence quality, built when they are first asked for.

        They took a fifth of the time in which the window opened, and most days nobody rates.
        """
        if self._quality is None:
            self._quality = EqsPage(self._desk, self._background)
            self._quality.case_opened.connect(self.lesson_opened)
            self._quality.told.connect(self._notices.tell)
            self._quality.trouble.connect(self._notices.trouble)
            self._quality_room.addWidget(self._quality)
        return self._quality

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Hand the keyboard to the view in front."""
        if self.tabs.currentIndex() == RESULTS:
            shown = self._middle.currentWidget()
            target = self.side if shown is self.results else shown
        else:
            target = self._in_front()
        if target is not None:
            target.setFocus(event.reason())

    def refresh(self) -> None:
        """Bring the page up to date: it comes into view, or what may be seen has changed."""
        if self.tabs.currentIndex() == RESULTS:
            self._seeing.forget()
            outcomes = self.work.outcomes.get(self._set_id, ())
            self.gathering.refresh(self._set_id, outcomes)
        elif self.tabs.currentIndex() == QUALITY:
            self.quality.refresh()
        else:
            self._refresh_trust()

    def leave(self) -> None:
        """Stand still, as the page goes out of view."""
        self.gathering.leave()
        if self._quality is not None:
            self._quality.leave()

    def close_media(self) -> None:
        """Let go of recordings, before the window goes."""
        self.gathering.leave()
        if self._quality is not None:
            self._quality.close_media()

    def forget_seen(self) -> None:
        """Show no more of clips than may be seen now: the reviewer or blind mode has changed."""
        self._seeing.forget()
        self.results.forget()
        # Also while another tab is in front: one rater's scores are not the other's to see.
        if self._quality is not None:
            self._quality.refresh()

    def fit_text(self) -> None:
        """Make room for larger text."""
        self.side.fit_text()

    def show_job(self, job: Job) -> None:
        """Show how far a run is, and what came of it once it is over."""
        if job.kind != RUN:
            return
        self._strip.show_job(job)
        self._strip.setVisible(not job.is_over or job in self._background.paused_jobs("", RUN))
        if job.is_over and self.isVisible():
            self.refresh()

    def _in_front(self) -> QWidget | None:
        """Give what takes the keyboard on the tab in front."""
        return self.quality if self.tabs.currentIndex() == QUALITY else self.tabs.currentWidget()

    # What people ask for

    def choose_folder(self) -> None:
        """Ask for a folder of coded clips and bring it in."""
        folder = QFileDialog.getExistingDirectory(self, "Folder with coded clips")
        if folder:
            self.work.bring_in(Path(folder))

    def run_coders(self) -> None:
        """Ask who codes the set in view."""
        coded = self._sets.get(self._set_id)
        if coded is not None:
            self.work.ask(coded)

    def write_results(self) -> None:
        """Ask for a folder and write all that is known of the set in view into it."""
        coded = self._sets.get(self._set_id)
        if coded is None:
            return
        folder = QFileDialog.getExistingDirectory(self, "Folder for the results")
        if folder:
            self.work.write(coded, Path(folder))

    # What comes

    def _show_sets(self, sets: tuple[CodedSet, ...]) -> None:
        self._sets = {coded.set_id: coded for coded in sets}
        if self._set_id not in self._sets:
            self._set_id = sets[-1].set_id if sets else 0
        self.side.show_sets(sets, self._set_id)
        for action in self._actions[1:]:
            action.setEnabled(bool(sets))
        if self._middle.currentWidget() is not self.problems:
            self._middle.setCurrentWidget(self.results if sets else self._empty)
        self.side.setVisible(bool(sets))

    def _show_results(self, set_id: int, drawn: Drawn) -> None:
        if set_id == self._set_id:
            self._drawn = drawn
            self._later.setVisible(not drawn.is_whole)
            self.results.show_results(drawn.results, is_whole=drawn.is_whole)

    def _choose_set(self, set_id: int) -> None:
        self._set_id, self._drawn = set_id, None
        self._close_problems()
        self.refresh()

    def _choose_view(self, key: str) -> None:
        self._close_problems()
        self.results.show_view(key)

    def _came(self, coded: CodedSet) -> None:
        self._set_id = coded.set_id
        self._close_problems()
        self.lessons_added.emit()
        self.refresh()

    def _show_problems(self, error: CodedSetRefused) -> None:
        self.problems.show_problems(error)
        self._middle.setCurrentWidget(self.problems)
        self.tabs.setCurrentIndex(RESULTS)
        self.shown_wanted.emit()
        self.problems.setFocus()

    def _close_problems(self) -> None:
        self._middle.setCurrentWidget(self.results if self._sets else self._empty)

    def _compare(self, one: str, other: str) -> None:
        if self._drawn is not None:
            self.gathering.compare(self._drawn, one, other)

    def _case(self, clip: Behind) -> Case:
        return self._desk.benchmark.case(clip.clip, clip.coder)

    def _note_listed(self, clips: list[Behind]) -> None:
        if not clips:
            return
        author = self._desk.author
        self._background.start(
            Job("Note what was seen", Lane.LOOK),
            lambda _report, _stop: note_seen(self._desk, author, clips),
            self._noted,
            self._notices.trouble,
        )

    def _noted(self, lesson_ids: list[str]) -> None:
        for lesson_id in lesson_ids:
            self.lesson_changed.emit(lesson_id)

    def _refresh_trust(self) -> None:
        self.trust.show_trusts(self._desk.trust.known())
        self._background.start(
            Job("Set coders beside decisions", Lane.LOOK),
            lambda report, stop: self._desk.trust.figures("", report, stop),
            self._show_trusts,
            self._trust_failed,
        )

    def _show_trusts(self, trusts: tuple[Trust, ...]) -> None:
        self.trust.show_trusts(trusts)

    def _trust_failed(self, error: Exception) -> None:
        if not isinstance(error, Cancelled):
            self._notices.trouble(error)

    # How it is put together

    def _make_actions(self) -> list[QAction]:
        return page_actions(
            self,
            self.shown_wanted.emit,
            (
                ("Bring in coded clips…", "Ctrl+Shift+B", self.choose_folder),
                ("Run coders over the set…", "Ctrl+R", self.run_coders),
                ("Write the set's results…", "Ctrl+Shift+R", self.write_results),
            ),
        )

    def _lay_out(self) -> None:
        for page in (self._empty, self.results, self.problems):
            self._middle.addWidget(page)
        work = QWidget()
        row = QHBoxLayout(work)
        row.setContentsMargins(0, 6, 0, 0)
        middle = QVBoxLayout()
        middle.addWidget(self._strip)
        middle.addWidget(self._middle, 1)
        middle.addWidget(self._later)
        row.addWidget(self.side)
        row.addLayout(middle, 1)
        self.tabs.setDocumentMode(True)
        self.tabs.setAccessibleName("Results, evidence quality, trust")
        self.tabs.addTab(work, "Results")
        room = QWidget()
        room.setLayout(self._quality_room)
        self._quality_room.setContentsMargins(0, 0, 0, 0)
        self.tabs.addTab(room, "Evidence quality")
        self.tabs.addTab(
            scrolling(self.trust, "How far to trust", by_keys=True), "How far to trust"
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 6, 8, 6)
        column.addWidget(self.tabs)

    def _connect(self) -> None:
        self.tabs.currentChanged.connect(self.refresh)
        self._empty.asked.connect(self.choose_folder)
        self.problems.again_wanted.connect(self.choose_folder)
        self.problems.closed.connect(self._close_problems)
        self.side.set_chosen.connect(self._choose_set)
        self.side.view_chosen.connect(self._choose_view)
        self.side.bring_in_wanted.connect(self.choose_folder)
        self.side.run_wanted.connect(self.run_coders)
        self.side.write_wanted.connect(self.write_results)
        self.results.run_wanted.connect(self.run_coders)
        self.results.pair_wanted.connect(self._compare)
        self.results.lesson_opened.connect(self.lesson_opened)
        self.results.listed.connect(self._note_listed)
        self.results.trouble.connect(self._notices.trouble)
        self.gathering.sets_came.connect(self._show_sets)
        self.gathering.results_came.connect(self._show_results)
        self.gathering.pair_came.connect(self.results.show_pair)
        self.gathering.trouble.connect(self._notices.trouble)
        self.work.brought_in.connect(self._came)
        self.work.refused.connect(self._show_problems)
        self._strip.steer(self._background)
        self._background.changed.connect(self.show_job)
