"""Threads that only wait for an engine; everything else is done where their results are taken."""

from __future__ import annotations

import queue
import threading
from collections.abc import Sequence
from dataclasses import dataclass

from app.running.protocols import Report
from app.running.questions import Chat, Question, RawAnswer


@dataclass(frozen=True, slots=True, eq=False)
class Task:
    """One call of an engine: some draws of a question."""

    question: Question
    draws: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a task: answers, or the error that came instead."""

    task: Task
    answers: Sequence[RawAnswer] = ()
    error: BaseException | None = None


class Askers:
    """Puts tasks to an engine on threads of its own.

    The threads are daemons: an engine that does not heed `stop` keeps nobody from leaving.

    Args:
        engine: Asked from several threads at once when `count` is above 1.
        count: How many tasks may be under way.
        report: Takes the engine's own progress, on the thread of the task.
    """

    def __init__(self, engine: Chat, count: int, report: Report) -> None:
        self.halt = threading.Event()
        """Set, asks every call under way to stop."""
        self._engine = engine
        self._report = report
        self._tasks: queue.SimpleQueue[Task | None] = queue.SimpleQueue()
        self._outcomes: queue.SimpleQueue[Outcome] = queue.SimpleQueue()
        self._count = count
        for number in range(count):
            threading.Thread(target=self._work, name=f"asker-{number + 1}", daemon=True).start()

    def put(self, task: Task) -> None:
        """Have a task done as soon as a thread is free."""
        self._tasks.put(task)

    def take(self, timeout_s: float) -> list[Outcome]:
        """Wait for the next outcome and give all there are by then; none when the time is over."""
        found: list[Outcome] = []
        try:
            found.append(self._outcomes.get(timeout=timeout_s))
            while True:
                found.append(self._outcomes.get_nowait())
        except queue.Empty:
            return found

    def close(self) -> None:
        """Ask calls to stop and let the threads go; waits for nothing."""
        self.halt.set()
        for _ in range(self._count):
            self._tasks.put(None)

    def _work(self) -> None:
        while (task := self._tasks.get()) is not None and not self.halt.is_set():
            self._outcomes.put(self._ask(task))

    def _ask(self, task: Task) -> Outcome:
        try:
            answers = self._engine.ask(task.question, task.draws, self._report, self.halt)
        # A part of the job runner's border: nothing is caught here, only carried to its thread.
        except BaseException as error:
            return Outcome(task, error=error)
        if len(answers) != len(task.draws):
            wrong = f"{len(answers)} answers for {len(task.draws)} draws of {task.question.name}"
            return Outcome(task, error=ValueError(wrong))
        return Outcome(task, answers)
