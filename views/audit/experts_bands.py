"""Where a response is scored by its rubric: first the band, then its lower or upper point."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QApplication,
    QButtonGroup,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.audit.items import Band, Rubric
from views.common.case_shell import Picker
from views.common.controls import text_label
from views.common.theme import current_theme
from views.common.widgets import button

BANDS = 5
HOW = "First the band (1 to 5), then its lower or upper point (L or U)."
POINTS = (("Lower point", "L"), ("Upper point", "U"))


class BandRow(QFrame):
    """One band: what a response in it does, and, once it is chosen, its two points.

    Signals:
        chosen: The band was chosen.
        pointed: One of its points was; whether it is the upper one.
    """

    chosen = Signal()
    pointed = Signal(bool)

    def __init__(self, number: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._number = number
        self._is_chosen = False
        self.band = button(str(number), f"Band {number}", f"Choose band {number}", str(number))
        self.band.setCheckable(True)
        self.band.setFixedWidth(30)
        self._words, self._told = text_label(), text_label(bold=True)
        self.points = tuple(button(words, words, words, key, stays=True) for words, key in POINTS)
        self._group = QButtonGroup(self)
        pressed = QHBoxLayout()
        for place, point in enumerate(self.points):
            self._group.addButton(point, place)
            pressed.addWidget(point)
        grid = QGridLayout(self)
        grid.setContentsMargins(8, 4, 8, 4)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(1, 1)
        grid.addWidget(self.band, 0, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(self._words, 0, 1)
        grid.addWidget(self._told, 1, 1)
        grid.addLayout(pressed, 2, 1)
        self.band.clicked.connect(self.chosen)
        self._group.idClicked.connect(lambda place: self.pointed.emit(place == 1))

    def show_band(self, band: Band, told: str) -> None:
        """Show what a band asks, and who placed the response in it; empty for nobody."""
        self._words.setText(f"{band.low}–{band.high}  {band.text}")
        self._told.setText(told)
        self._told.setVisible(bool(told))
        name = f"Band {self._number}, {band.low} to {band.high}: {band.text} {told}".rstrip()
        self.band.setAccessibleName(name)
        for point, (words, _), score in zip(
            self.points, POINTS, (band.low, band.high), strict=True
        ):
            point.setText(f"{words}: {score}")
            point.setAccessibleName(f"{words} of band {self._number}: {score}")

    def choose(self, *, on: bool, upper: bool | None) -> None:
        """Show whether the band is chosen, and which of its points."""
        self._is_chosen = on
        self.band.setChecked(on)
        self._group.setExclusive(False)
        for place, point in enumerate(self.points):
            point.setVisible(on)
            point.setChecked(on and upper is not None and place == int(upper))
        self._group.setExclusive(True)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw a frame, a thicker one around the band that is chosen."""
        super().paintEvent(event)
        theme = current_theme()
        width = 2 if self._is_chosen else 1
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(theme.accent if self._is_chosen else theme.line), width))
        edge = width / 2 + 0.5
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(edge, edge, -edge, -edge), 4, 4)


class BandPicker(Picker):
    """A rubric with its five bands, from which a score of 1 to 10 is picked."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rubric: Rubric | None = None
        self._may_pick = True
        self.band: int | None = None
        """1 to 5; `None` while none is chosen."""
        self.upper: bool | None = None
        """Whether it is the upper point; `None` while none is chosen."""
        self._title, self._about, self._stands = text_label(bold=True), text_label(), text_label()
        self.rows = tuple(BandRow(number) for number in range(1, BANDS + 1))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 4, 0)
        column.setSpacing(4)
        for widget in (self._title, self._about, self._stands, *self.rows):
            column.addWidget(widget)
        column.addStretch()
        for number, row in enumerate(self.rows, 1):
            row.chosen.connect(lambda at=number: self._choose(at))
            row.pointed.connect(self.point)

    @property
    def score(self) -> int | None:
        """1 to 10; `None` while band or point is missing."""
        if self._rubric is None or self.band is None or self.upper is None:
            return None
        band = self._rubric.bands[self.band - 1]
        return band.high if self.upper else band.low

    def show_rubric(
        self,
        rubric: Rubric,
        band: int | None,
        upper: bool | None,
        told: Mapping[int, str],
    ) -> None:
        """Show another rubric with what is picked.

        Args:
            rubric: Of the item's family or strategy.
            band: Chosen so far.
            upper: The point chosen so far.
            told: What is said of a band, by its number: who placed the response there.
        """
        self._rubric = rubric
        self._title.setText(f"Rubric: {rubric.title}")
        self._about.setText(rubric.about)
        for number, (row, each) in enumerate(zip(self.rows, rubric.bands, strict=True), 1):
            row.show_band(each, told.get(number, ""))
        self._set(band, upper)

    def let_pick(self, *, on: bool) -> None:
        """Let a score be picked, or only be read."""
        self._may_pick = on

    def pick(self, number: int) -> None:
        """Choose a band by its key; once more, its lower point, and again the upper one."""
        if number == self.band:
            self.point(self.upper is False)
            return
        # First, as the points of the band before are about to go, which may hold the keyboard.
        self._follow(self.rows[number - 1].band)
        self._choose(number)

    def point(self, upper: bool) -> None:
        """Choose a point of the band that is chosen."""
        if not self._may_pick or self.band is None:
            self._set(self.band, self.upper)
            return
        self._set(self.band, upper)
        self._follow(self.rows[self.band - 1].points[int(upper)])
        self.scored.emit()

    def bring(self) -> None:
        """Put the keyboard on the band that is chosen, else on the lowest."""
        self.rows[(self.band or 1) - 1].band.setFocus(Qt.FocusReason.TabFocusReason)

    def _choose(self, number: int) -> None:
        if not self._may_pick or number == self.band:
            self._set(self.band, self.upper)
            return
        self._set(number, None)
        self.scored.emit()

    def _follow(self, picked: QPushButton) -> None:
        """Let the keyboard go along with what is picked, so that it is read out."""
        focused = QApplication.focusWidget()
        if focused is not None and self.isAncestorOf(focused):
            picked.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _set(self, band: int | None, upper: bool | None) -> None:
        self.band, self.upper = band, upper
        for number, row in enumerate(self.rows, 1):
            row.choose(on=number == band, upper=upper)
        self._stands.setText(self._standing())
        self.went.emit(self._title if band is None else self.rows[band - 1])

    def _standing(self) -> str:
        if self.band is None:
            return HOW
        if self.score is None:
            return f"Band {self.band}. Now its lower or upper point (L or U)."
        return f"Score {self.score}."
