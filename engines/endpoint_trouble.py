"""How a call to an endpoint can go wrong, and what follows from each way."""

from __future__ import annotations

from enum import Enum

from app.errors import ClerestoryError, EngineMissing, EngineStopped


class Kind(Enum):
    """What a trouble means for the call and for the work as a whole."""

    BUSY = "busy"
    """It asks for patience (429): waited for; the engine has stopped if that does not help."""
    AWAY = "away"
    """It is not there (no connection, 502 to 504): tried again; then the engine has stopped."""
    SILENT = "silent"
    """It took the question and said nothing: not tried again; the engine has stopped."""
    BROKEN = "broken"
    """An exchange broke off: tried again; then this answer is an error."""
    FAILED = "failed"
    """A fault of the server (500): tried again; then this answer is an error."""
    ODD = "odd"
    """It answered, but with nothing that is an answer: this answer is an error."""
    UNUSABLE = "unusable"
    """No question can succeed (key, model, credit, schema): nobody needs to try again."""


TRIED_AGAIN = frozenset({Kind.BUSY, Kind.AWAY, Kind.BROKEN, Kind.FAILED})
STOPPED = frozenset({Kind.BUSY, Kind.AWAY, Kind.SILENT})


class Trouble(Exception):
    """One call went wrong. Its words hold neither keys nor what was asked.

    Args:
        kind: What it means.
        message: What happened, as a full sentence.
        hint: What to do.
        wait_s: How long the server asks to wait.
    """

    def __init__(
        self, kind: Kind, message: str, hint: str = "", wait_s: float | None = None
    ) -> None:
        super().__init__(kind, message)
        self.kind = kind
        self.message = message
        self.hint = hint
        self.wait_s = wait_s

    def for_people(self) -> ClerestoryError:
        """Give the error that the runner knows."""
        if self.kind is Kind.UNUSABLE:
            return EngineMissing(self.message, self.hint)
        return EngineStopped(self.message, self.hint)
