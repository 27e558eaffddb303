"""How a line of the transcript is painted: wrapped, marked, in either direction of writing."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPalette, QTextLayout, QTextOption
from PySide6.QtWidgets import (
    QLineEdit,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from app.lesson.transcript.records import Utterance
from views.common.colours import mix
from views.common.theme import current_theme
from views.lesson.lines import LINE_ROLE, NOW_ROLE, REMARK_ROLE, Column, Index, Lines

PAD_X_PX, PAD_Y_PX = 7, 4
BAR_PX = 4
"""Width of the bar beside lines of the clip in view."""


class LinePainter(QStyledItemDelegate):
    """Paints the cells of the transcript; only those in sight are ever laid out."""

    def __init__(self, lines: Lines, parent: QWidget) -> None:
        super().__init__(parent)
        self._lines = lines
        self._widths = dict.fromkeys(Column, 100)

    def set_widths(self, widths: dict[Column, int]) -> None:
        """Tell how wide the columns are, which decides how the words wrap."""
        self._widths = widths

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Take the room that the text needs when it is spoken, and so bold: no line jumps then."""
        width = self._widths[Column(index.column())]
        inner = max(20, width - 2 * PAD_X_PX)
        spoken = QFont(option.font)
        spoken.setBold(True)
        height = 2 * PAD_Y_PX + int(_lay_out(str(index.data() or " "), spoken, inner)[1])
        remark = index.data(REMARK_ROLE)
        if remark:
            height += int(_lay_out(remark, _small(option.font), inner)[1])
        return QSize(width, max(height, option.fontMetrics.height() + 2 * PAD_Y_PX))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one row or cell."""
        line: Utterance = index.data(LINE_ROLE)
        painter.save()
        painter.setClipRect(option.rect)
        self._paint_ground(painter, option, index, line)
        box = option.rect.adjusted(PAD_X_PX, PAD_Y_PX, -PAD_X_PX, -PAD_Y_PX)
        is_chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        role = QPalette.ColorRole.HighlightedText if is_chosen else QPalette.ColorRole.Text
        ink = option.palette.color(role)
        used = self._paint_cell(painter, box, option.font, index, line, ink)
        remark = index.data(REMARK_ROLE)
        if remark:
            painter.setPen(ink if is_chosen else QColor(current_theme().muted))
            layout, _ = _lay_out(remark, _small(option.font), box.width())
            layout.draw(painter, QPointF(box.left(), box.top() + used))
        painter.restore()

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        """Make the field that words are typed over in."""
        editor = QLineEdit(parent)
        editor.setAccessibleName(
            "Words of this line" if index.column() == Column.WORDS else "Speaker of this line"
        )
        editor.setFrame(True)
        return editor

    def updateEditorGeometry(
        self, editor: QWidget, option: QStyleOptionViewItem, index: Index
    ) -> None:
        """Put the field where the words are."""
        box = QRect(option.rect)
        box.setHeight(max(editor.sizeHint().height(), option.fontMetrics.height() + 8))
        editor.setGeometry(box)

    def _paint_ground(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index, line: Utterance
    ) -> None:
        theme = current_theme()
        rect: QRect = option.rect
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, option.palette.color(QPalette.ColorRole.Highlight))
        elif index.data(NOW_ROLE):
            painter.fillRect(rect, QColor(mix(theme.base, theme.accent, 0.22)))
        elif self._lines.is_cited(line):
            painter.fillRect(rect, QColor(mix(theme.base, theme.doubt, 0.16)))
        if index.column() == Column.TIME and self._lines.is_in_clip(line):
            painter.fillRect(
                QRect(rect.left(), rect.top(), BAR_PX, rect.height()), QColor(theme.accent)
            )

    def _paint_cell(
        self,
        painter: QPainter,
        box: QRect,
        font: QFont,
        index: Index,
        line: Utterance,
        ink: QColor,
    ) -> float:
        shown = QFont(font)
        column = index.column()
        if column == Column.WORDS and not line.is_sound:
            shown.setStrikeOut(True)
        if column == Column.SPEAKER or index.data(NOW_ROLE):
            shown.setBold(True)
        text = str(index.data() or "")
        if column == Column.TIME and index.data(NOW_ROLE):
            text = f"▸{text}"
        layout, height = _lay_out(text, shown, box.width())
        painter.setPen(ink)
        layout.draw(painter, QRectF(box).topLeft())
        # The remark stands right below what was drawn, of whatever weight.
        return max(height, float(QFontMetrics(font).height()))


def _small(font: QFont) -> QFont:
    small = QFont(font)
    small.setPointSizeF(font.pointSizeF() * 0.9)
    small.setItalic(True)
    return small


def _lay_out(text: str, font: QFont, width: int) -> tuple[QTextLayout, float]:
    """Wrap a text at a width; gives the layout and its height in pixels."""
    layout = QTextLayout(text.replace("\n", "\u2028"), font)
    how = QTextOption()
    how.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    how.setTextDirection(Qt.LayoutDirection.LayoutDirectionAuto)
    layout.setTextOption(how)
    height = 0.0
    layout.beginLayout()
    while (line := layout.createLine()).isValid():
        line.setLineWidth(width)
        line.setPosition(QPointF(0, height))
        height += line.height()
    layout.endLayout()
    return layout, height
