"""Going through responses one after another: what scoring alone and talking over have in common."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QWidget

from app.audit_experts import ScoringCard
from app.errors import ClerestoryError
from views.audit.experts_card import CardLayout, card_actions
from views.audit.experts_drafts import Begun, Drafts
from views.common.case_shell import CaseWords

if TYPE_CHECKING:
    from app.desk import Desk

MISSING = (
    "This response has no score yet.",
    "Press 1 to 5 for its band, then L or U for the point; S leaves it for later.",
)


class CardsView(QWidget):
    """Goes through the responses of a draw; what is begun on each is kept with each key.

    Args:
        desk: The library, and who sits here.
        words: What stands on the controls.
        done: What the menu calls it when a response is done.

    Signals:
        kept: A score was stored.
        told: Something to tell: message and hint.
        trouble: An error to tell.
    """

    kept = Signal()
    told = Signal(str, str)
    trouble = Signal(object)

    def __init__(
        self, desk: Desk, words: CaseWords, done: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._desk = desk
        self._cards: Sequence[ScoringCard] = ()
        self._place = 0
        self._drafts: Drafts | None = None
        self.ui = CardLayout(words)
        self.actions_in_menu = card_actions(self.ui, done)
        self.ui.begun.connect(self._keep_draft)
        self.ui.stepped.connect(self.step)
        self.ui.done.connect(self.go_on)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Hand the keyboard to the bands."""
        self.ui.bring()

    @property
    def shown(self) -> ScoringCard | None:
        """The response in view."""
        return self._cards[self._place] if self._cards else None

    def step(self, by: int) -> None:
        """Go to the next response or the one before, scored or not."""
        place = self._place + by
        if 0 <= place < len(self._cards):
            self.ui.finish_typing()
            self._show(place)

    def leave(self) -> None:
        """Store what is being typed."""
        self.ui.finish_typing()

    def go_on(self) -> None:
        """Keep the score in view and go to the next response without one."""
        raise NotImplementedError

    def _stands(self, card: ScoringCard) -> Begun:
        """Give what is kept of a response, or what scoring it begins with."""
        raise NotImplementedError

    def _placed(self, card: ScoringCard) -> Mapping[int, str]:
        """Say who placed a response in which band; nothing while people score alone."""
        return {}

    def _may_score(self) -> bool:
        return True

    def _tell_progress(self) -> None:
        raise NotImplementedError

    def _show_nothing(self, title: str, text: str, action: str = "") -> None:
        self._drafts, self._cards, self._place = None, (), 0
        self.ui.show_nothing(title, text, action)

    def _show(self, place: int) -> None:
        if self._drafts is None or not self._cards:
            return
        self._place = place
        card = self._cards[place]
        begun = self._drafts.begun.get(card.response_id, self._stands(card))
        had_focus = self.ui.isAncestorOf(self.focusWidget() or self)
        self.ui.show_card(card, begun, self._placed(card))
        self.ui.let_score(on=self._may_score())
        if had_focus:
            self.ui.bring()
        self._tell_progress()

    def _keep_draft(self) -> None:
        card = self.shown
        if self._drafts is None or card is None or not self._may_score():
            return
        picked = self.ui.picked
        try:
            same = picked == self._stands(card)
            self._drafts.keep(card.response_id, Begun() if same else picked)
        except ClerestoryError as error:
            self.trouble.emit(error)
        self._tell_progress()

    def _let_go(self, response_id: int) -> None:
        """Forget what was begun on a response, as it is kept now."""
        if self._drafts is not None:
            self._drafts.keep(response_id, Begun())

    def _next_of(self, wanted: Collection[int], after: int) -> int | None:
        """Give the next place of one of these responses, round to the start."""
        many = len(self._cards)
        places = [(after + 1 + n) % many for n in range(many)]
        return next((at for at in places if self._cards[at].response_id in wanted), None)

    def _is_changed(self) -> bool:
        """Say whether something is begun here that is not kept yet."""
        card = self.shown
        return (
            card is not None and self._drafts is not None and card.response_id in self._drafts.begun
        )
