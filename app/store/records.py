"""What the library hands out besides lessons: rows of lists, search hits and jobs."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

MARK_START = "\ue000"
"""Stands before found words in a snippet; a private code point, never part of a text."""
MARK_END = "\ue001"
"""Stands after found words in a snippet."""


@dataclass(frozen=True, slots=True)
class LessonRow:
    """One lesson as the list of lessons shows it."""

    lesson_id: str
    title: str
    media_path: str
    """Absolute, as the recording lies now; where it was last when it is gone; empty without."""
    media_found: bool
    duration_ms: int | None
    """Length of the recording; `None` without one."""
    added_at: str
    """UTC, ISO 8601."""
    clips: int
    coded: int
    """Clips that at least one coder has looked at."""
    decided: int
    """Clips with a decision that stands."""
    has_transcript: bool
    fingerprint: str
    """Of the recording; empty without one."""
    coded_set: str = ""
    """Name of the set of coded clips it was brought in with; empty for a lesson of one's own."""
    learner: str = ""
    """Name of the learner whose video it is; empty for a lesson."""


class HitKind(StrEnum):
    """Where a search found something."""

    UTTERANCE = "utterance"
    QUOTE = "quote"
    """A coder's evidence that the check found in the transcript; others are never searched."""
    NOTE = "note"
    """A note on a decision or on the lesson."""
    TITLE = "title"


@dataclass(frozen=True, slots=True)
class Hit:
    """One place a search found."""

    lesson_id: str
    title: str
    """Of the lesson."""
    kind: HitKind
    text: str
    snippet: str
    """A part of `text` with `MARK_START` and `MARK_END` around what was found."""
    start_ms: int | None
    """Where to seek to; `None` when no time is known."""
    utterance: int | None
    """Number of the line; `None` when the hit is not in a line."""


class JobState(StrEnum):
    """How far a job has come."""

    QUEUED = "queued"
    RUNNING = "running"
    PAUSED = "paused"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"
    """Was running when the program ended."""


@dataclass(frozen=True, slots=True)
class Job:
    """A piece of long work, kept so that it survives a restart."""

    job_id: int
    kind: str
    lesson_id: str
    """Empty when the work belongs to no lesson."""
    title: str
    state: JobState
    added_at: str
    changed_at: str
    arguments: dict[str, object] = field(default_factory=dict)
    """What is needed to start it again; anything JSON can hold. The store adds `runs`."""
    share: float = 0.0
    """Done so far, 0 to 1."""
    doing: str = ""
    error: str = ""

    @property
    def runs(self) -> tuple[int, ...]:
        """Numbers of the engine runs it made, oldest first; see `Attempts.for_job`."""
        noted = self.arguments.get("runs")
        return tuple(noted) if isinstance(noted, list) else ()
