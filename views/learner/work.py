"""What the Learner page starts: adding videos, readings with their plan, the report."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QDialog, QFileDialog, QInputDialog

from app.confusion.reader_names import ReaderChoice, parse_reader
from app.confusion_desk import ReadingPlan
from app.errors import Cancelled, ClerestoryError
from app.running.protocols import Report
from views.background import Background, Job, Lane
from views.learner.choose import ReaderDialog
from views.learner.page import LearnerPage
from views.learner.report_dialog import ReportDialog
from views.notices import Kind, Notices
from views.plan.dialog import ask_to_start
from views.plan.where import STAYS
from views.plan.words import PlanPart
from views.work import LessonWork
from views.written import open_file

if TYPE_CHECKING:
    from app.desk import Desk

READ = "read-confusion"
"""Kind of the jobs that read a learner video; they may be paused."""
LAST_READER = "last reader"
"""Setting of the library: the reader chosen last."""


class LearnerWork(QObject):
    """Starts work on learner videos and tells how it ended.

    Args:
        desk: What a reviewer can have done.
        background: Runs it.
        notices: Where it is told.
        work: Keeps jobs in the library.
        page: Says what is wanted; the dialogs open over it.

    Signals:
        video_added: The id of a learner video that is in the library now.
    """

    video_added = Signal(str)

    def __init__(
        self,
        desk: Desk,
        background: Background,
        notices: Notices,
        work: LessonWork,
        page: LearnerPage,
    ) -> None:
        super().__init__(page)
        self._desk, self._background, self._notices = desk, background, notices
        self._work, self._window = work, page
        work.learn(READ, self._read_again)
        page.video_wanted.connect(self.choose_video)
        page.read_wanted.connect(self.ask)
        page.report_wanted.connect(self.write_report)
        page.told.connect(notices.tell)
        page.trouble.connect(notices.trouble)

    # Videos

    def choose_video(self) -> None:
        """Ask for a recording and whose it is, and add it."""
        name, _ = QFileDialog.getOpenFileName(self._window, "Recording of one learner")
        if not name:
            return
        learner, is_given = QInputDialog.getText(
            self._window,
            "Whose video is this?",
            "A pseudonym or initials, never a full name. It stands in the report.",
        )
        if is_given:
            self.add_video(Path(name), learner.strip())

    def add_video(self, path: Path, learner: str) -> None:
        """Add a recording as a learner's video."""
        self._background.start(
            Job(f"Add {path.name}", Lane.FILES, kind="add"),
            lambda report, stop: self._desk.confusion.add_video(path, learner, report, stop),
            self._added,
            self._failed,
        )

    # Readings

    def ask(self, lesson_id: str) -> None:
        """Let a person choose who reads a video."""
        try:
            title = self._desk.library.learners.video(lesson_id).title
            last = self._desk.library.setting(LAST_READER)
            engines = self._desk.confusion.engines()
        except ClerestoryError as error:
            self._notices.trouble(error)
            return
        dialog = ReaderDialog(title, engines, last=last, parent=self._window)
        is_chosen = dialog.exec() == QDialog.DialogCode.Accepted
        choice = dialog.choice
        dialog.deleteLater()
        if is_chosen:
            self.take(lesson_id, title, choice)

    def take(self, lesson_id: str, title: str, choice: ReaderChoice) -> None:
        """Go on with a choice: at once where no model is asked, else with the plan first."""
        try:
            self._desk.library.set_setting(LAST_READER, choice.name)
        except ClerestoryError as error:
            self._notices.trouble(error)
            return
        self._background.start(
            Job(f"Reckon what reading “{title}” takes", Lane.LOOK, lesson_id),
            lambda _report, _stop: self._desk.confusion.plan(lesson_id, choice),
            partial(self._show_plan, lesson_id, title, choice),
            self._failed,
        )

    def read(
        self, lesson_id: str, title: str, choice: ReaderChoice, agreed: str | None = None
    ) -> None:
        """Have a video read; taken up again, it goes on from what is kept.

        Args:
            lesson_id: The video.
            title: What it is called.
            choice: The reader.
            agreed: Where a person agreed that frames go; `None` for where they go now.
        """
        places = {name: self._place(name, agreed) for name in choice.models}
        place = next((place for place in places.values() if place), "")

        def work(report: Report, stop: threading.Event) -> None:
            for name, where in places.items():
                self._desk.answering.require_place(name, where)
            self._desk.confusion.read(lesson_id, choice, report, stop)

        self._work.start_kept(
            Job(f"Read “{title}” with {choice.name}", Lane.LONG, lesson_id, READ),
            work,
            f"“{title}” was read by {choice.name}.",
            {
                "lesson": lesson_id,
                "reader": choice.name,
                **({"goes_to": place} if place else {}),
            },
        )

    # The report

    def write_report(self, lesson_id: str) -> None:
        """Ask how the report is to be and where, and have it written."""
        try:
            review = self._desk.library.learners.video(lesson_id)
        except ClerestoryError as error:
            self._notices.trouble(error)
            return
        dialog = ReportDialog(review.learner.name, self._window)
        is_wanted = dialog.exec() == QDialog.DialogCode.Accepted
        full, blurred = dialog.full.isChecked(), dialog.blurred.isChecked()
        dialog.deleteLater()
        if not is_wanted:
            return
        folder = QFileDialog.getExistingDirectory(self._window, "Folder for the report")
        if folder:
            self.write_into(lesson_id, review.learner.name, Path(folder), full, blurred)

    def write_into(
        self, lesson_id: str, learner: str, folder: Path, full: bool, blurred: bool
    ) -> None:
        """Have the report written into a folder."""
        self._background.start(
            Job(f"Write the report on {learner}", Lane.FILES, lesson_id, "confusion-report"),
            lambda report, stop: self._desk.confusion.report(
                lesson_id, folder, full=full, blurred=blurred, report=report, stop=stop
            ),
            partial(self._written, learner, folder),
            self._failed,
        )

    def _show_plan(
        self, lesson_id: str, title: str, choice: ReaderChoice, plan: ReadingPlan
    ) -> None:
        if plan.estimate is None:
            self.read(lesson_id, title, choice)
            return
        where, leaves = self._where(choice)
        remarks = [f"The video has {plan.windows:,} windows of 2 s."]
        if plan.screening is not None:
            remarks.append(plan.screening.in_words)
        if ask_to_start(
            f"Read “{title}” with {choice.name}",
            [PlanPart("Reading", plan.estimate)],
            where,
            leaves=leaves,
            remarks=remarks,
            parent=self._window,
        ):
            self.read(lesson_id, title, choice)

    def _where(self, choice: ReaderChoice) -> tuple[list[str], bool]:
        told = [
            f"Frames of this learner go to {engine.title}, at {engine.goes_to}."
            for engine in self._desk.confusion.engines()
            if engine.name in choice.models and engine.leaves
        ]
        return told or [STAYS], bool(told)

    def _place(self, engine: str, agreed: str | None) -> str:
        return self._desk.answering.goes_to(engine) if agreed is None else agreed

    def _read_again(self, lesson_id: str, title: str, kept: Mapping[str, object]) -> None:
        choice = parse_reader(str(kept["reader"]))
        self.read(lesson_id, title, choice, str(kept.get("goes_to", "")))

    def _added(self, lesson_id: str) -> None:
        self._notices.tell("The learner video is in the library.", kind=Kind.DONE)
        self.video_added.emit(lesson_id)

    def _written(self, learner: str, folder: Path, files: list[Path]) -> None:
        page = next((file for file in files if file.suffix.lower() == ".pdf"), None)
        told = f"The report on {learner} is written to {page or folder}."
        if page is None:
            self._notices.tell(told, kind=Kind.DONE)
        else:
            self._notices.tell(told, "", Kind.DONE, "Open report", partial(open_file, page))

    def _failed(self, error: Exception) -> None:
        if not isinstance(error, Cancelled):
            self._notices.trouble(error)
