"""The colours of the practices, read from one place so that the window and the pages agree."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

NONE = "none"
"""The entry for what has no practice: nothing found, or rejected."""


@dataclass(frozen=True, slots=True)
class Colours:
    """How one practice is drawn; each colour is `#RRGGBB`."""

    fill: str
    """For clips and marks; at least 3:1 against the page."""
    ink: str
    """For the letter on the fill; at least 4.5:1."""
    tint: str
    """A pale ground that ordinary text can stand on."""


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of one look, by practice id and `none`."""

    by_practice: dict[str, Colours]

    def of(self, practice: str) -> Colours:
        """Give the colours of a practice; of `none` when it is empty or not known."""
        return self.by_practice.get(practice, self.by_practice[NONE])


@cache
def read_palette(path: Path, look: str = "light") -> Palette:
    """Read one look, `light` or `dark`, from `resources/palette.toml`.

    Raises:
        ValueError: The file does not describe the look; the installation is broken.
    """
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    try:
        named = {name: Colours(**entry) for name, entry in table[look].items()}
    except (KeyError, TypeError) as error:
        raise ValueError(f"{path.name} does not describe the {look} colours: {error}") from error
    if NONE not in named:
        raise ValueError(f"{path.name} has no {look} colours for what has no practice")
    return Palette(named)
