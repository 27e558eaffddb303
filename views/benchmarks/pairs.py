"""Two conditions on the same clips: how often only one of them is right, and on which clips."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QComboBox, QGridLayout, QLabel, QVBoxLayout, QWidget

from app.benchmark.results import BenchmarkResults, Pair
from app.benchmark.words import show_figure, show_p
from app.scoring.figures import Figure
from views.common.controls import page_button, text_label
from views.common.words import coder_words, count_words

TOO_FEW = (
    "Two conditions that answered are needed. Run another coder, or the same model under another "
    "condition, over these clips."
)
SAME = "Choose two different conditions."
WAITING = "Working it out…"


class PairsView(QWidget):
    """Lets two conditions be chosen and says what sets them apart.

    Signals:
        wanted: Names of the two coders to be compared.
        clips_wanted: Whether the clips only the first got right are to be listed, or the second's.
    """

    wanted = Signal(str, str)
    clips_wanted = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.pair: Pair | None = None
        self.first, self.second = _choice("First condition"), _choice("Second condition")
        self.told = text_label()
        self._only = (
            page_button("Only the first", "List the clips that only the first got right"),
            page_button("Only the second", "List the clips that only the second got right"),
        )
        self.first.currentIndexChanged.connect(self._ask)
        self.second.currentIndexChanged.connect(self._ask)
        self._only[0].clicked.connect(lambda: self.clips_wanted.emit(True))
        self._only[1].clicked.connect(lambda: self.clips_wanted.emit(False))
        for made in self._only:
            made.hide()
        self._lay_out()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Hand the keyboard to the first choice."""
        self.first.setFocus(event.reason())

    def show_results(self, results: BenchmarkResults) -> None:
        """Offer the conditions there are, staying with those chosen."""
        names = [each.coder for each in results.conditions if each.has_answers]
        for box, place in ((self.first, 0), (self.second, 1)):
            chosen = box.currentData()
            box.blockSignals(True)
            box.clear()
            for name in names:
                box.addItem(coder_words(name), name)
            at = names.index(chosen) if chosen in names else min(place, len(names) - 1)
            box.setCurrentIndex(at)
            box.setEnabled(len(names) > 1)
            box.blockSignals(False)
        self._ask()

    def show_pair(self, pair: Pair) -> None:
        """Show a comparison, if it is the one asked for."""
        if (pair.one, pair.other) != (self.first.currentData(), self.second.currentData()):
            return
        self.pair = pair
        self.told.setText("\n".join(pair_words(pair)))
        for button, clips, who in zip(
            self._only, (pair.only_one, pair.only_other), ("first", "second"), strict=True
        ):
            words = f"Only the {who} right: {count_words(len(clips), 'clip')}"
            button.setText(words)
            button.setAccessibleName(words)
            button.setVisible(True)
            button.setEnabled(bool(clips))

    def _ask(self) -> None:
        one, other = self.first.currentData(), self.second.currentData()
        self.pair = None
        for button in self._only:
            button.hide()
        if self.first.count() < 2:
            self.told.setText(TOO_FEW)
        elif one == other:
            self.told.setText(SAME)
        else:
            self.told.setText(WAITING)
            self.wanted.emit(one, other)

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setColumnStretch(1, 1)
        for row, (words, box) in enumerate((("&First", self.first), ("&Second", self.second))):
            label = QLabel(words)
            label.setBuddy(box)
            grid.addWidget(label, row, 0)
            grid.addWidget(box, row, 1)
            grid.addWidget(self._only[row], row, 2)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(text_label("Two conditions on the same clips", bold=True))
        column.addLayout(grid)
        column.addWidget(self.told)
        column.addStretch()


def pair_words(pair: Pair) -> Sequence[str]:
    """Say in sentences how two conditions compare."""
    found = pair.comparison
    test = f"p = {show_p(found.test.p)}" if found.test.p is not None else f"– ({found.test.reason})"
    told = [
        f"{count_words(found.compared, 'clip')} answered by both: both right "
        f"{found.both_right}, both wrong {found.both_wrong}, only the first right "
        f"{found.only_one_right}, only the second right {found.only_other_right}.",
        f"Exact McNemar test, two-sided: {test.replace('= <', '<')}. It is not corrected for how "
        "many pairs are looked at.",
        f"Accuracy, first minus second: {_points(found.accuracy)}.",
        f"Macro-F1, first minus second: {_points(found.macro_f1)}.",
    ]
    failed = found.one_failed + found.other_failed + found.both_failed
    if failed or found.not_shared:
        told.append(
            f"Left out: {count_words(failed, 'clip')} on which one or both failed, "
            f"{count_words(found.not_shared, 'clip')} that only one was asked about."
        )
    return told


def _points(figure: Figure) -> str:
    if figure.value is None:
        return f"– ({figure.reason})"
    return f"{show_figure(figure, signed=True)} points (95% interval, n = {figure.n})"


def _choice(name: str) -> QComboBox:
    made = QComboBox()
    made.setAccessibleName(name)
    made.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    made.setMinimumContentsLength(24)
    return made
