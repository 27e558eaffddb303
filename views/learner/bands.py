"""The bands with hands: click and scrub, zoom, edges of an event to drag, keys for all of it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QNativeGestureEvent, QWheelEvent
from PySide6.QtWidgets import QToolTip, QWidget

from app.lesson.spans import Span
from views.learner.bands_view import BandsView
from views.learner.rows import REVIEWER, TIME
from views.learner.words import event_words, tip
from views.timeline.edges import EdgeDrag
from views.timeline.view import single_shot

GRAB_PX = 6
SCRUB_MS = 40
ZOOM_STEP = 1.5


class BandsTimeline(BandsView):
    """Draws the bands and lets a person move in them.

    Click seeks, and in the reviewer's row picks the event; dragging along the clock scrubs; the
    wheel moves along, with Ctrl it zooms; dragging an edge of the picked event moves it, and holds
    at the edges of windows within six pixels (with Alt nowhere); Escape gives up. With the
    keyboard: Left and Right one second (Shift ten), + and - zoom, 0 all, Home and End, Up and
    Down events.

    Signals:
        moment_picked: A person wants to go to this moment.
        event_picked: A person picked the event of this name.
        edges_moved: A person moved an edge: the event, its start and end.
    """

    moment_picked = Signal(int)
    event_picked = Signal(str)
    edges_moved = Signal(str, int, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._scrub_to: int | None = None
        self._scrub_pause = single_shot(self, SCRUB_MS, self._scrub_on)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take hold of an edge, start to scrub, or go to the moment."""
        at = event.position()
        if self._axis is None or event.button() != Qt.MouseButton.LeftButton:
            return
        self._drag = self._edge_at(at)
        if self._drag is not None:
            self.update()
            return
        time_ms, row = self._time(at.x()), self._rows.at(at.y())
        if row is not None and row.key == TIME:
            self._is_scrubbing = True
        if row is not None and row.key == REVIEWER and (held := self._events.at(time_ms)):
            self.event_picked.emit(held.event_id)
        self.moment_picked.emit(time_ms)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Carry an edge or scrub along."""
        at = event.position()
        if self._axis is None:
            return
        if self._drag is not None:
            free = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
            stops = [] if free else self._stops
            self._drag = self._drag.to(self._time(at.x()), self._axis, stops)
            self.update()
        elif self._is_scrubbing:
            self._scrub_to = self._time(at.x())
            if not self._scrub_pause.isActive():
                self._scrub_on()
        else:
            over_edge = self._edge_at(at) is not None
            shape = Qt.CursorShape.SizeHorCursor if over_edge else Qt.CursorShape.ArrowCursor
            self.setCursor(shape)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let the edge go, or end the scrubbing."""
        if self._drag is not None:
            drag, self._drag = self._drag, None
            self.update()
            if drag.span != drag.before:
                self.edges_moved.emit(drag.clip_id, drag.span.start_ms, drag.span.end_ms)
        elif self._is_scrubbing:
            self._is_scrubbing = False
            self._scrub_on()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Move along the video, or zoom with Ctrl."""
        if self._axis is None:
            return
        turned = event.angleDelta()
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom(ZOOM_STEP ** (turned.y() / 120), self._time(event.position().x()))
        else:
            along = turned.x() or turned.y()
            self._show_axis(self._axis.panned(-along * self._axis.ms_per_px))
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move, zoom or pick with the keys."""
        if self._axis is None or not self._act_on(event):
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """Show the words for the pointer, and zoom with two fingers."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), self.tip_at(QPointF(event.pos())), self)
            return True
        pinch = Qt.NativeGestureType.ZoomNativeGesture
        if isinstance(event, QNativeGestureEvent) and event.gestureType() == pinch:
            self.zoom(1 + event.value(), self._time(event.position().x()))
            return True
        return super().event(event)

    def tip_at(self, at: QPointF) -> str:
        """Say what lies under a point."""
        row = self._rows.at(at.y())
        if row is None or self._axis is None:
            return ""
        if at.x() < self._rows.names_px:
            return row.name
        time_ms = self._time(at.x())
        if row.key == REVIEWER:
            held = self._events.at(time_ms)
            return event_words(held) if held else ""
        band = next((band for band in self._bands if band.key == row.key), None)
        return tip(band, time_ms) if band is not None else ""

    def _act_on(self, event: QKeyEvent) -> bool:
        axis, key, text = self._axis, event.key(), event.text()
        assert axis is not None
        step = 10_000 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1_000
        moves = {
            Qt.Key.Key_Left: self._position_ms - step,
            Qt.Key.Key_Right: self._position_ms + step,
            Qt.Key.Key_Home: axis.whole.start_ms,
            Qt.Key.Key_End: axis.whole.end_ms - 1,
        }
        if key in moves:
            wanted = min(max(moves[Qt.Key(key)], axis.whole.start_ms), axis.whole.end_ms - 1)
            self.moment_picked.emit(wanted)
        elif key == Qt.Key.Key_Escape and self._drag is not None:
            self.give_up_drag()
        elif text in ("+", "="):
            self.zoom(ZOOM_STEP, self._position_ms)
        elif text == "-":
            self.zoom(1 / ZOOM_STEP, self._position_ms)
        elif text == "0":
            self.fit()
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.pick_beside(-1 if key == Qt.Key.Key_Up else 1)
        else:
            return False
        return True

    def give_up_drag(self) -> None:
        """Leave an edge that is being dragged where it was."""
        self._drag = None
        self.update()

    def pick_beside(self, by: int) -> None:
        """Pick the event after (1) or before (-1) the picked one, or the playhead."""
        events = self._events.marks
        here = next((i for i, one in enumerate(events) if one.event_id == self._selected), None)
        if here is None:
            later = [i for i, one in enumerate(events) if one.start_ms > self._position_ms]
            after = later[0] if later else len(events)
            place = after if by > 0 else after - 1
        else:
            place = here + by
        if 0 <= place < len(events):
            self.event_picked.emit(events[place].event_id)
            self.moment_picked.emit(events[place].start_ms)

    def _edge_at(self, at: QPointF) -> EdgeDrag | None:
        row, picked = self._rows.at(at.y()), self._event(self._selected)
        if picked is None or row is None or row.key != REVIEWER:
            return None
        span = Span(picked.start_ms, picked.end_ms)
        to_start, to_end = (abs(self._x(t) - at.x()) for t in (span.start_ms, span.end_ms))
        if min(to_start, to_end) > GRAB_PX:
            return None
        return EdgeDrag(picked.event_id, to_start < to_end, span, span)

    def _scrub_on(self) -> None:
        if self._scrub_to is not None:
            wanted, self._scrub_to = self._scrub_to, None
            self.moment_picked.emit(wanted)
            self._scrub_pause.start()
