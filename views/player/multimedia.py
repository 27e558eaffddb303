"""Sound and moving pictures by QtMultimedia, brought onto the lesson's clock.

Measured with Qt 6.11 on the 63 recordings of `data/4_video_quirks` that decode:

- Qt counts from the container's own start: a file whose first stamp is 10.0 s begins at 0 in Qt.
  The first picture of Qt, held against the first picture of PyAV, gives the difference. It equals
  the start of the recording in all but one file, which lies 7 ms off because Qt counts the sound
  that encoders put before the first one (`decord_flipping_a_pancake.mkv`).
- A picture whose stamp in Qt, so corrected, equals a stamp of PyAV was the same picture.
- Seeking in Qt does not always arrive: in open groups of pictures it lands up to 100 ms late
  (`torchcodec_h265_frame_numbers.mp4`), and with an edit list it began 2 s late
  (`media3_iibbibb_editlist_videoonly.mp4`). So no picture that stands still is taken from Qt
  unless its stamp says that it is the one; the page fetches the exact one.
- Qt turns rotated recordings upright by itself, and shapes pixels that are not square: its pictures
  are those of PyAV turned upright, for 0, 90, 180 and 270 degrees. One that is mirrored as well it
  turns upside down (`media3_sample_rotate_and_reflect.mp4`), so mirrored pictures are fetched.
- Qt has no AV1 without help from the graphics card, and says nothing: no picture ever comes. Then
  the sound plays on and each picture is fetched.
- A WebM without duration cannot be moved through by Qt; it is left to the plain playback.

No Python runs in Qt's threads: what they send is taken in the window's thread, and pictures are
asked for rather than handed over, so that a slow window drops pictures instead of piling them up.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, QSize, Qt, QTimer, QUrl, Slot
from PySide6.QtGui import QImage
from PySide6.QtMultimedia import (
    QAudioOutput,
    QMediaDevices,
    QMediaPlayer,
    QVideoFrame,
    QVideoFrameFormat,
    QVideoSink,
)

from app.lesson.spans import Span
from views.player.playback import Playback

MOST_DRIFT_MS = 200
"""Clocks further apart than this are no clocks of the same first picture: Qt skipped some."""
NEAR_MS = 25
"""Closer than this to where it should be, Qt plays on from where it is."""
_LOADED = (
    QMediaPlayer.MediaStatus.LoadedMedia,
    QMediaPlayer.MediaStatus.BufferingMedia,
    QMediaPlayer.MediaStatus.BufferedMedia,
    QMediaPlayer.MediaStatus.EndOfMedia,
)
PATIENCE_MS = 5_000
"""After this long without a first picture, none will come."""


class MultimediaPlayback(Playback):
    """Plays by QtMultimedia."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._offset_ms = 0.0
        self._first_ms: int | None = None
        self._first_seen: float | None = None
        self._has_picture = self._has_sound = False
        self._runs = False
        self._waiting_ms: int | None = None
        self._player = QMediaPlayer(self)
        self._sink = QVideoSink(self)
        self._sound: QAudioOutput | None = None
        if not QMediaDevices.defaultAudioOutput().isNull():
            self._sound = QAudioOutput(self)
            self._player.setAudioOutput(self._sound)
        self._warm_up()
        self._player.setVideoSink(self._sink)
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(PATIENCE_MS)
        self._patience.timeout.connect(self._no_picture_came)
        queued = Qt.ConnectionType.QueuedConnection
        self._sink.videoFrameChanged.connect(self._take_picture, queued)
        self._player.positionChanged.connect(self._take_position, queued)
        self._player.mediaStatusChanged.connect(self._take_status, queued)
        self._player.errorOccurred.connect(self._take_error, queued)

    def open(self, path: str, span: Span, has_picture: bool, has_sound: bool) -> None:
        """Turn to another recording, paused at its start."""
        self._span = span
        self._runs, self._waiting_ms = False, None
        self._offset_ms, self._first_ms, self._first_seen = span.start_ms, None, None
        self._has_picture, self._has_sound = has_picture, has_sound
        self.shows_pictures = has_picture
        # `stop` would wait for the decoders with the interpreter in hand; this one lets it go.
        self._player.setSource(QUrl())
        self._player.setSource(QUrl.fromLocalFile(path))
        self._player.pause()
        if has_picture:
            self._patience.start()
        if has_sound and self._sound is None:
            self.noted.emit("No loudspeaker was found; the lesson plays without sound.")

    def know_first_frame(self, time_ms: int) -> None:
        """Learn when the first picture is shown, to set Qt's clock against it."""
        self._first_ms = time_ms
        self._set_clock()

    def play(self, from_ms: int) -> None:
        """Run from a moment."""
        self.prepare(from_ms)
        self._runs = True
        self._player.play()

    def pause(self) -> int:
        """Stop, and give the moment of the picture on the screen, or the one that is heard."""
        self._runs = False
        self._player.pause()
        shown = self.picture_ms() if self.shows_pictures else None
        return shown if shown is not None else self._here_ms()

    def prepare(self, time_ms: int) -> None:
        """Bring Qt to a moment, unless it is there; a recording that is being opened goes later."""
        self._waiting_ms = None if self._player.mediaStatus() in _LOADED else time_ms
        wanted = max(0, round(time_ms - self._offset_ms))
        if abs(self._player.position() - wanted) > NEAR_MS:
            self._player.setPosition(wanted)

    def set_rate(self, rate: float) -> None:
        """Run slower or faster; 1 is the lesson's own speed."""
        self._player.setPlaybackRate(rate)

    def set_volume(self, share: float) -> None:
        """Set how loud it is, 0 to 1."""
        if self._sound is not None:
            self._sound.setVolume(share)

    def picture(self) -> QImage | None:
        """Give the newest picture, upright."""
        frame = self._sink.videoFrame()
        return frame.toImage() if frame.isValid() else None

    def picture_ms(self) -> int | None:
        """Give the moment of the newest picture on the lesson's clock."""
        frame = self._sink.videoFrame()
        if not frame.isValid() or frame.startTime() < 0:
            return None
        return round(frame.startTime() / 1000 + self._offset_ms)

    def close(self) -> None:
        """Let go of the recording."""
        self._patience.stop()
        self._runs = False
        self._span = None
        self._player.setSource(QUrl())

    @Slot()
    def _take_picture(self) -> None:
        frame = self._sink.videoFrame()
        if self._span is None or not frame.isValid():
            return
        self._patience.stop()
        if self._first_seen is None:
            self._first_seen = frame.startTime() / 1000
            self._set_clock()
        if self._has_picture:
            self.shows_pictures = True
            self.pictured.emit()

    @Slot()
    def _take_position(self) -> None:
        if self._runs:
            self.moved.emit(self._here_ms())

    @Slot()
    def _take_status(self) -> None:
        status = self._player.mediaStatus()
        if self._span is None:
            return
        if status == QMediaPlayer.MediaStatus.EndOfMedia and self._runs:
            self._runs = False
            self.ended.emit()
        if status in _LOADED and self._waiting_ms is not None:
            # What was asked for while it was being opened is forgotten by Qt.
            self.prepare(self._waiting_ms)
        if status in _LOADED and self._player.duration() <= 0:
            self.failed.emit(
                "This recording does not say how long it is, so its sound cannot be moved "
                "through; it is shown frame by frame."
            )

    @Slot()
    def _take_error(self) -> None:
        if self._span is not None and self._player.error() != QMediaPlayer.Error.NoError:
            self.failed.emit("This recording cannot be played here; it is shown frame by frame.")

    def _no_picture_came(self) -> None:
        self.shows_pictures = False
        if self._has_sound:
            self.noted.emit(
                "The moving picture cannot be played here; it is shown frame by frame, with sound."
            )
        else:
            self.failed.emit("This recording cannot be played here; it is shown frame by frame.")

    def _set_clock(self) -> None:
        if self._first_ms is None or self._first_seen is None:
            return
        found = self._first_ms - self._first_seen
        if abs(found - self._offset_ms) <= MOST_DRIFT_MS:
            self._offset_ms = found

    def _here_ms(self) -> int:
        if self._span is None:
            return 0
        here = round(self._player.position() + self._offset_ms)
        return min(max(here, self._span.start_ms), self._span.end_ms - 1)

    def _warm_up(self) -> None:
        # The first conversion looks for a graphics card, and says so when there is none.
        small = QVideoFrameFormat(QSize(16, 16), QVideoFrameFormat.PixelFormat.Format_YUV420P)
        QVideoFrame(small).toImage()
