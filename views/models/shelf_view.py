"""The models of this computer: installed ones first, then those that are recommended."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.models import ModelState
from views.background import Job
from views.common.controls import page_button, scrolling, text_label
from views.models.model_strip import ModelStrip

NONE_HERE = (
    "No model is installed. None is needed to begin with: the evidence finder and the speech model "
    "come along. Get one of those below, or add a file that you have."
)


class ShelfView(QWidget):
    """Lists models and what can be done with them.

    Signals:
        add_wanted: A file of the person's own is to be added.
        get_wanted: A model's name; it is to be fetched.
        check_wanted: A model's name; it is to be checked.
        remove_wanted: A model's name; it is to be removed.
        stop_wanted: A job that is to be stopped.
        pause_wanted: A job that is to come to rest.
        resume_wanted: A job that is paused and is to go on.
    """

    add_wanted = Signal()
    get_wanted = Signal(str)
    check_wanted = Signal(str)
    remove_wanted = Signal(str)
    stop_wanted = Signal(object)
    pause_wanted = Signal(object)
    resume_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._computer = text_label("Looking at this computer…")
        self._add = page_button(
            "Add a file…", "Use a model file that lies on this computer (GGUF, ONNX, CTranslate2)"
        )
        self._add.setAccessibleName("Add a model file")
        self._add.clicked.connect(self.add_wanted)
        self._none = text_label(NONE_HERE)
        self._here_head = text_label("Installed", bold=True, larger=1.15)
        self._more_head = text_label("Recommended, not installed", bold=True, larger=1.15)
        self._here, self._more = QVBoxLayout(), QVBoxLayout()
        self._strips: dict[str, ModelStrip] = {}
        self._inside = QWidget()
        self._lay_out()

    def show_models(self, states: Sequence[ModelState], computer: str) -> None:
        """Show all models; those that were shown before keep the keyboard."""
        self._computer.setText(computer)
        for name in set(self._strips) - {state.name for state in states}:
            gone = self._strips.pop(name)
            gone.hide()
            gone.deleteLater()
        for part, is_here in ((self._here, True), (self._more, False)):
            for state in states:
                if state.is_installed is is_here:
                    strip = self._strip(state.name)
                    strip.show_state(state)
                    part.addWidget(strip)
                    strip.show()
        self._none.setVisible(not any(state.is_installed for state in states))
        self._here_head.show()
        self._more_head.setVisible(not all(state.is_installed for state in states))

    def show_job(self, name: str, job: Job) -> None:
        """Show how far work on a model is."""
        if name in self._strips:
            self._strips[name].show_job(job)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Hand the keyboard to the first step."""
        self._add.setFocus(event.reason())

    def _strip(self, name: str) -> ModelStrip:
        strip = self._strips.get(name)
        if strip is None:
            strip = ModelStrip(name, self._inside)
            strip.get_wanted.connect(self.get_wanted)
            strip.check_wanted.connect(self.check_wanted)
            strip.remove_wanted.connect(self.remove_wanted)
            strip.stop_wanted.connect(self.stop_wanted)
            strip.pause_wanted.connect(self.pause_wanted)
            strip.resume_wanted.connect(self.resume_wanted)
            self._strips[name] = strip
        return strip

    def _lay_out(self) -> None:
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        top = QHBoxLayout()
        top.addWidget(self._computer, 1)
        top.addWidget(self._add)
        listed = QVBoxLayout(self._inside)
        for widget in (self._here_head, self._none):
            widget.hide()
            listed.addWidget(widget)
        listed.addLayout(self._here)
        listed.addWidget(self._more_head)
        self._more_head.hide()
        listed.addLayout(self._more)
        listed.addStretch()
        column = QVBoxLayout(self)
        column.addLayout(top)
        column.addWidget(scrolling(self._inside, "Models", by_keys=True), 1)
