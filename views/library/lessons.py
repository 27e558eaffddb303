"""The lessons as a list that Qt can show, and how one of them is painted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import (
    QAbstractItemModel,
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QPainter,
    QPalette,
    QPixmap,
    QPolygon,
    QTextOption,
)
from PySide6.QtWidgets import (
    QApplication,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from app.store.records import LessonRow
from views.common.signs import Sign, paint_sign
from views.common.theme import current_theme
from views.common.words import count_words, length_words
from views.library.groups import SetHead, arrange

Index = QModelIndex | QPersistentModelIndex

ROW_ROLE = Qt.ItemDataRole.UserRole
POSTER_ROLE = Qt.ItemDataRole.UserRole + 1
HEAD_ROLE = Qt.ItemDataRole.UserRole + 2
GAP_PX = 10
POSTER_LINES = 4.6
"""Height of the poster frame in lines of text, so that it grows with the text."""


SAMPLE = "sample"
"""Folder of the sample lesson among the resources."""


def is_sample(row: LessonRow) -> bool:
    """Say whether a lesson is the one that comes along."""
    return bool(row.media_path) and Path(row.media_path).parent.name == SAMPLE


def done_words(row: LessonRow) -> str:
    """Say what has been done for a lesson."""
    if row.learner:
        return f"Learner video of {row.learner}"
    if row.media_path and not row.has_transcript:
        return "Recording. Nothing is written down yet"
    what = "Recording and transcript" if row.media_path else "Transcript alone"
    if not row.clips:
        return f"{what}. No evidence looked for yet"
    return f"{what}. {count_words(row.clips, 'clip')}, {row.coded} looked at by the finder"


def waiting_words(row: LessonRow) -> str:
    """Say what waits for the reviewer."""
    if row.learner:
        return "Opens on the Learner page"
    if not row.clips:
        return "Nothing to review yet"
    if row.decided >= row.clips:
        return f"All {row.clips} clips reviewed" if row.clips > 1 else "The one clip is reviewed"
    return f"{row.decided} of {count_words(row.clips, 'clip')} reviewed"


def missing_words(row: LessonRow) -> str:
    """Say that a recording is gone from its place; empty when it is there."""
    if not row.media_path or row.media_found:
        return ""
    return f"The recording {Path(row.media_path).name} is not where it was. Use “Find it…”"


class LessonList(QAbstractListModel):
    """Rows of the library with their poster frames.

    Signals:
        retitled: A lesson's id and the title that was typed.
    """

    retitled = Signal(str, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: list[LessonRow] = []
        """All lessons, also those that are folded away."""
        self._shown: list[LessonRow | SetHead] = []
        self._opened: set[str] = set()
        self._posters: dict[str, QPixmap] = {}

    def show_rows(self, rows: list[LessonRow]) -> None:
        """Replace the rows; keeps the selection when only what is said of them has changed."""
        self.rows = list(rows)
        shown = arrange(rows, self._opened)
        same = [_identity(one) for one in shown] == [_identity(one) for one in self._shown]
        if same:
            self._shown = shown
            if shown:
                self.dataChanged.emit(self.index(0), self.index(len(shown) - 1))
            return
        self.beginResetModel()
        self._shown = shown
        self.endResetModel()

    def toggle(self, name: str) -> None:
        """Unfold the lessons of a coded set, or fold them away."""
        self._opened ^= {name}
        self.show_rows(self.rows)

    def unfold_for(self, lesson_id: str) -> None:
        """Unfold the set that a lesson belongs to, if it is folded away."""
        names = {row.coded_set for row in self.rows if row.lesson_id == lesson_id} - {""}
        for name in names - self._opened:
            self.toggle(name)

    def show_poster(self, lesson_id: str, path: Path) -> None:
        """Show the picture that stands for a lesson."""
        self._posters[lesson_id] = QPixmap(str(path))
        place = self.place_of(lesson_id)
        if place is not None:
            self.dataChanged.emit(self.index(place), self.index(place))

    def without_poster(self) -> list[LessonRow]:
        """Give the lessons whose recording is there and whose picture is not."""
        return [
            r
            for r in self._shown
            if isinstance(r, LessonRow)
            and r.media_path
            and r.media_found
            and r.lesson_id not in self._posters
        ]

    def place_of(self, lesson_id: str) -> int | None:
        """Find the place of a lesson in the list."""
        return next((i for i, r in enumerate(self._shown) if _identity(r) == (lesson_id,)), None)

    def head_place(self, name: str) -> int | None:
        """Find the place of the line above a coded set."""
        heads = ((i, r) for i, r in enumerate(self._shown) if isinstance(r, SetHead))
        return next((i for i, head in heads if head.name == name), None)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        """Count the rows."""
        return 0 if parent.isValid() else len(self._shown)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Give what Qt asks of a row."""
        if not index.isValid():
            return None
        row = self._shown[index.row()]
        if isinstance(row, SetHead):
            return _of_head(row, role)
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return row.title
        if role == ROW_ROLE:
            return row
        if role == POSTER_ROLE:
            return self._posters.get(row.lesson_id)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            said = (
                row.title,
                length_words(row.duration_ms),
                done_words(row),
                waiting_words(row),
                missing_words(row),
            )
            return ". ".join(part for part in said if part)
        if role == Qt.ItemDataRole.ToolTipRole:
            return row.media_path or row.title
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Hand on what was typed; the row changes once it is stored."""
        title = str(value).strip()
        row = self._shown[index.row()]
        if isinstance(row, SetHead) or not title or title == row.title:
            return False
        self.retitled.emit(row.lesson_id, title)
        return True

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Say that titles can be typed over."""
        is_head = index.isValid() and isinstance(self._shown[index.row()], SetHead)
        can = Qt.ItemFlag.NoItemFlags if is_head else Qt.ItemFlag.ItemIsEditable
        return super().flags(index) | can


def _identity(shown: LessonRow | SetHead) -> tuple[object, ...]:
    """Give what tells one line of the list from another."""
    if isinstance(shown, SetHead):
        return shown.name, shown.is_open
    return (shown.lesson_id,)


def _of_head(head: SetHead, role: int) -> Any:
    """Give what Qt asks of the line above a coded set."""
    if role == HEAD_ROLE:
        return head
    if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
        does = "Enter folds it away" if head.is_open else "Enter unfolds it"
        return f"{head.words}. {does}"
    return "Clips that people coded elsewhere" if role == Qt.ItemDataRole.ToolTipRole else None


class LessonPainter(QStyledItemDelegate):
    """Paints a lesson: poster frame, title, length, what is done, what waits."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Take the room that the text needs."""
        if index.data(HEAD_ROLE) is not None:
            return QSize(420, option.fontMetrics.height() + 2 * GAP_PX)
        return QSize(420, self._poster_size(option.fontMetrics).height() + 2 * GAP_PX)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one row or cell."""
        head: SetHead | None = index.data(HEAD_ROLE)
        if head is not None:
            self._paint_head(painter, option, head)
            return
        row: LessonRow = index.data(ROW_ROLE)
        is_chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        style = option.widget.style() if option.widget else QApplication.style()
        style.drawPrimitive(
            QStyle.PrimitiveElement.PE_PanelItemViewItem, option, painter, option.widget
        )
        box = option.rect.adjusted(GAP_PX, GAP_PX, -GAP_PX, -GAP_PX)
        size = self._poster_size(option.fontMetrics)
        self._paint_poster(painter, QRect(box.topLeft(), size), index, row)
        words = box.adjusted(size.width() + GAP_PX, 0, 0, 0)
        ink = QPalette.ColorRole.HighlightedText if is_chosen else QPalette.ColorRole.Text
        painter.setPen(option.palette.color(ink))
        self._paint_words(painter, words, option, row)
        painter.restore()

    def _paint_head(self, painter: QPainter, option: QStyleOptionViewItem, head: SetHead) -> None:
        is_chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        style = option.widget.style() if option.widget else QApplication.style()
        style.drawPrimitive(
            QStyle.PrimitiveElement.PE_PanelItemViewItem, option, painter, option.widget
        )
        box = option.rect.adjusted(GAP_PX, 0, -GAP_PX, 0)
        ink = QPalette.ColorRole.HighlightedText if is_chosen else QPalette.ColorRole.Text
        painter.setPen(option.palette.color(ink))
        painter.setBrush(option.palette.color(ink))
        side = option.fontMetrics.height() // 2
        at = QPoint(box.left() + side // 2, box.center().y())
        painter.drawPolygon(_arrow(at, side // 2, points_down=head.is_open))
        bold = QFont(option.font)
        bold.setBold(True)
        painter.setFont(bold)
        box.adjust(2 * side, 0, 0, 0)
        words = QFontMetrics(bold).elidedText(head.words, Qt.TextElideMode.ElideRight, box.width())
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, words)
        painter.restore()

    def updateEditorGeometry(
        self, editor: QWidget, option: QStyleOptionViewItem, index: Index
    ) -> None:
        """Put the field where the words are."""
        left = self._poster_size(option.fontMetrics).width() + 2 * GAP_PX
        box = option.rect.adjusted(left, GAP_PX // 2, -GAP_PX, 0)
        box.setHeight(editor.sizeHint().height())
        editor.setGeometry(box)

    def _poster_size(self, metrics: QFontMetrics) -> QSize:
        height = int(metrics.height() * POSTER_LINES)
        return QSize(height * 16 // 9, height)

    def _paint_poster(self, painter: QPainter, box: QRect, index: Index, row: LessonRow) -> None:
        theme = current_theme()
        painter.fillRect(box, QColor(theme.raised))
        poster: QPixmap | None = index.data(POSTER_ROLE)
        if poster is not None and not poster.isNull():
            fitted = poster.size().scaled(box.size(), Qt.AspectRatioMode.KeepAspectRatio)
            place = QRect(box.topLeft(), fitted)
            place.moveCenter(box.center())
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawPixmap(place, poster)
            return
        word = (
            "Recording\nnot found"
            if missing_words(row)
            else ("Recording" if row.media_path else "Transcript\nalone")
        )
        painter.setPen(QColor(theme.muted))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, word)

    def _paint_words(
        self, painter: QPainter, box: QRect, option: QStyleOptionViewItem, row: LessonRow
    ) -> None:
        line = option.fontMetrics.height()
        bold = QFont(option.font)
        bold.setBold(True)
        lines = [
            (row.title, bold),
            (length_words(row.duration_ms) if row.media_path else "No recording", option.font),
            (done_words(row), option.font),
            (waiting_words(row), option.font),
        ]
        missing = missing_words(row)
        if missing:
            lines[1] = (missing, bold)
        top = box.top()
        how = QTextOption()
        how.setWrapMode(QTextOption.WrapMode.NoWrap)
        how.setTextDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        for number, (text, font) in enumerate(lines):
            place = QRect(box.left(), top, box.width(), line + 2)
            if missing and number == 1:
                paint_sign(
                    painter,
                    QRect(place.left(), top, line, line).toRectF(),
                    Sign.WARNING,
                    current_theme(),
                )
                place.adjust(line + 6, 0, 0, 0)
            painter.setFont(font)
            fitted = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, place.width())
            painter.drawText(place.toRectF(), fitted, how)
            top += int(line * 1.2)


def _arrow(at: QPoint, half: int, *, points_down: bool) -> QPolygon:
    """Give a small triangle around a point: down where something is unfolded, else right."""
    right = [QPoint(-half, -half), QPoint(half, 0), QPoint(-half, half)]
    down = [QPoint(-half, -half), QPoint(half, -half), QPoint(0, half)]
    return QPolygon([at + corner for corner in (down if points_down else right)])


def lesson_id_at(model: QAbstractItemModel, index: Index) -> str:
    """Give the id of the lesson in a row; empty without one."""
    row = model.data(index, ROW_ROLE) if index.isValid() else None
    return row.lesson_id if isinstance(row, LessonRow) else ""
