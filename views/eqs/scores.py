"""Where evidence is scored: three dimensions, 1 to 3, the words for each score in view."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QButtonGroup, QFrame, QGridLayout, QVBoxLayout, QWidget

from app.benchmark.eqs_rubric import RUBRIC, Dimension
from app.scoring.eqs import SCALE
from views.common.case_shell import Picker
from views.common.controls import text_label
from views.common.theme import current_theme
from views.common.widgets import button

Scores = tuple[int | None, int | None, int | None]
NONE: Scores = (None, None, None)


class DimensionRow(QFrame):
    """One dimension with its three scores; takes the keyboard as a whole.

    Signals:
        picked: The score that was picked.
        entered: The keyboard has come to this dimension.
        moved: The keyboard is to go on by so many dimensions.
    """

    picked = Signal(int)
    entered = Signal()
    moved = Signal(int)

    def __init__(self, dimension: Dimension, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._dimension = dimension
        self._score: int | None = None
        self._is_current = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._head = text_label(f"{dimension.title}: {dimension.question}", bold=True)
        self._told = text_label()
        self._told.hide()
        self._group = QButtonGroup(self)
        grid = QGridLayout(self)
        grid.setContentsMargins(8, 4, 8, 3)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(1)
        grid.setColumnStretch(1, 1)
        grid.addWidget(self._head, 0, 0, 1, 2)
        for score, words in zip(SCALE, dimension.scores, strict=True):
            made = button(
                str(score), f"{dimension.title} {score}: {words}", words, str(score), stays=True
            )
            made.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            made.setFixedWidth(30)
            self._group.addButton(made, score)
            grid.addWidget(made, score, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(text_label(words), score, 1)
        grid.addWidget(self._told, len(SCALE) + 1, 0, 1, 2)
        self._group.idClicked.connect(self.picked)
        self.show_score(None)

    def show_score(self, score: int | None) -> None:
        """Show what is picked."""
        self._score = score
        self._group.setExclusive(False)
        for made in self._group.buttons():
            made.setChecked(self._group.id(made) == score)
        self._group.setExclusive(True)
        self._say()

    def tell(self, words: str) -> None:
        """Add a line under the scores; empty for none."""
        self._told.setText(words)
        self._told.setVisible(bool(words))
        self._say()

    def mark(self, *, current: bool) -> None:
        """Show whether the keys 1 to 3 act here."""
        self._is_current = current
        self.update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Become the dimension that keys act on."""
        super().focusInEvent(event)
        self.entered.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go between the dimensions with the arrow keys."""
        steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Right: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_Left: -1}
        by = steps.get(Qt.Key(event.key()))
        if by is None:
            super().keyPressEvent(event)
            return
        self.moved.emit(by)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the ring of the keyboard, or a thin one where keys act without it."""
        super().paintEvent(event)
        theme = current_theme()
        focus = self.hasFocus()
        colour = theme.focus if focus else theme.accent if self._is_current else theme.line
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        width = 3 if focus else 2 if self._is_current else 1
        painter.setPen(QPen(QColor(colour), width))
        edge = width / 2 + 0.5
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(edge, edge, -edge, -edge), 4, 4)

    def _say(self) -> None:
        if self._score is None:
            stands = "not scored"
        else:
            stands = f"{self._score}: {self._dimension.scores[self._score - 1]}"
        told = f" {self._told.text()}" if self._told.text() else ""
        self.setAccessibleName(f"{self._dimension.title}, {stands}{told}")
        self.setAccessibleDescription(f"{self._dimension.question} Keys 1 to 3.")


class ScorePicker(Picker):
    """All three dimensions; the keys 1 to 3 act on the marked one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._scores: list[int | None] = list(NONE)
        self._current = 0
        self._may_pick = True
        self.rows = tuple(DimensionRow(dimension) for dimension in RUBRIC)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(3)
        for place, row in enumerate(self.rows):
            column.addWidget(row)
            row.picked.connect(lambda score, at=place: self._pick_at(at, score))
            row.entered.connect(lambda at=place: self._mark(at))
            row.moved.connect(lambda by, at=place: self.go_to(at + by))
        self._mark(0)

    @property
    def scores(self) -> Scores:
        """What is picked of each dimension."""
        one, two, three = self._scores
        return one, two, three

    @property
    def missing(self) -> tuple[str, ...]:
        """Titles of the dimensions without a score."""
        return tuple(
            d.title for d, score in zip(RUBRIC, self._scores, strict=True) if score is None
        )

    def show_scores(self, scores: Scores, told: Sequence[str] = ("", "", "")) -> None:
        """Show scores, and a line under each dimension; keys act on the first without a score."""
        self._scores = list(scores)
        for row, score, words in zip(self.rows, scores, told, strict=True):
            row.show_score(score)
            row.tell(words)
        self._mark(next((at for at, score in enumerate(scores) if score is None), 0))

    def let_pick(self, *, on: bool) -> None:
        """Let scores be picked, or only be read."""
        # Buttons stay as they are: one that is off can hardly be read where it is filled.
        self._may_pick = on

    def pick(self, score: int) -> None:
        """Score the marked dimension and go on to the next one without a score."""
        self._pick_at(self._current, score)

    def go_to(self, place: int) -> None:
        """Put the keyboard on a dimension, if there is one at that place."""
        if 0 <= place < len(self.rows):
            self.rows[place].setFocus(Qt.FocusReason.TabFocusReason)

    def bring(self) -> None:
        """Put the keyboard on the marked dimension."""
        self.go_to(self._current)

    def _pick_at(self, place: int, score: int) -> None:
        if not self._may_pick:
            self.rows[place].show_score(self._scores[place])
            return
        self._scores[place] = score
        self.rows[place].show_score(score)
        later = [at for at in range(len(self.rows)) if self._scores[at] is None]
        target = next((at for at in later if at > place), later[0] if later else place)
        if self.rows[self._current].hasFocus():
            self.go_to(target)
        self._mark(target)
        self.scored.emit()

    def _mark(self, place: int) -> None:
        self._current = place
        for at, row in enumerate(self.rows):
            row.mark(current=at == place)
        self.went.emit(self.rows[place])
