"""Put a plan to an engine: only what is missing is asked, and every answer is kept at once.

Killed at any instruction and run again, the result is that of an uninterrupted run, since results
follow from the answers alone. What a kill can lose, and has to be asked again, is bounded: with a
model on this computer the question under way, since an answer is on the disk before the next
question is asked; with a server at most twice as many as it takes at a time.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from app.errors import Cancelled, ClerestoryError, EngineMissing, EngineStopped, Paused
from app.places import log_folder
from app.running.askers import Askers, Outcome, Task
from app.running.attempts import Attempt, Judged, judge
from app.running.plan import Plan, cost_of, duration_in_words
from app.running.protocols import Report, no_report
from app.running.questions import Chat, RawAnswer, ReadAnswer, Status
from app.running.results import Ledger, Result, Wanted
from app.store.rows import sound_text

if TYPE_CHECKING:
    from app.store.attempts import Attempts

log = logging.getLogger(__name__)

CRASHES = 3
"""Engine failures in a row that pause the work."""

POLL_S = 0.05
"""How often a waiting run looks whether it was stopped."""

STOP_GRACE_S = 0.7
"""How long after a stop an answer under way may still come in; with the rest, under a second."""


Settled = Callable[[Sequence[Result]], None]
"""Takes results as they settle: one for all draws with the same key."""


def no_settling(_results: Sequence[Result]) -> None:
    """Take results and do nothing with them."""


class Ended(StrEnum):
    """How a run came to its end."""

    DONE = "done"
    STOPPED = "stopped"
    """A person stopped it; run again to carry on."""
    PAUSED = "paused"
    """The engine failed again and again; `notice` says how."""


@dataclass(frozen=True, slots=True)
class RunSummary:
    """What a run did, and everything that is known after it."""

    ended: Ended
    results: tuple[Result, ...]
    """In the order of the plan; draws that were not reached are left out."""
    wanted: int
    """Results there would be if nothing were left out."""
    cached: int
    """Different answers that were there before, complete with their second attempt."""
    attempts: int
    """Attempts that were made now."""
    seconds: float
    tokens_in: int
    tokens_out: int
    """Of the attempts made now, as far as the engine tells."""
    cost: float | None
    run_id: int | None = None
    """Number of the run in the store; `None` when nothing had to be asked."""
    notice: ClerestoryError | None = None
    """Why the run was paused."""

    @property
    def left(self) -> int:
        """Draws without a result."""
        return self.wanted - len(self.results)

    @property
    def counts(self) -> dict[Status, int]:
        """How many results have each status; failures are counted, never averaged."""
        found = Counter(result.status for result in self.results)
        return {status: found[status] for status in Status}

    def require_done(self) -> None:
        """End a job as its run ended, once the job has kept what it wants of the results.

        Raises:
            Cancelled: A person stopped or paused the job; its page knows which.
            Paused: The engine failed again and again.
        """
        if self.ended is Ended.PAUSED:
            notice = self.notice or EngineStopped("The engine failed again and again.")
            raise Paused(notice.message, notice.hint) from notice
        if self.ended is Ended.STOPPED:
            raise Cancelled


def run(
    plan: Plan,
    engine: Chat,
    store: Attempts,
    read: ReadAnswer,
    report: Report = no_report,
    stop: threading.Event | None = None,
    settled: Settled = no_settling,
) -> RunSummary:
    """Ask what has no answer yet, and give the results of the whole plan.

    Args:
        plan: Made for this engine.
        engine: Asked from several threads at once where it says so, else from one.
        store: Takes every attempt, on this thread alone.
        read: Turns an answer that keeps the schema into a record, or raises `BadAnswer`.
        report: Takes progress and the time left, on this thread.
        stop: Set, ends the run within a second; what was answered is kept.
        settled: Takes results as they settle, on this thread; those of earlier runs first.

    Raises:
        EngineMissing: The model is not there or cannot be used.
        StoreRefused: An answer could not be kept.
        ValueError: The plan was made for another model.
    """
    if engine.facts().identity != plan.facts.identity:
        raise ValueError(f"the plan {plan.title!r} was made for another model")
    return _Run(plan, engine, store, read, report, stop or threading.Event(), settled).go()


class _Run:
    """One run under way. Everything but the waiting is done on the thread that called `go`."""

    def __init__(
        self,
        plan: Plan,
        engine: Chat,
        store: Attempts,
        read: ReadAnswer,
        report: Report,
        stop: threading.Event,
        settled: Settled,
    ) -> None:
        self._plan = plan
        self._tell_settled = settled
        self._engine = engine
        self._store = store
        self._stop = stop
        self._ledger = Ledger(plan, read)
        self._progress = _Progress(report)
        self._waiting: deque[list[Wanted]] = deque()
        self._flying: dict[Task, list[Wanted]] = {}
        self._run_id: int | None = None
        self._made: list[RawAnswer] = []
        self._in_a_row = 0
        self._closing = False
        self._notice: ClerestoryError | None = None
        self._fatal: BaseException | None = None

    def go(self) -> RunSummary:
        """Do it all."""
        began = time.monotonic()
        self._ledger.look_up(self._store)
        cached = self._ledger.count
        self._tell_settled(self._ledger.news())
        self._waiting.extend(self._in_order(self._ledger.wanted()))
        self._progress.start(cached, self._ledger.total)
        ended = self._ask_all() if self._waiting else Ended.DONE
        if self._fatal is not None:
            raise self._fatal
        tokens_in = sum(raw.tokens_in or 0 for raw in self._made)
        tokens_out = sum(raw.tokens_out or 0 for raw in self._made)
        return RunSummary(
            ended,
            self._ledger.results(),
            len(self._plan.draws),
            cached,
            len(self._made),
            time.monotonic() - began,
            tokens_in,
            tokens_out,
            cost_of(self._plan.facts, tokens_in, tokens_out),
            self._run_id,
            self._notice,
        )

    def _in_order(self, wanted: Sequence[Wanted]) -> list[list[Wanted]]:
        """Group calls into tasks; those at which the engine failed before come last.

        Otherwise three questions that bring the engine down would pause the work at the same
        place each time, and the rest would never be reached.
        """
        failed = self._store.failures(call.key for call in wanted)
        tasks = _grouped(wanted, together=self._plan.facts.in_flight == 1)
        return sorted(tasks, key=lambda calls: max(failed.get(call.key, 0) for call in calls))

    def _ask_all(self) -> Ended:
        facts = self._plan.facts
        self._run_id = self._store.start_run(self._plan.title, facts, len(self._plan.draws))
        count = max(1, min(facts.in_flight, len(self._waiting)))
        # A server is not kept waiting while answers go to the disk: as many questions as it takes
        # may start before that. A model on this computer starts the next one only afterwards.
        handed_out = count if count == 1 else 2 * count
        report = self._progress.from_engine if count == 1 else no_report
        askers = Askers(self._engine, count, report)
        try:
            while self._waiting or self._flying:
                if self._must_end():
                    self._wind_up(askers)
                    break
                while self._waiting and len(self._flying) < handed_out:
                    self._send(askers)
                self._take_in(askers.take(POLL_S))
                self._progress.tell(self._ledger.count)
            return self._how_it_ended()
        finally:
            askers.close()

    def _send(self, askers: Askers) -> None:
        calls = self._waiting.popleft()
        task = Task(calls[0].question, tuple(call.draw.draw for call in calls))
        self._flying[task] = calls
        askers.put(task)

    def _must_end(self) -> bool:
        return self._stop.is_set() or self._closing or bool(self._notice or self._fatal)

    def _how_it_ended(self) -> Ended:
        if self._notice is not None:
            return Ended.PAUSED
        # Calls that were given up when they were stopped neither wait nor fly any more.
        return Ended.DONE if self._ledger.count == self._ledger.total else Ended.STOPPED

    def _wind_up(self, askers: Askers) -> None:
        """Stop, but keep the answers that still come within the grace: they were paid for."""
        askers.halt.set()
        until = time.monotonic() + STOP_GRACE_S
        while self._flying and (left := until - time.monotonic()) > 0:
            self._take_in(askers.take(min(left, POLL_S)))

    def _take_in(self, outcomes: Sequence[Outcome]) -> None:
        """Keep all that has come in, in one go, and then judge what is still to be asked."""
        arrived: list[tuple[Wanted, RawAnswer]] = []
        for outcome in outcomes:
            calls = self._flying.pop(outcome.task)
            answers = self._answers(outcome)
            arrived += zip(calls, answers, strict=bool(answers))
        if not arrived:
            return
        judged = [(call, raw, self._judge(call, raw)) for call, raw in arrived]
        attempts = [
            Attempt(
                call.key,
                call.question,
                call.draw.draw,
                call.place,
                found.status,
                raw,
                found.error,
                (*found.opened.taken_off, *found.opened.repairs) if found.opened else (),
                found.is_sound,
            )
            for call, raw, found in judged
        ]
        earlier = self._store.keep(self._run_id or 0, attempts)
        for call, raw, found in judged:
            if call.key in earlier:
                again = self._ledger.take_standing(call, *earlier[call.key])
            else:
                again = self._ledger.take(call, raw, found)
            if again is not None:
                self._waiting.appendleft([again])
        self._made += [raw for _, raw in arrived]
        self._tell_settled(self._ledger.news())

    def _judge(self, call: Wanted, raw: RawAnswer) -> Judged:
        try:
            return self._ledger.judge(call, raw)
        # The border of the job runner: a fault in a reader ends the run, but loses no answer.
        except Exception as error:
            self._fatal = self._fatal or error
            return judge(call.question, raw)

    def _answers(self, outcome: Outcome) -> Sequence[RawAnswer]:
        """Give the answers of a task, or failures in their place; none when it was stopped."""
        error = outcome.error
        if error is None:
            answers = [_sound(raw) for raw in outcome.answers]
            troubles = [raw.error or "No reason given." for raw in answers if raw.finish == "error"]
            self._count(troubles[0] if len(troubles) == len(answers) else "", "")
            return answers
        if isinstance(error, Cancelled):
            self._closing = True
            return ()
        if isinstance(error, EngineMissing) or not isinstance(error, ClerestoryError):
            self._fatal = self._fatal or error
            return ()
        log.warning("%s: %s", outcome.task.question.name, error)
        kind = "engine stopped" if isinstance(error, EngineStopped) else type(error).__name__
        self._count(error.message, error.hint)
        failure = RawAnswer("", "error", error=str(error), details=(("failure", kind),))
        return [failure] * len(outcome.task.draws)

    def _count(self, trouble: str, hint: str) -> None:
        """Count failures in a row; pause when there are too many."""
        self._in_a_row = self._in_a_row + 1 if trouble else 0
        if self._in_a_row >= CRASHES and self._notice is None:
            self._notice = EngineStopped(
                f"“{self._plan.title}” is paused, because the engine {self._plan.facts.name} "
                f"failed {CRASHES} times in a row. The last time: {trouble}",
                f"{hint} What was answered is kept; look into {log_folder() / 'engines.log'}, "
                "then resume.".strip(),
            )


class _Progress:
    """Tells how far the run is and how long it will take."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._began = 0.0
        self._before = 0
        self._total = 0
        self._doing = ""
        self._told: tuple[int, str] | None = None

    def start(self, done: int, total: int) -> None:
        """Tell what is there before anything is asked."""
        self._began = time.monotonic()
        self._before, self._total = done, total
        self.tell(done)

    def from_engine(self, _share: float, doing: str) -> None:
        """Take what a local engine says it is doing; called on the thread that waits for it."""
        self._doing = doing

    def tell(self, done: int) -> None:
        """Tell, if there is news."""
        doing = self._doing
        if self._told == (done, doing):
            return
        self._told = (done, doing)
        share = done / self._total if self._total else 1.0
        said = f"{done:,} of {self._total:,} answered{self._time_left(done)}"
        self._report(share, f"{said}: {doing}" if doing and done < self._total else said)

    def _time_left(self, done: int) -> str:
        now = done - self._before
        if not now or done >= self._total:
            return ""
        left_s = (time.monotonic() - self._began) / now * (self._total - done)
        return f", about {duration_in_words(left_s)} left"


def _grouped(wanted: Sequence[Wanted], *, together: bool) -> list[list[Wanted]]:
    """Put the draws of a question into one call, where the engine decodes them together."""
    tasks: dict[object, list[Wanted]] = {}
    for place, call in enumerate(wanted):
        one = together and call.place == 1
        tasks.setdefault(id(call.draw.question) if one else (place,), []).append(call)
    return list(tasks.values())


def _sound(raw: RawAnswer) -> RawAnswer:
    """Give an answer as the store will give it back: halves of characters cannot be kept."""
    return raw if raw.text.isascii() else replace(raw, text=sound_text(raw.text))
