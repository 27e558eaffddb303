"""What the timeline draws: only what is needed to place, colour and name a mark.

The page makes these from its records. Times are milliseconds on the lesson's clock.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from app.coding.records import Check, Verdict


@dataclass(frozen=True, slots=True)
class TurnMark:
    """One line of the transcript."""

    start_ms: int
    end_ms: int
    speaker: str
    is_teacher: bool
    text: str = ""
    """Beginning of what was said, for the tool tip."""
    is_doubtful: bool = False
    """Whether the line is flagged, so that it is drawn broken."""


class ClipState(StrEnum):
    """How far a clip has come."""

    UNREVIEWED = "not reviewed"
    DECIDED = "decided"
    DISPUTED = "people differ"
    """People coded it differently and have not agreed: no code is drawn as the code."""


@dataclass(frozen=True, slots=True)
class ClipMark:
    """One clip with the label that may be shown for it."""

    clip_id: str
    start_ms: int
    end_ms: int
    practice: str = ""
    """`BI`, `D1`, `D2`, `D3`; empty when there is no code."""
    level: int | None = None
    state: ClipState = ClipState.UNREVIEWED
    is_hidden: bool = False
    """Whether blind mode hides the label: drawn grey, with a question mark."""
    words: str = ""
    """Who said what, for the tool tip of a disputed clip."""
    is_flagged: bool = False
    """Whether tests say that its label may be right for the wrong reason."""

    @property
    def label(self) -> str:
        """What stands on the clip: `D1·2`, `–` without a code, `?` hidden, `≠` disputed.

        A `!` before the code asks whether it is right for the wrong reason.
        """
        if self.is_hidden:
            return "?"
        if self.state is ClipState.DISPUTED:
            return "≠"
        if not self.practice:
            return "–"
        practice = f"!{self.practice}" if self.is_flagged else self.practice
        return practice if self.level is None else f"{practice}·{self.level}"


@dataclass(frozen=True, slots=True)
class EvidenceMark:
    """One piece of cited evidence, where the words or the picture really lie."""

    time_ms: int
    check: Check
    clip_id: str = ""
    text: str = ""
    """The quote, for the tool tip."""


@dataclass(frozen=True, slots=True)
class DecisionMark:
    """A decision that stands, or that people differ."""

    time_ms: int
    """Middle of the clip it is about."""
    verdict: Verdict | None
    """`None` where people differ: drawn as a warning."""
    clip_id: str = ""
    text: str = ""
    """Who decided what, for the tool tip."""
