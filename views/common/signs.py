"""Small painted marks: a shape for each outcome, a lettered badge for each practice.

Shapes differ as well as colours, and each mark has its word as accessible name.
"""

from __future__ import annotations

from enum import StrEnum

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.coding.records import Check
from views.common.colours import ink_on
from views.common.theme import Theme, current_theme


class Sign(StrEnum):
    """A shape: what it is drawn as, not what it stands for."""

    TICK = "tick"
    NEAR = "near"
    CROSS = "cross"
    EYE = "eye"
    WARNING = "warning"
    DOT = "dot"


CHECK_SIGNS = {
    Check.VERIFIED: Sign.TICK,
    Check.CLOSE: Sign.NEAR,
    Check.NOT_FOUND: Sign.CROSS,
    Check.OUTSIDE: Sign.CROSS,
    Check.SEEN: Sign.EYE,
}


def sign_colour(sign: Sign, theme: Theme) -> QColor:
    """Give the colour a shape is filled with."""
    named = {
        Sign.TICK: theme.good,
        Sign.NEAR: theme.doubt,
        Sign.WARNING: theme.doubt,
        Sign.CROSS: theme.bad,
    }
    return QColor(named.get(sign, theme.accent))


def paint_sign(painter: QPainter, rect: QRectF, sign: Sign, theme: Theme) -> None:
    """Paint a shape into a square."""
    fill = sign_colour(sign, theme)
    ink = QColor(ink_on(fill.name()))
    side = min(rect.width(), rect.height())
    box = QRectF(rect.center() - QPointF(side / 2, side / 2), rect.center())
    box.setSize(QSize(int(side), int(side)).toSizeF())
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(box.topLeft())
    painter.scale(side / 16, side / 16)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(fill)
    painter.drawPath(_ground(sign))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(ink, 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    painter.drawPath(_figure(sign))
    painter.restore()


def _ground(sign: Sign) -> QPainterPath:
    path = QPainterPath()
    if sign is Sign.NEAR:
        path.addPolygon(_points((8, 0), (16, 8), (8, 16), (0, 8)))
        path.closeSubpath()
    elif sign is Sign.CROSS:
        path.addRoundedRect(QRectF(0.5, 0.5, 15, 15), 2, 2)
    elif sign is Sign.WARNING:
        path.addPolygon(_points((8, 0.5), (16, 15), (0, 15)))
        path.closeSubpath()
    elif sign is Sign.EYE:
        path.addRoundedRect(QRectF(0, 3, 16, 10), 5, 5)
    elif sign is Sign.DOT:
        path.addEllipse(QRectF(3, 3, 10, 10))
    else:
        path.addEllipse(QRectF(0.5, 0.5, 15, 15))
    return path


def _figure(sign: Sign) -> QPainterPath:
    path = QPainterPath()
    if sign is Sign.TICK:
        path.addPolygon(_points((4.2, 8.4), (7, 11.2), (12, 5.2)))
    elif sign is Sign.NEAR:
        path.moveTo(4, 8.6)
        path.cubicTo(6, 5.6, 7.6, 6.6, 8, 8)
        path.cubicTo(8.4, 9.4, 10, 10.4, 12, 7.4)
    elif sign is Sign.CROSS:
        path.addPolygon(_points((4.6, 4.6), (11.4, 11.4)))
        path.addPolygon(_points((11.4, 4.6), (4.6, 11.4)))
    elif sign is Sign.WARNING:
        path.addPolygon(_points((8, 5.5), (8, 10)))
        path.addPolygon(_points((8, 12.6), (8, 12.8)))
    elif sign is Sign.EYE:
        path.addEllipse(QPointF(8, 8), 1.6, 1.6)
    return path


def _points(*pairs: tuple[float, float]) -> QPolygonF:
    return QPolygonF([QPointF(x, y) for x, y in pairs])


class SignMark(QWidget):
    """A shape of the height of the text around it."""

    def __init__(self, sign: Sign, word: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.show_sign(sign, word)

    def show_sign(self, sign: Sign, word: str) -> None:
        """Change what is shown; `word` is what a screen reader says for it."""
        self._sign = sign
        self.setAccessibleName(word)
        self.update()

    def sizeHint(self) -> QSize:
        """Take the room that the text needs."""
        side = max(16, int(self.fontMetrics().height() * 1.05))
        return QSize(side, side)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the widget in the colours of the look in use."""
        painter = QPainter(self)
        paint_sign(painter, QRectF(self.rect()), self._sign, current_theme())


class PracticeBadge(QWidget):
    """The letters of a practice on its colour; dashed and empty when there is none."""

    def __init__(self, practice: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._practice = practice

    def show_practice(self, practice: str) -> None:
        """Change the practice; empty for none."""
        self._practice = practice
        self.setAccessibleName(f"Practice {practice}" if practice else "No practice")
        self.update()

    def sizeHint(self) -> QSize:
        """Take the room that the text needs."""
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance("D3") + 16, metrics.height() + 6)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the widget in the colours of the look in use."""
        painter = QPainter(self)
        paint_badge(painter, QRectF(self.rect()), self._practice)


def paint_badge(painter: QPainter, rect: QRectF, practice: str) -> None:
    """Paint a practice's badge."""
    theme = current_theme()
    fill = QColor(theme.practice(practice))
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    box = rect.adjusted(1, 1, -1, -1)
    if practice:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(fill)
        painter.drawRoundedRect(box, 4, 4)
        painter.setPen(QColor(ink_on(fill.name())))
    else:
        painter.setPen(QPen(QColor(theme.edge), 1, Qt.PenStyle.DashLine))
        painter.drawRoundedRect(box, 4, 4)
        painter.setPen(QColor(theme.text))
    font = painter.font()
    font.setBold(True)
    painter.setFont(font)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, practice or "–")
    painter.restore()
