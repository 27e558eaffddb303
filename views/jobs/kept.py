"""One job of an earlier time as a strip: how it ended then, and a way to go on with it."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.store.records import Job as KeptJob
from app.store.records import JobState
from app.store.tally import Tally
from views.common.controls import page_button, text_label
from views.jobs.asked import asked_words
from views.jobs.kinds import kind_of

KEPT_WORDS = {
    JobState.QUEUED: "was waiting when the program ended",
    JobState.RUNNING: "was under way when the program ended",
    JobState.PAUSED: "paused; what was done is kept",
    JobState.INTERRUPTED: "was under way when the program ended",
    JobState.DONE: "done",
    JobState.FAILED: "could not be done",
    JobState.CANCELLED: "stopped",
}
UNFINISHED = (JobState.QUEUED, JobState.RUNNING, JobState.PAUSED, JobState.INTERRUPTED)
"""Work that somebody still waits for."""
CAN_START_AGAIN = (*UNFINISHED, JobState.FAILED)


class KeptStrip(QWidget):
    """One job of an earlier time.

    Signals:
        again_wanted: The job is to be started again, or resumed.
        leave_wanted: The job, which is unfinished, is not to be done after all.
    """

    again_wanted = Signal(object)
    leave_wanted = Signal(object)

    def __init__(self, job: KeptJob, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._job = job
        self._asked = text_label()
        self._asked.hide()
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(text_label(job.title, bold=True))
        words.addWidget(text_label(kept_words(job)))
        words.addWidget(self._asked)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 4, 0, 4)
        row.addLayout(words, 1)
        self._add_buttons(row)

    def show_asked(self, tally: Tally) -> None:
        """Show what models were asked for it."""
        words = asked_words(tally)
        self._asked.setText(words)
        self._asked.setVisible(bool(words))

    def _add_buttons(self, row: QHBoxLayout) -> None:
        job = self._job
        if job.state in CAN_START_AGAIN:
            words = "Resume" if job.state is JobState.PAUSED else "Start again"
            again = page_button(words, kind_of(job.kind).again_tip)
            again.setAccessibleName(f"{words}: {job.title}")
            again.clicked.connect(lambda: self.again_wanted.emit(self._job))
            row.addWidget(again)
        if job.state in UNFINISHED:
            leave = page_button("Leave it", "This is not to be done after all; it stays listed")
            leave.setAccessibleName(f"Leave it: {job.title}")
            leave.clicked.connect(lambda: self.leave_wanted.emit(self._job))
            row.addWidget(leave)


def kept_words(job: KeptJob) -> str:
    """Write when it was asked for and how it stands, with the reason where there is one."""
    when = datetime.fromisoformat(job.added_at).astimezone().strftime("%Y-%m-%d %H:%M")
    told = f"{when}: {job.doing or KEPT_WORDS[job.state]}"
    if job.state in UNFINISHED and job.share > 0:
        told += f", at {int(job.share * 100)} %"
    told += f". {job.error}" if job.error else "."
    return told
