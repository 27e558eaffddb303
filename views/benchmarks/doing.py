"""What the Benchmarks page starts: bringing sets in, running coders over them, writing files."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QDialog, QWidget

from app.benchmark.problems import CodedSetRefused
from app.benchmark.records import CodedSet
from app.benchmark.run import WITHOUT_MODEL, Outcome, Planned, Wish
from app.coding.conditions import CoderChoice, Input, parse_choice
from app.errors import Cancelled, ClerestoryError, Paused
from app.imprint import now_in_seconds, program_name
from views.background import Background, Job, Lane, Report
from views.benchmarks.choose import ChooseDialog
from views.benchmarks.planned import PlannedDialog
from views.notices import Kind, Notices
from views.work import LessonWork
from views.written import tell_written

if TYPE_CHECKING:
    from app.desk import Desk

BRING_IN, RUN, WRITE = "bring-in", "benchmark", "benchmark-files"
"""Kinds of jobs."""


class BenchmarkWork(QObject):
    """Starts work on sets and tells how it ended.

    Args:
        desk: What a reviewer can have done.
        background: Runs it.
        notices: Where it is told.
        work: Keeps jobs in the library.
        window: The window dialogs are asked over.

    Signals:
        brought_in: A set that is in the library now.
        refused: Why one is not, `CodedSetRefused`.
        ran: The number of a set over which coders ran.
    """

    brought_in = Signal(object)
    refused = Signal(object)
    ran = Signal(int)

    def __init__(
        self,
        desk: Desk,
        background: Background,
        notices: Notices,
        work: LessonWork,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._desk, self._background, self._notices = desk, background, notices
        self._work, self._window = work, window
        self.outcomes: dict[int, tuple[Outcome, ...]] = {}
        """How the last run over each set ended, as far as this start of the program knows."""

    def bring_in(self, place: Path) -> None:
        """Bring a folder of coded clips in."""
        self._background.start(
            Job(f"Bring in the coded clips of {place.name}", Lane.FILES, kind=BRING_IN),
            lambda report, stop: self._desk.benchmark.bring_in(place, "", report, stop),
            self._came,
            self._not_in,
        )

    def ask(self, coded: CodedSet) -> None:
        """Let a person choose who codes the clips of a set, then show what it takes."""
        try:
            has_picture = self._has_picture(coded)
        except ClerestoryError as error:
            self._notices.trouble(error)
            return
        dialog = ChooseDialog(
            coded.name,
            len(coded.clips),
            self._desk.engines(),
            has_picture=has_picture,
            parent=self._window,
        )
        if dialog.exec() == QDialog.DialogCode.Accepted:
            self.plan(coded, dialog.wanted, dialog.clips)

    def plan(self, coded: CodedSet, wanted: Sequence[Wish], limit: int | None) -> None:
        """Reckon what a run takes and ask whether to start it."""
        self._notices.tell(f"Reckoning what this takes for “{coded.name}”.")
        self._background.start(
            Job(f"Reckon what coding “{coded.name}” takes", Lane.LOOK),
            lambda _report, _stop: self._desk.benchmark.plan(coded, wanted, limit),
            partial(self._show_plan, coded, limit),
            self._notices.trouble,
        )

    def run(
        self,
        coded: CodedSet,
        wanted: Sequence[Wish],
        limit: int | None,
        agreed: Mapping[str, str] | None = None,
    ) -> None:
        """Run coders over a set; started again, only what is missing is asked.

        Args:
            coded: The set.
            wanted: Who codes.
            limit: Only so many clips; `None` for all.
            agreed: Where a person agreed that words and frames go, by model; `None` for where
                they go now.
        """
        engines = dict.fromkeys(w.choice.engine for w in wanted if w.choice.condition)
        if agreed is None:
            agreed = {engine: self._desk.answering.goes_to(engine) for engine in engines}
        places = {engine: agreed.get(engine, "") for engine in engines}
        leaving = {engine: place for engine, place in places.items() if place}
        self._work.start_kept(
            Job(f"Run coders over “{coded.name}”", Lane.LONG, kind=RUN),
            partial(self._run, coded, wanted, limit, places),
            f"Coders ran over “{coded.name}”.",
            {
                "set": coded.set_id,
                "coders": [wish.choice.name for wish in wanted],
                "limit": limit or 0,
                **({"goes_to": leaving} if leaving else {}),
            },
        )

    def write(self, coded: CodedSet, folder: Path) -> None:
        """Write the page as PDF, the tables as CSV, all as JSON, and logs for Inspect."""
        self._background.start(
            Job(f"Write the results of “{coded.name}”", Lane.FILES, kind=WRITE),
            partial(self._write, coded, folder),
            partial(self._written, coded, folder),
            self._notices.trouble,
        )

    def start_again(self, kind: str, kept: Mapping[str, object]) -> bool:
        """Start kept work of an earlier time again; says whether it is known here."""
        if kind != RUN:
            return False
        sets = {coded.set_id: coded for coded in self._desk.library.coded_sets()}
        number, coders, limit = kept.get("set"), kept.get("coders"), kept.get("limit")
        coded = sets.get(number) if isinstance(number, int) else None
        if coded is None or not isinstance(coders, list):
            return False
        wanted = [Wish(_choice(str(name))) for name in coders]
        told = kept.get("goes_to")
        agreed = {str(k): str(v) for k, v in told.items()} if isinstance(told, dict) else {}
        self.run(coded, wanted, limit if isinstance(limit, int) and limit > 0 else None, agreed)
        return True

    def repeat(self, job: Job) -> bool:
        """Start work of this time again that was stopped or failed."""
        return self.start_again(job.kind, job.arguments)

    def _run(
        self,
        coded: CodedSet,
        wanted: Sequence[Wish],
        limit: int | None,
        places: Mapping[str, str],
        report: Report,
        stop: threading.Event,
    ) -> None:
        for engine, place in places.items():
            self._desk.answering.require_place(engine, place)
        outcomes = self._desk.benchmark.run(coded, wanted, limit, report, stop)
        self.outcomes[coded.set_id] = outcomes
        unfinished = [outcome for outcome in outcomes if outcome.is_unfinished]
        if unfinished:
            names = ", ".join(outcome.coder for outcome in unfinished)
            raise Paused(
                f"{names} could not go on. {unfinished[0].reason}",
                "What was answered is kept, and the others are done; resume it under Jobs.",
            )

    def _write(
        self, coded: CodedSet, folder: Path, report: Report, stop: threading.Event
    ) -> list[Path]:
        report(0.0, "working out the figures")
        outcomes = self.outcomes.get(coded.set_id, ())
        results = self._desk.benchmark.all_results(coded, outcomes, stop=stop)
        made_at = now_in_seconds()
        program = program_name()
        return self._desk.benchmark.write(results, folder, made_at, program, report, stop)

    def _has_picture(self, coded: CodedSet) -> bool:
        for lesson_id in coded.lesson_ids:
            _, media, is_there = self._desk.library.media(lesson_id)
            if media is not None and media.video is not None and is_there:
                return True
        return False

    def _show_plan(self, coded: CodedSet, limit: int | None, planned: tuple[Planned, ...]) -> None:
        where, leaves = self._where([each.outcome.wish for each in planned])
        dialog = PlannedDialog(coded.name, planned, where, leaves=leaves, parent=self._window)
        is_wanted = dialog.exec() == QDialog.DialogCode.Accepted
        dialog.deleteLater()
        if is_wanted:
            self.run(coded, [each.outcome.wish for each in planned], limit)

    def _where(self, wanted: Sequence[Wish]) -> tuple[list[str], bool]:
        """Say of each endpoint what goes to it."""
        told = []
        for engine in self._desk.engines():
            own = [w for w in wanted if w.choice.engine == engine.name and w.choice.condition]
            if own and engine.leaves:
                sees = any(wish.inputs == Input.TV for wish in own)
                what = "Words and frames" if sees else "Words"
                told.append(f"{what} of the clips go to {engine.title}, at {engine.goes_to}.")
        return told or ["Nothing leaves this computer."], bool(told)

    def _came(self, coded: CodedSet) -> None:
        count = len(coded.clips)
        self._notices.tell(f"“{coded.name}” is here, with {count} clips.", kind=Kind.DONE)
        self.brought_in.emit(coded)

    def _not_in(self, error: Exception) -> None:
        if isinstance(error, CodedSetRefused):
            self._notices.tell(error.message, "All of it is listed here.", Kind.TROUBLE)
            self.refused.emit(error)
        elif isinstance(error, Cancelled):
            self._notices.tell("Bringing clips in was stopped. Nothing was brought in.")
        else:
            self._notices.trouble(error)

    def _written(self, coded: CodedSet, folder: Path, files: list[Path]) -> None:
        tell_written(self._notices, f"The results of “{coded.name}” are", folder, files)


def _choice(name: str) -> CoderChoice:
    return CoderChoice(name) if name in WITHOUT_MODEL else parse_choice(name)
