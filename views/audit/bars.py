"""Bars of how many cells passed how many of their draws, each with its number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from views.common.theme import current_theme

ROW_LINES = 6
"""Height of one row of bars, in lines of text: the name, the bars, the counts below."""


class YieldingBars(QWidget):
    """One row of bars for each family; the table over it says the same in figures."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: dict[str, tuple[int, ...]] = {}
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Cells by how many of their draws passed")

    def show_rows(self, rows: Mapping[str, Sequence[int]]) -> None:
        """Show other counts: for each family, cells that passed 0, 1, 2 ... draws."""
        self._rows = {name: tuple(counts) for name, counts in rows.items()}
        told = [
            f"{name}: " + ", ".join(f"{count} passed {n}" for n, count in enumerate(counts))
            for name, counts in self._rows.items()
        ]
        self.setAccessibleDescription(". ".join(told))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Ask for a row of bars a family."""
        return QSize(320, len(self._rows) * ROW_LINES * self.fontMetrics().lineSpacing())

    def minimumSizeHint(self) -> QSize:
        """Ask for the same height at least."""
        return QSize(200, self.sizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the bars; the tallest of all rows fills its row."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        most = max((max(counts, default=0) for counts in self._rows.values()), default=0)
        line = self.fontMetrics().lineSpacing()
        for place, (name, counts) in enumerate(self._rows.items()):
            area = QRectF(0, place * ROW_LINES * line, self.width(), ROW_LINES * line)
            self._paint_row(painter, area, name, counts, most)

    def _paint_row(
        self, painter: QPainter, area: QRectF, name: str, counts: Sequence[int], most: int
    ) -> None:
        theme, line = current_theme(), self.fontMetrics().lineSpacing()
        painter.setPen(QColor(theme.text))
        draws = len(counts) - 1
        said = f"{name}: cells by how many of their {draws} draws passed"
        painter.drawText(QPointF(area.left(), area.top() + line * 0.8), said)
        step = min(area.width() / max(len(counts), 1), 80.0)
        room = area.height() - 3.4 * line
        for n, count in enumerate(counts):
            high = room * count / most if most else 0.0
            base = area.top() + 2.2 * line + room
            bar = QRectF(area.left() + n * step + 2, base - high, min(step - 4, 64), high)
            painter.fillRect(bar, QColor(theme.accent))
            middle = Qt.AlignmentFlag.AlignHCenter
            over = QRectF(bar.left(), bar.top() - line, bar.width(), line)
            under = QRectF(bar.left(), base, bar.width(), line)
            painter.setPen(QColor(theme.text))
            painter.drawText(over, middle, str(count))
            painter.setPen(QColor(theme.muted))
            painter.drawText(under, middle, str(n))
