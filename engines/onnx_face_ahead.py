"""Decode the next pictures while this one is looked at: native code, so both cores work."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Self

import numpy as np
from numpy.typing import NDArray

_PICTURES = 4
"""Decoded before they are looked at; 11 MB at the largest."""
_WAIT_S = 0.1

_Given = NDArray[np.uint8] | BaseException | None


class Ahead:
    """Gives the pictures shown at some moments, in order; decodes in a thread of its own.

    Args:
        path: The recording.
        shown_ms: Times of the pictures, none of them falling. The same time again gives `None`.
        longest_px: Longest side wanted.
    """

    def __init__(self, path: str, shown_ms: Sequence[int], longest_px: int) -> None:
        self._path = path
        self._shown_ms = shown_ms
        self._longest_px = longest_px
        self._ready: queue.Queue[_Given] = queue.Queue(_PICTURES)
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._decode, name="faces-decode", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._is_over.set()
        self._thread.join()

    def __iter__(self) -> Iterator[NDArray[np.uint8] | None]:
        """Give each picture: (H, W, 3) uint8 RGB, upright; `None` where it is the one before.

        Raises:
            MediaRefused: The recording cannot be opened, or no picture in it decodes.
        """
        for _ in self._shown_ms:
            given = self._ready.get()
            if isinstance(given, BaseException):
                raise given
            yield given

    def _decode(self) -> None:
        from app.lesson.media.frames import FrameReader

        last_ms = None
        try:
            with FrameReader(self._path, self._longest_px) as reader:
                for time_ms in self._shown_ms:
                    image = reader.at(time_ms).image if time_ms != last_ms else None
                    last_ms = time_ms
                    if not self._give(image):
                        return
        # Whatever it is, the thread that waits for the picture has to hear of it.
        except BaseException as error:
            self._give(error)

    def _give(self, given: _Given) -> bool:
        """Put into the queue, unless nobody takes any more."""
        while not self._is_over.is_set():
            try:
                self._ready.put(given, timeout=_WAIT_S)
            except queue.Full:
                continue
            return True
        return False
