"""How the rows of the bands are painted. Nothing here keeps anything."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QBrush, QImage, QPainter, QPen, QPolygonF

from views.common.colours import channels, ink_on, mix
from views.common.theme import Theme, colour
from views.learner.colours import band_colours, level_fill
from views.learner.marks import SHOW_WORDS, BandMarks, Curve, EventMark, EventState, Show, merged
from views.timeline.axis import Axis
from views.timeline.painting import box_of

HEIGHTS = {Show.NONE: 0.14, Show.LOW: 0.42, Show.MEDIUM: 0.72, Show.HIGH: 1.0}
"""How much of its row a level fills from below: levels differ in height, not in colour alone."""
HATCH_PX, LINE_PX = 7, 2
LEAST_VISIBLE = 0.5
"""A pixel that holds several windows is hatched when more than half of them are not visible."""
CURVE_STYLES = (Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine, Qt.PenStyle.DotLine)
MOST_CURVES = len(CURVE_STYLES)
LEAST_SCALE = 0.3
"""The scale of the curves never ends below this, so that noise does not look like a sign."""
VALUES_A_PIXEL = 2
"""More values than this for each pixel are averaged: single ones could not be told apart."""


def columns(marks: BandMarks, axis: Axis, width: int) -> NDArray[np.int8]:
    """Say how each pixel is drawn: (width,) `Show` by number, -1 where nothing was read.

    Where a pixel holds several windows the highest level shows, so that a short stretch of
    confusion is not lost by stepping back; failures show over levels, and a pixel that is mostly
    not visible shows as that unless confusion shows in it.
    """
    edges = axis.start_ms + np.arange(width + 1) * ((axis.end_ms - axis.start_ms) / width)
    first = np.searchsorted(marks.ends, edges[:-1], side="right")
    count = np.searchsorted(marks.starts, edges[1:], side="left") - first
    found = np.full(width, -1, np.int8)
    held = np.flatnonzero(count > 0)
    if not len(held):
        return found
    ranks = np.append(np.where(marks.shows <= Show.HIGH, marks.shows, -1), -1)
    # Every second stretch is that of a pixel; the ones between are of no interest.
    bounds = np.stack([first[held], first[held] + count[held]], axis=1).ravel()
    highest = np.maximum.reduceat(ranks, bounds)[::2]
    failed = _share_of(marks, Show.FAILED, first, count)[held]
    hidden = _share_of(marks, Show.NOT_VISIBLE, first, count)[held]
    shown = np.where((hidden > LEAST_VISIBLE) | (highest < 0), Show.NOT_VISIBLE, highest)
    shown = np.where(failed > 0, Show.FAILED, shown)
    found[held] = np.where(highest >= Show.MEDIUM, highest, shown)
    return found


def _share_of(
    marks: BandMarks, show: Show, first: NDArray[np.intp], count: NDArray[np.intp]
) -> NDArray[np.float64]:
    """Give which share of the windows of each pixel is drawn so; 0 where there is none."""
    summed = np.concatenate([[0], np.cumsum(marks.shows == show)])
    last = first + np.maximum(count, 0)
    return np.asarray((summed[last] - summed[first]) / np.maximum(count, 1), np.float64)


def paint_band(
    painter: QPainter,
    rect: QRect,
    axis: Axis,
    marks: BandMarks,
    theme: Theme,
    sharp: float,
    *,
    words: bool = True,
) -> None:
    """Paint the windows of a reader, with words where there is room for them."""
    width, height = max(1, round(rect.width() * sharp)), max(1, round(rect.height() * sharp))
    shows = columns(marks, axis, width)
    cells = np.zeros((height, width), np.uint32)
    from_below = (height - np.arange(height)[:, None]) / height
    for show, share in HEIGHTS.items():
        cells[(shows == show)[None, :] & (from_below <= share)] = _ink(level_fill(theme, show))
    across, down = np.arange(width)[None, :], np.arange(height)[:, None]
    step, line = round(HATCH_PX * sharp), max(1, round(LINE_PX * sharp))
    rising = (across + down) % step < line
    cells[(shows == Show.NOT_VISIBLE)[None, :] & rising] = _ink(theme.edge)
    crossed = rising | ((across - down) % step < line)
    cells[(shows == Show.FAILED)[None, :] & crossed] = _ink(theme.bad)
    image = QImage(cells.data, width, height, width * 4, QImage.Format.Format_ARGB32)
    painter.drawImage(rect, image)
    if words:
        _write_words(painter, rect, axis, marks, theme)


def _write_words(
    painter: QPainter, rect: QRect, axis: Axis, marks: BandMarks, theme: Theme
) -> None:
    metrics = painter.fontMetrics()
    starts, ends, shows = merged(marks)
    least_ms = (metrics.horizontalAdvance("high") + 8) * axis.ms_per_px
    wide = (ends - starts >= least_ms) & (ends > axis.start_ms) & (starts < axis.end_ms)
    for place in np.flatnonzero(wide):
        show = Show(int(shows[place]))
        box = box_of(rect, axis, int(starts[place]), int(ends[place]))
        box = box.intersected(QRectF(rect))
        words = SHOW_WORDS[show]
        if metrics.horizontalAdvance(words) + 8 > box.width() or show is Show.NONE:
            continue
        if show in (Show.NOT_VISIBLE, Show.FAILED):
            # Words over a pattern stand on a ground of their own.
            across = metrics.horizontalAdvance(words) + 6
            under = QRectF(box.center().x() - across / 2, box.top(), across, box.height())
            painter.fillRect(under, colour(theme.base))
        full = show in (Show.MEDIUM, Show.HIGH)
        painter.setPen(colour(ink_on(level_fill(theme, show)) if full else theme.text))
        shown = box if show is not Show.MEDIUM else box.adjusted(0, box.height() * 0.28, 0, 0)
        painter.drawText(shown, Qt.AlignmentFlag.AlignCenter, words)


def paint_event(painter: QPainter, rect: QRect, axis: Axis, event: EventMark, theme: Theme) -> None:
    """Paint one event in the reviewer's row.

    Full with upright stripes where a person stands behind it, an empty dashed box with a question
    mark while it is only suggested, an empty box with a stroke through it once it is dismissed.
    """
    red = band_colours(theme).reviewer
    box = box_of(rect, axis, event.start_ms, event.end_ms).adjusted(0, 1, 0, -1)
    stands = event.state in (EventState.CONFIRMED, EventState.ADJUSTED, EventState.ADDED)
    if stands:
        painter.fillRect(box, colour(red))
        stripes = colour(mix(red, ink_on(red), 0.35))
        painter.fillRect(box, QBrush(stripes, Qt.BrushStyle.VerPattern))
    if box.width() <= 3:
        return
    waits = event.state is EventState.SUGGESTED
    style = Qt.PenStyle.DashLine if waits else Qt.PenStyle.SolidLine
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(colour(red), 1.5, style))
    painter.drawRect(box.adjusted(0.75, 0.75, -0.75, -0.75))
    if event.state is EventState.DISMISSED:
        middle = box.center().y()
        painter.drawLine(QLineF(box.left(), middle, box.right(), middle))
    if waits and box.width() > painter.fontMetrics().horizontalAdvance("?") + 4:
        painter.setPen(colour(theme.text))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, "?")


def paint_curves(
    painter: QPainter, rect: QRect, axis: Axis, curves: Sequence[Curve], theme: Theme
) -> None:
    """Paint cues over time from 0 upwards, each with a thin line at what is usual.

    The scale goes to the highest value of them all, which stands at the right.
    """
    inside = rect.adjusted(0, 3, 0, -3)
    top = _top_of(curves)
    painter.setPen(QPen(colour(theme.line), 1))
    painter.drawLine(rect.left(), inside.bottom(), rect.right(), inside.bottom())
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    inks = band_colours(theme).curves
    for curve, ink, style in zip(curves, inks, CURVE_STYLES, strict=False):
        if curve.usual is not None:
            y = inside.bottom() - min(curve.usual / top, 1.0) * inside.height()
            painter.setPen(QPen(colour(ink), 1, Qt.PenStyle.DashDotDotLine))
            painter.drawLine(QLineF(rect.left(), y, rect.right(), y))
        painter.setPen(QPen(colour(ink), 2, style))
        for piece in _pieces(inside, axis, curve, top):
            painter.drawPolyline(piece)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    _name_curves(painter, rect, curves, theme)
    scale = f"{top:.1f}"
    width = painter.fontMetrics().horizontalAdvance(scale)
    painter.setPen(colour(theme.muted))
    painter.drawText(rect.right() - width - 3, rect.top() + painter.fontMetrics().ascent(), scale)


def _top_of(curves: Sequence[Curve]) -> float:
    highest = max((float(np.nanmax(curve.values)) for curve in curves), default=0.0)
    usual = max((curve.usual or 0.0 for curve in curves), default=0.0)
    return max(LEAST_SCALE, math.ceil(10 * max(highest, usual)) / 10)


def _pieces(rect: QRect, axis: Axis, curve: Curve, top: float) -> list[QPolygonF]:
    """Give the parts in view; a curve breaks where nothing was measured."""
    low = max(0, int(np.searchsorted(curve.times, axis.start_ms)) - 1)
    high = int(np.searchsorted(curve.times, axis.end_ms)) + 1
    times, values = curve.times[low:high], curve.values[low:high]
    if len(times) > VALUES_A_PIXEL * axis.width:
        times, values = _averaged(times, values, axis)
    known = ~np.isnan(values)
    edges = np.flatnonzero(np.diff(np.concatenate([[0], known.astype(np.int8), [0]])))
    pieces = []
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        across = rect.left() + (times[start:end] - axis.start_ms) / axis.ms_per_px
        down = rect.bottom() - np.clip(values[start:end] / top, 0, 1) * rect.height()
        points = [QPointF(x, y) for x, y in zip(across.tolist(), down.tolist(), strict=True)]
        if len(points) == 1:
            points.append(points[0] + QPointF(2, 0))
        pieces.append(QPolygonF(points))
    return pieces


def _averaged(
    times: NDArray[np.float64], values: NDArray[np.float64], axis: Axis
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Give the mean of each pixel; `nan` where nothing was measured in it."""
    pixel = np.clip((times - axis.start_ms) / axis.ms_per_px, 0, axis.width - 1).astype(np.int64)
    known = ~np.isnan(values)
    count = np.bincount(pixel[known], minlength=axis.width)
    total = np.bincount(pixel[known], values[known], minlength=axis.width)
    mean = np.where(count > 0, total / np.maximum(count, 1), np.nan)
    middles = axis.start_ms + (np.arange(axis.width) + 0.5) * axis.ms_per_px
    return np.asarray(middles, np.float64), np.asarray(mean, np.float64)


def _name_curves(painter: QPainter, rect: QRect, curves: Sequence[Curve], theme: Theme) -> None:
    metrics, x = painter.fontMetrics(), rect.left() + 6
    inks = band_colours(theme).curves
    for curve, ink, style in zip(curves, inks, CURVE_STYLES, strict=False):
        words = curve.kind.value
        if curve.usual is not None:
            words += f" (usual {curve.usual:.2f})"
        width = metrics.horizontalAdvance(words) + 34
        if x + width > rect.right():
            return
        painter.fillRect(QRect(x, rect.top() + 1, width, metrics.height()), colour(theme.base))
        y = rect.top() + 1 + metrics.height() // 2
        painter.setPen(QPen(colour(ink), 2, style))
        painter.drawLine(x + 2, y, x + 24, y)
        painter.setPen(colour(theme.text))
        painter.drawText(x + 28, rect.top() + 1 + metrics.ascent(), words)
        x += width + 8


def _ink(name: str) -> int:
    red, green, blue = channels(name)
    return 0xFF000000 | red << 16 | green << 8 | blue
