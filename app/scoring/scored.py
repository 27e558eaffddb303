"""One clip as it is scored: what people accept, what was predicted, how the asking ended."""

from __future__ import annotations

from dataclasses import dataclass

ANSWERED = ("ok", "retry-ok")
"""How an asking ends when there is an answer that can be used; all other endings are failures."""


@dataclass(frozen=True, slots=True)
class Code:
    """A practice, and its level of sophistication where there is one."""

    practice: str
    """`BI`, `D1`, `D2` or `D3`."""
    level: int | None = None
    """1 to 3 for BI and D1, 1 to 4 for D2 and D3."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A clip beside a prediction for it.

    A failure (any status but `ok` and `retry-ok`) leaves the clip out of every accuracy and is
    counted beside it. An answer without a code (`predicted` is `None`, the status is `ok`: the
    coder looked and found nothing) is scored, and is wrong.

    Raises:
        ValueError: No code is acceptable, or a failure comes with a predicted code.
    """

    clip_id: str
    codes: tuple[Code, ...]
    """The codes people accept, the main one first; at least one."""
    predicted: Code | None
    """`None` for a failure, and for an answer without a code."""
    status: str = "ok"
    """`ok`, `retry-ok`, or the kind of failure, such as `schema-fail`."""
    scores: tuple[tuple[str, float], ...] = ()
    """How likely the coder holds each practice, 0 to 1; empty when it does not say."""

    def __post_init__(self) -> None:
        if not self.codes:
            raise ValueError(f"clip {self.clip_id} has no acceptable code and cannot be scored")
        if self.predicted is not None and not self.is_scored:
            raise ValueError(f"clip {self.clip_id} is {self.status} and yet has a predicted code")

    @property
    def is_scored(self) -> bool:
        """Whether the clip counts in an accuracy; failures do not."""
        return self.status in ANSWERED

    @property
    def is_right(self) -> bool:
        """Whether the predicted practice is one of the acceptable ones; a failure is not."""
        if self.predicted is None:
            return False
        first = self.codes[0].practice
        return self.predicted.practice == first or self.predicted.practice in self.practices

    @property
    def practices(self) -> tuple[str, ...]:
        """The acceptable practices, the main one first."""
        if len(self.codes) == 1:
            return (self.codes[0].practice,)  # as nearly always; tables ask this of every clip
        return tuple(dict.fromkeys(code.practice for code in self.codes))

    @property
    def true(self) -> Code:
        """The code the clip counts under: that of the predicted practice if acceptable, else the
        main one (protocol, "Scoring against people").
        """
        if self.predicted is None:
            return self.codes[0]
        met = (code for code in self.codes if code.practice == self.predicted.practice)
        return next(met, self.codes[0])
