"""Everything the timeline draws except the playhead, kept as one picture between changes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPixmap

from app.coding.records import Verdict
from views.common.signs import CHECK_SIGNS, Sign, paint_sign
from views.common.theme import Theme, colour
from views.timeline import painting
from views.timeline.axis import Axis
from views.timeline.index import SpanIndex
from views.timeline.layout import Lane, Layout, lay_out
from views.timeline.marks import ClipMark, DecisionMark, EvidenceMark, TurnMark
from views.timeline.thumbnails import Thumbnails, slots
from views.timeline.waveform import Waveform

THUMB_SHAPE = 16 / 9


class Scene:
    """The marks of one lesson and how they are painted into a picture."""

    def __init__(self) -> None:
        self.turns: SpanIndex[TurnMark] = SpanIndex()
        self.stops: list[int] = []
        """Starts and ends of turns, in order: what an edge of a clip snaps to."""
        self.clips: SpanIndex[ClipMark] = SpanIndex()
        self.why_no_clips = ""
        """What stands in the lane of the clips when there is none to draw."""
        self.evidence: list[EvidenceMark] = []
        self.decisions: list[DecisionMark] = []
        self.pictures = Thumbnails()
        self.has_pictures = False
        self.wave: Waveform | None = None
        self.selected = ""
        self._evidence_times = self._decision_times = np.empty(0, np.int64)
        self._stamps: dict[tuple[Sign | Verdict, int, str], QPixmap] = {}

    def take_turns(self, marks: Sequence[TurnMark]) -> None:
        """Replace the turns."""
        self.turns = SpanIndex(marks)
        self.stops = sorted({time for mark in marks for time in (mark.start_ms, mark.end_ms)})

    def take_evidence(self, marks: Sequence[EvidenceMark]) -> None:
        """Replace the evidence."""
        self.evidence = sorted(marks, key=lambda mark: mark.time_ms)
        self._evidence_times = _times(self.evidence)

    def take_decisions(self, marks: Sequence[DecisionMark]) -> None:
        """Replace the decisions."""
        self.decisions = sorted(marks, key=lambda mark: mark.time_ms)
        self._decision_times = _times(self.decisions)

    def evidence_near(self, time_ms: float, reach_ms: float) -> EvidenceMark | None:
        """Give the evidence nearest to a moment, within reach."""
        place = _nearest(self._evidence_times, time_ms, reach_ms)
        return None if place is None else self.evidence[place]

    def decision_near(self, time_ms: float, reach_ms: float) -> DecisionMark | None:
        """Give the decision nearest to a moment, within reach."""
        place = _nearest(self._decision_times, time_ms, reach_ms)
        return None if place is None else self.decisions[place]

    def layout(self, size: QSize, font: QFont) -> Layout:
        """Give each lane its place for a size of the widget."""
        metrics = QFontMetrics(font)
        names_px = max(metrics.horizontalAdvance(lane) for lane in Lane) + 14
        return lay_out(
            size.width(),
            size.height(),
            metrics.height(),
            names_px,
            has_picture=self.has_pictures,
            has_sound=self.wave is not None,
        )

    def picture_px(self, layout: Layout, text_px: int) -> int:
        """Give the width of one small picture, also before any has come."""
        lane = layout.lanes.get(Lane.PICTURES)
        return max(16, round((lane.height() if lane else 3 * text_px) * THUMB_SHAPE))

    def paint(self, painter: QPainter, layout: Layout, axis: Axis, theme: Theme) -> None:
        """Paint all lanes for the part in view."""
        for lane, rect in layout.lanes.items():
            painter.setPen(colour(theme.muted))
            name = QRect(6, rect.top(), layout.names_px - 8, rect.height())
            painter.drawText(name, Qt.AlignmentFlag.AlignVCenter, lane.value)
            if lane is not Lane.RULER:
                painter.fillRect(rect, colour(theme.base))
            painter.save()
            painter.setClipRect(rect)
            self._paint_lane(painter, lane, rect, axis, theme)
            painter.restore()

    def _paint_lane(
        self, painter: QPainter, lane: Lane, rect: QRect, axis: Axis, theme: Theme
    ) -> None:
        if lane is Lane.PICTURES:
            self._paint_pictures(painter, rect, axis)
        elif lane is Lane.SOUND and self.wave is not None:
            painting.paint_sound(painter, rect, self.wave.pixels(axis), theme)
        elif lane is Lane.SPEECH:
            painting.paint_turns(painter, rect, axis, self.turns, theme)
        elif lane is Lane.CLIPS and self.why_no_clips:
            painting.paint_words(painter, rect, self.why_no_clips, theme)
        elif lane is Lane.CLIPS:
            painting.paint_clips(painter, rect, axis, self.clips, self.selected, theme)
        elif lane is Lane.EVIDENCE:
            self._paint_evidence(painter, rect, axis, theme)
        elif lane is Lane.DECISIONS:
            self._paint_decisions(painter, rect, axis, theme)
        elif lane is Lane.RULER:
            painting.paint_ruler(painter, rect, axis, theme)

    def _paint_pictures(self, painter: QPainter, rect: QRect, axis: Axis) -> None:
        self.pictures.start_paint()
        moments, step = slots(axis, round(rect.height() * THUMB_SHAPE))
        for time_ms in moments:
            picture = self.pictures.picture(time_ms, step, rect.height())
            if picture is not None and not picture.isNull():
                painter.drawPixmap(rect.left() + round(axis.x_of(time_ms)), rect.top(), picture)

    def _paint_evidence(self, painter: QPainter, rect: QRect, axis: Axis, theme: Theme) -> None:
        size, sharp = rect.height(), painter.device().devicePixelRatio()

        def paint_one(place: int, at: QPointF) -> None:
            sign = CHECK_SIGNS[self.evidence[place].check]
            ready = self._stamp(sign, size, sharp, theme)
            painter.drawPixmap(at - QPointF(size / 2, size / 2), ready)

        painting.paint_points(painter, rect, axis, self._evidence_times, paint_one, theme)

    def _paint_decisions(self, painter: QPainter, rect: QRect, axis: Axis, theme: Theme) -> None:
        size, sharp = rect.height(), painter.device().devicePixelRatio()

        def paint_one(place: int, at: QPointF) -> None:
            what = self.decisions[place].verdict or Sign.WARNING
            ready = self._stamp(what, size, sharp, theme)
            painter.drawPixmap(at - QPointF(size / 2, size / 2), ready)

        painting.paint_points(painter, rect, axis, self._decision_times, paint_one, theme)

    def _stamp(self, what: Sign | Verdict, size: int, sharp: float, theme: Theme) -> QPixmap:
        key = (what, round(size * sharp), theme.name)
        if key not in self._stamps:
            pixmap = QPixmap(key[1], key[1])
            pixmap.setDevicePixelRatio(sharp)
            pixmap.fill(Qt.GlobalColor.transparent)
            painter = QPainter(pixmap)
            box = QRectF(0, 0, size, size)
            if isinstance(what, Verdict):
                painting.paint_decision(painter, box, what, theme.text)
            else:
                paint_sign(painter, box, what, theme)
            painter.end()
            self._stamps[key] = pixmap
        return self._stamps[key]


def _times(marks: Sequence[EvidenceMark] | Sequence[DecisionMark]) -> NDArray[np.int64]:
    return np.fromiter((mark.time_ms for mark in marks), np.int64, len(marks))


def _nearest(times: NDArray[np.int64], time_ms: float, reach_ms: float) -> int | None:
    place = int(np.searchsorted(times, time_ms))
    near = [i for i in (place - 1, place) if 0 <= i < len(times)]
    best = min(near, key=lambda i: abs(float(times[i]) - time_ms), default=None)
    if best is None or abs(float(times[best]) - time_ms) > reach_ms:
        return None
    return best
