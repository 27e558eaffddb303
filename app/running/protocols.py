"""What the core expects of engines. `engines` implements these; the core never imports it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from app.lesson.transcript.records import Transcript

Report = Callable[[float, str], None]
"""Progress: the share done (0 to 1) and what is being done, in a few plain words."""


def no_report(_share: float, _doing: str) -> None:
    """Take progress and do nothing with it."""


@dataclass(frozen=True, slots=True)
class Price:
    """What an endpoint takes for its work."""

    per_million_in: float
    """For a million tokens read."""
    per_million_out: float
    """For a million tokens written."""
    currency: str = "USD"


@dataclass(frozen=True, slots=True)
class EngineFacts:
    """What an engine is and can do."""

    name: str
    version: str
    offline: bool
    images: int
    """How many pictures one question may carry; 0 for none."""
    has_schema: bool
    has_logprobs: bool
    identity: tuple[tuple[str, str], ...]
    """Pairs of name and value that pin down the model, such as the SHA-256 of its weights."""
    in_flight: int = 1
    """How many questions it works on at a time; 1 for a model on this computer."""
    price: Price | None = None
    """`None` for a model on this computer, and where nobody has entered one."""
    context_tokens: int | None = None
    """How many tokens of question and answer together it keeps in mind; `None` if not known."""


class Embedder(Protocol):
    """Turns texts into vectors whose dot product is their likeness."""

    def facts(self) -> EngineFacts:
        """Say what this is."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Give (n, d) float32 rows of length 1, in the order of `texts`."""


class Transcriber(Protocol):
    """Turns the sound of a recording into a transcript with word times."""

    def facts(self) -> EngineFacts:
        """Say what this is."""

    def transcribe(self, media_path: str, report: Report, stop: threading.Event) -> Transcript:
        """Write down what is said, on the media's clock.

        Raises:
            MediaRefused: The recording has no sound.
            Cancelled: `stop` was set.
        """
