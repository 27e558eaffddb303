"""What the program knows about models: recommended, installed, fitting this computer.

The records and the one door behind which models are listed, fetched, added, checked and removed.
The command line and the Models page use the same door; `engines/shelf.py` stands behind it.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from app.running.protocols import Report, no_report


def show_size(size_bytes: int) -> str:
    """Write a size as people read it: `6.4 GB`, in units of 1,000,000,000 bytes."""
    if 0 < size_bytes < 1_000_000:
        return "under 1 MB"
    if size_bytes < 1_000_000_000:
        return f"{size_bytes // 1_000_000} MB"
    return f"{size_bytes / 1_000_000_000:.1f} GB"


class Fits(StrEnum):
    """Where a model would work on this computer."""

    GPU = "gpu"
    """On the graphics card."""
    MEMORY = "memory"
    """In the computer's memory, slowly."""
    TOO_LARGE = "too-large"
    UNKNOWN = "unknown"
    """How much it needs, or what is there, is not known."""


class Origin(StrEnum):
    """How a model came to be installed; says what may be deleted with it."""

    DOWNLOADED = "downloaded"
    COPIED = "copied"
    LINKED = "linked"
    """The person's own file, used where it lies and never deleted by us."""
    PROGRAM = "program"
    """Put there by the program itself; it comes back when it is needed."""


@dataclass(frozen=True, slots=True)
class Fit:
    """Whether and how a model fits, with the numbers in words."""

    verdict: Fits
    words: str
    """A sentence a person can read: what it needs, what is there."""


@dataclass(frozen=True, slots=True)
class ModelState:
    """One model as a list shows it."""

    name: str
    """What a person types."""
    title: str
    kind: str
    """`vision`, `judge`, `text` or `speech`."""
    form: str
    """`gguf`, `onnx` or `ctranslate2`."""
    licence: str
    """Empty where nobody has said."""
    good_for: str
    used_in: tuple[str, ...]
    """Papers that used this very model."""
    size_bytes: int | None
    memory_bytes: int | None
    """What it needs while it works; at least so much where `fit` says so."""
    fit: Fit
    recommended: bool
    can_fetch: bool
    """False where no ready file is known; `instead` then says what to do."""
    instead: str
    source: str
    """Where it comes from: hub, owner, name and revision, or the person's own file."""
    origin: Origin | None
    """`None` when it is not installed."""
    files: tuple[tuple[str, str], ...] = ()
    """Paths of the installed files with their SHA-256."""

    @property
    def is_installed(self) -> bool:
        """Whether it can be used at once, without any network."""
        return self.origin is not None


@dataclass(frozen=True, slots=True)
class LoadedModel:
    """The model that the child process for models keeps in memory between questions."""

    title: str
    """Empty while a question is under way: then the child cannot be asked which it is."""
    memory_bytes: int
    """About how much it takes: its files, and room for what it keeps in mind."""
    is_busy: bool = False
    """Whether it is answering a question now."""


class ModelShelf(Protocol):
    """Everything that can be done with models."""

    def computer(self) -> str:
        """Say in a sentence how much memory this computer has."""
        ...

    def states(self) -> tuple[ModelState, ...]:
        """Give the recommended models and whatever else is installed. Opens no connection."""
        ...

    def get(
        self, name: str, report: Report = no_report, stop: threading.Event | None = None
    ) -> ModelState:
        """Fetch a recommended model; the only thing here that uses the network.

        Raises:
            Refused: It cannot be fetched, or what came is not what it should be.
            Cancelled: `stop` was set; what has arrived is kept for the next try.
        """
        ...

    def add(
        self,
        path: Path,
        projector: Path | None = None,
        title: str = "",
        *,
        copy: bool = False,
        report: Report = no_report,
        stop: threading.Event | None = None,
    ) -> ModelState:
        """Take a file or folder of the person's own, where it lies or as a copy.

        Raises:
            Refused: It is of no form that can be used, is broken, or does not fit its projector.
        """
        ...

    def check(
        self, name: str, report: Report = no_report, stop: threading.Event | None = None
    ) -> tuple[str, ...]:
        """Read every byte of an installed model again; give what is wrong, in sentences.

        Raises:
            Refused: No model of that name is installed.
        """
        ...

    def remove(self, name: str) -> str:
        """Remove an installed model; says in a sentence what was deleted and what was not.

        Raises:
            Refused: No model of that name is installed, or it cannot be deleted.
        """
        ...
