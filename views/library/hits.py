"""What a search found, as a list that Qt can show with the found words in bold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QSize,
    Qt,
)
from PySide6.QtGui import QFont, QPainter, QPalette, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import QApplication, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app.lesson.spans import show_time
from app.store.records import MARK_END, MARK_START, Hit, HitKind

Index = QModelIndex | QPersistentModelIndex

HIT_ROLE = Qt.ItemDataRole.UserRole
PAD_PX = 6
KIND_WORDS = {
    HitKind.UTTERANCE: "said",
    HitKind.QUOTE: "cited as evidence",
    HitKind.NOTE: "in a note",
    HitKind.TITLE: "in the title",
}


def head_words(hit: Hit) -> str:
    """Say where a hit lies."""
    at = f" at {show_time(hit.start_ms)}" if hit.start_ms is not None else ""
    return f"{hit.title}{at}, {KIND_WORDS[hit.kind]}"


def split_marks(snippet: str) -> tuple[str, list[tuple[int, int]]]:
    """Take the marks out of a snippet; gives the text and (start, length) of each found part."""
    text, found, opened = "", [], None
    for sign in snippet:
        if sign == MARK_START:
            opened = len(text)
        elif sign == MARK_END and opened is not None:
            found.append((opened, len(text) - opened))
            opened = None
        elif sign != MARK_END:
            text += " " if sign == "\n" else sign
    return text, found


class HitList(QAbstractListModel):
    """Search results, best first."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._hits: list[Hit] = []

    def show_hits(self, hits: Sequence[Hit]) -> None:
        """Replace the results."""
        self.beginResetModel()
        self._hits = list(hits)
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        """Count the rows."""
        return 0 if parent.isValid() else len(self._hits)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Give what Qt asks of a row."""
        if not index.isValid():
            return None
        hit = self._hits[index.row()]
        if role == HIT_ROLE:
            return hit
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return f"{head_words(hit)}: {split_marks(hit.snippet)[0]}"
        return hit.text if role == Qt.ItemDataRole.ToolTipRole else None


class HitPainter(QStyledItemDelegate):
    """Paints a hit on two lines: where it lies, and the words around what was found."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Take the room that the text needs."""
        return QSize(300, 2 * option.fontMetrics.height() + 3 * PAD_PX)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one row or cell."""
        hit: Hit = index.data(HIT_ROLE)
        style = option.widget.style() if option.widget else QApplication.style()
        painter.save()
        style.drawPrimitive(
            QStyle.PrimitiveElement.PE_PanelItemViewItem, option, painter, option.widget
        )
        is_chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        ink = QPalette.ColorRole.HighlightedText if is_chosen else QPalette.ColorRole.Text
        painter.setPen(option.palette.color(ink))
        box = option.rect.adjusted(PAD_PX, PAD_PX, -PAD_PX, 0)
        text, found = split_marks(hit.snippet)
        for content, bold in ((head_words(hit), []), (text, found)):
            _draw_line(painter, box.topLeft().toPointF(), box.width(), content, bold, option.font)
            box.adjust(0, option.fontMetrics.height() + PAD_PX // 2, 0, 0)
        painter.restore()


def _draw_line(
    painter: QPainter, at: QPointF, width: int, text: str, bold: list[tuple[int, int]], font: QFont
) -> None:
    layout = QTextLayout(text, font)
    how = QTextOption()
    how.setTextDirection(Qt.LayoutDirection.LayoutDirectionAuto)
    layout.setTextOption(how)
    strong = QTextCharFormat()
    strong.setFontWeight(QFont.Weight.Bold)
    strong.setFontUnderline(True)
    ranges = []
    for start, length in bold:
        part = QTextLayout.FormatRange()
        part.start, part.length, part.format = start, length, strong
        ranges.append(part)
    layout.setFormats(ranges)
    layout.beginLayout()
    line = layout.createLine()
    if line.isValid():
        line.setLineWidth(width)
    layout.endLayout()
    layout.draw(painter, at)
