"""The jobs page: everything long, running and past, and what the program has told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QListWidget, QVBoxLayout, QWidget

from app.store.records import Job as KeptJob
from app.store.tally import Tally
from views.background import Job
from views.common.controls import hairline, scrolling, text_label
from views.jobs.kept import UNFINISHED, KeptStrip
from views.jobs.row import JobStrip
from views.notices import Notice

EARLIER_SHOWN = 30
"""Earlier jobs that are listed; those that are unfinished are listed in any case."""


class JobsPage(QWidget):
    """Lists jobs and notices.

    Signals:
        cancel_wanted: A running or paused job is to be stopped.
        pause_wanted: A running job is to come to rest.
        resume_wanted: A paused job is to go on.
        again_wanted: A job of an earlier time is to be started again, or resumed.
        leave_wanted: A job of an earlier time is not to be done after all.
        repeat_wanted: A job of this time that ended early is to be started again.
    """

    cancel_wanted = Signal(object)
    pause_wanted = Signal(object)
    resume_wanted = Signal(object)
    leave_wanted = Signal(object)
    again_wanted = Signal(object)
    repeat_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._strips: dict[Job, JobStrip] = {}
        self._kept_strips: dict[int, KeptStrip] = {}
        self._empty = text_label(
            "Nothing is running. Writing down what is said, finding evidence and writing reports "
            "show here how far they are, and can be stopped here. What keeps its work as it goes "
            "can also be paused."
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
            strip = JobStrip(can_pause=True)
            strip.cancel_wanted.connect(self.cancel_wanted)
            strip.pause_wanted.connect(self.pause_wanted)
            strip.resume_wanted.connect(self.resume_wanted)
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
        self._kept_strips.clear()
        for place, job in enumerate(jobs):
            if place >= EARLIER_SHOWN and job.state not in UNFINISHED:
                continue
            strip = KeptStrip(job)
            strip.again_wanted.connect(self.again_wanted)
            strip.leave_wanted.connect(self.leave_wanted)
            self._kept_strips[job.job_id] = strip
            self._earlier.addWidget(strip)
        self._earlier_head.setVisible(bool(jobs))

    def show_asked(self, tallies: Mapping[int, Tally]) -> None:
        """Show what models were asked for earlier jobs, by their numbers."""
        for number, tally in tallies.items():
            if number in self._kept_strips:
                self._kept_strips[number].show_asked(tally)

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
        column.addWidget(self._notices, 1)
