"""The endpoints: servers that may be asked once a person has turned them on."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.endpoint_fields import UnreadableEndpoint
from app.endpoints import EndpointState
from views.background import Job
from views.common.controls import page_button, scrolling, text_label
from views.models.broken_strip import BrokenStrip
from views.models.endpoint_strip import EndpointStrip

NONE_YET = (
    "No endpoint is set up, and nothing is sent anywhere. An endpoint is a server with a model: a "
    "program on this computer (llama-server, Ollama, LM Studio), a computer with a graphics card "
    "in your house (vLLM), or a service of others. Add one here; it stays off until you turn it on."
)


class EndpointsView(QWidget):
    """Lists endpoints and what can be done with them.

    Signals:
        add_wanted: A new one is to be entered.
        turn_wanted: A name, and whether it is to be on.
        edit_wanted: A name.
        test_wanted: A name.
        remove_wanted: A name.
        stop_wanted: A job that is to be stopped.
    """

    add_wanted = Signal()
    turn_wanted = Signal(str, bool)
    edit_wanted = Signal(str)
    test_wanted = Signal(str)
    remove_wanted = Signal(str)
    stop_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._told = text_label()
        self._add = page_button("Add endpoint…", "Enter the address of a server; it stays off")
        self._add.clicked.connect(self.add_wanted)
        self._strips: dict[str, EndpointStrip] = {}
        self._broken: list[UnreadableEndpoint] = []
        self._broken_listed = QVBoxLayout()
        self._inside = QWidget()
        self._listed = QVBoxLayout()
        self._lay_out()

    def show_endpoints(
        self, states: Sequence[EndpointState], unreadable: Sequence[UnreadableEndpoint] = ()
    ) -> None:
        """Show all endpoints; those that were shown before keep the keyboard."""
        for name in set(self._strips) - {state.name for state in states}:
            gone = self._strips.pop(name)
            gone.hide()
            gone.deleteLater()
        for state in states:
            if state.name in self._strips:
                self._strips[state.name].show_state(state)
            else:
                self._strips[state.name] = self._made(state)
            self._listed.addWidget(self._strips[state.name])
            self._strips[state.name].show()
        self._told.setText(_summary(states, unreadable))
        self._show_broken(list(unreadable))

    def show_job(self, name: str, job: Job) -> None:
        """Show how far a test is."""
        if name in self._strips:
            self._strips[name].show_job(job)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Hand the keyboard to the first step."""
        self._add.setFocus(event.reason())

    def _show_broken(self, unreadable: list[UnreadableEndpoint]) -> None:
        if unreadable == self._broken:
            return
        self._broken = unreadable
        while (item := self._broken_listed.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for broken in unreadable:
            strip = BrokenStrip(broken, self._inside)
            strip.remove_wanted.connect(self.remove_wanted)
            self._broken_listed.addWidget(strip)

    def _made(self, state: EndpointState) -> EndpointStrip:
        strip = EndpointStrip(state, self._inside)
        strip.turn_wanted.connect(self.turn_wanted)
        strip.edit_wanted.connect(self.edit_wanted)
        strip.test_wanted.connect(self.test_wanted)
        strip.remove_wanted.connect(self.remove_wanted)
        strip.stop_wanted.connect(self.stop_wanted)
        return strip

    def _lay_out(self) -> None:
        inside = QVBoxLayout(self._inside)
        inside.addWidget(self._told)
        inside.addLayout(self._listed)
        inside.addLayout(self._broken_listed)
        inside.addStretch()
        top = QHBoxLayout()
        top.addStretch()
        top.addWidget(self._add)
        column = QVBoxLayout(self)
        column.addLayout(top)
        column.addWidget(scrolling(self._inside, "Endpoints", by_keys=True), 1)


def _summary(states: Sequence[EndpointState], unreadable: Sequence[UnreadableEndpoint]) -> str:
    if unreadable and not states:
        return "None of the endpoints in the settings can be used, and nothing is sent anywhere."
    if not states:
        return NONE_YET
    on = sum(state.is_on for state in states)
    return (
        f"{on} of {len(states)} turned on. Only those that are on are ever asked, and only when "
        "you start something with them."
    )
