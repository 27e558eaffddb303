"""The confusion benchmark from a folder to its files, for the command line and the tests."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from app.benchmark.confusion_marks import answer_of, marks_of
from app.benchmark.confusion_results import (
    ReaderResult,
    result_of_answers,
    result_of_marks,
)
from app.benchmark.confusion_sets import ConfusionSet, Task
from app.benchmark.confusion_tables import TableProblem, TablesRefused
from app.benchmark.problems import Problem
from app.confusion.records import WINDOW_MS, Bands
from app.confusion_desk import ConfusionDesk, ReadingPlan
from app.errors import Cancelled, ClerestoryError, MediaRefused, Refused
from app.lesson.media.facts import MediaFacts
from app.running.protocols import Report, no_report
from app.store.library import Library

Provenance = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class BroughtIn:
    """A set whose recordings are in the library."""

    found: ConfusionSet
    lesson_ids: tuple[str, ...]
    """Of each clip or video, in the order of the set."""

    @property
    def recordings(self) -> tuple[str, ...]:
        """Each recording once; several clips may lie in one."""
        return tuple(dict.fromkeys(self.lesson_ids))


@dataclass(frozen=True, slots=True)
class PlannedReader:
    """What one reader would take."""

    reader: str
    plans: tuple[ReadingPlan, ...] = ()
    """Of each recording that it can read."""
    reason: str = ""
    """Why it cannot run, or not on all."""


class ConfusionBenchmark:
    """Readers of confusion over a set, in one library.

    Args:
        library: Where recordings and readings are kept.
        confusion: Has videos read.
    """

    def __init__(self, library: Library, confusion: ConfusionDesk) -> None:
        self._library, self._confusion = library, confusion

    def bring_in(
        self,
        found: ConfusionSet,
        report: Report = no_report,
        stop: threading.Event | None = None,
    ) -> BroughtIn:
        """Bring the recordings of a set into the library, each as a learner's of its own.

        What one video shows of a learner is no help with another, so that a result hangs neither
        on the order of the videos nor on what else is in the library.

        Raises:
            TablesRefused: A file cannot be opened, or is not what the table says of it.
            Cancelled: `stop` was set.
        """
        by_place: dict[Path, str] = {}
        problems: list[Problem] = []
        for number, place in enumerate(found.media):
            if place is not None and place not in by_place:
                report(number / len(found.media), f"reading {place.name}")
                try:
                    by_place[place] = self._confusion.add_video(place, stop=stop)
                except MediaRefused as error:
                    problems.append(Problem(_line(found, number), str(error)))
        lesson_ids = tuple(by_place[p] for p in found.media if p is not None and p in by_place)
        if not problems:
            misfits = (_misfit(found, at, self._media(id_)) for at, id_ in enumerate(lesson_ids))
            problems = [problem for problem in misfits if problem is not None]
        if problems:
            raise TablesRefused([TableProblem(found.table.name, each) for each in problems])
        return BroughtIn(found, lesson_ids)

    def plan(self, brought: BroughtIn, readers: Sequence[str]) -> tuple[PlannedReader, ...]:
        """Say what each reader would take; asks nothing."""
        return tuple(self._plan(brought, name) for name in readers)

    def run(
        self,
        brought: BroughtIn,
        readers: Sequence[str],
        report: Report = no_report,
        stop: threading.Event | None = None,
    ) -> tuple[ReaderResult, ...]:
        """Have every reader read every recording; what is kept is not read again.

        Raises:
            Cancelled: `stop` was set; what was read is kept.
        """
        stop = stop or threading.Event()
        results = []
        for number, name in enumerate(readers):
            part = _part(report, number, len(readers))
            results.append(self._run(brought, name, part, stop))
        return tuple(results)

    def _media(self, lesson_id: str) -> MediaFacts:
        return self._confusion.material(lesson_id).media

    def _plan(self, brought: BroughtIn, name: str) -> PlannedReader:
        plans, reasons = [], _Reasons(brought)
        try:
            reader = self._confusion.reader(name).name
        except ClerestoryError as error:
            return PlannedReader(name, (), error.message)
        for lesson_id in brought.recordings:
            try:
                plans.append(self._confusion.plan(lesson_id, name))
            except Refused as error:
                reasons.add(lesson_id, error)
        return PlannedReader(reader, tuple(plans), reasons.told)

    def _run(
        self, brought: BroughtIn, name: str, report: Report, stop: threading.Event
    ) -> ReaderResult:
        try:
            reader = self._confusion.reader(name).name
        except ClerestoryError as error:
            return ReaderResult(name, str(error))
        bands: dict[str, Bands] = {}
        is_unfinished = False
        reasons = _Reasons(brought)
        for number, lesson_id in enumerate(brought.recordings):
            part = _part(report, number, len(brought.recordings), f"{reader}: ")
            try:
                bands[lesson_id] = self._confusion.read(lesson_id, name, part, stop)
            except Cancelled:
                raise
            except Refused as error:
                reasons.add(lesson_id, error)
            except ClerestoryError as error:
                # The engine has given up: what it read of this recording counts, no other is begun.
                reasons.add(lesson_id, error)
                begun = self._begun(lesson_id, reader)
                bands |= {lesson_id: begun} if begun is not None else {}
                is_unfinished = True
                break
        if not bands:
            return ReaderResult(reader, reasons.told, is_unfinished=is_unfinished)
        result = self._result(brought, reader, bands, reasons.told)
        return replace(result, is_unfinished=is_unfinished)

    def _begun(self, lesson_id: str, reader: str) -> Bands | None:
        """Give the latest run that was begun, though it is not whole."""
        runs = self._library.learners.video(lesson_id).bands
        return next((b for b in reversed(runs) if b.reader == reader), None)

    def _result(
        self, brought: BroughtIn, reader: str, bands: dict[str, Bands], reason: str
    ) -> ReaderResult:
        found = brought.found
        comes_from = _shared([each.provenance for each in bands.values()])
        readings = [
            bands[lesson_id].readings if lesson_id in bands else ()
            for lesson_id in brought.lesson_ids
        ]
        media = [self._media(lesson_id) for lesson_id in brought.lesson_ids]
        if found.task is Task.RECOGNITION:
            answers = [
                answer_of(clip, said, facts.span)
                for clip, said, facts in zip(found.clips, readings, media, strict=True)
            ]
            return result_of_answers(reader, answers, comes_from, reason)
        marked = [
            marks_of(video, said, facts.start_ms)
            for video, said, facts in zip(found.videos, readings, media, strict=True)
        ]
        return result_of_marks(reader, found.videos, marked, comes_from, reason)


class _Reasons:
    """Gathers why recordings were not read, those with the same reason together."""

    def __init__(self, brought: BroughtIn) -> None:
        self._names: dict[str, str] = {}
        found = brought.found
        named = [c.clip_id for c in found.clips] or [v.video for v in found.videos]
        for name, lesson_id in zip(named, brought.lesson_ids, strict=True):
            self._names.setdefault(lesson_id, name)
        self._by_reason: dict[str, list[str]] = {}

    def add(self, lesson_id: str, error: ClerestoryError) -> None:
        self._by_reason.setdefault(str(error), []).append(self._names[lesson_id])

    @property
    def told(self) -> str:
        """All reasons in one line; empty where there is none."""
        return " ".join(
            f"{len(names)} not read whole ({_some(names)}): {why}"
            for why, names in self._by_reason.items()
        )


def _some(names: Sequence[str], most: int = 5) -> str:
    return ", ".join(names) if len(names) <= most else f"{', '.join(names[:most])}, …"


def _line(found: ConfusionSet, at: int) -> int:
    return found.clips[at].line if found.task is Task.RECOGNITION else found.videos[at].line


def _misfit(found: ConfusionSet, at: int, media: MediaFacts) -> Problem | None:
    """Say why a file is not what the table says; up to a window apart is let pass.

    Programs that make the tables count the end of a recording in different ways.
    """
    if found.task is Task.LOCALIZATION:
        video = found.videos[at]
        if abs(video.duration_ms - media.duration_ms) <= WINDOW_MS:
            return None
        what = (
            f"Video “{video.video}” is {video.duration_ms} ms long here and {media.duration_ms} ms "
            "as a file."
        )
        return Problem(video.line, what)
    clip = found.clips[at]
    if clip.span is None or (
        clip.span.start_ms < media.duration_ms and clip.span.end_ms <= media.duration_ms + WINDOW_MS
    ):
        return None
    what = (
        f"Clip “{clip.clip_id}” ends at {clip.span.end_ms} ms; its file is {media.duration_ms} ms "
        "long."
    )
    return Problem(clip.line, what)


def _shared(all_of_them: Sequence[Provenance]) -> Provenance:
    """Give what holds for every recording."""
    first, *others = all_of_them
    return tuple(pair for pair in first if all(pair in other for other in others))


def _part(report: Report, number: int, of: int, before: str = "") -> Report:
    def told(share: float, doing: str) -> None:
        report((number + share) / of, f"{before}{doing}")

    return told
