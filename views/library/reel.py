"""Shows the moments of a search one after another: the recording, or what was said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from app.coding.moments import Moment
from app.lesson.media.facts import MediaFacts
from app.lesson.spans import show_time
from app.lesson.transcript.records import Utterance
from views.common.controls import page_button, scrolling, text_label
from views.common.signs import PracticeBadge
from views.common.words import count_words
from views.library.hits import code_words, day_words, quote_words, split_marks
from views.player.player import Player

KEYS_TOLD = "Keys: N next, P previous, Space pause, O open the lesson, Escape close."
END_MS = 250
"""A player that stops this close to the end of the recording has reached it."""


class Reel(QWidget):
    """Plays moments one after another; N next, P previous, Space plays, O opens, Escape closes.

    Each moment is asked for with `needed`, which must be answered before it returns, with
    `show_recording`, `show_lines` or `skip`.

    Signals:
        needed: The moment whose recording or lines are to be shown.
        shown: The moment that is in view now.
        lesson_opened: A lesson's id, and the moment to go to or -1.
        closed: The person is done with it.
    """

    needed = Signal(object)
    shown = Signal(object)
    lesson_opened = Signal(str, int)
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._moments: list[Moment] = []
        self._place = -1
        self._open = ""
        self._until_ms: int | None = None
        self._end_ms = 0
        self._was_skipped = self._has_shown = False
        self._skipped: dict[int, str] = {}
        """Why moments could not be shown, by place."""
        self.player = Player()
        self.title, self.where = text_label(bold=True, larger=1.15), text_label()
        self.quote, self.said = text_label(larger=1.1), text_label()
        self.lines = text_label(larger=1.1)
        self.lines.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.badge = PracticeBadge()
        self.back = page_button("‹ Previous", "Show the moment before", "P")
        self.on = page_button("Next ›", "Show the next moment", "N")
        self.open = page_button("Open lesson", "Go to this moment in its lesson", "O")
        self.close_button = page_button("Close", "Go back to the list", "Escape")
        self._stack = QStackedWidget()
        self._lay_out()
        self._connect()

    # What is shown

    def play(self, moments: Sequence[Moment], place: int = 0) -> None:
        """Show these moments from one of them on; those without a time or a line are left out."""
        chosen = moments[place] if place < len(moments) else None
        self._moments = [moment for moment in moments if moment.can_be_shown]
        self._skipped.clear()
        self._place, self._has_shown = -1, False
        start = next((i for i, m in enumerate(self._moments) if m is chosen), 0)
        self._go(start, 1)

    def show_recording(self, moment: Moment, media: MediaFacts) -> None:
        """Answer `needed`: play the moment's stretch of this recording."""
        if self._open != media.path:
            self._open = media.path
            self.player.open_media(
                Path(media.path),
                media.span,
                media.video is not None,
                media.audio is not None,
                is_mirrored=media.video is not None and media.video.mirrored,
            )
        self._end_ms = media.span.end_ms
        self._until_ms = None  # what is passed on the way must not count as the end
        self._stack.setCurrentWidget(self.player)
        self.player.pause()
        self.player.seek(moment.start_ms or media.span.start_ms)
        self._until_ms = min(moment.end_ms or self._end_ms, self._end_ms)
        self.player.play()

    def show_lines(self, lines: Sequence[Utterance], why: str) -> None:
        """Answer `needed`: show what was said, and why nothing is played."""
        self.player.pause()
        self._until_ms = None
        spoken = [f"{u.speaker}: {u.text}" if u.speaker else u.text for u in lines]
        self.lines.setText("\n\n".join(spoken))
        self._stack.setCurrentIndex(1)
        self.said.setText(f"{why} Press N for the next.")

    def skip(self, why: str) -> None:
        """Answer `needed`: the moment cannot be shown; the next one is."""
        self._was_skipped = True
        self._skipped[self._place] = why

    def stop(self) -> None:
        """Pause, because something else is looked at."""
        self._until_ms = None
        self.player.pause()

    def close_media(self) -> None:
        """Let go of the recording."""
        self._open = ""
        self._until_ms = None
        self.player.close_media()

    def moment(self) -> Moment | None:
        """Give the moment in view."""
        return self._moments[self._place] if 0 <= self._place < len(self._moments) else None

    # Moving

    def next(self) -> None:
        """Show the next moment; after the last one, say so."""
        self._go(self._place + 1, 1)

    def previous(self) -> None:
        """Show the moment before."""
        self._go(self._place - 1, -1)

    def _go(self, place: int, step: int) -> None:
        was = self._place
        while 0 <= place < len(self._moments):
            self._place, self._was_skipped = place, False
            self._show_head()
            self.needed.emit(self._moments[place])
            if not self._was_skipped:
                self._has_shown = True
                self._show_buttons()
                self.shown.emit(self._moments[place])
                return
            place += step
        self._place = was if 0 <= was < len(self._moments) else -1
        self._say_end(step)

    def _say_end(self, step: int) -> None:
        self.stop()
        if not self._has_shown:
            told = "None of these moments can be shown."
            self._stack.setCurrentIndex(1)
            self.lines.setText("")
        else:
            self._show_head()
            told = "That was the last one." if step > 0 else "This is the first one."
        self.said.setText(" ".join((told, *self._skipped_words())))
        self._show_buttons(is_end=step > 0)

    def _skipped_words(self) -> list[str]:
        reasons = Counter(self._skipped.values())
        return [f"{count_words(n, 'moment')} left out: {why}" for why, n in reasons.items()]

    def _show_head(self) -> None:
        moment = self.moment()
        if moment is None:
            return
        self.title.setText(moment.title)
        when = f"{show_time(moment.start_ms)} to {show_time(moment.end_ms)}"
        place = when if moment.start_ms is not None else f"lines {moment.first} to {moment.last}"
        count = f"{self._place + 1} of {len(self._moments)}"
        parts = (count, place, code_words(moment), day_words(moment))
        self.where.setText(" · ".join(filter(None, parts)))
        words = split_marks(quote_words(moment))[0]
        self.quote.setText(f"“{words}”" if moment.text else words)
        self.badge.show_practice(moment.codes[0].practice if moment.codes else "")
        self.badge.setVisible(bool(moment.codes))
        self.said.setText(" ".join((*self._skipped_words(), KEYS_TOLD)))

    def _show_buttons(self, *, is_end: bool = False) -> None:
        has_moment = self.moment() is not None
        self.back.setEnabled(has_moment and self._place > 0)
        self.on.setEnabled(has_moment and not is_end)
        self.open.setEnabled(has_moment)

    def _open_lesson(self) -> None:
        moment = self.moment()
        if moment is not None:
            self.stop()
            here = self.player.position_ms if self._stack.currentIndex() == 0 else None
            at_ms = here if here is not None else moment.at_ms
            self.lesson_opened.emit(moment.lesson_id, -1 if at_ms is None else at_ms)

    def leave(self) -> None:
        """Stop, and say that it is done."""
        self.stop()
        self.closed.emit()

    def _moved(self, time_ms: int) -> None:
        if self._until_ms is not None and self.player.is_playing and time_ms >= self._until_ms:
            self._go_on()

    def _stopped(self, is_playing: bool) -> None:
        """Go on where the recording itself is over; a person's pause is a pause."""
        at_end = self.player.position_ms >= self._end_ms - END_MS
        if not is_playing and self._until_ms is not None and at_end:
            self._go_on()

    def _go_on(self) -> None:
        self._until_ms = None
        # Not from inside the player, which is still telling where it is.
        QTimer.singleShot(0, self, self.next)

    # How it is put together

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Hand the keyboard to the player, where the space bar plays."""
        self.player.setFocus(event.reason())

    def _lay_out(self) -> None:
        self.player.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.quote.setAccessibleName("Quote")
        head = QHBoxLayout()
        head.addWidget(self.badge, alignment=Qt.AlignmentFlag.AlignTop)
        words = QVBoxLayout()
        for label in (self.title, self.where, self.quote):
            words.addWidget(label)
        head.addLayout(words, 1)
        self._stack.addWidget(self.player)
        self._stack.addWidget(scrolling(self.lines, "What was said", by_keys=True))
        keys = QHBoxLayout()
        for made in (self.back, self.on, self.open):
            keys.addWidget(made)
        keys.addStretch()
        keys.addWidget(self.close_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(head)
        column.addWidget(self._stack, 1)
        column.addWidget(self.said)
        column.addLayout(keys)
        self.setAccessibleName("Moments one after another")

    def _connect(self) -> None:
        self.back.clicked.connect(self.previous)
        self.on.clicked.connect(self.next)
        self.open.clicked.connect(self._open_lesson)
        self.close_button.clicked.connect(self.leave)
        self.player.position_changed.connect(self._moved)
        self.player.playing_changed.connect(self._stopped)
        acts: tuple[tuple[str, Callable[[], None]], ...] = (
            ("N", self.next),
            ("P", self.previous),
            ("Space", self.player.toggle),
            ("O", self._open_lesson),
            ("Escape", self.leave),
        )
        for key, act in acts:
            made = QShortcut(QKeySequence(key), self)
            made.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            made.activated.connect(act)
