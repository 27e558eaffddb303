"""One timeline for all that is known of a lesson: what was seen, said, claimed and decided."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QNativeGestureEvent, QWheelEvent
from PySide6.QtWidgets import QToolTip, QWidget

from app.lesson.spans import Span
from views.timeline import words
from views.timeline.edges import EdgeDrag
from views.timeline.layout import Lane
from views.timeline.view import TimelineView, single_shot

GRAB_PX = 5
SCRUB_MS = 40
"""Seeks while scrubbing come at most this often; players cannot follow more."""
ZOOM_STEP = 1.5
REACH_PX = 8
"""How far from a mark a click still means it."""


class Timeline(TimelineView):
    """Draws a lesson from left to right and lets a person move in it.

    Click seeks; dragging along the ruler scrubs; the wheel moves along, with Ctrl it zooms around
    the pointer; dragging an edge of the selected clip moves it, Escape gives up. With the keyboard:
    Left and Right one second (Shift ten), + and - zoom, 0 all, Home and End, Up and Down clips.

    Signals:
        moment_picked: A person wants to go to this moment.
        clip_picked: A person picked the clip of this name.
        clip_edges_moved: A person moved an edge: name, start and end of the clip.
    """

    moment_picked = Signal(int)
    clip_picked = Signal(str)
    clip_edges_moved = Signal(str, int, int)

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
        time_ms, lane = self._time(at.x()), self._layout.at(at.y())
        if lane is Lane.RULER:
            self._is_scrubbing = True
        clip_id, time_ms = self._picked(lane, time_ms)
        if clip_id:
            self.clip_picked.emit(clip_id)
        self.moment_picked.emit(time_ms)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Carry an edge or scrub along."""
        at = event.position()
        if self._axis is None:
            return
        if self._drag is not None:
            self._drag = self._drag.to(self._time(at.x()), self._axis, self._scene.stops)
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
                self.clip_edges_moved.emit(drag.clip_id, drag.span.start_ms, drag.span.end_ms)
        elif self._is_scrubbing:
            self._is_scrubbing = False
            self._scrub_on()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Move along the lesson, or zoom with Ctrl."""
        if self._axis is None:
            return
        turned = event.angleDelta()
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            around = self._time(event.position().x())
            self.zoom(ZOOM_STEP ** (turned.y() / 120), around)
        else:
            # A trackpad goes sideways, a wheel only up and down; both move along the lesson.
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
            at = event.pos()
            if self._axis is not None and at.x() >= self._layout.names_px:
                reach = self._axis.ms_per_px * REACH_PX
                said = words.tip(self._scene, self._layout.at(at.y()), self._time(at.x()), reach)
                QToolTip.showText(event.globalPos(), said, self)
            return True
        pinch = Qt.NativeGestureType.ZoomNativeGesture
        if isinstance(event, QNativeGestureEvent) and event.gestureType() == pinch:
            self.zoom(1 + event.value(), self._time(event.position().x()))
            return True
        return super().event(event)

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
            self._drag = None
            self.update()
        elif text in ("+", "="):
            self.zoom(ZOOM_STEP, self._position_ms)
        elif text == "-":
            self.zoom(1 / ZOOM_STEP, self._position_ms)
        elif text == "0":
            self.fit()
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._next_clip(-1 if key == Qt.Key.Key_Up else 1)
        else:
            return False
        return True

    def _next_clip(self, by: int) -> None:
        clips = self._scene.clips.marks
        here = [i for i, clip in enumerate(clips) if clip.clip_id == self._scene.selected]
        if here:
            place = here[0] + by
        else:
            after = int(np.searchsorted(self._scene.clips.starts, self._position_ms, "right"))
            place = after if by > 0 else after - 1
        if 0 <= place < len(clips):
            self.clip_picked.emit(clips[place].clip_id)
            self.moment_picked.emit(clips[place].start_ms)

    def _picked(self, lane: Lane | None, time_ms: int) -> tuple[str, int]:
        assert self._axis is not None
        reach = self._axis.ms_per_px * REACH_PX
        if lane is Lane.CLIPS:
            clip = self._scene.clips.at(time_ms)
            return (clip.clip_id if clip else ""), time_ms
        if lane is Lane.EVIDENCE and (piece := self._scene.evidence_near(time_ms, reach)):
            return piece.clip_id, piece.time_ms
        if lane is Lane.DECISIONS and (decision := self._scene.decision_near(time_ms, reach)):
            return decision.clip_id, decision.time_ms
        return "", time_ms

    def _edge_at(self, at: QPointF) -> EdgeDrag | None:
        if not self._scene.selected or self._layout.at(at.y()) is not Lane.CLIPS:
            return None
        clip = next((c for c in self._scene.clips.marks if c.clip_id == self._scene.selected), None)
        if clip is None:
            return None
        span = Span(clip.start_ms, clip.end_ms)
        to_start, to_end = (abs(self._x(t) - at.x()) for t in (span.start_ms, span.end_ms))
        if min(to_start, to_end) > GRAB_PX:
            return None
        return EdgeDrag(clip.clip_id, to_start < to_end, span, span)

    def _scrub_on(self) -> None:
        if self._scrub_to is not None:
            wanted, self._scrub_to = self._scrub_to, None
            self.moment_picked.emit(wanted)
            self._scrub_pause.start()
