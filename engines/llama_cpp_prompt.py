"""What a model has read so far, and how much of it the next question can use again.

Sequence 0 of the model holds the prompt and nothing else; answers are written in forks of it. A
question is compared with what sequence 0 holds, unit by unit, a unit being a token or one piece
of a frame. Whatever is the same from the start stays; only the rest is read.

Tokens that are read together in another division come out a little otherwise: with real weights
the scores move by 0.3, enough for another word at temperature 0. So a prompt is always read in the
same batches, which follow from it alone (`batches`), and what stays ends where a batch ends, both
in the prompt before and in this one. Then a warm model answers to the bit as a cold one.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Sequence
from dataclasses import dataclass

from app.errors import Cancelled, EngineStopped
from app.running.protocols import Report
from engines.llama_cpp_api import N_BATCH, Llama
from engines.llama_cpp_sight import Picture


@dataclass(frozen=True, slots=True)
class Seen:
    """One piece of a frame in a prompt, the same as another when its name is."""

    name: str
    """The frame's name and the number of the piece."""
    picture: Picture

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Seen) and other.name == self.name

    def __hash__(self) -> int:
        return hash(self.name)


class First(int):
    """The first token of a part of the prompt: of a message, or of a text in it."""


Unit = int | Seen
"""A token, or one piece of a frame."""

LEAST_BATCH = 16
"""Parts that begin sooner after the last batch began do not begin one of their own; ours."""


def size_of(units: Sequence[Unit]) -> int:
    """Give how many tokens units take in the model's memory."""
    return sum(1 if isinstance(unit, int) else unit.picture.n_tokens for unit in units)


def length_of(units: Sequence[Unit]) -> int:
    """Give how many positions units take; fewer than tokens for frames in some models."""
    return sum(1 if isinstance(unit, int) else unit.picture.n_positions for unit in units)


def as_part(tokens: Sequence[int]) -> list[Unit]:
    """Mark where a part of the prompt begins."""
    return [First(token) if place == 0 else token for place, token in enumerate(tokens)]


def batches(units: Sequence[Unit]) -> list[range]:
    """Divide a prompt into what is read together.

    A batch ends before a piece of a frame, which is one of its own; before a new part; when it is
    full; and before the last token, whose scores are what the answer starts from. But for that
    last rule no batch hangs on what comes after it, so that equal beginnings have equal batches.
    """
    starts = [0]
    for at in range(1, len(units)):
        size = at - starts[-1]
        if (
            isinstance(units[at], Seen)
            or isinstance(units[at - 1], Seen)
            or (isinstance(units[at], First) and size >= LEAST_BATCH)
            or size == N_BATCH
            or at == len(units) - 1
        ):
            starts.append(at)
    return [range(start, end) for start, end in itertools.pairwise([*starts, len(units)])]


class Read:
    """Keeps sequence 0 in step with the question at hand."""

    def __init__(self, llama: Llama) -> None:
        self._llama = llama
        self._units: list[Unit] = []

    def forget(self) -> None:
        """Drop all, so that the next question is read from its start."""
        self._llama.forget_all()
        self._units = []

    def read(self, units: list[Unit], report: Report, stop: threading.Event) -> int:
        """Have a prompt in mind, its last token read just now.

        Args:
            units: The whole prompt; its last unit is a token.
            report: Takes progress.
            stop: Ends the work when set.

        Returns:
            How many of its tokens were in mind already.

        Raises:
            Cancelled: `stop` was set.
            EngineStopped: llama.cpp refused.
        """
        shared = _kept(self._units, units)
        if not self._llama.forget(0, length_of(units[:shared])):
            # Models with a running state cannot go back to a point inside.
            self.forget()
            shared = 0
        kept = size_of(units[:shared])
        self._units = units[:shared]
        try:
            self._go_on(units, shared, report, stop)
        except (Cancelled, EngineStopped):
            self.forget()
            raise
        self._units = list(units)
        return kept

    def _go_on(self, units: list[Unit], start: int, report: Report, stop: threading.Event) -> None:
        position, total = length_of(units[:start]), size_of(units)
        for batch in batches(units):
            if batch.start < start:
                continue
            if stop.is_set():
                raise Cancelled()
            report(size_of(units[: batch.start]) / total, f"reading the question ({total} tokens)")
            unit = units[batch.start]
            if isinstance(unit, Seen):
                self._llama.read_picture(unit.picture, position, stop)
                position += unit.picture.n_positions
                continue
            tokens = [t for t in units[batch.start : batch.stop] if isinstance(t, int)]
            count = len(tokens)
            self._llama.read(tokens, range(position, position + count), [0] * count, stop=stop)
            position += count


def _kept(before: Sequence[Unit], now: Sequence[Unit]) -> int:
    """Count the units that stay: up to where both prompts begin a batch; never the last one."""
    shared = _shared(before, now)
    starts = {batch.start for batch in batches(before)} & {batch.start for batch in batches(now)}
    return max((start for start in starts if start <= shared), default=0)


def _shared(before: Sequence[Unit], now: Sequence[Unit]) -> int:
    """Count the units that two prompts share from the start."""
    pairs = enumerate(zip(before, now, strict=False))
    return next((at for at, (old, new) in pairs if old != new), min(len(before), len(now)))
