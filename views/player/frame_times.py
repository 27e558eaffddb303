"""When each picture of a recording is shown, and which one is on the screen at a moment."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


class FrameTimes:
    """Moments of all pictures, rising; empty until they are known.

    Args:
        times_ms: Start of each picture on the lesson's clock.
    """

    def __init__(self, times_ms: Sequence[int] = ()) -> None:
        self._times = np.asarray(times_ms, np.int64)

    @property
    def first_ms(self) -> int | None:
        """Start of the first picture."""
        return int(self._times[0]) if len(self._times) else None

    def at(self, time_ms: int) -> int:
        """Give the start of the picture on the screen at a moment; the moment while unknown."""
        if not len(self._times):
            return time_ms
        return int(self._times[max(0, self._place(time_ms))])

    def beside(self, time_ms: int, frames: int) -> int | None:
        """Give the start of the picture so many on, or back below zero; kept between both ends."""
        if not len(self._times):
            return None
        place = self._place(time_ms) + frames
        return int(self._times[min(max(place, 0), len(self._times) - 1)])

    def _place(self, time_ms: int) -> int:
        return int(np.searchsorted(self._times, time_ms, "right")) - 1
