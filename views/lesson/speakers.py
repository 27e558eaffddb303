"""The list of speakers: rename them everywhere, and say who is the teacher."""

from __future__ import annotations

from collections import Counter

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QLabel,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from app.coding.review import LessonReview
from app.lesson.transcript.records import Role
from views.common.controls import scrolling, text_label
from views.common.words import ROLE_WORDS, count_words


class SpeakersDialog(QDialog):
    """Shows each speaker with name and role; changes hold at once and can be undone.

    Signals:
        renamed: A speaker's name and the new one.
        role_picked: A speaker and the role chosen.
    """

    renamed = Signal(str, str)
    role_picked = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Speakers")
        self.setModal(False)
        self._inside = QWidget()
        self._grid = QGridLayout(self._inside)
        self._grid.setColumnStretch(0, 1)
        self._rows: dict[str, tuple[QLineEdit, QComboBox, QLabel]] = {}
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        close.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addWidget(
            text_label(
                "A new name holds for all lines of that speaker. Giving two speakers the same name "
                "makes one of them. Ctrl+Z undoes it."
            )
        )
        column.addWidget(scrolling(self._inside, "Speakers"), 1)
        column.addWidget(close)
        self.resize(460, 340)

    def show_speakers(self, review: LessonReview) -> None:
        """Show the speakers as they stand."""
        lines = review.transcript.utterances if review.transcript else ()
        counts = Counter(line.speaker for line in lines if line.speaker)
        if set(counts) != set(self._rows):
            self._rebuild(counts)
        for speaker, (name, role, told) in self._rows.items():
            name.setText(speaker)
            role.setCurrentIndex(role.findData(review.roles.get(speaker, Role.UNKNOWN).value))
            told.setText(count_words(counts[speaker], "line"))

    def _rebuild(self, counts: Counter[str]) -> None:
        while (item := self._grid.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self._rows.clear()
        if not counts:
            self._grid.addWidget(text_label("The transcript names no speakers."), 0, 0)
        for row, (speaker, _count) in enumerate(counts.most_common()):
            name, role, told = QLineEdit(), QComboBox(), QLabel()
            name.setAccessibleName(f"Name of {speaker}")
            role.setAccessibleName(f"Role of {speaker}")
            for one in Role:
                role.addItem(ROLE_WORDS[one], one.value)
            name.editingFinished.connect(
                lambda who=speaker, field=name: self._rename(who, field.text().strip())
            )
            role.activated.connect(
                lambda _at, who=speaker, box=role: self.role_picked.emit(who, box.currentData())
            )
            for column, widget in enumerate((name, role, told)):
                self._grid.addWidget(widget, row, column)
            self._rows[speaker] = (name, role, told)
        self._grid.setRowStretch(len(counts) + 1, 1)

    def _rename(self, old: str, new: str) -> None:
        if new and new != old:
            self.renamed.emit(old, new)
        elif not new:
            self._rows[old][0].setText(old)
