"""The lessons of the library as the Agreement page needs them, read off the window's thread."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from app.coding.review import LessonReview
from app.errors import Cancelled
from views.background import Background, Job, Lane

if TYPE_CHECKING:
    from app.desk import Desk
    from app.store.library import Library

Known = dict[str, tuple[tuple[int, ...], LessonReview]]
"""Stamp and review of each lesson, by id, in the order they were added."""


class Gathering(QObject):
    """Keeps every lesson once read, and reads again only those that changed since.

    Signals:
        came: The lessons as they stand now.
        trouble: Why they could not be read.
    """

    came = Signal()
    trouble = Signal(object)

    def __init__(self, desk: Desk, background: Background, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._background = background
        self._known: Known = {}
        self._job: Job | None = None
        self.is_read = False
        """Whether the lessons were read at least once."""

    @property
    def reviews(self) -> tuple[LessonReview, ...]:
        """All lessons, in the order they were added."""
        return tuple(review for _, review in self._known.values())

    @property
    def stamps(self) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """What tells this state of the lessons from any other."""
        return tuple((lesson_id, stamp) for lesson_id, (stamp, _) in self._known.items())

    def review(self, lesson_id: str) -> LessonReview | None:
        """Give one lesson."""
        found = self._known.get(lesson_id)
        return found[1] if found else None

    def refresh(self) -> None:
        """Bring the lessons up to date; `came` follows."""
        if self._job is not None:
            self._job.stop.set()
        self._job = Job("Read what people coded", Lane.LOOK)
        work = partial(_read, self._desk.library, dict(self._known))
        self._background.start(
            self._job, work, partial(self._take, self._job), partial(self._failed, self._job)
        )

    def reread(self, lesson_id: str) -> None:
        """Read one lesson again, now: something was just decided in it.

        Raises:
            StoreRefused: It could not be read.
        """
        library = self._desk.library
        stamp = library.lesson_stamps().get(lesson_id, ())
        self._known[lesson_id] = (stamp, library.lesson(lesson_id))
        self.came.emit()

    def _take(self, job: Job, known: Known) -> None:
        if job is self._job:
            self._known, self._job, self.is_read = known, None, True
            self.came.emit()

    def _failed(self, job: Job, error: Exception) -> None:
        if job is self._job and not isinstance(error, Cancelled):
            self._job = None
            self.trouble.emit(error)


def _read(library: Library, known: Known, _report: Any, stop: Any) -> Known:
    found: Known = {}
    for lesson_id, stamp in library.lesson_stamps().items():
        if stop.is_set():
            raise Cancelled
        before = known.get(lesson_id)
        is_same = before is not None and before[0] == stamp
        found[lesson_id] = before if before and is_same else (stamp, library.lesson(lesson_id))
    return found
