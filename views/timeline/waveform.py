"""The sound as one high and one low value a pixel."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from views.timeline.axis import Axis


class Waveform:
    """Peaks of the whole lesson, brought down to the pixels in view and kept for that view.

    Args:
        peaks: (n, 2) float32, lowest and highest sample of n equal stretches, -1 to 1.
        start_ms: Where the first stretch begins.
        end_ms: Where the last one ends.
    """

    def __init__(self, peaks: NDArray[np.float32], start_ms: int, end_ms: int) -> None:
        self._peaks = peaks
        self._start_ms, self._end_ms = start_ms, end_ms
        self._for: Axis | None = None
        self._pixels: NDArray[np.float32] = np.empty((0, 2), np.float32)

    def pixels(self, axis: Axis) -> NDArray[np.float32]:
        """Give (width, 2) lowest and highest a pixel; not a number where there is no sound."""
        if self._for != axis:
            self._pixels = self._brought_down(axis)
            self._for = axis
        return self._pixels

    def _brought_down(self, axis: Axis) -> NDArray[np.float32]:
        result = np.full((axis.width, 2), np.nan, np.float32)
        count = len(self._peaks)
        if not count or self._end_ms <= self._start_ms:
            return result
        edges_ms = axis.start_ms + np.arange(axis.width + 1) * axis.ms_per_px
        places = (edges_ms - self._start_ms) * count / (self._end_ms - self._start_ms)
        first = np.floor(places[:-1]).astype(np.int64)
        last = np.maximum(np.ceil(places[1:]).astype(np.int64), first + 1)
        inside = (last > 0) & (first < count)
        first, last = np.clip(first[inside], 0, count - 1), np.clip(last[inside], 1, count)
        if first.size:
            result[inside, 0] = _over(np.minimum, self._peaks[:, 0], first, last)
            result[inside, 1] = _over(np.maximum, self._peaks[:, 1], first, last)
        return result


def _over(
    best: np.ufunc, values: NDArray[np.float32], first: NDArray[np.int64], last: NDArray[np.int64]
) -> NDArray[np.float32]:
    # `reduceat` takes stretches as neighbours; every second one is the stretch that is wanted.
    # One value more stands at the end, since an end may lie just after the last.
    padded = np.append(values, values[-1:])
    pairs = np.column_stack((first, last)).ravel()
    reduced: NDArray[np.float32] = best.reduceat(padded, pairs)[::2]
    return reduced
