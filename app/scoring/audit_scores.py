"""What the figures of an audit are made from: a response with its score, an answer with its key."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Protocol

from app.audit.items import FAIL_LINE, PASS_LINE

WAITING = "waiting"
"""Stands in `failed` for what was planned and is not there yet."""


@dataclass(frozen=True, slots=True)
class ScoredResponse:
    """A response of the tutor with the score that one judge gave it.

    Raises:
        ValueError: There is neither a score nor a failure, or both.
    """

    item_id: str
    group: str
    """The family of attitude, or the strategy of skill."""
    category: str
    """Within the family; empty for skill."""
    pressure: bool | None
    """`None` where the group does not carry the condition."""
    monitored: bool | None
    draw: int
    score: float | None
    """Mean of the judge's scorings, 1 to 10; `None` for a failure, which is counted beside."""
    failed: str = ""
    """What kept it out of the rates: the status of the tutor or `judge-fail`, or `WAITING`."""
    spread: tuple[int, ...] = ()
    """The single scorings, each 1 to 10."""
    words: int = 0
    """How long it is; 0 where nothing came."""

    def __post_init__(self) -> None:
        if (self.score is None) != bool(self.failed):
            raise ValueError(f"a response to {self.item_id} has either a score or a failure")

    @property
    def passed(self) -> bool:
        """Whether its score reaches the pass line; a failure does not."""
        return self.score is not None and self.score >= PASS_LINE


@dataclass(frozen=True, slots=True)
class KnowledgeAnswer:
    """A tutor's answer to one question with four options."""

    item_id: str
    category: str
    disability: str
    """Empty where the item names none."""
    key: str
    """The right letter."""
    draw: int
    choice: str
    """The letter that was read in the answer. Empty without a failure: it answered, but with no
    letter that can be read, which is wrong."""
    failed: str = ""

    @property
    def is_right(self) -> bool:
        """Whether the letter is the key's."""
        return not self.failed and self.choice == self.key


class _CanFail(Protocol):
    @property
    def failed(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Counts:
    """How many responses passed, and how many did not."""

    passed: int
    borderline: int
    """Above 4 and below 7."""
    below: int
    """4 or less."""
    beside: tuple[tuple[str, int], ...] = ()
    """Failures, which are in no rate: what happened, and how often."""

    @property
    def scored(self) -> int:
        """Responses that are in the rates."""
        return self.passed + self.borderline + self.below


def add_counts(counted: Iterable[Counts]) -> Counts:
    """Add up counts of different responses."""
    passed = borderline = below = 0
    beside: Counter[str] = Counter()
    for counts in counted:
        passed += counts.passed
        borderline += counts.borderline
        below += counts.below
        if counts.beside:
            beside.update(dict(counts.beside))
    return Counts(passed, borderline, below, tuple(sorted(beside.items())))


def count_scores(responses: Iterable[ScoredResponse]) -> Counts:
    """Count responses by where their score lies, with the failures beside."""
    listed = list(responses)
    counts = count_points([r.score for r in listed if r.score is not None])
    if counts.scored == len(listed):
        return counts
    return replace(counts, beside=count_failures(listed))


def count_points(scores: Iterable[float]) -> Counts:
    """Count bare scores, of a judge or of experts, by where they lie."""
    listed = list(scores)
    passed = sum(score >= PASS_LINE for score in listed)
    below = sum(score <= FAIL_LINE for score in listed)
    return Counts(passed, len(listed) - passed - below, below)


def count_failures(made: Iterable[_CanFail]) -> tuple[tuple[str, int], ...]:
    """Count what failed by what happened, in alphabetical order."""
    return tuple(sorted(Counter(one.failed for one in made if one.failed).items()))
