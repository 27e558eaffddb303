"""What was cut out of a recording; a record without the decoder that cuts."""

from __future__ import annotations

from dataclasses import dataclass

from app.lesson.spans import Span


@dataclass(frozen=True, slots=True)
class Cut:
    """One file that was cut out of a recording."""

    span: Span
    """What was wanted, on the recording's own clock."""
    file: str
    """Name in the folder."""
    is_copied: bool
    """Whether the stored pictures were copied; else they were encoded again."""
    why: str
    """Why they were encoded again; empty for a copy."""
    first_ms: int
    """Moment on the recording's clock at which the file begins."""
    duration_ms: int
    pictures: int
    sha256: str
    size_bytes: int
