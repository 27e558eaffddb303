"""How each lane is painted. Nothing here keeps anything; the timeline gives what to draw."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QBrush, QFontMetrics, QImage, QPainter, QPen, QPolygonF

from app.coding.records import Verdict
from app.lesson.spans import show_time
from views.common.colours import channels, ink_on, mix
from views.common.theme import Theme, colour
from views.timeline.axis import Axis
from views.timeline.index import SpanIndex, coverage
from views.timeline.marks import ClipMark, ClipState, TurnMark

RECTS_A_PIXEL = 0.25
"""More marks than this for each pixel of width are drawn as one strip of density: single
rectangles could not be told apart, and a hundred thousand of them would take seconds."""
HANDLE_PX = 3
STROKES = {
    Verdict.ACCEPT: (((-0.7, 0.0), (-0.2, 0.6), (0.8, -0.6)),),
    Verdict.REJECT: (((-0.6, -0.6), (0.6, 0.6)), ((-0.6, 0.6), (0.6, -0.6))),
    Verdict.CORRECT: (
        ((-0.8, 0.8), (-0.5, 0.2), (0.4, -0.8), (0.8, -0.4), (-0.2, 0.5), (-0.8, 0.8)),
    ),
}
"""Lines of each decision, in a square from -1 to 1; drawn, since not every font has the signs."""


def paint_ruler(painter: QPainter, rect: QRect, axis: Axis, theme: Theme) -> None:
    """Paint round times, each beside its line."""
    metrics = painter.fontMetrics()
    longest = show_time(axis.whole.end_ms, tenths=axis.ms_per_px < 10)
    step = axis.step_for(metrics.horizontalAdvance(longest) + 18)
    painter.setPen(colour(theme.edge))
    painter.drawLine(rect.topLeft(), rect.topRight())
    for time_ms in axis.steps(step):
        x = rect.left() + round(axis.x_of(time_ms))
        if x < rect.left() or time_ms >= axis.whole.end_ms:
            continue
        painter.setPen(colour(theme.edge))
        painter.drawLine(x, rect.top(), x, rect.top() + 5)
        label = show_time(time_ms, tenths=step < 1000)
        if x + 4 + metrics.horizontalAdvance(label) <= rect.right():
            painter.setPen(colour(theme.text))
            painter.drawText(x + 4, rect.bottom() - metrics.descent(), label)


def paint_sound(painter: QPainter, rect: QRect, pixels: NDArray[np.float32], theme: Theme) -> None:
    """Paint the wave as one picture: a column a pixel, from its lowest to its highest."""
    heights = np.linspace(1, -1, rect.height(), dtype=np.float32)[:, None]
    half = 1 / max(1, rect.height())  # so that silence is still a line, and unlike no sound
    with np.errstate(invalid="ignore"):
        inside = (heights <= pixels[:, 1] + half) & (heights >= pixels[:, 0] - half)
    _draw_cells(painter, rect, inside, theme.waveform)


def paint_turns(
    painter: QPainter, rect: QRect, axis: Axis, turns: SpanIndex[TurnMark], theme: Theme
) -> None:
    """Paint what the teacher says in the upper, darker row and all others in the lower one."""
    places = turns.between(axis.start_ms, axis.end_ms)
    upper, lower = halves(rect)
    if len(places) > axis.width * RECTS_A_PIXEL:
        teaches = np.fromiter((turns.marks[i].is_teacher for i in places), bool, len(places))
        for row, rows, fill in (
            (upper, places[teaches], theme.teacher),
            (lower, places[~teaches], theme.student),
        ):
            dense = coverage(turns.starts[rows], turns.ends[rows], axis)
            _draw_cells(painter, row, dense[None, :], fill)
        return
    for place in places:
        turn = turns.marks[place]
        row, fill = (upper, theme.teacher) if turn.is_teacher else (lower, theme.student)
        box = box_of(row, axis, turn.start_ms, turn.end_ms)
        pattern = Qt.BrushStyle.Dense4Pattern if turn.is_doubtful else Qt.BrushStyle.SolidPattern
        painter.fillRect(box, QBrush(colour(fill), pattern))


def paint_clips(
    painter: QPainter,
    rect: QRect,
    axis: Axis,
    clips: SpanIndex[ClipMark],
    selected: str,
    theme: Theme,
) -> None:
    """Paint each clip in the colour of its practice with its letters; the selected one last."""
    places = clips.between(axis.start_ms, axis.end_ms)
    if len(places) > axis.width * RECTS_A_PIXEL:
        dense = coverage(clips.starts[places], clips.ends[places], axis)
        _draw_cells(painter, rect, dense[None, :], theme.practice(""))
    else:
        for place in places:
            mark = clips.marks[place]
            paint_clip(painter, box_of(rect, axis, mark.start_ms, mark.end_ms), mark, theme)
    for place in places:
        if clips.marks[place].clip_id == selected:
            mark = clips.marks[place]
            box = box_of(rect, axis, mark.start_ms, mark.end_ms)
            paint_clip(painter, box, mark, theme)
            paint_outline(painter, box, theme)


def paint_words(painter: QPainter, rect: QRect, words: str, theme: Theme) -> None:
    """Paint why a lane is empty; cut off at the end where there is no room for all."""
    box = rect.adjusted(6, 0, -6, 0)
    fitted = painter.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, box.width())
    painter.setPen(colour(theme.text))
    painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, fitted)


def paint_clip(painter: QPainter, box: QRectF, mark: ClipMark, theme: Theme) -> None:
    """Paint one clip: full when decided, pale with a dashed border while it waits for a person."""
    colours = theme.practice_colours("" if mark.is_hidden else mark.practice)
    decided = mark.state is ClipState.DECIDED
    ground = colours.fill if decided else mix(theme.base, colours.fill, 0.22)
    painter.fillRect(box, colour(ground))
    if box.width() > 3:
        style = Qt.PenStyle.SolidLine if decided else Qt.PenStyle.DashLine
        painter.setPen(QPen(colour(colours.fill), 1.5, style))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(box.adjusted(0.75, 0.75, -0.75, -0.75))
    label = fitting(mark.label, box.width() - 6, painter.fontMetrics())
    if label:
        painter.setPen(colour(colours.ink if decided else ink_on(ground)))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, label)


def paint_outline(painter: QPainter, box: QRectF, theme: Theme) -> None:
    """Paint the frame of the selected clip and the grips on its edges."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(colour(theme.base), 4))
    painter.drawRect(box)
    painter.setPen(QPen(colour(theme.text), 2))
    painter.drawRect(box)
    for x in (box.left(), box.right()):
        grip = QRectF(x - HANDLE_PX, box.center().y() - 6, HANDLE_PX * 2, 12)
        painter.fillRect(grip, colour(theme.text))


def paint_decision(painter: QPainter, box: QRectF, verdict: Verdict, ink: str) -> None:
    """Paint a tick (accepted), a pencil (corrected) or a cross (rejected) into a square."""
    half = box.width() / 2
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(colour(ink), max(1.6, box.width() / 6)))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for stroke in STROKES[verdict]:
        points = [box.center() + QPointF(x * half, y * half) for x, y in stroke]
        painter.drawPolyline(QPolygonF(points))


def paint_points(
    painter: QPainter,
    rect: QRect,
    axis: Axis,
    times: NDArray[np.int64],
    paint_one: Callable[[int, QPointF], None],
    theme: Theme,
) -> None:
    """Paint marks at moments; as one strip of density where they lie too close to be told apart.

    Args:
        painter: Painter of the timeline.
        rect: The lane.
        axis: The part in view.
        times: (n,) moments in order.
        paint_one: Paints the mark at a place in `times` around a point.
        theme: The look.
    """
    size = rect.height()
    low = int(np.searchsorted(times, axis.start_ms - size * axis.ms_per_px))
    high = int(np.searchsorted(times, axis.end_ms + size * axis.ms_per_px))
    if high - low > axis.width * RECTS_A_PIXEL:
        wide = int(axis.ms_per_px) + 1
        dense = coverage(times[low:high], times[low:high] + wide, axis)
        _draw_cells(painter, rect, np.minimum(1, dense / 4)[None, :], theme.text)
        return
    middle = rect.center().y() + 0.5
    for place in range(low, high):
        paint_one(place, QPointF(rect.left() + axis.x_of(int(times[place])), middle))


def box_of(rect: QRect, axis: Axis, start_ms: int, end_ms: int) -> QRectF:
    """Give the place of a span in a lane, at least a pixel and a half wide."""
    left = max(axis.x_of(start_ms), -8.0)
    right = min(axis.x_of(end_ms), axis.width + 8.0)
    return QRectF(rect.left() + left, rect.top(), max(1.5, right - left), rect.height())


def halves(rect: QRect) -> tuple[QRect, QRect]:
    """Give the upper and the lower row of a lane."""
    upper = QRect(rect.left(), rect.top(), rect.width(), rect.height() // 2)
    return upper, rect.adjusted(0, rect.height() // 2 + 1, 0, 0)


def fitting(label: str, width_px: float, metrics: QFontMetrics) -> str:
    """Give as much of a label as fits: all of it, the practice alone, or nothing."""
    if width_px < metrics.averageCharWidth():
        return ""
    for shorter in (label, label.split("·")[0]):
        if metrics.horizontalAdvance(shorter) <= width_px:
            return shorter
    return ""


def _draw_cells(
    painter: QPainter, rect: QRect, shares: NDArray[np.float64] | NDArray[np.bool_], ink: str
) -> None:
    """Draw (rows, columns) shares from 0 to 1 as strengths of one colour, stretched to a lane."""
    red, green, blue = channels(ink)
    cells = (np.clip(shares, 0, 1) * 255).astype(np.uint32) << 24
    cells |= np.uint32(red << 16 | green << 8 | blue)
    rows, columns = shares.shape
    image = QImage(cells.data, columns, rows, columns * 4, QImage.Format.Format_ARGB32)
    painter.drawImage(rect, image)
