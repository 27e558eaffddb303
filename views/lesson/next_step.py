"""What to do next with a lesson that cannot be reviewed yet: never an empty page."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.coding.review import LessonReview
from views.common.controls import page_button, text_label
from views.common.words import count_words


class Act(StrEnum):
    """What the button of a step does."""

    FIND_MEDIA = "Find it…"
    HEAR = "Write down what is said"
    CODE = "Find evidence"
    CHOOSE_CODER = "Choose a coder…"
    ADD_TRANSCRIPT = "Add a transcript file…"


@dataclass(frozen=True, slots=True)
class Step:
    """What is missing and what can be done about it."""

    title: str
    text: str
    acts: tuple[Act, ...]


def next_step(review: LessonReview) -> Step | None:
    """Say what the lesson needs before it can be reviewed; `None` when it can be."""
    transcript = review.transcript
    if transcript is None or not transcript.utterances:
        return _without_words(review)
    if not any(line.is_sound for line in transcript.utterances):
        return Step(
            "No line of the transcript can be used.",
            "All of it looks invented or repeated. Evidence is never taken from such lines.",
            (Act.ADD_TRANSCRIPT,),
        )
    if not review.predictions and not review.decisions:
        return Step(
            "No evidence has been looked for yet.",
            "The evidence finder proposes clips and looks in each for wording like that of the "
            "four practices. It does not judge the lesson. This runs on this computer. A model of "
            "your choice can code the clips as well; you see what that takes before it starts.",
            (Act.CODE, Act.CHOOSE_CODER),
        )
    if not review.clips:
        return Step(
            "There are no clips in this lesson.",
            "Have the evidence finder propose some.",
            (Act.CODE, Act.CHOOSE_CODER),
        )
    return None


def reviewed_words(review: LessonReview, waiting: int) -> str:
    """Say how far the review has come."""
    total = len(review.clips)
    if not total:
        return "No clips yet"
    if not waiting:
        return "All clips reviewed"
    return f"{total - waiting} of {count_words(total, 'clip')} reviewed"


def _without_words(review: LessonReview) -> Step:
    media = review.media
    if media is not None and not review.media_found:
        return Step(
            "The recording is not where it was.",
            f"It was last seen at {media.path}.",
            (Act.FIND_MEDIA, Act.ADD_TRANSCRIPT),
        )
    if media is None or media.audio is None:
        return Step(
            "Nothing is written down yet.",
            "The recording has no sound that could be written down. Add a transcript file."
            if media
            else "Add a transcript file.",
            (Act.ADD_TRANSCRIPT,),
        )
    if review.transcript is not None:
        return Step(
            "No speech was heard in the recording.",
            "Try again, or add a transcript file if you have one.",
            (Act.HEAR, Act.ADD_TRANSCRIPT),
        )
    return Step(
        "Nothing is written down yet.",
        "Evidence is found in what is said. The program can write it down on this computer, which "
        "takes about an eighth of the lesson's length or more; or add a transcript file.",
        (Act.HEAR, Act.ADD_TRANSCRIPT),
    )


class NextStep(QWidget):
    """Shows a step with its buttons.

    Signals:
        asked: The act that was chosen.
    """

    asked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = text_label(bold=True, larger=1.15)
        self._text = text_label()
        self._buttons = {act: page_button(act.value, act.value.rstrip("…")) for act in Act}
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 8)
        column.setSpacing(8)
        column.addWidget(self._title)
        column.addWidget(self._text)
        for act, made in self._buttons.items():
            made.clicked.connect(lambda _on=False, wanted=act: self.asked.emit(wanted))
            row = QHBoxLayout()
            row.addWidget(made)
            row.addStretch()
            column.addLayout(row)
        column.addStretch()

    def show_step(self, step: Step) -> None:
        """Show what to do next."""
        self._title.setText(step.title)
        self._text.setText(step.text)
        for act, made in self._buttons.items():
            made.setVisible(act in step.acts)
