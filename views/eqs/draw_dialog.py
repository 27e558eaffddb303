"""Drawing outputs to rate: which set, which models, how many; what would be short is said first."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QListWidget,
    QListWidgetItem,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from app.benchmark.eqs import plan_draw, rateable
from app.benchmark.eqs_words import USUAL_MODELS, models_words
from app.benchmark.records import CodedSet, Given
from app.errors import ClerestoryError
from app.scoring.eqs_draw import PER_CELL
from app.scoring.intervals import SEED
from views.common.controls import scrolling, text_label
from views.common.words import coder_words

MOST_PER_CELL = 200
RATERS_TOLD = (
    "Two different people rate, each alone and under their own name (Ctrl+U): the first two who "
    "rate a case of this draw. Best are people who did not code these clips."
)


class DrawDialog(QDialog):
    """Asks what to draw.

    Args:
        sets: Sets of coded clips, the last one offered first.
        given_of: Gives what coders said of the clips of a set.
    """

    def __init__(
        self,
        sets: Sequence[CodedSet],
        given_of: Callable[[int], Sequence[Given]],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._sets, self._given_of = tuple(sets), given_of
        self._given: Sequence[Given] = ()
        self.setWindowTitle("Draw outputs to rate")
        self.setMinimumSize(620, 480)
        self.set_box, self.coders = QComboBox(), QListWidget()
        self.per_cell, self.seed = QSpinBox(), QSpinBox()
        self.told = text_label()
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.draw = self._buttons.addButton("Draw", QDialogButtonBox.ButtonRole.AcceptRole)
        self._lay_out()
        self.set_box.currentIndexChanged.connect(lambda _place: self._show_set())
        self.coders.itemChanged.connect(lambda _item: self._plan())
        for spin in (self.per_cell, self.seed):
            spin.valueChanged.connect(lambda _value: self._plan())
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)
        self.set_box.setCurrentIndex(len(self._sets) - 1)
        self._show_set()

    @property
    def coded(self) -> CodedSet:
        """The set chosen."""
        return self._sets[self.set_box.currentIndex()]

    @property
    def chosen(self) -> tuple[str, ...]:
        """The coders chosen."""
        items = [self.coders.item(at) for at in range(self.coders.count())]
        return tuple(
            item.data(Qt.ItemDataRole.UserRole)
            for item in items
            if item.checkState() is Qt.CheckState.Checked
        )

    def _show_set(self) -> None:
        self._given = self._given_of(self.coded.set_id)
        self.coders.blockSignals(True)
        self.coders.clear()
        for place, (coder, (right, wrong)) in enumerate(rateable(self.coded, self._given).items()):
            name = coder if coder_words(coder) == coder else f"{coder_words(coder)} ({coder})"
            item = QListWidgetItem(f"{name}: {right} right, {wrong} wrong")
            item.setData(Qt.ItemDataRole.UserRole, coder)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            on = place < USUAL_MODELS
            item.setCheckState(Qt.CheckState.Checked if on else Qt.CheckState.Unchecked)
            self.coders.addItem(item)
        self.coders.blockSignals(False)
        if self.coders.count():
            self.coders.setCurrentRow(0)
        self._plan()

    def _plan(self) -> None:
        """Say what would be drawn."""
        chosen = self.chosen
        self.draw.setEnabled(len(chosen) >= USUAL_MODELS)
        if self.coders.count() < USUAL_MODELS:
            self.told.setText(
                "Two models that have answered this set are needed. Run them over it first, on the "
                "Benchmarks page."
            )
            return
        if len(chosen) < USUAL_MODELS:
            self.told.setText("Choose two models (Space).")
            return
        try:
            plan = plan_draw(
                self.coded,
                self._given,
                chosen,
                per_cell=self.per_cell.value(),
                seed=self.seed.value(),
            )
        except ClerestoryError as error:
            self.draw.setEnabled(False)
            self.told.setText(f"{error.message} {error.hint}")
            return
        told = [f"{len(plan.outputs)} outputs would be drawn.", models_words(len(chosen))]
        told += [f"Short: {shortage}." for shortage in plan.shortages] or ["Nothing is short."]
        self.told.setText("\n".join(filter(None, told)))

    def _lay_out(self) -> None:
        self.set_box.addItems([f"{one.name}, {len(one.clips)} clips" for one in self._sets])
        self.set_box.setAccessibleName("Set of coded clips")
        self.coders.setAccessibleName("Models; Space chooses one")
        self.per_cell.setRange(1, MOST_PER_CELL)
        self.per_cell.setValue(PER_CELL)
        self.per_cell.setAccessibleName("Right ones of each model, and as many wrong ones")
        self.seed.setRange(0, 2**31 - 1)
        self.seed.setValue(SEED)
        self.seed.setAccessibleName("Seed; the same one draws the same outputs again")
        form = QFormLayout()
        form.addRow("Set", self.set_box)
        form.addRow("Models", self.coders)
        form.addRow("Right and wrong of each", self.per_cell)
        form.addRow("Seed", self.seed)
        column = QVBoxLayout(self)
        column.addLayout(form, 2)
        column.addWidget(text_label(RATERS_TOLD))
        column.addWidget(scrolling(self.told, "What would be drawn", by_keys=True), 1)
        column.addWidget(self._buttons)
