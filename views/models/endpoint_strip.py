"""One endpoint as a strip: where it is, whether it is on, what a test found out."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from app.endpoints import EndpointState, Found
from views.background import Job
from views.common.controls import hairline, page_button, text_label
from views.common.signs import Sign, SignMark
from views.jobs.row import JobStrip
from views.models.words import endpoint_words

FOUND_SIGNS = {"yes": Sign.TICK, "no": Sign.CROSS, "unknown": Sign.DOT}
UNTESTED = (
    "Not tested yet. A test asks some 15 small questions about drawn shapes and made-up words; "
    "nothing of a lesson is sent."
)


class EndpointStrip(QWidget):
    """Shows one endpoint.

    Signals:
        turn_wanted: Its name, and whether it is to be on.
        edit_wanted: Its name.
        test_wanted: Its name.
        remove_wanted: Its name.
        stop_wanted: A job of it that is to be stopped.
    """

    turn_wanted = Signal(str, bool)
    edit_wanted = Signal(str)
    test_wanted = Signal(str)
    remove_wanted = Signal(str)
    stop_wanted = Signal(object)

    def __init__(self, state: EndpointState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self._is_busy = False
        self._title, self._on = text_label(bold=True), text_label()
        self._about = text_label()
        self._sign = SignMark(Sign.DOT, "")
        self._turn = page_button("Turn on…", "Says first what would leave this computer")
        self._test = page_button("Test", "Find out what the server can do")
        self._edit = page_button("Edit…", "Change its address, model or key")
        self._remove = page_button("Remove…", "Forget it and its key; asks first")
        self._found = QGridLayout()
        self._untested = text_label()
        self._job = JobStrip()
        self._connect()
        self._lay_out()
        self.show_state(state)

    def show_state(self, state: EndpointState) -> None:
        """Show the endpoint as it is now."""
        self._state = state
        self._title.setText(state.name)
        self._on.setText(endpoint_words(state))
        away = state.is_on and not state.stays_here
        sign = Sign.WARNING if away else Sign.TICK if state.is_on else Sign.DOT
        self._sign.show_sign(sign, "on" if state.is_on else "off")
        self._about.setText(f"Model {state.model} at {state.base_url}. {state.key_words}")
        self._turn.setText("Turn off" if state.is_on else "Turn on…")
        self._turn.setToolTip(
            "Nothing is sent to it any more"
            if state.is_on
            else "Says first what would leave this computer"
        )
        for made in (self._turn, self._test, self._edit, self._remove):
            made.setAccessibleName(f"{made.text().rstrip('…')}: {state.name}")
        self._show_found(state)
        self._allow()

    def show_job(self, job: Job) -> None:
        """Show how far a test is, while there is one."""
        self._is_busy = not job.is_over
        self._job.show_job(job)
        self._job.setVisible(self._is_busy)
        self._allow()

    def _allow(self) -> None:
        self._test.setEnabled(self._state.is_on and not self._is_busy)
        self._test.setToolTip(
            "Find out what the server can do" if self._state.is_on else "Turn it on first"
        )
        for made in (self._edit, self._remove):
            made.setEnabled(not self._is_busy)

    def _show_found(self, state: EndpointState) -> None:
        while (item := self._found.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for row, found in enumerate(state.found):
            self._add_found(row, found)
        told = f"Tested {state.found_at[:16].replace('T', ' ')} UTC:" if state.found else UNTESTED
        self._untested.setText(told)

    def _add_found(self, row: int, found: Found) -> None:
        mark = SignMark(FOUND_SIGNS[found.answer], found.answer)
        self._found.addWidget(mark, row, 0, Qt.AlignmentFlag.AlignTop)
        self._found.addWidget(text_label(f"{found.question} {found.words}"), row, 1)

    def _connect(self) -> None:
        self._turn.clicked.connect(
            lambda: self.turn_wanted.emit(self._state.name, not self._state.is_on)
        )
        self._test.clicked.connect(lambda: self.test_wanted.emit(self._state.name))
        self._edit.clicked.connect(lambda: self.edit_wanted.emit(self._state.name))
        self._remove.clicked.connect(lambda: self.remove_wanted.emit(self._state.name))
        self._job.cancel_wanted.connect(self.stop_wanted)

    def _lay_out(self) -> None:
        on = QHBoxLayout()
        on.addWidget(self._sign)
        on.addWidget(self._on, 1)
        buttons = QHBoxLayout()
        for made in (self._turn, self._test, self._edit, self._remove):
            buttons.addWidget(made)
        buttons.addStretch()
        self._found.setColumnStretch(1, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 4)
        column.setSpacing(4)
        column.addWidget(self._title)
        column.addLayout(on)
        column.addWidget(self._about)
        column.addLayout(buttons)
        column.addWidget(self._job)
        self._job.hide()
        column.addWidget(self._untested)
        column.addLayout(self._found)
        column.addWidget(hairline())
