"""Lets a person choose which coders run over a set of coded clips, and under which conditions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QGroupBox,
    QHBoxLayout,
    QLabel,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from app.answering import EngineChoice
from app.benchmark.keyword_rule import NAME as KEYWORD_RULE
from app.benchmark.run import Wish
from app.coding.conditions import EVIDENCE_FINDER, CoderChoice, Condition, Input, Prompting
from views.common.controls import scrolling, text_label
from views.common.widgets import button
from views.common.words import count_words

PLAIN = {
    EVIDENCE_FINDER: "The evidence finder",
    KEYWORD_RULE: "The keyword rule (a floor to measure against)",
}
INPUT_WORDS = {
    Input.T: "Words alone (T)",
    Input.TV: "Words and frames (TV)",
}
PROMPTING_WORDS = {
    Prompting.ZERO_SHOT: "Definitions alone (zero-shot)",
    Prompting.FEW_SHOT: "With four examples (few-shot)",
    Prompting.COT: "Thinking first (chain of thought)",
}
T = TypeVar("T")

NO_PICTURE = "No recording of this set has a picture that can be shown."
NO_MODEL = (
    "There is no model here yet. Fetch one, or add an endpoint, on the Models page; the two coders "
    "above ask none."
)


class ChooseDialog(QDialog):
    """Accepted when the plan is to be shown.

    Args:
        name: Of the set.
        clips: How many it has.
        engines: Models that may be asked; those that cannot say why.
        has_picture: Whether frames can be shown of any recording.
        parent: The window it is asked over.
    """

    def __init__(
        self,
        name: str,
        clips: int,
        engines: Sequence[EngineChoice],
        *,
        has_picture: bool,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(f"Who codes the clips of “{name}”?")
        self.setModal(True)
        self._engines = {engine.name: engine for engine in engines}
        self._of_clips = clips
        titles = PLAIN | {engine.name: engine.title for engine in engines}
        self.coders = {key: _box(title) for key, title in titles.items()}
        self.inputs = {key: _box(words) for key, words in INPUT_WORDS.items()}
        self.promptings = {key: _box(words) for key, words in PROMPTING_WORDS.items()}
        self.limit = QSpinBox()
        self._about = text_label()
        self.go_on = button("Go on", "Go on", "Shows what it will take before it starts")
        self._leave = button("Cancel", "Cancel", "Nothing is started", "Esc")
        self._has_picture = has_picture
        self._set_up()
        self._lay_out()
        self._connect()
        self._show()

    @property
    def wanted(self) -> tuple[Wish, ...]:
        """The conditions chosen, in the order in which they run."""
        found = [Wish(CoderChoice(name)) for name in PLAIN if self.coders[name].isChecked()]
        for engine in self._asked():
            found += [
                Wish(CoderChoice(engine.name, Condition(given, how)))
                for given in _chosen(self.inputs)
                for how in _chosen(self.promptings)
                if given is not Input.TV or engine.images
            ]
        return tuple(found)

    @property
    def clips(self) -> int | None:
        """How many clips, balanced by code; `None` for all."""
        return self.limit.value() or None

    def _asked(self) -> list[EngineChoice]:
        return [e for name, e in self._engines.items() if self.coders[name].isChecked()]

    def _set_up(self) -> None:
        for name in PLAIN:
            self.coders[name].setChecked(True)
        self.inputs[Input.T].setChecked(True)
        self.promptings[Prompting.ZERO_SHOT].setChecked(True)
        for name, engine in self._engines.items():
            self.coders[name].setEnabled(engine.is_ready)
            self.coders[name].setToolTip(engine.trouble)
        self.inputs[Input.TV].setEnabled(self._has_picture)
        self.limit.setRange(0, self._of_clips)
        self.limit.setSpecialValueText("all")
        self.limit.setAccessibleName("How many clips, balanced by code; 0 for all")
        self.go_on.setDefault(True)

    def _show(self) -> None:
        count = len(self.wanted)
        for box in (*self.promptings.values(), self.inputs[Input.T]):
            box.setEnabled(bool(self._asked()))
        self.inputs[Input.TV].setEnabled(self._has_picture and bool(self._asked()))
        clips = self.clips or self._of_clips
        told = [f"{count_words(count, 'condition')} over {count_words(clips, 'clip')}."]
        if not count:
            told = ["Choose a coder; for a model also what it is given and how it is asked."]
        self._about.setText(" ".join([*told, *self._left_out(), *self._leaves()]))
        self.setAccessibleDescription(self._about.text())
        self.go_on.setEnabled(bool(count))

    def _left_out(self) -> list[str]:
        """Say of what was chosen which part makes no condition."""
        if not self.inputs[Input.TV].isChecked():
            return []
        told = [
            f"{engine.title} sees no pictures, as far as is known, and is asked with words alone. "
            "Test an endpoint on the Models page."
            for engine in self._asked()
            if not engine.images
        ]
        if any(self.coders[name].isChecked() for name in PLAIN):
            told.append("The coders that ask no model go by the words alone, once.")
        return told

    def _leaves(self) -> list[str]:
        sees = self.inputs[Input.TV].isChecked()
        return [
            f"{'Words and frames' if sees and engine.images else 'Words'} of the clips leave this "
            f"computer for {engine.goes_to}."
            for engine in self._asked()
            if engine.leaves
        ]

    def _connect(self) -> None:
        for boxes in (self.coders, self.inputs, self.promptings):
            for box in boxes.values():
                box.toggled.connect(self._show)
        self.limit.valueChanged.connect(self._show)
        self.go_on.clicked.connect(self.accept)
        self._leave.clicked.connect(self.reject)

    def _lay_out(self) -> None:
        conditions = QVBoxLayout()
        told = [] if self._has_picture else [NO_PICTURE]
        conditions.addWidget(_group("Given", list(self.inputs.values()), told))
        conditions.addWidget(_group("Asked", list(self.promptings.values()), []))
        clips = QHBoxLayout()
        label = QLabel("C&lips, balanced by code")
        label.setBuddy(self.limit)
        clips.addWidget(label)
        clips.addWidget(self.limit)
        clips.addStretch()
        conditions.addLayout(clips)
        conditions.addStretch()
        both = QHBoxLayout()
        both.addWidget(self._coders(), 1)
        both.addLayout(conditions, 1)
        buttons = QHBoxLayout()
        buttons.addStretch()
        buttons.addWidget(self._leave)
        buttons.addWidget(self.go_on)
        column = QVBoxLayout(self)
        column.setSpacing(10)
        column.addLayout(both, 1)
        column.addWidget(self._about)
        column.addLayout(buttons)
        self.resize(760, 440)

    def _coders(self) -> QWidget:
        inside = QWidget()
        column = QVBoxLayout(inside)
        for name, box in self.coders.items():
            column.addWidget(box)
            engine = self._engines.get(name)
            if engine is not None and engine.trouble:
                column.addWidget(text_label(engine.trouble))
        if not self._engines:
            column.addWidget(text_label(NO_MODEL))
        column.addStretch()
        group = QGroupBox("Coders")
        around = QVBoxLayout(group)
        around.addWidget(scrolling(inside, "Coders"))
        return group


def _box(words: str) -> QCheckBox:
    return QCheckBox(words.replace("&", "&&"))


def _chosen(boxes: Mapping[T, QCheckBox]) -> list[T]:
    return [key for key, box in boxes.items() if box.isChecked()]


def _group(title: str, boxes: Sequence[QCheckBox], told: Sequence[str]) -> QGroupBox:
    group = QGroupBox(title)
    column = QVBoxLayout(group)
    for box in boxes:
        column.addWidget(box)
    for sentence in told:
        column.addWidget(text_label(sentence))
    return group
