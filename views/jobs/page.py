"""The jobs page: everything long, running and past, and what the program has told."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QVBoxLayout, QWidget

from app.store.records import Job as KeptJob
from app.store.records import JobState
from views.background import Job
from views.common.controls import hairline, page_button, scrolling, text_label
from views.jobs.row import JobStrip
from views.notices import Notice

EARLIER_SHOWN = 30
KEPT_WORDS = {
    JobState.QUEUED: "was waiting when the program ended",
    JobState.RUNNING: "was under way when the program ended",
    JobState.PAUSED: "paused",
    JobState.INTERRUPTED: "was under way when the program ended",
    JobState.DONE: "done",
    JobState.FAILED: "could not be done",
    JobState.CANCELLED: "stopped",
}
CAN_START_AGAIN = (
    JobState.QUEUED,
    JobState.RUNNING,
    JobState.PAUSED,
    JobState.INTERRUPTED,
    JobState.FAILED,
)


class KeptStrip(QWidget):
    """One job of an earlier time.

    Signals:
        again_wanted: The job is to be started again.
    """

    again_wanted = Signal(object)

    def __init__(self, job: KeptJob, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._job = job
        when = job.added_at[:16].replace("T", " ")
        told = f"{when}: {job.doing or KEPT_WORDS[job.state]}"
        if job.error:
            told += f". {job.error}"
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(text_label(job.title, bold=True))
        words.addWidget(text_label(told))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 4, 0, 4)
        row.addLayout(words, 1)
        if job.state in CAN_START_AGAIN:
            again = page_button("Start again", "What is done already is not done twice")
            again.setAccessibleName(f"Start again: {job.title}")
            again.clicked.connect(lambda: self.again_wanted.emit(self._job))
            row.addWidget(again)


class JobsPage(QWidget):
    """Lists jobs and notices.

    Signals:
        cancel_wanted: A running job is to be stopped.
        again_wanted: A job of an earlier time is to be started again.
        repeat_wanted: A job of this time that ended early is to be started again.
    """

    cancel_wanted = Signal(object)
    again_wanted = Signal(object)
    repeat_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._strips: dict[Job, JobStrip] = {}
        self._empty = text_label(
            "Nothing is running. Writing down what is said, finding evidence and writing reports "
            "show here how far they are, and can be stopped here."
        )
        self._now, self._earlier = QVBoxLayout(), QVBoxLayout()
        self._earlier_head = text_label("Earlier", bold=True, larger=1.15)
        self._notices = QListWidget()
        self._notices.setAccessibleName("What the program told you, latest first")
        self._notices.setWordWrap(True)
        self._no_notices = text_label("Nothing has been told yet.")
        self._lay_out()

    def show_job(self, job: Job) -> None:
        """Show a job that is new or has moved on; the latest stands first."""
        strip = self._strips.get(job)
        if strip is None:
            strip = JobStrip()
            strip.cancel_wanted.connect(self.cancel_wanted)
            strip.again_wanted.connect(self.repeat_wanted)
            self._strips[job] = strip
            self._now.insertWidget(0, strip)
        strip.show_job(job)
        self._empty.hide()

    def show_earlier(self, jobs: Sequence[KeptJob]) -> None:
        """Show the jobs of earlier times."""
        while (item := self._earlier.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for job in jobs[:EARLIER_SHOWN]:
            strip = KeptStrip(job)
            strip.again_wanted.connect(self.again_wanted)
            self._earlier.addWidget(strip)
        self._earlier_head.setVisible(bool(jobs))

    def show_notice(self, notice: Notice) -> None:
        """Put a notice on top of the list."""
        self._no_notices.hide()
        self._notices.show()
        self._notices.insertItem(0, f"{notice.told_at}  {notice.text}")

    def show_notices_first(self) -> None:
        """Put the keyboard on the notices."""
        self._notices.setCurrentRow(0)
        self._notices.setFocus()

    def _lay_out(self) -> None:
        inside = QWidget()
        jobs = QVBoxLayout(inside)
        jobs.addWidget(text_label("Jobs", bold=True, larger=1.15))
        jobs.addWidget(self._empty)
        jobs.addLayout(self._now)
        jobs.addWidget(self._earlier_head)
        jobs.addLayout(self._earlier)
        jobs.addStretch()
        self._earlier_head.hide()
        self._notices.hide()
        column = QVBoxLayout(self)
        column.addWidget(scrolling(inside, "Jobs", by_keys=True), 3)
        column.addWidget(hairline())
        column.addWidget(text_label("Notices", bold=True, larger=1.15))
        column.addWidget(self._no_notices)
        column.addWidget(self._notices, 2)
