"""Asks for files and folders, and has the work begun with what was chosen."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog, QWidget

from app.coding.coaching_moments import require_moments, what_people_hold
from app.coding.review import LessonReview
from app.errors import ClerestoryError
from views.lesson.page import LessonPage
from views.library.pairing import Found, pair_files
from views.notices import Notices
from views.work import LessonWork

if TYPE_CHECKING:
    from app.desk import Desk


class ChoosingFiles:
    """The dialogs of the window that ask for files and folders.

    Args:
        desk: Knows where recordings lay.
        work: Begins what the files are chosen for.
        lesson: The page of the lesson that is open.
        notices: Told what cannot be done with a choice.
        window: Over which the dialogs open.
    """

    def __init__(
        self, desk: Desk, work: LessonWork, lesson: LessonPage, notices: Notices, window: QWidget
    ) -> None:
        self._desk = desk
        self._work = work
        self._lesson = lesson
        self._notices = notices
        self._window = window

    def choose_files(self) -> None:
        """Let the person choose recordings and transcripts."""
        names, _ = QFileDialog.getOpenFileNames(
            self._window, "Open a recording, a transcript, or both"
        )
        self.add_files([Path(name) for name in names])

    def add_files(self, paths: list[Path]) -> None:
        """Add files as lessons, paired by name."""
        folders = [p for p in paths if p.is_dir()]
        if folders:
            self._notices.tell(f"{folders[0].name} is a folder.", "Choose the files inside it.")
        files = [p for p in paths if not p.is_dir()]
        if files:
            self._work.add_files(pair_files(files))

    def add_transcript(self, review: LessonReview) -> None:
        """Ask for the transcript of a lesson that has none."""
        name, _ = QFileDialog.getOpenFileName(self._window, "Transcript of this lesson")
        if name:
            media = Path(review.media.path) if review.media else None
            self._work.add_files([Found(media, Path(name))])

    def write_report(self) -> None:
        """Ask for a folder and write the report of the open lesson into it."""
        review = self._lesson.session.review
        if review is None:
            return
        self._lesson.leave_typing()
        folder = QFileDialog.getExistingDirectory(self._window, "Folder for the report")
        if folder:
            self._work.write_report(review.lesson_id, review.title, Path(folder))

    def write_coaching(self) -> None:
        """Ask for a folder and write the open lesson's page for the talk into it."""
        if self._lesson.session.review is not None:
            self._lesson.leave_typing()
        review = self._lesson.session.review
        if review is None:
            return
        try:
            require_moments(review, what_people_hold(review))
        except ClerestoryError as error:
            # Said before a folder is chosen in vain; the hint says what to do next.
            self._notices.trouble(error)
            return
        folder = QFileDialog.getExistingDirectory(self._window, "Folder for the coaching page")
        if folder:
            self._work.write_coaching(review.lesson_id, review.title, Path(folder))

    def find_media(self, lesson_id: str) -> None:
        """Ask where a recording lies now and look for it there."""
        rows = self._desk.library.lessons()
        row = next((r for r in rows if r.lesson_id == lesson_id), None)
        if row is None:
            return
        folder = QFileDialog.getExistingDirectory(
            self._window, f"Folder to look in for {Path(row.media_path).name}"
        )
        if folder:
            self._work.find_media(lesson_id, row.title, Path(folder))
