"""What a search found: the list, how it is sorted, and playing it."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHBoxLayout,
    QListView,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from app.coding.moments import Found, Moment, Order, Wanted, left_out
from views.common.controls import page_button, text_label
from views.common.words import count_words
from views.library.hits import HIT_ROLE, HitList, HitPainter
from views.library.reel import Reel

LIST_SHARE, REEL_SHARE = 2, 3


class Results(QWidget):
    """Lists the moments that were found and plays them.

    Signals:
        opened: A lesson's id, and the moment to go to or -1.
        sorted: Another order is wanted, `Order`.
    """

    opened = Signal(str, int)
    sorted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.hits, self.list = HitList(self), QListView()
        self.reel = Reel()
        self._split = QSplitter(Qt.Orientation.Horizontal)
        self.said = text_label()
        self.order = QComboBox()
        self.play = page_button(
            "Play all", "Play what was found, one after another", "Ctrl+Shift+L"
        )
        self._set_up()
        self._lay_out()
        self._connect()

    def show_found(self, wanted: Wanted, found: Found) -> None:
        """Show what was found; a moment that plays goes on unless it was not found again."""
        chosen = self.list.currentIndex().data(HIT_ROLE)
        self.hits.show_moments(found.moments)
        self.said.setText(" ".join((_found_words(wanted, found), *left_out(found))))
        self.play.setEnabled(any(moment.can_be_shown for moment in found.moments))
        self.order.setEnabled(bool(found.moments))
        self._split.setVisible(bool(found.moments))
        if found.moments:
            again = chosen in found.moments
            self.list.setCurrentIndex(self.hits.index(found.moments.index(chosen) if again else 0))
        if not self.reel.isHidden() and self.reel.moment() not in found.moments:
            self.reel.leave()

    def focus_list(self) -> None:
        """Put the keyboard on what was found, if there is anything."""
        if self.hits.rowCount():
            self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def play_all(self) -> None:
        """Play what was found, from the moment that is chosen in the list."""
        if not self.play.isEnabled() or not self.isVisible():
            return
        if self.reel.isHidden():
            self.reel.show()
            width = self._split.width()
            part = width * LIST_SHARE // (LIST_SHARE + REEL_SHARE)
            self._split.setSizes([part, width - part])
        self.reel.setFocus(Qt.FocusReason.OtherFocusReason)
        self.reel.play(self.hits.moments, max(0, self.list.currentIndex().row()))

    def close_reel(self) -> None:
        """Put the player away and go back to the list."""
        self.reel.hide()
        self.focus_list()

    def _set_up(self) -> None:
        self.order.addItem("By lesson and time", Order.LESSON)
        self.order.addItem("By relevance", Order.RELEVANCE)
        self.order.setAccessibleName("Order")
        self.list.setModel(self.hits)
        self.list.setItemDelegate(HitPainter(self.list))
        self.list.setUniformItemSizes(True)
        self.list.setAccessibleName("What the search found")
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.list.setMinimumSize(QSize(200, 120))
        self.reel.hide()

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.addWidget(self.said, 1)
        top.addWidget(self.order)
        top.addWidget(self.play)
        split = self._split
        split.addWidget(self.list)
        split.addWidget(self.reel)
        split.setStretchFactor(0, LIST_SHARE)
        split.setStretchFactor(1, REEL_SHARE)
        split.setChildrenCollapsible(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(top)
        column.addWidget(split, 1)
        column.addStretch(0)

    def _connect(self) -> None:
        self.list.activated.connect(self._open_hit)
        self.play.clicked.connect(self.play_all)
        self.order.currentIndexChanged.connect(lambda _at: self.sorted.emit(self.wanted_order()))
        self.reel.lesson_opened.connect(self.opened)
        self.reel.closed.connect(self.close_reel)
        self.reel.shown.connect(self._follow)

    def wanted_order(self) -> Order:
        """Give the order that is chosen."""
        return Order(self.order.currentData())

    def _open_hit(self, index: QModelIndex) -> None:
        moment: Moment = index.data(HIT_ROLE)
        self.reel.stop()
        self.opened.emit(moment.lesson_id, -1 if moment.at_ms is None else moment.at_ms)

    def _follow(self, moment: Moment) -> None:
        """Mark in the list what is played."""
        if moment in self.hits.moments:
            self.list.setCurrentIndex(self.hits.index(self.hits.moments.index(moment)))


def _found_words(wanted: Wanted, found: Found) -> str:
    what = f" for “{wanted.words}”" if wanted.words else ""
    if not found.moments:
        searched = (
            "" if wanted.is_about_codes else " Searched: what was said, quotes, notes, titles."
        )
        return f"Nothing found{what}.{searched}"
    unit = "clip" if wanted.is_about_codes else "place"
    count = count_words(len(found.moments), unit)
    more = f"More than {count} found{what}; these are the best." if found.has_more else ""
    return f"{more or f'{count} found{what}.'} Enter opens the lesson there."
