"""One case as a rater may see it: what is cited, for which practice, and the clip itself."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from app.benchmark.eqs_records import RatingCard
from app.coding.records import Citation
from app.coding.review import LessonReview
from app.errors import ClerestoryError
from app.lesson.spans import show_time
from views.background import Background
from views.common.controls import scrolling, text_label
from views.common.signs import PracticeBadge
from views.common.words import citation_words, practice_named
from views.lesson.pictures import Pictures
from views.player import Player

if TYPE_CHECKING:
    from app.desk import Desk

CITED = "▸"
"""Stands before the lines that the evidence names."""


class CaseView(QWidget):
    """Shows a card: no model, no word on whether it is right, nobody's scores.

    Signals:
        trouble: An error to tell.
    """

    trouble = Signal(object)

    def __init__(self, desk: Desk, background: Background, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._reviews: dict[str, LessonReview] = {}
        self._card: RatingCard | None = None
        self._lesson_id = ""
        self.player = Player()
        self.lines = QListWidget()
        self._pictures = Pictures(desk, background, self, wants_sound=False)
        self._badge, self._practice, self._definition = (
            PracticeBadge(),
            text_label(bold=True),
            text_label(),
        )
        self._cited = text_label()
        self._cited.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
        self._where = text_label()
        self._lay_out()
        self._connect()

    def forget(self) -> None:
        """Read lessons anew when they are next shown."""
        self._reviews.clear()

    def show_card(self, card: RatingCard) -> None:
        """Show a case."""
        if card == self._card:
            return
        self._card = card
        practice = practice_named(self._desk.practices, card.practice)
        self._badge.show_practice(card.practice)
        self._practice.setText(
            f"Predicted practice {card.practice}: {practice.title}" if practice else card.practice
        )
        self._definition.setText(practice.descriptor if practice else "")
        cited = [f"{number}. {cited_words(one)}" for number, one in enumerate(card.cited, 1)]
        self._cited.setText("\n".join(cited) or "Nothing is cited.")
        review = self._review(card.lesson_id)
        self._show_lines(review, card)
        self._show_media(review, card)

    def play(self) -> None:
        """Play the clip from its start, or pause; on a button, press it, as everywhere else."""
        focused = QApplication.focusWidget()
        if isinstance(focused, QAbstractButton) and focused.isEnabled():
            focused.click()
            return
        start_ms = self._card.clip.start_ms if self._card else None
        if start_ms is None or self.player.isHidden():
            return
        end_ms, at_ms = self._card.clip.end_ms if self._card else None, self.player.position_ms
        if not self.player.is_playing and not (start_ms <= at_ms < (end_ms or at_ms + 1)):
            self.player.seek(start_ms)
        self.player.toggle()

    def leave(self) -> None:
        """Stand still, as the view goes out of sight."""
        self.player.pause()

    def close_media(self) -> None:
        """Let go of the recording."""
        self.leave()
        self._pictures.close()
        self.player.close_media()

    def _review(self, lesson_id: str) -> LessonReview | None:
        if lesson_id not in self._reviews:
            try:
                self._reviews[lesson_id] = self._desk.library.lesson(lesson_id)
            except ClerestoryError as error:
                self.trouble.emit(error)
                return None
        return self._reviews[lesson_id]

    def _show_lines(self, review: LessonReview | None, card: RatingCard) -> None:
        self.lines.clear()
        named = {number for one in card.cited for number in one.utterances}
        clip = card.clip
        for line in review.transcript.utterances if review and review.transcript else ():
            if not clip.first <= line.number <= clip.last:
                continue
            mark = CITED if line.number in named else "  "
            who = f"{line.speaker}: " if line.speaker else ""
            item = QListWidgetItem(
                f"{mark} {line.number}  {show_time(line.start_ms)}  {who}{line.text}"
            )
            if line.number in named:
                font = item.font()
                font.setBold(True)
                item.setFont(font)
                item.setData(
                    Qt.ItemDataRole.AccessibleTextRole, f"{item.text()}. Line named by the evidence"
                )
            self.lines.addItem(item)
        if not self.lines.count():
            self.lines.addItem("Nothing is said in this clip.")
        span = (
            ""
            if clip.start_ms is None
            else f", {show_time(clip.start_ms)} to {show_time(clip.end_ms)}"
        )
        told = f" {CITED} marks lines that the evidence names." if named else ""
        self._where.setText(f"What is said in the clip{span}.{told}")

    def _show_media(self, review: LessonReview | None, card: RatingCard) -> None:
        media = review.media if review is not None and review.media_found else None
        self.player.setVisible(media is not None)
        if review is None or media is None:
            self._lesson_id = ""
            self.player.close_media()
            return
        if self._lesson_id != card.lesson_id:
            self._lesson_id = card.lesson_id
            self.player.open_media(
                Path(media.path),
                media.span,
                media.video is not None,
                media.audio is not None,
                is_mirrored=media.video is not None and media.video.mirrored,
            )
            self._pictures.open(review)
        if card.clip.start_ms is not None:
            self.player.seek(card.clip.start_ms)

    def _stop_at_end(self, time_ms: int) -> None:
        end_ms = self._card.clip.end_ms if self._card else None
        if end_ms is not None and time_ms >= end_ms and self.player.is_playing:
            self.player.pause()

    def _lay_out(self) -> None:
        claim = QWidget()
        on_claim = QVBoxLayout(claim)
        on_claim.setContentsMargins(4, 0, 4, 0)
        on_claim.addWidget(text_label("Cited evidence", bold=True))
        on_claim.addWidget(self._cited)
        head = QHBoxLayout()
        head.addWidget(self._badge, 0, Qt.AlignmentFlag.AlignTop)
        head.addWidget(self._practice, 1)
        on_claim.addSpacing(6)
        on_claim.addLayout(head)
        on_claim.addWidget(self._definition)
        on_claim.addStretch()
        said = QWidget()
        on_said = QVBoxLayout(said)
        on_said.setContentsMargins(0, 0, 0, 0)
        on_said.addWidget(self._where)
        on_said.addWidget(self.lines, 1)
        self.lines.setWordWrap(True)
        self.lines.setAccessibleName("What is said in the clip")
        self.lines.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.lines.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.lines.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        above = QSplitter(Qt.Orientation.Horizontal)
        above.addWidget(scrolling(claim, "Cited evidence and predicted practice"))
        above.addWidget(self.player)
        above.setSizes([320, 300])
        above.setChildrenCollapsible(False)
        whole = QSplitter(Qt.Orientation.Vertical)
        whole.addWidget(above)
        whole.addWidget(said)
        whole.setSizes([260, 260])
        whole.setChildrenCollapsible(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(whole)

    def _connect(self) -> None:
        self.player.position_changed.connect(self._stop_at_end)
        self.player.frame_wanted.connect(self._pictures.want_frame)
        self._pictures.frame_came.connect(self.player.show_frame)
        self._pictures.frame_times_came.connect(self.player.set_frame_times)
        self._pictures.trouble.connect(self.trouble)


def cited_words(cited: Citation) -> str:
    """Write evidence as it was cited; a quote may name no line, and what was seen no moment."""
    if cited.quote and not cited.utterances:
        return f"“{cited.quote}”, without a line"
    if cited.seen and cited.start_ms is None:
        return f"seen, without a moment: {cited.seen}"
    return citation_words(cited)
