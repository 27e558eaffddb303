"""Judges beside experts: the figures, whether pass shares may be shown, and the cases behind."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QSizePolicy,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from app.audit.audit_judge_tables import calibrations_table
from app.audit.calibration import Calibration
from app.audit.held_against import HeldAgainst
from views.benchmarks.table import TableView
from views.common.controls import scrolling, text_label
from views.common.widgets import EmptyState
from views.common.words import count_words

LEAST_LINES = 9
"""Of a list, however small the window is; the page scrolls then."""
WHY_EMPTY = "Nothing that experts scored was scored by these judges."
ABOUT = (
    "What experts agreed on counts, else the mean of what each gave. A judge is the same in all "
    "audits of this library as long as its model, prompt, decoding and rubrics are; what experts "
    "said in any of them counts here."
)
ONE_EXPERT = (
    "Only one person has scored: nobody knows how far two would agree, which is the most that a "
    "judge can be held to. Have a second person score."
)
NOBODY = "no expert has scored a response of this axis that this judge scored"
OTHER = " · of another audit"
MISSED = "MISSED: it passed what experts placed below the pass line"


class FiguresView(QWidget):
    """Shows how far each judge can be believed, or why that is not known.

    Signals:
        case_wanted: A case is to be opened: the numbers of its audit and response.
        asked: What is offered where there are no figures was chosen.
    """

    case_wanted = Signal(int, int)
    asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._found: Sequence[Calibration] = ()
        self._audit_id = 0
        self.table = TableView()
        self.table.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._about = text_label()
        self.verdicts = QListWidget()
        self.verdicts.setAccessibleName("Whether pass shares may be shown, by judge and axis")
        self._title = text_label(bold=True)
        self.cases = QListWidget()
        self.cases.setAccessibleName("Responses behind the figures. Enter opens one")
        for listed in (self.verdicts, self.cases):
            listed.setWordWrap(True)
            listed.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._empty = EmptyState("", "")
        self._pages = QStackedLayout(self)
        self._lay_out()
        self.verdicts.currentRowChanged.connect(self._show_cases)
        self.cases.itemActivated.connect(self._open)
        self._empty.asked.connect(self.asked)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Hand the keyboard to the verdicts."""
        if self._pages.currentIndex():
            self.verdicts.setFocus(event.reason())
        else:
            self._empty.focusNextChild()

    def show_nothing(self, title: str, text: str, action: str = "") -> None:
        """Say why there are no figures to see, and what to do."""
        self._empty.say(title, text, action)
        self._pages.setCurrentIndex(0)

    def show_waiting(self) -> None:
        """Say that figures are being worked out, unless earlier ones are in view."""
        if not self._pages.currentIndex():
            self.show_nothing("Counting…", "The judges are held against the experts.")

    def show_figures(self, found: Sequence[Calibration], audit_id: int) -> None:
        """Show the calibrations of an audit; what is chosen stays chosen."""
        self._audit_id = audit_id
        row = max(self.verdicts.currentRow(), 0)
        self._found = tuple(found)
        self.table.show_table(calibrations_table(found), WHY_EMPTY)
        self.fit_text()
        alone = any(one.pairs and not one.ceiling.responses for one in found)
        self._about.setText(f"{ABOUT} {ONE_EXPERT}" if alone else ABOUT)
        self.verdicts.blockSignals(True)
        self.verdicts.clear()
        self.verdicts.addItems([verdict_words(one) for one in found])
        self.verdicts.setCurrentRow(min(row, len(self._found) - 1))
        self.verdicts.blockSignals(False)
        self._show_cases()
        self._pages.setCurrentIndex(1)

    def fit_text(self) -> None:
        """Make room for all rows of the table and some lines of the lists, also in large text."""
        line = self.fontMetrics().lineSpacing()
        for listed in (self.verdicts, self.cases):
            listed.setMinimumHeight(LEAST_LINES * line)
        self.table.table.setFixedHeight((self.table.table.rowCount() + 2) * (line + 7))

    def _show_cases(self) -> None:
        before = self.cases.currentItem()
        chosen = before.data(Qt.ItemDataRole.UserRole) if before is not None else None
        place = self.verdicts.currentRow()
        one = self._found[place] if 0 <= place < len(self._found) else None
        pairs = sorted(one.pairs, key=_order) if one else []
        self.cases.clear()
        for pair in pairs:
            where = "" if pair.audit_id == self._audit_id else OTHER
            item = QListWidgetItem(f"{pair_words(pair)}{where}")
            item.setData(Qt.ItemDataRole.UserRole, pair)
            self.cases.addItem(item)
        if pairs:
            self.cases.setCurrentRow(pairs.index(chosen) if chosen in pairs else 0)
        missed = len(one.missed) if one else 0
        told = count_words(len(pairs), "response")
        self._title.setText(f"Behind it: {told}, {missed} missed. Enter opens one.")

    def _open(self, item: QListWidgetItem) -> None:
        pair = item.data(Qt.ItemDataRole.UserRole)
        if isinstance(pair, HeldAgainst):
            self.case_wanted.emit(pair.audit_id, pair.response_id)

    def _lay_out(self) -> None:
        said, behind, both = QWidget(), QWidget(), QHBoxLayout()
        for part, head, listed in (
            (said, text_label("May pass shares be shown?", bold=True), self.verdicts),
            (behind, self._title, self.cases),
        ):
            column = QVBoxLayout(part)
            column.setContentsMargins(0, 0, 0, 0)
            column.addWidget(head)
            column.addWidget(listed, 1)
            both.addWidget(part, 1)
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 4, 0, 0)
        column.addLayout(both, 1)
        column.addSpacing(6)
        column.addWidget(self.table)
        column.addWidget(self._about)
        self._pages.addWidget(self._empty)
        self._pages.addWidget(scrolling(inside, "Judges beside experts"))


def verdict_words(one: Calibration) -> str:
    """Say whether pass shares of a judge on an axis are shown, on what ground, and what to do."""
    who = f"{one.judge}, {one.axis.value}"
    recall = one.agreement.recall
    if not one.withheld:
        found = round((recall.value or 0) * recall.n)
        return f"✓ {who}: shown. It found {found} of the {recall.n} that experts placed below."
    why = one.withheld if one.pairs or one.is_changed else NOBODY
    return f"✗ {who}: withheld; {why}. {_next_step(one)}".rstrip()


def _next_step(one: Calibration) -> str:
    if one.is_changed:
        return ""
    if not one.pairs:
        return "Draw some above and score them."
    if one.agreement.recall.value is None:
        return "Draw more responses: half of a draw are such that a judge did not pass."
    return "Read what it missed, talk over what you differ on, or take another judge."


def pair_words(pair: HeldAgainst) -> str:
    """Write what a judge and experts gave a response, one that was missed saying so first."""
    judge = "no score" if pair.judge is None else f"{pair.judge:.1f}"
    alone = ", ".join(map(str, pair.own))
    told = f"judge {judge}, experts {pair.experts:g} (alone: {alone}) · {pair.item_id}"
    return f"{MISSED}\n{told}" if pair.missed else told


def _order(pair: HeldAgainst) -> tuple[bool, float]:
    """Put what was missed first, then what lies furthest apart."""
    return not pair.missed, -abs(pair.judge - pair.experts) if pair.judge is not None else 0.0
