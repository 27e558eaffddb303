"""The reliability plot: how sure a coder was against how often people accepted it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.scoring.calibration import Bin
from views.common.theme import Theme, colour, current_theme
from views.trust.words import FEW

TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)
CROWDED = 6
"""More points than this have their counts in two rows."""
_POINT_PX = 4.5
_CAP_PX = 4
X_NAME, Y_NAME = "how sure it was", "accepted by people"


class ReliabilityPlot(QWidget):
    """Draws one point for each group of clips, with its interval and its count."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bins: tuple[Bin, ...] = ()
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName("Reliability plot")
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setSizePolicy(policy)

    def show_bins(self, bins: Sequence[Bin], told: str) -> None:
        """Draw other groups; `told` says the same in words."""
        self._bins = tuple(one for one in bins if one.n)
        self.setAccessibleDescription(told)
        self.update()

    def sizeHint(self) -> QSize:
        """Take the room that twelve lines of text need, so that it grows with the text."""
        line = self.fontMetrics().height()
        return QSize(line * 22, line * 16)

    def minimumSizeHint(self) -> QSize:
        """Stay legible."""
        line = self.fontMetrics().height()
        return QSize(line * 14, line * 16)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the axes, the line of a perfect coder, and the points."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme, area = current_theme(), self._area()
        self._paint_axes(painter, area, theme)
        for place, one in enumerate(self._bins):
            self._paint_point(painter, one, theme)
            self._paint_count(painter, place, one, theme)
        if self.hasFocus():
            painter.setPen(QPen(colour(theme.focus), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(self.rect().adjusted(1, 1, -1, -1))

    def place_of(self, sure: float, right: float) -> QPointF:
        """Give where a confidence and a share lie on the widget."""
        area = self._area()
        return QPointF(area.left() + sure * area.width(), area.bottom() - right * area.height())

    def _area(self) -> QRectF:
        metrics = self.fontMetrics()
        left = metrics.horizontalAdvance("100%") + 12
        right = metrics.horizontalAdvance("100%") / 2 + 6
        top = metrics.height() * 1.5
        below = metrics.height() * (2.4 + self._rows()) + 6
        return QRectF(
            left, top, max(self.width() - left - right, 1.0), max(self.height() - top - below, 1.0)
        )

    def _rows(self) -> int:
        """Rows of counts: two where neighbours would run into each other in one."""
        return 2 if len(self._bins) > CROWDED else 1

    def _paint_axes(self, painter: QPainter, area: QRectF, theme: Theme) -> None:
        metrics = painter.fontMetrics()
        painter.fillRect(area, colour(theme.base))
        ticks = TICKS if area.width() > 6 * metrics.horizontalAdvance("100%") else TICKS[::2]
        for share in ticks:
            x, y = self.place_of(share, share).x(), self.place_of(share, share).y()
            painter.setPen(QPen(colour(theme.line), 1))
            painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
            painter.setPen(colour(theme.muted))
            told = f"{share:.0%}"
            wide = metrics.horizontalAdvance(told)
            painter.drawText(QPointF(area.left() - wide - 6, y + metrics.ascent() / 2 - 1), told)
            painter.drawText(QPointF(x - wide / 2, area.bottom() + metrics.ascent() + 5), told)
        painter.setPen(QPen(colour(theme.edge), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(area)
        painter.setPen(QPen(colour(theme.edge), 1.5, Qt.PenStyle.DashLine))
        painter.drawLine(area.bottomLeft(), area.topRight())
        painter.setPen(colour(theme.text))
        painter.drawText(QPointF(2, metrics.ascent() + 2), f"↑ {Y_NAME}")
        told = f"{X_NAME} →"
        below = self.height() - metrics.descent() - 4
        painter.drawText(QPointF(area.right() - metrics.horizontalAdvance(told), below), told)
        painter.drawText(QPointF(4, self._count_y(0)), "clips")

    def _paint_point(self, painter: QPainter, one: Bin, theme: Theme) -> None:
        if one.mean_confidence is None or one.right.share is None:
            return
        at = self.place_of(one.mean_confidence, one.right.share)
        painter.setPen(QPen(colour(theme.accent), 1.5))
        if one.interval is not None:
            low = self.place_of(one.mean_confidence, one.interval.low)
            high = self.place_of(one.mean_confidence, one.interval.high)
            painter.drawLine(low, high)
            for end in (low, high):
                painter.drawLine(end - QPointF(_CAP_PX, 0), end + QPointF(_CAP_PX, 0))
        painter.setBrush(colour(theme.base if one.n < FEW else theme.accent))
        painter.drawEllipse(at, _POINT_PX, _POINT_PX)

    def _paint_count(self, painter: QPainter, place: int, one: Bin, theme: Theme) -> None:
        """Write how many clips a point stands for, below it."""
        if one.mean_confidence is None:
            return
        told = str(one.n)
        wide = painter.fontMetrics().horizontalAdvance(told)
        x = self.place_of(one.mean_confidence, 0.0).x() - wide / 2
        painter.setPen(colour(theme.text))
        painter.drawText(QPointF(x, self._count_y(place % self._rows())), told)

    def _count_y(self, row: int) -> float:
        metrics = self.fontMetrics()
        return self._area().bottom() + metrics.height() * (row + 1.1) + metrics.ascent() + 5
