"""“How far to trust this coder”: a coder beside people's decisions, in a drawing and in words."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QGridLayout, QLabel, QStackedLayout, QVBoxLayout, QWidget

from app.coding.calibration import Trust
from views.common.controls import TextLabel, text_label
from views.common.widgets import EmptyState
from views.trust.plot import ReliabilityPlot
from views.trust.words import (
    HOW_TO_READ,
    SOURCE_WORDS,
    beside_words,
    bin_words,
    error_words,
    no_plot_words,
    plot_words,
    rests_words,
    set_words,
    share_words,
)

TITLE = "How far to trust this coder"
NOTHING = (
    "Nothing to compare yet",
    "Once people have decided on clips that a coder has coded, it says here how often the coder "
    "was right. Code a lesson, decide on its clips, best before seeing the suggestions, and come "
    "back.",
)


class TrustPanel(QWidget):
    """Shows one coder at a time.

    Signals:
        chosen: Another coder was chosen: its name.
    """

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._trusts: dict[str, Trust] = {}
        self.setAccessibleName(TITLE)
        self._coder = QComboBox()
        self._coder.setAccessibleName("Coder")
        self._coder.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self._coder.setMinimumContentsLength(20)
        self._coder.currentTextChanged.connect(self._choose)
        self.plot = ReliabilityPlot()
        self._rests, self._beside = text_label(), text_label()
        self._right, self._sure, self._error, self._set = (text_label() for _ in range(4))
        self._why, self._points = text_label(), text_label()
        self._read = text_label(HOW_TO_READ)
        self._lay_out()
        self.show_trusts(())

    def show_trusts(self, trusts: Sequence[Trust]) -> None:
        """Show other figures; the coder in view stays in view where it is still there."""
        self._trusts = {trust.coder: trust for trust in trusts}
        before = self._coder.currentText()
        self._coder.blockSignals(True)
        self._coder.clear()
        self._coder.addItems(list(self._trusts))
        if before in self._trusts:
            self._coder.setCurrentText(before)
        self._coder.blockSignals(False)
        self._pages.setCurrentIndex(1 if self._trusts else 0)
        self._show()

    def show_coder(self, coder: str) -> None:
        """Bring a coder into view, if there is anything about it."""
        if coder in self._trusts:
            self._coder.setCurrentText(coder)

    @property
    def told(self) -> str:
        """Everything that is shown of the coder in view, as words to copy."""
        labels = (self._rests, self._right, self._sure, self._error, self._set)
        more = (self._why, self._points, self._beside)
        return "\n".join(label.text() for label in (*labels, *more) if label.text())

    def _choose(self, coder: str) -> None:
        self._show()
        self.chosen.emit(coder)

    def _show(self) -> None:
        trust = self._trusts.get(self._coder.currentText())
        if trust is None:
            return
        _say(self._rests, rests_words(trust))
        _say(self._beside, beside_words(trust))
        _say(self._right, share_words(trust.right))
        _say(self._sure, f"{SOURCE_WORDS[trust.source]}." if trust.source else "–")
        _say(self._error, error_words(trust))
        _say(self._set, set_words(trust))
        filled = [bin_words(one) for one in trust.bins if one.n]
        self.plot.setVisible(bool(filled))
        self._read.setVisible(bool(filled))
        self.plot.show_bins(trust.bins, plot_words(trust))
        _say(self._why, "" if filled else no_plot_words(trust))
        _say(self._points, "\n".join(filled))

    def _lay_out(self) -> None:
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(text_label(TITLE, bold=True, larger=1.15))
        column.addWidget(self._coder)
        column.addWidget(self._rests)
        column.addLayout(self._figures())
        for part in (self._why, self.plot, self._points, self._read, self._beside):
            column.addWidget(part)
        column.addStretch()
        self._pages = QStackedLayout(self)
        self._pages.addWidget(EmptyState(*NOTHING))
        self._pages.addWidget(inside)

    def _figures(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setColumnStretch(1, 1)
        grid.setHorizontalSpacing(12)
        for row, (name, value) in enumerate(
            (
                ("Right", self._right),
                ("How sure it is", self._sure),
                ("Calibration", self._error),
                ("Sets", self._set),
            )
        ):
            value.setAccessibleName(name)
            grid.addWidget(QLabel(name), row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(value, row, 1)
        return grid


def _say(label: TextLabel, text: str) -> None:
    label.setText(text)
    label.setVisible(bool(text))
