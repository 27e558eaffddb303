"""The Agreement page: talk over what people coded differently, and see how far they agree."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QFocusEvent
from PySide6.QtWidgets import QFileDialog, QTabWidget, QVBoxLayout, QWidget

from app.coding.people import agreement_report, alpha_of_people, clip_key
from app.coding.people_anchoring import anchoring
from app.coding.people_rows import agreement_rows, anchoring_rows, clip_lines, table_text
from app.coding.practices import Practice
from app.coding.review import LessonReview
from app.errors import Cancelled, ClerestoryError, Refused
from views.background import Background, Job, Lane
from views.people.figures import Asked, FiguresView, Worked
from views.people.gathering import Gathering
from views.people.seen import note_seen
from views.people.talk import TalkView

if TYPE_CHECKING:
    from app.desk import Desk


class PeoplePage(QWidget):
    """Two views on the same lessons.

    Signals:
        lesson_opened: A lesson's id and the moment to go to, or -1.
        lesson_changed: The id of a lesson in which something was agreed, or seen.
        told: Something to tell: message and hint.
        trouble: An error to tell.
    """

    lesson_opened = Signal(str, int)
    lesson_changed = Signal(str)
    told = Signal(str, str)
    trouble = Signal(object)

    def __init__(self, desk: Desk, background: Background, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._background = background
        self.gathering = Gathering(desk, background, self)
        self.talk = TalkView(desk, background, self.gathering)
        self.figures = FiguresView()
        self._worked: dict[tuple[object, Asked], Worked] = {}
        self._job: Job | None = None
        self._state: object = None
        """What is shown: the lessons as they stood, and whose eyes it is for."""
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.setAccessibleName("Talk over, and figures")
        self.tabs.addTab(self.talk, "Talk over")
        self.tabs.addTab(self.figures, "Figures")
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 6, 8, 6)
        column.addWidget(self.tabs)
        self._connect()

    @property
    def actions_in_menu(self) -> list[QAction | None]:
        """The actions for the menu, in order; `None` stands for a line."""
        return self.talk.actions_in_menu

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Hand the keyboard to the view in front."""
        self.tabs.currentWidget().setFocus(event.reason())

    def refresh(self) -> None:
        """Bring the page up to date: it comes into view, or what may be seen has changed."""
        if self.gathering.is_read:
            self._show()
        self.gathering.refresh()

    def leave(self) -> None:
        """Store what is being typed and stand still, as the page goes out of view."""
        self.talk.leave()

    def close_media(self) -> None:
        """Let go of the recording, before the window goes."""
        self.talk.close_media()

    def _show(self) -> None:
        reviews, sight = self.gathering.reviews, self.talk.sight
        state = (self.gathering.stamps, sight)
        if state == self._state:
            return
        self._state = state
        self.talk.show_clips()
        may_show = frozenset(
            clip_key(review.lesson_id, clip.clip_id)
            for review in reviews
            for clip in review.clips
            if sight.shows_labels(review, clip.clip_id)
        )
        self.figures.show_sides(self.gathering.sides, may_show)

    def _work_out(self, asked: Asked) -> None:
        key = (self.gathering.stamps, asked)
        if key in self._worked:
            self.figures.show_worked(self._worked[key])
            return
        if self._job is not None:
            self._job.stop.set()
        self._job = job = Job("Work out agreement", Lane.LOOK)
        work = partial(_work, self.gathering.reviews, self._desk.practices, asked)
        self._background.start(job, work, partial(self._came, job, key), partial(self._failed, job))

    def _came(self, job: Job, key: tuple[object, Asked], worked: Worked) -> None:
        if job is self._job:
            self._job = None
            # What was worked out of earlier states is not asked for again.
            self._worked = {k: w for k, w in self._worked.items() if k[0] == key[0]}
            self._worked[key] = worked
            self.figures.show_worked(worked)

    def _failed(self, job: Job, error: Exception) -> None:
        if job is self._job and not isinstance(error, Cancelled):
            self._job = None
            self.trouble.emit(error)

    def _note_listed(self, listed: list[tuple[str, str]]) -> None:
        try:
            seen = note_seen(self._desk.library, self.gathering, self.talk.sight, listed)
        except ClerestoryError as error:
            self.trouble.emit(error)
            return
        for lesson_id in seen:
            self.lesson_changed.emit(lesson_id)

    def _export(self) -> None:
        worked = self.figures.worked
        if worked is None:
            return
        name, _ = QFileDialog.getSaveFileName(
            self, "Save the table", "agreement.csv", "Comma-separated values (*.csv)"
        )
        if name:
            self.save_table(Path(name), worked)

    def save_table(self, path: Path, worked: Worked) -> None:
        """Save the figures; what could not be written is told."""
        asked = worked.asked
        text = table_text(asked.first, asked.second, worked.rows, only_blind=asked.only_blind)
        part = path.with_name(f"{path.name}.part")
        try:
            # The mark at the front tells spreadsheets that the file is UTF-8.
            part.write_text(text, encoding="utf-8-sig", newline="")
            part.replace(path)
        except OSError as error:
            part.unlink(missing_ok=True)
            self.trouble.emit(
                Refused(
                    f"The table could not be saved to {path}: {error.strerror}.",
                    "Choose another folder, or close the file if it is open elsewhere.",
                )
            )
            return
        self.told.emit(f"The table is saved to {path}.", "")

    def _connect(self) -> None:
        self.gathering.came.connect(self._show)
        self.gathering.trouble.connect(self.trouble)
        self.talk.changed.connect(self.lesson_changed)
        self.talk.told.connect(self.told)
        self.talk.trouble.connect(self.trouble)
        self.figures.wanted.connect(self._work_out)
        self.figures.clip_opened.connect(self.lesson_opened)
        self.figures.clips_listed.connect(self._note_listed)
        self.figures.export_wanted.connect(self._export)


def _work(
    reviews: tuple[LessonReview, ...],
    practices: tuple[Practice, ...],
    asked: Asked,
    _report: Any,
    stop: Any,
) -> Worked:
    ids = [practice.id for practice in practices]
    report = agreement_report(reviews, asked.first, asked.second, ids, only_blind=asked.only_blind)
    if stop.is_set():
        raise Cancelled
    rows, anchored = agreement_rows(report, practices), None
    sides = sorted((asked.first, asked.second))
    if [side.is_coder for side in sides] == [False, True]:
        anchored = anchoring(reviews, sides[0].name, sides[1].name)
        rows = (*rows, *anchoring_rows(anchored))
    everybody = alpha_of_people(reviews, only_blind=asked.only_blind)
    return Worked(asked, rows, clip_lines(report, anchored), everybody)
