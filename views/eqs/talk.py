"""Talking over: both raters' scores side by side, and what the two agree on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QVBoxLayout, QWidget

from app.benchmark.eqs import cards_for
from app.benchmark.eqs_progress import EqsProgress
from app.benchmark.eqs_records import GivenRating, RatingCard
from app.benchmark.eqs_words import left_words
from app.coding.people_names import joined
from app.errors import ClerestoryError
from views.background import Background
from views.eqs.drafts import Begun, Drafts, read_drafts
from views.eqs.layout import CaseLayout, case_actions
from views.eqs.scores import Scores

if TYPE_CHECKING:
    from app.desk import Desk

DIFFERENT, ALL = "Where you differ", "All cases"


class TalkOverView(QWidget):
    """Shows the cases that two people rated, still without model and truth.

    Signals:
        agreed: An agreement was stored.
        told: Something to tell: message and hint.
        trouble: An error to tell.
    """

    agreed = Signal()
    told = Signal(str, str)
    trouble = Signal(object)

    def __init__(self, desk: Desk, background: Background, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._progress: EqsProgress | None = None
        self._cards: tuple[RatingCard, ...] = ()
        self._place = 0
        self._drafts: Drafts | None = None
        self.which = QComboBox()
        self.which.addItems([DIFFERENT, ALL])
        self.which.setAccessibleName("Which cases to go through")
        self.ui = CaseLayout(
            desk, background, "Agree", "Keep these scores as agreed", "What was said in the talk"
        )
        self.actions_in_menu = case_actions(self.ui, "Agree on these scores")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 0)
        head = QHBoxLayout()
        head.addWidget(self.which)
        head.addStretch()
        column.addLayout(head)
        column.addWidget(self.ui, 1)
        self.which.activated.connect(lambda _place: self._list())
        self.ui.begun.connect(self._keep)
        self.ui.stepped.connect(self.step)
        self.ui.done.connect(self.agree)
        self.ui.trouble.connect(self.trouble)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Hand the keyboard to the scores."""
        self.ui.picker.bring()

    def show_draw(self, progress: EqsProgress) -> None:
        """Show where the talk stands, staying at the case in view."""
        before, self._progress = self._progress, progress
        self.which.setVisible(progress.is_rated)
        if not progress.is_rated:
            self._cards = ()
            self.ui.show_nothing(
                "The talk begins once two people have rated everything, each alone.",
                f"{left_words(progress)} Each rates every case under “Rate”; seeing the other’s "
                "scores earlier would colour one’s own.",
            )
            return
        if before is None or before.draw.draw_id != progress.draw.draw_id or not self._cards:
            who = joined(progress.raters)
            self._drafts = read_drafts(self._desk.library, who, progress.draw.draw_id)
            self._list()
        else:
            self._tell_progress()

    def step(self, by: int) -> None:
        """Go to the next case of the list, or the one before."""
        place = self._place + by
        if 0 <= place < len(self._cards):
            self.ui.finish_typing()
            self._show(place)

    def agree(self) -> None:
        """Keep the scores as agreed and go to the next case that is not agreed on."""
        if self._progress is None or self._drafts is None or not self._cards:
            return
        self.ui.finish_typing()
        one, two, three = self.ui.picker.scores
        if one is None or two is None or three is None:
            missing = ", ".join(self.ui.picker.missing)
            self.told.emit(f"Not agreed yet: {missing}.", "Press 1, 2 or 3.")
            self.ui.picker.bring()
            return
        output, draw_id = self._cards[self._place].prediction_id, self._progress.draw.draw_id
        try:
            self._desk.library.ratings.agree(draw_id, output, (one, two, three), self.ui.note)
            self._drafts.keep(output, Begun())
        except ClerestoryError as error:
            self.trouble.emit(error)
            return
        self.agreed.emit()
        self._go_on()

    def leave(self) -> None:
        """Store what is being typed and stand still."""
        self.ui.finish_typing()
        self.ui.case.leave()

    def _list(self) -> None:
        progress = self._progress
        if progress is None:
            return
        wanted = set(progress.differing)
        # Without a name the order is nobody's own, and stays the same for both.
        cards = cards_for(progress.draw, "")
        only = self.which.currentText() == DIFFERENT
        self._cards = tuple(c for c in cards if c.prediction_id in wanted or not only)
        if not self._cards:
            self.ui.show_nothing(
                "You do not differ on any case.", "The figures stand under “Results”."
            )
            return
        left = [at for at, c in enumerate(self._cards) if c.prediction_id in progress.to_agree]
        self._show(left[0] if left else 0)

    def _go_on(self) -> None:
        left = set(self._progress.to_agree) if self._progress else set()
        many = len(self._cards)
        places = [(self._place + 1 + n) % many for n in range(many)]
        after = [at for at in places if self._cards[at].prediction_id in left]
        if after:
            self._show(after[0])
            return
        self._show(self._place)
        self.told.emit("Everything on which you differed is agreed.", "See “Results”.")

    def _show(self, place: int) -> None:
        if self._progress is None or self._drafts is None:
            return
        self._place = place
        card = self._cards[place]
        own = [self._progress.own[name][card.prediction_id] for name in self._progress.raters]
        agreed = self._progress.agreed.get(card.prediction_id)
        begun = self._drafts.begun.get(card.prediction_id)
        if begun is None:
            begun = Begun(agreed.scores, agreed.note) if agreed else Begun(shared_scores(own))
        self.ui.show_case(card, begun.scores, begun.note, side_by_side(own))
        self._tell_progress()

    def _keep(self) -> None:
        if self._drafts is None or not self._cards:
            return
        begun = Begun(self.ui.picker.scores, self.ui.note)
        try:
            self._drafts.keep(self._cards[self._place].prediction_id, begun)
        except ClerestoryError as error:
            self.trouble.emit(error)

    def _tell_progress(self) -> None:
        progress = self._progress
        if progress is None or not self._cards:
            return
        card = self._cards[self._place]
        agreed = progress.agreed.get(card.prediction_id)
        own = [progress.own[name][card.prediction_id] for name in progress.raters]
        told = [f"{len(progress.to_agree)} of {len(progress.differing)} still to agree on."]
        if agreed is not None:
            told.append(f"Agreed: {'·'.join(map(str, agreed.scores))}.")
        if not progress.agreed:
            told.append("The first agreement closes the ratings made alone.")
        told += [f"{one.rater} noted: {one.note}" for one in own if one.note]
        self.ui.say(f"Case {self._place + 1} of {len(self._cards)}", " ".join(told))


def shared_scores(own: list[GivenRating]) -> Scores:
    """Give the scores that both gave; none where they differ."""
    one, other = own
    found = [a if a == b else None for a, b in zip(one.scores, other.scores, strict=True)]
    return found[0], found[1], found[2]


def side_by_side(own: list[GivenRating]) -> tuple[str, str, str]:
    """Write both people's scores of each dimension in a line."""
    one, other = own
    told = [
        f"{one.rater} {a}, {other.rater} {b}" + ("" if a == b else " – you differ")
        for a, b in zip(one.scores, other.scores, strict=True)
    ]
    return told[0], told[1], told[2]
