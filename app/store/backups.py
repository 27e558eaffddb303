"""Copies of a library beside it: one a day and one before each change of its form.

A copy is an ordinary library in one file: putting it in the place of the other restores it.
"""

from __future__ import annotations

import logging
import os
import secrets
import sqlite3
import time
from collections.abc import Iterable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path

from app.errors import StoreRefused
from app.store.connections import connect, uri_of
from app.store.refusals import plain_refusals

log = logging.getLogger(__name__)

KEPT_DAYS = 7
KEPT_WEEKS = 4
"""Daily copies kept: the last seven, and the last of each of four weeks before them."""

_HALF_DONE_S = 24 * 3600
"""Age at which a half-made copy is surely nobody's."""

_DAILY = "daily-"
_BEFORE = "before-version-"

COUNTED = (
    *("lesson", "decision", "change", "attempt"),
    *("reviewer", "evidence_probe", "coded_set", "coded_clip", "eqs_draw", "eqs_rating"),
    *("learner", "learner_video", "chosen_face", "reading", "candidate_word"),
)
"""Tables whose rows tell how much a copy holds: what people did and what models answered.

Cheap to count, and all else comes with them. A table of a later form whose rows nothing else
accounts for is named here too.
"""


@dataclass(frozen=True, slots=True)
class Backup:
    """One copy and how much is in it."""

    path: Path
    day: date
    identity: str
    """Of the library it is a copy of: another file may have come to lie under the same name."""
    rows: tuple[int, ...]
    """Rows in each of `COUNTED`, in that order; 0 for a table that an older form lacks."""

    def covers(self, other: Backup) -> bool:
        """Say whether nothing is lost of the other copy, by count, while this one is kept."""
        return self.identity == other.identity and all(
            mine >= its for mine, its in zip(self.rows, other.rows, strict=True)
        )


def backup_folder(library: Path) -> Path:
    """Give the folder of the copies of a library, which may not exist yet."""
    return library.with_name(f"{library.name}-backups")


def back_up_daily(library: Path, today: date | None = None) -> Path | None:
    """Copy the library unless it was copied today, then let old copies go.

    Returns:
        The new copy; `None` when there is one of today already, or nothing to keep yet.

    Raises:
        StoreRefused: The copy could not be made, or the library is damaged; no copy was touched.
    """
    day = today or datetime.now(UTC).date()
    target = backup_folder(library) / f"{_DAILY}{day.isoformat()}{library.suffix}"
    if target.exists() or not _holds_anything(library):
        return None
    _copy(library, target)
    _rotate(library)
    return target


def back_up_before(library: Path, version: int) -> Path:
    """Copy the library before it is brought to a newer form; these copies are never removed.

    Raises:
        StoreRefused: The copy could not be made.
    """
    stamp = datetime.now(UTC).strftime("%Y-%m-%dT%H%M%S.%f")
    target = backup_folder(library) / f"{_BEFORE}{version}-{stamp}{library.suffix}"
    _copy(library, target)
    return target


def daily_backups(library: Path) -> list[Backup]:
    """Give the daily copies that can be read, oldest first."""
    found = []
    for path in sorted(backup_folder(library).glob(f"{_DAILY}*{library.suffix}")):
        try:
            day = date.fromisoformat(path.name[len(_DAILY) : len(_DAILY) + 10])
            with closing(_open_copy(path)) as connection:
                identity, rows = _identity(connection), _count(connection)
        except (ValueError, sqlite3.Error):
            # Not one of ours, or damaged: left where it is, for a person to judge.
            log.warning("%s is not a copy that can be read", path)
            continue
        found.append(Backup(path, day, identity, rows))
    return found


def to_let_go(backups: Sequence[Backup]) -> list[Backup]:
    """Say which daily copies may be removed.

    A copy may go when it is neither one of the last days nor the last of one of the weeks before,
    and a copy that is kept and newer holds at least as much. So copies of a library that was
    emptied, or started anew, never push out the fuller ones.

    Args:
        backups: Oldest first.
    """
    kept = list(backups[-KEPT_DAYS:]) if backups else []
    weeks: set[tuple[int, int]] = set()
    for backup in reversed(backups[: -len(kept)] if kept else ()):
        week = backup.day.isocalendar()[:2]
        if week not in weeks and len(weeks) < KEPT_WEEKS:
            weeks.add(week)
            kept.append(backup)
        elif not _covered(backup, kept):
            kept.append(backup)
    return [backup for backup in backups if backup not in kept]


def _identity(connection: sqlite3.Connection) -> str:
    row = connection.execute("SELECT value FROM setting WHERE name = 'identity'").fetchone()
    return str(row[0]) if row else ""


def _count(connection: sqlite3.Connection) -> tuple[int, ...]:
    laid = {
        name
        for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
    }
    return tuple(
        connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] if table in laid else 0
        for table in COUNTED
    )


def _covered(backup: Backup, kept: Iterable[Backup]) -> bool:
    return any(other.day > backup.day and other.covers(backup) for other in kept)


def _rotate(library: Path) -> None:
    old = [backup.path for backup in to_let_go(daily_backups(library))]
    for path in (*old, *_left_over(library)):
        try:
            path.unlink()
        except OSError as error:
            log.warning("%s could not be removed: %s", path, error)


def _left_over(library: Path) -> list[Path]:
    """Give half-made copies of a program that died; younger ones may still be in the making."""
    limit_s = time.time() - _HALF_DONE_S
    hidden = backup_folder(library).glob(f".*{library.suffix}.*")
    return [path for path in hidden if path.stat().st_mtime < limit_s]


def _holds_anything(library: Path) -> bool:
    with plain_refusals(library), closing(connect(library, mode="ro")) as connection:
        return any(_count(connection))


def _copy(library: Path, target: Path) -> None:
    """Copy to a temporary name, look the copy over, and only then give it its name."""
    half_done = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        target.parent.mkdir(exist_ok=True)
        with plain_refusals(library):
            _fill(library, half_done)
        sync(half_done)
        half_done.replace(target)
        sync(target.parent)
    except OSError as error:
        raise StoreRefused(
            f"No copy of {library.name} could be made: {error.strerror or error}.",
            f"Check that you may write to {target.parent}, and that the disk is not full.",
        ) from error
    finally:
        with suppress(OSError):
            half_done.unlink(missing_ok=True)


def _fill(library: Path, target: Path) -> None:
    with (
        closing(connect(library, mode="ro")) as source,
        closing(connect(target, mode="rwc")) as copy,
    ):
        source.backup(copy)
        # One plain file, without a log beside it, is what a person can copy about.
        copy.execute("PRAGMA journal_mode = DELETE")
        found = copy.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        raise StoreRefused(
            f"{library.name} is damaged: {found}.",
            f"Put it aside and copy the newest file in {backup_folder(library).name} to its place.",
        )


def _open_copy(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{uri_of(path)}?mode=ro&immutable=1", uri=True)


def sync(path: Path) -> None:
    """Have the disk take a file, or the names in a folder, before going on."""
    if path.is_dir() and os.name == "nt":
        return  # Windows has no way to do this for a folder
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
