"""Lays a cross over the picture, with which a person points at the learner's face."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QPointF, QRect, QRectF, QSize, Qt, Signal
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
HELP = (
    "Click on the learner's face. By keyboard: Tab for the next face, arrows to move (Shift: "
    "finer), Enter takes it, Esc leaves."
)


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
        self._faces: tuple[QRectF, ...] = ()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.CrossCursor)
        self.setAccessibleName("Choose the learner's face")
        self.setAccessibleDescription(HELP)
        screen.installEventFilter(self)
        self.hide()

    def start(self, faces: Sequence[QRectF] = ()) -> bool:
        """Begin to choose; says whether there is a picture to choose on.

        Args:
            faces: Faces seen in the picture, as shares of it; Tab goes from one to the next.
        """
        if self._screen.picture is None:
            return False
        self._faces = tuple(faces)
        if self._faces:
            self._at = self._faces[0].center()
        self.setGeometry(self._screen.rect())
        self.show()
        self.raise_()
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        return True

    def give_up(self) -> None:
        """Leave it without a choice."""
        if self.isVisible():
            self.hide()
            self.left.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Cover the screen whatever size it takes."""
        if watched is self._screen and event.type() is QEvent.Type.Resize:
            self.setGeometry(self._screen.rect())
        return super().eventFilter(watched, event)

    def event(self, event: QEvent) -> bool:
        """Go from face to face with Tab, which would otherwise leave the picture."""
        tabs = {Qt.Key.Key_Tab: 1, Qt.Key.Key_Backtab: -1}
        if (
            self._faces
            and isinstance(event, QKeyEvent)
            and event.type() is QEvent.Type.KeyPress
            and event.key() in tabs
        ):
            self._go_to_face(tabs[Qt.Key(event.key())])
            return True
        return super().event(event)

    def _go_to_face(self, by: int) -> None:
        here = [i for i, face in enumerate(self._faces) if face.center() == self._at]
        place = (here[0] + by) % len(self._faces) if here else 0
        self._at = self._faces[place].center()
        self.setAccessibleDescription(f"Face {place + 1} of {len(self._faces)}. {HELP}")
        self.update()

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
            self.give_up()
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
        painter.setPen(QPen(colour(theme.focus), 2, Qt.PenStyle.DashLine))
        for face in self._faces:
            painter.drawRect(
                QRectF(
                    room.left() + face.left() * room.width(),
                    room.top() + face.top() * room.height(),
                    face.width() * room.width(),
                    face.height() * room.height(),
                )
            )
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
