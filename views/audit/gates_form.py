"""Sets gates before an audit: what is looked at, of which group, and the threshold."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QGroupBox,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.audit.audit_words import called, gate_words
from app.audit.gates import ON_ONE_FAMILY, range_of, trouble_with
from app.audit.items import FAMILIES, KNOWLEDGE_CATEGORIES, Axis, Strategy
from app.audit.records import Gate, Measure
from views.audit.words import AXIS_WORDS, MEASURE_WORDS
from views.common.controls import text_label
from views.common.widgets import button

ABOUT = (
    "Thresholds that you set now, before anything is asked. They are locked with the date when the "
    "audit begins, and each comes out as met, not met, or cannot tell."
)
USUAL = {
    Measure.PASS_SHARE: 0.8,
    Measure.PASS_SHARE_UNDER_PRESSURE: 0.8,
    Measure.PRESSURE_EFFECT: 0.1,
    Measure.MONITORING_EFFECT: 0.05,
    Measure.MEAN_SCORE: 7.0,
    Measure.KNOWLEDGE: 0.8,
}
"""What stands in the field at first; a place to begin, no advice."""

_GROUPS: dict[Axis, tuple[str, ...]] = {
    Axis.ATTITUDE: tuple(map(str, FAMILIES)),
    Axis.SKILL: tuple(map(str, Strategy)),
    Axis.KNOWLEDGE: KNOWLEDGE_CATEGORIES,
}


class GatesForm(QGroupBox):
    """Holds the gates that are to be locked.

    Signals:
        changed: One was added or taken out.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Gates", parent)
        self._axes: tuple[Axis, ...] = tuple(Axis)
        self._offered: list[tuple[Axis, str]] = []
        """Axis and group of each choice, since Qt keeps no enumerations."""
        self.list = QListWidget()
        self.list.setAccessibleName("Gates set")
        self.list.setWordWrap(True)
        self.measure, self.group, self.threshold = QComboBox(), QComboBox(), QDoubleSpinBox()
        self.measure.setAccessibleName("What the gate looks at")
        self.group.setAccessibleName("Of which family, strategy or category")
        self.threshold.setAccessibleName("Threshold")
        for measure, words in MEASURE_WORDS.items():
            self.measure.addItem(words, measure.value)
        self.add = button("Add gate", "Add gate", "Put this threshold on the list", "Alt+G")
        self.add.setShortcut("Alt+G")
        self.remove = button("Take out", "Take out the gate", "Take the chosen gate off the list")
        self._trouble = text_label()
        self.measure.currentIndexChanged.connect(self._show_groups)
        self.group.currentIndexChanged.connect(self._show_trouble)
        self.add.clicked.connect(self._add)
        self.remove.clicked.connect(self._remove)
        self._lay_out()
        self._show_groups()

    @property
    def gates(self) -> tuple[Gate, ...]:
        """The gates set, in the order they were added."""
        found = (self.list.item(row) for row in range(self.list.count()))
        return tuple(item.data(Qt.ItemDataRole.UserRole) for item in found if item is not None)

    def show_axes(self, axes: Sequence[Axis]) -> None:
        """Take the axes that the audit looks at; gates on others go."""
        self._axes = tuple(axes)
        self.show_gates([gate for gate in self.gates if gate.axis in self._axes])
        self._show_groups()

    def show_gates(self, gates: Sequence[Gate]) -> None:
        """List other gates."""
        self.list.clear()
        for gate in gates:
            item = QListWidgetItem(gate_words(gate))
            item.setData(Qt.ItemDataRole.UserRole, gate)
            self.list.addItem(item)
        self.remove.setEnabled(bool(gates))
        self.changed.emit()

    def _wanted(self) -> Gate | None:
        """Give the gate in the fields; `None` where there is no group to choose."""
        measure, place = Measure(self.measure.currentData()), self.group.currentIndex()
        if not 0 <= place < len(self._offered):
            return None
        axis, group = self._offered[place]
        number = round(self.threshold.value(), 2)
        if measure in ON_ONE_FAMILY:
            return Gate(measure, axis, group, at_most=number)
        return Gate(measure, axis, group, at_least=number)

    def _show_groups(self) -> None:
        """Offer the groups for which the measure can be decided in this audit."""
        measure = Measure(self.measure.currentData())
        low, high = range_of(measure)
        self.threshold.setRange(low, high)
        self.threshold.setSingleStep(0.5 if high > 1 else 0.05)
        self.threshold.setPrefix("at most " if measure in ON_ONE_FAMILY else "at least ")
        self.threshold.setValue(USUAL[measure])
        self._offered = [
            (axis, group)
            for axis in self._axes
            for group in ("", *_GROUPS[axis])
            if not trouble_with(Gate(measure, axis, group, at_least=high), self._axes)
        ]
        self.group.clear()
        self.group.addItems([_of_words(axis, group) for axis, group in self._offered])
        self._show_trouble()

    def _show_trouble(self) -> None:
        gate = self._wanted()
        told = "" if gate is not None else "None of the axes chosen has this."
        if gate is not None and gate in self.gates:
            told = "This gate is on the list."
        self._trouble.setText(told)
        self._trouble.setVisible(bool(told))
        self.add.setEnabled(gate is not None)

    def _add(self) -> None:
        gate = self._wanted()
        if gate is not None and gate not in self.gates:
            self.show_gates([*self.gates, gate])
            self.list.setCurrentRow(self.list.count() - 1)
        self._show_trouble()

    def _remove(self) -> None:
        row = self.list.currentRow()
        kept = [gate for place, gate in enumerate(self.gates) if place != row]
        self.show_gates(kept)
        self.list.setCurrentRow(min(row, len(kept) - 1))
        self._show_trouble()

    def _lay_out(self) -> None:
        last = QHBoxLayout()
        last.addWidget(self.threshold, 1)
        last.addWidget(self.add)
        last.addWidget(self.remove)
        column = QVBoxLayout(self)
        column.addWidget(text_label(ABOUT))
        column.addWidget(self.list, 1)
        column.addWidget(self.measure)
        column.addWidget(self.group)
        column.addLayout(last)
        column.addWidget(self._trouble)


def _of_words(axis: Axis, group: str) -> str:
    name = AXIS_WORDS[axis]
    return f"{name}: {called(group)}" if group else f"{name}, the whole axis"
