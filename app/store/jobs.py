"""Long work as the library remembers it, so that it survives a restart."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from typing import Any

from app.store.records import Job, JobState
from app.store.rows import now_utc, sound_text, to_json

_COLUMNS = (
    "job_id, kind, lesson_id, title, state, added_at, changed_at, arguments, share, doing, error"
)


def add_job(
    connection: sqlite3.Connection,
    kind: str,
    lesson_id: str,
    title: str,
    arguments: Mapping[str, object],
) -> int:
    """Write down work that waits to be started."""
    now = now_utc()
    cursor = connection.execute(
        f"INSERT INTO job ({_COLUMNS}) VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, 0, '', '')",
        (
            kind,
            lesson_id,
            sound_text(title),
            JobState.QUEUED.value,
            now,
            now,
            to_json(dict(arguments)),
        ),
    )
    return int(cursor.lastrowid or 0)


def update_job(connection: sqlite3.Connection, job_id: int, news: Mapping[str, Any]) -> bool:
    """Write down how far work has come; says whether there is such a job."""
    told = {name: value for name, value in news.items() if value is not None}
    columns = "".join(f"{name} = :{name}, " for name in told)
    cursor = connection.execute(
        f"UPDATE job SET {columns} changed_at = :changed_at WHERE job_id = :job_id",
        {**told, "changed_at": now_utc(), "job_id": job_id},
    )
    return cursor.rowcount == 1


def note_run(connection: sqlite3.Connection, job_id: int, run_id: int) -> None:
    """Write beside a job that it made an engine run; does nothing where there is no such job."""
    connection.execute(
        "UPDATE job SET arguments = json_insert("
        "json_insert(arguments, '$.runs', json('[]')), '$.runs[#]', :run_id) "
        "WHERE job_id = :job_id",
        {"job_id": job_id, "run_id": run_id},
    )


def all_jobs(connection: sqlite3.Connection) -> list[Job]:
    """Give all jobs, oldest first."""
    rows = connection.execute(f"SELECT {_COLUMNS} FROM job ORDER BY job_id")
    return [_job(row) for row in rows]


def mark_interrupted(connection: sqlite3.Connection) -> None:
    """Say of every running job that its program ended under it."""
    connection.execute(
        "UPDATE job SET state = ?, changed_at = ? WHERE state = ?",
        (JobState.INTERRUPTED.value, now_utc(), JobState.RUNNING.value),
    )


def has_running(connection: sqlite3.Connection) -> bool:
    """Say whether a job is said to be running."""
    row = connection.execute(
        "SELECT 1 FROM job WHERE state = ? LIMIT 1", (JobState.RUNNING.value,)
    ).fetchone()
    return row is not None


def _job(row: tuple[Any, ...]) -> Job:
    values = list(row)
    values[4] = JobState(values[4])
    values[7] = json.loads(values[7])
    return Job(*values)
