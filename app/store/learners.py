"""Learners, their videos, and what readers and people say of them."""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from app.confusion.records import Bands, EventDecision, Reading
from app.confusion.review import (
    CandidateWord,
    ChosenFace,
    KeptBaseline,
    Learner,
    LearnerReview,
    LearnerVideoRow,
    Stage,
)
from app.errors import Refused, StoreRefused
from app.store import changes, event_decisions, lessons, readings, recordings
from app.store.changes import UNDONE
from app.store.connections import Connections
from app.store.rows import now_utc, sound_text, to_json

MOST_LETTERS = 60
"""Longest name of a learner: it stands beside bands and at the head of a page."""


class Learners:
    """The learners of one open library. Safe to use from several threads.

    Every method that changes something is one transaction, on the disk before it returns. All
    that take a `lesson_id` raise `StoreRefused` when it is none, or not that of a learner video.
    """

    def __init__(self, connections: Connections, path: Path) -> None:
        self._connections, self._path = connections, path

    def add_learner(self, name: str) -> str:
        """Add a learner; gives the id, also of one who is known by that name already.

        Raises:
            Refused: The name is empty or too long.
        """
        sound = sound_learner(name)
        with self._connections.writing() as connection:
            for known in _learners(connection):
                if known.name.casefold() == sound.casefold():
                    return known.learner_id
            learner_id = secrets.token_hex(4)
            connection.execute(
                "INSERT INTO learner (learner_id, name, added_at) VALUES (?, ?, ?)",
                (learner_id, sound, now_utc()),
            )
            return learner_id

    def learners(self) -> tuple[Learner, ...]:
        """Give all learners, in the order they were added."""
        with self._connections.reading() as connection:
            return _learners(connection)

    def add_video(self, lesson_id: str, learner_id: str) -> None:
        """Say whose video a recording is; said again of another learner, that one counts.

        Raises:
            StoreRefused: There is no such recording or learner.
        """
        with self._connections.writing() as connection:
            lessons.require_lesson(connection, lesson_id)
            _require_learner(connection, learner_id)
            if (lesson_id, learner_id) in _whose(connection).items():
                return
            connection.execute(
                "INSERT INTO learner_video (lesson_id, learner_id, added_at) VALUES (?, ?, ?)",
                (lesson_id, learner_id, now_utc()),
            )

    def videos(self) -> list[LearnerVideoRow]:
        """Give one row for each learner video, in the order they were added."""
        with self._connections.reading() as connection:
            known = {learner.learner_id: learner for learner in _learners(connection)}
            return [
                _video_row(connection, self._path, lesson_id, known[learner_id])
                for lesson_id, learner_id in _whose(connection).items()
            ]

    def video(self, lesson_id: str) -> LearnerReview:
        """Give everything that readers say of a learner video and people decided about it."""
        with self._connections.reading() as connection:
            _, added_at = lessons.require_lesson(connection, lesson_id)
            learner = _learner_of(connection, lesson_id)
            media, media_found = recordings.media_of(connection, self._path, lesson_id)
            return LearnerReview(
                lesson_id=lesson_id,
                title=lessons.title_of(connection, lesson_id),
                added_at=added_at,
                media=media,
                media_found=media_found,
                learner=learner,
                face=_face(connection, lesson_id),
                bands=readings.bands_of(connection, lesson_id),
                decisions=event_decisions.event_decisions_of(connection, lesson_id),
                note=lessons.note_of(connection, lesson_id),
                history=changes.history(connection, lesson_id),
            )

    def is_video(self, lesson_id: str) -> bool:
        """Say whether a recording is a learner's."""
        with self._connections.reading() as connection:
            return lesson_id in _whose(connection)

    def stamp(self, lesson_id: str) -> tuple[int, ...]:
        """Give numbers that change with all that is read or decided of a video; cheap to ask."""
        with self._connections.reading() as connection:
            return tuple(
                int(connection.execute(query, {"lesson": lesson_id}).fetchone()[0] or 0)
                for query in _STAMPS
            )

    def choose_face(self, lesson_id: str, time_ms: int, x: float, y: float, author: str) -> None:
        """Say which face is the learner's: a point of it at a moment, in pixels of the picture."""
        with self._connections.writing() as connection:
            _learner_of(connection, lesson_id)
            connection.execute(
                "INSERT INTO chosen_face (lesson_id, time_ms, x, y, author, made_at) "
                "VALUES (?, ?, ?, ?, ?, ?)",
                (lesson_id, time_ms, float(x), float(y), sound_text(author), now_utc()),
            )

    # Readings

    def start_run(self, lesson_id: str, reader: str, provenance: Iterable[Sequence[str]]) -> int:
        """Write down that a reader begins with a video; gives the number of the run."""
        with self._connections.writing() as connection:
            _learner_of(connection, lesson_id)
            return readings.start_run(connection, lesson_id, reader, provenance)

    def keep_readings(self, run_id: int, found: Iterable[Reading]) -> None:
        """Keep readings, all or none; a window that is there already stays as it is.

        Raises:
            StoreRefused: There is no such run.
            ValueError: A reading contradicts itself, above all one with a level where nothing is
                visible.
        """
        with self._connections.writing() as connection:
            readings.keep_readings(connection, run_id, found)

    def end_run(self, run_id: int) -> None:
        """Write down that a run is complete."""
        with self._connections.writing() as connection:
            readings.end_run(connection, run_id)

    def bands(self, run_id: int) -> Bands:
        """Give one run with the readings there are so far."""
        with self._connections.reading() as connection:
            return readings.one_bands(connection, run_id)

    # What people say

    def decide_event(self, lesson_id: str, decision: EventDecision) -> int:
        """Keep a person's word on an event; gives the number of the change.

        It is taken back and brought back by `Library.undo` and `Library.redo`.
        """
        with self._connections.writing() as connection:
            _learner_of(connection, lesson_id)
            return event_decisions.decide_event(connection, lesson_id, decision)

    def say_of_candidate(self, word: CandidateWord) -> int:
        """Keep what one person says of a candidate clip; gives its number."""
        with self._connections.writing() as connection:
            lessons.require_lesson(connection, word.lesson_id)
            cursor = connection.execute(
                "INSERT INTO candidate_word (lesson_id, start_ms, end_ms, stage, verdict, "
                "criteria, author, note, made_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    word.lesson_id,
                    word.start_ms,
                    word.end_ms,
                    word.stage.value,
                    sound_text(word.verdict),
                    to_json(word.criteria),
                    sound_text(word.author),
                    sound_text(word.note),
                    word.made_at or now_utc(),
                ),
            )
            return int(cursor.lastrowid or 0)

    def candidate_words(self, lesson_id: str = "") -> tuple[CandidateWord, ...]:
        """Give everything people said of candidate clips, oldest first; of one video if named."""
        only = "WHERE lesson_id = :lesson" if lesson_id else ""
        with self._connections.reading() as connection:
            found = connection.execute(
                "SELECT lesson_id, start_ms, end_ms, stage, verdict, criteria, author, note, "
                f"made_at FROM candidate_word {only} ORDER BY word_id",
                {"lesson": lesson_id},
            ).fetchall()
        return tuple(_candidate_word(*row) for row in found)

    # What is usual for a learner

    def keep_baseline(
        self, learner_id: str, lesson_id: str, day: str, figures: Mapping[str, object]
    ) -> None:
        """Keep what was usual for a learner's face in a video; the same again is not kept twice."""
        told = to_json(dict(figures))
        with self._connections.writing() as connection:
            _require_learner(connection, learner_id)
            row = connection.execute(
                "SELECT day, figures FROM baseline WHERE learner_id = ? AND lesson_id = ? "
                "ORDER BY rowid DESC LIMIT 1",
                (learner_id, lesson_id),
            ).fetchone()
            if row != (day, told):
                connection.execute(
                    "INSERT INTO baseline (learner_id, lesson_id, day, figures, made_at) "
                    "VALUES (?, ?, ?, ?, ?)",
                    (learner_id, lesson_id, day, told, now_utc()),
                )

    def baselines(self, learner_id: str) -> tuple[KeptBaseline, ...]:
        """Give the latest of each video of a learner, by day and then as they were kept."""
        with self._connections.reading() as connection:
            found = connection.execute(
                """SELECT learner_id, lesson_id, day, figures, made_at FROM baseline
                WHERE rowid IN (
                    SELECT max(rowid) FROM baseline WHERE learner_id = ? GROUP BY lesson_id
                ) ORDER BY day, rowid""",
                (learner_id,),
            ).fetchall()
        return tuple(
            KeptBaseline(learner, lesson_id, day, json.loads(figures), made_at)
            for learner, lesson_id, day, figures, made_at in found
        )


_STAMPS = (
    "SELECT max(change_id) FROM change WHERE lesson_id = :lesson",
    "SELECT max(run_id) FROM reading_run WHERE lesson_id = :lesson",
    "SELECT count(*) FROM reading WHERE run_id IN "
    "(SELECT run_id FROM reading_run WHERE lesson_id = :lesson)",
    "SELECT count(*) FROM reading_end WHERE run_id IN "
    "(SELECT run_id FROM reading_run WHERE lesson_id = :lesson)",
    "SELECT max(rowid) FROM chosen_face WHERE lesson_id = :lesson",
    "SELECT max(rowid) FROM learner_video WHERE lesson_id = :lesson",
    "SELECT max(media_id) FROM media WHERE lesson_id = :lesson",
)


def sound_learner(name: str) -> str:
    """Give a learner's name as it is kept.

    Raises:
        Refused: It is empty or too long.
    """
    sound = " ".join(sound_text(name).split())
    if not sound:
        raise Refused("The learner has no name.", "Give a pseudonym or initials.")
    if len(sound) > MOST_LETTERS:
        raise Refused(
            f"“{sound[:20]}…” is longer than {MOST_LETTERS} letters.",
            "Give a pseudonym or initials.",
        )
    return sound


def _learners(connection: sqlite3.Connection) -> tuple[Learner, ...]:
    found = connection.execute("SELECT learner_id, name, added_at FROM learner ORDER BY rowid")
    return tuple(Learner(*row) for row in found)


def _require_learner(connection: sqlite3.Connection, learner_id: str) -> Learner:
    row = connection.execute(
        "SELECT learner_id, name, added_at FROM learner WHERE learner_id = ?",
        (sound_text(learner_id),),
    ).fetchone()
    if row is None:
        raise StoreRefused(
            f"There is no learner {sound_text(learner_id)} in this library.", "Add the learner."
        )
    return Learner(*row)


def _whose(connection: sqlite3.Connection) -> dict[str, str]:
    """Give the learner of each video, by the last word on it, in the order videos came."""
    return dict(
        connection.execute("SELECT lesson_id, learner_id FROM learner_video ORDER BY rowid")
    )


def _learner_of(connection: sqlite3.Connection, lesson_id: str) -> Learner:
    lessons.require_lesson(connection, lesson_id)
    row = connection.execute(
        "SELECT learner_id FROM learner_video WHERE lesson_id = ? ORDER BY rowid DESC LIMIT 1",
        (lesson_id,),
    ).fetchone()
    if row is None:
        title = lessons.title_of(connection, lesson_id)
        raise StoreRefused(
            f"“{title}” is not the video of a learner.", "Say first whose video it is."
        )
    return _require_learner(connection, row[0])


def _candidate_word(
    lesson_id: str, start_ms: int, end_ms: int, stage: str, verdict: str, criteria: str, *said: str
) -> CandidateWord:
    saw = tuple(json.loads(criteria))
    return CandidateWord(lesson_id, start_ms, end_ms, Stage(stage), verdict, saw, *said)


def _face(connection: sqlite3.Connection, lesson_id: str) -> ChosenFace | None:
    row = connection.execute(
        "SELECT time_ms, x, y, author, made_at FROM chosen_face WHERE lesson_id = ? "
        "ORDER BY rowid DESC LIMIT 1",
        (lesson_id,),
    ).fetchone()
    return None if row is None else ChosenFace(*row)


def _video_row(
    connection: sqlite3.Connection, library: Path, lesson_id: str, learner: Learner
) -> LearnerVideoRow:
    media, media_found = recordings.media_of(connection, library, lesson_id)
    read = connection.execute(
        "SELECT reader FROM reading_run WHERE lesson_id = ? ORDER BY run_id", (lesson_id,)
    )
    decided = connection.execute(
        f"""SELECT count(DISTINCT event_id) FROM event_decision
        WHERE lesson_id = :lesson AND change_id NOT IN ({UNDONE})""",
        {"lesson": lesson_id},
    ).fetchone()
    return LearnerVideoRow(
        lesson_id,
        lessons.title_of(connection, lesson_id),
        learner,
        media.path if media else "",
        media_found,
        media.duration_ms if media else None,
        lessons.require_lesson(connection, lesson_id)[1],
        tuple(dict.fromkeys(reader for (reader,) in read)),
        decided[0],
    )
