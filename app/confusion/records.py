"""What a reader says of a window of a learner video, and what people make of it.

Definitions follow protocols.md, part 2, and ConfusionBench, section 3.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from app.scoring.scored import ANSWERED

WINDOW_MS = 2000
"""Length of a window; the last one of a video may be shorter."""
SEGMENT_MS = 10_000
"""Length of the segment that a positive window is mapped to for a second, stronger reader."""


class Level(StrEnum):
    """How much confusion shows in a window."""

    NONE = "none"
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"

    @property
    def is_positive(self) -> bool:
        """Whether the window counts as confused: medium and high do."""
        return self in (Level.MEDIUM, Level.HIGH)

    @property
    def rank(self) -> int:
        """0 for none up to 3 for high."""
        return list(Level).index(self)


class Confidence(StrEnum):
    """How sure a reader is of a level."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"

    @property
    def weight(self) -> int:
        """What a draw adds to its level in the vote: 1, 2 or 3."""
        return 1 + list(Confidence).index(self)


class CueKind(StrEnum):
    """Signs that speak for or against confusion: the five criteria of the protocol, in parts."""

    BROW = "brow lowered"
    """AU4."""
    LIDS = "lids tightened"
    """AU7; together with AU4 the most reliable sign."""
    LIP_RAISED = "upper lip raised"
    """AU10; support only: it rises with any smile."""
    LIPS_PRESSED = "lips pressed"
    """AU24; support only."""
    SMILE = "smile"
    """Speaks against."""
    HAND = "hand to face"
    """Chin, forehead or mouth; support only."""
    POSTURE = "posture"
    """Leaning in, upright and alert, restless; support only."""
    OTHER = "other"
    """What a model names beside the criteria; shown, never counted."""


@dataclass(frozen=True, slots=True)
class Cue:
    """One sign that was seen or measured in a window."""

    kind: CueKind
    at_ms: tuple[int, ...] = ()
    """Moments on the media's clock, inside the window."""
    value: float | None = None
    """As measured, 0 to 1; `None` from a reader that only says that it saw it."""
    baseline: float | None = None
    """What is usual for this learner; `None` where nobody knows."""
    speaks_against: bool = False
    words: str = ""
    """What was seen, in plain words."""


@dataclass(frozen=True, slots=True)
class ReadingDraw:
    """What one draw of a model said of a window."""

    level: Level | None
    confidence: Confidence | None
    status: str = "ok"
    key: str = ""
    """Of the answer in the store."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What one reader says of one window. Never changed afterwards.

    A window in which no usable face is seen is neither confused nor not confused: `is_visible` is
    false, there is no level, and the window leaves every denominator.
    """

    start_ms: int
    end_ms: int
    is_visible: bool
    level: Level | None = None
    """`None` where no face is visible, and for a failure."""
    confidence: Confidence | None = None
    cues: tuple[Cue, ...] = ()
    evidence_ms: tuple[int, ...] = ()
    """The moments that the level rests on."""
    note: str = ""
    """Why nothing is visible, what failed, or what to know of the level."""
    status: str = "ok"
    """`ok`, `retry-ok` or the kind of failure."""
    draws: tuple[ReadingDraw, ...] = ()

    @property
    def is_failure(self) -> bool:
        """Whether no usable answer came: counted beside a share, never in it."""
        return self.status not in ANSWERED

    @property
    def is_positive(self) -> bool | None:
        """Whether confusion shows; `None` where that cannot be known."""
        return None if self.level is None else self.level.is_positive


@dataclass(frozen=True, slots=True)
class Bands:
    """One run of a reader over a learner video."""

    reader: str
    """Name and version, such as `face-cues/1`; stands in the report."""
    readings: tuple[Reading, ...]
    """In order of time, without gaps once the run is complete."""
    provenance: tuple[tuple[str, str], ...] = ()
    run_id: int = 0
    made_at: str = ""
    is_complete: bool = True
    """False while it is being made, and after it was stopped."""


@dataclass(frozen=True, slots=True)
class Event:
    """A stretch of confusion: a run of positive windows, or one that a person drew."""

    start_ms: int
    end_ms: int


class EventVerdict(StrEnum):
    """What a person did about an event."""

    CONFIRM = "confirm"
    ADJUST = "adjust"
    """Confirmed with other boundaries."""
    DISMISS = "dismiss"
    ADD = "add"
    """Drawn by the person; no reader found it."""


@dataclass(frozen=True, slots=True)
class EventDecision:
    """A person's word on an event: a layer of its own; the readers' events stay as they were."""

    event_id: str
    """Names the event over later adjustments; a new one for each that is confirmed or added."""
    verdict: EventVerdict
    start_ms: int
    end_ms: int
    author: str
    made_at: str
    """UTC, ISO 8601 with milliseconds."""
    note: str = ""
    reader: str = ""
    """Whose event it was; empty for one that was added."""
    found_start_ms: int | None = None
    """The reader's own boundaries; `None` for one that was added."""
    found_end_ms: int | None = None
