"""Sets of coded clips, before they are in the library and as the library gives them back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from app.lesson.clips import Clip
from app.lesson.media.facts import MediaFacts
from app.lesson.transcript.records import Role, Transcript
from app.scoring.scored import Code


@dataclass(frozen=True, slots=True)
class LessonDraft:
    """One recording or transcript of a set, with the clips that lie in it."""

    title: str
    media: MediaFacts | None
    transcript: Transcript
    roles: Mapping[str, Role]
    clips: tuple[Clip, ...]
    """In order of time; named as the table names them."""


@dataclass(frozen=True, slots=True)
class SetDraft:
    """A whole set, checked and ready to be brought in."""

    name: str
    """As it would be called; the library adds a number where the name is taken."""
    folder: str
    """Where the table lay."""
    digest: str
    """SHA-256, hex, of all that the table says and of the files it names, wherever they lie."""
    lessons: tuple[LessonDraft, ...]
    codes: Mapping[str, tuple[Code, ...]]
    """By clip, in the order of the table; empty where people found none of the practices."""
    notes: tuple[str, ...] = ()
    """What was noticed on the way, in plain sentences."""


@dataclass(frozen=True, slots=True)
class CodedClip:
    """One clip of a set in the library."""

    clip_id: str
    lesson_id: str
    codes: tuple[Code, ...]
    """What people accept, the main one first; none where they found none of the practices."""
    clip: Clip
    """As the table laid it, whatever was moved in the lesson since."""


@dataclass(frozen=True, slots=True)
class CodedSet:
    """A set of coded clips in the library."""

    set_id: int
    name: str
    folder: str
    digest: str
    added_at: str
    """UTC, ISO 8601."""
    clips: tuple[CodedClip, ...]
    """In the order of the table."""
    notes: tuple[str, ...] = ()

    @property
    def lesson_ids(self) -> tuple[str, ...]:
        """The lessons its clips lie in, in order of first mention."""
        return tuple(dict.fromkeys(clip.lesson_id for clip in self.clips))


class Given(NamedTuple):
    """The latest word of one coder on one clip of a set.

    A tuple, because a page that opens makes ten thousand: it takes a quarter of the time.
    """

    clip_id: str
    coder: str
    code: Code | None
    """`None` for a failure, and for an answer without a code."""
    status: str
    """`ok`, `retry-ok` or the kind of failure."""
    note: str
    prediction_id: int
    verified: int = 0
    """Quotes found word for word."""
    close: int = 0
    """Quotes found nearly so."""
    quotes: int = 0
    """All quotes cited."""
    seen: int = 0
    """Pieces of evidence said to be visible, which no program checks."""


@dataclass(frozen=True, slots=True)
class SaidOfSet:
    """Everything coders have said of the clips of a set, the latest of each."""

    given: tuple[Given, ...]
    """In order of coder's first word, then of the table."""
    provenance: Mapping[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    """By coder: what made its latest run."""
