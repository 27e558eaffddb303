"""What a speech engine says it heard, before anybody has doubted it."""

from __future__ import annotations

from dataclasses import dataclass

from app.lesson.transcript.records import Word


@dataclass(frozen=True, slots=True)
class Heard:
    """One stretch as the engine wrote it down, on the media's clock."""

    text: str
    start_ms: int
    end_ms: int
    words: tuple[Word, ...] = ()
    """With the spaces that stand before them, as the engine gives them."""
    no_speech: float = 0.0
    """Probability, 0 to 1, that nobody speaks here."""
    mean_log_probability: float = 0.0
    """Mean natural logarithm of the probability of what was written; 0 or less."""
