"""The search box with its filters: what is asked of the library, all of it in sight."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.coding.moments import Term, Wanted
from app.coding.practice_names import Offer, offer_for, read_names
from app.coding.practices import Practice
from app.store.records import LessonRow
from resources import resource
from views.common.controls import page_button
from views.library.filters import Filters

SEARCH_PAUSE_MS = 200
"""Wait after the last key before searching, so that typing stays smooth."""
CHIP_LETTERS = 28


class Asking(QWidget):
    """Gathers what a person looks for.

    A practice that is named in the words is offered as a filter; nothing is narrowed unasked.

    Signals:
        asked: What is wanted now, `Wanted`; an empty one ends the search.
        entered: Enter was pressed in the box.
        term_wanted: The days of this term are to be said.
    """

    asked = Signal(object)
    entered = Signal()
    term_wanted = Signal()

    def __init__(self, practices: Sequence[Practice] = (), parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._names = read_names(resource("practice_names.toml"))
        self._titles = {practice.id: practice.title for practice in practices}
        self._offered: Offer | None = None
        self._wants_term = False
        self.box = QLineEdit()
        self.more = page_button("Filters", "Narrow by practice, person, lesson or day", stays=True)
        self.filters = Filters(practices)
        self._offer = page_button("", "Look for the clips that have this code")
        self._chips = QHBoxLayout()
        self._pause = QTimer(self)
        self._set_up()

    @property
    def wanted(self) -> Wanted:
        """What is asked for now."""
        return replace(self.filters.wanted, words=self.box.text().strip())

    def show_choices(self, authors: Sequence[str], rows: Sequence[LessonRow]) -> None:
        """Offer people and lessons to choose from; what is chosen stays where it can."""
        self.filters.show_choices(authors, rows)
        self._show_chips()

    def show_term(self, term: Term | None) -> None:
        """Learn which days this term has; an offer that waited for them is carried out."""
        self.filters.show_term(term)
        if term is not None and self._wants_term:
            self._wants_term = False
            self.filters.pick_term()

    def ask(self) -> None:
        """Ask at once for what stands there now."""
        self._pause.stop()
        self._show_offer()
        self._show_chips()
        self.asked.emit(self.wanted)

    def _set_up(self) -> None:
        told = "Search what was said, codes, quotes and notes"
        self.box.setPlaceholderText(told)
        self.box.setAccessibleName(told)
        self.box.setClearButtonEnabled(True)
        self.filters.hide()
        self._offer.hide()
        self._pause.setSingleShot(True)
        self._pause.setInterval(SEARCH_PAUSE_MS)
        self._pause.timeout.connect(self.ask)
        self.box.textChanged.connect(lambda _text: self._pause.start())
        self.box.returnPressed.connect(self._enter)
        self.more.toggled.connect(self.filters.setVisible)
        self.filters.changed.connect(self.ask)
        self.filters.term_wanted.connect(self.term_wanted)
        self._offer.clicked.connect(self._take_offer)
        below = QHBoxLayout()
        below.addWidget(self._offer)
        below.addLayout(self._chips)
        below.addStretch()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.filters)
        column.addLayout(below)

    def _enter(self) -> None:
        self.ask()
        self.entered.emit()

    def _show_offer(self) -> None:
        offer = None if self.filters.wanted.practice else offer_for(self.box.text(), self._names)
        self._offered = offer
        self._offer.setVisible(offer is not None)
        if offer is not None:
            told = self._offer_words(offer)
            self._offer.setText(told)
            self._offer.setAccessibleName(told)

    def _offer_words(self, offer: Offer) -> str:
        title = self._titles.get(offer.practice, "")
        level = f", level {offer.level}" if offer.level else ""
        named = f" ({title[:1].lower()}{title[1:]})" if title else ""
        term = ", this term" if offer.this_term else ""
        words = f", with “{offer.words}”" if offer.words else ""
        return f"Look for clips coded {offer.practice}{level}{named}{term}{words} instead"

    def _take_offer(self) -> None:
        offer = self._offered
        if offer is None:
            return
        self.box.setText(offer.words)
        if offer.this_term and not self.filters.pick_term():
            self._wants_term = True
            self.term_wanted.emit()
        self.filters.pick_code(offer.practice, offer.level)
        self.box.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_chips(self) -> None:
        while (item := self._chips.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.hide()
                old.deleteLater()
        for words, take_away in self.filters.active():
            self._chips.addWidget(_chip(words, partial(self._remove, take_away)))

    def _remove(self, take_away: partial[None]) -> None:
        take_away()
        self.box.setFocus(Qt.FocusReason.OtherFocusReason)


def _chip(words: str, remove: partial[None]) -> QPushButton:
    shown = words if len(words) <= CHIP_LETTERS else f"{words[: CHIP_LETTERS - 1]}…"
    made = page_button(f"{shown}  ✕", f"Take away the filter “{words}”")
    made.setAccessibleName(f"Take away the filter {words}")
    made.clicked.connect(lambda: remove())
    return made
