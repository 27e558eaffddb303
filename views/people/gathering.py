"""The lessons of the library as the Agreement page needs them, read off the window's thread."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from app.coding.people import Side, in_order, sides_in
from app.coding.people_clips import CodedClip, coded_in
from app.coding.review import LessonReview
from app.errors import Cancelled
from views.background import Background, Job, Lane

if TYPE_CHECKING:
    from app.desk import Desk
    from app.store.library import Library


@dataclass(frozen=True, slots=True)
class Lesson:
    """One lesson as it was read, with what the page asks of it each time."""

    stamp: tuple[int, ...]
    """Differs once anything was said or decided of it since."""
    review: LessonReview
    coded: tuple[CodedClip, ...]
    """The clips that two or more people coded."""
    sides: tuple[Side, ...]
    """Who coded it."""


Known = dict[str, Lesson]
"""Each lesson by id, in the order they were added."""


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
        return tuple(lesson.review for lesson in self._known.values())

    @property
    def coded(self) -> tuple[tuple[LessonReview, tuple[CodedClip, ...]], ...]:
        """Each lesson with the clips that two or more people coded."""
        return tuple((lesson.review, lesson.coded) for lesson in self._known.values())

    @property
    def sides(self) -> tuple[Side, ...]:
        """Everybody who coded: people by name, then coders by name."""
        return in_order({side for lesson in self._known.values() for side in lesson.sides})

    @property
    def stamps(self) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """What tells this state of the lessons from any other."""
        return tuple((lesson_id, lesson.stamp) for lesson_id, lesson in self._known.items())

    def review(self, lesson_id: str) -> LessonReview | None:
        """Give one lesson."""
        found = self._known.get(lesson_id)
        return found.review if found else None

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
        self._known[lesson_id] = _lesson(stamp, library.lesson(lesson_id))
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
        if before is None or before.stamp != stamp:
            before = _lesson(stamp, library.lesson(lesson_id))
        found[lesson_id] = before
    return found


def _lesson(stamp: tuple[int, ...], review: LessonReview) -> Lesson:
    return Lesson(stamp, review, coded_in(review), sides_in([review]))
