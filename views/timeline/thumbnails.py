"""Small pictures along the lesson, read from disk only when they come into view."""

from __future__ import annotations

from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Mapping
from os import PathLike, fspath

from PySide6.QtCore import QSize
from PySide6.QtGui import QImageReader, QPixmap

from views.timeline.axis import Axis

KEPT = 240
"""Pictures held in memory; at 84 px height about 12 MB."""
STEPS = (10, 15, 20, 30, 40, 60, 80)
"""Steps between pictures in one power of ten: close enough that pictures stand side by side, few
enough that zooming finds most of them already there."""
READS_A_PAINT = 8
"""Files read in one go; the rest follow in the next repaint, so that the window never stalls."""


class Thumbnails:
    """Picture files by moment, and the few that are held in memory."""

    def __init__(self) -> None:
        self._paths: dict[int, str] = {}
        self._times: list[int] = []
        self._held: OrderedDict[tuple[int, int], QPixmap] = OrderedDict()
        self._reads_left = READS_A_PAINT
        self.has_more = False
        """Whether pictures in view still wait to be read."""

    def add(self, pictures: Mapping[int, str | PathLike[str]]) -> None:
        """Take more files; one for a moment already known replaces it."""
        for time_ms, path in pictures.items():
            if self._paths.get(time_ms) != fspath(path):
                self._paths[time_ms] = fspath(path)
                for key in [k for k in self._held if k[0] == time_ms]:
                    del self._held[key]
        self._times = sorted(self._paths)

    def start_paint(self) -> None:
        """Begin a repaint: a few files may be read in it."""
        self._reads_left = READS_A_PAINT
        self.has_more = False

    def picture(self, time_ms: int, step_ms: int, height_px: int) -> QPixmap | None:
        """Give the picture for a slot of `step_ms` from `time_ms`: its own, or one near it."""
        # The nearest one, so that a slot shows its own moment whenever there is a file for it.
        place = bisect_left(self._times, time_ms)
        near = self._times[max(0, place - 1) : place + 1]
        best = min(near, key=lambda time: abs(time - time_ms), default=None)
        if best is None or abs(best - time_ms) > step_ms // 2:
            return None
        return self._read(best, height_px)

    def missing(self, times: list[int]) -> list[int]:
        """Leave only the moments for which there is no file yet."""
        return [time_ms for time_ms in times if time_ms not in self._paths]

    def _read(self, time_ms: int, height_px: int) -> QPixmap | None:
        key = (time_ms, height_px)
        held = self._held.get(key)
        if held is not None:
            self._held.move_to_end(key)
            return held
        if not self._reads_left:
            self.has_more = True
            return None
        self._reads_left -= 1
        pixmap = _scaled(self._paths[time_ms], height_px)
        self._held[key] = pixmap
        while len(self._held) > KEPT:
            self._held.popitem(last=False)
        return pixmap


def slots(axis: Axis, width_px: int) -> tuple[list[int], int]:
    """Give the moments at which pictures of a width fit side by side, and the step between."""
    step = _step(width_px * axis.ms_per_px)
    first = axis.whole.start_ms
    begin = first + int((axis.start_ms - first) // step) * step
    return list(range(begin, int(axis.end_ms), step)), step


def _step(least_ms: float) -> int:
    tens = 1
    while STEPS[-1] * tens < least_ms:
        tens *= 10
    return next(step * tens for step in STEPS if step * tens >= least_ms)


def _scaled(path: str, height_px: int) -> QPixmap:
    reader = QImageReader(path)
    size = reader.size()
    if size.isValid() and size.height():
        reader.setScaledSize(QSize(max(1, size.width() * height_px // size.height()), height_px))
    # A file that is gone gives an empty picture, which is drawn as an empty slot.
    return QPixmap.fromImage(reader.read())
