"""Long work on lessons as the window starts it: one small function for each kind."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from app.coding.conditions import CoderChoice, parse_choice
from app.errors import Cancelled
from app.running.protocols import Report
from app.store.records import Job as KeptJob
from views.background import Background, Job, Lane, Work
from views.kept_jobs import KeptJobs
from views.library.pairing import Found
from views.notices import Kind, Notices
from views.probing.doing import Wish
from views.probing.words import title_words
from views.written import open_file

if TYPE_CHECKING:
    from app.desk import Desk

HEAR, CODE, CODE_MODEL, REPORT = "hear", "code", "code-model", "report"
PROBE = "probe-evidence"
"""Kinds of work that are kept in the library, so that they can be started again."""

Start = Callable[[str, str, Mapping[str, object]], None]
"""Starts one kind of work again: on which lesson, its title, what was kept to start it."""
StartOther = Callable[[str, Mapping[str, object]], bool]
"""Starts kept work that belongs to no lesson, by its kind; says whether it knew how."""


class LessonWork(QObject):
    """Starts work on lessons and tells how it ended.

    Signals:
        lesson_added: A lesson's id.
        lesson_changed: The id of a lesson that work has added something to.
    """

    lesson_added = Signal(str)
    lesson_changed = Signal(str)

    def __init__(
        self, desk: Desk, background: Background, notices: Notices, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._desk = desk
        self._background = background
        self._notices = notices
        self.kept = KeptJobs(desk.library, background, self)
        self._starts: dict[str, Start] = {
            HEAR: lambda lesson_id, title, _kept: self.hear(lesson_id, title),
            CODE: lambda lesson_id, title, _kept: self.code(lesson_id, title),
            CODE_MODEL: self._code_again,
            PROBE: self._probe_again,
            REPORT: self._write_report_again,
        }
        background.paused.connect(self._paused)

    def learn(self, kind: str, start: Start) -> None:
        """Learn how another kind of work on lessons is started again."""
        self._starts[kind] = start

    def add_files(self, found: Sequence[Found]) -> None:
        """Add each recording, transcript or pair as a lesson."""
        for pair in found:
            named = pair.media or pair.transcript
            name = named.name if named else "a file"
            self._start(
                Job(f"Add {name}", Lane.FILES, kind="add"),
                partial(_add, self._desk, pair.media, pair.transcript),
                self._added,
            )

    def add_sample(self) -> None:
        """Add the lesson that comes along."""
        self._start(
            Job("Add the sample lesson", Lane.FILES, kind="add"),
            lambda report, stop: self._desk.add_sample(report, stop),
            self._added,
        )

    def hear(self, lesson_id: str, title: str) -> None:
        """Have what is said in a lesson written down."""
        self.start_kept(
            Job(f"Write down what is said in “{title}”", Lane.LONG, lesson_id, HEAR),
            lambda report, stop: self._desk.hear(lesson_id, report, stop),
            f"What is said in “{title}” is written down.",
            {"lesson": lesson_id},
        )

    def code(self, lesson_id: str, title: str) -> None:
        """Have evidence looked for in a lesson."""
        coder = self._desk.coders()[0]
        self.start_kept(
            Job(f"Find evidence in “{title}”", Lane.LONG, lesson_id, CODE),
            lambda report, stop: self._desk.code(lesson_id, coder, report, stop),
            f"Evidence was looked for in “{title}”.",
            {"lesson": lesson_id},
        )

    def code_with(
        self, lesson_id: str, title: str, choice: CoderChoice, agreed: str | None = None
    ) -> None:
        """Have a lesson coded by whom a person chose and agreed to.

        Args:
            lesson_id: The lesson.
            title: What it is called.
            choice: The coder.
            agreed: Where a person agreed that words and frames go; `None` for where they go now.
        """
        if choice.condition is None:
            self.code(lesson_id, title)
            return
        place, engine = self._place(choice.engine, agreed), choice.engine

        def work(report: Report, stop: threading.Event) -> None:
            self._desk.answering.require_place(engine, place)
            self._desk.code(lesson_id, choice, report, stop)

        self.start_kept(
            Job(f"Code “{title}” with {choice.name}", Lane.LONG, lesson_id, CODE_MODEL),
            work,
            f"“{title}” was coded by {choice.name}.",
            {"lesson": lesson_id, "coder": choice.name, **_kept_place(place)},
        )

    def probe(self, wish: Wish, agreed: str | None = None) -> None:
        """Have evidence tested, as a person wished and agreed to; `agreed` as in `code_with`."""
        engine = parse_choice(wish.coder).engine
        place = self._place(engine, agreed)

        def work(report: Report, stop: threading.Event) -> None:
            self._desk.answering.require_place(engine, place)
            self._desk.probing.probe([wish.lesson_id], wish.coder, wish.clip_ids, report, stop)

        clips = None if wish.clip_ids is None else list(wish.clip_ids)
        title = title_words(wish.title, wish.coder, wish.clip_ids)
        self.start_kept(
            Job(title, Lane.LONG, wish.lesson_id, PROBE),
            work,
            f"The evidence of {wish.coder} in “{wish.title}” was tested.",
            {"lesson": wish.lesson_id, "coder": wish.coder, "clips": clips, **_kept_place(place)},
        )

    def write_report(self, lesson_id: str, title: str, folder: Path) -> None:
        """Write the lesson report into a folder."""
        job = Job(f"Write the report on “{title}”", Lane.FILES, lesson_id, REPORT)
        self.kept.keep(job, {"folder": str(folder)})
        self._start(
            job,
            lambda report, stop: self._desk.write_report(lesson_id, folder, report, stop),
            partial(self._written, title),
        )

    def find_media(self, lesson_id: str, title: str, place: Path) -> None:
        """Look for a moved recording in a file or folder."""
        self._start(
            Job(f"Look for the recording of “{title}”", Lane.FILES, lesson_id, "find"),
            lambda report, stop: self._desk.find_media(lesson_id, place, report, stop),
            partial(self._searched, lesson_id, title, place),
        )

    def start_kept(
        self, job: Job, work: Work, told: str, arguments: dict[str, object]
    ) -> Job | None:
        """Start work that the library remembers, together with what models are asked for it.

        Args:
            job: Its kind tells whether it can be paused (`views.jobs.kinds`).
            work: Ends as `views.background` says; through the runner, by `require_done`.
            told: Said once it is done.
            arguments: What is needed to start it again.

        Returns:
            The job; `None` where the same is under way already, or was paused and is resumed.
        """
        under_way = self._background.running(job.lesson_id, job.kind)
        # Another coder for the same lesson is other work: it waits for its turn behind this one.
        if any(running.arguments == arguments for running in under_way):
            self._notices.tell(f"{job.title}: this is under way already.")
            return None
        resting = self._background.paused_jobs(job.lesson_id, job.kind)
        again = next((one for one in resting if one.arguments == arguments), None)
        if again is not None:
            self._background.resume(again)
            return None
        if under_way:
            self._notices.tell(f"{job.title}: it starts when the one before it is done.")
        self.kept.keep(job, arguments)
        done = partial(self._done, job.lesson_id, told)
        return self._start(job, self.kept.noting(job, work), done)

    def start_again(self, kept: KeptJob, other: StartOther = lambda _kind, _kept: False) -> bool:
        """Start or resume a job of an earlier time; says whether the program knows how.

        Args:
            kept: From `kept.earlier`.
            other: Asked first, for work that is started elsewhere.
        """
        return self.kept.take_up(
            kept,
            lambda: (
                other(kept.kind, kept.arguments)
                or self._start_like(kept.kind, kept.lesson_id, kept.arguments)
            ),
        )

    def repeat(self, job: Job) -> bool:
        """Start work of this time again that was stopped or failed."""
        return self._start_like(job.kind, job.lesson_id, job.arguments)

    def _start_like(self, kind: str, lesson_id: str, arguments: Mapping[str, object]) -> bool:
        title, start = self._title_of(lesson_id), self._starts.get(kind)
        if title is None or start is None:
            return False
        start(lesson_id, title, arguments)
        return True

    def _code_again(self, lesson_id: str, title: str, kept: Mapping[str, object]) -> None:
        self.code_with(lesson_id, title, parse_choice(str(kept["coder"])), _agreed(kept))

    def _probe_again(self, lesson_id: str, title: str, kept: Mapping[str, object]) -> None:
        clips = kept.get("clips")
        chosen = tuple(map(str, clips)) if isinstance(clips, list) else None
        self.probe(Wish(lesson_id, title, str(kept["coder"]), chosen), _agreed(kept))

    def _place(self, engine: str, agreed: str | None) -> str:
        return self._desk.answering.goes_to(engine) if agreed is None else agreed

    def _write_report_again(
        self, lesson_id: str, title: str, arguments: Mapping[str, object]
    ) -> None:
        self.write_report(lesson_id, title, Path(str(arguments["folder"])))

    def _start(self, job: Job, work: Work, done: Callable[[Any], None]) -> Job:
        return self._background.start(job, work, done, partial(self._failed, job))

    def _done(self, lesson_id: str, told: str, _result: object) -> None:
        self._notices.tell(told, kind=Kind.DONE)
        self.lesson_changed.emit(lesson_id)

    def _failed(self, job: Job, error: Exception) -> None:
        if isinstance(error, Cancelled):
            again = "It can be started again under Jobs." if job.arguments else ""
            self._notices.tell(f"{job.title}: stopped as you asked.", again)
        else:
            self._notices.trouble(error)
        if job.lesson_id:
            self.lesson_changed.emit(job.lesson_id)

    def _paused(self, job: Job) -> None:
        if job.outcome:
            self._notices.tell(job.outcome, "It waits under Jobs.", Kind.TROUBLE)
        else:
            self._notices.tell(f"{job.title}: paused as you asked.", "It waits under Jobs.")
        if job.lesson_id:
            self.lesson_changed.emit(job.lesson_id)

    def _added(self, lesson_id: str) -> None:
        title = self._title_of(lesson_id) or "The lesson"
        self._notices.tell(f"“{title}” is in the library.", kind=Kind.DONE)
        self.lesson_added.emit(lesson_id)

    def _written(self, title: str, files: list[Path]) -> None:
        page = next((f for f in files if f.suffix.lower() == ".pdf"), files[0] if files else None)
        if page is None:
            return
        self._notices.tell(
            f"The report on “{title}” is written to {page}.",
            kind=Kind.DONE,
            action="Open report",
            act=partial(open_file, page),
        )

    def _searched(self, lesson_id: str, title: str, place: Path, was_found: bool) -> None:
        if was_found:
            self._notices.tell(f"The recording of “{title}” was found.", kind=Kind.DONE)
        else:
            self._notices.tell(
                f"The recording of “{title}” is not in {place}.",
                "It is known by what is in it, so a file that was cut or converted is another "
                "recording. Choose another folder.",
                Kind.TROUBLE,
            )
        self.lesson_changed.emit(lesson_id)

    def _title_of(self, lesson_id: str) -> str | None:
        rows = self._desk.library.lessons()
        return next((row.title for row in rows if row.lesson_id == lesson_id), None)

    def write_coaching(self, lesson_id: str, title: str, folder: Path) -> None:
        """Write the page for the talk with the teacher into a folder."""
        self._start(
            Job(f"Write the coaching page on “{title}”", Lane.FILES, lesson_id, "coaching"),
            lambda report, stop: self._desk.write_coaching(lesson_id, folder, report, stop),
            partial(self._coaching_written, title),
        )

    def _coaching_written(self, title: str, files: list[Path]) -> None:
        self._notices.tell(
            f"The coaching page on “{title}” is written to {files[0]}.",
            kind=Kind.DONE,
            action="Open page",
            act=partial(open_file, files[0]),
        )


def _kept_place(place: str) -> dict[str, object]:
    """Give what is kept of where words and frames go; nothing where they stay here."""
    return {"goes_to": place} if place else {}


def _agreed(kept: Mapping[str, object]) -> str:
    return str(kept.get("goes_to", ""))


def _add(desk: Desk, media: Path | None, transcript: Path | None, report: Any, stop: Any) -> str:
    return desk.add_lesson(media, transcript, report=report, stop=stop)
