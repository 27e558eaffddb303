"""The items of a bank in a list that can be narrowed down."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QGridLayout,
    QListWidget,
    QListWidgetItem,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.audit.audit_words import item_name
from app.audit.items import Axis
from app.audit.reviewing_items import ItemStanding
from views.audit.item_lines import standing_words
from views.audit.words import AXIS_WORDS, title_of
from views.common.controls import text_label
from views.common.words import count_words

ALL_AXES, ALL_GROUPS = "All axes", "All groups"
ONLY_OPEN = "Only those not reviewed"


class ItemsList(QWidget):
    """Lists items by what they are and where they stand.

    Signals:
        chosen: Another item is in view, or none.
    """

    chosen = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._standings: tuple[ItemStanding, ...] = ()
        self.axes, self.groups = QComboBox(), QComboBox()
        self.only_open = QCheckBox(ONLY_OPEN)
        self.list = QListWidget()
        self._count = text_label()
        self._lay_out()
        self.axes.currentIndexChanged.connect(self._axis_changed)
        self.groups.currentIndexChanged.connect(self._fill)
        self.only_open.toggled.connect(self._fill)
        self.list.currentItemChanged.connect(lambda _now, _before: self.chosen.emit())

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Hand the keyboard to the list."""
        self.list.setFocus(event.reason())

    @property
    def standings(self) -> tuple[ItemStanding, ...]:
        """All items of the bank, also those that are not listed now."""
        return self._standings

    @property
    def shown(self) -> ItemStanding | None:
        """The item in view."""
        row = self.list.currentItem()
        found = row.data(Qt.ItemDataRole.UserRole) if row is not None else None
        return found if isinstance(found, ItemStanding) else None

    def show_items(self, standings: Sequence[ItemStanding]) -> None:
        """List the items of a bank, at the one in view if it is among them."""
        self._standings = tuple(standings)
        axes = [axis for axis in Axis if any(s.item.axis is axis for s in standings)]
        _refill(self.axes, [(ALL_AXES, "")] + [(AXIS_WORDS[axis], str(axis)) for axis in axes])
        self._fill_groups()
        self._fill()

    def update_item(self, standing: ItemStanding) -> None:
        """Show an item as it stands now; it stays in the list, also where others are hidden."""
        self._standings = tuple(
            standing if s.item.item_id == standing.item.item_id else s for s in self._standings
        )
        for place in range(self.list.count()):
            row = self.list.item(place)
            if row.data(Qt.ItemDataRole.UserRole).item.item_id == standing.item.item_id:
                _write(row, standing)
        self._say_count()

    def to_next_open(self) -> bool:
        """Go to the next item that nobody reviewed, also one above; says whether there is one."""
        count, here = self.list.count(), self.list.currentRow()
        for step in range(1, count + 1):
            place = (here + step) % count
            if self.list.item(place).data(Qt.ItemDataRole.UserRole).latest is None:
                self.list.setCurrentRow(place)
                return True
        return False

    def step(self, by: int) -> None:
        """Go up or down the list."""
        place = self.list.currentRow() + by
        if 0 <= place < self.list.count():
            self.list.setCurrentRow(place)

    def _axis_changed(self) -> None:
        self._fill_groups()
        self._fill()

    def _fill_groups(self) -> None:
        axis = self.axes.currentData()
        groups = dict.fromkeys(
            s.item.group for s in self._standings if axis in ("", str(s.item.axis))
        )
        _refill(self.groups, [(ALL_GROUPS, "")] + [(title_of(group), group) for group in groups])

    def _fill(self) -> None:
        before = self.shown
        axis, group = self.axes.currentData(), self.groups.currentData()
        self.list.blockSignals(True)
        self.list.clear()
        place = 0
        for standing in self._standings:
            item = standing.item
            fits = axis in ("", str(item.axis)) and group in ("", item.group)
            if fits and not (self.only_open.isChecked() and standing.latest is not None):
                if before is not None and before.item.item_id == item.item_id:
                    place = self.list.count()
                row = QListWidgetItem()
                _write(row, standing)
                self.list.addItem(row)
        self.list.setCurrentRow(place if self.list.count() else -1)
        self.list.blockSignals(False)
        self._say_count()
        self.chosen.emit()

    def _say_count(self) -> None:
        rows = [self.list.item(n).data(Qt.ItemDataRole.UserRole) for n in range(self.list.count())]
        left = sum(row.latest is None for row in rows)
        self._count.setText(f"{count_words(len(rows), 'item')}, {left} not reviewed")

    def _lay_out(self) -> None:
        for box, name in ((self.axes, "Axis"), (self.groups, "Family, strategy or category")):
            box.setAccessibleName(name)
            box.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.list.setAccessibleName("Items")
        self.list.setUniformItemSizes(True)
        # The number of an item stands at the end of its name.
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        narrow = QGridLayout()
        narrow.addWidget(self.axes, 0, 0)
        narrow.addWidget(self.groups, 0, 1)
        narrow.setColumnStretch(0, 2)
        narrow.setColumnStretch(1, 3)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 4, 0)
        column.addLayout(narrow)
        column.addWidget(self.only_open)
        column.addWidget(self.list, 1)
        column.addWidget(self._count)


def _write(row: QListWidgetItem, standing: ItemStanding) -> None:
    sign, _, words = standing_words(standing).partition(" ")
    name = item_name(standing.item)
    row.setText(f"{sign}  {name}")
    row.setToolTip(words)
    # A sign is read out as anything, or not at all.
    spoken = f"{name}, {words}"
    row.setData(Qt.ItemDataRole.AccessibleTextRole, spoken)
    row.setData(Qt.ItemDataRole.UserRole, standing)


def _refill(box: QComboBox, entries: Sequence[tuple[str, str]]) -> None:
    """Offer other choices, at the one chosen before if it is still there."""
    before = box.currentData()
    box.blockSignals(True)
    box.clear()
    for words, value in entries:
        box.addItem(words, value)
    box.setCurrentIndex(max(box.findData(before), 0))
    box.blockSignals(False)
