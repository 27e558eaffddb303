"""Reads sets and works out their figures in the background, what is quick first."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.benchmark.records import CodedSet
from app.benchmark.results import BenchmarkResults, Pair, compare
from app.benchmark.run import Outcome
from app.errors import Cancelled
from views.background import Background, Job, Lane, Report

if TYPE_CHECKING:
    from app.desk import Desk


@dataclass(frozen=True, slots=True)
class Drawn:
    """The figures of a set in one state of the library."""

    state: object
    """Tells this state from any other."""
    results: BenchmarkResults
    is_whole: bool
    """Whether what takes long is in them."""


@dataclass(frozen=True, slots=True)
class _Read:
    sets: tuple[CodedSet, ...]
    set_id: int
    drawn: Drawn | None


class Gathering(QObject):
    """Gives sets and figures.

    Args:
        desk: Where they are.
        background: Works them out.

    Signals:
        sets_came: The sets there are, in the order they were brought in.
        results_came: The number of a set, and its figures as `Drawn`.
        pair_came: A comparison.
        trouble: An error to tell.
    """

    sets_came = Signal(object)
    results_came = Signal(int, object)
    pair_came = Signal(object)
    trouble = Signal(object)

    def __init__(self, desk: Desk, background: Background, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._desk, self._background = desk, background
        self._drawn: dict[int, Drawn] = {}
        self._pairs: dict[tuple[object, str, str], Pair] = {}
        self._job: Job | None = None
        self._pair_job: Job | None = None

    def refresh(self, set_id: int, outcomes: tuple[Outcome, ...]) -> None:
        """Bring a set up to date; `results_came` follows twice, quick and whole.

        Args:
            set_id: The set in view; 0 takes the newest.
            outcomes: How its last run ended.
        """
        self.leave()
        self._job = Job("Read the figures of the benchmark", Lane.LOOK)
        work = partial(self._read, set_id, outcomes)
        self._background.start(
            self._job, work, partial(self._take, self._job, outcomes), self._failing(self._job)
        )

    def leave(self) -> None:
        """Let go of what is being worked out."""
        for job in (self._job, self._pair_job):
            if job is not None:
                job.stop.set()
        self._job = self._pair_job = None

    def compare(self, drawn: Drawn, one: str, other: str) -> None:
        """Compare two conditions; `pair_came` follows."""
        key = (drawn.state, one, other)
        known = self._pairs.get(key) or next(
            (p for p in drawn.results.pairs if (p.one, p.other) == (one, other)), None
        )
        if known is not None:
            self.pair_came.emit(known)
            return
        self._pair_job = job = Job("Compare two conditions", Lane.LOOK)
        by_name = {each.coder: each for each in drawn.results.conditions}
        self._background.start(
            job,
            lambda _report, _stop: compare(by_name[one], by_name[other]),
            partial(self._take_pair, key),
            self._failing(job),
        )

    def _read(
        self,
        set_id: int,
        outcomes: tuple[Outcome, ...],
        _report: Report,
        _stop: threading.Event,
    ) -> _Read:
        library = self._desk.library
        sets = tuple(library.coded_sets())
        coded = next((s for s in sets if s.set_id == set_id), sets[-1] if sets else None)
        if coded is None:
            return _Read(sets, 0, None)
        state = (coded.set_id, library.stamp(), outcomes)
        known = self._drawn.get(coded.set_id)
        if known is not None and known.state == state:
            return _Read(sets, coded.set_id, known)
        results = self._desk.benchmark.all_results(coded, outcomes, quick=True)
        return _Read(sets, coded.set_id, Drawn(state, results, is_whole=False))

    def _take(self, job: Job, outcomes: tuple[Outcome, ...], read: _Read) -> None:
        if job is not self._job:
            return
        self.sets_came.emit(read.sets)
        coded = next((s for s in read.sets if s.set_id == read.set_id), None)
        if coded is None or read.drawn is None:
            return
        self._keep(coded.set_id, read.drawn)
        # Whoever was told may have left the page.
        if not read.drawn.is_whole and job is self._job:
            self._work_out(coded, outcomes, read.drawn.state)

    def _work_out(self, coded: CodedSet, outcomes: tuple[Outcome, ...], state: object) -> None:
        self._job = job = Job("Work out intervals and pairs", Lane.LOOK)
        self._background.start(
            job,
            lambda _report, stop: self._desk.benchmark.all_results(coded, outcomes, stop=stop),
            partial(self._take_whole, job, coded.set_id, state),
            self._failing(job),
        )

    def _take_whole(self, job: Job, set_id: int, state: object, results: BenchmarkResults) -> None:
        if job is self._job:
            self._keep(set_id, Drawn(state, results, is_whole=True))

    def _keep(self, set_id: int, drawn: Drawn) -> None:
        self._drawn[set_id] = drawn
        # Comparisons of earlier states are not asked for again.
        self._pairs = {k: p for k, p in self._pairs.items() if k[0] == drawn.state}
        self.results_came.emit(set_id, drawn)

    def _take_pair(self, key: tuple[object, str, str], pair: Pair) -> None:
        self._pairs[key] = pair
        self.pair_came.emit(pair)

    def _failing(self, job: Job) -> partial[None]:
        return partial(self._failed, job)

    def _failed(self, job: Job, error: Exception) -> None:
        if not isinstance(error, Cancelled) and job in (self._job, self._pair_job):
            self.trouble.emit(error)
