"""Which reader is meant: the face cues, a model, or one that screens for another."""

from __future__ import annotations

import re
from dataclasses import dataclass

from app.errors import WrongUse

FACE_CUES = "face-cues/1"
"""The reader that measures faces and asks no model, with its version."""

MOST_DRAWS = 99
_THEN = " then "
_DRAWS = re.compile(r"(?P<engine>.*\S) x(?P<draws>[1-9]\d*)")


@dataclass(frozen=True, slots=True)
class OneReader:
    """One reader by name."""

    engine: str
    """Name of the model; `FACE_CUES` for the one that asks none."""
    draws: int = 1

    @property
    def asks_model(self) -> bool:
        """Whether a language model is asked."""
        return self.engine != FACE_CUES

    @property
    def name(self) -> str:
        """As it stands in the report: the engine, and its draws where there are several."""
        return self.engine if self.draws == 1 else f"{self.engine} x{self.draws}"


@dataclass(frozen=True, slots=True)
class ReaderChoice:
    """A reader, alone or screening for a stronger one."""

    first: OneReader
    then: OneReader | None = None

    @property
    def name(self) -> str:
        """As it stands in the report, e.g. `face-cues/1 then my-model x5`."""
        return self.first.name if self.then is None else f"{self.first.name}{_THEN}{self.then.name}"

    @property
    def models(self) -> tuple[str, ...]:
        """Names of the models that are asked."""
        parts = (self.first, self.then)
        return tuple(part.engine for part in parts if part is not None and part.asks_model)


def parse_reader(text: str, draws: int = 1) -> ReaderChoice:
    """Read the name of a reader: `face-cues`, `my-model`, `my-model x5`, `face-cues then my-model`.

    Args:
        text: With or without the version of the face cues.
        draws: For a model whose name says none; in a screening only the second reader draws
            several times, since the first is there to be fast.

    Raises:
        WrongUse: It is none, or the draws make no sense.
    """
    parts = [part.strip() for part in text.split(_THEN)]
    if len(parts) > 2 or not all(parts):
        raise WrongUse(
            f"“{text}” is not the name of a reader.",
            "Name one, such as face-cues or a model, or two, such as “face-cues then my-model”.",
        )
    if not 1 <= draws <= MOST_DRAWS:
        raise WrongUse(f"A window cannot be read {draws} times.", f"Choose 1 to {MOST_DRAWS}.")
    *screening, last = parts
    read = _one(last, draws)
    if not screening:
        return ReaderChoice(read)
    first = _one(screening[0], 1)
    if first == read:
        raise WrongUse("A reader cannot screen for itself.", "Choose two different readers.")
    return ReaderChoice(first, read)


def _one(text: str, draws: int) -> OneReader:
    if text in (FACE_CUES, FACE_CUES.split("/")[0]):
        return OneReader(FACE_CUES)
    found = _DRAWS.fullmatch(text)
    if found is None:
        return OneReader(text, draws)
    own = int(found["draws"])
    if own > MOST_DRAWS:
        raise WrongUse(f"A window cannot be read {own} times.", f"Choose 1 to {MOST_DRAWS}.")
    return OneReader(found["engine"], own)
