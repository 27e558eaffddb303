"""Lets a person choose who codes: the evidence finder, or a model and how it is asked."""

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
from app.coding.conditions import (
    EVIDENCE_FINDER,
    CoderChoice,
    Condition,
    Input,
    Prompting,
    parse_choice,
)
from app.errors import WrongUse
from views.common.controls import text_label
from views.common.widgets import button

MOST_DRAWS = 25
INPUT_WORDS = {
    Input.T: "Words: the transcript of each clip",
    Input.TV: "Words and frames: one frame a second, 30 at most",
}
PROMPTING_WORDS = {
    Prompting.ZERO_SHOT: "The task and the definitions alone (zero-shot)",
    Prompting.FEW_SHOT: "With four examples, one a practice (few-shot)",
    Prompting.COT: "Reasoning first, which takes no part in the code (chain of thought)",
}
FINDER_WORDS = (
    "Looks for wording like that of the four practices. It asks no model and judges nothing. "
    "Nothing leaves this computer."
)
NO_MODELS = (
    "No model is installed and no endpoint is turned on. The Models page fetches models and keeps "
    "endpoints."
)
ONCE_WORDS = "Once, at temperature 0: as in the published protocol."
OFTEN_WORDS = (
    "Asked several times with chance in it; the practice named most often stands, and what each "
    "draw said is kept. This takes as many times longer."
)


class CoderDialog(QDialog):
    """Accepted when a coder that can run has been chosen.

    Args:
        title: Of the lesson.
        engines: The models there are.
        has_picture: Whether frames of the lesson can be shown to a model.
        last: Name of the coder chosen last; empty or unknown takes the evidence finder.
        parent: The window it is asked over.
    """

    def __init__(
        self,
        title: str,
        engines: Sequence[EngineChoice],
        *,
        has_picture: bool,
        last: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(f"Who looks for practices in “{title}”?")
        self.setModal(True)
        self._engines = tuple(engines)
        self._has_picture = has_picture
        self.coder = _choices("Coder")
        self.input = _choices("What the model is given")
        self.prompting = _choices("How the model is asked")
        self.draws = QSpinBox()
        self.draws.setRange(1, MOST_DRAWS)
        self.draws.setAccessibleName("How many times each clip is asked")
        self._about = text_label()
        self._draws_words = text_label(ONCE_WORDS)
        self.go_on = button("Go on", "Go on", "Shows what it will take before it starts")
        self.go_on.setDefault(True)
        self._leave = button("Cancel", "Cancel", "Nothing is started", "Esc")
        self._fill()
        self._lay_out()
        self.coder.currentIndexChanged.connect(self._show)
        self.input.currentIndexChanged.connect(self._show)
        self.draws.valueChanged.connect(self._show)
        self.go_on.clicked.connect(self.accept)
        self._leave.clicked.connect(self.reject)
        self._take_last(last)
        self._show()
        self.coder.setFocus()

    @property
    def choice(self) -> CoderChoice:
        """What is chosen now."""
        engine = self._engine()
        if engine is None:
            return CoderChoice(EVIDENCE_FINDER)
        condition = Condition(
            Input(self.input.currentData()), Prompting(self.prompting.currentData())
        )
        return CoderChoice(engine.name, condition, self.draws.value())

    @property
    def trouble(self) -> str:
        """Why the choice cannot run, and what to do; empty when it can."""
        engine = self._engine()
        if engine is None:
            return ""
        if not engine.is_ready:
            return engine.trouble
        if self.input.currentData() != Input.TV:
            return ""
        if not self._has_picture:
            return "This lesson has no picture that can be shown. Choose words alone."
        if not engine.images:
            return (
                f"{engine.title} sees no pictures, as far as is known. Choose words alone, or test "
                "the endpoint on the Models page."
            )
        return ""

    def _engine(self) -> EngineChoice | None:
        name = self.coder.currentData()
        return next((engine for engine in self._engines if engine.name == name), None)

    def _fill(self) -> None:
        self.coder.addItem("The evidence finder", EVIDENCE_FINDER)
        for engine in self._engines:
            self.coder.addItem(engine.title, engine.name)
        for given, words in INPUT_WORDS.items():
            self.input.addItem(words, given.value)
        for prompting, words in PROMPTING_WORDS.items():
            self.prompting.addItem(words, prompting.value)

    def _take_last(self, last: str) -> None:
        try:
            choice = parse_choice(last)
        except WrongUse:
            return
        at = self.coder.findData(choice.engine)
        if at < 0 or choice.condition is None:
            return
        self.coder.setCurrentIndex(at)
        self.input.setCurrentIndex(self.input.findData(choice.condition.input.value))
        self.prompting.setCurrentIndex(self.prompting.findData(choice.condition.prompting.value))
        self.draws.setValue(choice.draws)

    def _show(self) -> None:
        engine, trouble = self._engine(), self.trouble
        for widget in (self.input, self.prompting, self.draws):
            widget.setEnabled(engine is not None)
        self._draws_words.setText(ONCE_WORDS if self.draws.value() == 1 else OFTEN_WORDS)
        self._draws_words.setVisible(engine is not None)
        about = trouble or self._told(engine)
        self._about.setText(about)
        self.go_on.setEnabled(not trouble)
        self.setAccessibleDescription(about)

    def _told(self, engine: EngineChoice | None) -> str:
        if engine is None:
            return FINDER_WORDS if self._engines else f"{FINDER_WORDS} {NO_MODELS}"
        if not engine.leaves:
            return f"{engine.title} runs on this computer. Nothing leaves it."
        what = "Words and frames" if self.input.currentData() == Input.TV else "Words"
        return f"{what} of this lesson leave this computer for {engine.goes_to}."

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        form.addRow("&Coder", self.coder)
        form.addRow("&Given", self.input)
        form.addRow("&Asked", self.prompting)
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
        self.setMinimumWidth(520)


def _choices(name: str) -> QComboBox:
    made = QComboBox()
    made.setAccessibleName(name)
    made.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    made.setMinimumContentsLength(28)
    made.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    return made
