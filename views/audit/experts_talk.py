"""Talking over: what each expert gave side by side, and what they agree on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QComboBox, QHBoxLayout, QVBoxLayout, QWidget

from app.audit.expert_records import ExpertDraw
from app.audit_experts import ScoringCard, TalkedOver
from app.coding.people_names import how_far_words, joined
from app.errors import ClerestoryError, Refused
from views.audit.experts_cases import MISSING, CardsView
from views.audit.experts_drafts import Begun, begun_of, read_drafts
from views.common.case_shell import CaseWords

if TYPE_CHECKING:
    from app.desk import Desk

WORDS = CaseWords(
    "Agree", "Keep this score as agreed", "What was said in the talk", "Backspace", "S"
)
DIFFERENT, ALL = "Where you differ", "All responses"
BEGINS = "The talk begins once two or more people have scored everything, each alone."
WHY_LATER = "Seeing another’s scores first would colour one’s own."


class TalkOverView(CardsView):
    """Shows what experts gave alone, those furthest apart first; still without model and judges."""

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(desk, WORDS, "Agree on this score", parent)
        self._draw: ExpertDraw | None = None
        self._talk: dict[int, TalkedOver] = {}
        self.which = QComboBox()
        self.which.addItems([DIFFERENT, ALL])
        self.which.setAccessibleName("Which responses to go through")
        head = QHBoxLayout()
        head.addWidget(self.which)
        head.addStretch()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 0)
        column.addLayout(head)
        column.addWidget(self.ui, 1)
        self.which.activated.connect(lambda _place: self._list())

    def show_draw(self, draw: ExpertDraw) -> None:
        """Show where the talk stands, staying at the response in view.

        Raises:
            StoreRefused: It cannot be read.
        """
        experts = self._desk.audit_experts
        is_same = self._draw is not None and self._draw.draw_id == draw.draw_id
        self._draw = draw
        try:
            self._talk = {one.card.response_id: one for one in experts.to_talk_over(draw)}
        except Refused:
            self._talk = {}
            self.which.hide()
            told = scored_words(experts.experts(draw), draw)
            self._show_nothing(BEGINS, f"{told} {WHY_LATER}")
            return
        self.which.show()
        if is_same and self._cards:
            self._tell_progress()
            return
        who = joined(list(experts.experts(draw)))
        self._drafts = read_drafts(self._desk.library, who, draw.draw_id)
        self._list()

    def go_on(self) -> None:
        """Keep the score in view as agreed and go to the next response to agree on."""
        card = self.shown
        if self._draw is None or card is None:
            return
        self.ui.finish_typing()
        score, experts = self.ui.picker.score, self._desk.audit_experts
        if score is None:
            self.told.emit(*MISSING)
            self.ui.picker.bring()
            return
        stands = self._talk[card.response_id].words.agreed
        try:
            if stands is None or (stands.score, stands.note) != (score, self.ui.note):
                experts.agree(self._draw, card.response_id, score, self.ui.note)
            self._let_go(card.response_id)
            self._talk = {one.card.response_id: one for one in experts.to_talk_over(self._draw)}
        except ClerestoryError as error:
            self.trouble.emit(error)
            return
        self.kept.emit()
        place = self._next_of(self._to_agree, self._place)
        self._show(self._place if place is None else place)
        if place is None:
            self.told.emit("Everything on which you differed is agreed.", "See “Judges”.")

    @property
    def _differing(self) -> set[int]:
        return {each for each, one in self._talk.items() if one.apart}

    @property
    def _to_agree(self) -> set[int]:
        return {each for each in self._differing if self._talk[each].words.agreed is None}

    def _list(self) -> None:
        only = self.which.currentText() == DIFFERENT
        self.ui.finish_typing()
        self._cards = tuple(one.card for one in self._talk.values() if one.apart or not only)
        self._place = 0
        if not self._cards:
            told = "Choose “All responses” above to look at them once more, or go on with “Judges”."
            self.ui.show_nothing("You do not differ on any response.", told)
            return
        self._show(self._next_of(self._to_agree, -1) or 0)

    def _stands(self, card: ScoringCard) -> Begun:
        one = self._talk[card.response_id]
        if one.words.agreed is not None:
            return begun_of(one.words.agreed.score, one.words.agreed.note)
        return Begun() if one.apart else begun_of(one.words.own[0].score)

    def _placed(self, card: ScoringCard) -> Mapping[int, str]:
        bands: dict[int, list[str]] = defaultdict(list)
        for one in self._talk[card.response_id].words.own:
            bands[begun_of(one.score).band or 0].append(f"{one.expert}: {one.score}")
        return {band: ", ".join(told) for band, told in bands.items()}

    def _tell_progress(self) -> None:
        card = self.shown
        if card is None:
            return
        one = self._talk[card.response_id]
        told = [f"{len(self._to_agree)} of {len(self._differing)} still to agree on."]
        told.append("; ".join(f"{own.expert}: {own.score}" for own in one.words.own) + ".")
        if self._is_changed():
            told.append("Not kept yet: Enter agrees.")
        elif one.words.agreed is not None:
            told.append(f"Agreed: {one.words.agreed.score}.")
        if all(each.words.agreed is None for each in self._talk.values()):
            told.append("The first agreement closes the scores given alone.")
        told += [f"{own.expert} noted: {own.note}" for own in one.words.own if own.note]
        self.ui.say(f"Response {self._place + 1} of {len(self._cards)}", " ".join(told))


def scored_words(left: Mapping[str, int], draw: ExpertDraw) -> str:
    """Say who has scored how much of a draw, by how many each has left."""
    many = len(draw.response_ids)
    return how_far_words({name: many - rest for name, rest in left.items()}, many, "scored")
