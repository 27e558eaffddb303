"""Chooses a model for a seat in an audit, and says whose model it is at heart."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from app.answering import EngineChoice
from app.audit.families import family_of
from views.common.controls import text_label


class SeatBox(QWidget):
    """One model and its family.

    Args:
        what: What the seat is, e.g. `Tutor`.
        engines: Models that may be asked; those that cannot say why.
        none: What stands first when the seat may stay empty; empty when it may not.

    Signals:
        changed: Another model or family.
    """

    changed = Signal()

    def __init__(
        self,
        what: str,
        engines: Sequence[EngineChoice],
        none: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._engines = tuple(engines)
        self.model, self.family = QComboBox(), QLineEdit()
        self.model.setAccessibleName(what)
        self.family.setAccessibleName(f"Family of the {what.lower()}")
        self.family.setPlaceholderText("family, if known")
        self.family.setToolTip("Whose model it is at heart, e.g. qwen: to see a judge prefer it")
        self.family.setMaximumWidth(150)
        self._about = text_label()
        if none:
            self.model.addItem(none, "")
        for engine in self._engines:
            self.model.addItem(engine.title, engine.name)
        self._grey_out(1 if none else 0)
        self.model.currentIndexChanged.connect(self._chosen)
        self.family.textChanged.connect(self.changed)
        row = QHBoxLayout()
        row.addWidget(self.model, 1)
        row.addWidget(self.family)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(row)
        column.addWidget(self._about)
        self._choose_ready(1 if none else 0)
        self._chosen()

    @property
    def engine(self) -> EngineChoice | None:
        """The model chosen; `None` for an empty seat."""
        name = self.model.currentData()
        return next((engine for engine in self._engines if engine.name == name), None)

    @property
    def name(self) -> str:
        """The model chosen, by its name here; empty when none is, or when it cannot be asked."""
        engine = self.engine
        return engine.name if engine is not None and engine.is_ready else ""

    @property
    def family_named(self) -> str:
        """Its family, as guessed or corrected; empty when not known."""
        return self.family.text().strip().casefold()

    def choose(self, name: str) -> None:
        """Choose a model by its name."""
        place = self.model.findData(name)
        if place >= 0:
            self.model.setCurrentIndex(place)

    def _choose_ready(self, first: int) -> None:
        ready = (n for n, engine in enumerate(self._engines, first) if engine.is_ready)
        self.model.setCurrentIndex(0 if first else next(ready, 0))

    def _grey_out(self, first: int) -> None:
        shown = self.model.model()
        if not isinstance(shown, QStandardItemModel):
            return
        for place, engine in enumerate(self._engines, first):
            item = shown.item(place)
            item.setEnabled(engine.is_ready)
            item.setToolTip(engine.trouble)

    def _chosen(self) -> None:
        engine = self.engine
        with QSignalBlocker(self.family):
            self.family.setText(family_of(engine.name, engine.title) if engine else "")
        self.family.setEnabled(engine is not None)
        told = ""
        if engine is not None:
            away = f"Words leave this computer for {engine.goes_to}." if engine.leaves else ""
            told = engine.trouble or away
        self._about.setText(told)
        self._about.setVisible(bool(told))
        self.changed.emit()
