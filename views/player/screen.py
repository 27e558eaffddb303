"""Where the picture is shown: whole, in its own shape, with words where there is none."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from views.common.theme import colour, current_theme


class Screen(QWidget):
    """Shows one picture, or a few words in its place, and a short note over its lower edge."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._picture: QImage | None = None
        self._words = ""
        self._note = ""
        self._is_moving = False
        self.setMinimumSize(160, 90)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAccessibleName("Picture")

    @property
    def picture(self) -> QImage | None:
        """What is shown now."""
        return self._picture

    def show_picture(self, picture: QImage, *, is_moving: bool) -> None:
        """Show a picture; one that stands still is scaled with more care."""
        self._picture = picture
        self._is_moving = is_moving
        self.update()

    def show_words(self, words: str) -> None:
        """Show words and no picture."""
        self._picture = None
        self._words = words
        self.setAccessibleDescription(words)
        self.update()

    def show_note(self, note: str) -> None:
        """Lay a short note over the picture; empty takes it away."""
        if note != self._note:
            self._note = note
            self.update()

    def sizeHint(self) -> QSize:
        """Ask for the room of a small video."""
        return QSize(640, 360)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint picture or words, then the note."""
        painter, theme = QPainter(self), current_theme()
        painter.fillRect(self.rect(), colour("#000000" if self._picture else theme.raised))
        if self._picture is None:
            painter.setPen(colour(theme.text))
            flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(self.rect().adjusted(16, 16, -16, -16), flags, self._words)
        else:
            smooth = QPainter.RenderHint.SmoothPixmapTransform
            painter.setRenderHint(smooth, not self._is_moving)
            painter.drawImage(fitted(self._picture.size(), self.rect()), self._picture)
        if self._note:
            self._paint_note(painter)

    def _paint_note(self, painter: QPainter) -> None:
        theme, metrics = current_theme(), painter.fontMetrics()
        room = self.rect().adjusted(8, 8, -8, -8)
        flags = int(Qt.TextFlag.TextWordWrap)
        needed = metrics.boundingRect(room, flags, self._note)
        box = QRect(
            room.left(),
            room.bottom() - needed.height() - 7,
            min(room.width(), needed.width() + 16),
            needed.height() + 8,
        )
        painter.fillRect(box, colour(theme.base))
        painter.setPen(colour(theme.text))
        painter.drawText(box.adjusted(8, 4, -4, -4), flags, self._note)


def fitted(size: QSize, room: QRect) -> QRect:
    """Give where a picture of a size lies, as large as it can be in its own shape."""
    scaled = size.scaled(room.size(), Qt.AspectRatioMode.KeepAspectRatio)
    left = room.left() + (room.width() - scaled.width()) // 2
    top = room.top() + (room.height() - scaled.height()) // 2
    return QRect(left, top, scaled.width(), scaled.height())
