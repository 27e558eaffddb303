"""What a coder claims of a clip, what the check made of it, and what a person decided."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from app.lesson.clips import Clip
from app.scoring.scored import ANSWERED, Code


class Check(StrEnum):
    """What was found of a piece of cited evidence."""

    VERIFIED = "verified"
    """The words are in the clip, word for word."""
    CLOSE = "close"
    """Something very like them is; the true wording is shown beside."""
    NOT_FOUND = "not found"
    """Nobody said this in the clip; it never counts as support."""
    OUTSIDE = "outside the clip"
    """The words or the time lie outside the clip; never counts as support."""
    SEEN = "seen, not checked"
    """A description of a picture inside the clip: only a person can check it."""

    @property
    def supports(self) -> bool:
        """Whether evidence with this check counts as support."""
        return self in (Check.VERIFIED, Check.CLOSE)


@dataclass(frozen=True, slots=True)
class Citation:
    """Evidence as a coder cites it: a claim, not yet looked at."""

    quote: str = ""
    """Words said to be in the transcript; empty for what was seen."""
    utterances: tuple[int, ...] = ()
    """Numbers of the utterances the quote is said to come from."""
    start_ms: int | None = None
    end_ms: int | None = None
    seen: str = ""
    """What is said to be visible in the span; empty for words."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A citation beside what the check found."""

    citation: Citation
    check: Check
    found: str = ""
    """The true wording in the transcript; empty when nothing was found."""
    utterances: tuple[int, ...] = ()
    """Numbers of the utterances in which the words really stand."""
    start_ms: int | None = None
    """Start of those utterances, or of the cited span for what was seen."""
    end_ms: int | None = None
    score: float = 0.0
    """Best alignment, 0 to 100; 100 when verified."""
    reason: str = ""
    """Plain words on why it does not support, or on what to look at although it does."""
    weak: bool = False
    """Supports, but never as the only evidence for a code; `reason` says why."""


@dataclass(frozen=True, slots=True)
class Said:
    """What one draw of a model said of a clip; a coder that asks more than once keeps them all."""

    code: Code | None
    """`None` for a failure, and for an answer without a code."""
    status: str = "ok"
    """`ok`, `retry-ok` or the kind of failure, as `app.running.questions.Status`."""
    key: str = ""
    """Of the answer in the store, so that its raw text can be opened."""


@dataclass(frozen=True, slots=True)
class Prediction:
    """What one coder says of one clip. Never changed afterwards; decisions stand beside it."""

    clip: Clip
    """The clip as it was when it was coded; it may have been moved since."""
    coder: str
    """Name and version of the coder, e.g. `evidence-finder/1`."""
    practice: str
    """`BI`, `D1`, `D2` or `D3`; empty when the coder found nothing to go by."""
    level: int | None
    margin: float | None
    """Lead of this practice over the next, 0 to 1; `None` when the coder has none."""
    evidence: tuple[Evidence, ...]
    provenance: tuple[tuple[str, str], ...] = ()
    """What made it: pairs of name and value, such as the hash of the weights."""
    note: str = ""
    """Why there is no code, or what the reader should know of it."""
    status: str = "ok"
    """How the asking ended: `ok`, `retry-ok`, the kind of failure, or `NOT_ASKED` (see
    `probe_records`); the last two are never scored."""
    said: tuple[Said, ...] = ()
    """What each draw said, in their order; empty for a coder that asks no model."""
    prediction_id: int = field(default=0, compare=False)
    """Its number in the library; 0 until it is stored."""
    made_at: str = field(default="", compare=False)
    """When it was stored: UTC, ISO 8601 with milliseconds; empty until then."""

    @property
    def code(self) -> Code | None:
        """The practice and level claimed; `None` where there is none."""
        return Code(self.practice, self.level) if self.practice else None

    @property
    def is_failure(self) -> bool:
        """Whether there is no usable answer: counted beside an accuracy, never in it."""
        return self.status not in ANSWERED


class Stage(StrEnum):
    """How people came to a decision."""

    OWN = "own"
    """By one person alone."""
    CONSENSUS = "consensus"
    """By people who had coded on their own and then talked it over; `author` names them all."""


class Verdict(StrEnum):
    """What a person did about a clip."""

    ACCEPT = "accept"
    CORRECT = "correct"
    REJECT = "reject"
    """None of the four practices shows here, or the clip should not be coded."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A person's word on a clip: the record, beside the prediction and never over it."""

    clip: Clip
    """The clip as it was when the decision was made."""
    verdict: Verdict
    practice: str
    """The practice that stands after the decision; empty after a rejection."""
    level: int | None
    author: str
    made_at: str
    """UTC, ISO 8601 with milliseconds."""
    note: str = ""
    blind: bool = False
    """Whether it was made before the model's label was shown."""
    coder: str = ""
    """Whose prediction was on the screen; empty when there was none."""
    stage: Stage = Stage.OWN
    also: tuple[Code, ...] = ()
    """Further codes that hold as well, where a clip shows more than one practice."""
    evidence: tuple[Citation, ...] = ()
    """What the person cites for it."""

    @property
    def codes(self) -> tuple[Code, ...]:
        """All codes that hold, the main one first; none after a rejection."""
        return (Code(self.practice, self.level), *self.also) if self.practice else ()
