"""The Experts page: responses are drawn, scored blind by people and talked over; judges beside."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QFocusEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.audit.calibration import Calibration
from app.audit.expert_records import ExpertDraw
from app.errors import Cancelled, ClerestoryError, Refused
from views.audit.experts_draw import ExpertDrawDialog
from views.audit.experts_figures import FiguresView
from views.audit.experts_scoring import ScoringView
from views.audit.experts_talk import TalkOverView, scored_words
from views.audit.opened import state_of, to_score_blind
from views.background import Background, Job, Lane
from views.common.draw_frame import DrawFrame
from views.common.widgets import EmptyState

if TYPE_CHECKING:
    from app.desk import Desk

ABOUT = (
    "People score some of the tutor’s responses by the same rubrics, without knowing whose they "
    "are. What they say shows how far the judges can be believed; until then pass shares are "
    "withheld."
)
NO_AUDIT = ("No audit is chosen.", "Choose one under Audits, or begin a new one there.")
NOTHING_DRAWN = "Nothing is drawn for experts yet."
BLIND = (
    "You score blind: figures stand here once you have scored all.",
    "Until then nobody’s scores are shown to you. Go on under “Score alone”.",
)
ALL_SCORED = (
    "You have scored all, and may see what judges gave.",
    "Whoever has seen it cannot change what was given alone any more: it would not be blind. The "
    "talk with the other experts goes on as before.",
    "Close my scores and show the judges",
)


class ExpertPage(QWidget):
    """What people score of one audit, and the judges beside it.

    Args:
        desk: The library, and who sits here.
        background: Works the figures out.

    Signals:
        case_wanted: A case is to be opened: the numbers of its audit and response.
        scored: A score was stored, so that figures of the audit may have changed.
        told: Something to tell: message and hint.
        trouble: An error to tell.
    """

    case_wanted = Signal(int, int)
    scored = Signal()
    told = Signal(str, str)
    trouble = Signal(object)

    def __init__(self, desk: Desk, background: Background, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk, self._background = desk, background
        self._audit_id = 0
        self._job: Job | None = None
        self._state: tuple[object, ...] = ()
        """In which the figures in view, or under way, are those of the audit."""
        self.scoring = ScoringView(desk)
        self.talk = TalkOverView(desk)
        self.figures = FiguresView()
        self.actions_in_menu: list[QAction | None] = [
            *self.scoring.actions_in_menu,
            None,
            *self.talk.actions_in_menu,
        ]
        """For the menu, in order; `None` stands for a line."""
        self.empty = EmptyState(*NO_AUDIT)
        self._frame = DrawFrame(
            self.empty,
            {"Score alone": self.scoring, "Talk over": self.talk, "Judges": self.figures},
            ("Draw for experts", "Score alone, talk over, judges"),
            "Draw other responses for experts",
        )
        self.draws, self.tabs = self._frame.draws, self._frame.tabs
        self._lay_out()
        self._connect()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Hand the keyboard to the view in front."""
        self._frame.bring(event.reason())

    def show_audit(self, audit_id: int) -> None:
        """Show another audit; 0 for none."""
        if audit_id == self._audit_id:
            return
        self._audit_id = audit_id
        if self.isVisible():
            self.refresh()

    def refresh(self) -> None:
        """Bring the page up to date: it comes into view, or somebody else sits here."""
        try:
            draws = self._desk.audit_experts.draws(self._audit_id) if self._audit_id else ()
            self._list(draws)
            draw = self.draw
            if draw is None:
                self._say_nothing()
                return
            self._frame.show_work(on=True)
            self._show(draw)
        except ClerestoryError as error:
            self.trouble.emit(error)

    def leave(self) -> None:
        """Store what is being typed, as the page goes out of view."""
        self.scoring.leave()
        self.talk.leave()
        if self._job is not None:
            self._job.stop.set()
            self._job, self._state = None, ()

    @property
    def draw(self) -> ExpertDraw | None:
        """The draw in view."""
        found = self.draws.currentData()
        return found if isinstance(found, ExpertDraw) else None

    def ask_draw(self) -> None:
        """Ask how much is to be drawn, and draw it."""
        if not self._audit_id:
            self.told.emit(*NO_AUDIT)
            return
        dialog = ExpertDrawDialog(self._desk.audit_experts, self._audit_id, self)
        if dialog.exec():
            self.draw_from(dialog)

    def draw_from(self, dialog: ExpertDrawDialog) -> None:
        """Draw what a dialog asks for, and show it."""
        per_axis, seed = dialog.per_axis.value(), dialog.seed.value()
        try:
            draw_id = self._desk.audit_experts.draw(self._audit_id, per_axis, seed)
        except ClerestoryError as error:
            self.trouble.emit(error)
            return
        self._list(self._desk.audit_experts.draws(self._audit_id), draw_id)
        self.tabs.setCurrentWidget(self.scoring)
        self.refresh()
        self.scoring.setFocus()

    def _list(self, draws: tuple[ExpertDraw, ...], wanted: int = 0) -> None:
        chosen = wanted or (self.draw.draw_id if self.draw else 0)
        self.draws.blockSignals(True)
        self.draws.clear()
        for number, draw in enumerate(draws, 1):
            many, day = len(draw.response_ids), draw.made_at[:10]
            self.draws.addItem(f"Draw {number}: {many} responses, {day}", draw)
        ids = [draw.draw_id for draw in draws]
        self.draws.setCurrentIndex(ids.index(chosen) if chosen in ids else len(ids) - 1)
        self.draws.blockSignals(False)

    def _say_nothing(self) -> None:
        self._frame.show_work(on=False)
        if not self._audit_id:
            self.empty.say(*NO_AUDIT)
            return
        try:
            self._desk.audit_experts.plan_draw(self._audit_id)
        except Refused as error:
            self.empty.say(NOTHING_DRAWN, f"{ABOUT} {error.message} {error.hint}")
            return
        self.empty.say(NOTHING_DRAWN, ABOUT, "Draw responses…")

    def _show(self, draw: ExpertDraw) -> None:
        self.scoring.show_draw(draw)
        self.talk.show_draw(draw)
        self._say_who(draw)
        self._show_figures()

    def _say_who(self, draw: ExpertDraw) -> None:
        self._frame.who.setText(scored_words(self._desk.audit_experts.experts(draw), draw))

    def _show_figures(self) -> None:
        """Work the figures out, unless whoever sits here is still to score without knowing them."""
        if self.tabs.currentWidget() is not self.figures:
            return
        state = (self._audit_id, *state_of(self._desk, self._audit_id))
        if state == self._state:
            return
        self._state = state
        if self._job is not None:
            self._job.stop.set()
        if to_score_blind(self._desk, self._audit_id):
            self.figures.show_nothing(*(ALL_SCORED if self._to_close() else BLIND))
            return
        self.figures.show_waiting()
        self._job = job = Job("Hold the judges against experts", Lane.LOOK)
        work = partial(_work_out, self._desk, self._audit_id)
        self._background.start(job, work, partial(self._came, job), partial(self._failed, job))

    def _to_close(self) -> list[ExpertDraw]:
        """Give the draws of which only the own scores are to be closed, for the judges to be seen;
        none where some responses of a draw are still to be scored.
        """
        experts, me = self._desk.audit_experts, self._desk.author
        drawn = [experts.drawn_for(draw, me) for draw in experts.draws(self._audit_id)]
        begun = [one for one in drawn if one.own and not one.is_closed]
        return [] if any(one.left for one in begun) else [one.draw for one in begun]

    def _see_judges(self) -> None:
        try:
            for draw in self._to_close():
                self._desk.audit_experts.see_judges(draw, self._desk.author)
        except ClerestoryError as error:
            self.trouble.emit(error)
        self._state = ()
        self.refresh()

    def _came(self, job: Job, found: tuple[Calibration, ...]) -> None:
        if job is self._job:
            self._job = None
            self.figures.show_figures(found, self._audit_id)

    def _failed(self, job: Job, error: Exception) -> None:
        if job is self._job and not isinstance(error, Cancelled):
            self._job, self._state = None, ()
            self.trouble.emit(error)

    def _kept(self) -> None:
        draw = self.draw
        if draw is not None:
            self._say_who(draw)
        self.scored.emit()

    def _turn(self) -> None:
        """Show what came meanwhile, as another view comes to the front."""
        self.scoring.leave()
        self.talk.leave()
        self.refresh()

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 6, 0, 0)
        column.addWidget(self._frame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def _connect(self) -> None:
        self.draws.activated.connect(lambda _place: self.refresh())
        self._frame.new.clicked.connect(self.ask_draw)
        self.empty.asked.connect(self.ask_draw)
        self.tabs.currentChanged.connect(lambda _place: self._turn())
        self.scoring.outdated.connect(self.refresh)
        self.figures.case_wanted.connect(self.case_wanted)
        self.figures.asked.connect(self._see_judges)
        for view in (self.scoring, self.talk):
            view.kept.connect(self._kept)
            view.told.connect(self.told)
            view.trouble.connect(self.trouble)


def _work_out(desk: Desk, audit_id: int, _report: Any, _stop: Any) -> tuple[Calibration, ...]:
    return desk.audit_experts.calibrations(audit_id)
