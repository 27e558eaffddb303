"""Jobs as the library remembers them: written down as they go, taken up again at a later time."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Signal

from app.errors import ClerestoryError
from app.store.library import Library
from app.store.records import Job as KeptJob
from app.store.records import JobState
from app.store.tally import Tally
from views.background import Background, Job, Lane, Report, State, Work
from views.jobs.kept import UNFINISHED
from views.jobs.kinds import kind_of
from views.notices import Notices

log = logging.getLogger(__name__)

KEPT_STATES = {
    State.WAITING: JobState.QUEUED,
    State.RUNNING: JobState.RUNNING,
    State.PAUSED: JobState.PAUSED,
    State.DONE: JobState.DONE,
    State.STOPPED: JobState.CANCELLED,
    State.FAILED: JobState.FAILED,
}
COUNT_EVERY_S = 2.0
"""Least time between two counts of what models were asked for a job under way."""


class KeptJobs(QObject):
    """Follows the jobs that are worth remembering, and knows those of earlier times.

    Signals:
        asked_counted: What models were asked for jobs of earlier times, by their numbers.
    """

    asked_counted = Signal(object)

    def __init__(
        self, library: Library, background: Background, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._library = library
        self._background = background
        self._kept: dict[Job, tuple[int, JobState, bool]] = {}
        """Of each: its number, and what was written of it last: state, whether it was over."""
        self._counted_s: dict[Job, float] = {}
        self._taken_up: KeptJob | None = None
        background.changed.connect(self._follow)

    def keep(self, job: Job, arguments: dict[str, object]) -> None:
        """Write down work that waits to be started, so that a later start of the program knows.

        Work that is taken up from an earlier time goes on under its number there. The same work
        of this time that is paused gives way.
        """
        job.arguments = arguments
        for resting in self._background.paused_jobs(job.lesson_id, job.kind):
            if resting.arguments == arguments:
                self._background.give_way(resting)
        kept, self._taken_up = self._taken_up, None
        if kept is not None and (kept.kind, kept.lesson_id) == (job.kind, job.lesson_id):
            self._kept[job] = (kept.job_id, kept.state, True)
            return
        try:
            number = self._library.add_job(job.kind, job.lesson_id, job.title, arguments)
        except ClerestoryError as error:
            # The work itself matters more than the note about it.
            log.warning("the job %r is not kept: %s", job.title, error)
            return
        self._kept[job] = (number, JobState.QUEUED, False)

    def noting(self, job: Job, work: Work) -> Work:
        """Give the same work, with every run it makes of a model noted beside the job."""
        if job not in self._kept:
            return work
        number = self._kept[job][0]

        def noted(report: Report, stop: threading.Event) -> Any:
            with self._library.attempts.for_job(number):
                return work(report, stop)

        return noted

    def earlier(self) -> list[KeptJob]:
        """Give the jobs of earlier times, newest first."""
        mine = {number for number, *_written in self._kept.values()}
        return [job for job in reversed(self._library.jobs()) if job.job_id not in mine]

    def take_up(self, kept: KeptJob, start: Callable[[], bool]) -> bool:
        """Have a job of an earlier time started again, as the same job.

        Args:
            kept: From `earlier`.
            start: Starts such work, and says whether it knew how.

        Returns:
            What `start` says.
        """
        self._taken_up = kept
        try:
            is_known = start()
            if is_known and self._taken_up is not None:
                # The same is under way already, so this one has nothing left to do.
                self._write(kept.job_id, JobState.CANCELLED, doing="started again")
        finally:
            self._taken_up = None
        return is_known

    def leave(self, kept: KeptJob) -> None:
        """Write down that a job of an earlier time is not to be done after all."""
        self._write(kept.job_id, JobState.CANCELLED)

    def count_earlier(self, jobs: Sequence[KeptJob]) -> None:
        """Count what models were asked for jobs of earlier times; `asked_counted` tells."""
        runs = {job.job_id: job.runs for job in jobs if job.runs}
        if runs:
            self._count(partial(_tallies, self._library, runs), self.asked_counted.emit)

    def _follow(self, job: Job) -> None:
        """Write down a change of state; progress alone is not worth a write."""
        if job not in self._kept:
            return
        number, *known = self._kept[job]
        # Written when it is asked for: were the program to end now, it would still be a pause.
        state = JobState.PAUSED if job.is_pausing else KEPT_STATES[job.state]
        # And again at rest, with how far it came and why.
        if known != [state, job.is_over]:
            self._kept[job] = (number, state, job.is_over)
            self._write(number, state, error=job.outcome, share=job.share)
        if self._is_due(job):
            self._counted_s[job] = time.monotonic()
            tally = partial(self._library.attempts.tally_of_job, number)
            self._count(tally, partial(self._show_asked, job))

    def _is_due(self, job: Job) -> bool:
        """Say whether to count anew: once it has come to rest, and now and then before that."""
        counted_s = self._counted_s.get(job, 0.0)
        if job.is_over:
            return counted_s < (job.ended_s or 0.0)
        # Only such work as can be paused asks models.
        if job.state is not State.RUNNING or not kind_of(job.kind).can_pause:
            return False
        return time.monotonic() - counted_s >= COUNT_EVERY_S

    def _count(self, count: Callable[[], Any], then: Callable[[Any], None]) -> None:
        self._background.start(
            Job("Count calls", Lane.LOOK), lambda _report, _stop: count(), then, _not_counted
        )

    def _show_asked(self, job: Job, tally: Tally) -> None:
        if tally.calls and tally != job.asked:
            job.asked = tally
            self._background.changed.emit(job)

    def _write(
        self,
        number: int,
        state: JobState,
        *,
        doing: str = "",
        error: str = "",
        share: float | None = None,
    ) -> None:
        try:
            self._library.update_job(number, state=state, doing=doing, error=error, share=share)
        except ClerestoryError as refused:
            log.warning("job %d is not brought up to date: %s", number, refused)


def tell_unfinished(notices: Notices, jobs: Sequence[KeptJob], show: Callable[[], None]) -> None:
    """Tell of a job that somebody still waits for, with a button that shows the jobs.

    One that was cut off comes before one that a person, or the program, let rest.
    """
    waited_for = [job for job in jobs if job.state in UNFINISHED]
    if not waited_for:
        return
    job = min(waited_for, key=lambda job: job.state is JobState.PAUSED)
    if job.state is JobState.PAUSED:
        told, hint = f"{job.title}: this is paused.", "It can be resumed under Jobs."
    else:
        told = f"{job.title}: this was not finished when the program ended."
        hint = f"It can be started again under Jobs. {kind_of(job.kind).again_tip}."
    notices.tell(told, hint, action="Show jobs", act=show)


def _tallies(library: Library, runs: Mapping[int, Sequence[int]]) -> dict[int, Tally]:
    return {number: library.attempts.tally(of_job) for number, of_job in runs.items()}


def _not_counted(error: Exception) -> None:
    # The figures stand beside the work; that they cannot be read now is worth a line in the log.
    log.info("calls are not counted: %s", error)
