"""The bands as something to look at: rows, part in view, playhead."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPixmap, QPolygonF, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.lesson.spans import Span, show_time
from views.common.theme import colour, current_theme
from views.learner import painting
from views.learner.marks import BandMarks, Curve, EventMark
from views.learner.rows import CURVES, REVIEWER, TIME, Row, Rows, lay_rows, least_height
from views.learner.words import under_playhead
from views.timeline.axis import Axis
from views.timeline.edges import EdgeDrag
from views.timeline.index import SpanIndex
from views.timeline.painting import box_of, paint_outline, paint_ruler, paint_words

HEAD_PX = 6
HIDDEN_WORDS = "Hidden while you mark blind"
NO_READER = "No reader has looked at this video yet"
NO_EVENTS = "You have marked no event yet"


class BandsView(QWidget):
    """Draws the reviewer's events and the readers' windows over the length of a video.

    Everything but the playhead is kept as one picture until something changes.

    Signals:
        view_changed: The part in view changed: its start and end.
    """

    view_changed = Signal(int, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._axis: Axis | None = None
        self._bands: tuple[BandMarks, ...] = ()
        self._events: SpanIndex[EventMark] = SpanIndex()
        self._curves: tuple[Curve, ...] = ()
        self._stops: list[int] = []
        self._selected = ""
        self._position_ms = 0
        self._drag: EdgeDrag | None = None
        self._is_scrubbing = False
        self._picture: QPixmap | None = None
        self._rows: Rows = lay_rows(self.size(), self.fontMetrics(), (), has_curves=False)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setAccessibleName("Bands of confusion")
        self._lay_out()

    # What is shown

    def show_span(self, span: Span) -> None:
        """Turn to another video of this length; what was drawn of the last one is gone."""
        self._bands, self._curves, self._events = (), (), SpanIndex()
        self._drag, self._selected, self._stops = None, "", []
        self._position_ms = span.start_ms
        self._axis = Axis.over(span, self._rows_px())
        self._lay_out()
        self._view_moved()

    def show_bands(self, bands: Sequence[BandMarks]) -> None:
        """Draw a row for each reader."""
        self._bands = tuple(bands)
        times = {t for band in bands if not band.is_hidden for t in band.starts.tolist()}
        times |= {int(band.ends[-1]) for band in bands if not band.is_hidden and len(band.ends)}
        self._stops = sorted(times)
        self._lay_out()

    def show_curves(self, curves: Sequence[Curve]) -> None:
        """Draw chosen cues over time, three at most; without any the row goes."""
        self._curves = tuple(curves)[: painting.MOST_CURVES]
        self._lay_out()

    def show_events(self, events: Sequence[EventMark]) -> None:
        """Draw events in the reviewer's row; the ones nobody has decided on as well."""
        self._events = SpanIndex(events)
        self._drag = None
        self._redraw()

    def select_event(self, event_id: str) -> None:
        """Outline one event and let its edges be dragged; empty for none."""
        if event_id != self._selected:
            self._selected, self._drag = event_id, None
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
        if not self._is_scrubbing and self._drag is None and self._turns_page():
            self._describe()
            return
        for moment in (before, time_ms):
            self.update(QRect(int(self._x(moment)) - HEAD_PX, 0, 2 * HEAD_PX + 1, self.height()))
        self._describe()

    def zoom(self, factor: float, around_ms: int) -> None:
        """Come closer (`factor` above 1) or step back around a moment."""
        if self._axis is not None:
            self._show_axis(self._axis.zoomed(factor, around_ms))

    def fit(self) -> None:
        """Show all of the video."""
        if self._axis is not None:
            self._show_axis(Axis.over(self._axis.whole, self._axis.width))

    def show_part(self, part: Span) -> None:
        """Show one part over the whole width."""
        if self._axis is not None:
            self._show_axis(self._axis.showing(part))

    # Painting

    def sizeHint(self) -> QSize:
        """Ask for the room that all rows need."""
        return QSize(800, self.minimumHeight() + 30)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint what is kept of the rows, and the playhead over it."""
        if self._picture is None:
            self._picture = self._painted()
        painter, sharp, dirty = QPainter(self), self._picture.devicePixelRatio(), event.rect()
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
        sharp, theme = self.devicePixelRatioF(), current_theme()
        picture = QPixmap(self.size() * sharp)
        picture.setDevicePixelRatio(sharp)
        picture.fill(colour(theme.window))
        painter = QPainter(picture)
        painter.setFont(self.font())
        if self._axis is not None:
            for row in self._rows.rows:
                self._paint_row(painter, row, self._axis, sharp)
        painter.end()
        return picture

    def _paint_row(self, painter: QPainter, row: Row, axis: Axis, sharp: float) -> None:
        theme, rect = current_theme(), row.rect
        painter.setPen(colour(theme.text))
        room = QRect(6, rect.top(), self._rows.names_px - 10, rect.height())
        name = painter.fontMetrics().elidedText(
            row.name, Qt.TextElideMode.ElideMiddle, room.width()
        )
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, name)
        if row.key == TIME:
            paint_ruler(painter, rect, axis, theme)
            return
        painter.fillRect(rect, colour(theme.base))
        painter.save()
        painter.setClipRect(rect)
        if row.key == REVIEWER:
            self._paint_events(painter, rect, axis)
        elif row.key == CURVES:
            painting.paint_curves(painter, rect, axis, self._curves, theme)
        else:
            band = next(band for band in self._bands if band.key == row.key)
            if band.is_hidden:
                paint_words(painter, rect, HIDDEN_WORDS, theme)
            else:
                painting.paint_band(painter, rect, axis, band, theme, sharp)
        painter.restore()

    def _paint_events(self, painter: QPainter, rect: QRect, axis: Axis) -> None:
        theme = current_theme()
        places = self._events.between(axis.start_ms, axis.end_ms)
        if not len(self._events):
            paint_words(painter, rect, NO_EVENTS if self._bands else NO_READER, theme)
        for place in places:
            painting.paint_event(painter, rect, axis, self._events.marks[place], theme)
        selected = self._event(self._selected)
        if selected is not None:
            box = box_of(rect, axis, selected.start_ms, selected.end_ms)
            paint_outline(painter, box.adjusted(1, 2, -1, -2), theme)

    def _paint_head(self, painter: QPainter) -> None:
        x = self._x(self._position_ms)
        if not self._rows.names_px <= x <= self.width():
            return
        theme = current_theme()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for ink, width in ((theme.base, 4), (theme.playhead, 2)):
            painter.setPen(QPen(colour(ink), width))
            painter.drawLine(QPointF(x, 0), QPointF(x, self.height()))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(theme.playhead))
        painter.drawPolygon(QPolygonF([QPointF(x - 5, 0), QPointF(x + 5, 0), QPointF(x, 8)]))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _paint_drag(self, painter: QPainter) -> None:
        row = self._rows.named(REVIEWER)
        if self._drag is None or row is None or self._axis is None:
            return
        theme, span = current_theme(), self._drag.span
        paint_outline(painter, box_of(row.rect, self._axis, span.start_ms, span.end_ms), theme)
        label = drag_words(self._drag.edge_ms, self._stops)
        width = painter.fontMetrics().horizontalAdvance(label) + 10
        x = self._x(self._drag.edge_ms)
        left = x + 6 if x + width + 6 < self.width() else x - width - 6
        flag = QRect(round(left), row.rect.top(), width, row.rect.height())
        painter.fillRect(flag, colour(theme.text))
        painter.setPen(colour(theme.base))
        painter.drawText(flag, Qt.AlignmentFlag.AlignCenter, label)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay the same part over the new width."""
        self._lay_out()

    def changeEvent(self, event: QEvent) -> None:
        """Paint again in other colours or sizes."""
        kinds = (QEvent.Type.PaletteChange, QEvent.Type.FontChange, QEvent.Type.StyleChange)
        if event.type() in kinds:
            self._lay_out()
        super().changeEvent(event)

    # Inside

    def _event(self, event_id: str) -> EventMark | None:
        return next((one for one in self._events.marks if one.event_id == event_id), None)

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
        self._redraw()
        part = self.part
        if part is not None:
            self.view_changed.emit(part.start_ms, part.end_ms)

    def _lay_out(self) -> None:
        has_curves = bool(self._curves)
        metrics = self.fontMetrics()
        self._rows = lay_rows(self.size(), metrics, self._bands, has_curves=has_curves)
        self.setMinimumSize(200, least_height(metrics, len(self._bands), has_curves=has_curves))
        if self._axis is not None:
            self._axis = self._axis.resized(self._rows_px())
        self._redraw()

    def _redraw(self) -> None:
        self._picture = None
        self._describe()
        self.update()

    def _describe(self) -> None:
        whole = self._axis.whole if self._axis else None
        said = under_playhead(self._bands, self._events, self._position_ms, whole)
        if said != self.accessibleDescription():
            self.setAccessibleDescription(said)

    def _rows_px(self) -> int:
        return max(1, self.width() - self._rows.names_px)

    def _x(self, time_ms: int) -> float:
        return self._rows.names_px + (self._axis.x_of(time_ms) if self._axis else 0.0)

    def _time(self, x: float) -> int:
        return self._axis.time_at(x - self._rows.names_px) if self._axis else 0


def drag_words(edge_ms: int, stops: Sequence[int]) -> str:
    """Say where a dragged edge is; that it holds at the edge of a window is never left unsaid."""
    holds = " · edge of a window" if edge_ms in stops else ""
    return f"{show_time(edge_ms, tenths=True)}{holds}"
