"""What a person cites for a clip: lines of the transcript, and stretches of picture."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QSizePolicy, QVBoxLayout, QWidget

from app.coding.pick import SEEN_HERE
from app.coding.records import Citation
from app.lesson.spans import show_time
from views.common.controls import page_button, scrolling
from views.common.widgets import button
from views.common.words import citation_words

ROWS_IN_SIGHT = 2.5
"""Citations in sight before the list scrolls; the half tells that there are more."""


class Cites(QWidget):
    """The citations of the clip in view, each with a button that takes it out.

    Signals:
        lines_wanted: The chosen lines of the transcript are to be cited.
        seen_wanted: What is seen from the playhead on is to be cited.
        removed: The place of a citation to take out, from 0.
        described: The place of a stretch of picture, and what was typed of it.
    """

    lines_wanted = Signal()
    seen_wanted = Signal()
    removed = Signal(int)
    described = Signal(int, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: tuple[Citation, ...] | None = None
        self.rows: list[QWidget] = []
        self._inside = QWidget()
        self._list = QVBoxLayout(self._inside)
        self._list.setContentsMargins(0, 0, 4, 0)
        self._list.setSpacing(2)
        self._area = scrolling(self._inside, "What you cite")
        lines = page_button("Cite line", "Cite the chosen lines of the transcript", "Q")
        seen = page_button("Seen here", "Cite what is seen from the playhead; set its end", "W")
        seen.setToolTip("Cite what is seen from the playhead on (W); Shift+W sets where it ends")
        lines.clicked.connect(self.lines_wanted)
        seen.clicked.connect(self.seen_wanted)
        row = QHBoxLayout()
        row.addWidget(lines)
        row.addWidget(seen)
        row.addStretch()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(3)
        column.addLayout(row)
        column.addWidget(self._area)
        self.show_cites(())

    def show_cites(self, cites: Sequence[Citation]) -> None:
        """Replace the citations; what is being typed of one is left alone."""
        if tuple(cites) == self._shown:
            return
        self._shown = tuple(cites)
        for row in self.rows:
            self._list.removeWidget(row)
            row.hide()
            row.deleteLater()
        self.rows = [self._row(place, cited) for place, cited in enumerate(cites)]
        for row in self.rows:
            self._list.addWidget(row)
        self._area.setVisible(bool(cites))
        self.fit_text()

    def fit_text(self) -> None:
        """Take the height of the citations, up to a few lines."""
        row_px = max((row.sizeHint().height() for row in self.rows), default=0)
        row_px += self._list.spacing()
        self._area.setFixedHeight(int(row_px * min(len(self.rows), ROWS_IN_SIGHT)) + 2)

    def _row(self, place: int, cited: Citation) -> QWidget:
        made = QWidget()
        row = QHBoxLayout(made)
        row.setContentsMargins(0, 0, 0, 0)
        if cited.seen:
            end = show_time(cited.end_ms, tenths=True)
            row.addWidget(QLabel(f"{show_time(cited.start_ms, tenths=True)} to {end}"))
            row.addWidget(self._field(place, cited), 1)
        else:
            row.addWidget(_one_line(citation_words(cited)), 1)
        gone = button("×", f"Take out {citation_words(cited)}", "Take this citation out")
        gone.setStyleSheet("padding: 1px 7px;")
        gone.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        gone.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        gone.clicked.connect(lambda _on=False: self.removed.emit(place))
        row.addWidget(gone)
        return made

    def _field(self, place: int, cited: Citation) -> QLineEdit:
        field = QLineEdit("" if cited.seen == SEEN_HERE else cited.seen)
        field.setPlaceholderText("What is seen")
        field.setAccessibleName(f"What is seen at {show_time(cited.start_ms)}")
        field.editingFinished.connect(lambda: self._describe(place, field))
        return field

    def _describe(self, place: int, field: QLineEdit) -> None:
        # Leaving a field untouched is no change; nor is the field of a row that has gone.
        if self._shown is None or place >= len(self._shown) or not field.isModified():
            return
        field.setModified(False)
        self.described.emit(place, field.text())


def _one_line(words: str) -> QLabel:
    """Show as much of the words as fits on one line; all of them are in the tool tip."""
    made = QLabel(words)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
    made.setToolTip(words)
    return made
