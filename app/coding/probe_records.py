"""What was asked again with less or other evidence, and what follows from the answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from app.scoring.scored import ANSWERED, Code


class ProbeKind(StrEnum):
    """How a question was asked again (protocols, "Evidence that carries the label")."""

    SUFFICIENCY = "sufficiency"
    """Only the cited evidence is shown."""
    NECESSITY = "necessity"
    """The cited evidence is masked."""
    NO_FRAMES = "no frames"
    SHUFFLED = "shuffled frames"
    """The same frames under each other's times."""
    OTHER_LESSON = "another lesson's frames"
    """As many frames of another lesson under the times of these."""


TEXT_KINDS = (ProbeKind.SUFFICIENCY, ProbeKind.NECESSITY)
VISUAL_KINDS = (ProbeKind.NO_FRAMES, ProbeKind.SHUFFLED, ProbeKind.OTHER_LESSON)


NOT_ASKED = "not-asked"
"""Stands for what could not be asked, a probe or a clip in which nothing is said; the note says
why. Not an answer, so it is in no share, and no failure of the model either."""


@dataclass(frozen=True, slots=True)
class Answered:
    """What came of one probe of one prediction."""

    prediction_id: int
    kind: ProbeKind
    code: Code | None
    """`None` for a failure, an answer without a code, and a probe that was not asked."""
    status: str
    """`ok`, `retry-ok`, the kind of failure, or `NOT_ASKED`."""
    key: str = ""
    """Of the answer in the store, so that its raw text can be opened."""
    note: str = ""
    """Why it was not asked, why it failed, or what to know of it."""
    made_at: str = field(default="", compare=False)
    """UTC, ISO 8601 with milliseconds; empty until stored."""

    @property
    def is_known(self) -> bool:
        """Whether there is an answer that can be used: failures say nothing either way."""
        return self.status in ANSWERED


class Flag(StrEnum):
    """Whether a label is right for the wrong reason, as far as the probes tell."""

    RAISED = "raised"
    """It survives masking and is not reached from its evidence alone."""
    CLEAR = "clear"
    UNKNOWN = "unknown"
    """A probe is missing or failed; nothing follows from that."""


@dataclass(frozen=True, slots=True)
class EvidenceProof:
    """Whether the evidence of a prediction carries its label."""

    prediction_id: int
    sufficiency: Answered | None
    """`None` while it was not probed."""
    necessity: Answered | None
    visual: tuple[Answered, ...]
    """In the order of `VISUAL_KINDS`; empty for a coder without sight."""
    flag: Flag
    words: tuple[str, ...]
    """Plain sentences for the card and the report, the flag first where it is raised. They name
    practices, and so belong beside the label."""

    @property
    def answers(self) -> tuple[Answered, ...]:
        """All probes there are, in the order of `ProbeKind`."""
        return tuple(one for one in (self.sufficiency, self.necessity, *self.visual) if one)
