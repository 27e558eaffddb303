"""Run waiting work off the window's thread and bring its results back to it."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from enum import StrEnum
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, QRunnable, QThreadPool, Signal, Slot

from app.errors import Cancelled, ClerestoryError

log = logging.getLogger(__name__)

REPORT_EVERY_S = 0.1
"""Least time between two reports of one job: a progress bar needs no more than ten a second."""
SURE_AFTER_S = 3.0
"""A guess at the time left that is made earlier than this jumps about."""

Report = Callable[[float, str], None]
Work = Callable[[Report, threading.Event], Any]


class Lane(StrEnum):
    """Where a job waits for its turn, so that short work never stands behind long work."""

    LOOK = "look"
    """Pictures and waveforms that the page in view is waiting for; not listed under Jobs."""
    FILES = "files"
    """Adding lessons, finding recordings, writing reports."""
    LONG = "long"
    """Speech to text and coding: one at a time, since each takes the whole computer."""
    MODELS = "models"
    """Fetching and checking models, and asking endpoints: mostly waiting for others."""


THREADS = {Lane.LOOK: 2, Lane.FILES: 2, Lane.LONG: 1, Lane.MODELS: 3}


class State(StrEnum):
    """How far a job has come."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    STOPPED = "stopped"
    FAILED = "failed"


class Job:
    """One piece of background work as the window sees it; changed on the window's thread only."""

    def __init__(self, title: str, lane: Lane, lesson_id: str = "", kind: str = "") -> None:
        self.arguments: dict[str, object] = {}
        """What is needed to start it again."""
        self.title = title
        self.lane = lane
        self.lesson_id = lesson_id
        self.kind = kind
        """What is being done, in one word, so that a page finds its own jobs."""
        self.stop = threading.Event()
        self.state = State.WAITING
        self.share = 0.0
        self.doing = ""
        self.outcome = ""
        """Why it failed, in full sentences; empty otherwise."""
        self.started_s: float | None = None
        self.ended_s: float | None = None

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come of it."""
        return self.state in (State.DONE, State.STOPPED, State.FAILED)

    def left_s(self, now_s: float) -> float | None:
        """Guess the seconds that remain, or `None` while nothing sensible can be said."""
        if self.state is not State.RUNNING or self.started_s is None or self.share < 0.02:
            return None
        spent_s = now_s - self.started_s
        if spent_s < SURE_AFTER_S:
            return None
        return spent_s / self.share * (1 - min(self.share, 1.0))


class _Run(QRunnable):
    def __init__(self, work: Callable[[], None]) -> None:
        super().__init__()
        self._work = work

    def run(self) -> None:
        self._work()


class Background(QObject):
    """Owns the only signals that cross threads, and the list of jobs.

    Signals:
        changed: A job that is new, has moved on or is over.
    """

    changed = Signal(object)
    _back = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pools = {lane: QThreadPool(self) for lane in Lane}
        for lane, pool in self._pools.items():
            pool.setMaxThreadCount(THREADS[lane])
        self.jobs: list[Job] = []
        """All jobs that are listed, oldest first; those of the LOOK lane are not."""
        self._under_way: list[Job] = []
        self._back.connect(self._call)

    def start(
        self,
        job: Job,
        work: Work,
        done: Callable[[Any], None],
        failed: Callable[[Exception], None],
    ) -> Job:
        """Run `work(report, stop)` on a pool thread; `done` or `failed` run on this one."""
        self._under_way.append(job)
        if job.lane is not Lane.LOOK:
            self.jobs.append(job)
        self.changed.emit(job)
        self._pools[job.lane].start(_Run(partial(self._carry_out, job, work, done, failed)))
        return job

    def cancel(self, job: Job) -> None:
        """Ask a job to stop; one that still waits ends without having begun."""
        if not job.is_over:
            job.stop.set()
            job.doing = "stopping"
            self.changed.emit(job)

    def running(self, lesson_id: str = "", kind: str = "") -> list[Job]:
        """Give the listed jobs that are not over, of one lesson and kind or of all."""
        return [
            job
            for job in self.jobs
            if not job.is_over
            and (not lesson_id or job.lesson_id == lesson_id)
            and (not kind or job.kind == kind)
        ]

    def close(self, wait_s: float = 20.0) -> bool:
        """Stop every job and wait for them, no longer than `wait_s` in all.

        Returns:
            Whether all of them have ended.
        """
        for job in self._under_way:
            job.stop.set()
        until_s = time.monotonic() + wait_s
        ended = [
            pool.waitForDone(max(0, int((until_s - time.monotonic()) * 1000)))
            for pool in self._pools.values()
        ]
        return all(ended)

    def _carry_out(
        self,
        job: Job,
        work: Work,
        done: Callable[[Any], None],
        failed: Callable[[Exception], None],
    ) -> None:
        """Run one job; this is the pool's thread, which only sends."""
        try:
            if job.stop.is_set():
                raise Cancelled
            self._back.emit(partial(self._began, job, time.monotonic()))
            result = work(_seldom(partial(self._tell, job)), job.stop)
        except Exception as error:  # the border: every failure becomes a notice
            if not isinstance(error, ClerestoryError):
                log.exception("job %r failed", job.title)
            self._back.emit(partial(self._ended, job, failed, error))
        else:
            self._back.emit(partial(self._ended, job, done, result))

    def _tell(self, job: Job, share: float, doing: str) -> None:
        self._back.emit(partial(self._moved_on, job, share, doing))

    def _began(self, job: Job, at_s: float) -> None:
        job.state, job.started_s = State.RUNNING, at_s
        self.changed.emit(job)

    def _moved_on(self, job: Job, share: float, doing: str) -> None:
        job.share = min(max(share, 0.0), 1.0)
        job.doing = "stopping" if job.stop.is_set() else doing
        self.changed.emit(job)

    def _ended(self, job: Job, then: Callable[[Any], None], result: Any) -> None:
        job.ended_s = time.monotonic()
        job.doing = ""
        if isinstance(result, Cancelled):
            job.state = State.STOPPED
        elif isinstance(result, Exception):
            job.state, job.outcome = State.FAILED, str(result)
        else:
            job.state, job.share = State.DONE, 1.0
        self._under_way.remove(job)
        self.changed.emit(job)
        then(result)

    @Slot(object)
    def _call(self, action: Callable[[], None]) -> None:
        action()


def _seldom(tell: Report) -> Report:
    """Let through one report in a while, and the last; a worker may report thousands a second."""
    last_s = 0.0

    def report(share: float, doing: str) -> None:
        nonlocal last_s
        now_s = time.monotonic()
        if share >= 1.0 or now_s - last_s >= REPORT_EVERY_S:
            last_s = now_s
            tell(share, doing)

    return report


def show_left(left_s: float | None) -> str:
    """Write the time left as a person would say it; empty when nothing can be said."""
    if left_s is None:
        return ""
    if left_s < 45:
        return "less than a minute left"
    minutes = round(left_s / 60)
    if minutes < 60:
        return f"about {max(minutes, 1)} min left"
    return f"about {minutes // 60} h {minutes % 60} min left"
