"""Plays a lesson, and shows exactly the picture of a moment whenever it stands still."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from os import PathLike, fspath

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QImage, QKeyEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.lesson.spans import Span
from views.player.controls import SPEEDS, Controls
from views.player.frame_times import FrameTimes
from views.player.playback import Playback, make_playback
from views.player.screen import Screen
from views.player.wanted import WantedFrame

PREPARE_MS = 150
"""Stillness after which the playback is brought to where the picture stands."""
BACK_TICK_MS = 100
FASTEST = 4.0
ROUNDING_MS = 2
"""Two clocks in whole milliseconds may write the same picture so far apart."""
EMPTY = "The recording appears here."
MIRRORED = (
    "This recording is stored mirrored, which cannot be played the right way round here; it is "
    "shown frame by frame."
)
SOUND_ONLY = "This lesson has sound and no picture."


class Player(QWidget):
    """Picture, sound and the controls that move through them, on the lesson's clock.

    While it plays, pictures come from the playback. A picture that stands still (after a pause, a
    seek or a step) is the exact one for the moment: the playback's own where its stamp proves it,
    until the one that `frame_wanted` asked for has come. While it has not, the screen says so.

    Signals:
        position_changed: The moment reached.
        playing_changed: Whether it plays now, forwards or backwards.
        frame_wanted: The picture of this moment is needed; answer with `show_frame`.
        trouble: A plain sentence on what cannot be done with this recording here.
    """

    position_changed = Signal(int)
    playing_changed = Signal(bool)
    frame_wanted = Signal(int)
    trouble = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._span: Span | None = None
        self._times = FrameTimes()
        self._position_ms = 0
        self._direction = 0
        self._is_at_end = False
        self._rate = 1.0
        self._path = ""
        self._has_picture = self._has_sound = False
        self._missing = ""
        self._gave_way = False
        self._playback: Playback | None = None
        self._wanted = WantedFrame(self)
        self._still = QTimer(self)
        self._still.setSingleShot(True)
        self._still.setInterval(PREPARE_MS)
        self._back = QTimer(self)
        self._back.setInterval(BACK_TICK_MS)
        self.picture, self.controls = Screen(), Controls()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.picture, 1)
        column.addWidget(self.controls)
        self.setAccessibleName("Player")
        self._connect()
        self.close_media()

    # What is open

    def open_media(
        self,
        path: str | PathLike[str],
        span: Span,
        has_picture: bool,
        has_sound: bool,
        *,
        is_mirrored: bool = False,
    ) -> None:
        """Open a recording at its start.

        Args:
            path: The file.
            span: From its first to its last moment, on the file's own clock.
            has_picture: Whether there is a picture to show.
            has_sound: Whether there is sound to hear.
            is_mirrored: Whether the picture is stored mirrored, which Qt turns the wrong way
                round; each picture is then fetched.
        """
        self.close_media()
        self._path, self._span = fspath(path), span
        self._has_picture, self._has_sound = has_picture, has_sound
        self.controls.let_use(True, has_picture, has_sound)
        self.picture.show_words("" if has_picture else SOUND_ONLY)
        if self._playback is None or self._gave_way:
            self._gave_way = False
            self._use(*make_playback(self))
        if self._playback is not None:
            self._playback.open(self._path, span, has_picture and not is_mirrored, has_sound)
        if self._missing or is_mirrored:
            self.trouble.emit(self._missing or MIRRORED)
        self._stand_at(span.start_ms)

    def close_media(self) -> None:
        """Let go of the recording and show the empty player."""
        self._stop()
        if self._playback is not None:
            self._playback.close()
        self._wanted.forget()
        self._still.stop()
        self._span = None
        self._times = FrameTimes()
        self._position_ms = 0
        self.picture.show_words(EMPTY)
        self.picture.show_note("")
        self.controls.let_use(False, False, False)
        self.controls.show_time(None, None)

    def set_frame_times(self, times: Sequence[int]) -> None:
        """Learn when each picture is shown, rising, so that steps and stops are exact."""
        self._times = FrameTimes(times)
        if self._times.first_ms is not None and self._playback is not None:
            self._playback.know_first_frame(self._times.first_ms)
        if self._span is not None and not self._direction:
            self._want_still()

    def show_frame(self, time_ms: int, path: str | PathLike[str]) -> None:
        """Take the picture file of a moment; an empty path says that there is none."""
        is_wanted = self._wanted.came(time_ms)
        fetched = self._direction < 0 or not self._shows_itself()
        if self._span is None or not (is_wanted or (self._direction and fetched)):
            return
        picture = QImage(fspath(path)) if fspath(path) else QImage()
        if picture.isNull():
            self.picture.show_note("The picture of this moment cannot be read.")
        elif not self._direction or fetched:
            self.picture.show_note("")
            self.picture.show_picture(picture, is_moving=bool(self._direction))

    # Moving

    @property
    def position_ms(self) -> int:
        """The moment reached, on the lesson's clock."""
        return self._position_ms

    @property
    def is_playing(self) -> bool:
        """Whether it plays, forwards or backwards."""
        return self._direction != 0

    def play(self) -> None:
        """Play on; from the start when it stands at the end."""
        if self._span is None or self._direction > 0 or self._playback is None:
            return
        self._stop()
        at_end = self._is_at_end or self._position_ms >= self._span.end_ms - 1
        start = self._span.start_ms if at_end else self._position_ms
        self._direction = 1
        self._still.stop()
        self._playback.set_rate(self._rate)
        self._playback.play(start)
        if self._shows_itself():
            self._wanted.forget()
            self.picture.show_note("")
        self._tell_playing()

    def pause(self) -> None:
        """Stand still, on the picture that is on the screen."""
        if not self._direction:
            return
        reached = self._stop()
        self._tell_playing()
        self._stand_at(self._times.at(reached + ROUNDING_MS) if self._has_picture else reached)

    def toggle(self) -> None:
        """Play or pause."""
        if self._direction:
            self.pause()
        else:
            self.play()

    def shuttle(self, direction: int) -> None:
        """Play backwards (-1), stand still (0) or play forwards (1); again for twice the speed.

        Up to four times the lesson's speed. Backwards goes from picture to picture, without sound.
        """
        if direction == 0 or self._span is None:
            self.pause()
            return
        again = self._direction == direction
        self.set_speed(min(self._rate * 2, FASTEST) if again and self._rate >= 1 else 1.0)
        if again:
            return
        if direction > 0:
            self.play()
        else:
            self._play_back()

    def set_speed(self, rate: float) -> None:
        """Set the speed, 0.25 to 4; 1 is the lesson's own."""
        self._rate = min(SPEEDS, key=lambda speed: abs(speed - rate))
        self.controls.show_speed(self._rate)
        if self._playback is not None and self._direction > 0:
            self._playback.set_rate(self._rate)

    def step(self, frames: int) -> None:
        """Stand so many pictures on, or back below zero."""
        if self._span is None:
            return
        self.pause()
        beside = self._times.beside(self._position_ms, frames)
        if beside is not None:
            self._stand_at(beside)

    def seek(self, time_ms: int) -> None:
        """Go to a moment, playing on if it plays."""
        if self._span is None:
            return
        wanted = min(max(time_ms, self._span.start_ms), self._span.end_ms - 1)
        if self._direction > 0 and self._playback is not None:
            self._move_to(wanted)
            self._playback.play(wanted)
        elif self._direction < 0:
            self._move_to(wanted)
        else:
            self._stand_at(wanted)

    # Events

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Act on the keys of a player, where no menu has taken them before."""
        acts: dict[int, Callable[[], None]] = {
            Qt.Key.Key_Space: self.toggle,
            Qt.Key.Key_J: lambda: self.shuttle(-1),
            Qt.Key.Key_K: self.pause,
            Qt.Key.Key_L: lambda: self.shuttle(1),
            Qt.Key.Key_Comma: lambda: self.step(-1),
            Qt.Key.Key_Period: lambda: self.step(1),
        }
        act = acts.get(event.key())
        if act is None:
            super().keyPressEvent(event)
        else:
            act()

    def changeEvent(self, event: QEvent) -> None:
        """Follow colours and text size."""
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange):
            self.controls.scale()
            # A new look comes after this, and gives the time back the size that it had.
            QTimer.singleShot(0, self.controls, self.controls.scale)
            self.picture.update()
        super().changeEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Let go of the recording before the window goes."""
        self.close_media()
        super().closeEvent(event)

    # Inside

    def _connect(self) -> None:
        self.controls.toggled.connect(self.toggle)
        self.controls.stepped.connect(self.step)
        self.controls.speed_picked.connect(self.set_speed)
        self.controls.volume_picked.connect(self._set_volume)
        self._wanted.asked.connect(self.frame_wanted)
        self._wanted.late.connect(self._say_late)
        self._still.timeout.connect(self._prepare)
        self._back.timeout.connect(self._go_back)

    def _use(self, playback: Playback, missing: str) -> None:
        if self._playback is not None:
            self._playback.close()
            self._playback.deleteLater()
        self._playback, self._missing = playback, missing
        playback.moved.connect(self._moved)
        playback.pictured.connect(self._pictured)
        playback.ended.connect(self._ended)
        playback.failed.connect(self._failed)
        playback.noted.connect(self.trouble)

    def _failed(self, why: str) -> None:
        """Go on without QtMultimedia for this recording; the next one tries it again."""
        span = self._span
        if span is None or self.sender() is not self._playback:
            return
        was_playing = self._direction > 0
        self._stop()
        plain = Playback(self)
        self._use(plain, "")
        self._gave_way = True
        plain.open(self._path, span, self._has_picture, self._has_sound)
        self.trouble.emit(why)
        if was_playing:
            self.play()

    def _shows_itself(self) -> bool:
        return self._playback is not None and self._playback.shows_pictures

    def _moved(self, time_ms: int) -> None:
        if self._direction <= 0:
            return
        self._move_to(time_ms)
        if self._has_picture and not self._shows_itself():
            self._wanted.want(self._times.at(time_ms))

    def _pictured(self) -> None:
        playback = self._playback
        if playback is None or self._span is None or self._direction < 0:
            return
        wanted, own = self._wanted.wanted_ms, playback.picture_ms()
        proven = wanted is not None and own is not None and abs(own - wanted) <= ROUNDING_MS
        if self._direction > 0 or proven:
            picture = playback.picture()
            if picture is not None:
                self.picture.show_picture(picture, is_moving=self._direction > 0)
                self.picture.show_note("")
                self._wanted.is_not_late()

    def _ended(self) -> None:
        if self._span is None:
            return
        self._stop()
        self._tell_playing()
        last = self._span.end_ms - 1
        self._stand_at(self._times.at(last) if self._has_picture else last)
        self._is_at_end = True

    def _play_back(self) -> None:
        self._stop()
        self._direction = -1
        self._back.start()
        self._tell_playing()

    def _go_back(self) -> None:
        assert self._span is not None
        wanted = self._position_ms - round(BACK_TICK_MS * self._rate)
        self._move_to(max(wanted, self._span.start_ms))
        if self._has_picture:
            self._wanted.want(self._times.at(self._position_ms))
        if wanted <= self._span.start_ms:
            self.pause()

    def _stop(self) -> int:
        reached = self._position_ms
        if self._direction > 0 and self._playback is not None:
            reached = self._playback.pause()
        self._direction = 0
        self._back.stop()
        return reached

    def _stand_at(self, time_ms: int) -> None:
        self._move_to(time_ms)
        self._want_still()
        self._still.start()

    def _move_to(self, time_ms: int) -> None:
        self._is_at_end = False
        self._position_ms = time_ms
        self.controls.show_time(time_ms, self._span)
        self.position_changed.emit(time_ms)

    def _want_still(self) -> None:
        if self._has_picture:
            self._wanted.want(self._times.at(self._position_ms))

    def _prepare(self) -> None:
        if self._playback is not None and self._span is not None and not self._direction:
            self._playback.prepare(self._position_ms)

    def _say_late(self) -> None:
        self.picture.show_note("Looking for the exact picture of this moment…")

    def _set_volume(self, share: float) -> None:
        if self._playback is not None:
            self._playback.set_volume(share)

    def _tell_playing(self) -> None:
        self.controls.show_playing(self._direction != 0)
        self.playing_changed.emit(self._direction != 0)
