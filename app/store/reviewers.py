"""The people who code in this library, so that a name is chosen and not typed anew each time."""

from __future__ import annotations

import sqlite3

from app.coding.people_names import same_person
from app.coding.records import Stage
from app.store.rows import now_utc, sound_text


def reviewers(connection: sqlite3.Connection) -> tuple[str, ...]:
    """Give everybody who was added or has ever decided on their own, by name."""
    found = connection.execute(
        "SELECT name FROM reviewer UNION SELECT author FROM decision WHERE stage = ?",
        (Stage.OWN.value,),
    )
    return tuple(sorted((name for (name,) in found if name), key=lambda n: (n.casefold(), n)))


def add_reviewer(connection: sqlite3.Connection, name: str) -> str:
    """Add a person; gives the name as it was known before, if only its letters' case differs."""
    name = sound_text(name)
    known = same_person(name, reviewers(connection))
    if known:
        return known
    connection.execute("INSERT INTO reviewer (name, added_at) VALUES (?, ?)", (name, now_utc()))
    return name


def lesson_stamps(connection: sqlite3.Connection) -> dict[str, tuple[int, ...]]:
    """Give for each lesson what changes with anything said or decided of it.

    Whoever has worked something out from a lesson works it out again only when this differs.
    """
    found = connection.execute(
        """SELECT l.lesson_id,
            (SELECT max(change_id) FROM change AS c WHERE c.lesson_id = l.lesson_id),
            (SELECT max(prediction_id) FROM prediction AS p WHERE p.lesson_id = l.lesson_id),
            (SELECT max(transcript_id) FROM transcript AS t WHERE t.lesson_id = l.lesson_id),
            (SELECT max(set_id) FROM clip_set AS s WHERE s.lesson_id = l.lesson_id)
        FROM lesson AS l ORDER BY l.rowid"""
    )
    return {lesson_id: tuple(part or 0 for part in parts) for lesson_id, *parts in found}


def stamp(connection: sqlite3.Connection) -> tuple[int, ...]:
    """Give what changes with anything said or decided of any lesson.

    Rows are only ever added to these tables, so that their highest numbers tell all; that takes no
    time, where the stamps of each lesson take a thirtieth of a second in a hundred lessons.
    """
    found = connection.execute(
        """SELECT (SELECT max(rowid) FROM lesson), (SELECT max(change_id) FROM change),
            (SELECT max(prediction_id) FROM prediction),
            (SELECT max(transcript_id) FROM transcript), (SELECT max(set_id) FROM clip_set)"""
    )
    return tuple(part or 0 for part in found.fetchone())
