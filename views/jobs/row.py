"""One job as a strip: what it is, how far it is, how long it still takes, and a way to stop it."""

from __future__ import annotations

import time

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QVBoxLayout, QWidget

from views.background import Job, State, show_left
from views.common.controls import page_button, text_label

STEPS = 1000
STATE_WORDS = {
    State.WAITING: "waits for its turn",
    State.RUNNING: "running",
    State.DONE: "done",
    State.STOPPED: "stopped as you asked",
    State.FAILED: "could not be done",
}


class JobStrip(QWidget):
    """Shows one job of this session.

    Signals:
        cancel_wanted: The job is to be stopped.
        again_wanted: The job is to be started again.
    """

    cancel_wanted = Signal(object)
    again_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._job: Job | None = None
        self._title = text_label(bold=True)
        self._doing = text_label()
        self._bar = QProgressBar()
        self._bar.setRange(0, STEPS)
        self._bar.setTextVisible(True)
        self._cancel = page_button("Stop", "Stop this; what is done so far is kept")
        self._again = page_button("Start again", "What is done already is not done twice")
        self._cancel.clicked.connect(self._ask)
        self._again.clicked.connect(self._ask_again)
        row = QHBoxLayout()
        row.addWidget(self._bar, 1)
        row.addWidget(self._cancel)
        row.addWidget(self._again)
        row.setAlignment(self._again, Qt.AlignmentFlag.AlignLeft)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 4)
        column.setSpacing(3)
        column.addWidget(self._title)
        column.addLayout(row)
        column.addWidget(self._doing)

    def show_job(self, job: Job) -> None:
        """Show how far a job is."""
        self._job = job
        self._title.setText(job.title)
        self._bar.setAccessibleName(f"Progress of: {job.title}")
        self._cancel.setAccessibleName(f"Stop: {job.title}")
        self._cancel.setVisible(not job.is_over)
        self._again.setAccessibleName(f"Start again: {job.title}")
        self._again.setVisible(bool(job.arguments) and job.state in (State.STOPPED, State.FAILED))
        self._cancel.setEnabled(not job.stop.is_set())
        self._bar.setVisible(not job.is_over)
        self._bar.setValue(round(job.share * STEPS))
        self._bar.setFormat(f"{int(job.share * 100)} %")
        told = [STATE_WORDS[job.state]] if job.state is not State.RUNNING else []
        left = show_left(job.left_s(time.monotonic()))
        told += [part for part in (job.doing, left, job.outcome) if part]
        text = "; ".join(told)
        self._doing.setText(f"{text[:1].upper()}{text[1:]}" + ("" if text.endswith(".") else "."))

    def _ask(self) -> None:
        if self._job is not None:
            self.cancel_wanted.emit(self._job)

    def _ask_again(self) -> None:
        if self._job is not None:
            self._again.hide()
            self.again_wanted.emit(self._job)
