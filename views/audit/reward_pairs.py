"""The pairs that stand, each to be read whole, and to be taken back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from app.audit.audit_words import called
from app.audit.reward_records import Pair
from app.audit.reward_words import flaw_words, who_words
from views.audit.sheet import Line, Sheet, head, quote, text
from views.common.controls import page_button, text_label
from views.common.words import count_words

NO_PAIRS = "No pair stands here yet. Make one, bring some in, or look at our starter pairs."


class PairsView(QWidget):
    """Lists pairs.

    Signals:
        withdraw_wanted: The number of a pair that is to be taken back.
        bring_wanted, write_wanted: Pairs are to come from a file, or to go into one.
    """

    withdraw_wanted = Signal(int)
    bring_wanted = Signal()
    write_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._own: tuple[Pair, ...] = ()
        self._starter: tuple[Pair, ...] = ()
        self._titles: Mapping[str, str] = {}
        self.list = QListWidget()
        self.sheet = Sheet("The pair chosen")
        self.with_starter = QCheckBox("Starter pairs too, not expert-edited")
        self.withdraw = page_button("Withdraw", "Take the pair back: it teaches no model", "Delete")
        self.bring = page_button("Bring in…", "Bring in pairs from a file (JSON Lines)")
        self.write = page_button("Write out…", "Write the pairs listed into a file (JSON Lines)")
        self._count = text_label()
        self._lay_out()
        self._connect()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Hand the keyboard to the list."""
        self.list.setFocus(event.reason())

    @property
    def shown(self) -> Pair | None:
        """The pair in view."""
        row = self.list.currentItem()
        found = row.data(Qt.ItemDataRole.UserRole) if row is not None else None
        return found if isinstance(found, Pair) else None

    def show_pairs(
        self, own: Sequence[Pair], starter: Sequence[Pair], titles: Mapping[str, str]
    ) -> None:
        """List other pairs, the newest first and ours last."""
        self._own, self._starter, self._titles = tuple(own), tuple(starter), titles
        self._fill()

    def ask_to_withdraw(self) -> None:
        """Ask to take back the pair in view; starter pairs cannot be."""
        if self.shown is not None and self.shown.pair_id:
            self.withdraw_wanted.emit(self.shown.pair_id)

    def _fill(self) -> None:
        place = self.list.currentRow()
        listed = [*reversed(self._own), *(self._starter if self.with_starter.isChecked() else ())]
        self.list.blockSignals(True)
        self.list.clear()
        for pair in listed:
            row = QListWidgetItem(f"{pair.item_id}\n{flaw_words(pair.flaw)}; {who_words(pair)}")
            row.setData(Qt.ItemDataRole.UserRole, pair)
            self.list.addItem(row)
        self.list.setCurrentRow(min(max(place, 0), len(listed) - 1))
        self.list.blockSignals(False)
        more = f", {len(self._starter)} starter pairs" if self.with_starter.isChecked() else ""
        self._count.setText(f"{count_words(len(self._own), 'pair')} of yours{more}")
        self.write.setEnabled(bool(listed))
        self._show()

    def _show(self) -> None:
        pair = self.shown
        self.withdraw.setEnabled(pair is not None and bool(pair.pair_id))
        self.sheet.show_lines(_lines(pair, self._titles) if pair else [text(NO_PAIRS)])

    def _lay_out(self) -> None:
        self.list.setAccessibleName("Pairs")
        self.list.setWordWrap(True)
        left = QWidget()
        on_left = QVBoxLayout(left)
        on_left.setContentsMargins(0, 0, 4, 0)
        for widget in (self.with_starter, self.list, self._count):
            on_left.addWidget(widget, 1 if widget is self.list else 0)
        both = QSplitter(Qt.Orientation.Horizontal)
        both.setChildrenCollapsible(False)
        for part, width in ((left, 260), (self.sheet, 360)):
            part.setMinimumWidth(width)
            both.addWidget(part)
        both.setSizes([320, 560])
        both.setStretchFactor(1, 1)
        below = QHBoxLayout()
        for button in (self.withdraw, self.bring, self.write):
            below.addWidget(button)
        below.addStretch()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 6, 0, 0)
        column.addWidget(both, 1)
        column.addLayout(below)

    def _connect(self) -> None:
        self.list.currentItemChanged.connect(lambda _now, _before: self._show())
        self.with_starter.toggled.connect(lambda _on: self._fill())
        self.withdraw.clicked.connect(self.ask_to_withdraw)
        self.bring.clicked.connect(self.bring_wanted)
        self.write.clicked.connect(self.write_wanted)


def _lines(pair: Pair, titles: Mapping[str, str]) -> list[Line]:
    strategy = called(pair.strategy, titles) if pair.strategy else "no strategy named"
    who = who_words(pair)
    return [
        text(f"{pair.item_id}: {strategy}. {who[:1].upper()}{who[1:]}."),
        text(f"What is wrong: {flaw_words(pair.flaw)}."),
        head("Prompt"),
        quote(pair.prompt),
        head("Better"),
        quote(pair.chosen),
        head("Worse"),
        quote(pair.rejected),
    ]
