"""The library: one file that holds every lesson, claim and decision."""

from __future__ import annotations

import logging
import weakref
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType

from app.benchmark.records import CodedSet, SaidOfSet, SetDraft
from app.coding.calibration import DecidedClip
from app.coding.people_names import sound_name
from app.coding.probe_records import Answered
from app.coding.records import Decision, Prediction
from app.coding.review import Change, LessonReview
from app.errors import StoreRefused
from app.lesson.clips import Clip
from app.lesson.media.facts import MediaFacts
from app.lesson.transcript.records import Role, Transcript
from app.store import (
    backups,
    changes,
    clip_sets,
    coded_sets,
    decided,
    lessons,
    migrations,
    opening,
    probes,
    recordings,
    reviewers,
    reviewing,
    search,
    transcripts,
)
from app.store.attempts import Attempts
from app.store.audits import Audits
from app.store.connections import WAIT_MS, Connections, write_ahead
from app.store.eqs import Ratings
from app.store.expert_scores import ExpertScores
from app.store.item_reviews import ItemReviews
from app.store.jobs_and_settings import JobsAndSettings
from app.store.learners import Learners
from app.store.moments import Moments
from app.store.only_program import OnlyProgram
from app.store.predictions import add_run as store_run
from app.store.records import Hit, LessonRow
from app.store.rewards import Rewards

log = logging.getLogger(__name__)

_OPEN: weakref.WeakSet[Library] = weakref.WeakSet()
"""Libraries that this program has open now."""


class Library(JobsAndSettings):
    """One file with every lesson, what models claim of it and what people decided.

    Safe to use from several threads: each gets a connection of its own. Every method that changes
    something is one transaction, on the disk before it returns, and keeps all of it or nothing.
    Any of them raises `StoreRefused` when the disk or another program stands in the way, and all
    that take a `lesson_id` raise it for a lesson that is not there.
    """

    def __init__(self, path: Path, author: str, connections: Connections) -> None:
        """Use `Library.open`."""
        super().__init__(connections)
        self.path = path
        self.author = author
        """Who is named where a change comes without an author."""
        self.attempts = Attempts(connections)
        """What models were asked and what they answered."""
        self.moments = Moments(connections)
        """Finds clips by their code and texts by their words, in all lessons."""
        self.ratings = Ratings(connections)
        """Draws of outputs whose evidence people rate, and what they said."""
        self.learners = Learners(connections, path)
        """Learners, their videos, what readers say of them and people decide about it."""
        self.audits = Audits(connections)
        """Audits of tutors: items, responses, and what judges and experts gave them."""
        self.experts = ExpertScores(connections)
        """What experts are given to score of audits, and what they said."""
        self.rewards = Rewards(connections)
        """Pairs that teach a reward model, and the models."""
        self.item_reviews = ItemReviews(connections)
        """What people said of the items that audits ask."""
        self._originals = transcripts.Originals()
        self._only = OnlyProgram(path)

    @classmethod
    def open(cls, path: Path, author: str = "", *, wait_ms: int = WAIT_MS) -> Library:
        """Open a library, made if it is not there and brought to the present form if it is older.

        Args:
            path: The file. Its folder must exist.
            author: Who is named where a change comes without an author.
            wait_ms: How long to wait for another program that writes.

        Raises:
            StoreRefused: Not a library, damaged, cut off, made by a newer program, or not to be
                written; the file is as it was.
        """
        path = path.absolute().resolve()
        opening.check_sqlite()
        if not path.exists():
            opening.make_library(path)
        if not any(other.path == path for other in _OPEN):
            opening.check_file(path)
        connections = Connections(path, wait_ms)
        library = cls(path, author, connections)
        _OPEN.add(library)
        try:
            library._prepare(wait_ms)
        except BaseException:
            library._let_go()
            raise
        library.back_up_daily()
        return library

    def close(self) -> None:
        """Close the connections of all threads; copies the library if today's copy is missing."""
        self.back_up_daily()
        self._let_go()

    def __enter__(self) -> Library:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def back_up_daily(self) -> str:
        """Copy the library beside itself unless that was done today.

        Call it now and then in a program that stays open for days.

        Returns:
            Why there is no copy, in a plain sentence; empty when all is well.
        """
        try:
            backups.back_up_daily(self.path)
        except StoreRefused as error:
            # Without a copy the work itself still goes on.
            log.warning("no daily copy: %s", error)
            return str(error)
        return ""

    # Lessons

    def add_lesson(
        self,
        title: str,
        media: MediaFacts | None,
        transcript: Transcript | None,
        roles: Mapping[str, Role] | None = None,
    ) -> str:
        """Add a lesson; gives its id, a short word of letters and digits."""
        with self._connections.writing() as connection:
            return lessons.add_lesson(connection, self.path, title, media, transcript, roles or {})

    def lessons(self) -> list[LessonRow]:
        """Give one row for each lesson, in the order they were added."""
        with self._connections.reading() as connection:
            return lessons.list_lessons(connection, self.path)

    def lesson(self, lesson_id: str) -> LessonReview:
        """Give everything that is known, claimed and decided about a lesson."""
        with self._connections.reading() as connection:
            return lessons.read_lesson(connection, self.path, self._originals, lesson_id)

    def media(self, lesson_id: str) -> tuple[str, MediaFacts | None, bool]:
        """Give a lesson's title, its recording and whether that lies there; reads nothing else."""
        with self._connections.reading() as connection:
            return lessons.read_media(connection, self.path, lesson_id)

    def find_by_fingerprint(self, fingerprint: str) -> str | None:
        """Give the lesson whose recording has this fingerprint, if there is one."""
        with self._connections.reading() as connection:
            return recordings.find_by_fingerprint(connection, fingerprint)

    def find_by_words(self, transcript: Transcript) -> str | None:
        """Give the lesson that this transcript, without a recording, already is."""
        with self._connections.reading() as connection:
            return transcripts.find_alone(connection, self._originals, transcript)

    def move_media(self, lesson_id: str, path: str | Path) -> None:
        """Write down where the recording lies now; the caller has checked that it is the same."""
        with self._connections.writing() as connection:
            lessons.require_lesson(connection, lesson_id)
            recordings.move_media(connection, self.path, lesson_id, str(path))

    def set_transcript(
        self, lesson_id: str, transcript: Transcript, roles: Mapping[str, Role] | None = None
    ) -> None:
        """Put a new transcript in the place of the one that stands, which stays in the store.

        Edits of the earlier one do not carry over: its lines are other lines.
        """
        with self._connections.writing() as connection:
            lessons.require_lesson(connection, lesson_id)
            transcripts.add_transcript(connection, lesson_id, transcript, roles or {})

    def add_run(
        self,
        lesson_id: str,
        coder: str,
        provenance: tuple[tuple[str, str], ...],
        predictions: Iterable[Prediction],
    ) -> int:
        """Add what a coder says of a lesson's clips, all or nothing; gives the run's number."""
        with self._connections.writing() as connection:
            lessons.require_lesson(connection, lesson_id)
            return store_run(connection, lesson_id, coder, provenance, predictions)

    def propose_clips(self, lesson_id: str, clips: Sequence[Clip]) -> bool:
        """Add the program's own clips where there are none; says whether they were taken.

        Clips that a person drew, and a proposal on which somebody decided, are never replaced.
        """
        with self._connections.writing() as connection:
            lessons.require_lesson(connection, lesson_id)
            if not clip_sets.may_propose_clips(connection, lesson_id):
                return False
            clip_sets.add_clip_set(connection, lesson_id, clips, None)
            return True

    def search(self, query: str, limit: int = 50) -> list[Hit]:
        """Find the texts that hold every word of the query, the last one as a beginning.

        Searched are lines as they stand, quotes that the check found, notes and titles. Nothing in
        the query has a special meaning; whole words come before parts of words.
        """
        with self._connections.reading() as connection:
            return search.find(connection, lessons.titles(connection), query, limit)

    # Who codes here

    def reviewers(self) -> tuple[str, ...]:
        """Name everybody who was added or has decided on their own, in order of name."""
        with self._connections.reading() as connection:
            return reviewers.reviewers(connection)

    def add_reviewer(self, name: str) -> str:
        """Add a person who codes; gives the name as it is kept, or was known already.

        Raises:
            Refused: The name is empty, too long, or reads like two people.
        """
        sound = sound_name(name)
        with self._connections.writing() as connection:
            return reviewers.add_reviewer(connection, sound)

    def lesson_stamps(self) -> dict[str, tuple[int, ...]]:
        """Give by lesson, in the order added, numbers that change with what is said or decided."""
        with self._connections.reading() as connection:
            return reviewers.lesson_stamps(connection)

    def stamp(self) -> tuple[int, ...]:
        """Give numbers that change with all that is said or decided of any lesson."""
        with self._connections.reading() as connection:
            return reviewers.stamp(connection)

    # Sets of coded clips

    def add_coded_set(self, draft: SetDraft) -> int:
        """Bring in a whole set with its lessons and clips, or nothing of it; gives its number.

        The same set again, by its digest, is the set that is there.
        """
        with self._connections.writing() as connection:
            return coded_sets.add_coded_set(connection, self.path, draft)

    def coded_sets(self) -> list[CodedSet]:
        """Give every set of coded clips, in the order they were brought in."""
        with self._connections.reading() as connection:
            return coded_sets.coded_sets(connection)

    def said_of_set(self, set_id: int, *, cited: bool = True) -> SaidOfSet:
        """Give the latest word of every coder on every clip of a set.

        Without `cited` no evidence is counted and notes are left out, in a fifth of the time.
        """
        with self._connections.reading() as connection:
            return coded_sets.said_of_set(connection, set_id, cited=cited)

    # How far to trust coders

    def add_probes(self, found: Iterable[Answered]) -> int:
        """Add what came of probes of evidence, all or nothing; gives how many were new."""
        with self._connections.writing() as connection:
            return probes.add_probes(connection, found)

    def decided_clips(self, person: str = "") -> list[DecidedClip]:
        """Give every decided clip with the last word of each coder on it.

        Args:
            person: Whose decisions count; empty for what stands among all.
        """
        with self._connections.reading() as connection:
            return decided.read_decided(connection, person)

    # What a person does

    def decide(self, lesson_id: str, decision: Decision) -> int:
        """Keep a decision; gives the number of the change."""
        with self._connections.writing() as connection:
            return reviewing.decide(connection, lesson_id, decision)

    def set_clips(self, lesson_id: str, clips: Sequence[Clip], author: str, label: str) -> None:
        """Put these clips in the place of those that stand; `label` says what was done."""
        with self._connections.writing() as connection:
            reviewing.set_clips(connection, lesson_id, clips, self._by(author), label)

    def edit_utterance(self, lesson_id: str, number: int, text: str, author: str = "") -> None:
        """Put another wording on a line; the original stays."""
        with self._connections.writing() as connection:
            reviewing.edit_utterance(connection, lesson_id, number, text, self._by(author))

    def set_utterance_speaker(
        self, lesson_id: str, number: int, speaker: str, author: str = ""
    ) -> None:
        """Say that somebody else speaks a line."""
        with self._connections.writing() as connection:
            reviewing.set_utterance_speaker(
                connection, lesson_id, number, speaker, self._by(author)
            )

    def rename_speaker(self, lesson_id: str, old: str, new: str, author: str = "") -> None:
        """Give a speaker another name on every line; the role goes along."""
        with self._connections.writing() as connection:
            reviewing.rename_speaker(connection, lesson_id, old, new, self._by(author))

    def set_role(self, lesson_id: str, speaker: str, role: Role, author: str = "") -> None:
        """Say who a speaker is in the lesson."""
        with self._connections.writing() as connection:
            reviewing.set_role(connection, lesson_id, speaker, role, self._by(author))

    def set_note(self, lesson_id: str, text: str, author: str = "") -> None:
        """Put another note on the whole lesson."""
        with self._connections.writing() as connection:
            reviewing.set_note(connection, lesson_id, text, self._by(author))

    def retitle(self, lesson_id: str, title: str, author: str = "") -> None:
        """Give the lesson another title."""
        with self._connections.writing() as connection:
            reviewing.retitle(connection, lesson_id, title, self._by(author))

    def undo(self, lesson_id: str, author: str = "") -> str | None:
        """Take back the last change of a person; gives its label, or `None` when none is left."""
        with self._connections.writing() as connection:
            return reviewing.undo(connection, lesson_id, self._by(author))

    def redo(self, lesson_id: str, author: str = "") -> str | None:
        """Bring back the change undone last; gives its label, or `None` when there is none."""
        with self._connections.writing() as connection:
            return reviewing.redo(connection, lesson_id, self._by(author))

    def can_undo(self, lesson_id: str) -> str | None:
        """Give the label of what undo would take back."""
        with self._connections.reading() as connection:
            entry = changes.next_undo(connection, lesson_id)
            return entry.label if entry else None

    def can_redo(self, lesson_id: str) -> str | None:
        """Give the label of what redo would bring back."""
        with self._connections.reading() as connection:
            entry = changes.next_redo(connection, lesson_id)
            return entry.label if entry else None

    def history(self, lesson_id: str) -> tuple[Change, ...]:
        """Give everything people did to a lesson, oldest first, with what was undone marked."""
        with self._connections.reading() as connection:
            return changes.history(connection, lesson_id)

    def _by(self, author: str) -> str:
        return author or self.author

    def _prepare(self, wait_ms: int) -> None:
        with self._connections.plain() as connection:
            opening.check_version(connection, self.path)
            opening.check_writable(connection)
            write_ahead(connection, wait_ms)
            version = migrations.version_of(connection)
            if version < migrations.newest_version():
                backups.back_up_before(self.path, version)
                migrations.upgrade(connection)
        if self._only.take():
            self._mark_interrupted()

    def _let_go(self) -> None:
        _OPEN.discard(self)
        self._connections.close()
        self._only.release()
