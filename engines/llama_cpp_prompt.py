"""What a model has read so far, and how much of it the next question can use again.

Sequence 0 of the model holds the prompt and nothing else; answers are written in forks of it. A
question is compared with what sequence 0 holds, unit by unit, a unit being a token or one piece
of a frame. Whatever is the same from the start stays; only the rest is read.
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


Unit = int | Seen
"""A token, or one piece of a frame."""


def size_of(units: Sequence[Unit]) -> int:
    """Give how many tokens units take in the model's memory."""
    return sum(1 if isinstance(unit, int) else unit.picture.n_tokens for unit in units)


def length_of(units: Sequence[Unit]) -> int:
    """Give how many positions units take; fewer than tokens for frames in some models."""
    return sum(1 if isinstance(unit, int) else unit.picture.n_positions for unit in units)


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
        # The last token is always read again: its scores are what the answer starts from.
        shared = min(_shared(self._units, units), len(units) - 1)
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
        at, position, total = start, length_of(units[:start]), size_of(units)
        while at < len(units):
            if stop.is_set():
                raise Cancelled()
            report(size_of(units[:at]) / total, f"reading the question ({total} tokens)")
            unit = units[at]
            if isinstance(unit, Seen):
                self._llama.read_picture(unit.picture, position, stop)
                at, position = at + 1, position + unit.picture.n_positions
                continue
            run = itertools.takewhile(lambda each: isinstance(each, int), units[at:])
            tokens = [t for t in itertools.islice(run, N_BATCH) if isinstance(t, int)]
            count = len(tokens)
            self._llama.read(tokens, range(position, position + count), [0] * count, stop=stop)
            at, position = at + count, position + count


def _shared(before: Sequence[Unit], now: Sequence[Unit]) -> int:
    """Count the units that two prompts share from the start."""
    pairs = enumerate(zip(before, now, strict=False))
    return next((at for at, (old, new) in pairs if old != new), min(len(before), len(now)))
