"""Lets a person choose who reads a learner video: face cues, a model, or one after the other."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from app.answering import EngineChoice
from app.confusion.reader_names import FACE_CUES, OneReader, ReaderChoice, parse_reader
from app.errors import WrongUse
from views.common.controls import text_label
from views.common.widgets import button

FACE, SCREENED, MODEL = "face", "screened", "model"
WAYS = {
    FACE: "Face cues: measured on the face, no model is asked",
    SCREENED: "Face cues, then a model: it rereads only around what they found",
    MODEL: "A model: it is shown frames of every window",
}
MOST_DRAWS = 9
FACE_WORDS = (
    "Measures brows, lids, lips, a smile and nearness against what is usual for this learner. It "
    "sees nothing else, and says where the face cannot be read. Nothing leaves this computer."
)
NO_MODELS = (
    "No model that sees pictures is installed, and no endpoint that does is turned on. The Models "
    "page fetches models and keeps endpoints."
)
ONCE = "Once for each window. The published protocol draws five times and lets the draws vote."
OFTEN = "Drawn {} times, and the draws vote by their sureness; a tie goes to the lower level."


class ReaderDialog(QDialog):
    """Accepted when a reader that can run has been chosen.

    Args:
        title: Of the video.
        engines: The models that can be shown frames.
        last: Name of the reader chosen last; empty or unknown takes the face cues.
        parent: The window it is asked over.
    """

    def __init__(
        self,
        title: str,
        engines: Sequence[EngineChoice],
        *,
        last: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(f"Who reads “{title}”?")
        self.setModal(True)
        self._engines = tuple(engines)
        self.way, self.model = _choices("Reader"), _choices("Model")
        self.draws = QSpinBox()
        self.draws.setRange(1, MOST_DRAWS)
        self.draws.setAccessibleName("How many times the model is asked of each window")
        self._draws_words, self._about = text_label(), text_label()
        self.go_on = button("Go on", "Go on", "A model's plan is shown before it starts")
        self.go_on.setDefault(True)
        self._leave = button("Cancel", "Cancel", "Nothing is started", "Esc")
        for name, words in WAYS.items():
            self.way.addItem(words, name)
        for engine in self._engines:
            self.model.addItem(engine.title, engine.name)
        self._lay_out()
        self.way.currentIndexChanged.connect(self._show)
        self.model.currentIndexChanged.connect(self._show)
        self.draws.valueChanged.connect(self._show)
        self.go_on.clicked.connect(self.accept)
        self._leave.clicked.connect(self.reject)
        self._take_last(last)
        self._show()
        self.way.setFocus()

    @property
    def choice(self) -> ReaderChoice:
        """What is chosen now."""
        face, engine = OneReader(FACE_CUES), self._engine()
        if engine is None:
            return ReaderChoice(face)
        model = OneReader(engine.name, self.draws.value())
        if self.way.currentData() == SCREENED:
            return ReaderChoice(face, model)
        return ReaderChoice(model)

    @property
    def trouble(self) -> str:
        """Why the choice cannot run, and what to do; empty when it can."""
        if self.way.currentData() == FACE:
            return ""
        engine = self._engine()
        return NO_MODELS if engine is None else engine.trouble

    def _engine(self) -> EngineChoice | None:
        if self.way.currentData() == FACE:
            return None
        name = self.model.currentData()
        return next((engine for engine in self._engines if engine.name == name), None)

    def _take_last(self, last: str) -> None:
        try:
            choice = parse_reader(last) if last else ReaderChoice(OneReader(FACE_CUES))
        except WrongUse:
            return
        models = choice.models
        at = self.model.findData(models[-1]) if models else -1
        if at < 0:
            return
        self.way.setCurrentIndex(list(WAYS).index(SCREENED if choice.then else MODEL))
        self.model.setCurrentIndex(at)
        self.draws.setValue((choice.then or choice.first).draws)

    def _show(self) -> None:
        asks = self.way.currentData() != FACE
        for widget in (self.model, self.draws):
            widget.setEnabled(asks and bool(self._engines))
        number = self.draws.value()
        self._draws_words.setText(ONCE if number == 1 else OFTEN.format(number))
        self._draws_words.setVisible(asks)
        about = self.trouble or self._told(self._engine())
        self._about.setText(about)
        self.go_on.setEnabled(not self.trouble)
        self.setAccessibleDescription(about)

    def _told(self, engine: EngineChoice | None) -> str:
        if engine is None:
            return FACE_WORDS
        if engine.leaves:
            return f"Frames of this learner leave this computer for {engine.goes_to}."
        return f"{engine.title} runs on this computer. Nothing leaves it."

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        form.addRow("&Reader", self.way)
        form.addRow("&Model", self.model)
        form.addRow("&Times", self.draws)
        row = QHBoxLayout()
        row.addStretch()
        row.addWidget(self._leave)
        row.addWidget(self.go_on)
        column = QVBoxLayout(self)
        column.setSpacing(10)
        column.addLayout(form)
        column.addWidget(self._draws_words)
        column.addWidget(self._about)
        column.addLayout(row)
        self.setMinimumWidth(540)


def _choices(name: str) -> QComboBox:
    made = QComboBox()
    made.setAccessibleName(name)
    made.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    made.setMinimumContentsLength(28)
    made.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    return made
