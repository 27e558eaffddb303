"""What is known of the reward model, and what it says of tutors where it may rank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QCheckBox, QComboBox, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from app.audit.records import Audit
from app.audit.reward_model import FEWEST_ITEMS
from app.audit.reward_records import KeptModel, Pair, PairOrigin
from app.audit.reward_words import (
    NOT_EDITED,
    figure_rows,
    group_rows,
    made_words,
    taught_by,
    verdict_words,
    win_words,
)
from app.reward_desk import Held
from views.audit.sheet import Line, Sheet, head, strong, text
from views.common.controls import page_button, text_label
from views.common.words import count_words

ABOUT = (
    "A reward model puts the better of two responses higher. It is taught by pairs and tried on "
    "items that it never saw. One that goes by length or tone is refused, however many pairs it "
    "tells apart."
)
NO_MODEL = "No reward model has been trained here."
NO_AUDIT = "No audit here asked for skill"


class ModelView(QWidget):
    """Shows the newest model.

    Signals:
        train_wanted: A model is to be taught; whether by our starter pairs too.
        hold_wanted: The number of an audit whose tutor is to be held against better responses.
    """

    train_wanted = Signal(bool)
    hold_wanted = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines: list[Line] = []
        self._may_rank = self._is_running = False
        self._own: set[str] = set()
        self._all: set[str] = set()
        """Items that pairs are about: yours alone, and with the starter pairs."""
        self.sheet = Sheet("The reward model")
        self.with_starter = QCheckBox("Our starter pairs too, not expert-edited")
        self.train = page_button("Train", "Teach a model by the pairs and try it")
        self.audits = QComboBox()
        self.hold = page_button("Compare", "Say how often the tutor is put above the better answer")
        self._enough = text_label()
        self._lay_out()
        self._connect()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Hand the keyboard to the sheet."""
        self.sheet.setFocus(event.reason())

    def show_pairs(self, own: Sequence[Pair], starter: Sequence[Pair]) -> None:
        """Say whether there are pairs enough."""
        self._own = {pair.item_id for pair in own}
        self._all = self._own | {pair.item_id for pair in starter}
        self._say_enough()

    def show_audits(self, audits: Sequence[Audit]) -> None:
        """Offer the audits that asked for skill, the newest first."""
        before = self.audits.currentData()
        self.audits.clear()
        for audit in sorted(audits, key=lambda one: -one.audit_id):
            self.audits.addItem(f"{audit.plan.tutor.name}, “{audit.plan.title}”", audit.audit_id)
        if not audits:
            self.audits.addItem(NO_AUDIT)
        self.audits.setCurrentIndex(max(self.audits.findData(before), 0))
        self._enable()

    def show_model(self, kept: KeptModel | None, titles: Mapping[str, str]) -> None:
        """Show what is known of a model."""
        self._may_rank = kept is not None and kept.model.may_rank
        self._lines = model_lines(kept, titles)
        self.sheet.show_lines(self._lines)
        self._enable()

    def show_held(self, name: str, held: Held, titles: Mapping[str, str]) -> None:
        """Show what the model says of a tutor above what is known of it."""
        self.sheet.show_lines([*held_lines(name, held, titles), *self._lines])

    def show_training(self, is_running: bool) -> None:
        """Show whether a model is being taught."""
        self.train.setText("Training…" if is_running else "Train")
        self._is_running = is_running
        self._say_enough()

    def _say_enough(self) -> None:
        items = self._all if self.with_starter.isChecked() else self._own
        is_enough = len(items) >= FEWEST_ITEMS
        self.train.setEnabled(is_enough and not self._is_running)
        told = f"Pairs of {count_words(len(items), 'item')}"
        self._enough.setText(f"{told}." if is_enough else f"{told}; {FEWEST_ITEMS} are needed.")

    def _enable(self) -> None:
        self.hold.setEnabled(self._may_rank and self.audits.currentData() is not None)

    def _lay_out(self) -> None:
        self.audits.setAccessibleName("Audit whose tutor is compared")
        self.audits.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        taught, held = QHBoxLayout(), QHBoxLayout()
        taught.addWidget(self.with_starter, 1)
        taught.addWidget(self._enough, 1)
        taught.addWidget(self.train)
        held.addWidget(self.audits, 1)
        held.addWidget(self.hold)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 6, 0, 0)
        column.addWidget(text_label(ABOUT))
        column.addLayout(taught)
        column.addWidget(self.sheet, 1)
        column.addLayout(held)

    def _connect(self) -> None:
        self.with_starter.toggled.connect(lambda _on: self._say_enough())
        self.train.clicked.connect(lambda: self.train_wanted.emit(self.with_starter.isChecked()))
        self.hold.clicked.connect(lambda: self.hold_wanted.emit(self.audits.currentData()))
        self.audits.currentIndexChanged.connect(lambda _place: self._enable())


def model_lines(kept: KeptModel | None, titles: Mapping[str, str]) -> list[Line]:
    """Write all that is known of a model, the verdict first."""
    if kept is None:
        return [text(NO_MODEL)]
    model = kept.model
    first, *why = verdict_words(model)
    is_starter = dict(model.provenance).get(f"pairs {PairOrigin.STARTER}", "0") != "0"
    mark = [strong(f"Rests on {NOT_EDITED}.")] if is_starter else []
    return [
        head(made_words(kept)),
        strong(first),
        *map(text, why),
        *mark,
        text(taught_by(model)),
        head("On items that it never saw"),
        *(
            text(f"{what}: {figure} ({beside})")
            for what, figure, beside in figure_rows(model.figures)
        ),
        head("By strategy and flaw"),
        *(text(f"{name}: {figure}") for name, figure in group_rows(model.figures, titles)),
    ]


def held_lines(name: str, held: Held, titles: Mapping[str, str]) -> list[Line]:
    """Write how often a tutor was put above the better responses."""
    beside = f" {held.beside} are in no rate: they failed or have no better response."
    return [
        head(f"{name} against the better responses"),
        strong(f"Put above them: {win_words(held.rates.overall)}"),
        *(
            text(f"{titles.get(strategy, strategy)}: {win_words(figure)}")
            for strategy, figure in held.rates.by_strategy
        ),
        text(
            f"{held.against_edits} were held against experts’ edits, the others against ours that "
            f"should pass.{beside if held.beside else ''}"
        ),
    ]
