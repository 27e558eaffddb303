"""What a coder suggests for a clip: after the evidence, and never as more than a claim."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.coding.conditions import condition_of
from app.coding.practices import Practice
from app.coding.probe_records import NOT_ASKED
from app.coding.records import Prediction
from app.lesson.clips import Clip
from views.common.controls import text_label
from views.common.signs import PracticeBadge, Sign, SignMark
from views.common.words import code_words, coder_words
from views.lesson.differences import (
    coders_differ_words,
    draws_differ_words,
    draws_words,
    others_words,
)

_TOLD = ("prompt", "frames", "left out", "tokens in", "tokens out", "seconds")
"""What of a prediction's provenance stands under a suggestion; the report has all of it."""
MOST_RAW = 280
"""Letters of a failed answer that are shown at once; “Details…” has all of it."""
FINDER_CAVEAT = "It looks for similar wording; it does not judge the lesson."


class Suggestion(QWidget):
    """Names the practice and level a coder suggests, and how far to trust it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._badge = PracticeBadge()
        self._said = text_label(bold=True)
        self._about = text_label()
        self._differ_sign = SignMark(Sign.WARNING, "differ")
        self._differ = text_label(bold=True)
        row = QHBoxLayout()
        row.addWidget(self._badge)
        row.addWidget(self._said, 1)
        differ = QHBoxLayout()
        differ.addWidget(self._differ_sign, 0, Qt.AlignmentFlag.AlignTop)
        differ.addWidget(self._differ, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(row)
        column.addLayout(differ)
        column.addWidget(self._about)

    def show_prediction(
        self,
        prediction: Prediction,
        practice: Practice | None,
        clip: Clip,
        others: Sequence[Prediction] = (),
        raw: str = "",
    ) -> None:
        """Show what is suggested, or why nothing is, and what other coders say of the clip.

        Args:
            prediction: What is suggested.
            practice: The practice it names; `None` for none.
            clip: The clip as it is now.
            others: The last word of every other coder on it.
            raw: The answer of a model that failed, as it came.
        """
        who = coder_words(prediction.coder)
        self._badge.setVisible(bool(prediction.practice))
        self._badge.show_practice(prediction.practice)
        if prediction.practice:
            code = code_words(prediction.practice, prediction.level)
            self._said.setText(f"{who[0].upper()}{who[1:]} suggests {code}.")
        elif prediction.status == NOT_ASKED:
            self._said.setText(f"{who[0].upper()}{who[1:]} was not asked about this clip.")
        elif prediction.is_failure:
            self._said.setText(f"{who[0].upper()}{who[1:]} gave no answer that can be used.")
        else:
            self._said.setText(f"{who[0].upper()}{who[1:]} suggests no practice for this clip.")
        self._show_differ(prediction, others)
        told = [
            _practice_told(prediction, practice),
            *_doubts(prediction, clip),
            _raw_told(prediction, raw),
            draws_words(prediction),
            others_words(prediction, others),
            _made_with(prediction),
        ]
        self._about.setText("\n".join(part for part in told if part))

    def _show_differ(self, prediction: Prediction, others: Sequence[Prediction]) -> None:
        told = (coders_differ_words((prediction, *others)), draws_differ_words(prediction))
        self._differ.setText(" ".join(filter(None, told)))
        self._differ.setVisible(any(told))
        self._differ_sign.setVisible(any(told))

    def _hide_marks(self) -> None:
        for mark in (self._badge, self._differ, self._differ_sign):
            mark.hide()
        self._differ.setText("")

    def hide_label(self) -> None:
        """Say that there is a suggestion to come, and nothing about it."""
        self._hide_marks()
        self._said.setText("The suggestion is hidden.")
        self._about.setText(
            "Blind mode is on: you see it after you have set your own code for this clip."
        )

    def show_none(self, why: str) -> None:
        """Say why there is no suggestion."""
        self._hide_marks()
        self._said.setText("No suggestion.")
        self._about.setText(why)


def _practice_told(prediction: Prediction, practice: Practice | None) -> str:
    if practice is None:
        return ""
    level = next((lv for lv in practice.levels if lv.level == prediction.level), None)
    told = f"{practice.id}: {practice.title}."
    return f"{told} Level {level.level}: {level.title}." if level else told


def _doubts(prediction: Prediction, clip: Clip) -> list[str]:
    doubts = []
    if prediction.coder.startswith("evidence-finder"):
        doubts.append(FINDER_CAVEAT)
    if prediction.practice and not any(e.check.supports for e in prediction.evidence):
        doubts.append("None of the cited words was found in the clip: nothing supports this.")
    if prediction.margin is not None and prediction.practice:
        doubts.append(
            f"Lead over the next practice: {prediction.margin:.2f} (0 is none, 1 is the most)."
        )
    now, then = (clip.start_ms, clip.end_ms), (prediction.clip.start_ms, prediction.clip.end_ms)
    if now != then:
        doubts.append("The clip has been changed since this was suggested.")
    if prediction.note:
        doubts.append(prediction.note)
    return doubts


def _raw_told(prediction: Prediction, raw: str) -> str:
    """Give the answer of a model that failed as it came, as much as can be taken in at once."""
    if not prediction.is_failure or prediction.status == NOT_ASKED:
        return ""
    if not raw:
        return "Nothing came back that could be shown."
    shown = " ".join(raw.split())
    is_cut = len(shown) > MOST_RAW
    return f"It answered: “{shown[:MOST_RAW]}{'…' if is_cut else ''}”"


def _made_with(prediction: Prediction) -> str:
    """Say what the model was given and how; empty for a coder that asks none."""
    asked = condition_of(prediction)
    if asked is None:
        return ""
    engine, condition = asked
    told = dict(prediction.provenance)
    parts = [f"Model {engine}, given {condition.input}, asked {condition.prompting}"]
    parts += [f"{name} {told[name]}" for name in _TOLD if told.get(name)]
    return "; ".join(parts) + "."
