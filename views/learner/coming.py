"""What comes while a video is open: jobs about it, and readings that a reader has made since."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer

from app.errors import ClerestoryError
from views.background import Background, Job, State

if TYPE_CHECKING:
    from app.desk import Desk
    from views.learner.page import LearnerPage

LOOK_MS = 700
"""How often it is looked whether a reader has come further."""


class Coming:
    """Looks for readings and shows jobs, as long as the page is in view.

    Args:
        page: The page they are shown on.
        desk: Where readings are kept.
        background: Where jobs run.
    """

    def __init__(self, page: LearnerPage, desk: Desk, background: Background) -> None:
        self._page, self._desk, self._background = page, desk, background
        self._stamp: tuple[int, ...] = ()
        self.clock = QTimer(page)
        self.clock.setInterval(LOOK_MS)
        self.clock.timeout.connect(self.look)

    def note_shown(self, lesson_id: str) -> None:
        """Note that all there is of a video is on the screen now."""
        self._stamp = self._stamp_now(lesson_id)

    def look(self) -> None:
        """Show readings that have come since; cheap where there are none."""
        review = self._page.session.review
        if review is None or not self._page.isVisible():
            return
        if self._stamp_now(review.lesson_id) != self._stamp:
            self._page.session.reload()

    def show_job(self, job: Job) -> None:
        """Show a job, if it is about the open video."""
        review = self._page.session.review
        if review is not None and job.lesson_id == review.lesson_id and job.kind:
            self.show_own(job)
            if job.is_over:
                self.look()

    def show_own(self, job: Job | None = None) -> None:
        """Show the job under way on the open video, or one that rests, or none."""
        review, ui = self._page.session.review, self._page.ui
        lesson_id = review.lesson_id if review else None
        own = [one for one in self._background.jobs if one.lesson_id == lesson_id]
        own = [one for one in own if not one.is_over or one.state is State.PAUSED]
        own.sort(key=lambda one: one.state is State.PAUSED)
        shown = job if job in own else own[0] if own else None
        ui.job.setVisible(shown is not None)
        if shown is not None:
            ui.job.show_job(shown)

    def _stamp_now(self, lesson_id: str) -> tuple[int, ...]:
        """Give what tells whether anything has changed; what is shown already where it cannot."""
        try:
            return self._desk.library.learners.stamp(lesson_id)
        except ClerestoryError as error:
            self.clock.stop()
            self._page.trouble.emit(error)
            return self._stamp
