"""How the view to talk clips over is laid out: the list left, the clip and its codes right."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QListWidget,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.coding.people_clips import CodedClip, Which
from app.coding.practices import Practice
from app.coding.records import Decision
from app.coding.review import LessonReview
from app.lesson.spans import show_time
from views.common.controls import scrolling, text_label
from views.common.widgets import EmptyState
from views.people.consensus import ConsensusPanel
from views.people.word_card import WordCard
from views.player import Player

NOTHING_TOLD = (
    "Clips appear once two people have coded them, each under their own name and, best, in blind "
    "mode."
)


class TalkLayout(QWidget):
    """The widgets and where they stand; what they do is connected elsewhere.

    Signals:
        which_picked: Another list was chosen.
    """

    which_picked = Signal()

    def __init__(self, practices: Sequence[Practice], view: QWidget) -> None:
        super().__init__(view)
        self.list = QListWidget()
        self.player = Player()
        self.lines = QListWidget()
        self.panel = ConsensusPanel(practices)
        self.cards: list[WordCard] = []
        self._which = QComboBox()
        self._told = text_label()
        self._words = QWidget()
        self._words_row = QHBoxLayout(self._words)
        self._empty = EmptyState("Reading what people coded…", "")
        self._right = QStackedWidget()
        self._set_up()
        outer = QVBoxLayout(view)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self)
        self._lay_out()

    @property
    def which(self) -> Which:
        """The list chosen."""
        return Which(self._which.currentData())

    def show_list(self, lines: Sequence[str], told: str) -> None:
        """Replace the list."""
        self.list.blockSignals(True)
        self.list.clear()
        self.list.addItems(list(lines))
        self.list.blockSignals(False)
        self._told.setText(told)
        self._empty.say("Nothing to talk over here.", NOTHING_TOLD)

    def show_nothing(self, *, nothing: bool) -> None:
        """Say that there is nothing, or make room for a clip."""
        self._right.setCurrentIndex(0 if nothing else 1)

    def show_words(self, words: Sequence[tuple[Decision, Decision]]) -> None:
        """Show what each person said first, and says now."""
        for card in self.cards:
            self._words_row.removeWidget(card)
            card.hide()
            card.deleteLater()
        self.cards = [WordCard(first, latest) for first, latest in words]
        for card in self.cards:
            self._words_row.addWidget(card, 1)

    def show_lines(self, review: LessonReview, coded: CodedClip) -> None:
        """Show what is said in the clip."""
        self.lines.clear()
        clip = coded.clip
        for line in review.transcript.utterances if review.transcript else ():
            if clip.first <= line.number <= clip.last:
                who = f"{line.speaker}: " if line.speaker else ""
                at = show_time(line.start_ms)
                self.lines.addItem(f"{line.number}  {at}  {who}{line.text}")

    def _set_up(self) -> None:
        for which in Which:
            self._which.addItem(which.value, which.value)
        self._which.setAccessibleName("Which clips to list")
        self._which.activated.connect(lambda _place: self.which_picked.emit())
        self.list.setAccessibleName("Clips that two or more people coded")
        self.list.setWordWrap(True)
        self.lines.setAccessibleName("What is said in the clip")
        self.lines.setWordWrap(True)
        self.lines.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        for view in (self.list, self.lines):
            view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
            view.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.list.setAlternatingRowColors(True)
        self.list.setSpacing(1)
        self._words_row.setContentsMargins(0, 0, 0, 0)
        self._words_row.setAlignment(Qt.AlignmentFlag.AlignTop)

    def _lay_out(self) -> None:
        left = QWidget()
        on_left = QVBoxLayout(left)
        on_left.setContentsMargins(0, 0, 0, 0)
        on_left.addWidget(self._which)
        on_left.addWidget(self._told)
        on_left.addWidget(self.list, 1)
        watched = QSplitter(Qt.Orientation.Horizontal)
        watched.addWidget(self.player)
        watched.addWidget(self.lines)
        watched.setSizes([360, 460])
        watched.setChildrenCollapsible(False)
        clip = QSplitter(Qt.Orientation.Vertical)
        clip.addWidget(watched)
        clip.addWidget(scrolling(self._words, "What each person said first"))
        clip.setSizes([300, 200])
        clip.setChildrenCollapsible(False)
        right = QWidget()
        on_right = QVBoxLayout(right)
        on_right.setContentsMargins(0, 0, 0, 0)
        on_right.addWidget(clip, 1)
        on_right.addWidget(self.panel)
        self._right.addWidget(self._empty)
        self._right.addWidget(right)
        both = QSplitter(Qt.Orientation.Horizontal)
        both.addWidget(left)
        both.addWidget(self._right)
        both.setSizes([290, 860])
        both.setChildrenCollapsible(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(both)
