"""Jobs that are taken up again: of an earlier time, or stopped or failed in this one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from app.store.records import Job as KeptJob
from views.background import Job
from views.jobs.page import JobsPage
from views.notices import Notices
from views.work import LessonWork


class Starter(Protocol):
    """A part of the program that starts kept work which belongs to no lesson."""

    def start_again(self, kind: str, kept: Mapping[str, object], /) -> bool:
        """Start work by its kind; says whether it knew how."""

    def repeat(self, job: Job, /) -> bool:
        """Start work of this time again; says whether it knew how."""


class TakingUp:
    """Knows every part of the program that starts work, and asks each in turn.

    Args:
        work: Starts work on lessons.
        jobs: The page on which earlier jobs are listed.
        notices: Told when nobody knows how to start a job.
        starters: Asked first, for work that belongs to no lesson.
    """

    def __init__(
        self,
        work: LessonWork,
        jobs: JobsPage,
        notices: Notices,
        starters: tuple[Starter, ...],
    ) -> None:
        self._work, self._jobs, self._notices = work, jobs, notices
        self._starters = starters

    def show_earlier(self) -> list[KeptJob]:
        """List the jobs of earlier times that were not ended, and give them."""
        kept = self._work.kept.earlier()
        self._jobs.show_earlier(kept)
        self._work.kept.count_earlier(kept)
        return kept

    def start_again(self, job: KeptJob) -> None:
        """Start a job of an earlier time again."""
        if not self._work.start_again(job, self._start_other):
            self._notices.tell(
                "This job cannot be started again.", "Its lesson is no longer in the library."
            )
        self.show_earlier()

    def leave(self, job: KeptJob) -> None:
        """Let a job of an earlier time go."""
        self._work.kept.leave(job)
        self.show_earlier()

    def repeat(self, job: Job) -> None:
        """Start a job of this time again."""
        if not any(starter.repeat(job) for starter in self._starters):
            self._work.repeat(job)

    def _start_other(self, kind: str, kept: Mapping[str, object]) -> bool:
        return any(starter.start_again(kind, kept) for starter in self._starters)
