"""Everything there is to show of one learner video: what the window and the report are given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from app.coding.review import Change
from app.confusion.records import Bands, EventDecision
from app.lesson.media.facts import MediaFacts


@dataclass(frozen=True, slots=True)
class Learner:
    """A person whose videos are followed."""

    learner_id: str
    name: str
    """What the reviewer calls the learner: a pseudonym or initials."""
    added_at: str = ""


@dataclass(frozen=True, slots=True)
class ChosenFace:
    """Which of several faces in a video is the learner's."""

    time_ms: int
    x: float
    """Pixels from the left of the upright picture, as in `FaceSeries.box`."""
    y: float
    """Pixels from its top."""
    author: str
    made_at: str


@dataclass(frozen=True, slots=True)
class KeptBaseline:
    """What was usual for a learner's face in one video."""

    learner_id: str
    lesson_id: str
    day: str
    """Of the recording, ISO 8601; of the day it was added where the file does not say."""
    figures: Mapping[str, object]
    made_at: str


@dataclass(frozen=True, slots=True)
class LearnerVideoRow:
    """One learner video as a list shows it."""

    lesson_id: str
    title: str
    learner: Learner
    media_path: str
    media_found: bool
    duration_ms: int | None
    added_at: str
    readers: tuple[str, ...]
    """Readers that have read it, or begun to, in the order of their first run."""
    decided: int
    """Events that a person confirmed, adjusted, dismissed or added."""


@dataclass(frozen=True, slots=True)
class LearnerReview:
    """One learner video with all that readers say of it and a person decided about it."""

    lesson_id: str
    title: str
    added_at: str
    media: MediaFacts | None
    media_found: bool
    learner: Learner
    face: ChosenFace | None = None
    bands: tuple[Bands, ...] = ()
    """All runs of all readers, oldest first; `latest_bands` gives those that count."""
    decisions: tuple[EventDecision, ...] = ()
    """Those that stand, oldest first; what was undone is left out but stays in the store."""
    note: str = ""
    """The reviewer's note on the whole video."""
    history: tuple[Change, ...] = ()

    @property
    def latest_bands(self) -> tuple[Bands, ...]:
        """Give for each reader the run that counts, in the order of the readers' first runs.

        That is the latest complete one. Where there is none, the latest that was begun: it says
        of itself that it is not complete.
        """
        found: dict[str, Bands] = {}
        for bands in self.bands:
            before = found.get(bands.reader)
            if before is None or bands.is_complete or not before.is_complete:
                found[bands.reader] = bands
        return tuple(found.values())

    def bands_of(self, reader: str) -> Bands | None:
        """Give the run of a reader that counts."""
        return next((b for b in self.latest_bands if b.reader == reader), None)


class Stage(StrEnum):
    """Which of the two rounds of making a set somebody speaks in."""

    CURATE = "curate"
    """Researchers keep or drop a candidate by the five criteria."""
    VALIDATE = "validate"
    """Experts say yes, no or unsure of what was kept."""


@dataclass(frozen=True, slots=True)
class CandidateWord:
    """What one person said of one candidate clip. Never changed; a later one supersedes."""

    lesson_id: str
    start_ms: int
    end_ms: int
    stage: Stage
    verdict: str
    """`keep` or `drop`; `yes`, `no` or `unsure`."""
    criteria: tuple[str, ...]
    """Which of the five criteria the person saw."""
    author: str
    note: str = ""
    made_at: str = ""
    """UTC, ISO 8601 with milliseconds; the store fills it in where it is empty."""
