"""Run waiting work off the window's thread and bring its results back to it.

How a job's function, `work(report, stop)`, ends, and what the job is then:

- it returns: done;
- it raises `Cancelled`, as it must when it sees `stop`: stopped, or paused where a person asked
  for a pause;
- it raises `Paused`, because it cannot go on by itself: paused, with the reason;
- it raises anything else: failed.

A paused job holds no thread and no engine. Resuming it calls the same function again, which finds
what is kept and does the rest; only kinds of work for which that is true offer a pause
(`views.jobs.kinds`).
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from enum import StrEnum
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, QRunnable, QThreadPool, Signal, Slot

from app.errors import Cancelled, ClerestoryError, Paused
from app.store.tally import Tally

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
    PAUSED = "paused"
    """Rests until a person resumes it, or stops it for good."""
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
        self.is_pausing = False
        """Whether a person asked it to pause; it may still be at its last step."""
        self.outcome = ""
        """Why it failed, or paused by itself, in full sentences; empty otherwise."""
        self.asked: Tally | None = None
        """What models were asked for it; `None` where none were, or it is not known yet."""
        self.share_before: float | None = 0.0
        """Share that was done before it was started this time; `None` until it tells."""
        self.started_s: float | None = None
        self.ended_s: float | None = None

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come of it by itself: it has ended, or it is paused."""
        return self.state not in (State.WAITING, State.RUNNING)

    def left_s(self, now_s: float) -> float | None:
        """Guess the seconds that remain, or `None` while nothing sensible can be said."""
        if self.state is not State.RUNNING or None in (self.started_s, self.share_before):
            return None
        now_done = self.share - (self.share_before or 0.0)
        spent_s = now_s - (self.started_s or 0.0)
        if now_done < 0.02 or spent_s < SURE_AFTER_S:
            return None
        return spent_s / now_done * (1 - min(self.share, 1.0))


class _Turn:
    """One go at a job: begun by a thread of the pool, or taken back before that, never both."""

    def __init__(
        self, job: Job, work: Work, done: Callable[[Any], None], failed: Callable[[Exception], None]
    ) -> None:
        self.job, self.work, self.done, self.failed = job, work, done, failed
        self._claim = threading.Lock()

    def claim(self) -> bool:
        """Take it; says whether nobody else has."""
        return self._claim.acquire(blocking=False)


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
        paused: A job that has come to rest; `changed` tells of it as well.
    """

    changed = Signal(object)
    paused = Signal(object)
    _back = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pools = {lane: QThreadPool(self) for lane in Lane}
        for lane, pool in self._pools.items():
            pool.setMaxThreadCount(THREADS[lane])
        self.jobs: list[Job] = []
        """All jobs that are listed, oldest first; those of the LOOK lane are not."""
        self._turns: dict[Job, _Turn] = {}
        """Of the jobs that are under way or paused."""
        self._back.connect(self._call)

    def start(
        self,
        job: Job,
        work: Work,
        done: Callable[[Any], None],
        failed: Callable[[Exception], None],
    ) -> Job:
        """Run `work(report, stop)` on a pool thread; `done` or `failed` run on this one.

        Neither is called for a pause, which may come between; see the module for how work ends.
        """
        if job.lane is not Lane.LOOK:
            self.jobs.append(job)
        self._begin(_Turn(job, work, done, failed))
        return job

    def cancel(self, job: Job) -> None:
        """Ask a job to stop; one that is paused, or still waits, ends at once."""
        if job.state is State.PAUSED or self._take_back(job):
            self._end(self._turns[job], Cancelled())
        elif not job.is_over:
            job.is_pausing = False
            job.stop.set()
            job.doing = "stopping"
            self.changed.emit(job)

    def pause(self, job: Job) -> None:
        """Ask a job to come to rest, so that others can have its engine."""
        if job.is_over or job.stop.is_set():
            return
        job.is_pausing = True
        if self._take_back(job):
            self._end(self._turns[job], Cancelled())
            return
        job.stop.set()
        job.doing = "pausing"
        self.changed.emit(job)

    def resume(self, job: Job) -> None:
        """Start a paused job again; what is kept is not done twice."""
        if job.state is not State.PAUSED:
            return
        old = self._turns[job]
        # Another event than the one before: nothing of the earlier go may hear of it.
        job.stop = threading.Event()
        job.is_pausing, job.outcome = False, ""
        job.started_s = job.ended_s = None
        job.state = State.WAITING
        self._begin(_Turn(job, old.work, old.done, old.failed))

    def give_way(self, job: Job) -> None:
        """End a paused job, since another has been started that does the same."""
        if job.state is State.PAUSED:
            del self._turns[job]
            job.state, job.outcome = State.STOPPED, "Started anew as another job."
            job.arguments = {}
            self.changed.emit(job)

    def paused_jobs(self, lesson_id: str, kind: str) -> list[Job]:
        """Give the listed jobs of one lesson and kind that are paused."""
        return [
            job
            for job in self.jobs
            if job.state is State.PAUSED and job.lesson_id == lesson_id and job.kind == kind
        ]

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
        for job in self._turns:
            job.stop.set()
        until_s = time.monotonic() + wait_s
        ended = [
            pool.waitForDone(max(0, int((until_s - time.monotonic()) * 1000)))
            for pool in self._pools.values()
        ]
        return all(ended)

    def _begin(self, turn: _Turn) -> None:
        self._turns[turn.job] = turn
        self.changed.emit(turn.job)
        self._pools[turn.job.lane].start(_Run(partial(self._carry_out, turn)))

    def _take_back(self, job: Job) -> bool:
        """Take back a job that still waits for its turn; says whether it did."""
        return job.state is State.WAITING and self._turns[job].claim()

    def _carry_out(self, turn: _Turn) -> None:
        """Run one job; this is the pool's thread, which only sends."""
        if not turn.claim():
            return
        job = turn.job
        result: Any = None
        report = _Seldom(partial(self._tell, job))
        try:
            if job.stop.is_set():
                raise Cancelled
            self._back.emit(partial(self._began, job, time.monotonic()))
            result = turn.work(report, job.stop)
        except Exception as error:  # the border: every failure becomes a notice
            if not isinstance(error, ClerestoryError):
                log.exception("job %r failed", job.title)
            result = error
        report.let_go()
        self._back.emit(partial(self._end, turn, result))

    def _tell(self, job: Job, share: float, doing: str) -> None:
        self._back.emit(partial(self._moved_on, job, share, doing))

    def _began(self, job: Job, at_s: float) -> None:
        job.state, job.started_s = State.RUNNING, at_s
        job.share_before = None
        self.changed.emit(job)

    def _moved_on(self, job: Job, share: float, doing: str) -> None:
        job.share = min(max(share, 0.0), 1.0)
        if job.share_before is None:
            # What was there already, as the first report tells, says nothing about the speed.
            job.share_before = job.share
        if job.stop.is_set():
            doing = "pausing" if job.is_pausing else "stopping"
        job.doing = doing
        self.changed.emit(job)

    def _end(self, turn: _Turn, result: Any) -> None:
        job = turn.job
        job.ended_s = time.monotonic()
        job.doing = ""
        job.state, job.outcome = _how_it_ended(job, result)
        job.is_pausing = False
        if job.state is State.PAUSED:
            self.changed.emit(job)
            self.paused.emit(job)
            return
        del self._turns[job]
        if job.state is State.DONE:
            job.share = 1.0
        self.changed.emit(job)
        then = turn.failed if isinstance(result, Exception) else turn.done
        then(result)

    @Slot(object)
    def _call(self, action: Callable[[], None]) -> None:
        action()


def _how_it_ended(job: Job, result: Any) -> tuple[State, str]:
    """Give the state that follows from what the work came back with, and the reason."""
    if isinstance(result, Paused):
        return State.PAUSED, str(result)
    if isinstance(result, Cancelled):
        return (State.PAUSED if job.is_pausing else State.STOPPED), ""
    if isinstance(result, Exception):
        return State.FAILED, str(result)
    return State.DONE, ""


class _Seldom:
    """Lets through one report in a while, and the last; a worker may report thousands a second."""

    def __init__(self, tell: Report) -> None:
        self._tell = tell
        self._last_s = 0.0
        self._held: tuple[float, str] | None = None

    def __call__(self, share: float, doing: str) -> None:
        """Take a report."""
        now_s = time.monotonic()
        if share >= 1.0 or now_s - self._last_s >= REPORT_EVERY_S:
            self._last_s, self._held = now_s, None
            self._tell(share, doing)
        else:
            self._held = share, doing

    def let_go(self) -> None:
        """Let the last report through, if it was held back: it says how far the work came."""
        if self._held is not None:
            self._tell(*self._held)


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
