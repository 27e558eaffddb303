"""One response as an expert sees it: scene, request and response beside the rubric."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PySide6.QtGui import QAction

from app.audit_experts import ScoringCard
from views.audit.experts_bands import BANDS, BandPicker
from views.audit.experts_drafts import Begun
from views.audit.sheet import Sheet, head, quote, text
from views.common.case_shell import CaseShell, CaseWords
from views.common.controls import view_action

WIDTHS = (480, 520)


class CardLayout(CaseShell):
    """A response beside the bands of its rubric; no model, no notice, nobody's score.

    Args:
        words: What stands on the controls.
    """

    def __init__(self, words: CaseWords) -> None:
        sheet, picker = Sheet("The response to score"), BandPicker()
        super().__init__(sheet, picker, words, WIDTHS)
        self.sheet, self.picker = sheet, picker
        for widget, least in ((sheet, 240), (picker, 240)):
            widget.setMinimumWidth(least)

    @property
    def picked(self) -> Begun:
        """What is picked and typed."""
        return Begun(self.picker.band, self.picker.upper, self.note)

    def show_card(self, card: ScoringCard, begun: Begun, told: Mapping[int, str]) -> None:
        """Show a response with what was begun on it, and what is told of each band."""
        self.setCurrentIndex(1)
        lines = [head("Scene"), text(card.scene)] if card.scene else []
        lines += [head("Asked"), quote(card.request), head("Response, whole"), quote(card.text)]
        self.sheet.show_lines(lines)
        self.picker.show_rubric(card.rubric, begun.band, begun.upper, told)
        self.set_note(begun.note)

    def let_score(self, *, on: bool) -> None:
        """Let a score and a note be given, or only be read."""
        self.picker.let_pick(on=on)
        self.let_note(on=on)

    def read_on(self, pages: int) -> None:
        """Read on in the response, or back."""
        bar = self.sheet.verticalScrollBar()
        bar.setValue(bar.value() + pages * bar.pageStep())


def card_actions(layout: CardLayout, done: str) -> list[QAction | None]:
    """Make the actions of a response, in the order of the menu; `None` stands for a line."""
    made, picker = partial(view_action, layout), layout.picker
    bands = [made(f"Band {n}", partial(picker.pick, n), str(n)) for n in range(1, BANDS + 1)]
    return [
        *bands,
        made("Lower point of the band", partial(picker.point, False), "L"),
        made("Upper point of the band", partial(picker.point, True), "U"),
        None,
        made(done, layout.done.emit, "Return", "Enter"),
        made("Next response, without a score", partial(layout.stepped.emit, 1), "S"),
        made("Response before", partial(layout.stepped.emit, -1), "Backspace"),
        made("Note", layout.focus_note, "N"),
        made("To the bands", picker.bring, "B", "Esc"),
        made("Read on", partial(layout.read_on, 1), "Ctrl+Down"),
        made("Read back", partial(layout.read_on, -1), "Ctrl+Up"),
    ]
