"""What a coder is, and which there are."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from app.coding.finder import NAME as EVIDENCE_FINDER
from app.coding.finder import EvidenceFinder
from app.coding.practices import Practice
from app.coding.records import Prediction
from app.errors import WrongUse
from app.lesson.clips import Clip
from app.lesson.transcript.records import Role, Utterance
from app.running.protocols import Embedder, Report


class Coder(Protocol):
    """Anything that codes clips. Its evidence has gone through the check before it is given."""

    @property
    def name(self) -> str:
        """Name and version, e.g. `evidence-finder/1`; kept with every prediction."""

    def code(
        self,
        clips: Sequence[Clip],
        utterances: Sequence[Utterance],
        roles: Mapping[str, Role],
        report: Report,
        stop: threading.Event,
    ) -> list[Prediction]:
        """Code each clip; one prediction for each, in order.

        Args:
            clips: Where to look.
            utterances: The whole transcript.
            roles: Who is teacher and who is student, by the speaker's name; may be empty.
            report: Told of progress.
            stop: Set when a person stops the work.

        Raises:
            Cancelled: `stop` was set.
        """


_MAKERS: dict[str, Callable[[Embedder, Sequence[Practice]], Coder]] = {
    EVIDENCE_FINDER: EvidenceFinder,
}


def coder_names() -> tuple[str, ...]:
    """Name the coders there are, with their versions."""
    return tuple(_MAKERS)


def make_coder(name: str, embedder: Embedder, practices: Sequence[Practice]) -> Coder:
    """Make the coder of a name, with or without its version: `evidence-finder` will do.

    Raises:
        WrongUse: There is no coder of that name.
    """
    for known, make in _MAKERS.items():
        if name in (known, known.split("/")[0]):
            return make(embedder, practices)
    raise WrongUse(
        f"There is no coder called “{name}”.", f"Choose one of: {', '.join(coder_names())}."
    )
