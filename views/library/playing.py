"""Fetches what the moments of a search are shown with."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.coding.moments import Moment
from app.errors import ClerestoryError
from app.lesson.transcript.records import Utterance
from views.background import Background
from views.lesson.pictures import Pictures
from views.library.reel import Reel

if TYPE_CHECKING:
    from app.desk import Desk

AROUND = 2
"""Lines shown before and after a single line that was found."""


class Playing(QObject):
    """Answers a reel with recordings, pictures and lines of the library.

    Signals:
        told: Something to tell: message and hint.
        trouble: An error to tell.
    """

    told = Signal(str, str)
    trouble = Signal(object)

    def __init__(
        self, desk: Desk, background: Background, reel: Reel, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._desk, self._reel = desk, reel
        self._lesson_id = ""
        self.pictures = Pictures(desk, background, self, wants_sound=False)
        reel.needed.connect(self._show)
        reel.closed.connect(self.stop)
        reel.player.frame_wanted.connect(self.pictures.want_frame)
        reel.player.trouble.connect(self._tell)
        self.pictures.frame_came.connect(reel.player.show_frame)
        self.pictures.frame_times_came.connect(reel.player.set_frame_times)
        self.pictures.trouble.connect(self.trouble)

    def stop(self) -> None:
        """Let go of the recording, and of what is still being fetched."""
        self._lesson_id = ""
        self.pictures.close()
        self._reel.close_media()

    def _tell(self, text: str) -> None:
        self.told.emit(text, "")

    def _show(self, moment: Moment) -> None:
        try:
            self._answer(moment)
        except ClerestoryError as error:
            self._reel.skip(error.message)

    def _answer(self, moment: Moment) -> None:
        title, media, is_there = self._desk.library.media(moment.lesson_id)
        if media is None:
            self._show_lines(moment, "This lesson has no recording; this is what was said.")
        elif not is_there:
            self._reel.skip(f"the recording of “{title}” is not where it was.")
        elif moment.start_ms is None or moment.start_ms >= media.span.end_ms:
            self._show_lines(moment, "No time is known for this moment; this is what was said.")
        else:
            if moment.lesson_id != self._lesson_id:
                self._lesson_id = moment.lesson_id
                self.pictures.open_recording(moment.lesson_id, media)
            self._reel.show_recording(moment, media)

    def _show_lines(self, moment: Moment, why: str) -> None:
        review = self._desk.library.lesson(moment.lesson_id)
        lines = review.transcript.utterances if review.transcript else ()
        around = AROUND if moment.first == moment.last else 0
        fits = _between(moment.first - around, moment.last + around)
        self._reel.show_lines([line for line in lines if fits(line)], why)


def _between(first: int, last: int) -> Callable[[Utterance], bool]:
    return lambda line: first <= line.number <= last
