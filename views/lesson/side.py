"""The right side of the lesson page: evidence first, then the suggestion, then the decision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from app.coding.practices import Practice
from app.coding.records import Evidence, Prediction
from app.coding.review import LessonReview
from app.lesson.clips import Clip
from app.lesson.spans import show_time
from app.lesson.transcript.records import Role
from views.common.controls import hairline, page_button, scrolling, text_label
from views.common.words import ROLE_WORDS, coder_words, count_words, practice_named
from views.lesson.decision import DecisionPanel
from views.lesson.evidence import EvidenceCards
from views.lesson.next_step import NextStep, Step
from views.lesson.proof import ProofBox
from views.lesson.suggestion import Suggestion

FEWEST_LINES = 20
"""Lines of text that must be left for evidence before the decision is kept in sight."""


class ReviewSide(QWidget):
    """Shows one clip at a time, or what to do next when there is none.

    Signals:
        next_wanted: The next clip in the queue is asked for.
        coder_picked: Whose evidence is to be shown; the name of a coder.
    """

    next_wanted = Signal()
    coder_picked = Signal(str)

    def __init__(self, practices: Sequence[Practice], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._practices = tuple(practices)
        self._clip_words = text_label(bold=True, larger=1.1)
        self._progress = text_label()
        self._why = text_label()
        self._next = page_button("Next in queue", "Go to the clip most worth a look", "N")
        self._coder = QComboBox()
        self._coder.setAccessibleName("Whose evidence is shown")
        self._coder.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self._coder.activated.connect(
            lambda place: self.coder_picked.emit(self._coder.itemData(place))
        )
        self._evidence_words = text_label(bold=True)
        self.evidence = EvidenceCards()
        self._grounding = text_label()
        self.suggestion = Suggestion()
        self.proof = ProofBox()
        self.decision = DecisionPanel(practices)
        self.step = NextStep()
        self._stack = QStackedWidget()
        self._is_docked = True
        self._next.clicked.connect(self.next_wanted)
        self._lay_out()

    def show_step(self, step: Step) -> None:
        """Show what the lesson needs first."""
        self.step.show_step(step)
        self._stack.setCurrentWidget(self._steps)

    def show_clip(
        self,
        review: LessonReview,
        clip: Clip,
        prediction: Prediction | None,
        *,
        shows_label: bool,
        raw: str = "",
    ) -> None:
        """Show the evidence of a clip, and its suggestion if that may be seen.

        Args:
            review: The lesson.
            clip: The clip in view.
            prediction: What was predicted for it, whether it may be shown or not.
            shows_label: Whether the label may be seen.
            raw: The answer of a model that failed, as it came.
        """
        self._stack.setCurrentWidget(self._clip)
        self._clip_words.setText(_clip_words(review, clip))
        self._show_coders(review, clip, prediction)
        pieces = prediction.evidence if prediction else ()
        has_picture = bool(review.media and review.media.video and review.media_found)
        self.evidence.show_evidence(
            pieces, speakers_of(review, pieces), has_picture=has_picture, clip=clip
        )
        self._order_tabs()
        counted = sum(piece.check.supports for piece in pieces)
        self._evidence_words.setText(
            f"Evidence: {counted} of {count_words(len(pieces), 'piece')} found in the transcript"
            if pieces
            else "No evidence is cited for this clip."
        )
        if prediction is None:
            self.suggestion.show_none(
                "No coder has looked at this clip since it was drawn. “Find codes…” has it done."
            )
        elif shows_label:
            practice = practice_named(self._practices, prediction.practice)
            others = {p.coder: p for p in review.predictions_for(clip.clip_id)}
            others.pop(prediction.coder, None)
            self.suggestion.show_prediction(prediction, practice, clip, tuple(others.values()), raw)
        else:
            self.suggestion.hide_label()

    def _order_tabs(self) -> None:
        """Let the tab key meet evidence before the decision; new widgets would come last."""
        before: QWidget = self._next
        for card in self.evidence.cards:
            for stop in (card, *card.links):
                QWidget.setTabOrder(before, stop)
                before = stop

    def _show_coders(self, review: LessonReview, clip: Clip, prediction: Prediction | None) -> None:
        """Offer the coders that looked at the clip, where there is more than one; newest first."""
        said = {one.coder: one for one in review.predictions_for(clip.clip_id)}
        self._coder.clear()
        for coder in reversed(said):
            self._coder.addItem(f"Evidence from {coder_words(coder)}", coder)
        if prediction is not None:
            self._coder.setCurrentIndex(self._coder.findData(prediction.coder))
        self._coder.setVisible(len(said) > 1)

    def show_grounding(self, words: str) -> None:
        """Say how much of this coder's evidence was found in the whole lesson."""
        self._grounding.setText(words)
        self._grounding.setVisible(bool(words))

    def show_progress(self, progress: str, why: str) -> None:
        """Say how far the review is and why this clip is worth a look."""
        self._progress.setText(progress)
        self._why.setText(why)
        self._why.setVisible(bool(why))

    def show_pictures(self, pictures: Mapping[int, Path]) -> None:
        """Show frames on the evidence."""
        self.evidence.show_pictures(pictures)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the decision in sight where there is room; else let it scroll with the rest."""
        super().resizeEvent(event)
        lines = (self.height() - self.decision.sizeHint().height()) / self.fontMetrics().height()
        fits = lines >= FEWEST_LINES
        if fits != self._is_docked:
            self._is_docked = fits
            (self._whole if fits else self._inside).addWidget(self.decision)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self._clip_words, 1)
        head.addWidget(self._next)
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setAlignment(Qt.AlignmentFlag.AlignTop)
        column.setContentsMargins(2, 2, 6, 2)
        column.setSpacing(7)
        for widget in (
            self._coder,
            self._evidence_words,
            self._grounding,
            self.evidence,
            hairline(),
            text_label("Suggestion", bold=True),
            self.suggestion,
            self.proof,
        ):
            column.addWidget(widget)
        self._clip = QWidget()
        whole = QVBoxLayout(self._clip)
        whole.setContentsMargins(6, 0, 0, 0)
        whole.setSpacing(4)
        whole.addLayout(head)
        whole.addWidget(self._progress)
        whole.addWidget(self._why)
        whole.addWidget(scrolling(inside, "Evidence and suggestion"), 1)
        whole.addWidget(self.decision)
        self._inside, self._whole = column, whole
        self._steps = scrolling(self.step, "What to do next")
        self._stack.addWidget(self._steps)
        self._stack.addWidget(self._clip)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self._stack)


def speakers_of(review: LessonReview, pieces: Sequence[Evidence]) -> dict[int, str]:
    """Name the speakers of cited lines as people read it, with the role where it is known."""
    wanted = {n for piece in pieces for n in (*piece.utterances, *piece.citation.utterances)}
    named = {}
    for line in review.transcript.utterances if review.transcript else ():
        if line.number not in wanted:
            continue
        role = review.roles.get(line.speaker, Role.UNKNOWN)
        is_told = role is not Role.UNKNOWN and role.value not in line.speaker.casefold()
        named[line.number] = f"{line.speaker} ({ROLE_WORDS[role]})" if is_told else line.speaker
    return named


def _clip_words(review: LessonReview, clip: Clip) -> str:
    number = next((n for n, c in enumerate(review.clips, 1) if c.clip_id == clip.clip_id), 0)
    where = (
        f"lines {clip.first} to {clip.last}"
        if clip.start_ms is None
        else f"{show_time(clip.start_ms)} to {show_time(clip.end_ms)}"
    )
    return f"Clip {number} of {len(review.clips)}: {where}"
