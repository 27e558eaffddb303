"""The four Core Instructional Practices and their levels, as the program describes them."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

LOW_LEVELS = (1, 2)
"""Low sophistication; 3 and up is high (SciIBI, section 4.2)."""


@dataclass(frozen=True, slots=True)
class Level:
    """One step of sophistication of a practice."""

    level: int
    title: str
    descriptor: str
    """One or two sentences, in our own words after Table 1 of the paper."""
    exemplars: tuple[str, ...]
    """Utterances of our own that show this step; never part of a test set."""


@dataclass(frozen=True, slots=True)
class Practice:
    """One of the four practices."""

    id: str
    """`BI`, `D1`, `D2`, `D3`."""
    letter: str
    """Something short drawn on its colour, so that colour never stands alone: `BI`, `D1`."""
    title: str
    descriptor: str
    levels: tuple[Level, ...]
    keywords: tuple[str, ...]
    """For the keyword rule that the finder is measured against, not for coding."""


@cache
def read_practices(path: Path) -> tuple[Practice, ...]:
    """Read `resources/practices.toml`.

    Raises:
        ValueError: The file does not describe the practices in full; the installation is broken.
    """
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    try:
        return tuple(_practice(entry) for entry in table["practice"])
    except KeyError as error:
        raise ValueError(f"{path.name} lacks {error}") from error


@cache
def read_background(path: Path) -> tuple[str, ...]:
    """Read from `resources/practices.toml` what is said in lessons and shows no practice."""
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    return tuple(str(said) for said in table["background"]["exemplars"])


def digest(practices: Sequence[Practice], background: Sequence[str] = ()) -> str:
    """Give the SHA-256, hex, of all that a coder was told, for a prediction's provenance."""
    described = [asdict(practice) for practice in practices]
    told = json.dumps([described, list(background)], sort_keys=True)
    return hashlib.sha256(told.encode("utf-8")).hexdigest()


def is_high(level: int) -> bool:
    """Say whether a level counts as high sophistication."""
    return level not in LOW_LEVELS


def _practice(entry: dict[str, object]) -> Practice:
    levels = entry["level"]
    if not isinstance(levels, list) or not levels:
        raise ValueError(f"the practice {entry['id']} has no levels")
    return Practice(
        id=str(entry["id"]),
        letter=str(entry["letter"]),
        title=str(entry["title"]),
        descriptor=str(entry["descriptor"]),
        levels=tuple(
            Level(
                int(level["level"]),
                str(level["title"]),
                str(level["descriptor"]),
                tuple(str(e) for e in level["exemplars"]),
            )
            for level in levels
        ),
        keywords=tuple(str(word) for word in _as_list(entry["keywords"])),
    )


def _as_list(value: object) -> list[object]:
    if not isinstance(value, list):
        raise ValueError("a list was expected")
    return value
