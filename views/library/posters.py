"""Fetches the pictures that stand for lessons, each once, without holding the window up."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from views.background import Background, Job, Lane
from views.library.lessons import LessonList

if TYPE_CHECKING:
    from app.desk import Desk


class Posters:
    """Asks for the posters of listed lessons that have none yet.

    Args:
        desk: Makes them.
        background: Runs that.
        lessons: The list they are shown in.
    """

    def __init__(self, desk: Desk, background: Background, lessons: LessonList) -> None:
        self._desk, self._background, self._lessons = desk, background, lessons
        self._asked: set[str] = set()

    def ask(self) -> None:
        """Ask for what is missing and was not asked for before."""
        for row in self._lessons.without_poster():
            if row.lesson_id not in self._asked:
                self._asked.add(row.lesson_id)
                self._ask_for(row.lesson_id)

    def _ask_for(self, lesson_id: str) -> None:
        self._background.start(
            Job("Fetch poster", Lane.LOOK, lesson_id),
            lambda _report, stop: self._desk.poster(lesson_id, stop),
            partial(self._show, lesson_id),
            # A lesson without its picture is still a lesson; opening it tells what is wrong.
            lambda _error: None,
        )

    def _show(self, lesson_id: str, path: Path | None) -> None:
        if path is not None:
            self._lessons.show_poster(lesson_id, path)
