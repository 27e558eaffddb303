"""Where the face engine has looked already: which windows show the learner, and where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from app.lesson.spans import Span


@dataclass(frozen=True, slots=True)
class Passage:
    """Whether a window may be read, and whose face is meant in it."""

    closed: str = ""
    """Why nobody can know anything of it, as readings note it; empty where it may be read."""
    place: tuple[float, float] | None = None
    """Where the learner's face is, as shares of the picture's width and height, where more than
    one face can be seen; else `None`."""


OPEN = Passage()


class Gate(Protocol):
    """Knows of each window whether the learner's face was seen in it."""

    def passage(self, window: Span) -> Passage:
        """Say whether a window may be read."""

    @property
    def told(self) -> str:
        """Name what it rests on, for the provenance of readings."""
