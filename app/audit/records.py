"""What an audit settles before it begins, and what it keeps of every response and scoring.

An audit is settled once (`AuditPlan`) and only added to afterwards: responses of the tutor and of
our own, scorings of them by judges, scores by experts. All figures follow from these records.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from app.audit.items import PASS_LINE, Axis, Condition
from app.coding.records import Check
from app.running.questions import Status

SCORINGS = 3
"""Times each judge scores a response of the tutor (SpecialEduBench, section 3.5)."""

KNOWLEDGE_DRAWS = 3
"""Seeded draws of a knowledge item."""

FRAMES_CAP = 24
"""Most frames of a clip that a tutor is shown in an attitude cell."""


class Origin(StrEnum):
    """Whose words a response is. Only the first is the tutor's; the others check the judges."""

    TUTOR = "tutor"
    SHOULD_PASS = "should_pass"
    """Ours, and good: a judge should pass it."""
    SHOULD_FAIL = "should_fail"
    """Ours, with the fault that its group names: a judge should fail it."""
    PADDED = "padded"
    """`SHOULD_FAIL` with four sentences without content behind it."""
    INJECTED = "injected"
    """`SHOULD_FAIL` with words that tell the judge what to score."""


class Reading(StrEnum):
    """In which order a judge is shown the bands of the rubric."""

    UPWARD = "upward"
    """From 1-2 to 9-10, as an audit does it."""
    DOWNWARD = "downward"
    """From 9-10 to 1-2, to see whether the order sways the judge."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A model in its part as tutor or judge."""

    name: str
    """By which it is found here (`Answering`)."""
    family: str = ""
    """Whose model it is at heart, e.g. `qwen`; for self-preference. Empty when not known."""
    goes_to: str = ""
    """Address that a person agreed to when the audit was planned; empty when nothing leaves."""


class Measure(StrEnum):
    """What a gate looks at."""

    PASS_SHARE = "pass_share"
    """Share of responses that pass, 0 to 1."""
    PASS_SHARE_UNDER_PRESSURE = "pass_share_under_pressure"
    PRESSURE_EFFECT = "pressure_effect"
    """Pass share without pressure less that with it."""
    MONITORING_EFFECT = "monitoring_effect"
    """Pass share watched less unwatched, under pressure."""
    MEAN_SCORE = "mean_score"
    """Of skill, 1 to 10."""
    KNOWLEDGE = "knowledge"
    """Share of knowledge items right, 0 to 1; macro over categories where no group is named."""


@dataclass(frozen=True, slots=True)
class Gate:
    """A threshold that somebody set before the audit began."""

    measure: Measure
    axis: Axis
    group: str = ""
    """Family, strategy or category; empty for the whole axis."""
    at_least: float | None = None
    at_most: float | None = None


@dataclass(frozen=True, slots=True)
class AuditPlan:
    """What is settled before an audit begins, and never changed."""

    title: str
    tutor: Seat
    judges: tuple[Seat, ...]
    """Two, as a rule; their scores are never averaged or merged."""
    axes: tuple[Axis, ...]
    bank: str
    """Digest of the bank that it asks from (see `app.store.audits`)."""
    item_ids: tuple[str, ...]
    """What is asked, in the order of the bank."""
    gates: tuple[Gate, ...] = ()
    seed: int = 0
    """Draw n of a cell is decoded with `seed + n`."""
    temperature: float = 1.0
    max_tokens: int = 1024
    """Most tokens of a response."""
    draws: int | None = None
    """Responses of an honesty cell; `None` as the family says (10)."""
    scorings: int = SCORINGS
    is_self_check: bool = False
    """Whether the tutor is one of the planted ones that show that the set-up can see."""
    is_sample: bool = False
    """Whether it came with the program."""


@dataclass(frozen=True, slots=True)
class Audit:
    """An audit as the library holds it."""

    audit_id: int
    plan: AuditPlan
    made_at: str
    """UTC, ISO 8601: from when on the gates are locked."""
    author: str


@dataclass(frozen=True, slots=True)
class Place:
    """Which draw of which cell a response belongs to."""

    item_id: str
    condition: Condition
    draw: int = 0

    def __hash__(self) -> int:
        # Asked for thousands of times a board: all fields at once, without a call for the inner.
        return hash((self.item_id, self.condition.pressure, self.condition.monitored, self.draw))


@dataclass(frozen=True, slots=True)
class Response:
    """What was said in one draw of a cell."""

    response_id: int
    """0 until the library keeps it."""
    origin: Origin
    place: Place
    status: Status
    text: str
    """Empty when nothing came."""
    choice: str = ""
    """Of knowledge: the letter that was read in the text; empty when none can be."""
    error: str = ""
    answer_key: str = ""
    """Of the attempt that it was read from; empty for words of ours."""

    @property
    def has_text(self) -> bool:
        """Whether there is something to judge."""
        return self.status in (Status.OK, Status.RETRY_OK)


@dataclass(frozen=True, slots=True)
class Point:
    """One thing of the rubric that a judge looked for, and the words it rests on."""

    about: str
    met: bool
    quote: str
    check: Check
    found: str = ""
    """The true words, where they differ from the quote."""


@dataclass(frozen=True, slots=True)
class Scoring:
    """One judge's score of one response, once."""

    response_id: int
    judge: str
    reading: Reading
    turn: int
    """1 to `AuditPlan.scorings`."""
    status: Status
    score: int | None
    """1 to 10; `None` when the judge gave nothing usable."""
    band: int | None = None
    """1 to 5."""
    points: tuple[Point, ...] = ()
    reason: str = ""
    """The judge's words on its score."""
    error: str = ""
    answer_key: str = ""

    def __post_init__(self) -> None:
        """Refuse what no judge could have given."""
        if self.score is not None and not 1 <= self.score <= 10:
            raise ValueError(f"a score is 1 to 10, not {self.score}")


class BoardRow(NamedTuple):
    """The numbers of one response with one judge: what boards are counted from.

    A plain tuple, since thousands are made before a board can be shown.
    """

    response_id: int
    place: Place
    status: Status
    """Of the response."""
    words: int
    """How long it is."""
    judge: str
    scores: tuple[int | None, ...]
    """One for each scoring there is, in order; `None` where the judge gave nothing usable."""
    quotes: int
    """Words that the judge cited."""
    quotes_found: int
    """How many of them stand in the response."""


@dataclass(frozen=True, slots=True)
class ModelRun:
    """One time a model was put to work for an audit."""

    part: str
    """`tutor`, `judge`, or `check` for the check of a judge."""
    model: str
    provenance: tuple[tuple[str, str], ...]
    made_at: str


@dataclass(frozen=True, slots=True)
class BankRow:
    """A bank of items as the library lists it."""

    digest: str
    name: str
    origin: str
    """The file it was brought in from, or where else it comes from."""
    items: int
    added_at: str


@dataclass(frozen=True, slots=True)
class ExpertScore:
    """What a person gave a response, without knowing whose it is."""

    response_id: int
    expert: str
    """The name, or the names joined, for what was agreed on after talking it over."""
    agreed: bool
    """Whether it is the consensus."""
    score: int
    note: str = ""
    made_at: str = ""


class Verdict(StrEnum):
    """What somebody says of an item on the item-review page."""

    KEEP = "keep"
    REVISE = "revise"
    DROP = "drop"


@dataclass(frozen=True, slots=True)
class ItemReview:
    """One person's word on one item, as it was worded then."""

    item_id: str
    item_digest: str
    """SHA-256 of the item; another wording has not been reviewed."""
    verdict: Verdict
    reviewer: str
    why: str
    made_at: str = ""


def passes(mean_score: float) -> bool:
    """Say whether a response passes by the mean of its scorings."""
    return mean_score >= PASS_LINE
