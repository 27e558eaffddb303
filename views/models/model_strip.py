"""One model as a strip: what it is, whether it fits, and what can be done with it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.models import Fits, ModelState, Origin
from views.background import Job, State
from views.common.controls import hairline, page_button, text_label
from views.common.signs import Sign, SignMark
from views.jobs.row import JobStrip
from views.models.words import FIT_WORDS, model_words

FIT_SIGNS = {
    Fits.GPU: Sign.TICK,
    Fits.MEMORY: Sign.NEAR,
    Fits.TOO_LARGE: Sign.CROSS,
    Fits.UNKNOWN: Sign.DOT,
}


class ModelStrip(QWidget):
    """Shows one model.

    Signals:
        get_wanted: Its name; it is to be fetched.
        check_wanted: Its name; all its bytes are to be read again.
        remove_wanted: Its name; it is to be removed.
        stop_wanted: A job of it that is to be stopped.
        pause_wanted: A job of it that is to come to rest.
        resume_wanted: A job of it that is paused and is to go on.
    """

    get_wanted = Signal(str)
    check_wanted = Signal(str)
    remove_wanted = Signal(str)
    stop_wanted = Signal(object)
    pause_wanted = Signal(object)
    resume_wanted = Signal(object)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self._title = text_label(bold=True)
        self._about, self._good_for = text_label(), text_label()
        self._sign = SignMark(Sign.DOT, "")
        self._fit = text_label()
        self._get = page_button("Get…", "Fetch it from the network; asks first")
        self._check = page_button("Check", "Read all of it again and compare it with its hash")
        self._remove = page_button("Remove…", "Take it off this computer; asks first")
        self._job = JobStrip(can_pause=True)
        self._job.hide()
        self._get.clicked.connect(lambda: self.get_wanted.emit(self._name))
        self._check.clicked.connect(lambda: self.check_wanted.emit(self._name))
        self._remove.clicked.connect(lambda: self.remove_wanted.emit(self._name))
        self._job.cancel_wanted.connect(self.stop_wanted)
        self._job.pause_wanted.connect(self.pause_wanted)
        self._job.resume_wanted.connect(self.resume_wanted)
        self._lay_out()

    def show_state(self, state: ModelState) -> None:
        """Show what is known of the model."""
        self._title.setText(f"{state.title}  ({state.name})")
        self._about.setText(model_words(state))
        told = [state.good_for, state.instead if not state.can_fetch else ""]
        self._good_for.setText(" ".join(part for part in told if part))
        self._good_for.setVisible(any(told))
        self._sign.show_sign(FIT_SIGNS[state.fit.verdict], FIT_WORDS[state.fit.verdict])
        self._fit.setText(f"{FIT_WORDS[state.fit.verdict]} {state.fit.words}")
        self._get.setVisible(state.can_fetch and not state.is_installed)
        self._check.setVisible(state.is_installed)
        self._remove.setVisible(state.is_installed and state.origin is not Origin.PROGRAM)
        for made, what in (
            (self._get, "Get"),
            (self._check, "Check"),
            (self._remove, "Remove"),
        ):
            made.setAccessibleName(f"{what} {state.title}")

    def show_job(self, job: Job) -> None:
        """Show how far work on the model is, for as long as there is some."""
        self._job.show_job(job)
        # One that rests stays in sight, so that it can be resumed here.
        is_there = not job.is_over or job.state is State.PAUSED
        self._job.setVisible(is_there)
        for made in (self._get, self._check, self._remove):
            made.setEnabled(not is_there)

    def _lay_out(self) -> None:
        fit = QHBoxLayout()
        fit.addWidget(self._sign)
        fit.addWidget(self._fit, 1)
        buttons = QHBoxLayout()
        for made in (self._get, self._check, self._remove):
            buttons.addWidget(made)
        buttons.addStretch()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 4)
        column.setSpacing(3)
        for label in (self._title, self._good_for, self._about):
            column.addWidget(label)
        column.addLayout(fit)
        column.addLayout(buttons)
        column.addWidget(self._job)
        column.addWidget(hairline())
