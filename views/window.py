"""The window: pages on the left, the work in the middle, one place where all is connected."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QMainWindow,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.errors import ClerestoryError
from views.audit.page import AuditPage
from views.background import Background, Job, Lane
from views.benchmarks.page import BenchmarksPage
from views.choosing_files import ChoosingFiles
from views.coders.doing import Coding
from views.common.controls import TextLabel, hairline
from views.common.icons import icon
from views.common.legend import Legend
from views.jobs.again import TakingUp
from views.jobs.page import JobsPage
from views.kept_jobs import tell_unfinished
from views.learner.legend import band_legend
from views.learner.page import LearnerPage
from views.learner.work import LearnerWork
from views.lesson.next_step import Act
from views.lesson.page import LessonPage
from views.library.lessons import is_sample
from views.library.page import LibraryPage
from views.library.posters import Posters
from views.library.searching import Searching
from views.menus import (
    add_action,
    add_lesson_menus,
    add_listed_menu,
    add_look_actions,
    add_page_actions,
)
from views.models.doing import ModelsWork
from views.models.page import ModelsPage
from views.network import NetworkLine
from views.notices import Notices, NoticeStrip
from views.people.page import PeoplePage
from views.people.who import Who
from views.places import AUDIT, BENCHMARKS, JOBS, LEARNER, LESSON, LIBRARY, MODELS, Places
from views.probing.doing import Probing
from views.settings.choices import Choices
from views.work import LessonWork

if TYPE_CHECKING:
    from app.desk import Desk

FEWEST_PX = QSize(1024, 640)
CLOSE_WAIT_S = 20.0
BUSY_LETTERS = 60


class MainWindow(QMainWindow):
    """Holds the pages and moves between them.

    Args:
        desk: What a reviewer can have done; closed with the window.
    """

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self.background = Background(self)
        self.notices = Notices(self)
        self.work = LessonWork(desk, self.background, self.notices, self)
        self.library = LibraryPage(desk.practices)
        self.searching = Searching(desk, self.background, self.library, self)
        self.lesson = LessonPage(desk, self.background)
        self.learner = LearnerPage(desk, self.background)
        self.audit = AuditPage(desk, self.background, self.notices, self.work)
        self.people = PeoplePage(desk, self.background)
        self.benchmarks = BenchmarksPage(desk, self.background, self.notices, self.work)
        self._visited = (self.learner, self.audit, self.people, self.benchmarks)
        """Pages that are brought up to date as they come into view; in the order of places."""
        self.models = ModelsPage()
        self.jobs = JobsPage()
        self.following = LearnerWork(desk, self.background, self.notices, self.work, self.learner)
        self.models_work = ModelsWork(
            desk, self.background, self.notices, self.models, self.work.kept.keep
        )
        self.coding = Coding(desk, self.background, self.notices, self.work.code_with, self)
        self.probing = Probing(desk, self.background, self.notices, self.work.probe, self)
        self.files = ChoosingFiles(desk, self.work, self.lesson, self.notices, self)
        self._strip = NoticeStrip()
        self.choices = Choices(desk.settings, self)
        self.who = Who(desk, self.choices)
        self._legend = Legend(desk.practices, self, more=band_legend())
        self._pages = QStackedWidget()
        self._places = Places()
        self._posters = Posters(desk, self.background, self.library.lessons)
        self._again = TakingUp(
            self.work,
            self.jobs,
            self.notices,
            (self.models_work, self.benchmarks.work, self.audit.work),
        )
        self.setWindowTitle("Clerestory")
        self.setWindowIcon(icon("clerestory"))
        self.setMinimumSize(FEWEST_PX)
        self.resize(1280, 800)
        self._lay_out()
        self._add_menus()
        self._connect()
        self.show_lessons()
        self.show_page(LIBRARY)
        show_jobs = partial(self.show_page, JOBS)
        tell_unfinished(self.notices, self._again.show_earlier(), show_jobs)

    # Moving about

    def show_page(self, page: int) -> None:
        """Bring a page into view."""
        self._pages.setCurrentIndex(page)
        self._places.show_page(page)
        is_review = page == LESSON and self.lesson.session.review is not None
        self.lesson.keys.set_enabled(is_review)
        if is_review:
            self.lesson.keys.name_undo(
                self.lesson.session.undo_words(), self.lesson.session.redo_words()
            )
        else:
            self.lesson.ui.player.pause()
        if page == LIBRARY:
            self.show_lessons()
        else:
            self.searching.pause()
        if page == MODELS:
            self.models_work.show_all()
        shown = self._pages.currentWidget()
        for view in self._visited:
            if view is shown:
                view.refresh()
            else:
                view.leave()
        if shown is not None:
            shown.setFocus(Qt.FocusReason.OtherFocusReason)

    def open_lesson(self, lesson_id: str, at_ms: int = -1) -> None:
        """Open a lesson, or the video of a learner, on its page, at a moment if one is given."""
        if self.learner.knows(lesson_id):
            if self.learner.open_video(lesson_id, at_ms):
                self.show_page(LEARNER)
            return
        open_already = self.lesson.session.review
        if open_already is not None and open_already.lesson_id == lesson_id:
            if at_ms >= 0:
                self.lesson.go_to_moment(at_ms)
        elif not self.lesson.open_lesson(lesson_id, at_ms):
            return
        self._places.allow(LESSON, on=True)
        self._page_actions[LESSON].setEnabled(True)
        self.show_page(LESSON)

    def show_lessons(self) -> None:
        """Read the list of lessons again."""
        try:
            rows = self._desk.library.lessons()
        except ClerestoryError as error:
            self.notices.trouble(error)
            return
        self.library.show_lessons(rows, has_sample=any(map(is_sample, rows)))
        self.searching.refresh()
        self._posters.ask()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Store what is being typed, stop the jobs, close the library."""
        self.lesson.leave()
        self.lesson.close_media()
        for page in self._visited:
            page.close_media()
        self.searching.close()
        if not self.background.close(CLOSE_WAIT_S):
            # The children end with this process; what they were asked is asked again next time.
            self.notices.tell("A job did not stop in time.", "It can be started again.")
        self._desk.close()
        event.accept()

    # How it is put together

    def _lay_out(self) -> None:
        self._places.allow(LESSON, on=False)
        # From the outside in: a page that moves into another widget is styled anew, all of it.
        whole = QWidget()
        self.setCentralWidget(whole)
        row = QHBoxLayout(whole)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self._places)
        row.addWidget(hairline(upright=True))
        work = QVBoxLayout()
        row.addLayout(work, 1)
        work.addWidget(self._strip)
        work.addWidget(self._pages, 1)
        for page in (self.library, self.lesson, *self._visited, self.models, self.jobs):
            self._pages.addWidget(page)
        self._network = NetworkLine()
        self._busy = QLabel()
        self.statusBar().setContentsMargins(8, 0, 8, 2)
        self.statusBar().addWidget(self._network, 1)
        self.statusBar().addPermanentWidget(self._busy)
        self.statusBar().addPermanentWidget(self.who)
        self._show_endpoints()

    def _add_menus(self) -> None:
        file = self.menuBar().addMenu("&File")
        add_action(file, "Open file…", self.files.choose_files, "Ctrl+O")
        add_action(file, "Add sample lesson", self.work.add_sample)
        file.addSeparator()
        choose = partial(self._act, Act.CHOOSE_CODER)
        self._coder = add_action(file, "Find codes…", choose, "Ctrl+Shift+E")
        self._coder.setEnabled(False)
        self._report = add_action(file, "Write report…", self.files.write_report, "Ctrl+P")
        self._report.setEnabled(False)
        self._coaching = add_action(
            file, "Write coaching page…", self.files.write_coaching, "Ctrl+Shift+P"
        )
        self._coaching.setEnabled(False)
        file.addSeparator()
        add_action(file, "Reviewer…", self.who.showMenu, "Ctrl+U")
        add_action(file, "Settings…", self.choices.show_dialog, "Ctrl+,")
        add_action(file, "Close", self.close, "Ctrl+Q")
        add_lesson_menus(self, self.lesson.keys)
        add_listed_menu(self, "Lea&rner", self.learner.actions_in_menu)
        add_listed_menu(self, "&Audit", self.audit.actions_in_menu)
        add_listed_menu(self, "A&gree", self.people.actions_in_menu)
        add_listed_menu(self, "&Benchmarks", self.benchmarks.actions_in_menu)
        view = self.menuBar().addMenu("&View")
        self._page_actions = add_page_actions(view, self.show_page)
        self._page_actions[LESSON].setEnabled(False)
        add_action(view, "Search the library", self._search_library, "Ctrl+Shift+F")
        add_action(view, "Play what was found", self.library.results.play_all, "Ctrl+Shift+L")
        view.addSeparator()
        self._blind = add_action(view, "Blind mode", self._toggle_blind, "Ctrl+B", stays=True)
        self._blind.setChecked(self._desk.settings.blind)
        view.addSeparator()
        add_look_actions(view, self.choices)
        view.addSeparator()
        add_action(view, "Dismiss notice", self._strip.dismiss, "Ctrl+D")
        tell = self.menuBar().addMenu("&Help")
        add_action(tell, "Practices and marks", self._legend.bring, "F1")

    def _connect(self) -> None:
        self._places.picked.connect(self.show_page)
        self.notices.told.connect(self._strip.show_notice)
        self.notices.told.connect(self.jobs.show_notice)
        self._strip.all_wanted.connect(self._show_notices)
        self.background.changed.connect(self._show_job)
        self.jobs.cancel_wanted.connect(self.background.cancel)
        self.jobs.pause_wanted.connect(self.background.pause)
        self.jobs.resume_wanted.connect(self.background.resume)
        self.jobs.leave_wanted.connect(self._again.leave)
        self.work.kept.asked_counted.connect(self.jobs.show_asked)
        self.jobs.again_wanted.connect(self._again.start_again)
        self.jobs.repeat_wanted.connect(self._again.repeat)
        self.models_work.endpoints_changed.connect(self._show_endpoints)
        self.work.lesson_added.connect(self._added)
        self.work.lesson_changed.connect(self._lesson_changed)
        self.library.lesson_opened.connect(self.open_lesson)
        self.library.files_wanted.connect(self.files.choose_files)
        self.library.files_dropped.connect(self.files.add_files)
        self.library.sample_wanted.connect(self.work.add_sample)
        self.library.media_wanted.connect(self.files.find_media)
        self.library.retitled.connect(self._retitle)
        self.lesson.act_wanted.connect(self._act)
        self.lesson.test_wanted.connect(self.probing.ask)
        self.lesson.report_wanted.connect(self.files.write_report)
        self.lesson.blind_set.connect(self.choices.set_blind)
        self.lesson.author_named.connect(self.who.be)
        self.who.leaving.connect(self.lesson.leave_typing)
        for page in self._visited:
            self.who.leaving.connect(page.leave)
        self.who.trouble.connect(self.notices.trouble)
        self.learner.media_wanted.connect(self.files.find_media)
        self.following.video_added.connect(self.open_lesson)
        self.people.lesson_opened.connect(self.open_lesson)
        self.people.lesson_changed.connect(self._lesson_changed)
        self.benchmarks.lesson_opened.connect(self.open_lesson)
        self.benchmarks.lesson_changed.connect(self._lesson_changed)
        self.benchmarks.lessons_added.connect(self.show_lessons)
        self.benchmarks.shown_wanted.connect(partial(self.show_page, BENCHMARKS))
        self.audit.shown_wanted.connect(partial(self.show_page, AUDIT))
        for teller in (self.searching, self.people, self.lesson):
            teller.told.connect(self.notices.tell)
            teller.trouble.connect(self.notices.trouble)
        self.lesson.job_stopped.connect(self.background.cancel)
        self.lesson.changed.connect(self._show_report_action)
        self.choices.changed.connect(self._show_choices)
        self.choices.refused.connect(self.notices.trouble)

    def _act(self, act: Act) -> None:
        review = self.lesson.session.review
        if review is None:
            return
        if act is Act.HEAR:
            self.work.hear(review.lesson_id, review.title)
        elif act is Act.CHOOSE_CODER:
            self.coding.ask(review.lesson_id)
        elif act is Act.CODE:
            self.work.code(review.lesson_id, review.title)
        elif act is Act.FIND_MEDIA:
            self.files.find_media(review.lesson_id)
        elif act is Act.ADD_TRANSCRIPT:
            self.files.add_transcript(review)

    def _added(self, lesson_id: str) -> None:
        self.show_lessons()
        self.library.choose(lesson_id)
        self._lesson_changed(lesson_id)
        # Whoever went on to something else is not torn away from it.
        if self._pages.currentIndex() == LIBRARY and not self.background.running(kind="add"):
            self.open_lesson(lesson_id)

    def _lesson_changed(self, lesson_id: str) -> None:
        review = self.lesson.session.review
        if review is not None and review.lesson_id == lesson_id:
            self.lesson.refresh()
            self.lesson.keys.set_enabled(self._pages.currentIndex() == LESSON)
        if self._pages.currentIndex() == LIBRARY:
            self.show_lessons()
        elif self._pages.currentIndex() == LEARNER:
            self.learner.refresh()

    def _retitle(self, lesson_id: str, title: str) -> None:
        try:
            self._desk.library.retitle(lesson_id, title, self._desk.author)
        except ClerestoryError as error:
            self.notices.trouble(error)
        self._lesson_changed(lesson_id)

    def _search_library(self) -> None:
        self.show_page(LIBRARY)
        self.library.start_search()

    def _show_job(self, job: Job) -> None:
        running = self.background.running()
        title = running[0].title[:BUSY_LETTERS] if running else ""
        self._busy.setText(f"{title}: {int(running[0].share * 100)} %" if running else "")
        if job.lane is Lane.LOOK:
            return
        self.jobs.show_job(job)
        self.lesson.show_job(job)

    def _show_notices(self) -> None:
        self.show_page(JOBS)
        self.jobs.show_notices_first()

    def _show_endpoints(self) -> None:
        self._network.show_endpoints(self._desk.endpoints(), self._desk.endpoints_here())

    def _show_report_action(self) -> None:
        review = self.lesson.session.review
        self._report.setEnabled(review is not None and review.transcript is not None)
        self._coder.setEnabled(review is not None and review.transcript is not None)
        self._coaching.setEnabled(self._report.isEnabled())

    # Settings

    def _toggle_blind(self) -> None:
        self.choices.set_blind(self._blind.isChecked())

    def _show_choices(self) -> None:
        self._fit_text()
        self.searching.refresh()
        self.benchmarks.forget_seen()
        self._blind.setChecked(self._desk.settings.blind)
        if self.lesson.session.review is not None:
            self.lesson.refresh()
            self.lesson.keys.set_enabled(self._pages.currentIndex() == LESSON)
        for view in (self.learner, self.audit, self.people):
            if view is self._pages.currentWidget():
                view.refresh()

    def _fit_text(self) -> None:
        """Make room for larger text where Qt does not see to it."""
        for label in self.findChildren(TextLabel):
            label.scale()
        self._places.fit_text()
        self.lesson.ui.fit_text()
        self.models.fit_text()
        self.audit.fit_text()
        self.benchmarks.fit_text()
