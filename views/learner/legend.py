"""The patterns of the bands with their words, for the page that explains all marks."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.lesson.spans import Span
from views.common.theme import colour, current_theme
from views.learner.marks import SHOW_WORDS, BandMarks, EventMark, EventState, Show
from views.learner.painting import paint_band, paint_event
from views.learner.words import LIMITS, NOT_VISIBLE_WORDS, STATE_WORDS
from views.timeline.axis import Axis

WINDOW = Span(0, 2000)
TOLD = {
    Show.NONE: "Blue bands are a reader's: the higher, the more confusion shows.",
    Show.MEDIUM: "Medium and high count as confusion; runs of them make an event.",
    Show.NOT_VISIBLE: NOT_VISIBLE_WORDS,
    Show.FAILED: "The reader gave no usable answer. It is in no share, and counted beside.",
}
EVENTS_TOLD = {
    EventState.SUGGESTED: "A reader's event, in the reviewer's row until a person decides.",
    EventState.CONFIRMED: "Red and striped: a person stands behind it. Readers' bands stay as "
    "they were.",
}


class BandSample(QWidget):
    """One window, or one event, as the bands draw it."""

    def __init__(self, what: Show | EventState) -> None:
        super().__init__()
        self._what = what
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        words = SHOW_WORDS[what] if isinstance(what, Show) else STATE_WORDS[what]
        self.setAccessibleName(words)

    def sizeHint(self) -> QSize:
        """Take the height of a line of text."""
        height = self.fontMetrics().height() + 4
        return QSize(2 * height, height)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the pattern in the colours of the look in use."""
        painter, theme = QPainter(self), current_theme()
        rect = QRect(0, 0, self.width(), self.height())
        painter.fillRect(rect, colour(theme.base))
        axis = Axis.over(WINDOW, self.width())
        if isinstance(self._what, EventState):
            paint_event(painter, rect, axis, EventMark("", 0, 2000, self._what), theme)
            return
        starts, ends = np.array([0], np.int64), np.array([2000], np.int64)
        marks = BandMarks("", "", starts, ends, np.array([self._what], np.int8))
        # A word beside it says what it is; none fits into so small a sample.
        paint_band(painter, rect, axis, marks, theme, self.devicePixelRatioF(), words=False)


def band_legend() -> list[tuple[QWidget, str, str]]:
    """Give each pattern: a sample, its name, and what it means."""
    rows: list[tuple[QWidget, str, str]] = [
        (BandSample(show), f"Band: {SHOW_WORDS[show]}", TOLD.get(show, "")) for show in Show
    ]
    rows += [
        (BandSample(state), f"Event: {STATE_WORDS[state]}", EVENTS_TOLD.get(state, ""))
        for state in (EventState.SUGGESTED, EventState.CONFIRMED, EventState.DISMISSED)
    ]
    return [*rows, (QWidget(), "What bands can say", LIMITS)]
