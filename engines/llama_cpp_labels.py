"""Read how likely labels are instead of having one written: one pass, no draws.

The labels are put to the model as options with letters, and its scores for the letters are read
where its answer would begin. Letters, since a number such as 10 begins with the token of 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from app.errors import EngineMissing, EngineStopped
from app.running.questions import Question
from engines.llama_cpp_api import Llama

METHOD = "labels read from one pass"
"""How results of this method are named wherever they are kept or shown."""

LETTERS = "ABCDEFGHIJ"


@dataclass(frozen=True, slots=True)
class LabelReading:
    """How likely each label is, as one pass of the model has it."""

    labels: tuple[str, ...]
    shares: tuple[float, ...]
    """By label, 0 to 1, together 1: made so by dividing by `coverage`."""
    coverage: float
    """What all the letters had together before that, 0 to 1. Near 0 the model meant to write
    something else, and the shares say nothing."""
    tokens_in: int
    tokens_cached: int
    seconds: float
    method: str = METHOD


def with_options(question: Question, labels: Sequence[str]) -> Question:
    """Add the options and how to answer to the end of a question.

    Raises:
        ValueError: There are fewer than 2 labels or more than 10, or two are the same.
    """
    if not 2 <= len(labels) <= len(LETTERS) or len(set(labels)) != len(labels):
        raise ValueError(f"labels cannot be read off for {len(labels)} options: {labels}")
    lines = [f"{letter}: {label}" for letter, label in zip(LETTERS, labels, strict=False)]
    told = "\n\nOptions:\n" + "\n".join(lines) + "\n\nAnswer with the letter of one option only."
    *before, last = question.messages
    asked = replace(last, parts=(*last.parts, told))
    return replace(question, messages=(*before, asked), schema="")


class Letters:
    """Knows by which tokens a model writes each letter."""

    def __init__(self, llama: Llama) -> None:
        self._llama = llama
        self._tokens: dict[str, list[int]] | None = None

    def read(self, scores: NDArray[np.float32], count: int) -> tuple[tuple[float, ...], float]:
        """Give the shares of the first letters, together 1, and what they had before.

        Args:
            scores: (n_vocab,) float32.
            count: How many letters are options.

        Raises:
            EngineMissing: The model writes a letter by no token of its own.
            EngineStopped: The scores are no numbers, or no letter has any share.
        """
        best = float(scores.max())
        if not np.isfinite(best):
            raise EngineStopped("The model's scores are not numbers.", "Fetch the model again.")
        likely = np.exp(scores.astype(np.float64) - best)
        likely /= likely.sum()
        found = [float(likely[self._of(letter)].sum()) for letter in LETTERS[:count]]
        coverage = sum(found)
        if coverage <= 0:
            raise EngineStopped("None of the options had any share.", "Have the answer written.")
        return tuple(each / coverage for each in found), min(coverage, 1.0)

    def _of(self, letter: str) -> list[int]:
        if self._tokens is None:
            self._tokens = self._all()
        if not self._tokens[letter]:
            raise EngineMissing(
                f"This model has no token for the letter {letter}.",
                "Have answers written instead of reading labels off.",
            )
        return self._tokens[letter]

    def _all(self) -> dict[str, list[int]]:
        """Find every token that writes a letter, with or without white space before it."""
        found: dict[str, list[int]] = {letter: [] for letter in LETTERS}
        for token in range(self._llama.n_vocab):
            text = self._llama.piece(token).decode("utf-8", "replace").strip()
            if text in found:
                found[text].append(token)
        return found
