"""What a coder is, and which there are."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from app.coding.conditions import EVIDENCE_FINDER
from app.coding.finder import EvidenceFinder
from app.coding.material import Material
from app.coding.practices import Practice
from app.coding.records import Prediction
from app.errors import Refused, WrongUse
from app.running.plan import Plan
from app.running.protocols import Embedder, Report

LessonDone = Callable[[Material, list[Prediction]], None]
"""Takes the predictions of one lesson, one for each clip in order, as soon as all are there."""


def no_keeping(_material: Material, _predictions: list[Prediction]) -> None:
    """Take a lesson's predictions and do nothing with them."""


class Coder(Protocol):
    """Anything that codes clips. Its evidence has gone through the check before it is given."""

    @property
    def name(self) -> str:
        """Name and version or condition, e.g. `evidence-finder/1`, `my-model T zero_shot`."""

    def refusal(self, material: Material) -> Refused | None:
        """Say why this coder cannot code a lesson at all; `None` when it can."""

    def plan(self, materials: Sequence[Material]) -> Plan | None:
        """Say what would be asked of a model; `None` for a coder that asks none.

        Raises:
            Refused: One of the lessons cannot be coded; `refusal` says so beforehand.
        """

    def code_all(
        self,
        materials: Sequence[Material],
        report: Report,
        stop: threading.Event,
        done: LessonDone = no_keeping,
    ) -> list[list[Prediction]]:
        """Code each clip of each lesson.

        Args:
            materials: The lessons.
            report: Told of progress.
            stop: Set when a person stops the work.
            done: Told of each lesson that is complete, also when the rest is never reached.

        Returns:
            For each lesson, in order, one prediction for each clip, in order.

        Raises:
            Refused: One of the lessons cannot be coded; nothing is asked then.
            Cancelled: `stop` was set.
            Paused: The engine failed again and again.
        """


_MAKERS: Mapping[str, Callable[[Embedder, Sequence[Practice]], Coder]] = {
    EVIDENCE_FINDER: EvidenceFinder,
}


def coder_names() -> tuple[str, ...]:
    """Name the coders that ask no model, with their versions."""
    return tuple(_MAKERS)


def make_coder(name: str, embedder: Embedder, practices: Sequence[Practice]) -> Coder:
    """Make a coder that asks no model, with or without its version: `evidence-finder` will do.

    Raises:
        WrongUse: There is no coder of that name.
    """
    for known, make in _MAKERS.items():
        if name in (known, known.split("/")[0]):
            return make(embedder, practices)
    raise WrongUse(
        f"There is no coder called “{name}”.", f"Choose one of: {', '.join(coder_names())}."
    )
