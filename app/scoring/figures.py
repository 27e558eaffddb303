"""A figure with how sure it is, how much it rests on, and why there is none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from app.scoring.intervals import Interval, wilson
from app.scoring.proportions import Proportion


@dataclass(frozen=True, slots=True)
class Figure:
    """One number for a table or a report.

    Raises:
        ValueError: There is neither a value nor a reason, or both.
    """

    value: float | None
    """`None` (shown as "–" with the reason) where nothing can be known."""
    n: int
    """Items it rests on."""
    interval: Interval | None = None
    """95%; `None` where there is no value."""
    reason: str = ""
    """Why there is no value, in plain words; empty where there is one."""

    def __post_init__(self) -> None:
        if (self.value is None) != bool(self.reason):
            raise ValueError("a figure has either a value or a reason why there is none")


def undefined(reason: str, n: int = 0) -> Figure:
    """Give the figure that is not there."""
    return Figure(None, n, None, reason)


def figure_of(proportion: Proportion, reason: str) -> Figure:
    """Give a share with its Wilson interval; `reason` is said when there was nothing to count."""
    if proportion.share is None:
        return undefined(reason)
    return Figure(proportion.share, proportion.of, wilson(proportion))


def figure_json(figure: Figure) -> dict[str, Any]:
    """Give a figure as JSON can hold it: `null` and the reason where there is no value."""
    interval = figure.interval
    return {
        "value": figure.value,
        "n": figure.n,
        "interval_95": [interval.low, interval.high] if interval is not None else None,
        "reason": figure.reason or None,
    }
