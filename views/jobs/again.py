"""Jobs that are taken up again: of an earlier time, or stopped or failed in this one."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from app.store.records import Job as KeptJob
from views.background import Job
from views.jobs.page import JobsPage
from views.notices import Notices
from views.work import LessonWork

StartKept = Callable[[str, Mapping[str, object]], bool]
"""Starts kept work by its kind; says whether it knew how."""
RepeatJob = Callable[[Job], bool]
"""Starts work of this time again; says whether it knew how."""


class TakingUp:
    """Knows every part of the program that starts work, and asks each in turn.

    Args:
        work: Starts work on lessons.
        jobs: The page on which earlier jobs are listed.
        notices: Told when nobody knows how to start a job.
        starts: Asked first, for work that belongs to no lesson.
        repeats: Asked first, for work of this time.
    """

    def __init__(
        self,
        work: LessonWork,
        jobs: JobsPage,
        notices: Notices,
        starts: tuple[StartKept, ...],
        repeats: tuple[RepeatJob, ...],
    ) -> None:
        self._work, self._jobs, self._notices = work, jobs, notices
        self._starts, self._repeats = starts, repeats

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
        if not any(knows(job) for knows in self._repeats):
            self._work.repeat(job)

    def _start_other(self, kind: str, kept: Mapping[str, object]) -> bool:
        return any(knows(kind, kept) for knows in self._starts)
