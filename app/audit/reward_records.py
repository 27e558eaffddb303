"""Pairs that a reward model is taught by, and what is kept of a model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from app.scoring.reward_guards import Guarded


class Flaw(StrEnum):
    """What is wrong with the worse response of a pair: one thing, which the edit puts right.

    The four are those of SpecialEduBench, appendix E.
    """

    WAIT_INTERVAL_VIOLATED = "wait_interval_violated"
    WRONG_BEHAVIOUR_REINFORCED = "wrong_behaviour_reinforced"
    CHILD_TURN_TAKEN = "child_turn_taken"
    TURNED_INTO_QUIZ = "turned_into_quiz"


class PairOrigin(StrEnum):
    """Where a pair comes from."""

    EDITED = "edited"
    """An expert edited the worse response in this program."""
    STARTER = "starter"
    """Our own two responses to a starter item; no expert wrote or saw them."""
    BROUGHT_IN = "brought_in"
    """From a file."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two responses to one item, of which one is the better.

    Raises:
        ValueError: A response is empty, or both are the same.
    """

    item_id: str
    strategy: str
    prompt: str
    """The scene and what was asked, as a tutor is given them."""
    chosen: str
    """The better one."""
    rejected: str
    """The one with a flaw."""
    flaw: Flaw | None
    """`None` where nobody said."""
    origin: PairOrigin
    author: str = ""
    """Who edited it, or who brought it in."""
    made_at: str = ""
    """UTC, ISO 8601."""
    pair_id: int = 0
    """0 for what is not kept in the library."""

    def __post_init__(self) -> None:
        """Refuse what teaches nothing."""
        better, worse = self.chosen.split(), self.rejected.split()
        if not better or not worse:
            raise ValueError("a response is empty")
        if better == worse:
            raise ValueError("both responses are the same")


Rows = tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class Trained:
    """A reward model: weights on vectors of responses, and what is known of it."""

    figures: Guarded
    weights: Rows
    """Row k is of the model that never saw the items of part k."""
    parts: Mapping[str, int]
    """Of each item that it was taught by, the part."""
    provenance: tuple[tuple[str, str], ...]
    """Pairs of name and value: vectors, seed, how many pairs of which origin."""

    @property
    def may_rank(self) -> bool:
        """Whether rewards may be shown as a ranking; `figures.trips` says why not."""
        return not self.figures.trips


@dataclass(frozen=True, slots=True)
class KeptModel:
    """A reward model as the library holds it."""

    model_id: int
    made_at: str
    """UTC, ISO 8601."""
    model: Trained
