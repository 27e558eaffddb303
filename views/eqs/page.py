"""The evidence quality page: outputs are drawn, rated blind by two people and talked over."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QFocusEvent
from PySide6.QtWidgets import QFileDialog, QVBoxLayout, QWidget

from app.benchmark.eqs import EqsResults, make_draw, results_of_draw
from app.benchmark.eqs_progress import EqsProgress, open_results, progress_of
from app.benchmark.eqs_words import coders_of_truth_words, left_words
from app.errors import Cancelled, ClerestoryError
from app.imprint import now_in_seconds, program_name
from views.background import Background, Job, Lane
from views.common.draw_frame import DrawFrame
from views.common.widgets import EmptyState
from views.eqs.draw_dialog import DrawDialog
from views.eqs.rating import RatingView
from views.eqs.results import ResultsView
from views.eqs.talk import TalkOverView

if TYPE_CHECKING:
    from app.desk import Desk

ABOUT = "Two people rate how well models’ evidence carries their codes, without knowing the models."
NO_SET = (
    f"{ABOUT} For that a set of coded clips is needed, and two models that have answered it: bring "
    "a set in and run the models first."
)
SOME_SET = f"{ABOUT} Draw some right and some wrong answers of two models first."


class EqsPage(QWidget):
    """Holds the views of one draw.

    Signals:
        case_opened: A lesson's id and the moment to go to, or -1.
        told: Something to tell: message and hint.
        trouble: An error to tell.
    """

    case_opened = Signal(str, int)
    told = Signal(str, str)
    trouble = Signal(object)

    def __init__(self, desk: Desk, background: Background, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._background = background
        self._progress: EqsProgress | None = None
        self._results: EqsResults | None = None
        self._job: Job | None = None
        self._listed: list[int] = []
        self.rating = RatingView(desk, background)
        self.talk = TalkOverView(desk, background)
        self.results = ResultsView()
        self.empty = EmptyState("Nothing is drawn for rating yet.", NO_SET)
        self._frame = DrawFrame(
            self.empty,
            {"Rate": self.rating, "Talk over": self.talk, "Results": self.results},
            ("Draw", "Rate, talk over, results"),
            "Draw other outputs to rate",
        )
        self.draws, self.tabs = self._frame.draws, self._frame.tabs
        self._lay_out()
        self._connect()

    @property
    def actions_in_menu(self) -> list[QAction | None]:
        """The actions for the menu, in order; `None` stands for a line."""
        return [*self.rating.actions_in_menu, None, *self.talk.actions_in_menu]

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Hand the keyboard to the view in front."""
        self._frame.bring(event.reason())

    def refresh(self) -> None:
        """Bring the page up to date: it comes into view, or what may be seen has changed."""
        try:
            self._list_draws()
            self._show_draw()
        except ClerestoryError as error:
            self.trouble.emit(error)

    def leave(self) -> None:
        """Store what is being typed and stand still, as the page goes out of view."""
        self.rating.leave()
        self.talk.leave()

    def close_media(self) -> None:
        """Let go of the recordings, before the window goes."""
        self.leave()
        self.rating.ui.case.close_media()
        self.talk.ui.case.close_media()

    def ask_draw(self) -> None:
        """Ask what to draw, and draw it."""
        try:
            sets = self._desk.library.coded_sets()
            if not sets:
                self.told.emit("There is no set of coded clips yet.", "Bring one in first.")
                return
            dialog = DrawDialog(sets, self._given_of, self)
            if dialog.exec():
                self.draw_from(dialog)
        except ClerestoryError as error:
            self.trouble.emit(error)

    def draw_from(self, dialog: DrawDialog) -> None:
        """Draw what a dialog asks for.

        Raises:
            Refused: It cannot be drawn.
            StoreRefused: It could not be kept.
        """
        draw_id = make_draw(
            self._desk.library,
            dialog.coded,
            dialog.chosen,
            per_cell=dialog.per_cell.value(),
            seed=dialog.seed.value(),
        )
        self._list_draws()
        self.draws.setCurrentIndex(self._listed.index(draw_id))
        self.tabs.setCurrentWidget(self.rating)
        self._show_draw()
        self.rating.setFocus()

    def save(self, folder: Path) -> None:
        """Write the page and the tables into a folder."""
        if self._results is None:
            return
        made_at = now_in_seconds()
        program = program_name()
        job = Job("Write the page of rated evidence", Lane.FILES)
        work = partial(_write, self._desk, self._results, folder, made_at, program)
        told = f"The page and its tables are saved to {folder}."
        self._background.start(
            job, work, lambda _files: self.told.emit(told, ""), self._failed_to_save
        )

    def _failed_to_save(self, error: Exception) -> None:
        if not isinstance(error, Cancelled):
            self.trouble.emit(error)

    def _given_of(self, set_id: int) -> Any:
        return self._desk.library.said_of_set(set_id, cited=False).given

    def _list_draws(self) -> None:
        draws = self._desk.library.ratings.draws()
        listed = [draw.draw_id for draw in draws]
        if listed != self._listed:
            chosen = self.draws.currentData()
            self.draws.blockSignals(True)
            self.draws.clear()
            for number, draw in enumerate(draws, 1):
                day = draw.made_at[:10]
                words = f"Draw {number}: {draw.title}, {len(draw.outputs)} outputs, {day}"
                self.draws.addItem(words, draw.draw_id)
            self._listed = listed
            if listed:
                self.draws.setCurrentIndex(
                    listed.index(chosen) if chosen in listed else len(listed) - 1
                )
            self.draws.blockSignals(False)
        self._frame.show_work(on=bool(listed))
        if not listed:
            has_set = bool(self._desk.library.coded_sets())
            text, action = (SOME_SET, "Draw outputs…") if has_set else (NO_SET, "")
            self.empty.say("Nothing is drawn for rating yet.", text, action)

    def _show_draw(self) -> None:
        draw_id = self.draws.currentData()
        if draw_id is None:
            return
        before = self._progress
        self._progress = progress = progress_of(self._desk.library, draw_id)
        if before is None or before.draw.draw_id != draw_id:
            self.rating.ui.case.forget()
            self.talk.ui.case.forget()
        warnings = self._warnings(progress)
        self.rating.show_draw(progress, warnings.get(self._desk.author, ""))
        self.talk.show_draw(progress)
        self._frame.who.setText(" ".join([left_words(progress), *warnings.values()]))
        self._show_results(progress)

    def _warnings(self, progress: EqsProgress) -> dict[str, str]:
        """Say of each rater, and of who could be one, that they have coded the drawn clips."""
        coded_by = self._desk.library.ratings.coded_by(progress.draw.draw_id)
        mine = (self._desk.author,) if progress.may_rate(self._desk.author) else ()
        people = dict.fromkeys((*progress.raters, *mine))
        return {
            name: coders_of_truth_words((name,), coded_by)[0] for name in people if name in coded_by
        }

    def _show_results(self, progress: EqsProgress) -> None:
        if not progress.is_rated:
            self._results = None
            self.results.show_nothing(
                "The figures come once two people have rated everything.",
                f"{left_words(progress)} Until then nobody sees models or what is right, so that "
                "nobody rates knowing them.",
            )
            return
        if self._job is not None:
            self._job.stop.set()
        self._job = job = Job("Work out evidence quality", Lane.LOOK)
        work = partial(_work_out, self._desk, progress.draw.draw_id)
        self._background.start(job, work, partial(self._came, job), partial(self._failed, job))

    def _came(self, job: Job, results: EqsResults) -> None:
        if job is self._job:
            self._job = None
            self._results = results
            self.results.show_results(results)

    def _failed(self, job: Job, error: Exception) -> None:
        if job is self._job and not isinstance(error, Cancelled):
            self._job = None
            self.trouble.emit(error)

    def _open_names(self) -> None:
        if self._progress is None:
            return
        try:
            open_results(self._desk.library, self._progress, self._desk.author)
            self._show_draw()
        except ClerestoryError as error:
            self.trouble.emit(error)

    def _export(self) -> None:
        folder = QFileDialog.getExistingDirectory(self, "Folder for the page and the tables")
        if folder:
            self.save(Path(folder))

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 6, 8, 6)
        column.addWidget(self._frame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def _connect(self) -> None:
        self.draws.activated.connect(lambda _place: self.refresh())
        self._frame.new.clicked.connect(self.ask_draw)
        self.empty.asked.connect(self.ask_draw)
        self.tabs.currentChanged.connect(lambda _place: self.leave())
        self.rating.rated.connect(self.refresh)
        self.rating.outdated.connect(self.refresh)
        self.talk.agreed.connect(self.refresh)
        self.results.case_opened.connect(self.case_opened)
        self.results.names_wanted.connect(self._open_names)
        self.results.export_wanted.connect(self._export)
        for view in (self.rating, self.talk):
            view.told.connect(self.told)
            view.trouble.connect(self.trouble)


def _work_out(desk: Desk, draw_id: int, _report: Any, _stop: Any) -> EqsResults:
    return results_of_draw(desk.library, draw_id)


def _write(
    desk: Desk,
    results: EqsResults,
    folder: Path,
    made_at: str,
    program: str,
    _report: Any,
    stop: Any,
) -> list[Path]:
    return desk.files.eqs_report(results, folder, made_at=made_at, program=program, stop=stop)
