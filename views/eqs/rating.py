"""Rating alone: one case after another, in an order of the rater's own, stored with each key."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.benchmark.eqs import cards_for
from app.benchmark.eqs_progress import EqsProgress
from app.benchmark.eqs_records import RatingCard
from app.errors import ClerestoryError
from views.background import Background
from views.eqs.drafts import Begun, Drafts, drafts_name, read_drafts
from views.eqs.layout import CaseLayout, case_actions

if TYPE_CHECKING:
    from app.desk import Desk

UNTOLD = ("", "", "")


class RatingView(QWidget):
    """Shows the cases of a draw to one rater and takes that person's scores.

    Signals:
        rated: A rating was stored.
        outdated: Somebody else sits at the desk now; show the draw to that person.
        told: Something to tell: message and hint.
        trouble: An error to tell.
    """

    rated = Signal()
    outdated = Signal()
    told = Signal(str, str)
    trouble = Signal(object)

    def __init__(self, desk: Desk, background: Background, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._progress: EqsProgress | None = None
        self._cards: tuple[RatingCard, ...] = ()
        self._place = 0
        self._drafts: Drafts | None = None
        self._rater = ""
        """Whose cases are shown; only this person's scores are stored."""
        self._joined: set[str] = set()
        """Names of the drafts of whoever has said that they rate."""
        self.ui = CaseLayout(
            desk, background, "Next", "The next case that is not rated yet", "Note on this case"
        )
        self.actions_in_menu = case_actions(self.ui, "Next case to rate")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.ui)
        self.ui.begun.connect(self._keep)
        self.ui.stepped.connect(self.step)
        self.ui.done.connect(self.go_on)
        self.ui.asked.connect(self.join)
        self.ui.trouble.connect(self.trouble)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Hand the keyboard to the scores."""
        self.ui.bring()

    def show_draw(self, progress: EqsProgress, warning: str = "") -> None:
        """Show a draw to whoever sits at the desk, at the first case that person has not rated.

        Args:
            progress: Where the draw stands.
            warning: What speaks against that person as a rater.
        """
        rater = self._desk.author
        name = drafts_name(rater, progress.draw.draw_id)
        is_same = self._drafts is not None and self._drafts.name == name
        self._progress = progress
        if not rater:
            self._refuse("Who rates?", "Say who you are at the bottom of the window (Ctrl+U).")
        elif not progress.may_rate(rater):
            self._refuse(
                f"{' and '.join(progress.raters)} rate this draw.",
                f"{rater} would be a third. Make another draw for other raters, or let one of the "
                "two sit here (Ctrl+U).",
            )
        elif is_same:
            self._tell_progress()
        elif self._has_joined(name):
            self._begin()
        else:
            self._offer(warning)

    def join(self) -> None:
        """Begin to rate, as one of the two people."""
        if self._progress is not None and self._progress.may_rate(self._desk.author):
            self._joined.add(drafts_name(self._desk.author, self._progress.draw.draw_id))
            self._begin()
            self.ui.picker.bring()

    def step(self, by: int) -> None:
        """Go to the next case or the one before, finished or not."""
        place = self._place + by
        if 0 <= place < len(self._cards):
            self.ui.finish_typing()
            self._show(place)

    def go_on(self) -> None:
        """Go to the next case that is not rated; says what is missing of this one."""
        self.ui.finish_typing()
        missing = self.ui.picker.missing
        if missing and not self._is_closed:
            self.told.emit(
                f"Not scored yet: {', '.join(missing)}.", "Press 1, 2 or 3; N leaves it for later."
            )
            self.ui.picker.bring()
            return
        place = self._next_unrated(self._place)
        if place == self._place:
            self._tell_end()
            return
        self._show(place)

    def leave(self) -> None:
        """Store what is being typed and stand still."""
        self.ui.finish_typing()
        self.ui.case.leave()

    @property
    def _is_closed(self) -> bool:
        return self._progress is not None and self._progress.is_closed

    def _has_joined(self, name: str) -> bool:
        progress = self._progress
        if progress is None:
            return False
        drafts = read_drafts(self._desk.library, self._desk.author, progress.draw.draw_id)
        return bool(progress.rated_by(self._desk.author) or drafts.begun) or name in self._joined

    def _begin(self) -> None:
        if self._progress is None:
            return
        self._rater = rater = self._desk.author
        draw = self._progress.draw
        self._drafts = read_drafts(self._desk.library, rater, draw.draw_id)
        self._cards = cards_for(draw, rater)
        self._show(self._next_unrated(-1))

    def _offer(self, warning: str) -> None:
        """Ask before somebody becomes a rater: the first two who rate are the two."""
        rater, raters = self._desk.author, self._progress.raters if self._progress else ()
        who = (
            f"{raters[0]} rates too." if raters else "Two different people rate; this is the first."
        )
        self._refuse(
            f"Rate as {rater}?",
            f"{who} Who has begun cannot be taken out again. The order is {rater}’s own; "
            f"models, what is right and the other’s scores stay hidden. {warning}".strip(),
            f"Rate as {rater}",
        )

    def _refuse(self, title: str, text: str, action: str = "") -> None:
        self._drafts, self._cards = None, ()
        self.ui.show_nothing(title, text, action)

    def _show(self, place: int) -> None:
        if self._progress is None or self._drafts is None or not self._cards:
            return
        self._place = place
        card = self._cards[place]
        rated = self._progress.rated_by(self._rater).get(card.prediction_id)
        begun = self._drafts.begun.get(card.prediction_id)
        if begun is None:
            begun = Begun(rated.scores, rated.note) if rated else Begun()
        had_focus = self.ui.picker.isAncestorOf(self.focusWidget() or self)
        self.ui.show_case(card, begun.scores, begun.note, UNTOLD)
        self.ui.let_score(on=not self._is_closed)
        if had_focus:
            self.ui.picker.bring()
        self._tell_progress()

    def _keep(self) -> None:
        """Store a whole rating, or what there is of one."""
        if self._drafts is None or self._progress is None or self._is_closed:
            return
        if self._rater != self._desk.author:
            # What is pressed now is another person's, who has not seen this case as their own.
            self.outdated.emit()
            return
        output, note = self._cards[self._place].prediction_id, self.ui.note
        one, two, three = self.ui.picker.scores
        try:
            if one is None or two is None or three is None:
                self._drafts.keep(output, Begun((one, two, three), note))
                return
            stands = self._progress.rated_by(self._rater).get(output)
            if stands is None or (stands.scores, stands.note) != ((one, two, three), note):
                self._desk.library.ratings.rate(
                    self._progress.draw.draw_id,
                    output,
                    self._rater,
                    (one, two, three),
                    note,
                )
                self._drafts.keep(output, Begun())
                self.rated.emit()
        except ClerestoryError as error:
            self.trouble.emit(error)

    def _next_unrated(self, after: int) -> int:
        """Give the next place without a rating, round to the start; the same where none is left."""
        rated = self._progress.rated_by(self._rater) if self._progress else {}
        many = len(self._cards)
        round_from = [(after + 1 + n) % many for n in range(many)] if many else []
        left = [at for at in round_from if self._cards[at].prediction_id not in rated]
        return left[0] if left else max(after, 0)

    def _tell_progress(self) -> None:
        if self._progress is None:
            return
        many, rated = len(self._cards), len(self._progress.rated_by(self._rater))
        told = f"{rated} of {many} rated."
        if self._is_closed:
            told += " Ratings made alone are closed: the talk has begun."
        elif rated == many:
            told += " All are rated; they can be changed until the talk begins."
        self.ui.let_score(on=not self._is_closed)
        self.ui.say(f"Case {self._place + 1} of {many}", told)

    def _tell_end(self) -> None:
        progress = self._progress
        if progress is None:
            return
        if progress.is_rated:
            self.told.emit("Everything is rated by both.", "Go on with “Talk over”.")
            return
        others = [name for name in progress.raters if name != self._rater]
        who = others[0] if others else "a second, different person"
        self.told.emit("You have rated every case.", f"Now {who} rates them (Ctrl+U).")
