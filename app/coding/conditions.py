"""Under which condition a model codes, and how a coder is named and chosen."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from app.coding.finder import NAME
from app.coding.records import Prediction
from app.errors import WrongUse

EVIDENCE_FINDER = NAME
"""The coder that asks no model."""


class Input(StrEnum):
    """What of a clip a model is given (protocols, part 1)."""

    T = "T"
    """The transcript: numbered utterances with their times."""
    TV = "TV"
    """The transcript and frames: one a second, 30 spread evenly when that is more."""


class Prompting(StrEnum):
    """How a model is asked; the definitions are the same in all three."""

    ZERO_SHOT = "zero_shot"
    """The task and the definitions alone."""
    FEW_SHOT = "few_shot"
    """With four exemplars, one a practice, the same for every model."""
    COT = "cot"
    """The model reasons first; its reasoning is kept in the raw answer and takes no part."""


@dataclass(frozen=True, slots=True)
class Condition:
    """One cell of the paper's Table 2 for a model."""

    input: Input = Input.T
    prompting: Prompting = Prompting.ZERO_SHOT

    def __str__(self) -> str:
        return f"{self.input} {self.prompting}"


@dataclass(frozen=True, slots=True)
class CoderChoice:
    """A coder as a person chooses it.

    Raises:
        ValueError: Fewer than one draw.
    """

    engine: str
    """`evidence-finder/1`, an installed model's name, or that of an endpoint."""
    condition: Condition | None = None
    """`None` for a coder that asks no model."""
    draws: int = 1
    """1 is the paper's protocol, at temperature 0; more are drawn at a temperature above it."""

    def __post_init__(self) -> None:
        if self.draws < 1:
            raise ValueError(f"a coder cannot be asked {self.draws} times")

    @property
    def name(self) -> str:
        """What stands in `Prediction.coder`: `evidence-finder/1`, `ENGINE T zero_shot`.

        Several draws are a coder of their own (`ENGINE T zero_shot x5`), so that they never
        take the place of what the paper's protocol gave.
        """
        if self.condition is None:
            return self.engine
        often = f" x{self.draws}" if self.draws > 1 else ""
        return f"{self.engine} {self.condition}{often}"


_CHOICE = re.compile(
    rf"(?P<engine>\S(?:.*\S)?)\s+(?P<input>{'|'.join(Input)})\s+(?P<prompting>{'|'.join(Prompting)})"
    r"(?:\s+x(?P<draws>[1-9][0-9]{0,2}))?"
)


def parse_choice(text: str) -> CoderChoice:
    """Read the name of a coder, as `CoderChoice.name` writes it; `evidence-finder` will do.

    Raises:
        WrongUse: It names a model without what it is given and how it is asked.
    """
    text = text.strip()
    if text in (EVIDENCE_FINDER, EVIDENCE_FINDER.split("/")[0]):
        return CoderChoice(EVIDENCE_FINDER)
    found = _CHOICE.fullmatch(text)
    if found is None:
        raise WrongUse(
            f"“{text}” does not name a coder.",
            "Write `evidence-finder`, or a model's name with what it is given (T or TV) and how "
            "it is asked (zero_shot, few_shot or cot), such as “my-model T zero_shot”.",
        )
    condition = Condition(Input(found["input"]), Prompting(found["prompting"]))
    return CoderChoice(found["engine"], condition, int(found["draws"] or 1))


def condition_of(prediction: Prediction) -> tuple[str, Condition] | None:
    """Give the model and the condition a prediction was made under; `None` without a model."""
    return _condition_told(prediction.provenance)


@lru_cache(maxsize=4096)
def _condition_told(provenance: tuple[tuple[str, str], ...]) -> tuple[str, Condition] | None:
    # Kept, since whoever compares coders asks for each prediction many times.
    told = dict(provenance)
    try:
        condition = Condition(Input(told["input"]), Prompting(told["prompting"]))
        return told["engine"], condition
    except (KeyError, ValueError):
        return None
