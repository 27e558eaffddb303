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
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QFont, QPainter, QPalette, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import QApplication, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app.coding.moments import Moment, MomentKind, codes_in_words
from app.lesson.spans import show_time
from app.store.records import MARK_END, MARK_START
from views.common.signs import paint_badge
from views.common.words import coder_words

Index = QModelIndex | QPersistentModelIndex

HIT_ROLE = Qt.ItemDataRole.UserRole
PAD_PX = 6
KIND_WORDS = {
    MomentKind.CODE: "",
    MomentKind.SUGGESTION: "",
    MomentKind.UTTERANCE: "said",
    MomentKind.QUOTE: "cited as evidence",
    MomentKind.NOTE: "in a note",
    MomentKind.TITLE: "in the title",
}


def day_words(moment: Moment) -> str:
    """Say the day of a moment's lesson, and which day that is."""
    day = f"{moment.day.day} {moment.day:%B %Y}"
    return f"recorded {day}" if moment.is_recorded_day else f"added {day}"


def code_words(moment: Moment) -> str:
    """Say which code a moment has and who says so; empty where it has none."""
    if not moment.codes:
        return ""
    by = moment.by
    if moment.kind is MomentKind.SUGGESTION:
        by = ", ".join(coder_words(coder) for coder in moment.by.split(", "))
    return f"{codes_in_words(moment)}, by {by}"


def head_words(moment: Moment) -> str:
    """Say where a moment lies and what it is."""
    at = f" at {show_time(moment.at_ms)}" if moment.at_ms is not None else ""
    if moment.at_ms is None and moment.first:
        at = f", line {moment.first}"
    parts = (KIND_WORDS[moment.kind], code_words(moment), day_words(moment))
    return " · ".join((f"{moment.title}{at}", *filter(None, parts)))


def quote_words(moment: Moment) -> str:
    """Give the words to show, with marks around what was found."""
    if moment.text:
        return moment.snippet or moment.text
    return f"No quote is cited. The clip begins: {moment.begins}" if moment.begins else ""


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
    """Search results in the order that was asked for."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.moments: list[Moment] = []

    def show_moments(self, moments: Sequence[Moment]) -> None:
        """Replace the results."""
        self.beginResetModel()
        self.moments = list(moments)
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        """Count the rows."""
        return 0 if parent.isValid() else len(self.moments)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Give what Qt asks of a row."""
        if not index.isValid():
            return None
        moment = self.moments[index.row()]
        if role == HIT_ROLE:
            return moment
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return f"{head_words(moment)}: {split_marks(quote_words(moment))[0]}"
        return moment.text or moment.begins if role == Qt.ItemDataRole.ToolTipRole else None


class HitPainter(QStyledItemDelegate):
    """Paints a moment on two lines: where it lies and its code, and the words that were found."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Take the room that the text needs."""
        return QSize(300, 2 * option.fontMetrics.height() + 3 * PAD_PX)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one row or cell."""
        moment: Moment = index.data(HIT_ROLE)
        style = option.widget.style() if option.widget else QApplication.style()
        painter.save()
        style.drawPrimitive(
            QStyle.PrimitiveElement.PE_PanelItemViewItem, option, painter, option.widget
        )
        is_chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        ink = QPalette.ColorRole.HighlightedText if is_chosen else QPalette.ColorRole.Text
        painter.setPen(option.palette.color(ink))
        box = option.rect.adjusted(PAD_PX, PAD_PX, -PAD_PX, 0)
        height = option.fontMetrics.height()
        badge = QRectF(box.left(), box.top(), option.fontMetrics.horizontalAdvance("D3") + 16, 0)
        badge.setHeight(height + 4)
        if moment.codes:
            painter.save()
            paint_badge(painter, badge, moment.codes[0].practice)
            painter.restore()
        box.setLeft(round(badge.right()) + PAD_PX)
        text, found = split_marks(quote_words(moment))
        for content, bold in ((head_words(moment), []), (text, found)):
            _draw_line(painter, box.topLeft().toPointF(), box.width(), content, bold, option.font)
            box.adjust(0, height + PAD_PX // 2, 0, 0)
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
