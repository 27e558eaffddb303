"""The curation page: researchers, experts, their talk, and the sets that come of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QFocusEvent
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QMessageBox,
    QStackedWidget,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from app.confusion.curation import Standing, to_judge, to_talk_over
from app.confusion.review import Stage
from app.confusion.sets import LocalizationSet, RecognitionSet
from app.errors import Cancelled, ClerestoryError
from app.set_making import Material, SetMaking
from views.background import Background, Job, Lane
from views.common.controls import page_button, text_label
from views.common.widgets import EmptyState
from views.curation.judge import JudgeView
from views.curation.sets import SetsView

if TYPE_CHECKING:
    from app.desk import Desk

ABOUT = "Judge the windows that readers found, and make sets of clips and videos for others."
READING = ("Looking through the learner videos…", "This takes a moment where there are many.")
Planned = RecognitionSet | LocalizationSet


class CurationPage(QWidget):
    """Four views of one library's candidates.

    Args:
        desk: The library, and who sits here.
        background: Reads, plans and writes.

    Signals:
        closed: The page is to be left.
        told: Something to tell: message and hint.
        trouble: An error to tell.
    """

    closed = Signal()
    told = Signal(str, str)
    trouble = Signal(object)

    def __init__(self, desk: Desk, background: Background, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk, self._background = desk, background
        self.making = SetMaking(desk.library)
        self.material: Material | None = None
        self._held_back: frozenset[str] = frozenset()
        """Videos that whoever sits here, and works blind, has not marked yet."""
        self._job: Job | None = None
        self._back = page_button("Back", "Back to the learner videos", "Esc")
        self._all = page_button("Actions", "Everything that can be done here, with its key", "F10")
        self._menu = QMenu("Actions", self)
        self._leave = QAction("Back to the learner videos", self)
        self.researchers = JudgeView(desk, self.making, background, Stage.CURATE)
        self.experts = JudgeView(desk, self.making, background, Stage.VALIDATE)
        self.talk = JudgeView(desk, self.making, background, Stage.VALIDATE, talk=True)
        self.sets = SetsView()
        self.tabs = QTabWidget()
        self._reading = EmptyState(*READING)
        self._stack = QStackedWidget()
        self.agree: Callable[[Sequence[str]], bool] = self._agree
        """Asks whether to write a set in spite of warnings."""
        self._lay_out()
        self._connect()

    @property
    def judging(self) -> tuple[JudgeView, JudgeView, JudgeView]:
        """The views in which clips are judged."""
        return self.researchers, self.experts, self.talk

    @property
    def actions_in_menu(self) -> list[QAction | None]:
        """The actions of the view in front, in order; `None` stands for a line."""
        front = self.tabs.currentWidget()
        own = front.actions_in_menu if isinstance(front, JudgeView) else []
        return [*own, None, self._leave] if own else [self._leave]

    def _fill_menu(self) -> None:
        self._menu.clear()
        for action in self.actions_in_menu:
            if action is None:
                self._menu.addSeparator()
            else:
                self._menu.addAction(action)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Hand the keyboard to the view in front."""
        self.tabs.currentWidget().setFocus(event.reason())

    def refresh(self) -> None:
        """Read everything anew: the page comes into view, or what may be seen has changed."""
        self._work_out(None)

    def _work_out(self, material: Material | None) -> None:
        """Plan the sets, of what was read before where it is given."""
        if self._job is not None:
            self._job.stop.set()
        self._job = job = Job("Look through candidate clips", Lane.LOOK)
        work = partial(_read, self.making, material)
        self._background.start(job, work, partial(self._came, job), partial(self._failed, job))

    def leave(self) -> None:
        """Stand still, as the page goes out of view."""
        for view in self.judging:
            view.leave()

    def close_media(self) -> None:
        """Let go of the recordings, before the window goes."""
        for view in self.judging:
            view.clip.close_media()

    def write(self, chosen: Planned, folder: Path) -> None:
        """Write a set into a folder, in the background."""
        job = Job("Write a set of learner videos", Lane.FILES)
        work = partial(_write, self.making, chosen, folder, self.sets.licence.text())
        self._background.start(job, work, self._written, partial(self._failed, None))

    def _came(self, job: Job, found: tuple[Material, Any, RecognitionSet, LocalizationSet]) -> None:
        if job is not self._job:
            return
        self._job = None
        self.material, *planned = found
        self._stack.setCurrentIndex(1)
        is_blind = self._desk.settings.blind
        held_back = self.making.held_back(self.material, self._desk.author) if is_blind else ()
        self._held_back = frozenset(held_back)
        for view in self.judging:
            view.show_material(self._to_judge(self.material), len(self._held_back))
        self.sets.show_sets(self.material, *planned)
        self._name_tabs()
        if self._stack.hasFocus() or self.hasFocus():
            self.tabs.currentWidget().setFocus()

    def _failed(self, job: Job | None, error: Exception) -> None:
        if job is self._job:
            self._job = None
        if not isinstance(error, Cancelled):
            self.trouble.emit(error)

    def _said(self, after: Standing) -> None:
        """Carry a word on: to the other views at once, to the sets when they come into view."""
        if self.material is None:
            return
        if self._job is not None:
            # It read before this word was said.
            self._job.stop.set()
            self._job = None
        place = after.candidate.place
        standings = tuple(
            after if one.candidate.place == place else one for one in self.material.standings
        )
        self.material = replace(self.material, standings=standings)
        shown = self._to_judge(self.material)
        for view in self.judging:
            if view is self.sender():
                view.know(shown)
            else:
                view.show_material(shown, len(self._held_back))
        self._name_tabs()

    def _to_judge(self, material: Material) -> Material:
        return material.without(self._held_back) if self._held_back else material

    def _turned(self, _place: int) -> None:
        self.leave()
        if self.tabs.currentWidget() is self.sets and self._job is None:
            self._work_out(self.material)

    def _name_tabs(self) -> None:
        if self.material is None:
            return
        material, who = self._to_judge(self.material), self._desk.author
        left = [len(to_judge(material.standings, stage, who)) if who else 0 for stage in Stage]
        waiting = (*left, len(to_talk_over(material.standings, who)) if who else 0)
        for tab, (name, number) in enumerate(zip(_TABS, waiting, strict=False)):
            self.tabs.setTabText(tab, f"{name} ({number})" if number else name)

    def _choose_readers(self, names: tuple[str, ...]) -> None:
        self._try(partial(self.making.choose_readers, names))
        self.refresh()

    def _note_consent(self, lesson_id: str, note: str) -> None:
        review = self.material.review(lesson_id) if self.material else None
        if review is not None:
            self._try(partial(self.making.note_consent, review, note, self._desk.author))
            self._work_out(self.material)

    def _try(self, change: Callable[[], None]) -> None:
        try:
            change()
        except ClerestoryError as error:
            self.trouble.emit(error)

    def _ask_where(self, chosen: Planned) -> None:
        if chosen.warnings and not self.agree(chosen.warnings):
            return
        folder = QFileDialog.getExistingDirectory(self, "Folder for the set")
        if folder:
            self.write(chosen, Path(folder))

    def _agree(self, warnings: Sequence[str]) -> bool:
        box = QMessageBox(self)
        box.setIcon(QMessageBox.Icon.Warning)
        box.setWindowTitle("Before the set is written")
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText("\n\n".join(warnings))
        write = box.addButton("Write anyway", QMessageBox.ButtonRole.AcceptRole)
        stay = box.addButton("Do not write", QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(stay)
        box.setEscapeButton(stay)
        box.exec()
        return box.clickedButton() is write

    def _step_back(self) -> None:
        """Leave what is being typed, or the page."""
        if isinstance(QApplication.focusWidget(), QLineEdit):
            self.tabs.currentWidget().setFocus()
        else:
            self.closed.emit()

    def _written(self, files: list[Path]) -> None:
        folder = files[0].parent
        self.told.emit(f"The set is in {folder}.", "Read DATA_CARD.md before you pass it on.")

    def _lay_out(self) -> None:
        self.tabs.setDocumentMode(True)
        self.tabs.setAccessibleName("Researchers, experts, talk over, sets")
        for view, name in zip((*self.judging, self.sets), _TABS, strict=True):
            self.tabs.addTab(view, name)
        head = QHBoxLayout()
        head.addWidget(self._back)
        head.addWidget(text_label(ABOUT), 1)
        head.addWidget(self._all)
        self._all.setMenu(self._menu)
        self._stack.addWidget(self._reading)
        self._stack.addWidget(self.tabs)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 6, 8, 6)
        column.addLayout(head)
        column.addWidget(self._stack, 1)
        self._leave.setShortcut(Qt.Key.Key_Escape)
        self._leave.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        self.addAction(self._leave)
        show = QAction("Actions", self)
        show.setShortcut(Qt.Key.Key_F10)
        show.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        show.triggered.connect(lambda _on=False: self._all.showMenu())
        self.addAction(show)

    def _connect(self) -> None:
        self._back.clicked.connect(self.closed)
        self._leave.triggered.connect(self._step_back)
        self._menu.aboutToShow.connect(self._fill_menu)
        self.tabs.currentChanged.connect(self._turned)
        for view in self.judging:
            view.said.connect(self._said)
            view.outdated.connect(self.refresh)
            view.told.connect(self.told)
            view.trouble.connect(self.trouble)
        self.sets.readers_chosen.connect(self._choose_readers)
        self.sets.consent_noted.connect(self._note_consent)
        self.sets.write_wanted.connect(self._ask_where)


_TABS = ("Researchers", "Experts", "Talk over", "Sets")


def _read(making: SetMaking, known: Material | None, _report: Any, _stop: Any) -> tuple[Any, ...]:
    material = known or making.material()
    return (
        material,
        making.consents(material.reviews),
        making.recognition(material),
        making.localization(material),
    )


def _write(
    making: SetMaking, chosen: Planned, folder: Path, licence: str, report: Any, stop: Any
) -> list[Path]:
    return making.write(chosen, folder, licence, report, stop)
