"""How far two sides agree: a table of figures, and the clips behind the one chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QSplitter,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.coding.people import Side
from app.coding.people_rows import ClipLine, FigureRow
from app.scoring.figures import Figure
from views.common.controls import page_button, text_label
from views.common.words import coder_words

HEADS = ("Figure", "Value", "95 % interval", "n", "What to know")
WAITING = "…"


@dataclass(frozen=True, slots=True)
class Asked:
    """A comparison as it was asked for."""

    first: Side
    second: Side
    only_blind: bool


@dataclass(frozen=True, slots=True)
class Worked:
    """A comparison worked out."""

    asked: Asked
    rows: tuple[FigureRow, ...]
    clips: dict[str, ClipLine]
    """The clips behind the figures, by key."""
    everybody: Figure
    """Alpha of the practice over all people at once."""


class FiguresView(QWidget):
    """Lets two sides be chosen and shows what is found of them.

    Signals:
        wanted: A comparison that is to be worked out, `Asked`.
        clip_opened: A lesson and the moment of the clip, or -1.
        clips_listed: Lesson and clip of each whose codes are listed now.
        export_wanted: The table is to be saved.
    """

    wanted = Signal(object)
    clip_opened = Signal(str, int)
    clips_listed = Signal(list)
    export_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.worked: Worked | None = None
        self._may_show = frozenset[str]()
        self._first, self._second = QComboBox(), QComboBox()
        self._only_blind = QCheckBox("Only codes set before seeing any label")
        self._told = text_label()
        self.table = QTableWidget(0, len(HEADS))
        self._clips_told = text_label()
        self.clips = QListWidget()
        self._export = page_button("Save as CSV…", "Save the table for a spreadsheet")
        self._set_up()
        self._lay_out()
        self._connect()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Hand the keyboard to the table."""
        self.table.setFocus(event.reason())

    def showEvent(self, event: QShowEvent) -> None:
        """Tell of the codes that come into sight."""
        self._show_clips()

    @property
    def asked(self) -> Asked | None:
        """The comparison chosen; `None` while there are no two sides."""
        first, second = self._first.currentData(), self._second.currentData()
        if first is None or second is None or first == second:
            return None
        return Asked(first, second, self._only_blind.isChecked())

    def show_sides(self, sides: Sequence[Side], may_show: frozenset[str]) -> None:
        """Offer the people and coders there are, staying with those chosen.

        Args:
            sides: People and coders.
            may_show: Keys of the clips whose codes the reviewer may see.
        """
        self._may_show = may_show
        for box, place in ((self._first, 0), (self._second, 1)):
            chosen = box.currentData()
            box.clear()
            for side in sides:
                box.addItem(_side_words(side), side)
            at = list(sides).index(chosen) if chosen in sides else min(place, len(sides) - 1)
            box.setCurrentIndex(at)
        self._ask()

    def show_worked(self, worked: Worked) -> None:
        """Show what was found of the comparison chosen."""
        if worked.asked != self.asked:
            return
        row = self.table.currentRow()
        self.worked = worked
        self._fill(worked.rows)
        self.table.setCurrentCell(max(1, min(row, self.table.rowCount() - 1)), 0)
        self._told.setText(_everybody_words(worked.everybody))
        self._export.setEnabled(True)
        self._show_clips()

    def _ask(self) -> None:
        self.worked = None
        self._export.setEnabled(False)
        self.clips.clear()
        self._clips_told.setText("")
        asked = self.asked
        if asked is None:
            self.table.setRowCount(0)
            self._told.setText(
                "Two different people or coders are needed. Each codes under their own name."
            )
            return
        self._told.setText("Working the figures out…")
        for row in range(self.table.rowCount()):
            for column in range(1, len(HEADS)):
                item = self.table.item(row, column)
                if item is not None:
                    item.setText(WAITING)
        self.wanted.emit(asked)

    def _fill(self, rows: Sequence[FigureRow]) -> None:
        self.table.blockSignals(True)
        self.table.clearSpans()
        self.table.setRowCount(0)
        part = ""
        for row in rows:
            if row.part != part:
                part = row.part
                self._add_part(part)
            self._add_row(row)
        self.table.blockSignals(False)

    def _add_part(self, part: str) -> None:
        place = self.table.rowCount()
        self.table.insertRow(place)
        item = QTableWidgetItem(part)
        font = item.font()
        font.setBold(True)
        item.setFont(font)
        item.setFlags(Qt.ItemFlag.ItemIsEnabled)
        self.table.setItem(place, 0, item)
        self.table.setSpan(place, 0, 1, len(HEADS))

    def _add_row(self, row: FigureRow) -> None:
        place = self.table.rowCount()
        self.table.insertRow(place)
        for column, text in enumerate(cells(row)):
            item = QTableWidgetItem(text)
            item.setData(Qt.ItemDataRole.UserRole, row)
            item.setToolTip(text)
            if 0 < column < len(HEADS) - 1:
                item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self.table.setItem(place, column, item)

    def _show_clips(self) -> None:
        self.clips.clear()
        item = self.table.item(self.table.currentRow(), 0)
        row = item.data(Qt.ItemDataRole.UserRole) if item is not None else None
        if self.worked is None or not isinstance(row, FigureRow):
            self._clips_told.setText("Choose a figure to see the clips behind it.")
            return
        keys = [key for key in row.clips if key in self._may_show]
        hidden = len(row.clips) - len(keys)
        left = f" {hidden} are left out, as you have not coded them yet (blind mode)."
        self._clips_told.setText(
            f"Clips behind “{row.name}”: {len(keys)}, those that differ first. Enter opens one."
            + (left if hidden else "")
        )
        listed = []
        for key in keys:
            line = self.worked.clips[key]
            made = QListWidgetItem(line.words)
            made.setData(Qt.ItemDataRole.UserRole, line)
            self.clips.addItem(made)
            listed.append((line.lesson_id, line.clip_id))
        if listed and self.isVisible():
            self.clips_listed.emit(listed)

    def _open(self, item: QListWidgetItem) -> None:
        line: ClipLine = item.data(Qt.ItemDataRole.UserRole)
        self.clip_opened.emit(line.lesson_id, -1 if line.start_ms is None else line.start_ms)

    def _set_up(self) -> None:
        self.table.setHorizontalHeaderLabels(HEADS)
        self.table.verticalHeader().hide()
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setTabKeyNavigation(False)
        self.table.setShowGrid(False)
        self.table.setAccessibleName("Figures of agreement")
        head = self.table.horizontalHeader()
        for column in range(len(HEADS) - 1):
            head.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        head.setSectionResizeMode(len(HEADS) - 1, QHeaderView.ResizeMode.Stretch)
        self.clips.setAccessibleName("Clips behind the figure")
        self._first.setAccessibleName("First person or coder")
        self._second.setAccessibleName("Second person or coder")
        for box in (self._first, self._second):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        for widget in (self._first, QLabel("and"), self._second, self._only_blind):
            head.addWidget(widget)
        head.addStretch()
        head.addWidget(self._export)
        below = QWidget()
        on_below = QVBoxLayout(below)
        on_below.setContentsMargins(0, 0, 0, 0)
        on_below.addWidget(self._clips_told)
        on_below.addWidget(self.clips, 1)
        both = QSplitter(Qt.Orientation.Vertical)
        both.addWidget(self.table)
        both.addWidget(below)
        both.setSizes([430, 190])
        both.setChildrenCollapsible(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 0)
        column.addLayout(head)
        column.addWidget(self._told)
        column.addWidget(both, 1)

    def _connect(self) -> None:
        self._first.activated.connect(lambda _place: self._ask())
        self._second.activated.connect(lambda _place: self._ask())
        self._only_blind.toggled.connect(lambda _on: self._ask())
        self.table.itemSelectionChanged.connect(self._show_clips)
        self.clips.itemActivated.connect(self._open)
        self._export.clicked.connect(self.export_wanted)


def cells(row: FigureRow) -> tuple[str, str, str, str, str]:
    """Write a row as people read it; an en dash with the reason where there is no value."""
    figure = row.figure
    n = f"{figure.n} {row.of}"
    if figure.value is None:
        reason = f"{figure.reason[0].upper()}{figure.reason[1:]}."
        return row.name, "–", "–", n, f"{reason} {row.about}".strip()
    low_high = (figure.interval.low, figure.interval.high) if figure.interval else ()
    span = " to ".join(_number(end, row.is_share) for end in low_high)
    return row.name, _number(figure.value, row.is_share), span or "–", n, row.about


def _number(value: float, is_share: bool) -> str:
    return f"{value * 100:.1f} %" if is_share else f"{value:.2f}"


def _side_words(side: Side) -> str:
    return f"{coder_words(side.name)} ({side.name})" if side.is_coder else side.name


def _everybody_words(figure: Figure) -> str:
    if figure.value is None:
        return f"All people at once, practice: Krippendorff alpha – ({figure.reason})."
    low, high = (figure.interval.low, figure.interval.high) if figure.interval else (0.0, 0.0)
    return (
        f"All people at once, practice: Krippendorff alpha {figure.value:.2f} "
        f"({low:.2f} to {high:.2f}, {figure.n} clips coded by two or more)."
    )
