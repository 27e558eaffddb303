"""Find the marks in view, and how densely they lie, without walking over all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from views.timeline.axis import Axis


class Timed(Protocol):
    """Anything with a start and an end in milliseconds."""

    @property
    def start_ms(self) -> int:
        """First moment inside."""

    @property
    def end_ms(self) -> int:
        """First moment after it."""


Mark = TypeVar("Mark", bound=Timed)


class SpanIndex(Generic[Mark]):
    """Marks in order of start; right also where a long one lies under many short ones."""

    def __init__(self, marks: Sequence[Mark] = ()) -> None:
        self.marks = sorted(marks, key=lambda mark: (mark.start_ms, mark.end_ms))
        self.starts = np.fromiter((m.start_ms for m in self.marks), np.int64, len(marks))
        self.ends = np.fromiter((m.end_ms for m in self.marks), np.int64, len(marks))
        # The latest end so far never falls, so it can be searched where the ends cannot.
        self._reach = np.maximum.accumulate(self.ends) if len(marks) else self.ends

    def __len__(self) -> int:
        return len(self.marks)

    def between(self, start_ms: float, end_ms: float) -> NDArray[np.int64]:
        """Give the places of all marks that show between two moments, in order of start."""
        low = int(np.searchsorted(self._reach, start_ms, side="right"))
        high = int(np.searchsorted(self.starts, end_ms, side="left"))
        if low >= high:
            return np.empty(0, np.int64)
        return np.flatnonzero(self.ends[low:high] > start_ms) + low

    def at(self, time_ms: float) -> Mark | None:
        """Give the mark that holds a moment; of several, the one that started last."""
        low = int(np.searchsorted(self._reach, time_ms, side="right"))
        high = int(np.searchsorted(self.starts, time_ms, side="right"))
        if low >= high:
            return None
        holding = np.flatnonzero(self.ends[low:high] > time_ms)
        return self.marks[low + int(holding[-1])] if holding.size else None


def coverage(starts: NDArray[np.int64], ends: NDArray[np.int64], axis: Axis) -> NDArray[np.float64]:
    """Give how much of each pixel is covered: (width,) from 0, above 1 where marks overlap.

    Exact for any width of mark: the amount left of an edge is summed for all marks at once, and
    a pixel holds the difference between its two edges.
    """
    left = np.clip((starts - axis.start_ms) / axis.ms_per_px, 0, axis.width)
    right = np.clip((ends - axis.start_ms) / axis.ms_per_px, 0, axis.width)
    return np.asarray(np.diff(_summed(left, axis.width) - _summed(right, axis.width)), np.float64)


def _summed(edges: NDArray[np.float64], width: int) -> NDArray[np.float64]:
    first = np.ceil(edges).astype(np.int64)
    count = np.cumsum(np.bincount(first, minlength=width + 1))
    total = np.cumsum(np.bincount(first, weights=edges, minlength=width + 1))
    return np.asarray(np.arange(width + 1) * count - total, np.float64)
