"""What people rate of models' evidence: a draw, its outputs, and what each rater said."""

from __future__ import annotations

from dataclasses import dataclass

from app.coding.records import Citation, Stage
from app.lesson.clips import Clip
from app.scoring.eqs import Rating
from app.scoring.scored import Code


@dataclass(frozen=True, slots=True)
class DrawSettings:
    """How a draw was made, so that it can be made again."""

    set_id: int
    """The coded set whose codes say what is right."""
    coders: tuple[str, ...]
    per_cell: int
    seed: int
    shortages: tuple[str, ...] = ()
    """Where there were fewer outputs than asked for, in plain words."""


@dataclass(frozen=True, slots=True)
class DrawnOutput:
    """One output of a draw, with all that is known of it; a rater sees only its `card`."""

    prediction_id: int
    lesson_id: str
    clip: Clip
    """As it was when it was coded."""
    coder: str
    said: Code
    codes: tuple[Code, ...]
    """What people accept, the main one first."""
    cited: tuple[Citation, ...]

    @property
    def is_right(self) -> bool:
        """Whether the practice is one that people accept."""
        return self.said.practice in {code.practice for code in self.codes}

    @property
    def card(self) -> RatingCard:
        """The output as a rater may see it."""
        return RatingCard(
            self.prediction_id, self.lesson_id, self.clip, self.said.practice, self.cited
        )


@dataclass(frozen=True, slots=True)
class RatingCard:
    """What a rater sees: no model, no word on whether it is right, nobody else's scores.

    The evidence is as it was cited. What our check made of it stays out too: whether the words are
    in the clip is the rater's to judge.
    """

    prediction_id: int
    lesson_id: str
    clip: Clip
    practice: str
    cited: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class EqsDraw:
    """Outputs drawn for rating."""

    draw_id: int
    title: str
    settings: DrawSettings
    made_at: str
    """UTC, ISO 8601."""
    outputs: tuple[DrawnOutput, ...]


@dataclass(frozen=True, slots=True)
class GivenRating:
    """One rating as it is kept; the latest of a person on an output counts."""

    prediction_id: int
    rater: str
    """One person, or for a consensus all who agreed, as `people_names.joined`."""
    stage: Stage
    scores: tuple[int, int, int]
    """Alignment, sufficiency, specificity, 1 to 3 each."""
    note: str = ""
    made_at: str = ""
    """UTC, ISO 8601."""

    @property
    def rating(self) -> Rating:
        """The same as it is scored."""
        return Rating(str(self.prediction_id), self.rater, *self.scores)


@dataclass(frozen=True, slots=True)
class Opened:
    """When and by whom the models' names were brought into view."""

    by: str
    at: str
    """UTC, ISO 8601."""
    left: int
    """Outputs on which the raters differed and had not agreed yet."""
