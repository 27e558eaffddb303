"""Stretches of one activity: proposed by the program, moved, split and merged by a person."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Clip:
    """A stretch of one activity, given by the utterances in it and, where known, its times.

    Raises:
        ValueError: Holds no utterance and no time, or runs backwards.
    """

    clip_id: str
    """Stable name inside the lesson; kept when the clip is moved, new when it is split."""
    first: int
    """Number of the first utterance inside; 0 when no speech falls into the clip."""
    last: int
    """Number of the last utterance inside; 0 when no speech falls into the clip."""
    start_ms: int | None
    end_ms: int | None
    proposed_by: str = ""
    """`pauses-topics/1` for the program's proposal, else who drew it."""

    def __post_init__(self) -> None:
        if (self.start_ms is None) != (self.end_ms is None):
            raise ValueError(f"clip {self.clip_id} has only one of its two times")
        if self.start_ms is not None and self.end_ms is not None and self.start_ms >= self.end_ms:
            raise ValueError(f"clip {self.clip_id} runs from {self.start_ms} to {self.end_ms} ms")
        if self.first > self.last or (self.first == 0) != (self.last == 0):
            raise ValueError(f"clip {self.clip_id} holds utterances {self.first} to {self.last}")
        if self.first == 0 and self.start_ms is None:
            raise ValueError(f"clip {self.clip_id} holds neither time nor speech")
