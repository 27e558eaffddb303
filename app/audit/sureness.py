"""How sure a judge is of its band, where its engine can be read without writing."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from app.audit.judging import BAND_LETTERS
from app.running.protocols import Report, no_report
from app.running.questions import Chat, Question
from app.scoring.figures import Figure, undefined

LEAST_COVERAGE = 0.5
"""Of all that a model might write, the share that must fall to the letters: below it, the model
meant to write something else, and what the letters have says nothing."""


class LabelShares(Protocol):
    """What is read off one pass of a model."""

    @property
    def shares(self) -> tuple[float, ...]:
        """By label, together 1."""

    @property
    def coverage(self) -> float:
        """What all labels had together before that, 0 to 1."""


@runtime_checkable
class ReadsLabels(Protocol):
    """An engine that says how likely labels are, without writing one."""

    def read_labels(
        self,
        question: Question,
        labels: Sequence[str],
        report: Report,
        stop: threading.Event,
    ) -> LabelShares:
        """Read how likely each label is, put to the model as the options A, B, C and so on."""


@dataclass(frozen=True, slots=True)
class Sureness:
    """How a model spreads over the five bands of a rubric. It is no score, and enters none."""

    likeliest: Figure
    """Share of the likeliest band."""
    shares: tuple[float, ...] = ()
    """Of the bands A to E; empty where nothing could be read."""


def read_sureness(
    chat: Chat, question: Question, report: Report = no_report, stop: threading.Event | None = None
) -> Sureness:
    """Read how sure a judge is of the band of one response.

    Args:
        chat: The judge.
        question: From `Judging.ask_band`.
        report: Takes progress.
        stop: Ends the work when set.

    Raises:
        EngineMissing, EngineStopped, Cancelled: As the engine has it.
    """
    if not isinstance(chat, ReadsLabels):
        return Sureness(undefined("This engine cannot be read without having it write."))
    labels = [f"Band {letter}" for letter in BAND_LETTERS]
    found = chat.read_labels(question, labels, report, stop or threading.Event())
    if found.coverage < LEAST_COVERAGE:
        return Sureness(undefined("The model meant to write something else than a band.", 1))
    return Sureness(Figure(max(found.shares), 1), found.shares)
