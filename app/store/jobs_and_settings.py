"""What a library keeps beside its lessons: long work under way, and settings that move with it."""

from __future__ import annotations

from collections.abc import Mapping

from app.store import jobs, kept_settings
from app.store.connections import Connections
from app.store.records import Job, JobState


class JobsAndSettings:
    """The part of a library that is about no lesson.

    Args:
        connections: Of the open library.
    """

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def add_job(
        self, kind: str, lesson_id: str, title: str, arguments: Mapping[str, object]
    ) -> int:
        """Write down long work before it starts; gives its number."""
        with self._connections.writing() as connection:
            return jobs.add_job(connection, kind, lesson_id, title, arguments)

    def update_job(
        self,
        job_id: int,
        *,
        state: JobState | None = None,
        share: float | None = None,
        doing: str | None = None,
        error: str | None = None,
    ) -> None:
        """Write down how far long work has come; what is left out stays as it is.

        Raises:
            ValueError: There is no such job.
        """
        news = {"state": state, "share": share, "doing": doing, "error": error}
        with self._connections.writing() as connection:
            if not jobs.update_job(connection, job_id, news):
                raise ValueError(f"there is no job {job_id}")

    def jobs(self) -> list[Job]:
        """Give all jobs, oldest first."""
        with self._connections.reading() as connection:
            return jobs.all_jobs(connection)

    def setting(self, name: str, default: str = "") -> str:
        """Give a setting that belongs to this library and moves with it."""
        with self._connections.reading() as connection:
            kept = kept_settings.read_setting(connection, name)
        return default if kept is None else kept

    def set_setting(self, name: str, value: str) -> None:
        """Keep a setting that belongs to this library."""
        with self._connections.writing() as connection:
            kept_settings.keep_setting(connection, name, value)

    def _mark_interrupted(self) -> None:
        """Mark jobs that another run of the program left behind."""
        # No other program has this library open: whatever says it is running is not.
        with self._connections.reading() as connection:
            if not jobs.has_running(connection):
                return
        with self._connections.writing() as connection:
            jobs.mark_interrupted(connection)
