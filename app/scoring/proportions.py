"""A share with its denominator: never shown without it, undefined when that is zero."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Proportion:
    """So many out of so many.

    Raises:
        ValueError: `count` is below zero or above `of`.
    """

    count: int
    of: int

    def __post_init__(self) -> None:
        if not 0 <= self.count <= self.of:
            raise ValueError(f"{self.count} of {self.of} is no proportion")

    @property
    def share(self) -> float | None:
        """The share, 0 to 1; `None` (shown as "–") when there was nothing to count."""
        return self.count / self.of if self.of else None
