"""What the practices, levels and marks mean, in one place a reviewer can keep open."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QVBoxLayout,
    QWidget,
)

from app.coding.practices import Practice
from app.coding.records import Check
from views.common.controls import scrolling, text_label
from views.common.signs import CHECK_SIGNS, PracticeBadge, Sign, SignMark
from views.common.words import CHECK_WORDS, WRONG_REASON


class Legend(QDialog):
    """Explains the four practices with their levels, and the marks on evidence.

    Args:
        practices: The practices.
        parent: The window it stands before.
        more: Further marks: a sample, its name, and what it means.
    """

    def __init__(
        self,
        practices: Sequence[Practice],
        parent: QWidget | None = None,
        *,
        more: Sequence[tuple[QWidget, str, str]] = (),
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Practices and marks")
        self.setModal(False)
        inside = QWidget()
        self._grid = QGridLayout(inside)
        self._grid.setColumnStretch(1, 1)
        self._add_practices(practices)
        self._add_marks()
        for mark, title, told in more:
            self._add(mark, title, told)
        self._grid.setRowStretch(self._grid.rowCount(), 1)
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        close.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addWidget(scrolling(inside, "Practices and marks", by_keys=True), 1)
        column.addWidget(close)
        self.resize(560, 560)

    def bring(self) -> None:
        """Open it, in front of the window."""
        self.show()
        self.raise_()

    def _add_practices(self, practices: Sequence[Practice]) -> None:
        for practice in practices:
            badge = PracticeBadge()
            badge.show_practice(practice.id)
            levels = "\n".join(f"{lv.level}: {lv.title}. {lv.descriptor}" for lv in practice.levels)
            self._add(badge, practice.title, f"{practice.descriptor}\n{levels}")

    def _add_marks(self) -> None:
        for check in Check:
            mark = SignMark(CHECK_SIGNS[check], check.value)
            words = CHECK_WORDS[check]
            self._add(mark, f"{words[0].upper()}{words[1:]}", "")
        flag = f"{WRONG_REASON[0].upper()}{WRONG_REASON[1:]}"
        self._add(SignMark(Sign.WARNING, flag), f"{flag} On the timeline: !", FLAG_TOLD)
        self._add(QWidget(), "What the marks are made from", MARKS_TOLD)

    def _add(self, mark: QWidget, title: str, told: str) -> None:
        row = self._grid.rowCount()
        words = QVBoxLayout()
        words.addWidget(text_label(title, bold=True))
        if told:
            words.addWidget(text_label(told))
        words.setContentsMargins(0, 0, 0, 8)
        self._grid.addWidget(mark, row, 0, Qt.AlignmentFlag.AlignTop)
        self._grid.addLayout(words, row, 1)


FLAG_TOLD = (
    "Asked again, the model named the same practice with its evidence masked, and not from that "
    "evidence alone. The label may rest on something else; look at it with care."
)
MARKS_TOLD = (
    "Every quote is looked up in the transcript of its clip. Only verified and close quotes count "
    "as support. A clip with a dashed edge on the timeline has not been decided on."
)
