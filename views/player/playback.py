"""What keeps time while a lesson plays: one surface, with or without QtMultimedia behind it."""

from __future__ import annotations

import time

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QImage

from app.lesson.spans import Span

TICK_MS = 40


class Playback(QObject):
    """Runs along a lesson. This one has neither sound nor pictures of its own: only time.

    Signals:
        moved: The moment reached while it plays, on the lesson's clock.
        pictured: `picture` has a new one.
        ended: It ran to the end and stopped.
        failed: It cannot go on; why, in plain words.
        noted: Something a person should know once, in plain words.
    """

    moved = Signal(int)
    pictured = Signal()
    ended = Signal()
    failed = Signal(str)
    noted = Signal(str)

    shows_pictures = False
    """Whether its own pictures come while it plays; otherwise each has to be fetched."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._span: Span | None = None
        self._rate = 1.0
        self._from_ms = 0
        self._since = 0.0
        self._ticks = QTimer(self)
        self._ticks.setInterval(TICK_MS)
        self._ticks.timeout.connect(self._tick)

    def open(self, path: str, span: Span, has_picture: bool, has_sound: bool) -> None:
        """Turn to another recording, paused at its start."""
        self._ticks.stop()
        self._span = span
        self._from_ms = span.start_ms

    def know_first_frame(self, time_ms: int) -> None:
        """Learn when the first picture is shown, to set clocks against each other."""

    def play(self, from_ms: int) -> None:
        """Run from a moment."""
        self._from_ms, self._since = from_ms, time.monotonic()
        self._ticks.start()

    def pause(self) -> int:
        """Stop, and give the moment that is reached."""
        reached = self._reached()
        self._ticks.stop()
        self._from_ms = reached
        return reached

    def prepare(self, time_ms: int) -> None:
        """Get ready to run from a moment."""

    def set_rate(self, rate: float) -> None:
        """Run slower or faster; 1 is the lesson's own speed."""
        self._from_ms, self._since = self._reached(), time.monotonic()
        self._rate = rate

    def set_volume(self, share: float) -> None:
        """Set how loud it is, 0 to 1."""

    def picture(self) -> QImage | None:
        """Give the newest picture of its own."""
        return None

    def picture_ms(self) -> int | None:
        """Give the moment of the newest picture."""
        return None

    def close(self) -> None:
        """Let go of the recording."""
        self._ticks.stop()
        self._span = None

    def _reached(self) -> int:
        if not self._ticks.isActive() or self._span is None:
            return self._from_ms
        run_ms = round((time.monotonic() - self._since) * 1000 * self._rate)
        return min(self._from_ms + run_ms, self._span.end_ms - 1)

    def _tick(self) -> None:
        reached = self._reached()
        self.moved.emit(reached)
        if self._span is not None and reached >= self._span.end_ms - 1:
            self.pause()
            self.ended.emit()


def make_playback(parent: QObject) -> tuple[Playback, str]:
    """Give the best playback this computer has, and a plain sentence when it is not whole."""
    from views.player.quiet import expected_lines_dropped, silence_decoders

    silence_decoders()
    try:
        with expected_lines_dropped():
            from views.player.multimedia import MultimediaPlayback

            return MultimediaPlayback(parent), ""
    except (ImportError, RuntimeError):
        # Most often libpulse is missing; the picture can still be looked at.
        return Playback(parent), (
            "This computer lacks what is needed for sound (on Debian or Ubuntu: apt install "
            "libpulse0); the lesson is shown frame by frame."
        )
