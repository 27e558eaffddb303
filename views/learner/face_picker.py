"""Lays a cross over the picture, with which a person points at the learner's face."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from views.common.theme import colour, current_theme
from views.player.screen import Screen, fitted

STEP, FINE = 0.05, 0.01
"""Share of the picture that an arrow key moves the cross; with Shift the finer one."""
ARROWS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}
HELP = "Click on the learner's face; or arrow keys (Shift: finer), Enter. Esc leaves it."


class FacePicker(QWidget):
    """Covers a screen while a face is being chosen.

    Signals:
        picked: Where, as shares of the upright picture from its left and top, 0 to 1.
        left: It was given up.
    """

    picked = Signal(float, float)
    left = Signal()

    def __init__(self, screen: Screen) -> None:
        super().__init__(screen)
        self._screen = screen
        self._at = QPointF(0.5, 0.4)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.CrossCursor)
        self.setAccessibleName("Choose the learner's face")
        self.setAccessibleDescription(HELP)
        screen.installEventFilter(self)
        self.hide()

    def start(self) -> bool:
        """Begin to choose; says whether there is a picture to choose on."""
        if self._screen.picture is None:
            return False
        self.setGeometry(self._screen.rect())
        self.show()
        self.raise_()
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        return True

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Cover the screen whatever size it takes."""
        if watched is self._screen and event.type() is QEvent.Type.Resize:
            self.setGeometry(self._screen.rect())
        return super().eventFilter(watched, event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take the point, if it lies on the picture."""
        room = self._room()
        at = event.position()
        if event.button() == Qt.MouseButton.LeftButton and room.contains(at.toPoint()):
            self._at = QPointF(
                (at.x() - room.left()) / room.width(), (at.y() - room.top()) / room.height()
            )
            self._take()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the cross, take the point, or leave."""
        key = Qt.Key(event.key())
        if key in ARROWS:
            fine = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            across, down = ARROWS[key]
            step = FINE if fine else STEP
            self._at = QPointF(
                min(max(self._at.x() + across * step, 0.0), 1.0),
                min(max(self._at.y() + down * step, 0.0), 1.0),
            )
            self.update()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._take()
        elif key == Qt.Key.Key_Escape:
            self.hide()
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the cross and how it is used."""
        painter, theme, room = QPainter(self), current_theme(), self._room()
        x = room.left() + self._at.x() * room.width()
        y = room.top() + self._at.y() * room.height()
        reach = max(14.0, room.height() / 8)
        for ink, width in ((theme.base, 5), (theme.focus, 2)):
            painter.setPen(QPen(colour(ink), width))
            painter.drawLine(QPointF(x - reach, y), QPointF(x + reach, y))
            painter.drawLine(QPointF(x, y - reach), QPointF(x, y + reach))
            painter.drawEllipse(QPointF(x, y), reach * 0.8, reach)
        flags = int(Qt.TextFlag.TextWordWrap)
        space = self.rect().adjusted(8, 8, -8, -8)
        box = painter.fontMetrics().boundingRect(space, flags, HELP).adjusted(-6, -4, 6, 4)
        painter.fillRect(box, colour(theme.base))
        painter.setPen(colour(theme.text))
        painter.drawText(box.adjusted(6, 4, -6, -4), flags, HELP)

    def _room(self) -> QRect:
        picture = self._screen.picture
        size = picture.size() if picture is not None else QSize(16, 9)
        return fitted(size, self.rect())

    def _take(self) -> None:
        self.hide()
        self.picked.emit(self._at.x(), self._at.y())
