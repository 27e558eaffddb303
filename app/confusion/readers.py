"""What a reader is, and what it is given: anything that gives levels for windows."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from app.confusion.records import Reading
from app.errors import Refused
from app.lesson.media.facts import MediaFacts
from app.lesson.spans import Span
from app.running.plan import Plan
from app.running.protocols import Report

Keep = Callable[[Sequence[Reading]], None]
"""Takes readings as they come, in order of time; they are on the disk when it returns."""

Figures = Mapping[str, object]
"""What is usual for a learner's face: anything JSON can hold; see `app.confusion.baseline`."""


def no_keeping(_readings: Sequence[Reading]) -> None:
    """Take readings and do nothing with them."""


@dataclass(frozen=True, slots=True)
class LearnerMaterial:
    """What a reader is given of a learner video."""

    lesson_id: str
    media: MediaFacts
    learner_id: str
    face: tuple[int, float, float] | None = None
    """Which of several faces is the learner's: a moment in ms, and a point of that face then, in
    pixels of the upright picture; `None` where nobody has chosen."""
    baseline: Figures | None = None
    """What is usual for this learner, kept from the same day or, failing that, the latest other
    day; `None` where nothing is kept."""
    title: str = ""
    media_found: bool = True
    """Whether the recording lies where it was last seen."""


class Reader(Protocol):
    """Anything that gives levels for windows."""

    @property
    def name(self) -> str:
        """Name and version or model, such as `face-cues/1` or `my-model`; with draws `x5`."""

    def refusal(self, video: LearnerMaterial) -> Refused | None:
        """Say why this reader cannot read a video at all; `None` when it can."""

    def provenance(self, video: LearnerMaterial) -> tuple[tuple[str, str], ...]:
        """Give all that its readings of a video rest on, in pairs of name and value.

        A stopped run is only ever gone on with under the same provenance.
        """

    def plan(self, video: LearnerMaterial, windows: Sequence[Span]) -> Plan | None:
        """Say what would be asked of a model; `None` for a reader that asks none.

        Raises:
            Refused: The video cannot be read; `refusal` says so beforehand.
        """

    def read(
        self,
        video: LearnerMaterial,
        windows: Sequence[Span],
        keep: Keep,
        report: Report,
        stop: threading.Event,
    ) -> None:
        """Read windows and give each reading to `keep` as soon as it is known, in order.

        Raises:
            Refused: The video cannot be read; nothing is asked then.
            EngineMissing: The model is not there or cannot be used.
            Cancelled: `stop` was set; what was kept stays.
            Paused: The engine failed again and again.
        """
