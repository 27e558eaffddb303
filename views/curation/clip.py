"""The 2 s under judgement, played over and over: nothing before, nothing after, no sound."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QApplication, QHBoxLayout, QVBoxLayout, QWidget

from app.confusion.curation import Candidate
from app.confusion.review import LearnerReview
from views.background import Background
from views.common.controls import page_button, text_label
from views.common.theme import current_theme
from views.lesson.pictures import Pictures
from views.player import Player

if TYPE_CHECKING:
    from app.desk import Desk

RING_PX = 2
GONE = (
    "The recording is not where it was, so this clip cannot be judged now. Show where it lies now "
    "on the Learner page (Find it…), or skip the clip."
)


class ClipView(QWidget):
    """Shows one candidate; sound is left out, as it will be in the set.

    Signals:
        trouble: An error to tell.
    """

    trouble = Signal(object)

    def __init__(self, desk: Desk, background: Background, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._candidate: Candidate | None = None
        self._lesson_id = ""
        self.player = Player()
        self.player.controls.hide()
        self._pictures = Pictures(desk, background, self, wants_sound=False)
        self._gone = text_label(GONE)
        self._play = page_button("Play", "Play the clip over and over, or stand still", "Space")
        self._back = page_button("Picture before", "One picture back", ",")
        self._on = page_button("Next picture", "One picture on", ".")
        self._lay_out()
        self._connect()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the ring that says that the keys of judging work."""
        if self.hasFocus():
            painter = QPainter(self)
            painter.setPen(QPen(QColor(current_theme().focus), RING_PX))
            half = RING_PX // 2
            painter.drawRect(self.rect().adjusted(half, half, -half - 1, -half - 1))

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the ring."""
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Take the ring away."""
        self.update()

    @property
    def can_be_seen(self) -> bool:
        """Whether there is a picture to judge."""
        return self._candidate is not None and bool(self._lesson_id)

    def show_clip(self, candidate: Candidate, review: LearnerReview | None) -> None:
        """Show a candidate at its start; `review` is that of its video."""
        if candidate == self._candidate and self._lesson_id == candidate.lesson_id:
            return
        self.player.pause()
        self._candidate = candidate
        media = review.media if review is not None and review.media_found else None
        if media is None or media.video is None:
            self._lesson_id = ""
            self._pictures.close()
            self.player.close_media()
        elif self._lesson_id != candidate.lesson_id:
            self._lesson_id = candidate.lesson_id
            # First who fetches pictures: the player asks for one at once, and waits for the answer.
            self._pictures.open_recording(candidate.lesson_id, media)
            self.player.open_media(
                Path(media.path), media.span, True, False, is_mirrored=media.video.mirrored
            )
        self._gone.setVisible(not self._lesson_id)
        for control in (self.player, self._play, self._back, self._on):
            control.setVisible(bool(self._lesson_id))
        if self._lesson_id:
            self.player.seek(candidate.start_ms)

    def toggle(self) -> None:
        """Play or stand still; on a button, press it, as everywhere else."""
        focused = QApplication.focusWidget()
        if isinstance(focused, QAbstractButton) and focused.isEnabled():
            focused.click()
        else:
            self._toggle()

    def step(self, pictures: int) -> None:
        """Go some pictures on or back, inside the clip."""
        self.player.step(pictures)

    def leave(self) -> None:
        """Stand still, as the view goes out of sight."""
        self.player.pause()

    def close_media(self) -> None:
        """Let go of the recording."""
        self.leave()
        self._pictures.close()
        self.player.close_media()
        self._candidate, self._lesson_id = None, ""

    def _toggle(self) -> None:
        self.player.toggle()

    def _hold(self, time_ms: int) -> None:
        """Keep to the clip: whoever judges 2 s must not judge by what comes before or after."""
        clip = self._candidate
        if clip is None or not self._lesson_id:
            return
        if time_ms >= clip.end_ms:
            self.player.seek(clip.start_ms if self.player.is_playing else clip.end_ms - 1)
        elif time_ms < clip.start_ms:
            self.player.seek(clip.start_ms)

    def _say_playing(self, playing: bool) -> None:
        self._play.setText("Stop" if playing else "Play")
        self._play.setAccessibleName(self._play.text())

    def _lay_out(self) -> None:
        pressed = QHBoxLayout()
        for control in (self._play, self._back, self._on):
            pressed.addWidget(control)
        pressed.addStretch()
        column = QVBoxLayout(self)
        column.setContentsMargins(RING_PX + 1, RING_PX + 1, RING_PX + 1, RING_PX + 1)
        column.addWidget(self._gone)
        column.addWidget(self.player, 1)
        column.addLayout(pressed)
        self._gone.hide()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("The clip; the keys of judging work here")

    def _connect(self) -> None:
        self._play.clicked.connect(self._toggle)
        self._back.clicked.connect(lambda: self.step(-1))
        self._on.clicked.connect(lambda: self.step(1))
        self.player.playing_changed.connect(self._say_playing)
        self.player.position_changed.connect(self._hold)
        self.player.frame_wanted.connect(self._pictures.want_frame)
        self._pictures.frame_came.connect(self.player.show_frame)
        self._pictures.frame_times_came.connect(self.player.set_frame_times)
        self._pictures.trouble.connect(self.trouble)
