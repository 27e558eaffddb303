"""Long work on lessons as the window starts it: one small function for each kind."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices

from app.errors import Cancelled, ClerestoryError
from app.store.records import Job as KeptJob
from app.store.records import JobState
from views.background import Background, Job, Lane, State, Work
from views.library.pairing import Found
from views.notices import Kind, Notices

if TYPE_CHECKING:
    from app.desk import Desk

log = logging.getLogger(__name__)

HEAR, CODE, REPORT = "hear", "code", "report"
"""Kinds of work that are kept in the library, so that they can be started again."""
KEPT_STATES = {
    State.WAITING: JobState.QUEUED,
    State.RUNNING: JobState.RUNNING,
    State.DONE: JobState.DONE,
    State.STOPPED: JobState.CANCELLED,
    State.FAILED: JobState.FAILED,
}
UNFINISHED = (JobState.QUEUED, JobState.RUNNING, JobState.PAUSED, JobState.INTERRUPTED)


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
        self._kept: dict[Job, tuple[int, State]] = {}
        background.changed.connect(self._keep)

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
        self._start_kept(
            Job(f"Write down what is said in “{title}”", Lane.LONG, lesson_id, HEAR),
            lambda report, stop: self._desk.hear(lesson_id, report, stop),
            f"What is said in “{title}” is written down.",
            {"lesson": lesson_id},
        )

    def code(self, lesson_id: str, title: str) -> None:
        """Have evidence looked for in a lesson."""
        coder = self._desk.coders()[0]
        self._start_kept(
            Job(f"Find evidence in “{title}”", Lane.LONG, lesson_id, CODE),
            lambda report, stop: self._desk.code(lesson_id, coder, report, stop),
            f"Evidence was looked for in “{title}”.",
            {"lesson": lesson_id},
        )

    def write_report(self, lesson_id: str, title: str, folder: Path) -> None:
        """Write the lesson report into a folder."""
        job = Job(f"Write the report on “{title}”", Lane.FILES, lesson_id, REPORT)
        self.keep(job, {"folder": str(folder)})
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

    def start_again(self, kept: KeptJob) -> bool:
        """Start kept work again; says whether the program knows how."""
        if not self._start_like(kept.kind, kept.lesson_id, kept.arguments.get("folder")):
            return False
        self.note_started_again(kept)
        return True

    def note_started_again(self, kept: KeptJob) -> None:
        """Write down that other work stands for this one now."""
        self._write(kept.job_id, JobState.CANCELLED, "started again")

    def repeat(self, job: Job) -> bool:
        """Start work of this time again that was stopped or failed."""
        return self._start_like(job.kind, job.lesson_id, job.arguments.get("folder"))

    def _start_like(self, kind: str, lesson_id: str, folder: object) -> bool:
        title = self._title_of(lesson_id)
        if title is None:
            return False
        if kind == HEAR:
            self.hear(lesson_id, title)
        elif kind == CODE:
            self.code(lesson_id, title)
        elif kind == REPORT and isinstance(folder, str):
            self.write_report(lesson_id, title, Path(folder))
        else:
            return False
        return True

    def earlier(self) -> list[KeptJob]:
        """Give the work of earlier times, newest first."""
        mine = {number for number, _state in self._kept.values()}
        return [job for job in reversed(self._desk.library.jobs()) if job.job_id not in mine]

    def _start(self, job: Job, work: Work, done: Callable[[Any], None]) -> None:
        self._background.start(job, work, done, partial(self._failed, job))

    def _start_kept(self, job: Job, work: Work, told: str, arguments: dict[str, object]) -> None:
        if self._background.running(job.lesson_id, job.kind):
            self._notices.tell(f"{job.title}: this is under way already.")
            return
        self.keep(job, arguments)
        self._background.start(
            job, work, partial(self._done, job.lesson_id, told), partial(self._failed, job)
        )

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
            act=partial(_open_file, page),
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

    def keep(self, job: Job, arguments: dict[str, object]) -> None:
        """Write down work that waits to be started, so that a later start of the program knows."""
        job.arguments = arguments
        try:
            number = self._desk.library.add_job(job.kind, job.lesson_id, job.title, arguments)
        except ClerestoryError as error:
            # The work itself matters more than the note about it.
            log.warning("the job %r is not kept: %s", job.title, error)
            return
        self._kept[job] = (number, State.WAITING)

    def _keep(self, job: Job) -> None:
        """Write down a change of state; progress alone is not worth a write."""
        number, state = self._kept.get(job, (0, job.state))
        if state is not job.state:
            self._kept[job] = (number, job.state)
            self._write(number, KEPT_STATES[job.state], job.doing, job.outcome)

    def _write(self, number: int, state: JobState, doing: str, error: str = "") -> None:
        try:
            self._desk.library.update_job(number, state=state, doing=doing, error=error)
        except ClerestoryError as refused:
            log.warning("job %d is not brought up to date: %s", number, refused)

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
            act=partial(_open_file, files[0]),
        )


def _add(desk: Desk, media: Path | None, transcript: Path | None, report: Any, stop: Any) -> str:
    return desk.add_lesson(media, transcript, report=report, stop=stop)


def _open_file(path: Path) -> None:
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))
