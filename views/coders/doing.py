"""From the wish to have a lesson coded to the job: who codes, what it takes, and then the start."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QDialog, QWidget

from app.coding.conditions import CoderChoice
from app.coding_lessons import LeftOut
from app.errors import ClerestoryError
from app.running.plan import Estimate
from views.background import Background, Job, Lane
from views.coders.dialog import CoderDialog
from views.notices import Notices
from views.plan.dialog import ask_to_start
from views.plan.where import where_words
from views.plan.words import PlanPart

if TYPE_CHECKING:
    from app.desk import Desk

LAST_CODER = "last coder"
"""Setting of the library: the coder chosen last."""

Start = Callable[[str, str, CoderChoice], None]
"""Starts the job: the lesson, its title, who codes."""


class Coding(QObject):
    """Asks who codes, shows what it takes, and starts it.

    Args:
        desk: What a reviewer can have done.
        background: Reckons what it takes, off the window's thread.
        notices: Where trouble is told.
        start: Starts the job once a person has agreed.
        window: The window the dialogs are asked over.
    """

    def __init__(
        self,
        desk: Desk,
        background: Background,
        notices: Notices,
        start: Start,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._desk, self._background, self._notices = desk, background, notices
        self._start, self._window = start, window

    def ask(self, lesson_id: str) -> None:
        """Let a person choose who codes a lesson."""
        try:
            review = self._desk.library.lesson(lesson_id)
            last = self._desk.library.setting(LAST_CODER)
        except ClerestoryError as error:
            self._notices.trouble(error)
            return
        media = review.media
        has_picture = bool(media and media.video and review.media_found)
        dialog = CoderDialog(
            review.title,
            self._desk.engines(),
            has_picture=has_picture,
            last=last,
            parent=self._window,
        )
        if dialog.exec() == QDialog.DialogCode.Accepted:
            self.take(lesson_id, review.title, dialog.choice)

    def take(self, lesson_id: str, title: str, choice: CoderChoice) -> None:
        """Go on with a choice: at once where no model is asked, else with the plan first."""
        try:
            self._desk.library.set_setting(LAST_CODER, choice.name)
        except ClerestoryError as error:
            self._notices.trouble(error)
            return
        if choice.condition is None:
            self._start(lesson_id, title, choice)
            return
        self._background.start(
            Job(f"Reckon what coding “{title}” takes", Lane.LOOK, lesson_id),
            lambda _report, _stop: self._reckon(lesson_id, choice),
            partial(self._show_plan, lesson_id, title, choice),
            self._failed,
        )

    def _reckon(
        self, lesson_id: str, choice: CoderChoice
    ) -> tuple[tuple[LeftOut, ...], Estimate | None]:
        left_out = self._desk.coding.left_out([lesson_id], choice)
        return left_out, None if left_out else self._desk.plan_coding([lesson_id], choice)

    def _show_plan(
        self,
        lesson_id: str,
        title: str,
        choice: CoderChoice,
        found: tuple[tuple[LeftOut, ...], Estimate | None],
    ) -> None:
        left_out, expected = found
        if left_out:
            self._notices.trouble(left_out[0].why)
            return
        if expected is None:
            self._start(lesson_id, title, choice)
            return
        where, leaves = where_words(self._desk.engines(), choice)
        part = PlanPart("Coding", expected)
        asked = f"Code “{title}” with {choice.name}"
        if ask_to_start(asked, [part], where, leaves=leaves, parent=self._window):
            self._start(lesson_id, title, choice)

    def _failed(self, error: Exception) -> None:
        self._notices.trouble(error)
