"""What models were asked and what they answered, found again by content."""

from __future__ import annotations

import itertools
import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from app.running.attempts import CHECKS_VERSION, Attempt
from app.running.protocols import EngineFacts
from app.running.questions import (
    Question,
    RawAnswer,
    Status,
    identity_digest,
    message_content,
    message_digest,
)
from app.store.connections import Connections
from app.store.jobs import note_run
from app.store.rows import now_utc, provenance_from_json, provenance_to_json, sound_text, to_json
from app.store.tally import Tally, TokensRead, read_tally, read_tokens

_BATCH = 500
"""Keys looked up at once; SQLite takes 32,766, older builds 999."""

_RECENT = 200
"""Attempts that the pace of a model is measured on."""

_REMEMBERED = 200
"""Questions that are remembered as kept: more than are under way at once."""

_FOR_JOB: ContextVar[int | None] = ContextVar("for_job", default=None)
"""Number of the job that this thread works on."""

_RAW = "text, finish, tokens_in, tokens_cached, tokens_out, seconds, raw_error, details"


Standing = tuple[RawAnswer, bool]
"""An answer, and whether it passed the present checks as it is."""


@dataclass(frozen=True, slots=True)
class StoredAttempt:
    """One attempt as the library holds it."""

    attempt_id: int
    run_id: int
    key: str
    name: str
    """Of the question, for people."""
    prompt_version: str
    draw: int
    seed: int
    place: int
    """1 for the first attempt at the draw, 2 for the one after the error was shown."""
    status: Status
    stands: bool
    """Whether it is the answer that is used for its key."""
    raw: RawAnswer
    error: str
    taken_off: tuple[str, ...]
    made_at: str
    """UTC, ISO 8601 with milliseconds."""


@dataclass(frozen=True, slots=True)
class EngineRun:
    """One go of a plan at an engine."""

    run_id: int
    title: str
    engine: str
    version: str
    identity: tuple[tuple[str, str], ...]
    draws: int
    """Answers the plan asks for, those already there included."""
    started_at: str
    attempts: int
    """Attempts it made."""


@dataclass(frozen=True, slots=True)
class Pace:
    """What an answer of one model took lately, on average; `None` where nothing is known."""

    answers: int
    seconds: float | None
    tokens_in: float | None
    tokens_out: float | None


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """What a model was shown, as the library holds it; frames by content and moment."""

    messages: tuple[Any, ...]
    schema: str
    temperature: float
    max_tokens: int
    seed: int
    top_p: float


class Attempts:
    """The attempts of one open library. Safe to use from several threads."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._kept: frozenset[str] = frozenset()
        """Digests of questions met last, which are there for good. Only ever put in the place of
        another set, so that threads need no lock."""

    def start_run(self, title: str, facts: EngineFacts, draws: int) -> int:
        """Write down that a plan is put to an engine; gives the number of the run."""
        with self._connections.writing() as connection:
            cursor = connection.execute(
                "INSERT INTO engine_run (title, engine, version, model, identity, draws, "
                "started_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    sound_text(title),
                    facts.name,
                    facts.version,
                    identity_digest(facts.identity),
                    provenance_to_json(facts.identity),
                    draws,
                    now_utc(),
                ),
            )
            run_id = int(cursor.lastrowid or 0)
            job_id = _FOR_JOB.get()
            if job_id is not None:
                note_run(connection, job_id, run_id)
            return run_id

    @contextmanager
    def for_job(self, job_id: int) -> Iterator[None]:
        """Write the number of every run that this thread starts meanwhile beside a job."""
        token = _FOR_JOB.set(job_id)
        try:
            yield
        finally:
            _FOR_JOB.reset(token)

    def tally(self, runs: Iterable[int]) -> Tally:
        """Sum up some runs: calls, tokens, what became of them, what they cost."""
        with self._connections.reading() as connection:
            return read_tally(connection, list(runs))

    def tally_of_job(self, job_id: int) -> Tally:
        """Sum up the runs that a job has made so far."""
        with self._connections.reading() as connection:
            found = connection.execute(
                "SELECT value FROM job, json_each(arguments, '$.runs') WHERE job_id = ?", (job_id,)
            ).fetchall()
            return read_tally(connection, [run_id for (run_id,) in found])

    def keep(self, run_id: int, attempts: Sequence[Attempt]) -> dict[str, Standing]:
        """Keep attempts, all or none, on the disk before this returns.

        The first answer for a key stands. A later one, from another program that asked the same
        at the same time, is kept beside it and not used.

        Returns:
            The answers that stand in place of one of these.
        """
        with self._connections.writing() as connection:
            answers = [attempt.key for attempt in attempts if attempt.is_answer]
            earlier = _standing(connection, answers)
            taken = set(earlier)
            met: set[str] = set()
            now = now_utc()
            for attempt in attempts:
                stands = attempt.is_answer and attempt.key not in taken
                digest = attempt.question.digest
                if digest not in self._kept and digest not in met:
                    _add_question(connection, digest, attempt.question)
                met.add(digest)
                _add(connection, run_id, attempt, digest, stands, now)
                if stands:
                    taken.add(attempt.key)
        # Draws of a question often come together, or one soon after the other. Remembered only
        # now: what was not kept in the end must not pass for kept.
        self._kept = frozenset(met) if len(self._kept) > _REMEMBERED else self._kept | met
        return earlier

    def standing(self, keys: Iterable[str]) -> dict[str, Standing]:
        """Give the answers there are for some keys."""
        with self._connections.reading() as connection:
            return _standing(connection, keys)

    def failures(self, keys: Iterable[str]) -> dict[str, int]:
        """Say how often the engine failed at each of those keys at which it ever did."""
        found: dict[str, int] = {}
        with self._connections.reading() as connection:
            if connection.execute("SELECT 1 FROM attempt WHERE stands = 0 LIMIT 1").fetchone():
                for part, marks in _batches(keys):
                    found.update(
                        connection.execute(
                            "SELECT key, count(*) FROM attempt "
                            f"WHERE stands = 0 AND key IN ({marks}) GROUP BY key",
                            part,
                        )
                    )
        return found

    def pace(self, facts: EngineFacts) -> Pace:
        """Say what an answer of this model took lately."""
        with self._connections.reading() as connection:
            row = connection.execute(
                "SELECT count(*), avg(seconds), avg(tokens_in), avg(tokens_out) FROM ("
                "SELECT seconds, tokens_in, tokens_out FROM attempt WHERE status != ? AND run_id "
                "IN (SELECT run_id FROM engine_run WHERE model = ?) "
                "ORDER BY attempt_id DESC LIMIT ?)",
                (Status.BACKEND_ERROR.value, identity_digest(facts.identity), _RECENT),
            ).fetchone()
        return Pace(*row)

    def tokens_read(self, keys: Iterable[str]) -> TokensRead:
        """Say how many tokens were read for some answers, and how many were kept from before."""
        with self._connections.reading() as connection:
            return read_tokens(connection, keys)

    def runs(self) -> list[EngineRun]:
        """Give all runs, oldest first."""
        with self._connections.reading() as connection:
            found = connection.execute(
                "SELECT run_id, title, engine, version, identity, draws, started_at, "
                "(SELECT count(*) FROM attempt WHERE attempt.run_id = engine_run.run_id) "
                "FROM engine_run ORDER BY run_id"
            ).fetchall()
        return [_run(*row) for row in found]

    def of_run(self, run_id: int) -> list[StoredAttempt]:
        """Give the attempts of a run, in the order they ended."""
        return self._where("run_id = ?", [run_id])

    def of_keys(self, keys: Iterable[str]) -> list[StoredAttempt]:
        """Give every attempt at some keys, in the order they ended."""
        found: list[StoredAttempt] = []
        for part, marks in _batches(keys):
            found += self._where(f"key IN ({marks})", part)
        return sorted(found, key=lambda attempt: attempt.attempt_id)

    def question_of(self, attempt_id: int) -> AskedQuestion:
        """Give what the model was shown in an attempt.

        Raises:
            ValueError: There is no such attempt.
        """
        with self._connections.reading() as connection:
            row = connection.execute(
                "SELECT messages, schema, sampler FROM question WHERE digest = "
                "(SELECT question FROM attempt WHERE attempt_id = ?)",
                (attempt_id,),
            ).fetchone()
            if row is None:
                raise ValueError(f"there is no attempt {attempt_id}")
            messages = tuple(_message(connection, digest) for digest in json.loads(row[0]))
        return AskedQuestion(messages, row[1], *json.loads(row[2]))

    def _where(self, test: str, arguments: Sequence[object]) -> list[StoredAttempt]:
        with self._connections.reading() as connection:
            found = connection.execute(
                "SELECT attempt_id, run_id, key, name, prompt_version, draw, seed, place, status, "
                f"stands, error, taken_off, made_at, {_RAW} FROM attempt WHERE {test} "
                "ORDER BY attempt_id",
                arguments,
            ).fetchall()
        return [_stored(row) for row in found]


def _add(
    connection: sqlite3.Connection,
    run_id: int,
    attempt: Attempt,
    digest: str,
    stands: bool,
    now: str,
) -> None:
    question, raw = attempt.question, attempt.raw
    connection.execute(
        "INSERT INTO attempt (run_id, key, question, name, prompt_version, draw, seed, place, "
        f"status, stands, error, taken_off, checked, made_at, {_RAW}) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            run_id,
            attempt.key,
            digest,
            sound_text(question.name),
            sound_text(question.prompt_version),
            attempt.draw,
            question.sampler.seed + attempt.draw,
            attempt.place,
            attempt.status.value,
            int(stands),
            sound_text(attempt.error),
            to_json(attempt.taken_off),
            CHECKS_VERSION if attempt.is_sound else "",
            now,
            sound_text(raw.text),
            raw.finish,
            raw.tokens_in,
            raw.tokens_cached,
            raw.tokens_out,
            raw.seconds,
            sound_text(raw.error),
            provenance_to_json(raw.details),
        ),
    )


def _add_question(connection: sqlite3.Connection, digest: str, question: Question) -> None:
    """Keep what the model was shown, once."""
    names = [message_digest(message) for message in question.messages]
    messages = dict(zip(names, question.messages, strict=True))
    marks = ", ".join("?" * len(messages))
    known = connection.execute(
        f"SELECT digest FROM message WHERE digest IN ({marks})", list(messages)
    ).fetchall()
    connection.executemany(
        "INSERT INTO message (digest, content) VALUES (?, ?)",
        [
            (name, to_json(message_content(message)))
            for name, message in messages.items()
            if (name,) not in known
        ],
    )
    sampler = question.sampler
    numbers = (sampler.temperature, sampler.max_tokens, sampler.seed, sampler.top_p)
    connection.execute(
        "INSERT INTO question (digest, messages, schema, sampler) VALUES (?, ?, ?, ?) "
        "ON CONFLICT (digest) DO NOTHING",
        (digest, to_json(names), sound_text(question.schema), to_json(numbers)),
    )


def _standing(connection: sqlite3.Connection, keys: Iterable[str]) -> dict[str, Standing]:
    found: dict[str, Standing] = {}
    for part, marks in _batches(keys):
        for row in connection.execute(
            f"SELECT key, checked, {_RAW} FROM attempt WHERE stands = 1 AND key IN ({marks})", part
        ):
            found[row[0]] = (_raw(*row[2:]), row[1] == CHECKS_VERSION)
    return found


def _raw(
    text: str,
    finish: str,
    tokens_in: int | None,
    tokens_cached: int | None,
    tokens_out: int | None,
    seconds: float,
    error: str,
    details: str,
) -> RawAnswer:
    told = provenance_from_json(details) if details != "[]" else ()
    return RawAnswer(text, finish, tokens_in, tokens_cached, tokens_out, seconds, error, told)


def _run(
    run_id: int, title: str, engine: str, version: str, identity: str, *rest: Any
) -> EngineRun:
    return EngineRun(run_id, title, engine, version, provenance_from_json(identity), *rest)


def _stored(row: Sequence[Any]) -> StoredAttempt:
    attempt_id, run_id, key, name, prompt_version, draw, seed, place = row[:8]
    status, stands, error, taken_off, made_at = row[8:13]
    return StoredAttempt(
        attempt_id,
        run_id,
        key,
        name,
        prompt_version,
        draw,
        seed,
        place,
        Status(status),
        bool(stands),
        _raw(*row[13:]),
        error,
        tuple(json.loads(taken_off)),
        made_at,
    )


def _message(connection: sqlite3.Connection, digest: str) -> Any:
    row = connection.execute("SELECT content FROM message WHERE digest = ?", (digest,)).fetchone()
    return json.loads(row[0])


def _batches(keys: Iterable[str]) -> Iterable[tuple[list[str], str]]:
    left = iter(keys)
    while part := list(itertools.islice(left, _BATCH)):
        yield part, ", ".join("?" * len(part))
