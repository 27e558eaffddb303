"""How a case is rated or talked over: the case left, the scores right, or why there is none."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction

from app.benchmark.eqs_records import RatingCard
from views.background import Background
from views.common.case_shell import CaseShell, CaseWords
from views.common.controls import view_action
from views.eqs.case import CaseView
from views.eqs.scores import ScorePicker, Scores

if TYPE_CHECKING:
    from app.desk import Desk


class CaseLayout(CaseShell):
    """A case of rated evidence beside its three scores.

    Signals:
        trouble: An error to tell.
    """

    trouble = Signal(object)

    def __init__(
        self, desk: Desk, background: Background, done: str, done_tip: str, note: str
    ) -> None:
        case, picker = CaseView(desk, background), ScorePicker()
        super().__init__(case, picker, CaseWords(done, done_tip, note))
        self.case, self.picker = case, picker
        case.trouble.connect(self.trouble)

    def show_nothing(self, title: str, text: str, action: str = "") -> None:
        """Say why there is no case here, and what to do."""
        self.case.leave()
        super().show_nothing(title, text, action)

    def show_case(
        self, card: RatingCard, scores: Scores, note: str, told: tuple[str, str, str]
    ) -> None:
        """Show a case with what was begun on it."""
        self.setCurrentIndex(1)
        self.case.show_card(card)
        self.picker.show_scores(scores, told)
        self.set_note(note)

    def let_score(self, *, on: bool) -> None:
        """Let scores and notes be given, or only be read."""
        self.picker.let_pick(on=on)
        self.let_note(on=on)


def case_actions(layout: CaseLayout, done: str) -> list[QAction | None]:
    """Make the actions of a case, in the order of the menu; `None` stands for a line."""
    made = partial(view_action, layout)
    return [
        *(made(f"Score {n}", partial(layout.picker.pick, n), str(n)) for n in (1, 2, 3)),
        None,
        made(done, layout.done.emit, "Return", "Enter"),
        made("Next case", partial(layout.stepped.emit, 1), "N"),
        made("Case before", partial(layout.stepped.emit, -1), "P"),
        made("Play or pause the clip", layout.case.play, "Space"),
        made("Note", layout.focus_note, "Ctrl+Return"),
        made("To the scores", layout.picker.bring, "S"),
    ]
