"""The lines of a transcript as a table that Qt can show: time, speaker, words."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from app.lesson.spans import show_time
from app.lesson.transcript.records import Flag, Role, Utterance
from views.common.words import FLAG_WORDS, ROLE_WORDS

Index = QModelIndex | QPersistentModelIndex

LINE_ROLE = Qt.ItemDataRole.UserRole
REMARK_ROLE = Qt.ItemDataRole.UserRole + 1
NOW_ROLE = Qt.ItemDataRole.UserRole + 2


FEW_ROWS = 40


TOLD_ONCE = {
    Flag.NO_END: "No line has an end of its own; each reaches to the next.",
    Flag.NO_TIME: "No line has a time.",
}
"""What is said once above the transcript when it holds of every line."""


def common_flags(lines: Sequence[Utterance]) -> frozenset[Flag]:
    """Give the doubts that every line shares, so that no line need repeat them."""
    if len(lines) < 2:
        return frozenset()
    shared = frozenset(lines[0].flags).intersection(*(line.flags for line in lines[1:]))
    return shared & frozenset(TOLD_ONCE)


class Column(IntEnum):
    """Columns of the transcript."""

    TIME = 0
    SPEAKER = 1
    WORDS = 2


HEADS = {Column.TIME: "Time", Column.SPEAKER: "Speaker", Column.WORDS: "What is said"}


class Lines(QAbstractTableModel):
    """A transcript, with the lines that are cited and the one being spoken.

    Signals:
        text_typed: A line's number and the words typed for it.
        speaker_typed: A line's number and the speaker typed for it.
        looks_changed: Lines are to be painted anew; none has become taller.
    """

    text_typed = Signal(int, str)
    speaker_typed = Signal(int, str)
    looks_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lines: tuple[Utterance, ...] = ()
        self._common: frozenset[Flag] = frozenset()
        self._roles: dict[str, Role] = {}
        self._cited: dict[int, str] = {}
        self._clip_lines = range(0)
        self._starts: list[int] = []
        self._start_rows: list[int] = []
        self._now = -1

    def show_lines(self, lines: Sequence[Utterance], roles: Mapping[str, Role]) -> bool:
        """Replace the lines; says whether any of them changed."""
        before, before_roles = self._lines, self._roles
        if before == tuple(lines) and before_roles == roles:
            return False
        is_same_length = len(lines) == len(before)
        if not is_same_length:
            self.beginResetModel()
            self._now = -1
        self._lines, self._roles = tuple(lines), dict(roles)
        self._common = common_flags(self._lines)
        timed = sorted((u.start_ms, row) for row, u in enumerate(lines) if u.start_ms is not None)
        self._starts = [start for start, _ in timed]
        self._start_rows = [row for _, row in timed]
        if is_same_length:
            same_roles = before_roles == roles
            self._rows_changed(
                [
                    row
                    for row, (old, new) in enumerate(zip(before, self._lines, strict=True))
                    if old != new
                    or not (same_roles or before_roles.get(old.speaker) == roles.get(new.speaker))
                ]
            )
        else:
            self.endResetModel()
        return True

    def show_cited(self, cited: Mapping[int, str], clip_lines: range) -> None:
        """Mark the lines that the evidence in view cites, and those inside the clip.

        Args:
            cited: Word on the check, by number of the line.
            clip_lines: Numbers of the lines of the clip in view.
        """
        if self._cited == cited and self._clip_lines == clip_lines:
            return
        touched = {n for n in {*self._cited, *cited} if self._cited.get(n) != cited.get(n)}
        self._cited, self._clip_lines = dict(cited), clip_lines
        self._rows_changed([row for row, u in enumerate(self._lines) if u.number in touched])
        self.looks_changed.emit()

    def set_position(self, time_ms: int) -> int:
        """Mark the line spoken at a moment; gives its row, or -1 when it did not change."""
        place = bisect_right(self._starts, time_ms) - 1
        row = self._start_rows[place] if place >= 0 else -1
        if row == self._now:
            return -1
        before, self._now = self._now, row
        for changed in (before, row):
            if changed >= 0:
                self._row_changed(changed)
        return row

    def row_of(self, number: int) -> int:
        """Find the row of a line by its number; -1 when there is none."""
        return next((row for row, u in enumerate(self._lines) if u.number == number), -1)

    def line_at(self, row: int) -> Utterance | None:
        """Give the line in a row."""
        return self._lines[row] if 0 <= row < len(self._lines) else None

    def rows_with(self, words: str) -> list[int]:
        """Find the rows in which words stand, however they are written large or small."""
        wanted = words.casefold()
        return [
            row
            for row, u in enumerate(self._lines)
            if wanted in u.text.casefold() or wanted in u.speaker.casefold()
        ]

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        """Count the rows."""
        return 0 if parent.isValid() else len(self._lines)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        """Count the columns."""
        return 0 if parent.isValid() else len(Column)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Name a column."""
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return HEADS[Column(section)]
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Give what Qt asks of a row."""
        if not index.isValid():
            return None
        line, column = self._lines[index.row()], Column(index.column())
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return self._cell(line, column)
        if role == LINE_ROLE:
            return line
        if role == REMARK_ROLE:
            return self._remark(line) if column is Column.WORDS else self._role_word(line, column)
        if role == NOW_ROLE:
            return index.row() == self._now
        if role == Qt.ItemDataRole.AccessibleTextRole:
            remark = self._remark(line) if column is Column.WORDS else ""
            return f"{self._cell(line, column)}. {remark}" if remark else self._cell(line, column)
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Hand on what was typed; the row changes once it is stored."""
        line, typed = self._lines[index.row()], str(value).strip()
        if index.column() == Column.WORDS and typed != line.text:
            self.text_typed.emit(line.number, typed)
            return True
        if index.column() == Column.SPEAKER and typed != line.speaker:
            self.speaker_typed.emit(line.number, typed)
            return True
        return False

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Say which cells can be typed over."""
        usual = super().flags(index) | Qt.ItemFlag.ItemNeverHasChildren
        return usual if index.column() == Column.TIME else usual | Qt.ItemFlag.ItemIsEditable

    def _cell(self, line: Utterance, column: Column) -> str:
        if column is Column.TIME:
            return show_time(line.start_ms)
        return line.speaker if column is Column.SPEAKER else line.text

    def _role_word(self, line: Utterance, column: Column) -> str:
        role = self._roles.get(line.speaker)
        known = column is Column.SPEAKER and role is not None and role is not Role.UNKNOWN
        return ROLE_WORDS[role] if known and role is not None else ""

    def _remark(self, line: Utterance) -> str:
        remarks = [f"cited: {self._cited[line.number]}"] if line.number in self._cited else []
        told = [FLAG_WORDS[flag] for flag in line.flags if flag not in self._common]
        return " · ".join([*remarks, *told])

    def is_cited(self, line: Utterance) -> bool:
        """Say whether the evidence in view cites a line."""
        return line.number in self._cited

    def is_in_clip(self, line: Utterance) -> bool:
        """Say whether a line belongs to the clip in view."""
        return line.number in self._clip_lines

    def _row_changed(self, row: int) -> None:
        self.dataChanged.emit(self.index(row, 0), self.index(row, len(Column) - 1))

    def _rows_changed(self, rows: Sequence[int]) -> None:
        """Tell of changed rows; the view measures each row it is told of, so many are one."""
        if len(rows) > FEW_ROWS:
            self.layoutChanged.emit()
            return
        for row in rows:
            self._row_changed(row)
