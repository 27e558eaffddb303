"""The timeline as something to look at: lanes, part in view, playhead."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from os import PathLike

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QPolygonF,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.lesson.spans import Span, show_time
from views.common.theme import colour, current_theme
from views.timeline import painting, words
from views.timeline.axis import Axis
from views.timeline.edges import EdgeDrag
from views.timeline.index import SpanIndex
from views.timeline.layout import Lane, Layout
from views.timeline.marks import ClipMark, DecisionMark, EvidenceMark, TurnMark
from views.timeline.scene import Scene
from views.timeline.thumbnails import slots
from views.timeline.waveform import Waveform

HEAD_PX = 6
ASK_MS = 150
"""Pictures are asked for once the view has been still for so long."""


class TimelineView(QWidget):
    """Draws a lesson from left to right; `Timeline` adds the hands.

    Everything but the playhead is kept as one picture until something changes, so that a moving
    playhead paints only two strips.

    Signals:
        view_changed: The part in view changed: its start and end.
        thumbnails_wanted: Moments in view whose small pictures are missing.
    """

    view_changed = Signal(int, int)
    thumbnails_wanted = Signal(list)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.follow = True
        """Whether the view turns the page when the playhead leaves it."""
        self._scene = Scene()
        self._axis: Axis | None = None
        self._layout: Layout = self._scene.layout(self.size(), self.font())
        self._picture: QPixmap | None = None
        self._position_ms = 0
        self._drag: EdgeDrag | None = None
        self._is_scrubbing = False
        self._ask_pause = single_shot(self, ASK_MS, self._ask_for_pictures)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setMinimumSize(200, 120)
        self.setAccessibleName("Timeline")
        self._describe()

    # What is shown

    def show_span(self, span: Span) -> None:
        """Turn to another lesson of this length; whatever was drawn of the last one is gone."""
        self._scene = Scene()
        self._drag = None
        self._is_scrubbing = False
        self._position_ms = span.start_ms
        self._layout = self._scene.layout(self.size(), self.font())
        self._axis = Axis.over(span, self._lanes_px())
        self._view_moved()

    def show_thumbnails(self, pictures: Mapping[int, str | PathLike[str]]) -> None:
        """Take picture files by moment, beside those already there; read when they are in view."""
        self._scene.pictures.add(pictures)
        self._scene.has_pictures = self._scene.has_pictures or bool(pictures)
        self._lay_out()

    def show_waveform(self, peaks: NDArray[np.float32], start_ms: int, end_ms: int) -> None:
        """Draw the sound: (n, 2) float32 lowest and highest, -1 to 1, of n equal stretches."""
        self._scene.wave = Waveform(peaks, start_ms, end_ms)
        self._lay_out()

    def show_turns(self, turns: Sequence[TurnMark]) -> None:
        """Draw who speaks when."""
        self._scene.take_turns(turns)
        self._redraw()

    def show_clips(self, clips: Sequence[ClipMark], without: str = "") -> None:
        """Draw the clips; `without` stands in their lane when none can be drawn."""
        self._scene.clips = SpanIndex(clips)
        self._scene.why_no_clips = "" if clips else without
        self._drag = None
        self._redraw()

    def show_evidence(self, evidence: Sequence[EvidenceMark]) -> None:
        """Draw where cited evidence lies, by what the check found of it."""
        self._scene.take_evidence(evidence)
        self._redraw()

    def show_decisions(self, decisions: Sequence[DecisionMark]) -> None:
        """Draw what people decided."""
        self._scene.take_decisions(decisions)
        self._redraw()

    def select_clip(self, clip_id: str) -> None:
        """Outline one clip and let its edges be dragged; empty for none."""
        if clip_id != self._scene.selected:
            self._scene.selected = clip_id
            self._drag = None
            self._redraw()

    # Where we are

    @property
    def part(self) -> Span | None:
        """The part in view."""
        if self._axis is None:
            return None
        start = round(self._axis.start_ms)
        return Span(start, max(start + 1, round(self._axis.end_ms)))

    def set_position(self, time_ms: int) -> None:
        """Move the playhead; only the two strips under it are painted again."""
        before, self._position_ms = self._position_ms, time_ms
        if self._axis is None or before == time_ms:
            return
        if self.follow and not self._is_scrubbing and self._drag is None and self._turns_page():
            self._describe()
            return
        for moment in (before, time_ms):
            self.update(self._head_strip(moment))
        self._describe()

    def zoom(self, factor: float, around_ms: int) -> None:
        """Come closer (`factor` above 1) or step back around a moment."""
        if self._axis is not None:
            self._show_axis(self._axis.zoomed(factor, around_ms))

    def fit(self) -> None:
        """Show all of the lesson."""
        if self._axis is not None:
            self._show_axis(Axis.over(self._axis.whole, self._axis.width))

    def show_part(self, part: Span) -> None:
        """Show one part of the lesson over the whole width."""
        if self._axis is not None:
            self._show_axis(self._axis.showing(part))

    # Painting

    def sizeHint(self) -> QSize:
        """Ask for room for all lanes."""
        return QSize(800, 220)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint what is kept of the lanes, and the playhead over it."""
        if self._picture is None:
            self._picture = self._painted()
        painter = QPainter(self)
        sharp = self._picture.devicePixelRatio()
        dirty = event.rect()
        source = QRect(
            round(dirty.left() * sharp),
            round(dirty.top() * sharp),
            round(dirty.width() * sharp),
            round(dirty.height() * sharp),
        )
        painter.drawPixmap(dirty, self._picture, source)
        if self._axis is not None:
            self._paint_drag(painter)
            self._paint_head(painter)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(colour(current_theme().focus), 2))
            painter.drawRect(self.rect().adjusted(1, 1, -1, -1))

    def _painted(self) -> QPixmap:
        sharp = self.devicePixelRatioF()
        picture = QPixmap(self.size() * sharp)
        picture.setDevicePixelRatio(sharp)
        theme = current_theme()
        picture.fill(colour(theme.window))
        painter = QPainter(picture)
        painter.setFont(self.font())
        if self._axis is None:
            painter.setPen(colour(theme.muted))
            middle = QRect(0, 0, self.width(), self.height())
            painter.drawText(middle, Qt.AlignmentFlag.AlignCenter, "The lesson's timeline")
        else:
            self._scene.paint(painter, self._layout, self._axis, theme)
            if self._scene.pictures.has_more:
                QTimer.singleShot(0, self, self._redraw)
        painter.end()
        return picture

    def _paint_head(self, painter: QPainter) -> None:
        x = self._x(self._position_ms)
        if not self._layout.names_px <= x <= self.width():
            return
        theme = current_theme()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(colour(theme.base), 4))
        painter.drawLine(QPointF(x, 0), QPointF(x, self.height()))
        painter.setPen(QPen(colour(theme.playhead), 2))
        painter.drawLine(QPointF(x, 0), QPointF(x, self.height()))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(theme.playhead))
        corners = (QPointF(x - 5, 0), QPointF(x + 5, 0), QPointF(x, 8))
        painter.drawPolygon(QPolygonF(list(corners)))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _paint_drag(self, painter: QPainter) -> None:
        lane = self._layout.lanes.get(Lane.CLIPS)
        if self._drag is None or lane is None or self._axis is None:
            return
        theme, span = current_theme(), self._drag.span
        box = painting.box_of(lane, self._axis, span.start_ms, span.end_ms)
        painting.paint_outline(painter, box, theme)
        label = show_time(self._drag.edge_ms, tenths=True)
        width = painter.fontMetrics().horizontalAdvance(label) + 10
        x = self._x(self._drag.edge_ms)
        left = x + 4 if x + width + 4 < self.width() else x - width - 4
        flag = QRect(round(left), lane.top(), width, lane.height())
        painter.fillRect(flag, colour(theme.text))
        painter.setPen(colour(theme.base))
        painter.drawText(flag, Qt.AlignmentFlag.AlignCenter, label)

    def _head_strip(self, time_ms: int) -> QRect:
        return QRect(int(self._x(time_ms)) - HEAD_PX, 0, 2 * HEAD_PX + 1, self.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay the same part over the new width."""
        self._lay_out()
        self._ask_pause.start()

    def changeEvent(self, event: QEvent) -> None:
        """Paint again in other colours or sizes."""
        kinds = (QEvent.Type.PaletteChange, QEvent.Type.FontChange, QEvent.Type.StyleChange)
        if event.type() in kinds:
            self._lay_out()
        super().changeEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        """Ask for the pictures that nobody could see before."""
        self._ask_pause.start()

    # Inside

    def _turns_page(self) -> bool:
        axis = self._axis
        if axis is None or axis.start_ms <= self._position_ms < axis.end_ms:
            return False
        length = axis.end_ms - axis.start_ms
        turned = axis.panned(self._position_ms - length * 0.1 - axis.start_ms)
        self._show_axis(turned)
        return turned != axis

    def _show_axis(self, axis: Axis) -> None:
        if axis != self._axis:
            self._axis = axis
            self._view_moved()

    def _view_moved(self) -> None:
        part = self.part
        self._redraw()
        self._ask_pause.start()
        if part is not None:
            self.view_changed.emit(part.start_ms, part.end_ms)

    def _ask_for_pictures(self) -> None:
        if self._axis is None or not self.isVisible():
            return
        moments, _ = slots(
            self._axis, self._scene.picture_px(self._layout, self.fontMetrics().height())
        )
        missing = self._scene.pictures.missing(moments)
        if missing:
            self.thumbnails_wanted.emit(missing)

    def _lay_out(self) -> None:
        self._layout = self._scene.layout(self.size(), self.font())
        if self._axis is not None:
            self._axis = self._axis.resized(self._lanes_px())
        self._redraw()

    def _redraw(self) -> None:
        self._picture = None
        self._describe()
        self.update()

    def _describe(self) -> None:
        whole = self._axis.whole if self._axis else None
        said = words.under_playhead(self._scene, self._position_ms, whole)
        if said != self.accessibleDescription():
            self.setAccessibleDescription(said)

    def _lanes_px(self) -> int:
        return max(1, self.width() - self._layout.names_px)

    def _x(self, time_ms: int) -> float:
        return self._layout.names_px + (self._axis.x_of(time_ms) if self._axis else 0.0)

    def _time(self, x: float) -> int:
        return self._axis.time_at(x - self._layout.names_px) if self._axis else 0


def single_shot(owner: QWidget, after_ms: int, then: Callable[[], None]) -> QTimer:
    """Make a clock that calls once, so long after it was started last."""
    timer = QTimer(owner)
    timer.setSingleShot(True)
    timer.setInterval(after_ms)
    timer.timeout.connect(then)
    return timer
