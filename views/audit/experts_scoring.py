"""Scoring alone: one response after another, in an order of the expert's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.audit.expert_records import ExpertDraw
from app.audit_experts import DrawnFor, ScoringCard
from app.errors import ClerestoryError
from views.audit.experts_cases import MISSING, CardsView
from views.audit.experts_drafts import Begun, begun_of, drafts_name, read_drafts
from views.common.case_shell import CaseWords
from views.common.words import count_words

if TYPE_CHECKING:
    from app.desk import Desk

WORDS = CaseWords(
    "Keep and next", "Keep the score and go on", "Note on this response", "Backspace", "S"
)
WHO = ("Who scores?", "Say who you are at the bottom of the window (Ctrl+U).")
TALKING = (
    "The experts have begun to talk this draw over.",
    "Scores given alone are closed. For further experts make another draw.",
)
CLOSED = "Scores given alone are closed: the talk has begun, or you have seen what judges gave."
NOT_KEPT = "Not kept yet: Enter keeps it."


class ScoringView(CardsView):
    """Shows the responses of a draw to one expert and takes that person's scores.

    Signals:
        outdated: Somebody else sits at the desk now; show the draw to that person.
    """

    outdated = Signal()

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(desk, WORDS, "Keep the score and go on", parent)
        self._found: DrawnFor | None = None
        self._expert = ""
        """Whose responses are shown; only this person's scores are stored."""
        self._joined: set[str] = set()
        """Names of the drafts of whoever has said that they score."""
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.ui)
        self.ui.asked.connect(self.join)

    def show_draw(self, draw: ExpertDraw) -> None:
        """Show a draw to whoever sits at the desk, at the first response without a score.

        Raises:
            StoreRefused: It cannot be read.
        """
        expert = self._desk.author
        if not expert:
            self._found = None
            self._show_nothing(*WHO)
            return
        self._found = found = self._desk.audit_experts.drawn_for(draw, expert)
        name = drafts_name(expert, draw.draw_id)
        if found.is_closed and not found.own:
            self._show_nothing(*TALKING)
        elif self._drafts is not None and self._drafts.name == name:
            self._tell_progress()
        elif found.own or name in self._joined or self._has_begun(draw):
            self._begin()
        else:
            self._offer(found)

    def join(self) -> None:
        """Begin to score, as one of the experts of this draw."""
        if self._found is not None and self._desk.author:
            self._joined.add(drafts_name(self._desk.author, self._found.draw.draw_id))
            self._begin()
            self.ui.bring()

    def go_on(self) -> None:
        """Keep the score in view and go to the next response without one."""
        card = self.shown
        if self._found is None or card is None or self._is_another():
            return
        self.ui.finish_typing()
        if not self._found.is_closed and not self._keep(self._found, card):
            return
        place = self._next_of({card.response_id for card in self._found.left}, self._place)
        if place is not None:
            self._show(place)
            return
        self._show(self._place)
        self._tell_end()

    def _keep(self, found: DrawnFor, card: ScoringCard) -> bool:
        """Store the score in view; says whether there is one."""
        score, note = self.ui.picker.score, self.ui.note
        if score is None:
            self.told.emit(*MISSING)
            self.ui.picker.bring()
            return False
        stands = found.own.get(card.response_id)
        if stands is not None and (stands.score, stands.note) == (score, note):
            return True
        experts = self._desk.audit_experts
        try:
            experts.score(found.draw, card.response_id, self._expert, score, note)
            self._found = experts.drawn_for(found.draw, self._expert)
            self._let_go(card.response_id)
        except ClerestoryError as error:
            self.trouble.emit(error)
            return False
        self.kept.emit()
        return True

    def _is_another(self) -> bool:
        """Say whether somebody else sits here, who has not seen this response as their own."""
        if self._expert == self._desk.author:
            return False
        self.outdated.emit()
        return True

    def _keep_draft(self) -> None:
        if not self._is_another():
            super()._keep_draft()

    def _has_begun(self, draw: ExpertDraw) -> bool:
        return bool(read_drafts(self._desk.library, self._desk.author, draw.draw_id).begun)

    def _begin(self) -> None:
        if self._found is None:
            return
        self._expert = self._desk.author
        self._drafts = read_drafts(self._desk.library, self._expert, self._found.draw.draw_id)
        self._cards = self._found.cards
        self._show(self._next_of({card.response_id for card in self._found.left}, -1) or 0)

    def _offer(self, found: DrawnFor) -> None:
        """Ask before somebody becomes an expert of a draw: all of them must score all of it."""
        expert = self._desk.author
        self._show_nothing(
            f"Score as {expert}?",
            f"{count_words(len(found.cards), 'response')}, in an order of {expert}’s own. You see "
            "scene, request, response and rubric; whose response it is, what its writer was told "
            "of who reads along, and what judges or others gave stays hidden. Whoever has begun is "
            "waited for before the talk.",
            f"Score as {expert}",
        )

    def _stands(self, card: ScoringCard) -> Begun:
        own = self._found.own.get(card.response_id) if self._found else None
        return begun_of(own.score, own.note) if own else Begun()

    def _may_score(self) -> bool:
        return self._found is not None and not self._found.is_closed

    def _tell_progress(self) -> None:
        found = self._found
        if found is None or not self._cards:
            return
        many, scored = len(found.cards), len(found.own)
        told = [f"{scored} of {many} scored."]
        if found.is_closed:
            told.append(CLOSED)
        elif self._is_changed():
            told.append(NOT_KEPT)
        elif scored == many:
            told.append("They can be changed until you see the judges, or the talk begins.")
        self.ui.let_score(on=not found.is_closed)
        self.ui.say(f"Response {self._place + 1} of {many}", " ".join(told))

    def _tell_end(self) -> None:
        if self._found is None or self._found.left:
            return
        experts = self._desk.audit_experts.experts(self._found.draw)
        waiting = [name for name, left in experts.items() if left]
        if len(experts) < 2:
            hint = "Now a second person scores them, alone and under their own name (Ctrl+U)."
        elif waiting:
            hint = f"{' and '.join(waiting)} still has some to score."
        else:
            hint = "So has everybody. Go on with “Talk over”."
        self.told.emit("You have scored every response.", hint)
