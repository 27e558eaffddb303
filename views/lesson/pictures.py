"""What the lesson page shows of a recording, fetched without holding the window up."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal

from app.coding.review import LessonReview
from app.errors import Cancelled, ClerestoryError
from app.lesson.media.facts import MediaFacts
from views.background import Background, Job, Lane, Work

if TYPE_CHECKING:
    from app.desk import Desk

THUMB_PX = 160
CARD_PX = 320
FRAME_PX = 1280
SOON_MS = 300
"""Wait before asking for frame times and waveform, so that pictures in sight come first."""


class Pictures(QObject):
    """Asks for frames, frame times and the waveform of the lesson in view.

    Signals:
        thumbnails_came: Picture files of the timeline, by moment.
        cards_came: Picture files of the evidence, by moment.
        frame_came: A moment and the picture file of its frame.
        frame_times_came: The time of every frame.
        waveform_came: The waveform.
        trouble: What could not be had, told once.
    """

    thumbnails_came = Signal(object)
    cards_came = Signal(object)
    frame_came = Signal(int, object)
    frame_times_came = Signal(object)
    waveform_came = Signal(object)
    trouble = Signal(object)

    def __init__(
        self,
        desk: Desk,
        background: Background,
        parent: QObject | None = None,
        *,
        wants_sound: bool = True,
    ) -> None:
        super().__init__(parent)
        self._desk = desk
        self._wants_sound = wants_sound
        self._background = background
        self._lesson_id = ""
        self._jobs: dict[str, Job] = {}
        self._told: set[str] = set()
        self._has_picture = self._has_sound = False
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(SOON_MS)
        self._soon.timeout.connect(self._ask_for_whole)

    def open(self, review: LessonReview) -> None:
        """Turn to a lesson; what was asked for another is stopped."""
        self.open_recording(review.lesson_id, review.media if review.media_found else None)

    def open_recording(self, lesson_id: str, media: MediaFacts | None) -> None:
        """Turn to the recording of a lesson; `None` where there is none to look at."""
        self.close()
        self._lesson_id = lesson_id
        self._has_picture = media is not None and media.video is not None
        self._has_sound = media is not None and media.audio is not None
        if media is not None:
            self._soon.start()

    def close(self) -> None:
        """Stop what is still being fetched."""
        for job in self._jobs.values():
            job.stop.set()
        self._soon.stop()
        self._jobs.clear()
        self._told.clear()
        self._lesson_id = ""

    def _ask_for_whole(self) -> None:
        """Ask for what takes longest, once the pictures in sight have been asked for."""
        lesson = self._lesson_id
        if self._has_picture:
            times = partial(_frame_times, self._desk, lesson)
            self._ask("frame times", times, self.frame_times_came.emit)
        if self._has_sound and self._wants_sound:
            sound = partial(_waveform, self._desk, lesson)
            self._ask("waveform", sound, self.waveform_came.emit)

    def want_thumbnails(self, times_ms: Iterable[int]) -> None:
        """Fetch small pictures for the timeline; the ones asked for before are given up."""
        self._want("thumbnails", times_ms, THUMB_PX, self.thumbnails_came.emit)

    def want_cards(self, times_ms: Iterable[int]) -> None:
        """Fetch the pictures at moments of evidence."""
        self._want("cards", times_ms, CARD_PX, self.cards_came.emit)

    def want_frame(self, time_ms: int) -> None:
        """Fetch one frame in full, for a player that cannot play."""
        self._want("frame", [time_ms], FRAME_PX, partial(self._frame, time_ms))

    def _frame(self, time_ms: int, found: dict[int, Path]) -> None:
        if time_ms in found:
            self.frame_came.emit(time_ms, found[time_ms])

    def _want(
        self, what: str, times_ms: Iterable[int], max_px: int, give: Callable[[Any], None]
    ) -> None:
        times = sorted(set(times_ms))
        if not times or not self._has_picture:
            return
        work = partial(_pictures, self._desk, self._lesson_id, times, max_px)
        self._ask(what, work, give)

    def _ask(self, what: str, work: Work, give: Callable[[Any], None]) -> None:
        before = self._jobs.pop(what, None)
        if before is not None:
            before.stop.set()
        job = Job(f"Fetch {what}", Lane.LOOK, self._lesson_id)
        self._jobs[what] = job
        self._background.start(
            job, work, partial(self._came, job, what, give), partial(self._failed, job, what)
        )

    def _came(self, job: Job, what: str, give: Callable[[Any], None], result: Any) -> None:
        """Hand on what came, unless the page has turned to something else meanwhile."""
        if self._jobs.get(what) is job:
            give(result)

    def _failed(self, job: Job, what: str, error: Exception) -> None:
        if self._jobs.get(what) is not job or isinstance(error, Cancelled):
            return
        # Scrolling asks for pictures again and again; one notice is enough for one reason.
        reason = error.message if isinstance(error, ClerestoryError) else type(error).__name__
        if reason not in self._told:
            self._told.add(reason)
            self.trouble.emit(error)


def _frame_times(desk: Desk, lesson_id: str, report: Any, stop: Any) -> tuple[int, ...]:
    return desk.frame_times(lesson_id, report, stop)


def _waveform(desk: Desk, lesson_id: str, report: Any, stop: Any) -> Any:
    return desk.waveform(lesson_id, report, stop)


def _pictures(
    desk: Desk, lesson_id: str, times_ms: list[int], max_px: int, report: Any, stop: Any
) -> dict[int, Path]:
    exact = max_px > THUMB_PX
    return desk.pictures(lesson_id, times_ms, max_px, report, stop, exact)
