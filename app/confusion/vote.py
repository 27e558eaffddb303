"""One level from several draws of a model: the confidence-weighted vote of the protocol.

Each draw adds 3, 2 or 1 to its level by its confidence; the level with the largest sum wins, and a
tie goes to the lower level (ConfusionBench, section 3.2, with the tie rule of protocols.md). What
failed does not vote. A draw that answered and saw no usable face has no level to vote for: when
at least half of those that answered say so, the window is not visible.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from app.confusion.records import Confidence, Level, ReadingDraw
from app.scoring.scored import ANSWERED


class Came(StrEnum):
    """What a vote came to."""

    LEVEL = "level"
    NOT_VISIBLE = "not visible"
    FAILURE = "failure"
    """Half of the draws or more cannot be used: what is left says too little."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What several draws together say of a window."""

    came: Came
    level: Level | None = None
    confidence: Confidence | None = None
    voters: int = 0
    """Draws with a level."""
    usable: int = 0
    """Draws that answered, those that saw nobody included."""


def vote(draws: Sequence[ReadingDraw]) -> tuple[Level | None, Confidence | None]:
    """Give the level that wins and how sure the draws are of it; nothing where `outcome` is none.

    A draw that answered, with the status `ok` or `retry-ok`, and has no level saw no usable face.
    """
    found = outcome(draws)
    return found.level, found.confidence


def outcome(draws: Sequence[ReadingDraw]) -> Outcome:
    """Say what several draws come to.

    The confidence is that of the whole vote and not of the winners alone: the winner's sum over
    all draws with a level, where 2.5 and more is high and 1.5 and more is medium (halfway between
    the weights), so that dissent lowers it.
    """
    usable = [draw for draw in draws if draw.status in ANSWERED]
    if 2 * len(usable) <= len(draws):
        return Outcome(Came.FAILURE, usable=len(usable))
    voters = [draw for draw in usable if draw.level is not None]
    if 2 * len(voters) <= len(usable):
        return Outcome(Came.NOT_VISIBLE, voters=len(voters), usable=len(usable))
    sums = dict.fromkeys(Level, 0)
    for draw in voters:
        if draw.level is not None:
            sums[draw.level] += (draw.confidence or Confidence.LOW).weight
    # `max` keeps the first of equals, and levels come lowest first.
    level = max(Level, key=lambda each: sums[each])
    return Outcome(
        Came.LEVEL, level, _confidence(sums[level], len(voters)), len(voters), len(usable)
    )


def _confidence(weight: int, voters: int) -> Confidence:
    if 2 * weight >= 5 * voters:
        return Confidence.HIGH
    return Confidence.MEDIUM if 2 * weight >= 3 * voters else Confidence.LOW
