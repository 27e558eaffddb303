"""One job as a strip: what it is, how far it is, how long it still takes, and ways to stop it."""

from __future__ import annotations

import time

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QVBoxLayout, QWidget

from views.background import Background, Job, State, show_left
from views.common.controls import page_button, text_label
from views.jobs.asked import asked_words
from views.jobs.kinds import kind_of

STEPS = 1000
STATE_WORDS = {
    State.WAITING: "waits for its turn",
    State.RUNNING: "running",
    State.PAUSED: "paused; what was done is kept",
    State.DONE: "done",
    State.STOPPED: "stopped as you asked",
    State.FAILED: "could not be done",
}


class JobStrip(QWidget):
    """Shows one job of this session.

    Args:
        can_pause: Whether a pause is offered here, for the kinds of jobs that allow it.

    Signals:
        cancel_wanted: The job is to be stopped.
        pause_wanted: The job is to come to rest.
        resume_wanted: The job, which is paused, is to go on.
        again_wanted: The job is to be started again.
    """

    cancel_wanted = Signal(object)
    pause_wanted = Signal(object)
    resume_wanted = Signal(object)
    again_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None, *, can_pause: bool = False) -> None:
        super().__init__(parent)
        self._job: Job | None = None
        self._can_pause = can_pause
        self._title = text_label(bold=True)
        self._doing, self._asked = text_label(), text_label()
        self._bar = QProgressBar()
        self._bar.setRange(0, STEPS)
        self._bar.setTextVisible(True)
        # One button for both, so that the keyboard stays where it is.
        self._rest = page_button("Pause", "")
        self._cancel = page_button("Stop", "")
        self._again = page_button("Start again", "")
        self._rest.clicked.connect(self._ask_rest)
        self._cancel.clicked.connect(self._ask)
        self._again.clicked.connect(self._ask_again)
        row = QHBoxLayout()
        row.addWidget(self._bar, 1)
        for made in (self._rest, self._cancel, self._again):
            row.addWidget(made)
        row.setAlignment(self._again, Qt.AlignmentFlag.AlignLeft)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 4)
        column.setSpacing(3)
        column.addWidget(self._title)
        column.addLayout(row)
        column.addWidget(self._doing)
        column.addWidget(self._asked)

    def steer(self, background: Background) -> None:
        """Let what is asked for here be done."""
        self.cancel_wanted.connect(background.cancel)
        self.pause_wanted.connect(background.pause)
        self.resume_wanted.connect(background.resume)

    def show_job(self, job: Job) -> None:
        """Show how far a job is."""
        self._job = job
        self._title.setText(job.title)
        self._show_bar(job)
        self._show_buttons(job)
        self._doing.setText(job_words(job, time.monotonic()))
        asked = asked_words(job.asked)
        self._asked.setText(asked)
        self._asked.setVisible(bool(asked))

    def _show_bar(self, job: Job) -> None:
        self._bar.setAccessibleName(f"Progress of: {job.title}")
        self._bar.setVisible(not job.is_over or job.state is State.PAUSED)
        self._bar.setValue(round(job.share * STEPS))
        self._bar.setFormat(f"{int(job.share * 100)} %")

    def _show_buttons(self, job: Job) -> None:
        kind, is_paused = kind_of(job.kind), job.state is State.PAUSED
        self._rest.setVisible(
            self._can_pause and (is_paused or (kind.can_pause and not job.is_over))
        )
        if is_paused:
            _name(self._rest, "Resume", job, kind.again_tip)
        elif job.is_pausing:
            _name(self._rest, "Pausing…", job, "It rests as soon as its present step allows")
        else:
            _name(self._rest, "Pause", job, "Let others have its engine; what was done is kept")
        _name(self._cancel, kind.stop, job, kind.stop_tip)
        self._cancel.setVisible(not job.is_over or (is_paused and self._can_pause))
        self._cancel.setEnabled(is_paused or job.is_pausing or not job.stop.is_set())
        _name(self._again, "Start again", job, kind.again_tip)
        self._again.setVisible(bool(job.arguments) and job.state in (State.STOPPED, State.FAILED))

    def _ask(self) -> None:
        if self._job is not None:
            self.cancel_wanted.emit(self._job)

    def _ask_rest(self) -> None:
        if self._job is None:
            return
        if self._job.state is State.PAUSED:
            self.resume_wanted.emit(self._job)
        else:
            self.pause_wanted.emit(self._job)

    def _ask_again(self) -> None:
        if self._job is not None:
            self._again.hide()
            self.again_wanted.emit(self._job)


def job_words(job: Job, now_s: float) -> str:
    """Write where a job stands in a sentence: what it is doing, the time left, why it ended."""
    says_it = job.state is State.RUNNING or (job.state is State.STOPPED and job.outcome)
    told = [] if says_it else [STATE_WORDS[job.state]]
    # The runner tells the time left itself, and knows more of it.
    left = show_left(job.left_s(now_s)) if not job.doing.endswith(" left") else ""
    told += [part for part in (job.doing, left, job.outcome) if part]
    text = "; ".join(told)
    return f"{text[:1].upper()}{text[1:]}" + ("" if text.endswith(".") else ".")


def _name(made: QPushButton, words: str, job: Job, tip: str) -> None:
    made.setText(words)
    made.setAccessibleName(f"{words.rstrip('…')}: {job.title}")
    made.setToolTip(tip)
    made.setAccessibleDescription(tip)
