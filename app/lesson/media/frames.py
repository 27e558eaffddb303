"""The picture that a player shows at a moment: exact, upright, quickly found.

Pictures carry their own times; nothing here divides by a frame rate. Which picture belongs to a
moment is decided on whole milliseconds (`clock`), so asking for a listed time gives that picture.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

import av
import numpy as np
from av.video.reformatter import VideoReformatter
from numpy.typing import NDArray

from app.lesson.media.clock import last_tick, to_ms
from app.lesson.media.probe import scan_media
from app.lesson.media.upright import Shape, shape_of, upright_rgb
from app.lesson.media.walk import LONG_AGO, PicturesLostError, Walk
from app.running.protocols import Report, no_report


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture as it is shown."""

    time_ms: int
    """When it is first shown, on the media's clock."""
    image: NDArray[np.uint8]
    """(H, W, 3) uint8 RGB, upright, with square pixels and ordinary colours."""


def frame_times(
    path: str | Path, report: Report = no_report, stop: threading.Event | None = None
) -> tuple[int, ...]:
    """Give the time of each picture that is shown, in order.

    Milliseconds, each rounded half up from the exact stamp. Empty when there is only sound.

    Raises:
        MediaRefused, Cancelled: As `probe`.
    """
    return scan_media(path, report, stop).frame_times


def frame_at(path: str | Path, time_ms: int, max_px: int | None = None) -> Frame:
    """Give the picture on the screen at a moment: the last that starts at it or before.

    Before the first picture that is the first, after the last the last.

    Args:
        path: The recording.
        time_ms: The moment, on the media's clock.
        max_px: Longest side of the image wanted, or None; pictures are never enlarged.

    Raises:
        MediaRefused: The file cannot be opened, or no picture in it decodes.
    """
    with FrameReader(path, max_px) as reader:
        return reader.at(time_ms)


def frames_at(
    path: str | Path, times_ms: Iterable[int], max_px: int | None = None
) -> Iterator[Frame]:
    """Give the pictures at several moments, in the order asked; quickest when they rise.

    Decodes on from one moment to the next and searches only where that is shorter.

    Raises:
        MediaRefused: As `frame_at`.
    """
    with FrameReader(path, max_px) as reader:
        for time_ms in times_ms:
            yield reader.at(time_ms)


class FrameReader:
    """Keeps a recording open to show one picture after another; closes it on leaving `with`.

    Not for several threads at once.

    Raises:
        MediaRefused: The file cannot be opened, or no picture in it decodes.
    """

    def __init__(self, path: str | Path, max_px: int | None = None) -> None:
        self._max_px = max_px
        self._scaler = VideoReformatter()
        self._shape: Shape | None = None
        self._walk = Walk(str(path))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._walk.close()

    def at(self, time_ms: int) -> Frame:
        """Give the picture on the screen at a moment, as `frame_at`."""
        walk = self._walk
        tick = last_tick(time_ms, walk.base)
        try:
            walk.go_to(tick)
        except PicturesLostError:
            walk.be_careful()
            walk.go_to(tick)
        return self._shown(walk.frame)

    def step(self, by: int) -> Frame | None:
        """Give the next picture (+1) or the one before (-1) and stay there.

        None at either end, and then the picture stays what it was. Before the first call of `at`
        the first picture is the current one.
        """
        try:
            moved = self._moved(by)
        except PicturesLostError:
            tick = self._walk.frame.pts or 0
            self._walk.be_careful()
            self._walk.go_to(tick)
            moved = self._moved(by)
        return self._shown(self._walk.frame) if moved else None

    def _moved(self, by: int) -> bool:
        if not self._walk.is_placed:
            self._walk.go_to(-LONG_AGO)
        return all(self._walk.forward() if by > 0 else self._walk.back() for _ in range(abs(by)))

    def _shown(self, frame: av.VideoFrame) -> Frame:
        walk = self._walk
        if self._shape is None:
            self._shape = shape_of(walk.stream, frame, walk.size)
        image = upright_rgb(frame, self._shape, self._max_px, self._scaler)
        return Frame(to_ms(frame.pts or 0, walk.base), image)
