"""Captions that roll: each shows the line before it once more.

YouTube's own captions come as pairs, a cue in which one new line is spoken under the old one,
and a hold cue of ten milliseconds. Read plainly, every spoken line comes out two or three times.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from app.lesson.transcript.formats.markup import Piece

HOLD_MS = 50
"""Nothing is spoken in less; YouTube's hold cues last 10 ms."""


@dataclass(slots=True)
class Cue:
    """A caption as the file shows it, line by line."""

    start_ms: int
    end_ms: int
    lines: list[list[Piece]]
    """Shown lines that hold anything but spaces, each in pieces."""
    line_number: int = 0
    """Line of the file on which its times stand."""
    confidence: float | None = None
    texts: list[str] = field(init=False)

    def __post_init__(self) -> None:
        joined = ("".join(piece.text for piece in line) for line in self.lines)
        self.texts = [" ".join(text.split()) for text in joined]

    @property
    def has_moments(self) -> bool:
        """Whether words inside have times of their own."""
        return any(piece.time_ms is not None for line in self.lines for piece in line)


def is_rolling(cues: Sequence[Cue]) -> bool:
    """Say whether a file's captions repeat the line before, as YouTube's do.

    Somebody who says the same twice is not mistaken for it: the file must have at least two hold
    cues, or words with times of their own beside a carried line.
    """
    pairs = [(above, cue, _carried(above, cue)) for above, cue in pairwise(cues)]
    carried = [pair for pair in pairs if pair[2]]
    holds = [
        cue
        for above, cue, count in carried
        if count == len(cue.texts) and _is_hold(cue) and not _is_hold(above)
    ]
    if len(holds) >= 2:
        return True
    return any(cue.has_moments for cue in cues) and any(
        count < len(cue.texts) or (above.has_moments and not cue.has_moments)
        for above, cue, count in carried
    )


def _is_hold(cue: Cue) -> bool:
    return 0 <= cue.end_ms - cue.start_ms <= HOLD_MS


def unroll(cues: Sequence[Cue]) -> list[Cue]:
    """Keep each spoken line once, with the times of the cue in which it is new."""
    kept: list[Cue] = []
    above: Cue | None = None
    for cue in cues:
        fresh = cue.lines[_carried(above, cue) :] if above is not None else cue.lines
        if fresh:
            kept.append(Cue(cue.start_ms, cue.end_ms, fresh, cue.line_number, cue.confidence))
        if cue.texts:
            above = cue
    return kept


def _carried(above: Cue, cue: Cue) -> int:
    """Count the first lines of a cue that were the last lines of the one above."""
    for count in range(min(len(above.texts), len(cue.texts)), 0, -1):
        if above.texts[-count:] == cue.texts[:count]:
            return count
    return 0
