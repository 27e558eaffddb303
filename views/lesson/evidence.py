"""The evidence of a clip, on cards: the words first, then what the check found of them."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QEnterEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QHBoxLayout,
    QLabel,
    QVBoxLayout,
    QWidget,
)

from app.coding.records import Check, Evidence
from app.lesson.clips import Clip
from app.lesson.spans import Span, show_time
from views.common.controls import text_label
from views.common.signs import CHECK_SIGNS, SignMark
from views.common.theme import current_theme
from views.common.words import check_words, evidence_words
from views.lesson.line_links import LineLink, LinkRow

THUMB_LINES = 4
"""Height of the picture in lines of text."""


class EvidenceCard(QAbstractButton):
    """One piece of evidence; pressing it goes to its moment, pressing a line's number plays it.

    Args:
        evidence: What was cited and what the check found.
        speaker: Who says the words, with role, as people read it; empty when not known.
        has_picture: Whether a frame can be shown.
        lines: Lines of the transcript that can be gone to; others that are cited are only named.
        clip: The clip as it is now; `None` where that does not matter.
    """

    def __init__(
        self,
        evidence: Evidence,
        speaker: str,
        has_picture: bool,
        lines: Container[int] = (),
        clip: Clip | None = None,
    ) -> None:
        super().__init__()
        self.evidence = evidence
        self.links: list[LineLink] = []
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(evidence_words(evidence, speaker))
        if evidence.start_ms is not None:
            self.setCursor(Qt.CursorShape.PointingHandCursor)
            self.setToolTip("Go to this moment (Enter)")
        self._picture = QLabel(self)
        if not has_picture or evidence.start_ms is None:
            self._picture.hide()
        self._picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._picture.setAccessibleName(f"Picture at {show_time(evidence.start_ms)}")
        self._lines, self._now = lines, clip
        self._lay_out(speaker)
        for child in self.findChildren(QWidget):
            if not isinstance(child, (LineLink, LinkRow)):
                child.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def show_picture(self, path: Path) -> None:
        """Show the frame at the cited moment."""
        self._picture.setPixmap(
            QPixmap(str(path)).scaled(
                self._picture.size(),
                Qt.AspectRatioMode.KeepAspectRatio,
                Qt.TransformationMode.SmoothTransformation,
            )
        )

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Let Enter press the card, as the space bar does."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def enterEvent(self, event: QEnterEvent) -> None:
        """Show that the card can be pressed."""
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        """Stop showing it."""
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the widget in the colours of the look in use."""
        theme = current_theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground = theme.raised if self.underMouse() or self.isDown() else theme.base
        painter.setBrush(QColor(ground))
        has_focus = self.hasFocus()
        width = 3 if has_focus else 1
        dash = Qt.PenStyle.SolidLine
        if not has_focus and not self._counts:
            dash = Qt.PenStyle.DashLine
        painter.setPen(QPen(QColor(theme.focus if has_focus else theme.edge), width, dash))
        inset = width / 2
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(inset, inset, -inset, -inset), 5, 5)

    @property
    def _counts(self) -> bool:
        return self.evidence.check.supports or self.evidence.check is Check.SEEN

    def _lay_out(self, speaker: str) -> None:
        cited = self.evidence.citation
        is_close = self.evidence.check is Check.CLOSE
        shown = self.evidence.found if is_close else cited.quote or cited.seen
        lead = "" if cited.quote else "Said to be seen: "
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 8, 10, 8)
        column.setSpacing(5)
        is_made_up = self.evidence.check is Check.NOT_FOUND and bool(cited.quote)
        column.addWidget(text_label(f"{lead}“{shown}”", larger=1.15, struck=is_made_up))
        if is_close:
            column.addWidget(text_label(f"Cited as: “{cited.quote}”"))
        facts = QVBoxLayout()
        facts.setSpacing(3)
        facts.addWidget(text_label(self._where(speaker)))
        cited_lines = LinkRow(self.evidence, self._lines)
        self.links = cited_lines.links
        if not cited_lines.is_empty:
            facts.addWidget(cited_lines)
        facts.addLayout(self._check_row())
        for told in (self.evidence.reason, _moved_words(self.evidence, self._now)):
            if told:
                facts.addWidget(text_label(told))
        facts.addStretch()
        row = QHBoxLayout()
        row.addWidget(self._picture, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(facts, 1)
        column.addLayout(row)
        height = int(self.fontMetrics().height() * THUMB_LINES)
        self._picture.setFixedSize(QSize(height * 3 // 2, height))

    def _where(self, speaker: str) -> str:
        at = self.evidence.start_ms
        if at is None:
            place = "no time" if self.evidence.utterances else "nowhere in the transcript"
        else:
            place = show_time(at, tenths=True)
        return f"{speaker} · {place}" if speaker else place

    def _check_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(6)
        check = self.evidence.check
        row.addWidget(SignMark(CHECK_SIGNS[check], check.value), 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(text_label(check_words(self.evidence), bold=True), 1)
        return row


class EvidenceCards(QWidget):
    """All evidence of a clip, one card each, in the order it was cited.

    Signals:
        moment_picked: A card was pressed; where its words start, in ms.
        line_picked: A card without a time was pressed; the number of its line.
        line_followed: The number of a cited line was pressed: go there and play from it.
    """

    moment_picked = Signal(int)
    line_picked = Signal(int)
    line_followed = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.cards: list[EvidenceCard] = []
        self._at = -1
        self._shown: object = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)

    def show_evidence(
        self,
        evidence: Sequence[Evidence],
        speakers: Mapping[int, str],
        *,
        has_picture: bool,
        clip: Clip | None = None,
    ) -> None:
        """Replace the cards.

        Args:
            evidence: What was cited.
            speakers: Who says each line, by its number; a line that is not here does not exist.
            has_picture: Whether the lesson has pictures to show beside the words.
            clip: The clip as it is now, so that evidence which lies outside it is marked.
        """
        shown = (tuple(evidence), dict(speakers), clip)
        if shown == self._shown and bool(self.cards) == bool(evidence):
            return
        self._shown = shown
        for card in self.cards:
            self._column.removeWidget(card)
            card.hide()
            card.deleteLater()
        self._at = -1
        self.cards = [
            EvidenceCard(piece, _said_by(piece, speakers), has_picture, speakers, clip)
            for piece in evidence
        ]
        for card in self.cards:
            card.clicked.connect(self._pressed)
            for link in card.links:
                link.followed.connect(self.line_followed)
            self._column.addWidget(card)

    def show_pictures(self, pictures: Mapping[int, Path]) -> None:
        """Show frames by the moment they were asked for."""
        for card in self.cards:
            at_ms = card.evidence.start_ms
            if at_ms is not None and at_ms in pictures:
                card.show_picture(pictures[at_ms])

    def go_to_next(self) -> None:
        """Move to the next card, round and round, and go to its moment."""
        if self.cards:
            self._at = (self._at + 1) % len(self.cards)
            card = self.cards[self._at]
            card.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self._go(card)

    def _pressed(self) -> None:
        card = self.sender()
        if isinstance(card, EvidenceCard):
            self._at = self.cards.index(card)
            self._go(card)

    def _go(self, card: EvidenceCard) -> None:
        if card.evidence.start_ms is not None:
            self.moment_picked.emit(card.evidence.start_ms)
        elif card.evidence.utterances:
            self.line_picked.emit(card.evidence.utterances[0])


def _said_by(piece: Evidence, speakers: Mapping[int, str]) -> str:
    named = [speakers.get(number, "") for number in piece.utterances]
    return ", ".join(dict.fromkeys(name for name in named if name))


def _moved_words(piece: Evidence, clip: Clip | None) -> str:
    """Say that evidence lies outside the clip since that was moved; empty where it does not."""
    if clip is None or piece.check in (Check.OUTSIDE, Check.NOT_FOUND):
        return ""
    if piece.start_ms is not None and clip.start_ms is not None and clip.end_ms is not None:
        is_inside = Span(clip.start_ms, clip.end_ms).holds(piece.start_ms)
    else:
        is_inside = all(clip.first <= number <= clip.last for number in piece.utterances)
    return "" if is_inside else "Outside the clip as it is now."
